"""What reading a player is worth in play: advice with inference against the same advice without.

Two advisors, alike but for their belief, take the same seat with the same cards against the same
player of the pool, and then the other seat. The difference of what they win is a figure in which
the luck of the cards and the strength of the advice cancel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr  # scipy.stats alone takes a second to import

from inference.cards import Seat
from inference.game.events import Action
from inference.game.position import Position
from inference.game.rules import Rules
from inference.game.state import SEATS
from inference.spread import spread
from inference.tracker import Tracker
from inference.workshop import players, pool
from inference.workshop.contest import play_out
from inference.workshop.players import Player
from inference.workshop.pool import FAMILIES
from inference.workshop.statistics import holm

BASELINE = "counting"
N_WORLDS = 12
"""Worlds an advisor looks at: few, as both look at as many."""


class Value(NamedTuple):
    """Hold the game points a deal that inference brings against one family.

    `without` is what advice without inference wins a deal, `p_value` that of the t-test over
    pairs on both sides, adjusted for the number of families.
    """

    family: str
    n_pairs: int
    without: float
    value: float
    stderr: float
    p_value: float


def in_play(
    rules: Sequence[Rules], n_pairs: int, model: str, seed: int, jobs: int = 1
) -> list[Value]:
    """Play `n_pairs` duplicate pairs against each family; whether it means anything, by Holm."""
    work = partial(pair, rules, model, seed)
    pieces = [(family, k) for k in range(n_pairs) for family in FAMILIES]
    return summary(dict(zip(pieces, spread(work, pieces, jobs, "pairs"), strict=True)))


def summary(pairs: dict[tuple[str, int], tuple[float, float]]) -> list[Value]:
    """Sum up pairs, which hold what advice with and without inference won."""
    found = [_family(family, pairs) for family in FAMILIES]
    adjusted = holm([one.p_value for one in found])
    return [one._replace(p_value=p) for one, p in zip(found, adjusted, strict=True)]


def _family(family: str, pairs: dict[tuple[str, int], tuple[float, float]]) -> Value:
    won = np.array([both for (name, _), both in pairs.items() if name == family])
    gains = won[:, 0] - won[:, 1]
    moved = len(gains) > 1 and gains.std() > 0
    p_value = student(gains) if moved else 1.0
    stderr = float(gains.std(ddof=1) / np.sqrt(len(gains))) if moved else 0.0
    means = float(won[:, 1].mean()), float(gains.mean())
    return Value(family, len(gains), *means, stderr, p_value)


def pair(
    rules: Sequence[Rules], model: str, seed: int, piece: tuple[str, int]
) -> tuple[float, float]:
    """Return the mean game points of both seats, with inference and without."""
    family, number = piece
    key = [seed, FAMILIES.index(family), number]
    rng = np.random.default_rng(key)
    he = pool.player(family, int(rng.integers(2**31)), seed)
    start = Position.deal(rules[number % len(rules)], SEATS[number // len(rules) % 2], rng)
    with_, without = (_mean(start, name, he, key) for name in (model, BASELINE))
    return with_, without


def _mean(start: Position, model: str, he: pool.Stranger, key: list[int]) -> float:
    me = players.load(f"advisor:{N_WORLDS}")._replace(model=model)
    him = Player(BASELINE, partial(_pick, he))
    at_s = play_out(start, (me, him), key)[Seat.S]
    at_n = play_out(start, (him, me), key)[Seat.N]
    return (at_s + at_n) / 2


def _pick(he: pool.Stranger, tracker: Tracker, rng: np.random.Generator) -> Action:
    chances = he.chances(tracker.view, rng)
    actions, p = list(chances), np.array(list(chances.values()))
    return actions[int(rng.choice(len(p), p=p / p.sum()))]


def student(gains: npt.NDArray[np.float64]) -> float:
    """Return the two-sided p-value that a mean differs from 0 (Student 1908).

    >>> round(student(np.array([1.0, 2.0, 0.0, 3.0])), 4)
    0.1027
    """
    n = len(gains)
    t = gains.mean() / (gains.std(ddof=1) / np.sqrt(n))
    return float(2.0 * stdtr(n - 1, -abs(t)))
