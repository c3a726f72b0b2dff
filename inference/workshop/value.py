"""What reading a player is worth in play: advice with inference against the same advice without.

Two advisors, alike but for their belief, take the same seat with the same cards against the same
player of the pool, and then the other seat. The difference of what they win is a figure in which
the luck of the cards and the strength of the advice cancel. They meet him for some deals in turn,
and the one that reads him keeps what it learnt of his style, as at a table where he has a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr  # scipy.stats alone takes a second to import

from inference import opponents
from inference.cards import Seat
from inference.game.events import Action
from inference.game.position import Position
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents import Model, regime
from inference.opponents.regime import Values
from inference.spread import spread
from inference.tracker import Tracker
from inference.workshop import players, pool
from inference.workshop.contest import Mind, let_play
from inference.workshop.players import Player
from inference.workshop.pool import FAMILIES
from inference.workshop.statistics import holm

BASELINE = "counting"
N_WORLDS = 12
"""Worlds an advisor looks at: few, as both look at as many."""
IN_TURN = 5
"""Pairs that are played against one player in turn: he is seen in twice as many deals."""


class Value(NamedTuple):
    """Hold the game points a deal that inference brings against one family.

    `without` is what advice without inference wins a deal; `stderr` and `p_value`, that of the
    t-test on both sides, are over sessions, and the latter is adjusted for the number of families.
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
    """Play `n_pairs` duplicate pairs or more against each family, in whole sessions."""
    work = partial(session, rules, model, seed)
    pieces = [(family, k) for k in range(-(-n_pairs // IN_TURN)) for family in FAMILIES]
    return summary(dict(zip(pieces, spread(work, pieces, jobs, "sessions"), strict=True)))


def summary(sessions: dict[tuple[str, int], tuple[float, float]]) -> list[Value]:
    """Sum up sessions, which hold what a deal with and without inference won on average."""
    found = [_family(family, sessions) for family in FAMILIES]
    adjusted = holm([one.p_value for one in found])
    return [one._replace(p_value=p) for one, p in zip(found, adjusted, strict=True)]


def _family(family: str, sessions: dict[tuple[str, int], tuple[float, float]]) -> Value:
    won = np.array([both for (name, _), both in sessions.items() if name == family])
    gains = won[:, 0] - won[:, 1]
    moved = len(gains) > 1 and gains.std() > 0
    p_value = student(gains) if moved else 1.0
    stderr = float(gains.std(ddof=1) / np.sqrt(len(gains))) if moved else 0.0
    means = float(won[:, 1].mean()), float(gains.mean())
    return Value(family, IN_TURN * len(gains), *means, stderr, p_value)


def session(
    rules: Sequence[Rules], model: str, seed: int, piece: tuple[str, int]
) -> tuple[float, float]:
    """Return the mean game points a deal of `IN_TURN` pairs, with inference and without."""
    family, number = piece
    key = [seed, FAMILIES.index(family), number]
    he = pool.player(family, int(np.random.default_rng(key).integers(2**31)), seed)
    one = rules[number % len(rules)]
    with_, without = (_mean(one, name, he, key) for name in (model, BASELINE))
    return with_, without


def _mean(rules: Rules, model: str, he: pool.Stranger, key: list[int]) -> float:
    me, him = players.load(f"advisor:{N_WORLDS}"), Player(BASELINE, partial(_pick, he))
    loaded, seen, won = opponents.load(model), list[Values](), 0
    for k in range(IN_TURN):
        own = [*key, k]
        start = Position.deal(rules, SEATS[k % len(SEATS)], np.random.default_rng(own))
        for seat in SEATS:
            knowing = _knowing(model, loaded, seen)
            mine = Mind(me, start.view(seat), own, knowing)
            minds = [mine, Mind(him, start.view(other(seat)), own)]
            won += let_play(start, minds if seat == Seat.S else minds[::-1])[seat]
            seen.append(mine.tracker.belief.log_evidence - np.log(knowing.shares))
    return won / (2 * IN_TURN)


def _knowing(name: str, model: Model, seen: Sequence[Values]) -> Model:
    """Return the model with the shares that follow from the log-evidences of deals before."""
    if not model.styles:
        return model
    shares = regime.load(model).predict(seen)
    return opponents.load(name, dict(zip(model.styles, shares.tolist(), strict=True)))


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
