"""Fit the styles of the opponent model: a mixture of conditional logits, by EM over deals.

The unit is a seat in a deal: one player, one style. Its own hand is known here, so every choice it
had is a row of features; what it did not do (exchange, announce, close) stands among its choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

import inference.solve.encode as e
from inference.cards import Seat
from inference.game.events import Event, Kind
from inference.game.position import Position
from inference.game.record import Record
from inference.game.replay import opening, positions
from inference.game.state import SEATS, other
from inference.opponents.choices import (
    N_WEIGHTS,
    Choices,
    Row,
    Values,
    Whole,
    collect,
    log_p,
    loss,
    row,
)

LEAST_NOISE, MOST_NOISE = 0.005, 0.6
"""Bounds of epsilon."""
N_ROUNDS, N_STEPS, ENOUGH = 30, 8, 2e-3
"""EM rounds and L-BFGS steps in each; it ends when a unit gains less than this."""
LEAST = 0.02
"""A unit that belongs to a style with less than this tells next to nothing of it."""


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
    found = (
        row(position.public, seat, position.hands[seat], column, unit=seat)
        for position, seat, column in decisions(record)
    )
    return [one for one in found if one is not None]


def gather(deals: Sequence[list[Row]]) -> Choices:
    """Put the choices of many deals in one table; unit 2 * deal + seat."""
    return collect(
        one._replace(unit=2 * i + one.unit) for i, deal in enumerate(deals) for one in deal
    )


# -- one style -------------------------------------------------------------------------------------


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
