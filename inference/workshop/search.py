"""Players who search: the worlds they think possible, and how they choose from what they found."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from inference.cards import cards, mask_of
from inference.game.events import CLAIM, EXCHANGE, UNSEEN_DRAW, Action
from inference.game.position import View
from inference.solve.encode import action_column, encode
from inference.solve.solver import memory, world_values

Values = npt.NDArray[np.float64]

N_WORLDS = 6


def weighed(
    view: View, scale: float, slips: float, obvious: bool, judge: Callable[[list[Action]], Values]
) -> dict[Action, float]:
    """Return the probability of each legal action of a player who judges them by a search.

    He claims, and draws where he stands beside, without any; if it is `obvious`, he exchanges so
    too. `scale` is the spread of the noise on what he finds.
    """
    actions = view.legal_actions()
    if view.public.to_act != view.seat:
        actions.append(UNSEEN_DRAW)  # the sign of silence
    urgent = [a for a in (CLAIM, EXCHANGE, UNSEEN_DRAW) if a in actions]
    first = next((a for a in urgent if obvious or a != EXCHANGE), None)
    if len(actions) > 1 and first is None:
        likes = judge(actions)
    else:
        likes = np.array([100.0 * (action == first) for action in actions])
    p = np.exp((likes - likes.max()) / scale)
    p = (1 - slips) * p / p.sum() + slips / len(actions)
    return dict(zip(actions, p.tolist(), strict=True))


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
