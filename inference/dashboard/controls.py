"""The row of actions under the pad, the menu, and the sentence that refuses an entry."""

from __future__ import annotations

import streamlit as st

from inference import reports
from inference.dashboard import amend, door
from inference.dashboard.desk import Desk
from inference.dashboard.widgets import press
from inference.dashboard.words import pretty, short
from inference.game.events import CLAIM, Action, Event, Kind
from inference.game.rules import Rules
from inference.store import Deal


def actions(desk: Desk, deal: Deal, name: str) -> None:
    """Draw the row of actions; a note below each says whose it is."""
    tracker = deal.session.tracker
    rules, can = tracker.view.public.rules, reports.choices(tracker)
    marriages = list(reports.meanings(tracker, announcing=True).values())
    _notes(deal, name, {"announce": marriages[0] if marriages else None, **_by_key(can)})
    with st.container(key="actions", horizontal=True, wrap=False):
        ready = deal.session.can_undo
        press(desk, "↶ Undo", "do-undo", desk.take_back, deal.id, ready=ready, shortcut="Mod+Z")
        loud = bool(reports.takes_out(tracker)) or desk.announcing
        ready = bool(marriages)
        press(desk, "20/40", "do-announce", desk.announce, deal.id, ready=ready, loud=loud)
        for kind, label in _deeds(rules).items():
            loud = kind == Kind.CLAIM and reports.may_claim(tracker)
            ready = kind in can
            press(desk, label, f"do-{kind.name}", desk.do, deal.id, kind, ready=ready, loud=loud)
        with st.popover("⋯", width="stretch"):
            _menu(desk, deal, name)


def _by_key(can: dict[Kind, Event]) -> dict[str, Event]:
    return {kind.name: one for kind, one in can.items()}


def _notes(deal: Deal, name: str, owners: dict[str, Event | None]) -> None:
    """Write under each button whose action it is."""
    me = deal.session.tracker.view.seat
    notes = {key: "you" if one.seat == me else short(name, 8) for key, one in owners.items() if one}
    rules = (f'.st-key-do-{key} button::after{{content:"{who}"}}' for key, who in notes.items())
    st.html(f"<style>{''.join(rules)}</style>")


def _deeds(rules: Rules) -> dict[Kind, str]:
    """Return the actions that these rules have, with their labels."""
    found = {Kind.EXCHANGE: f"Swap {rules.low_trump.letter}"}
    if rules.close:
        found[Kind.CLOSE] = "Close"
    if rules.claim == "declared":
        found[Kind.CLAIM] = "Claim"
    return found


def _menu(desk: Desk, deal: Deal, name: str) -> None:
    """Draw what is rare: endings, a claim at any moment, entries in text form."""
    me, he = deal.session.tracker.view.seat, deal.session.tracker.view.opponent
    name = short(name, 8)
    with st.container(key="more"), st.grid(2, wrap=False, min_column_width=40, gap="xsmall"):
        for label, seat, action in (
            ("You give up", me, Action(Kind.GIVE_UP)),
            (f"{name} gives up", he, Action(Kind.GIVE_UP)),
            ("You claim 66", me, CLAIM),
            (f"{name} claims 66", he, CLAIM),
            ("You revoked", me, Action(Kind.REVOKE)),
            (f"{name} revoked", he, Action(Kind.REVOKE)),
            ("Abandon: no points", me, Action(Kind.ABANDON)),
        ):
            one = Event(seat, action)
            key = f"menu-{one.seat}-{action.kind.name}"
            press(desk, label, key, desk.say, deal.id, str(one))
        press(desk, "New deal", "menu-new", door.go)
        turn, ready = amend.at_the_table, amend.possible(deal.session.record)
        press(desk, "Correct the set-up", "menu-set-up", turn, desk, deal.id, ready=ready)
    st.text_input(
        f"Any entry as text, like {he}:KH* or {he}:=ASKH",
        key="typed",
        on_change=_typed,
        args=(desk, deal.id),
    )


def _typed(desk: Desk, deal: str) -> None:
    """Enter what was typed, and clear the field if it fitted."""
    desk.say(deal, st.session_state["typed"])
    if desk.problem is None:
        st.session_state["typed"] = ""


def problem(desk: Desk, deal: Deal) -> None:
    """Show the sentence that refused the last entry, with what may be entered instead."""
    found = desk.problem
    if found is None:
        return
    with st.container(key="problem"):
        st.error(pretty(found.sentence))
        for number, (label, entry) in enumerate(found.instead):
            press(desk, label, f"instead-{number}", desk.enter, deal.id, entry)
        press(desk, "OK", "dismiss", desk.forget)
