"""Figures of many readings: how much was read, from what, and whether it can be believed.

Intervals are bootstraps over sessions: the ten deals of a player are drawn together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference.reports import ALARMING
from inference.study import calibration as c
from inference.workshop.pool import FAMILIES, HELD_OUT
from inference.workshop.pool_reading import Read
from inference.workshop.reading import CARRIED, COUNTING, EVENTS, FRESH, Reading, joined
from inference.workshop.statistics import bootstrap, by_group

Values = npt.NDArray[np.float64]

PURPOSEFUL = tuple(family for family in FAMILIES if family != "random")
STAGES = ((0, 0), (1, 2), (3, 5), (6, 9))
"""First and last number of the deals of a session that are taken together."""
FEW = 1000
"""The slope of fewer cards is not held to a mark."""
LEAST_BITS = 0.05
"""Where the true policy gives less there is nothing to have a share of."""
SEED = 0
"""Of the bootstraps."""


class Gain(NamedTuple):
    """Hold the bits a decision over counting, or another: mean in a deal, then over the deals.

    `other` and `model` are the mean log2 of the true hand's probability.
    """

    n_deals: int
    other: float
    model: float
    gain: float
    interval: tuple[float, float]


def only(reads: Sequence[Read], wanted: Callable[[Read], bool]) -> list[Read]:
    """Return the readings that are wanted and have a decision."""
    return [read for read in reads if wanted(read) and len(read.reading.bits)]


def gain(reads: Sequence[Read], column: int = FRESH, over: int = COUNTING) -> Gain | None:
    """Return the gain of some readings, by a column over another; None without a decision."""
    seen = only(reads, lambda read: True)
    if not seen:
        return None
    bits = np.array([read.reading.bits.mean(axis=0) for read in seen])
    gains = bits[:, column] - bits[:, over]
    sums = by_group(gains, [read.session for read in seen])
    interval = bootstrap(*sums, np.random.default_rng(SEED))
    means = float(bits[:, over].mean()), float(bits[:, column].mean())
    return Gain(len(seen), *means, float(gains.mean()), interval)


def by_family(
    reads: Sequence[Read],
    column: int = FRESH,
    wanted: Callable[[Read], bool] = lambda read: True,
    over: int = COUNTING,
) -> dict[str, Gain | None]:
    """Return the gain for each family."""
    return {
        family: gain([r for r in reads if r.family == family and wanted(r)], column, over)
        for family in FAMILIES
    }


class Row(NamedTuple):
    """Hold the bits of one kind of decisions or events: how many, a time, a deal."""

    label: str
    n: int
    bits: float
    a_deal: float


def by_event(reads: Sequence[Read]) -> list[Row]:
    """Return what each kind of event told beyond counting."""
    whole = joined([read.reading for read in reads])
    rows = []
    for i, label in enumerate(EVENTS):
        bits = whole.gained[whole.event == i]
        if len(bits):
            rows.append(Row(label, len(bits), float(bits.mean()), float(bits.sum() / len(reads))))
    return rows


def by_decision(reads: Sequence[Read], what: str) -> list[tuple[int, int, Values]]:
    """Return for each `trick` or `talon`: n, and the mean log2 [3] of the true hand."""
    whole = joined([read.reading for read in reads])
    labels = getattr(whole, what)
    return [
        (int(k), int((labels == k).sum()), whole.bits[labels == k, : CARRIED + 1].mean(axis=0))
        for k in np.unique(labels)
    ]


class Share(NamedTuple):
    """Hold the bits that the true policy gives, and the share of them that a model finds.

    `fresh` and `carried` are shares of `true`; the interval is that of `carried`.
    """

    n_deals: int
    true: float
    fresh: float
    carried: float
    interval: tuple[float, float]


def kind(read: Read) -> str:
    """Name the kind of player that a mark is set for."""
    if not read.soft:
        return "sure"
    return "soft, held out" if read.family in HELD_OUT else "soft, fitted"


def share(reads: Sequence[Read]) -> Share | None:
    """Return the share over the readings with the true policy; None if there is none."""
    asked = only(reads, lambda read: not np.isnan(read.true_bits))
    true = np.array([read.true_bits - read.reading.bits[:, COUNTING].mean() for read in asked])
    if true.sum() <= LEAST_BITS * len(asked):
        return None
    gains = np.array([r.reading.gain for r in asked])
    fresh, carried = gains.sum(axis=0) / true.sum()
    interval = bootstrap(gains[:, 1], true, np.random.default_rng(SEED))
    return Share(len(asked), float(true.mean()), float(fresh), float(carried), interval)


class Kept(NamedTuple):
    """Hold how well the probabilities of cards are kept: see `calibration`."""

    n: int
    murphy: c.Murphy
    ece: float
    perfect: float
    slope: float


def kept(reads: Sequence[Read], column: int = FRESH) -> Kept:
    """Return the calibration, card by card, of some readings."""
    whole = joined([read.reading for read in reads])
    p, held = np.clip(whole.p[:, column], 0, 1), whole.held
    perfect = c.ece(p, whole.drawn[:, column])
    return Kept(len(p), c.murphy(p, held), c.ece(p, held), perfect, c.slope(p, held))


def cards_at(reading: Reading, what: str) -> npt.NDArray[np.int8]:
    """Return for each card the `trick` or `talon` of its decision."""
    return np.repeat(getattr(reading, what), reading.n_cards)


def warned(reads: Sequence[Read]) -> tuple[int, int]:
    """Count the deals in which the page would have warned, fresh and carried."""
    fresh, carried = (joined([read.reading for read in reads]).chance >= ALARMING).sum(axis=0)
    return int(fresh), int(carried)


def slopes(reads: Sequence[Read]) -> Iterator[tuple[int, int, float, float]]:
    """Yield for each trick: cards, and the slope of the model, fresh and carried."""
    whole = joined([read.reading for read in reads])
    at = cards_at(whole, "trick")
    for trick in np.unique(at):
        here = at == trick
        p, held = whole.p[here], whole.held[here]
        fresh, carried = (c.slope(p[:, column], held) for column in (FRESH, CARRIED))
        yield int(trick), int(here.sum()), fresh, carried


def briers(reads: Sequence[Read], talons: Sequence[int]) -> tuple[int, Values]:
    """Return the cards at decisions with such talons, and their Brier score [3] by each column."""
    whole = joined([read.reading for read in reads])
    here = np.isin(cards_at(whole, "talon"), talons)
    wrong = (whole.p[here] - whole.held[here, None]) ** 2
    return len(wrong), wrong.sum(axis=0) / max(1, len(wrong))
