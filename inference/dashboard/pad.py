"""The card pad: one button a card, painted by a style sheet of its own on every run.

The buttons keep their identity whatever they mean, so a fast tap is never lost to a repaint. The
one that was tapped last is dead for a moment after its repaint: the other half of a double tap.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from inference.cards import Card, Suit, cards
from inference.dashboard.desk import Callback, Desk
from inference.dashboard.widgets import press


class Face(NamedTuple):
    """Hold how one card looks.

    `look` names a state of the style sheet, `note` is the small text below, `p` the bar's length;
    `dim` marks a card that cannot be meant, `dead` one that nobody can tap any more.
    """

    look: str
    note: str = ""
    p: float | None = None
    dim: bool = False
    dead: bool = False


LOOKS = {
    "mine": "box-shadow: inset 0 0 0 3px var(--you)",
    "known": "border: 4px double var(--he)",
    "his": "border: 4px double var(--he)",
    "upcard": "border: 3px dotted var(--ink)",
    "table": "box-shadow: inset 0 0 0 3px var(--ink)",
    "gone": "opacity: .38; text-decoration: line-through",
    "hidden": "",
    "dim": "border-style: dashed",
}
"""The frame of each state; its note says the same in a word."""


def draw(
    desk: Desk, faces: Mapping[Card, Face], trump: Suit | None, tap: Callback, *about: Any
) -> None:
    """Draw the pad, the trump suit in its first row; `tap` gets `about`, the card and its key."""
    rules = [_rule(card, face) for card, face in faces.items()]
    st.html(f"<style>{''.join(rules)}{settling(desk)}</style>")
    order = sorted(cards((1 << 24) - 1), key=lambda card: card.suit != trump)
    order = [card for card in order if card in faces]
    with (
        st.container(key="pad"),
        st.grid(len(order) // 4, wrap=False, min_column_width=40, gap="xxsmall"),
    ):
        for card in order:
            ready = not faces[card].dead
            press(desk, card.sign, key(card), tap, *about, card, key(card), ready=ready)


def key(card: Card) -> str:
    """Return the key of a card's button, which is also its style class.

    >>> key(Card.HT)
    'card-H-T'
    """
    return f"card-{card.suit.name}-{card.rank.letter}"


def settling(desk: Desk) -> str:
    """Write the style that keeps the last tapped button dead for a moment."""
    if not desk.tapped:
        return ""
    name = f"settle-{desk.n_taps}"
    return (
        f"@keyframes {name} {{from, to {{pointer-events: none}}}}"
        f".st-key-{desk.tapped} button {{animation: {name} .35s}}"
    )


def _rule(card: Card, face: Face) -> str:
    """Write the style of one card: frame, note below, and bar."""
    button = f".st-key-{key(card)} button"
    look = LOOKS["dim" if face.dim and face.look == "hidden" else face.look]
    rules = f'{button}{{{look}}}{button}::after{{content:"{face.note}"}}'
    if face.dim:  # its probability stays readable
        rules += f"{button}{{cursor: not-allowed}}{button} p{{opacity: .5}}"
    if face.p is not None:
        rules += f"{button}{{--p: {face.p:.3f}}}"
    return rules
