"""Pure card counting: 1 if legal, else 0; the baseline that reads nothing into a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from inference.cards import Seat
from inference.errors import ModelError
from inference.game.state import PublicState
from inference.opponents import Hands, Probabilities
from inference.solve.legality import legal_matrix, other_matrix


class Counting(NamedTuple):
    """Rule out the hands that could not have done what was seen, and no others.

    Its rows are no probabilities, so its evidence must not be compared with that of other models.
    """

    name: str = "counting"
    styles: tuple[str, ...] = ()
    shares: tuple[float, ...] = (1.0,)
    chance: int | None = None

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return 1 for legal actions and 0 for others, float64[n, N_ACTIONS]."""
        legal = legal_matrix if seat == public.to_act else other_matrix
        return legal(public, hands).astype(np.float64)

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return 1 for the hands that allow the action and 0 for others, float64[n]."""
        return self.policy(public, seat, hands)[:, column]


def build(parameters: Mapping[str, Any]) -> Counting:
    """Return the model; raise ModelError if there are parameters."""
    if parameters.keys() != {"model"}:
        raise ModelError("The model 'counting' has no parameters: its file may only name it.")
    return Counting()
