"""Measure whether probabilities are kept: of all cards given 30 %, 30 % should be held."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Held = npt.NDArray[np.bool_]

N_BINS, N_MASS_BINS = 10, 15
LEAST = 1e-9
"""A probability nearer to 0 or 1 counts as this far from it in log-odds."""


class Calibration(NamedTuple):
    """Hold how well probabilities are kept.

    `table` has a row for each of ten equal ranges of p: n, mean p, share that was held. `ece` is
    the mean distance between p and that share over 15 bins of equal mass, `perfect` the same for a
    forecaster whose p are true, `slope` the factor on the log-odds that fits best: below 1 the
    probabilities are too sure of themselves.
    """

    table: list[tuple[int, float, float]]
    ece: float
    perfect: float
    slope: float


def calibration(p: Values, held: Held, drawn: Held) -> Calibration:
    """Return the figures for probabilities, what came true, and what was drawn by them."""
    return Calibration(by_tenths(p, held), ece(p, held), ece(p, drawn), slope(p, held))


def by_tenths(p: Values, held: Held) -> list[tuple[int, float, float]]:
    """Return for ten equal ranges of p: how many cards, their mean p, the share that was held.

    >>> by_tenths(np.array([0.25, 0.25, 0.75]), np.array([True, False, True]))[2]
    (2, 0.25, 0.5)
    """
    bins = np.minimum((p * N_BINS).astype(int), N_BINS - 1)
    rows = []
    for b in range(N_BINS):
        here = bins == b
        n = int(here.sum())
        rows.append((n, float(p[here].sum() / max(n, 1)), float(held[here].sum() / max(n, 1))))
    return rows


def by_mass(p: Values, held: Held) -> list[tuple[int, float, float]]:
    """Return the same for 15 bins of equal mass, from the smallest p to the largest."""
    parts = np.array_split(np.argsort(p, kind="stable"), N_MASS_BINS)
    return [(len(i), float(p[i].mean()), float(held[i].mean())) for i in parts if len(i)]


def ece(p: Values, held: Held) -> float:
    """Return the expected calibration error over 15 bins of equal mass.

    >>> ece(np.full(30, 0.5), np.arange(30) % 2 == 0)
    0.0
    """
    return sum(n * abs(mean - share) for n, mean, share in by_mass(p, held)) / max(1, len(p))


class Murphy(NamedTuple):
    """Hold a Brier score and its parts: brier = reliability - resolution + uncertainty (+ rest).

    The rest is what bins hide: how p and what came true vary together inside a bin.
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float


def murphy(p: Values, held: Held) -> Murphy:
    """Decompose the Brier score over 15 bins of equal mass (Murphy 1973).

    >>> murphy(np.full(30, 0.5), np.arange(30) % 2 == 0)
    Murphy(brier=0.25, reliability=0.0, resolution=0.0, uncertainty=0.25)
    """
    n, mean, share = np.array(by_mass(p, held)).T
    n, rate = n / n.sum(), float(held.mean())
    return Murphy(
        brier(p, held),
        float(n @ (mean - share) ** 2),
        float(n @ (share - rate) ** 2),
        rate * (1 - rate),
    )


def brier(p: Values, held: Held) -> float:
    """Return the mean squared distance of p from what came true."""
    return float(np.mean((p - held) ** 2))


def slope(p: Values, held: Held) -> float:
    """Return the slope of the logistic regression of what was held on the log-odds of p; 1 is best.

    Newton's steps on the intercept and the slope; nan where the cards cannot tell.
    """
    x = np.clip(p, LEAST, 1 - LEAST)
    x = np.stack([np.ones_like(x), np.log(x / (1 - x))], axis=1)
    b = np.array([0.0, 1.0])
    for _ in range(20):
        q = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        curvature = (x * (q * (1 - q))[:, None]).T @ x
        if np.linalg.matrix_rank(curvature) < 2:
            return float("nan")
        step = np.linalg.solve(curvature, x.T @ (held - q))
        b = b + np.clip(step, -1, 1)
    return float(b[1])
