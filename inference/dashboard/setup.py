"""Setting up: a new deal by taps, a position in the middle of a deal, or a pasted record."""

from __future__ import annotations

from typing import Any

import streamlit as st

from inference import archive
from inference.cards import Card, cards
from inference.dashboard import amend, door, draft, pad, position
from inference.dashboard.desk import Desk
from inference.dashboard.draft import MIDWAY, NEW, Draft
from inference.dashboard.pad import Face
from inference.dashboard.widgets import choose, keep, number, press, text
from inference.dashboard.words import pretty, short
from inference.errors import InferenceError
from inference.game.rules import PRESETS, Rules

LEADERS = {"S": "I lead", "N": "Opponent leads"}
KINDS = {NEW: "New deal", MIDWAY: "Middle of a deal"}
FAIR_USE = (
    "Meant for training, for study, and for help that everybody at the table has agreed to: "
    "at many tables electronic help is unwelcome or forbidden."
)
N_NAMES = 6
NOTES = {"mine": "you", "upcard": "up", "gone": "gone", "his": "his"}


def page(desk: Desk) -> None:
    """Draw the set-up page."""
    draft.load(desk)
    with st.container(key="setup"):
        with st.container(key="play"):
            _cards(desk)
        with st.container(key="think"):
            _terms(desk)
        if "of" not in desk.draft:
            with st.container(key="book"):
                _paste(desk)
                _recent(desk)
                st.caption(FAIR_USE)
    draft.mirror(desk.draft)


def _cards(desk: Desk) -> None:
    found = desk.draft
    rules = draft.preset(found)
    if "of" not in found:
        choose(desk, "kind", KINDS, NEW)
    choose(desk, "lead", LEADERS, "N")
    st.html(_prompt(found, rules))
    pad.draw(desk, _faces(found, rules), None, draft.tap, desk)  # no row moves under a finger
    if found.get("kind") == MIDWAY:
        position.tapping(desk)
    if "of" in found:
        amend.buttons(desk)
    else:
        press(desk, "Start", "start", _start, desk, loud=draft.filled(found))
    if desk.refusal:
        st.error(pretty(desk.refusal))


def _prompt(found: Draft, rules: Rules) -> str:
    n, size = draft.mask(found, "mine").bit_count(), rules.hand
    if found.get("kind") == MIDWAY:
        gone = draft.mask(found, "gone").bit_count()
        said = f"Mine {n}, gone {gone} ({gone // 2} tricks); the rest is unseen"
    elif n < size:
        said = f"Tap your {size} cards: {n} of {size}"
    elif draft.upcard(found) is None:
        said = "Tap the upcard (the face-up trump)"
    else:
        said = "Ready: save the set-up" if "of" in found else "Ready: start the deal"
    return f'<div class="prompt" role="status" aria-live="polite"><b>{said}</b></div>'


def _faces(found: Draft, rules: Rules) -> dict[Card, Face]:
    places = {card: draft.place_of(found, card) for card in cards(rules.pack)}
    return {card: Face(place, NOTES.get(place, "")) for card, place in places.items()}


def _start(desk: Desk) -> None:
    """Write the deal into the store and turn to it, or remember why it cannot be."""
    try:
        _begin(desk, draft.record(desk.draft))
    except InferenceError as error:
        desk.refusal = str(error)


def _begin(desk: Desk, record: str | dict[str, Any]) -> None:
    deal = desk.store.begin(record)
    desk.draft = {}
    desk.forget()
    door.go(g=deal)


# -- rules, match and names ------------------------------------------------------------------------


def _terms(desk: Desk) -> None:
    found = desk.draft
    if found.get("kind") == MIDWAY:
        position.form(desk, draft.preset(found))
    _rules(desk, found)
    with st.container(key="match"):
        text(desk, "name", "Opponent's name", "N")
        _known_names(desk)
        if found.get("kind") != MIDWAY:
            with st.container(horizontal=True):
                number(desk, "us", "Match: you", 20)
                number(desk, "them", "Match: opponent", 20)


def _known_names(desk: Desk) -> None:
    """Offer the players who were met before: what their play told of them is kept."""
    names = [name for name in archive.names(desk.store)[:N_NAMES] if name != desk.draft.get("name")]
    if names:
        with st.container(horizontal=True, key="names"):
            for i, name in enumerate(names):
                st.button(short(name, 20), key=f"name-{i}", on_click=_call, args=(desk, name))


def _call(desk: Desk, name: str) -> None:
    draft.put(desk, "name", name)
    st.session_state["set-name"] = name


def _rules(desk: Desk, found: Draft) -> None:
    st.pills(
        "Rules",
        list(PRESETS),
        default=found.get("rules", "sixty-six"),
        key="set-rules",
        required=True,
        on_change=keep,
        args=(desk, "rules"),
    )
    text(desk, "house", "House rules on top", '{"target": 11, "last_trick_bonus": 10}')
    try:
        draft.rules_of(found)
    except InferenceError as error:
        st.error(pretty(str(error)))


# -- records and recent deals ----------------------------------------------------------------------


def _paste(desk: Desk) -> None:
    with st.expander("Paste a record"):
        told = "One line of JSON or of the short form, also with a start in mid-deal"
        st.text_area(told, key="pasted", height=120)
        press(desk, "Open it", "open", _open, desk)
        if desk.unread:
            st.error(pretty(desk.unread))


def _open(desk: Desk) -> None:
    try:
        _begin(desk, archive.read_line(st.session_state["pasted"]).to_json())
    except InferenceError as error:
        desk.unread = str(error)


def _recent(desk: Desk) -> None:
    found = [one for one in archive.recent(desk.store, 12) if one.n_events][:6]
    if not found:
        return
    with st.expander("Recent deals", expanded=True), st.container(key="recent"):
        for one in found:
            name = short(str((one.record.get("meta") or {}).get("opponent") or "N"), 20)
            when = one.created[:16].replace("T", " ")
            label = f"{when} · {name} · {one.n_events} entries"
            press(desk, label, f"recent-{one.id}", _reopen, one.id)


def _reopen(deal: str) -> None:
    door.go(g=deal)
