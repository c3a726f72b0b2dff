"""The review page: a past deal step by step, with what was known, believed, played and lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from inference.archive import Shown
from inference.cards import Card, cards
from inference.dashboard import board, charts, door, panels, past, remarks
from inference.dashboard.desk import Desk
from inference.dashboard.past import Past
from inference.dashboard.widgets import press
from inference.dashboard.words import card_html, entry_label, percent, pretty
from inference.study.replay import Picture, Step

HERE = Path(__file__)
MEASURES = {"then": "believed then", "counted": "only counted", "hindsight": "with hindsight"}


def page() -> None:
    """Draw the deal that the address names."""
    with door.past() as desk:
        address = st.query_params.get("g")
        if not address:
            st.info("Choose a deal in the list.")
            st.page_link(HERE.with_name("deals.py"), label="To the list of deals")
            return
        desk.past = past.load(desk.store, address, desk.past)
        _draw(desk, desk.past)


def _draw(desk: Desk, deal: Past) -> None:
    step = deal.replay.step(_place(deal))
    with st.container(key="review"):
        with st.container(key="seen"):
            _seen(desk, deal, step)
        with st.container(key="judged"):
            said = st.empty()
            decision, lists = st.empty(), st.empty()
            _cards(deal, step)
            remarks.draw(desk, deal)
    _judged(desk, deal, step, decision, lists)
    if not deal.done:
        for what in deal.work():
            said.caption(f"{what} …")
        st.rerun()


def _place(deal: Past) -> int:
    """Return the step that is shown: the address names it at first, then the slider."""
    deal_of = st.session_state.get("step-of")
    if deal_of != deal.stamp[0] or "step" not in st.session_state:
        told = st.query_params.get("at", "")
        st.session_state["step-of"] = deal.stamp[0]
        st.session_state["step"] = min(int(told), deal.replay.n) if told.isdecimal() else 0
    return min(int(st.session_state["step"]), deal.replay.n)


def _go(deal: Past, number: int) -> None:
    st.session_state["step"] = max(0, min(deal.replay.n, number))


# -- the moment ------------------------------------------------------------------------------------


def _seen(desk: Desk, deal: Past, step: Step) -> None:
    """Draw the position and what was known of it."""
    tracker = deal.replay.trackers[step.number]
    st.html(panels.status(tracker, deal.name, deal.replay.record.match))
    _scrubber(desk, deal, step)
    n = deal.replay.n
    following = deal.replay.step(step.number + 1).text if step.number < n else ""
    st.html(board.moment(step, n, following, deal.name))
    measure = st.segmented_control(
        "Probabilities",
        list(MEASURES),
        format_func=MEASURES.__getitem__,
        default="then",
        key="measure",
        required=True,
        label_visibility="collapsed",
        width="stretch",
    )
    picture, judged = _picture(deal, step, measure or "then"), deal.at(step.number)
    st.html(board.board(tracker, step, picture, None if judged is None else judged.best.card))
    if step.number in deal.shown and measure == "then":
        st.caption(_as_shown(deal.shown[step.number]))
    with st.expander("Likeliest hands"):
        st.html(board.thought(picture, step.truth))


def _as_shown(then: Shown) -> str:
    """Say that this is what the page showed at the table, with what it suggested."""
    best = "" if then.advice is None else f"; suggested then: {pretty(str(then.advice['best']))}"
    return f"As it was shown at the table (engine {then.engine}){best}"


def _picture(deal: Past, step: Step, measure: str) -> Picture | None:
    seen = {"then": deal.then(step), "counted": step.counted, "hindsight": step.hindsight}
    return seen[measure]


def _scrubber(desk: Desk, deal: Past, step: Step) -> None:
    n, t = deal.replay.n, step.number
    with st.container(key="scrub"):
        with st.container(horizontal=True, wrap=False):
            for label, to, key in (("⇤", 0, "Home"), ("←", t - 1, "Left"), ("→", t + 1, "Right")):
                press(desk, label, f"go-{key}", _go, deal, to, ready=0 <= to <= n, shortcut=key)
            press(desk, "⇥", "go-End", _go, deal, n, shortcut="End")
            later = [one.number for one in deal.slips() if one.number > t]
            to = min(later or [one.number for one in deal.slips()], default=t)
            press(desk, "▼ slip", "go-slip", _go, deal, to, ready=bool(deal.slips()), shortcut="N")
        if n:
            st.slider("Event", 0, n, key="step", label_visibility="collapsed")


# -- the judgement ---------------------------------------------------------------------------------


def _judged(desk: Desk, deal: Past, step: Step, decision: Any, lists: Any) -> None:
    """Fill in what the decision cost, the mistakes of the deal, and the account of its result."""
    with decision.container():
        waiting = not deal.done and deal.at(step.number) is None
        judged = "" if waiting else board.verdict(deal.at(step.number))
        st.html(judged or '<div class="verdict"><p class="quiet">thinking …</p></div>')
    with lists.container(), st.container(key="slips"):
        if deal.done:
            _slips(desk, deal)
        if len(deal.line) > deal.replay.n:
            st.caption("Your chance to win the deal, in %, after each event; ▼ are slips")
            chart = charts.win_line(deal.line, deal.slips(), step.number)
            last = percent(deal.line[step.number].p_win)
            st.altair_chart(chart, alt=f"Chance to win at this step: {last} %", key="line")
        if deal.parts is not None:
            st.html(board.account(deal.parts, deal.name))


def _slips(desk: Desk, deal: Past) -> None:
    slips, n = deal.slips(), len(deal.mine)
    lost = sum(one.charged for one in deal.mine)
    best = sum(not one.charged for one in deal.mine)
    st.markdown(f"**{best} of {n} decisions right, {lost:.2f} game points lost.**")
    for place, one in enumerate(slips[:5]):
        event = deal.replay.events[one.number]
        who = "you" if event.seat == deal.seat else deal.name
        label = f"−{one.charged:.2f} at {entry_label(one.number + 1, event, who)}"
        press(desk, label, f"slip-{place}", _go, deal, one.number)
    if not deal.thorough:
        press(desk, "Judge with ten times the care", "thorough", _thorough, desk, deal)


def _thorough(desk: Desk, deal: Past) -> None:
    desk.past = Past(deal.stamp, deal.replay, deal.name, deal.shown, thorough=True)


def _cards(deal: Past, step: Step) -> None:
    """Draw the belief about one card over the deal."""
    with st.expander("One card over the deal"):
        unseen = cards(deal.replay.trackers[0].view.unseen)
        names = {str(card): card for card in unseen}
        chosen = st.pills(
            "Card",
            list(names),
            format_func=lambda name: names[name].sign,
            default=next(iter(names), None),
            key="card",
            label_visibility="collapsed",
        )
        if chosen:
            card: Card = names[chosen]
            then, later = deal.replay.over_time(card), deal.replay.over_time(card, True)
            st.html(f"Chance that {deal.name} held {card_html(card)}, in %")
            alt = f"{card}: now {percent(then[step.number] or 0.0)} %"
            st.altair_chart(charts.belief_line(then, later, step.number), alt=alt, key="one-card")


if __name__ == "__main__":
    page()
