"""What follows from the cards when a position in the middle of a deal is set up by hand."""

from __future__ import annotations

from typing import Any

from inference.cards import SUIT_LETTERS, Card, Suit, show
from inference.game.rules import Rules


def complete(
    rules: Rules, hand: int, gone: int, upcard: Card | None, trump: Suit
) -> dict[str, Any]:
    """Return the cards' part of a record's `start`: hand, unseen, trump, upcard and talon.

    What is neither in my hand nor gone nor the upcard is unseen, and what two hands and the tricks
    leave of the pack is the talon. `trump` counts where no upcard says it.

    >>> from inference.cards import parse_hand
    >>> hand, gone = parse_hand("AS KS AH"), parse_hand("9S JS QS TS 9H JH QH KH TH 9D JD QD")
    >>> start = complete(Rules(), hand, gone | parse_hand("9C JC QC KC TC AC"), None, Suit.H)
    >>> start["unseen"], start["talon"]
    ('AD TD KD', 0)
    """
    up = 0 if upcard is None else upcard.mask
    return {
        "hand": show(hand),
        "unseen": show(rules.pack & ~(hand | gone | up)),
        "trump": SUIT_LETTERS[trump if upcard is None else upcard.suit],
        "upcard": None if upcard is None else str(upcard),
        "talon": max(rules.cards - 2 * hand.bit_count() - gone.bit_count(), 0),
    }
