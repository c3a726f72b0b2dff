"""Players who try their actions out: worlds drawn evenly, each played to the end at random.

It is the plainest kind of search that programs use for games with hidden cards.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

import inference.solve.encode as e
from inference.game.events import Action
from inference.game.position import View
from inference.solve.encode import action_column, encode_rules
from inference.solve.rules_kernel import apply, legal_bits, payoff
from inference.workshop.search import Values, draw_world, weighed


class Sampler(NamedTuple):
    """Hold how much one player tries, and how it chooses from what it found."""

    family: str
    n_worlds: int
    n_playouts: int
    """Playouts of each action in each world."""
    wobble: float
    """Scale of the noise on the mean game points; 0 takes the first of the best."""
    points: float
    """What a card point counts beside a game point."""
    obvious: bool
    """It exchanges whenever it can, without trying anything."""
    slips: float

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""
        judge = partial(self._tried, view, rng)
        return weighed(view, max(self.wobble, 1e-4), self.slips, self.obvious, judge)

    def _tried(self, view: View, rng: np.random.Generator, actions: list[Action]) -> Values:
        columns = np.array([action_column(action) for action in actions], dtype=np.int64)
        worlds = np.array([draw_world(view, rng) for _ in range(self.n_worlds)])
        rules, seed = encode_rules(view.public.rules), int(rng.integers(1, 2**62))
        tried = tried_out(worlds, rules, columns, view.seat, self.n_playouts, self.points, seed)
        return np.asarray(tried - 1e-3 * np.arange(len(columns)))


def sampler(family: str, rng: np.random.Generator) -> Sampler:
    """Draw a player."""
    return Sampler(
        family,
        n_worlds=int(rng.integers(8, 20)),
        n_playouts=int(rng.integers(2, 8)),
        wobble=float(rng.choice((0.0, 0.0, 0.05, 0.2))),
        points=float(rng.choice((0.0, 0.01, 0.03))),
        obvious=bool(rng.random() < 0.7),
        slips=float(rng.choice((0.0, 0.0, 0.05))),
    )


@njit(cache=True, nogil=True)
def tried_out(
    worlds: npt.NDArray[np.int64],
    rules: e.Vector,
    columns: e.Vector,
    seat: int,
    n_playouts: int,
    points: float,
    seed: int,
) -> Values:
    """Return the mean outcome for a seat of each action over worlds and random continuations."""
    sign, x, total = 1 - 2 * seat, seed, np.zeros(len(columns))
    for i in range(len(worlds)):
        for j in range(len(columns)):
            for _ in range(n_playouts):
                s = worlds[i].copy()
                apply(s, rules, columns[j])
                while s[e.WINNER] == e.RUNNING:
                    bits = legal_bits(s, rules)
                    if bits >> e.COLUMN_CLAIM & 1:
                        apply(s, rules, e.COLUMN_CLAIM)
                        continue
                    x ^= x << 13
                    x ^= x >> 7 & 0x1FFFFFFFFFFFFFF
                    x ^= x << 17
                    n = 0
                    for column in range(e.N_ACTIONS):
                        n += bits >> column & 1
                    pick = (x >> 16 & 0xFFFFFFFF) % n
                    for column in range(e.N_ACTIONS):
                        if bits >> column & 1:
                            if pick == 0:
                                apply(s, rules, column)
                                break
                            pick -= 1
                mine, his = s[e.POINTS + seat], s[e.POINTS + 1 - seat]
                total[j] += sign * payoff(s) + points * (mine - his)
    return total / (len(worlds) * n_playouts)
