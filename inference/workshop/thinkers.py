"""Players who search as programs do: open cards in drawn worlds, or a tree over what they see.

They take every hand that the cards leave possible to be as likely as any other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from inference import belief as bayes
from inference.advice.searched import Search
from inference.game.events import Action
from inference.game.position import View
from inference.solve import layout as m
from inference.solve import solver
from inference.solve.encode import action_column
from inference.workshop.ismcts import ALONE
from inference.workshop.search import Values, draw_world, weighed

Judge = Callable[["Thinker", View, list[Action], np.random.Generator], Values]

MOST_NODES = 400_000
"""After so many positions searched a solver asks for no further world."""
TABLE_BITS = 14


class Thinker(NamedTuple):
    """Hold how much one player searches, and how it chooses from what it found."""

    family: str
    effort: int
    """Worlds solved, or walks of the tree."""
    wobble: float
    """Scale of the noise on the mean game points; 0 takes the best."""
    ties: float
    """Which of equals it takes: over 0 the first of its list, below 0 the last."""
    obvious: bool
    """It exchanges whenever it can, without any search."""
    slips: float

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""
        judge = partial(self._found, view, rng)
        return weighed(view, max(self.wobble, 1e-5), self.slips, self.obvious, judge)

    def _found(self, view: View, rng: np.random.Generator, actions: list[Action]) -> Values:
        found = JUDGES[self.family](self, view, actions, rng)
        return np.asarray(found - self.ties * np.arange(len(actions)))


def solver_of(family: str, rng: np.random.Generator) -> Thinker:
    """Draw a player who solves worlds with open cards."""
    return _drawn(family, int(rng.integers(2, 13)), rng)


def walker(family: str, rng: np.random.Generator) -> Thinker:
    """Draw a player who walks a tree."""
    return _drawn(family, int(10 ** rng.uniform(1.7, 3.3)), rng)


def _drawn(family: str, effort: int, rng: np.random.Generator) -> Thinker:
    return Thinker(
        family,
        effort,
        wobble=float(rng.choice((0.0, 0.0, 0.05, 0.15, 0.4))),
        ties=float(rng.choice((1e-3, -1e-3))),
        obvious=bool(rng.random() < 0.5),
        slips=float(rng.choice((0.0, 0.0, 0.05))),
    )


def _by_worlds(who: Thinker, view: View, actions: list[Action], rng: np.random.Generator) -> Values:
    """Return the mean open-card game points of each action over some worlds."""
    columns, mem = [action_column(action) for action in actions], solver.memory(TABLE_BITS)
    total, done = np.zeros(len(columns)), 0
    while done == 0 or (done < who.effort and mem[m.NODES] < MOST_NODES):
        world = draw_world(view, rng)[None]
        total += solver.world_values(view.public.rules, world, view.seat, mem)[0, columns]
        done += 1
    return total / done


def _by_tree(who: Thinker, view: View, actions: list[Action], rng: np.random.Generator) -> Values:
    """Return the share of the walks that each action drew, in game points' scale."""
    public = view.public
    belief = bayes.prior(view.unseen, public.held[view.opponent], public.known[view.opponent])
    search = Search(view, belief, actions, ALONE, int(rng.integers(2**31)))
    search.walk(who.effort)
    children = search.tree.children[0]
    visits = (search.tree.visits[children] * (children > 0))[[action_column(a) for a in actions]]
    return np.asarray(visits / max(1, visits.sum()))


JUDGES: dict[str, Judge] = {"solver": _by_worlds, "walker": _by_tree}
