"""Fit the styles of the opponent model: a mixture of conditional logits, by EM over deals.

The unit is a seat in a deal: one player, one style. Its own hand is known here, so every choice it
had is a row of features; what it did not do (exchange, announce, close) stands among its choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

import inference.solve.encode as e
from inference.cards import Seat
from inference.game.events import Event, Kind
from inference.game.position import Position
from inference.game.record import Record
from inference.game.replay import opening, positions
from inference.game.state import SEATS, other
from inference.opponents import solved
from inference.opponents.features import N_FEATURES, N_SEEN, table
from inference.opponents.logit import decision

Values = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

N_WEIGHTS = 2 * N_FEATURES
PRIOR_SD = 4.0
"""Spread of the normal prior of every weight."""
LEAST_NOISE, MOST_NOISE = 0.005, 0.6
"""Bounds of epsilon."""
N_ROUNDS, N_STEPS, ENOUGH = 30, 8, 2e-3
"""EM rounds and L-BFGS steps in each; it ends when a unit gains less than this."""
LEAST = 0.02
"""A unit that belongs to a style with less than this tells next to nothing of it."""


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


class Fit(NamedTuple):
    """Hold a mixture: weights [z, 2 * n_features], epsilon [z], shares [z + 1], log-likelihoods.

    The last share is that of the random player; `log_likelihoods` has the mean of a unit after
    each round of EM.
    """

    weights: Values
    epsilon: Values
    shares: Values
    log_likelihoods: list[float]


# -- from records to choices -----------------------------------------------------------------------


def decisions(record: Record) -> Iterator[tuple[Position, Seat, int]]:
    """Yield each choice in a complete record: the position, the seat and the column it took."""
    before = opening(record)
    for event, after in positions(record):
        if not before.public.over:
            yield from _choices_at(before, event)
        before = after


def _choices_at(before: Position, event: Event) -> Iterator[tuple[Position, Seat, int]]:
    if event.action.kind not in _CHOSEN:
        return
    public, column = before.public, e.action_column(event.action)
    if event.action.kind == Kind.DRAW:
        if len(public.to_draw) == len(SEATS) and event.seat == public.leader:
            yield before, public.leader, e.COLUMN_SILENCE
        return
    if event.seat != public.to_act:
        yield before, event.seat, column
        return
    if before.other_actions():
        yield before, other(event.seat), e.COLUMN_SILENCE
    yield before, event.seat, column


_CHOSEN = {Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE, Kind.CLOSE, Kind.CLAIM, Kind.DRAW}


def rows(record: Record) -> list[Row]:
    """Return every real choice in a complete record; its unit is the seat."""
    found = []
    for position, seat, column in decisions(record):
        state = decision(position.public, seat)
        if state is None:
            continue
        state[e.HANDS + seat] = position.hands[seat]
        x, hand = np.zeros((e.N_ACTIONS, N_FEATURES)), state[[e.HANDS + seat]].astype(np.uint32)
        seen = np.zeros((e.N_ACTIONS, N_SEEN))
        bits = table(state, e.encode_rules(record.rules), seen)
        told = solved.look(state, record.rules, hand)
        x[:, :N_SEEN] = seen
        if told is not None:
            x[:, N_SEEN:] = told[0]
        columns = [c for c in range(e.N_ACTIONS) if bits >> c & 1]
        if len(columns) > 1:
            strict, chosen = position.public.strict, columns.index(column)
            found.append(Row(seat, strict, x[columns].astype(np.float32), chosen))
    return found


def gather(deals: Sequence[list[Row]]) -> Choices:
    """Put the choices of many deals in one table; unit 2 * deal + seat."""
    every = [row._replace(unit=2 * i + row.unit) for i, deal in enumerate(deals) for row in deal]
    every.sort(key=lambda row: row.strict)
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


# -- one style -------------------------------------------------------------------------------------


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


def loss(parameters: Values, choices: Choices, r: Values) -> tuple[float, Values]:
    """Return the penalised negative log-likelihood, choices weighed by r [n], and its gradient.

    `parameters` are the weights and, last, epsilon.
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
    value = -(r * np.log(whole)).sum() + (weights**2).sum() / (2 * PRIOR_SD**2)
    return value, np.append(weights / PRIOR_SD**2 - gradient, -by_noise)


