"""The live page: a deal at the table, entered card by card; a pure function of its log."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from inference import reports
from inference.cards import Card, Suit
from inference.dashboard import (
    controls,
    door,
    draft,
    finish,
    log,
    pad,
    panels,
    setup,
    suggestion,
)
from inference.dashboard.desk import Desk
from inference.dashboard.pad import Face
from inference.dashboard.words import entry_label, percent, short
from inference.errors import InferenceError
from inference.reports import Place
from inference.store import Deal, match_before

STYLE = Path(__file__).with_name("live.css")


def page() -> None:
    """Draw the set-up, or the deal that the address names."""
    st.html(STYLE)
    door.check()
    try:
        desk = door.desk()
        address = st.query_params.get("g")
        if address:
            _deal(desk, desk.replay(address))
        else:
            setup.page(desk)
            desk.heard = False
    except (InferenceError, OSError) as error:
        st.error(str(error))
        st.button("New deal", key="new", on_click=door.anew)


def _deal(desk: Desk, deal: Deal) -> None:
    """Paint the deal with its belief, then think."""
    draft.leave(desk)
    tracker = deal.session.tracker
    name = short(str(deal.session.record.meta.get("opponent") or tracker.view.opponent), 20)
    log.pick(desk)
    with st.container(key="table"):
        with st.container(key="play"):
            _play(desk, deal, name)
        with st.container(key="think"):
            brief = st.empty()
            full = _think(deal, name)
        with st.container(key="cards"), _fold("Where the cards are, in %"):
            st.html(panels.heat(tracker, name))
        with st.container(key="book"):
            if told := panels.alarm(tracker, name):
                st.html(told)
            _reasons(deal, name)
            with _fold("Likeliest hands"):
                st.html(panels.hands(tracker))
            with _fold("Log and corrections"):
                log.draw(desk, deal, name)
    desk.heard = False
    desk.keep(deal)  # before the advice, which the next tap may cut off
    suggestion.paint(desk, deal, name, suggestion.Boxes(brief, full))
    desk.keep(deal)


def _play(desk: Desk, deal: Deal, name: str) -> None:
    """Draw what never moves: status, prompt, pad and actions; what may grow comes after them."""
    tracker = deal.session.tracker
    st.html(panels.status(tracker, name, match_before(deal)))
    mode, due = _mode(desk, deal, name), deal.session.awaited()
    st.html(panels.prompt(tracker, due, name, _saved(deal), mode))
    pad.draw(desk, _faces(desk, deal, name), Suit(tracker.view.public.trump), desk.tap, deal.id)
    controls.actions(desk, deal, name)
    controls.problem(desk, deal)
    finish.draw(desk, deal, name)


def _saved(deal: Deal) -> str:
    n = len(deal.session.events)
    return f"saved · {n} entr{'y' if n == 1 else 'ies'}"


def _mode(desk: Desk, deal: Deal, name: str) -> str:
    """Say what a tap means while it does not mean the next entry."""
    picked = desk.correcting(deal)
    if picked is not None:
        return f"Entry {entry_label(*picked, name)}: tap the right card"
    return "20/40: tap the king or queen that is led" if desk.announcing else ""


def _faces(desk: Desk, deal: Deal, name: str) -> dict[Card, Face]:
    """Give each card its place and its probability, and dim what cannot be meant now."""
    tracker, wrong = deal.session.tracker, desk.correcting(deal)
    offered, p = reports.meanings(tracker, desk.announcing), reports.locations(tracker)
    faces = {}
    for card, place in reports.places(tracker).items():
        hidden = place == Place.HIDDEN
        note = f"{percent(p[card])} %" if hidden else panels.PLACES[place].format(name=name[:6])
        gone = place in (Place.GONE, Place.TABLE)
        if wrong is not None:
            same = card == wrong[1].action.card
            face = Face(str(place), "wrong" if same else note, dim=same, dead=same)
        else:
            bar = p[card] if hidden else None
            face = Face(str(place), note, bar, card not in offered and not gone, gone)
        faces[card] = face
    return faces


def _think(deal: Deal, name: str) -> DeltaGenerator:
    """Draw what the opponent may have; return the box for the table of all moves."""
    with _fold("Why"):
        full = st.empty()
        st.html(panels.threats(deal.session.tracker, name))
        st.html(panels.suits(deal.session.tracker))
    return full


def _reasons(deal: Deal, name: str) -> None:
    """Draw what moved the cards, only when asked: it weighs the whole deal anew."""
    with _fold("What moved the chances"):
        if st.toggle("Show what he did and left undone", key="reasons"):
            st.html(panels.why(deal.session.tracker, name))


def _fold(label: str) -> ExpanderContainer:
    """Return a part that is open where there is room for it."""
    phone = "Mobi" in st.context.headers.get("User-Agent", "")
    return st.expander(label, expanded=not phone)


if __name__ == "__main__":
    page()
