"""The published information-set tree search as a player: both seats try what serves them best."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from inference.advice.ismcts import Guide
from inference.advice.searched import Search
from inference.belief import Belief
from inference.game.events import Action
from inference.game.position import View
from inference.solve.encode import column_action
from inference.workshop.effort import Effort

CHUNK = 250
"""Walks between two looks at the clock."""
ALONE = Guide(np.zeros((2, 1)), 0.0, follows=0)
"""No policy: he tries what is worst for me."""


def best(
    view: View, belief: Belief, actions: list[Action], rng: np.random.Generator, effort: Effort
) -> Action:
    """Return the most visited of my actions; the effort counts walks, and some are made anyway."""
    started = perf_counter()
    search = Search(view, belief, actions, ALONE, int(rng.integers(2**31)))
    while search.n == 0 or not effort.spent(search.n, started):
        search.walk(CHUNK if effort.seconds is not None else min(CHUNK, effort.worlds - search.n))
    children = search.tree.children[0]
    visits = search.tree.visits[children] * (children > 0)
    return column_action(int(visits.argmax()))
