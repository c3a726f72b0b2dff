"""The end of a deal: its result is confirmed, the match goes on."""

from __future__ import annotations

from typing import Any

import streamlit as st

from inference.cards import Seat
from inference.dashboard import draft
from inference.dashboard.desk import Desk
from inference.dashboard.widgets import press
from inference.dashboard.words import ending
from inference.game.scoring import Outcome
from inference.store import Deal, Entry, match_before, next_deal, result

NOBODY = "nobody"


def draw(desk: Desk, deal: Deal, name: str) -> None:
    """Draw what comes after the last card: confirm, then the next deal."""
    outcome = deal.session.tracker.view.public.outcome
    if outcome is None:
        return
    with st.container(key="finish", border=True):
        if deal.result is None:
            _confirm(desk, deal, outcome, name)
        else:
            _go_on(desk, deal, deal.result, name)


def _confirm(desk: Desk, deal: Deal, outcome: Outcome, name: str) -> None:
    st.markdown(f"**{_said(deal, outcome, name)}.** Is that the result at the table?")
    sure = result(outcome)
    press(desk, "Yes, confirm it", "confirm", _write, desk, deal.id, sure, loud=True)
    st.caption("If an entry is wrong, undo or correct it.")
    with st.expander("The table agreed otherwise"):
        _agree(desk, deal, name)


def _agree(desk: Desk, deal: Deal, name: str) -> None:
    view = deal.session.tracker.view
    seats = {"me": view.seat, "he": view.opponent, NOBODY: None}
    names = {"me": "you", "he": name, NOBODY: NOBODY}
    who = st.segmented_control(
        "Winner", list(seats), format_func=names.__getitem__, key="agreed-who"
    )
    n = st.segmented_control("Game points", [1, 2, 3], key="agreed-points")
    points = 0 if who == NOBODY else n
    agreed = result(Outcome(seats.get(who or NOBODY), points or 0, "as agreed"))
    ready = who is not None and points is not None
    press(desk, "Confirm this instead", "agreed", _write, desk, deal.id, agreed, ready=ready)


def _write(desk: Desk, deal: str, entry: Entry) -> None:
    if desk.once("confirm"):
        desk.enter(deal, entry)


def _next(desk: Desk, record: dict[str, Any]) -> None:
    """Set up the next deal, unless this is the second half of a double tap on the confirmation."""
    if desk.settled():
        draft.begin_from(desk, record)


def _go_on(desk: Desk, deal: Deal, outcome: Outcome, name: str) -> None:
    rules, match = deal.session.record.rules, match_before(deal)
    st.markdown(f"**{_said(deal, outcome, name)}.**")
    if match is not None:
        after = match.after(outcome, rules)
        me, he = deal.session.tracker.view.seat, deal.session.tracker.view.opponent
        line = f"Match: you {after.score[me]} : {after.score[he]} {name}, to {rules.target}."
        won = after.winner(rules)
        carried = " The next winner scores 1 more for each tie." if after.carry else ""
        end = "" if won is None else f" **{_winner(won, me, name)} the match.**"
        st.markdown(line + carried + end)
    press(desk, "Next deal", "next", _next, desk, next_deal(deal), loud=True)


def _winner(won: Seat, me: Seat, name: str) -> str:
    return "You win" if won == me else f"{name} wins"


def _said(deal: Deal, outcome: Outcome, name: str) -> str:
    return ending(outcome, outcome.winner == deal.session.tracker.view.seat, name)
