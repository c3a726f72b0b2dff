"""The random player: each legal action is equally likely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from inference.cards import Seat
from inference.errors import ModelError
from inference.game.state import PublicState
from inference.opponents import Hands, Probabilities
from inference.opponents.counting import Counting


class Uniform(NamedTuple):
    """Choose among the legal actions at random; a hand with fewer of them explains one better."""

    name: str = "uniform"
    styles: tuple[str, ...] = ()
    shares: tuple[float, ...] = (1.0,)
    chance: int | None = None

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return 1 / n_legal for legal actions and 0 for others, float64[n, N_ACTIONS]."""
        legal = Counting().policy(public, seat, hands)
        n_legal = legal.sum(axis=1, keepdims=True)
        p: Probabilities = np.divide(legal, n_legal, where=n_legal > 0, out=legal)
        return p

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return 1 / n_legal for the hands that allow the action and 0 for others, float64[n]."""
        return self.policy(public, seat, hands)[:, column]


def build(parameters: Mapping[str, Any]) -> Uniform:
    """Return the model; raise ModelError if there are parameters."""
    if parameters.keys() != {"model"}:
        raise ModelError("The model 'uniform' has no parameters: its file may only name it.")
    return Uniform()
