"""Actions and events as values: what a hand may choose, and what the table sees."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from inference.cards import SUIT_LETTERS, Card, Seat, show


class Kind(StrEnum):
    """Name the kinds of events; the value is the mark in the text form."""

    PLAY = "play"
    ANNOUNCE = "*"
    EXCHANGE = "x"
    CLOSE = "c"
    CLAIM = "!"
    DRAW = "+"
    KNOWN = "="
    AGAINST = "~"
    GIVE_UP = "/"
    ABANDON = "z"
    REVOKE = "r"
    BID = "b"
    TRUMP = "#"
    WIDOW = "w"


MOON = -1
"""The bid of all tricks, in `Action.number`."""


class Action(NamedTuple):
    """Hold what one seat does, without the seat.

    `card` belongs to plays and seen draws, `mask` to cards that become known or the widow,
    `number` to a bid (0 passes) or the suit that is named trump.

    >>> str(Action(Kind.ANNOUNCE, Card.HK))
    'KH*'
    """

    kind: Kind
    card: Card | None = None
    mask: int = 0
    number: int = 0

    def __str__(self) -> str:
        match self.kind:
            case Kind.PLAY:
                return str(self.card)
            case Kind.ANNOUNCE | Kind.AGAINST:
                return f"{self.card}{self.kind}"
            case Kind.DRAW:
                return "+" if self.card is None else f"+{self.card}"
            case Kind.KNOWN | Kind.WIDOW:
                return f"{self.kind}{show(self.mask).replace(' ', '')}"
            case Kind.BID:
                return {0: "b-", MOON: "bm"}.get(self.number, f"b{self.number}")
            case Kind.TRUMP:
                return f"#{SUIT_LETTERS[self.number]}"
        return str(self.kind.value)


class Event(NamedTuple):
    """Hold an action with the seat that did it.

    >>> str(Event(Seat.N, Action(Kind.PLAY, Card.HK)))
    'N:KH'
    """

    seat: Seat
    action: Action

    def __str__(self) -> str:
        return f"{self.seat}:{self.action}"


EXCHANGE = Action(Kind.EXCHANGE)
CLOSE = Action(Kind.CLOSE)
CLAIM = Action(Kind.CLAIM)
UNSEEN_DRAW = Action(Kind.DRAW)


def play(card: Card) -> Action:
    """Return the action that plays a card."""
    return Action(Kind.PLAY, card)


def announce(card: Card) -> Action:
    """Return the action that leads from a marriage and announces it."""
    return Action(Kind.ANNOUNCE, card)
