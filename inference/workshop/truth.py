"""The best reader of a player: the filter that is given the player's own policy.

Nobody can know more of a hand than what Bayes makes of the true policy; how many of its bits a
model finds is the measure of the model. Slow: the player is asked about every hand it may hold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inference.cards import Seat
from inference.game.position import View
from inference.game.state import PublicState
from inference.opponents import Hands, Probabilities
from inference.solve.encode import N_ACTIONS, action_column
from inference.solve.legality import legal_matrix, other_matrix
from inference.workshop.pool import Stranger

OPEN = (
    "random",
    "careless",
    "greedy",
    "hoarder",
    "puller",
    "closer",
    "careful",
    "ducker",
    "soft",
    "club",
)
"""The families whose chances follow from the view alone; others search, and draw lots for it."""


class Truth(NamedTuple):
    """Hold a player of an open family as a model of itself: its likelihoods are its chances."""

    player: Stranger
    name: str = "truth"
    styles: tuple[str, ...] = ()
    shares: tuple[float, ...] = (1.0,)
    chance: int | None = None

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return P(action | hand), float64[n, N_ACTIONS]."""
        p = np.zeros((len(hands), N_ACTIONS))
        rng = np.random.default_rng(0)  # open families never ask it
        for row, hand in zip(p, hands.tolist(), strict=True):
            for action, chance in self.player.chances(View(public, seat, hand), rng).items():
                row[action_column(action)] = chance
        return p

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return P(one action | hand), float64[n]; hands that the rules forbid are not asked."""
        legal = legal_matrix if seat == public.to_act else other_matrix
        allowed = np.flatnonzero(legal(public, hands)[:, column])
        p = np.zeros(len(hands))
        p[allowed] = self.policy(public, seat, hands[allowed])[:, column]
        return p
