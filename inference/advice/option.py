"""Ranked actions as values, and the statistics behind their order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inference.game.events import Action, Kind

Values = npt.NDArray[np.float64]
CLEAR = 3.0
"""Standard errors by which an action must lead to be settled."""
HASTE = (Kind.CLAIM, Kind.ANNOUNCE, Kind.EXCHANGE, Kind.PLAY, Kind.CLOSE)
"""Of equal actions the one that takes what is sure comes first, and closing last."""


class Option(NamedTuple):
    """Hold one action with its expected game points, win probability and reason.

    `margin` is the lead over the next action (for the best) or the lag behind the best (for the
    others), `tied` tells that the two differ by no more than two standard errors.
    """

    action: Action
    value: float
    p_win: float
    stderr: float
    margin: float
    tied: bool
    reason: str = ""


class Advice(NamedTuple):
    """Hold my actions, best first, with the method and the number of worlds behind them."""

    method: str
    n_worlds: int
    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        """Return the suggested action."""
        return self.options[0]

    def to_json(self) -> dict[str, Any]:
        """Return the object that the command line prints."""
        return {
            "best": str(self.best.action),
            "method": self.method,
            "actions": [
                {
                    "action": str(option.action),
                    "value": option.value,
                    "p_win": option.p_win,
                    "stderr": option.stderr,
                    "reason": option.reason,
                }
                for option in self.options
            ],
        }


class Sample(NamedTuple):
    """Hold the values of my actions [n, a] in worlds of weight [n]; `whole` if it is all of them.

    A value counts game points won minus lost; `wins` [n, a] is the probability to win the deal.
    """

    values: Values
    wins: Values
    weights: Values
    whole: bool

    def settled(self) -> bool:
        """Tell whether one action leads all others by over three standard errors."""
        weights = self.weights / self.weights.sum()
        best = int((weights @ self.values).argmax())
        gaps = self.values[:, [best]] - np.delete(self.values, best, axis=1)
        return all(weights @ gap > CLEAR * _stderr(weights, gap) for gap in gaps.T)


def rank(actions: list[Action], sample: Sample) -> tuple[Option, ...]:
    """Order actions by expected game points, then by the probability to win, then by haste."""
    weights = sample.weights / sample.weights.sum()
    values, wins = weights @ sample.values, weights @ sample.wins

    def merit(i: int) -> tuple[float, float, int, int]:
        return -round(values[i], 9), -round(wins[i], 9), HASTE.index(actions[i].kind), i

    order = sorted(range(len(actions)), key=merit)
    return tuple(_option(actions, sample, weights, order, place) for place in range(len(order)))


def _option(
    actions: list[Action], sample: Sample, weights: Values, order: list[int], place: int
) -> Option:
    """Compare the action at a place of the order with the best, or the best with the second."""
    i = order[place]
    rival = order[0] if place else order[min(1, len(order) - 1)]
    column, other = sample.values[:, i], sample.values[:, rival]
    gap = abs(float(weights @ (column - other)))
    noise = 0.0 if sample.whole else _stderr(weights, column - other)
    return Option(
        actions[i],
        round(float(weights @ column), 12) + 0.0,
        min(1.0, round(float(weights @ sample.wins[:, i]), 12)),
        0.0 if sample.whole else _stderr(weights, column),
        gap,
        len(order) > 1 and gap <= max(2 * noise, 1e-9),
    )


def _stderr(weights: Values, column: Values) -> float:
    """Return the standard error of a weighted mean (1 world tells nothing: the full range)."""
    n = 1.0 / float(weights @ weights)
    if n <= 1.0:
        return 3.0
    spread = float(weights @ (column - weights @ column) ** 2)
    return float(np.sqrt(spread / (n - 1.0)))
