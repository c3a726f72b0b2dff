"""The form of a position in the middle of a deal: what the cards alone do not tell."""

from __future__ import annotations

import streamlit as st

from inference.cards import Suit
from inference.dashboard import draft
from inference.dashboard.desk import Desk
from inference.dashboard.widgets import choose, number
from inference.game.rules import Rules

SETS = {"mine": "my card", "gone": "gone", "upcard": "upcard", "his": "his, known"}
SUITS = {suit.name: suit.sign for suit in Suit}
CLOSERS = {"": "open", "S": "I closed", "N": "Opponent closed"}


def tapping(desk: Desk) -> None:
    """Draw the choice of what a tap on the pad means."""
    choose(desk, "tapped", SETS, "mine", "A tap marks")
    st.caption("Set up a moment at which somebody is about to lead; what is led comes afterwards.")


def form(desk: Desk, rules: Rules) -> None:
    """Draw the numbers of a position."""
    if draft.upcard(desk.draft) is None:
        choose(desk, "trump", SUITS, "S", "Trump, if the talon is gone")
    with st.container(key="numbers"):
        for key, label, most in (("points", "points", 120), ("tricks", "tricks", rules.hand * 2)):
            with st.container(horizontal=True):
                number(desk, f"{key}-S", f"My {label}", most)
                number(desk, f"{key}-N", f"Opponent's {label}", most)
        with st.expander("Pending marriages, closing"):
            with st.container(horizontal=True):
                number(desk, "pending-S", "My pending points", 40)
                number(desk, "pending-N", "Opponent's pending points", 40)
            choose(desk, "closed", CLOSERS, "", "Talon")
            with st.container(horizontal=True):
                number(desk, "closed-points", "Other side's points at the close", 120)
                number(desk, "closed-tricks", "and tricks", 12)
