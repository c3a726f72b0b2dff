"""What may be done with a past deal: notes beside it, play on from a step, share it, delete it."""

from __future__ import annotations

import streamlit as st

from inference import archive
from inference.dashboard import amend, door
from inference.dashboard.desk import Desk
from inference.dashboard.past import Past
from inference.dashboard.widgets import press
from inference.game.record import eyes


def draw(desk: Desk, deal: Past) -> None:
    """Draw the notes and the ways out."""
    row = archive.look_up(desk.store, deal.stamp[0])
    with st.expander("What if, notes, share"):
        press(desk, "Play on from this step (a copy)", "what-if", _what_if, desk, deal)
        press(desk, "Open it at the table", "to-live", _live, deal.stamp[0])
        turn, ready = amend.from_review, amend.possible(eyes(deal.replay.record, deal.seat))
        press(desk, "Correct the set-up", "to-set-up", turn, desk, deal.stamp[0], ready=ready)
        # A field of another deal must not lend its text to this one: the keys name the deal.
        st.toggle("★ worth another look", row.star, key=_key(row.id, "star"))
        st.text_input("Opponent", row.opponent, key=_key(row.id, "opponent"))
        st.date_input("Played on", row.played, key=_key(row.id, "date"))
        st.text_input("Tags, with commas", ", ".join(row.tags), key=_key(row.id, "tags"))
        st.text_area("Note", row.note, key=_key(row.id, "note"))
        press(desk, "Keep these notes", "keep-remarks", _keep, desk, row.id)
        st.download_button(
            "As a page to share",
            lambda: archive.page(desk.store, row.id),
            f"sixtysix-{row.played}.html",
            "text/html",
            on_click="ignore",
        )
        if row.deleted:
            press(desk, "Put it back in the list", "undelete", archive.undelete, desk.store, row.id)
        else:
            press(desk, "Delete it", "delete", archive.delete, desk.store, row.id)


def _key(deal: str, field: str) -> str:
    return f"remark-{field}-{deal}"


def _keep(desk: Desk, deal: str) -> None:
    """Write the notes down as they stand in the fields now."""
    fields = ("star", "opponent", "date", "tags", "note")
    said = {field: st.session_state[_key(deal, field)] for field in fields}
    said |= {"date": str(said["date"]), "tags": said["tags"].split(",")}
    archive.edit(desk.store, deal, **said)
    desk.past = None  # the opponent may have another name now


def _what_if(desk: Desk, deal: Past) -> None:
    number = min(int(st.session_state.get("step", 0)), deal.replay.n)
    record = deal.replay.what_if(number).to_record()
    name = f"{deal.name} (what if)"  # what is tried here must tell nothing of the player's style
    meta = {"opponent": name, "note": f"what if, from entry {number}", "own": False}
    door.leave("live.py", desk.store.begin(record | {"meta": meta}))


def _live(deal: str) -> None:
    door.leave("live.py", deal)