def of_weight(choices: Choices, r: Values, least: float = LEAST) -> tuple[Choices, Values]:
    """Return the choices that weigh at least so much, and their weights."""
    kept = r >= least
    rows, sizes = np.repeat(kept, choices.sizes), choices.sizes[kept]
    starts, cut = np.cumsum(sizes) - sizes, int(kept[: choices.n_open].sum())
    some = Choices(
        choices.x[rows],
        starts,
        starts + (choices.chosen - choices.starts)[kept],
        choices.units[kept],
        cut,
        int(sizes[:cut].sum()),
    )
    return some, r[kept]


def fit_style(choices: Choices, r: Values, start: Values, steps: int = N_STEPS) -> Values:
    """Return the parameters of a style, improved from `start` by some steps of L-BFGS."""
    if not len(r):
        return start
    bounds = [*((None, None) for _ in range(N_WEIGHTS)), (LEAST_NOISE, MOST_NOISE)]
    found = minimize(
        loss, start, (choices, r), "L-BFGS-B", jac=True, bounds=bounds, options={"maxiter": steps}
    )
    return np.asarray(found.x)


# -- the mixture -----------------------------------------------------------------------------------


def log_joint(fit: Fit, choices: Choices, n_units: int) -> Values:
    """Return log P(style, all choices of a unit), float64[n_units, z + 1]."""
    styles = zip(fit.weights, fit.epsilon, strict=True)
    each = [log_p(choices, weights, epsilon) for weights, epsilon in styles]
    each.append(-np.log(choices.sizes))  # the random player
    sums = [np.bincount(choices.units, one, n_units) for one in each]
    return np.asarray(np.stack(sums, axis=1) + np.log(fit.shares))


def posterior(joint: Values) -> Values:
    """Return P(style | all choices of a unit) from `log_joint`, float64[n_units, z + 1]."""
    return np.asarray(np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)))


def em(choices: Choices, groups: Whole, n_styles: int, rng: np.random.Generator) -> Fit:
    """Fit `n_styles` styles and the share of the random player.

    `groups` [n_units] name the player of each unit: to begin with, each player is given to one
    style at random.
    """
    first = rng.integers(n_styles, size=groups.max() + 1)
    r = np.full((len(groups), n_styles + 1), 0.1 / (n_styles + 1))
    r[np.arange(len(groups)), first[groups]] += 0.9
    fit = Fit(np.zeros((n_styles, N_WEIGHTS)), np.full(n_styles, 0.05), r.mean(axis=0), [])
    while not _settled(fit.log_likelihoods):
        fit = _improved(fit, choices, r)
        joint = log_joint(fit, choices, len(groups))
        r = posterior(joint)
        fit.log_likelihoods.append(float(np.logaddexp.reduce(joint, axis=1).mean()))
    return fit


def _settled(seen: list[float]) -> bool:
    return len(seen) >= N_ROUNDS or (len(seen) > 1 and seen[-1] - seen[-2] < ENOUGH)


def _improved(fit: Fit, choices: Choices, r: Values) -> Fit:
    """Do the M-step: each style's parameters, and the shares with one unit more for each."""
    starts = np.column_stack([fit.weights, fit.epsilon])
    parts = (of_weight(choices, r[choices.units, z]) for z in range(len(starts)))
    found = np.array([fit_style(*part, start) for part, start in zip(parts, starts, strict=True)])
    shares = (r.sum(axis=0) + 1) / (len(r) + r.shape[1])
    return Fit(found[:, :-1], found[:, -1], shares, fit.log_likelihoods)
