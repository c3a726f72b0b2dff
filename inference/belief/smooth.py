"""Look back: what the hidden hand was at each step, knowing all that was seen since.

The filter's own beliefs are enough. Given the hand after a draw, the hand before it has the
backward kernel w(before) / n_choices / w(after) (docs/math.md 5); an observation changes no hand.
Everything is a product of probabilities that are normalised at each step, so nothing underflows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inference.belief.factor import Belief, Hands, Weights, frozen, mix_of, n_choices


class Step(NamedTuple):
    """Record a belief and how it came out of the one before.

    `pool` set: by `draw(…, pool)` alone. Otherwise by any observations and then, where `out` or
    `into` is set, `replace(…, out, into)`. The first step holds the prior.
    """

    belief: Belief
    out: int = 0
    into: int = 0
    pool: int = 0


class Path(NamedTuple):
    """Hold one hand a step, the style they go with, and P(hands and style | all that was seen)."""

    hands: tuple[int, ...]
    style: int
    p: Any


def smooth(steps: Sequence[Step]) -> tuple[Belief, ...]:
    """Return for each step the belief about the hand at that step, given all steps.

    Its evidence is that of the last step, so that the styles too are weighed by all that was seen.
    """
    last = steps[-1].belief
    smoothed = [last]
    for before, step in zip(steps[-2::-1], steps[:0:-1], strict=True):
        hands, weights = _look_back(before.belief, step, smoothed[-1])
        smoothed.append(frozen(hands, weights, last.evidence, last.log_evidence))
    return tuple(reversed(smoothed))


def _look_back(before: Belief, step: Step, later: Belief) -> tuple[Hands, Weights]:
    if step.pool:
        return _before_draw(before, step, later)
    return later.hands ^ np.uint32(step.out | step.into), later.weights


def _before_draw(before: Belief, step: Step, later: Belief) -> tuple[Hands, Weights]:
    p_later = np.zeros_like(step.belief.weights)
    p_later[np.searchsorted(step.belief.hands, later.hands)] = later.weights
    weights = np.zeros_like(before.weights)
    for rows, drawn, kernel in _kernels(before, step):
        weights[rows] += kernel * p_later[drawn]
    kept = (weights > 0).any(axis=1)
    return before.hands[kept], weights[kept]


def _kernels(
    before: Belief, step: Step
) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Weights]]:
    """Yield for each card that may have been drawn: rows before, rows after, P(before | after).

    The highest card comes first: of the hands before that lead to one hand after, the lowest mask.
    """
    share = before.weights / n_choices(before.hands, step.pool)
    after = np.where(step.belief.weights > 0, step.belief.weights, 1)
    for bit in reversed(range(step.pool.bit_length())):
        card = np.uint32(step.pool & 1 << bit)
        rows = np.flatnonzero((before.hands & card) == 0)
        if card and len(rows):
            drawn = np.searchsorted(step.belief.hands, before.hands[rows] | card)
            yield rows, drawn, share[rows] / after[drawn]


def most_likely_path(steps: Sequence[Step], style_weights: npt.ArrayLike | None = None) -> Path:
    """Return the single most probable sequence of hands, one a step, with its style (Viterbi).

    Among equally probable ones it is that with the lowest masks, the last step counting first, then
    the one before; then the first style. Floats are equal if they agree to about 12 digits.
    `style_weights` [z] are the styles' probabilities after the last step; without them, those that
    follow from the prior.
    """
    last = steps[-1].belief
    best, parents = np.ones_like(steps[0].belief.weights), []
    for before, step in pairwise(steps):
        follow = _follow_draw if step.pool else _follow_move
        best, parent = follow(before.belief, step, best)
        parents.append(parent)
    joint = last.weights * best * mix_of(last, style_weights)
    equal = np.argmax(joint * _slack(joint) >= joint.max())
    row, style = (int(i) for i in np.unravel_index(equal, joint.shape))
    return Path(_trace(steps, parents, row, style), style, joint[row, style])


def _slack(weights: Weights) -> Any:
    """Return the factor within which two products count as equal; fractions are exact."""
    return 1 if weights.dtype == object else 1 + 1e-12


def _follow_move(before: Belief, step: Step, best: Weights) -> tuple[Weights, npt.NDArray[np.intp]]:
    rows = np.searchsorted(before.hands, step.belief.hands ^ np.uint32(step.out | step.into))
    return best[rows], np.repeat(rows[:, None], best.shape[1], axis=1)


def _follow_draw(before: Belief, step: Step, best: Weights) -> tuple[Weights, npt.NDArray[np.intp]]:
    reached = np.zeros_like(step.belief.weights)
    parent = np.zeros(reached.shape, dtype=np.intp)
    for rows, drawn, kernel in _kernels(before, step):
        p = kernel * best[rows]
        better = p > reached[drawn] * _slack(reached)
        parent[drawn] = np.where(better, rows[:, None], parent[drawn])
        reached[drawn] = np.where(better, p, reached[drawn])
    return reached, parent


def _trace(
    steps: Sequence[Step], parents: list[npt.NDArray[np.intp]], row: int, style: int
) -> tuple[int, ...]:
    hands = [int(steps[-1].belief.hands[row])]
    for step, parent in zip(steps[-2::-1], reversed(parents), strict=True):
        row = int(parent[row, style])
        hands.append(int(step.belief.hands[row]))
    return tuple(reversed(hands))
