"""Ranked actions as values, and the statistics behind their order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from inference.game.equity import PAYOFFS
from inference.game.events import Action, Kind

Values = npt.NDArray[np.float64]
Stakes = tuple[float, ...]
"""My probability to win the match after each payoff of this deal (game/equity.py)."""
HASTE = (Kind.CLAIM, Kind.ANNOUNCE, Kind.EXCHANGE, Kind.PLAY, Kind.CLOSE, Kind.DRAW)
"""Of equal actions the one that takes what is sure comes first, closing and silence last."""
CLEAR = 3.0
"""Standard errors by which an action must lead to be settled."""


class Option(NamedTuple):
    """Hold one action with its expected game points, win probability and reason.

    `margin` is the lead over the next action (for the best) or the lag behind the best (for the
    others), `tied` tells that 0 is in the 95 % interval of the difference, and `noise` is its
    standard error. `p_match` is the probability to win the match where the score counts;
    margin and tie then speak of it.
    """

    action: Action
    value: float
    p_win: float
    stderr: float
    margin: float
    tied: bool
    reason: str = ""
    noise: float = 0.0
    p_match: float | None = None

    @property
    def gap(self) -> str:
        """Write the margin with its unit."""
        if self.p_match is None:
            return f"{self.margin:.2f} game points"
        return f"{100 * self.margin:.1f} % of matches"


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
                    **({} if option.p_match is None else {"p_match": option.p_match}),
                }
                for option in self.options
            ],
        }


class Sample(NamedTuple):
    """Hold the values of my actions [n, a] in worlds of weight [n]; `whole` if it is all of them.

    A value counts game points won minus lost; `wins` [n, a] is the probability to win the deal.
    Where the match counts, not the game points, `match` [n, a] is the probability to win it.
    """

    values: Values
    wins: Values
    weights: Values
    whole: bool
    match: Values | None = None

    @property
    def aims(self) -> Values:
        """Return what counts [n, a]: the probability to win the match, else the game points."""
        return self.values if self.match is None else self.match

    def settled(self) -> bool:
        """Tell whether one action leads all others by over three standard errors."""
        weights = self.weights / self.weights.sum()
        best = int((weights @ self.values).argmax())
        gaps = self.values[:, [best]] - np.delete(self.values, best, axis=1)
        return all(weights @ gap > CLEAR * _stderr(weights, gap) for gap in gaps.T)


def chances(values: Values, stakes: Stakes) -> Values:
    """Return the probability to win the match after whole game points, of any shape.

    Worlds are solved for game points. As stakes do not fall (ties that carry over apart), the
    utility of a minimax value is the minimax of the utility, so the values serve the match.
    """
    return np.interp(values, PAYOFFS, stakes)


def rank(actions: list[Action], sample: Sample) -> tuple[Option, ...]:
    """Order actions by what counts, then game points, the probability to win, and haste."""
    weights = sample.weights / sample.weights.sum()
    means = [weights @ column for column in (sample.aims, sample.values, sample.wins)]

    def merit(i: int) -> tuple[float, float, float, int, int]:
        aim, value, win = (-round(mean[i], 9) for mean in means)
        return aim, value, win, HASTE.index(actions[i].kind), i

    order = sorted(range(len(actions)), key=merit)
    return tuple(_option(actions, sample, weights, order, place) for place in range(len(order)))


def _option(
    actions: list[Action], sample: Sample, weights: Values, order: list[int], place: int
) -> Option:
    """Compare the action at a place of the order with the best, or the best with the second."""
    i = order[place]
    rival = order[0] if place else order[min(1, len(order) - 1)]
    column, aims = sample.values[:, i], sample.aims
    ahead = aims[:, i] - aims[:, rival]
    gap = abs(float(weights @ ahead))
    noise = 0.0 if sample.whole else _stderr(weights, ahead)
    doubt = 0.0 if sample.whole else _width(weights) * noise
    return Option(
        actions[i],
        round(float(weights @ column), 12) + 0.0,
        min(1.0, round(float(weights @ sample.wins[:, i]), 12)),
        0.0 if sample.whole else _stderr(weights, column),
        gap,
        len(order) > 1 and gap <= max(doubt, 1e-9),
        noise=noise,
        p_match=None if sample.match is None else float(weights @ aims[:, i]),
    )


def _width(weights: Values) -> float:
    """Return how many standard errors a 95 % interval reaches (Student 1908): few worlds, more.

    >>> round(_width(np.full(6, 1 / 6)), 2), round(_width(np.full(600, 1 / 600)), 2)
    (2.57, 1.96)
    """
    n = 1.0 / float(weights @ weights)
    return float(stdtrit(n - 1.0, 0.975)) if n > 1.0 else np.inf


def _stderr(weights: Values, column: Values) -> float:
    """Return the standard error of a weighted mean (1 world tells nothing: the full range)."""
    n = 1.0 / float(weights @ weights)
    if n <= 1.0:
        return 3.0
    spread = float(weights @ (column - weights @ column) ** 2)
    return float(np.sqrt(spread / (n - 1.0)))
