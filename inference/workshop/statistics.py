"""Say how far a figure would move by chance, and which of several are more than chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
N_RESAMPLES, AT_ONCE = 2000, 50


def bootstrap(top: Values, bottom: Values, rng: np.random.Generator) -> tuple[float, float]:
    """Return the 95 % interval of sum(top) / sum(bottom) over resampled rows.

    A row is what is drawn together: a deal, or all deals of a player. With `bottom` 1 the figure is
    a mean.
    """
    n, found = len(top), []
    for _ in range(N_RESAMPLES // AT_ONCE):
        drawn = rng.integers(n, size=(AT_ONCE, n))
        found.append(top[drawn].sum(axis=1) / bottom[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(found), (0.025, 0.975))
    return float(low), float(high)


def by_group(values: Values, groups: Sequence[int]) -> tuple[Values, Values]:
    """Return the sum and the number of the values of each group, for `bootstrap`.

    >>> [x.tolist() for x in by_group(np.array([1.0, 2.0, 4.0]), [7, 9, 9])]
    [[1.0, 6.0], [1.0, 2.0]]
    """
    index = np.unique(groups, return_inverse=True)[1]
    sums = np.zeros(int(index.max(initial=-1)) + 1)
    np.add.at(sums, index, values)
    return sums, np.bincount(index).astype(np.float64)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number, so that all statements hold together (Holm 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p, adjusted, largest = np.array(p_values), np.zeros(len(p_values)), 0.0
    for rank, i in enumerate(np.argsort(p, kind="stable")):
        largest = max(largest, min(1.0, float((len(p) - rank) * p[i])))
        adjusted[i] = largest
    return [float(one) for one in adjusted]


def pooled(figures: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the mean of independent figures, each with its standard error, and its own.

    >>> pooled([(1.0, 0.3), (3.0, 0.4)])
    (2.0, 0.25)
    """
    means, errors = np.array(figures).T
    return float(means.mean()), float(np.linalg.norm(errors) / len(errors))
