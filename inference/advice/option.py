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
UNKNOWN = 3.0
"""Standard error of what was not looked at: the whole range of a deal."""


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


class Scores(NamedTuple):
    """Hold what actions are worth: means [a] of what counts, of game points and of deals won.

    `stderr` [a] is that of the game points, `cov` [a, a] the covariance of the means of what
    counts, and `width` standard errors make a 95 % interval. What counts are the game points, or
    if `match` is set the probability to win the match. Actions are ordered by what counts, less
    `caution` standard errors where some were looked at much less than others.
    """

    aims: Values
    values: Values
    wins: Values
    stderr: Values
    cov: Values
    width: float
    match: bool = False
    caution: float = 0.0

    @property
    def merits(self) -> Values:
        """Return what orders the actions [a]."""
        return np.asarray(self.aims - self.caution * np.sqrt(np.diag(self.cov)))

    def noise(self, i: int, j: int) -> float:
        """Return the standard error of the difference between two actions."""
        return float(np.sqrt(max(0.0, self.cov[i, i] + self.cov[j, j] - 2.0 * self.cov[i, j])))

    def settled(self) -> bool:
        """Tell whether one action leads all others by over three standard errors."""
        best, n = int(self.merits.argmax()), len(self.aims)
        return all(
            self.aims[best] - self.aims[i] > CLEAR * self.noise(best, i)
            for i in range(n)
            if i != best
        )

    def beside(self, other: Scores) -> Scores:
        """Return these actions and then those that were judged apart from them."""
        n, both = len(self.aims), len(self.aims) + len(other.aims)
        cov = np.zeros((both, both))
        cov[:n, :n], cov[n:, n:] = self.cov, other.cov
        return self._replace(
            aims=np.append(self.aims, other.aims),
            values=np.append(self.values, other.values),
            wins=np.append(self.wins, other.wins),
            stderr=np.append(self.stderr, other.stderr),
            cov=cov,
            width=max(self.width, other.width),
        )


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

    def only(self, action: int) -> Sample:
        """Return the sample of one action alone."""
        match = None if self.match is None else self.match[:, [action]]
        return self._replace(
            values=self.values[:, [action]], wins=self.wins[:, [action]], match=match
        )

    def scores(self) -> Scores:
        """Return the means, with errors from the spread over worlds; the whole has none."""
        weights = self.weights / self.weights.sum()
        aims = self.values if self.match is None else self.match
        cov, spread = (_covariance(column, weights, self.whole) for column in (aims, self.values))
        stderr, width = np.sqrt(np.diag(spread)), 0.0 if self.whole else _width(weights)
        values, wins = weights @ self.values, weights @ self.wins
        return Scores(weights @ aims, values, wins, stderr, cov, width, self.match is not None)


def _covariance(columns: Values, weights: Values, whole: bool) -> Values:
    """Return the covariance of weighted means [a, a] (1 world tells nothing: the full range)."""
    n, size = 1.0 / float(weights @ weights), columns.shape[1]
    if whole:
        return np.zeros((size, size))
    if n <= 1.0:
        return np.eye(size) * UNKNOWN**2
    centred = columns - weights @ columns
    return np.asarray((centred * weights[:, None]).T @ centred / (n - 1.0))


def chances(values: Values, stakes: Stakes) -> Values:
    """Return the probability to win the match after whole game points, of any shape.

    Worlds are solved for game points. As stakes do not fall (ties that carry over apart), the
    utility of a minimax value is the minimax of the utility, so the values serve the match.
    """
    return np.interp(values, PAYOFFS, stakes)


def rank(actions: list[Action], scores: Scores) -> tuple[Option, ...]:
    """Order actions by what counts, then game points, the probability to win, and haste."""
    merits = scores.merits

    def merit(i: int) -> tuple[float, float, float, int, int]:
        aim, value, win = (-round(by[i], 9) for by in (merits, scores.values, scores.wins))
        return aim, value, win, HASTE.index(actions[i].kind), i

    order = sorted(range(len(actions)), key=merit)
    return tuple(_option(actions, scores, order, place) for place in range(len(order)))


def _option(actions: list[Action], scores: Scores, order: list[int], place: int) -> Option:
    """Compare the action at a place of the order with the best, or the best with the second."""
    i = order[place]
    rival = order[0] if place else order[min(1, len(order) - 1)]
    gap, noise = abs(float(scores.aims[i] - scores.aims[rival])), scores.noise(i, rival)
    return Option(
        actions[i],
        round(float(scores.values[i]), 12) + 0.0,
        min(1.0, round(float(scores.wins[i]), 12)),
        float(scores.stderr[i]),
        gap,
        len(order) > 1 and gap <= max(scores.width * noise if noise else 0.0, 1e-9),
        noise=noise,
        p_match=float(scores.aims[i]) if scores.match else None,
    )


def _width(weights: Values) -> float:
    """Return how many standard errors a 95 % interval reaches (Student 1908): few worlds, more.

    >>> round(_width(np.full(6, 1 / 6)), 2), round(_width(np.full(600, 1 / 600)), 2)
    (2.57, 1.96)
    """
    n = 1.0 / float(weights @ weights)
    return float(stdtrit(n - 1.0, 0.975)) if n > 1.0 else np.inf
