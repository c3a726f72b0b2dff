"""Choices as rows of features, and how likely a conditional logit makes them (with its gradient).

What is fitted reads them: the styles of the workshop, from hands that are known, and the weights of
one player, from hands that he may have held.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import inference.solve.encode as e
from inference.cards import Seat
from inference.game.state import PublicState
from inference.opponents import solved
from inference.opponents.features import N_FEATURES, N_SEEN, table
from inference.opponents.logit import decision

Values = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

N_WEIGHTS = 2 * N_FEATURES
PRIOR_SD = 4.0
"""Spread of the normal prior of every weight of a style."""


class Row(NamedTuple):
    """Hold one choice: features [k, n_features] of what could be done, and which was chosen."""

    unit: int
    strict: bool
    x: npt.NDArray[np.float32]
    chosen: int


class Choices(NamedTuple):
    """Hold choices in phase order: `x` [rows, n_features], a row for each action of each choice.

    Of each choice [n]: where its rows start, the row that was chosen, the unit it belongs to;
    `n_open` of the choices and `open_rows` of the rows belong to the open phase.
    """

    x: npt.NDArray[np.float32]
    starts: Whole
    chosen: Whole
    units: Whole
    n_open: int
    open_rows: int

    @property
    def sizes(self) -> Whole:
        """Return the number of actions of each choice."""
        return np.diff(np.append(self.starts, len(self.x)))


def row(public: PublicState, seat: Seat, hand: int, column: int, unit: int = 0) -> Row | None:
    """Return what a seat chose with a hand, by the column of its action.

    None if the hand left no choice, or could not have done this.
    """
    state = decision(public, seat)
    if state is None:
        return None
    state[e.HANDS + seat] = hand
    x, seen = np.zeros((e.N_ACTIONS, N_FEATURES)), np.zeros((e.N_ACTIONS, N_SEEN))
    bits = table(state, e.encode_rules(public.rules), seen)
    told = solved.look(state, public.rules, np.array([hand], dtype=np.uint32))
    x[:, :N_SEEN] = seen
    if told is not None:
        x[:, N_SEEN:] = told[0]
    columns = [c for c in range(e.N_ACTIONS) if bits >> c & 1]
    if len(columns) < 2 or column not in columns:
        return None
    return Row(unit, public.strict, x[columns].astype(np.float32), columns.index(column))


def collect(rows: Iterable[Row]) -> Choices:
    """Put rows in one table, the open phase first; otherwise they keep their order."""
    every = sorted(rows, key=lambda row: row.strict)
    sizes = np.array([len(row.x) for row in every])
    starts = np.cumsum(sizes) - sizes
    n_open = sum(not row.strict for row in every)
    return Choices(
        np.concatenate([row.x for row in every]),
        starts,
        starts + np.array([row.chosen for row in every]),
        np.array([row.unit for row in every]),
        n_open,
        int(sizes[:n_open].sum()),
    )


def softmax(choices: Choices, weights: Values) -> Values:
    """Return the softmax probability of every row, float64[rows]."""
    w, cut = weights.astype(np.float32).reshape(2, -1), choices.open_rows
    u = np.concatenate([choices.x[:cut] @ w[0], choices.x[cut:] @ w[1]]).astype(float)
    u -= np.repeat(np.maximum.reduceat(u, choices.starts), choices.sizes)
    p = np.exp(u)
    return np.asarray(p / np.repeat(np.add.reduceat(p, choices.starts), choices.sizes))


def log_p(choices: Choices, weights: Values, epsilon: float) -> Values:
    """Return the log-probability of what was chosen, float64[n]."""
    p = softmax(choices, weights)[choices.chosen]
    return np.asarray(np.log((1 - epsilon) * p + epsilon / choices.sizes))


def loss(
    parameters: Values,
    choices: Choices,
    r: Values,
    centre: Values | float = 0.0,
    sd: float = PRIOR_SD,
) -> tuple[float, Values]:
    """Return the penalised negative log-likelihood, choices weighed by r [n], and its gradient.

    `parameters` are the weights and, last, epsilon; `centre` and `sd` are the weights' prior.
    """
    weights, epsilon = parameters[:-1], parameters[-1]
    every = softmax(choices, weights)
    p = every[choices.chosen]
    whole = (1 - epsilon) * p + epsilon / choices.sizes
    pull = r * (1 - epsilon) * p / whole
    slopes = -np.repeat(pull, choices.sizes) * every
    slopes[choices.chosen] += pull
    cut, small = choices.open_rows, slopes.astype(np.float32)
    gradient = np.concatenate([small[:cut] @ choices.x[:cut], small[cut:] @ choices.x[cut:]])
    by_noise = (r * (1 / choices.sizes - p) / whole).sum()
    apart = weights - centre
    value = -(r * np.log(whole)).sum() + (apart**2).sum() / (2 * sd**2)
    return value, np.append(apart / sd**2 - gradient, -by_noise)
