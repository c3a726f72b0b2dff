"""The truth of a deal, and what one seat knows of it.

`Position` and `View` are thin wrappers around `PublicState`, which holds every rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from inference.cards import Card, Seat, cards, mask_of
from inference.game.events import Action, Event, Kind
from inference.game.rules import Rules
from inference.game.state import SEATS, PublicState, other


class Shuffler(Protocol):
    """Name what a source of randomness must offer; `random.Random` and numpy's generators do."""

    def shuffle(self, x: Any, /) -> None:
        """Shuffle a list in place."""


class Position(NamedTuple):
    """Hold a deal with all cards known; the talon is in draw order, the upcard last."""

    public: PublicState
    hands: tuple[int, int]
    talon: tuple[Card, ...]

    @classmethod
    def deal(cls, rules: Rules, leader: Seat, rng: Shuffler) -> Position:
        """Deal a shuffled pack.

        >>> import random
        >>> position = Position.deal(Rules(), Seat.N, random.Random(1))
        >>> len(position.talon), len(position.legal_actions()) >= 6
        (12, True)
        """
        pack = cards(rules.pack)
        rng.shuffle(pack)
        n = rules.hand
        return cls.of(rules, leader, (pack[:n], pack[n : 2 * n]), pack[2 * n :])

    @classmethod
    def of(
        cls,
        rules: Rules,
        leader: Seat,
        hands: tuple[Iterable[Card], Iterable[Card]],
        talon: Iterable[Card],
    ) -> Position:
        """Set up a deal from the hands of S and N and the talon, upcard last."""
        stock = tuple(talon)
        public = PublicState.deal(rules, leader, stock[-1])
        return cls(public, (mask_of(hands[0]), mask_of(hands[1])), stock)

    def legal_actions(self) -> list[Action]:
        """List the actions of the seat to act; a due round of drawing is the action `+`."""
        return self.public.legal_actions(self.hands[self.public.to_act])

    def other_actions(self) -> list[Action]:
        """List the actions of the seat that is not to act (docs/rules.md 8.4)."""
        return self.public.other_actions(self.hands[other(self.public.to_act)])

    def play(self, action: Action, seat: Seat | None = None) -> Position:
        """Return the position after a legal action; `+` is the whole round of drawing."""
        seat = self.public.to_act if seat is None else seat
        if action.kind == Kind.DRAW:
            return self._draw_round()
        public = self.public.after(Event(seat, action))
        hand, talon = self.hands[seat], self.talon
        if action.kind == Kind.EXCHANGE:
            low = self.public.low_trump
            hand, talon = hand & ~low.mask | talon[-1].mask, (*talon[:-1], low)
        elif public.played != self.public.played:
            hand &= ~public.played
        return Position(public, _put(self.hands, seat, hand), talon)

    def _draw_round(self) -> Position:
        position = self
        for seat in self.public.to_draw:
            card, *rest = position.talon
            public = position.public.after(Event(seat, Action(Kind.DRAW, card)))
            hands = _put(position.hands, seat, position.hands[seat] | card.mask)
            position = Position(public, hands, tuple(rest))
        return position

    def drawn(self) -> tuple[Event, ...]:
        """Return the events of the due round of drawing, the trick's winner first."""
        due = zip(self.public.to_draw, self.talon, strict=False)
        return tuple(Event(seat, Action(Kind.DRAW, card)) for seat, card in due)

    def view(self, seat: Seat) -> View:
        """Return what one seat knows."""
        return View(self.public, seat, self.hands[seat])


class View(NamedTuple):
    """Hold the information set of one seat: the public facts and its own hand."""

    public: PublicState
    seat: Seat
    hand: int

    @property
    def opponent(self) -> Seat:
        """Return the other seat."""
        return other(self.seat)

    @property
    def unseen(self) -> int:
        """Return the mask of the opponent's hand and the face-down talon together."""
        up = 0 if self.public.upcard is None else self.public.upcard.mask
        return self.public.rules.pack & ~(self.public.played | self.hand | up)

    @property
    def n_hidden(self) -> int:
        """Return the number of face-down talon cards."""
        return max(self.public.talon - 1, 0)

    @property
    def draw_due(self) -> bool:
        """Tell whether this seat must enter a drawn card before play goes on."""
        return self.seat in self.public.to_draw

    @property
    def takes_upcard(self) -> bool:
        """Tell whether this seat's due draw is the upcard, which needs no entry."""
        due = self.public.to_draw
        return self.draw_due and self.public.talon == due.index(self.seat) + 1

    def legal_actions(self) -> list[Action]:
        """List what this seat may do: as the one to act, or beside him (8.2 to 8.4)."""
        if self.public.to_act == self.seat:
            return self.public.legal_actions(self.hand)
        return self.public.other_actions(self.hand)

    def after(self, event: Event) -> View:
        """Return the view after an event that is known to be legal."""
        public, hand = self.public.after(event), self.hand
        if event.seat == self.seat:
            hand &= ~public.played
            if event.action.kind == Kind.DRAW and event.action.card is not None:
                hand |= event.action.card.mask
            elif event.action.kind == Kind.EXCHANGE and self.public.upcard is not None:
                hand = hand & ~self.public.low_trump.mask | self.public.upcard.mask
        return View(public, self.seat, hand)

    def determine(self, hand: int, talon: Iterable[Card]) -> Position:
        """Return the position in which the opponent holds `hand` and the talon lies so.

        `talon` lists the face-down cards in draw order; the upcard is added.
        """
        up = () if self.public.upcard is None else (self.public.upcard,)
        hands = (self.hand, hand) if self.seat == Seat.S else (hand, self.hand)
        return Position(self.public, hands, (*talon, *up))


def _put(hands: tuple[int, int], seat: Seat, hand: int) -> tuple[int, int]:
    return (hand, hands[1]) if seat == Seat.S else (hands[0], hand)


__all__ = ["SEATS", "Position", "View"]
