"""Players who reckon what an action brings on average: this trick's points, and what is spent.

They count the cards they have not seen and take the opponent to hold any of them alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inference.cards import SUIT_MASK, Card, cards
from inference.game.events import UNSEEN_DRAW, Action, Kind
from inference.game.position import View
from inference.game.state import beats


class Reckoner(NamedTuple):
    """Hold what one player reckons with; all worths are in card points."""

    family: str
    wobble: float
    """Scale of the noise on what it reckons; 0 takes the best."""
    slips: float
    spends: float
    """What it holds dear of a card's own points when it parts with it."""
    trump: float
    """What a trump is worth to it beyond its points while the talon lasts."""
    pair: float
    """What half of a marriage in hand is worth to it."""
    turn: float
    """What it is worth to be on lead."""
    fears: float
    """How likely an opponent who can beat a card does, at least."""
    closes_at: float
    """Points, with those of its trumps and aces, from which it closes."""

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""
        actions = view.legal_actions()
        if view.public.to_act != view.seat:
            actions.append(UNSEEN_DRAW)  # the sign of silence
        likes = np.array([self._like(view, action) for action in actions])
        p = np.exp((likes - likes.max()) / max(self.wobble, 1e-3))
        p = (1 - self.slips) * p / p.sum() + self.slips / len(actions)
        return dict(zip(actions, p.tolist(), strict=True))

    def _like(self, view: View, action: Action) -> float:
        match action.kind:
            case Kind.CLAIM:
                return 300.0
            case Kind.EXCHANGE:
                return 200.0
            case Kind.CLOSE:
                return 100.0 if self._promises(view) >= self.closes_at else -100.0
        if action.card is None:
            return 0.0
        worth = self._worth(view, action.card)
        if view.public.led is not None:
            return self._reply(view, action.card, view.public.led) - worth
        shown = action.kind == Kind.ANNOUNCE
        trump = action.card.suit == view.public.trump
        bonus = (40 if trump else 20) + self.pair if shown else 0.0
        return self._lead(view, action.card) - worth + bonus

    def _worth(self, view: View, card: Card) -> float:
        worth = self.spends * card.points
        if card.suit == view.public.trump and not view.public.strict:
            worth += self.trump
        if card.is_marriage and view.hand & card.mate.mask:
            worth += self.pair
        return worth

    def _reply(self, view: View, card: Card, led: Card) -> float:
        trick = led.points + card.points
        return trick + self.turn if beats(card, led, view.public.trump) else -trick

    def _lead(self, view: View, card: Card) -> float:
        """Return the mean over the cards that he may answer with, if he takes it when he can."""
        unseen = cards(view.unseen)
        if not unseen:
            return float(card.points)
        share = view.public.held[view.opponent] / len(unseen)
        beaten = [c for c in unseen if beats(c, card, view.public.trump)]
        has_one = 1 - (1 - share) ** len(beaten)
        p = has_one * min(1.0, self.fears + card.points / 10)
        lost = sum(c.points for c in beaten) / max(1, len(beaten)) + card.points + self.turn
        others = [c.points for c in unseen if c not in beaten]
        won = card.points + min(others, default=0) + self.turn
        return (1 - p) * won - p * lost

    def _promises(self, view: View) -> float:
        trumps = view.hand & SUIT_MASK[view.public.trump]
        own = sum(c.points + 6 for c in cards(trumps))
        aces = sum(14 for c in cards(view.hand & ~trumps) if c.points == 11)
        return view.public.points[view.seat] + own + aces


def reckoner(family: str, rng: np.random.Generator) -> Reckoner:
    """Draw a player."""
    return Reckoner(
        family,
        wobble=float(rng.choice((0.0, 0.0, rng.uniform(0.5, 5.0)))),
        slips=float(rng.choice((0.0, 0.0, 0.05))),
        spends=float(rng.choice((0.0, 0.5, 1.0, 1.5))),
        trump=float(rng.choice((0.0, 2.0, 6.0))),
        pair=float(rng.choice((0.0, 8.0, 15.0))),
        turn=float(rng.choice((0.0, 2.0, 5.0))),
        fears=float(rng.uniform(0.0, 1.0)),
        closes_at=float(rng.choice((60.0, 75.0, 1000.0))),
    )
