"""What a player finds who solves some worlds that he thinks possible."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from inference.cards import cards, mask_of
from inference.game.events import Action
from inference.game.position import View
from inference.solve.encode import action_column, encode
from inference.solve.solver import memory, world_values

N_WORLDS = 6


@cache
def _workspace() -> npt.NDArray[np.int64]:
    return memory(16)


def searched(view: View, actions: list[Action], rng: np.random.Generator) -> list[float]:
    """Return the mean game points of each action over worlds drawn evenly; others are left out.

    Only the seat to act can be asked. The worlds fit what the view makes certain and no more.
    """
    states = np.array([draw_world(view, rng) for _ in range(N_WORLDS)])
    values = world_values(view.public.rules, states, view.seat, _workspace())
    return [float(values[:, action_column(action)].mean()) for action in actions]


def draw_world(view: View, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return a world that fits what a view makes certain, int64[STATE_SIZE]."""
    known = view.public.known[view.opponent]
    hidden = cards(view.unseen & ~known)
    order = [hidden[i] for i in rng.permutation(len(hidden))]
    n = view.public.held[view.opponent] - known.bit_count()
    position = view.determine(known | mask_of(order[:n]), order[n:])
    return encode(position.public, position.hands, position.talon)
