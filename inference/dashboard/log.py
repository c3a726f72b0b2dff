"""The list of entries, and the correction of any of them."""

from __future__ import annotations

import streamlit as st

from inference.dashboard.desk import Desk
from inference.dashboard.widgets import press
from inference.dashboard.words import entry_label
from inference.game.events import Event
from inference.game.fields import write_object
from inference.store import Deal


def pick(desk: Desk) -> None:
    """Take over which entry is picked; must come before the list is drawn."""
    if desk.unpick:
        st.session_state["picked"] = None
    desk.picked, desk.unpick = st.session_state.get("picked"), False


def draw(desk: Desk, deal: Deal, name: str) -> None:
    """Draw the entries with their numbers; one that is picked can be corrected."""
    events, me = deal.session.events, deal.session.tracker.view.seat
    if not events:
        st.caption("No entry yet.")
        return
    labels = {
        n: entry_label(n, one, "you" if one.seat == me else name[:8])
        for n, one in enumerate(events, start=1)
    }
    with st.container(key="log"):
        st.pills(
            "Tap an entry to correct it",
            list(labels),
            format_func=lambda n: labels.get(n, str(n)),
            key="picked",
        )
        with st.popover("The deal as text"):
            st.code(write_object(deal.session.to_record()), language="json", wrap_lines=True)
        picked = desk.correcting(deal)
        if picked is not None:
            _mend(desk, deal, *picked)


def _mend(desk: Desk, deal: Deal, number: int, one: Event) -> None:
    """Offer a new text for an entry; its card can be tapped on the pad as well."""
    key = f"mend-{deal.revision}-{number}"
    text = st.text_input(f"Entry {number}: new text, or tap the card on the pad", str(one), key=key)
    st.caption("Several events, with blanks between them, put in what was missed.")
    with st.container(horizontal=True):
        for label, new in (("Save", text), ("Strike out", "")):
            press(desk, label, f"do-{label}", desk.mend, deal.id, number, new)
        press(desk, "Leave it", "do-leave", desk.forget)
