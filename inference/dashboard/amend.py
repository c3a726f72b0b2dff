"""The set-up of a deal that is there is put right: the page of a new deal, filled in with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from inference import archive
from inference.dashboard import door, draft
from inference.dashboard.desk import Desk
from inference.dashboard.draft import Draft
from inference.dashboard.widgets import press
from inference.errors import InferenceError
from inference.game.record import Record, parse_record
from inference.store import correct

CARDS = ("seat", "rules", "leader", "hands", "upcard", "start")
PARTS = ("rules", "leader", "hands", "upcard", "start", "match")


def possible(record: Record) -> bool:
    """Tell whether the page can say all that the set-up of a record seen from one seat says."""
    try:
        said = parse_record(draft.record(draft.described(record.to_json())))
    except InferenceError:
        return False
    return all(getattr(said, key) == getattr(record, key) for key in CARDS)


def begin(desk: Desk, deal: str) -> None:
    """Fill the draft with the set-up of a deal."""
    desk.forget()
    desk.draft = {**draft.described(desk.replay(deal).session.to_record()), "of": deal}


def at_the_table(desk: Desk, deal: str) -> None:
    """Turn from the table to the set-up of its deal."""
    begin(desk, deal)
    door.go()


def from_review(desk: Desk, deal: str) -> None:
    """Turn from another page to the set-up of a deal."""
    begin(desk, deal)
    door.leave("live.py")


def buttons(desk: Desk) -> None:
    """Draw the ways out: the set-up is saved, with or without the entries, or left as it was."""
    now = desk.replay(desk.draft["of"])
    n = len(now.session.events)
    again = " The result is then to be confirmed again." if now.result is not None else ""
    if n:
        st.caption(f"The {n} entries stay and are checked against the new set-up.{again}")
    ready = draft.filled(desk.draft)
    press(desk, "Save the set-up", "amend", _save, desk, ready=ready, loud=True)
    if n and desk.refusal:
        press(desk, f"Save it and strike out all {n} entries", "amend-bare", _save, desk, True)
    press(desk, "Leave it as it was", "amend-leave", _back, desk)


def _save(desk: Desk, strike_out: bool = False) -> None:
    """Write what is changed into the log, as one step; what does not fit is said."""
    deal, found = desk.draft["of"], desk.draft
    try:
        now = desk.replay(deal)
        record, n = now.session.to_record(), len(now.session.events)
        changes = _changes(found, record)
        struck = dict.fromkeys(range(1, n + 1), "") if strike_out else {}
        if changes or struck:
            desk.copy = None  # it is used up
            desk.store.enter(deal, correct({0: changes, **struck}), now)
        name = found.get("name", "")
        if name != draft.described(record).get("name", ""):
            archive.edit(desk.store, deal, opponent=name)
    except InferenceError as error:
        desk.refusal = str(error)
        return
    _back(desk)


def _changes(found: Draft, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a record's set-up that the draft says otherwise."""
    before, after = draft.record(draft.described(record)), draft.record(found)
    changes = {key: after[key] for key in PARTS if after.get(key) != before.get(key)}
    if "match" not in record and not any(after.get("match", {}).get("score", {}).values()):
        changes.pop("match", None)
    return changes


def _back(desk: Desk) -> None:
    deal, desk.draft = desk.draft["of"], {}
    desk.forget()
    door.go(g=deal)
