"""Measure a model's belief on finished deals: how much more it knows than counting cards does.

Just before each decision (`reading`), a seat's belief gave the hand that the opponent really held
some probability; the gain is how many bits more that was than with the model `counting`, which
knows only what the rules make certain. It is averaged in a deal and seat, then over the seats, then
over the deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference import opponents
from inference.errors import NotationError
from inference.game.record import Record
from inference.game.state import SEATS
from inference.opponents import DEFAULT
from inference.spread import spread
from inference.study.calibration import Calibration, calibration
from inference.workshop.reading import COUNTING, FRESH, Reading, joined, read
from inference.workshop.statistics import bootstrap

Values = npt.NDArray[np.float64]
BASELINE = "counting"


class Evaluation(NamedTuple):
    """Hold the figures of many deals; the interval of the gain is a 95 % bootstrap over deals.

    `bits` are the means of the baseline and of the model, `gain` is their difference.
    """

    n_deals: int
    n_decisions: int
    bits: tuple[float, float]
    gain: float
    interval: tuple[float, float]
    calibration: Calibration


def evaluate(
    records: Sequence[Record], model: str = DEFAULT, seed: int = 0, jobs: int = 1
) -> Evaluation:
    """Score the belief of a model on complete records, from both seats, each deal by itself.

    `seed` draws the bootstrap and the perfect forecaster's hands. Raise NotationError for a record
    that does not hold all cards.
    """
    pieces = list(enumerate(records))
    deals = list(spread(partial(_numbered, model, seed), pieces, jobs, "deals"))
    return summary(deals, np.random.default_rng(seed))


def _numbered(model: str, seed: int, piece: tuple[int, Record]) -> list[Reading]:
    return score(piece[1], model, np.random.default_rng([seed, piece[0]]))


def score(record: Record, model: str, rng: np.random.Generator) -> list[Reading]:
    """Read one complete deal from both seats; raise NotationError if cards are missing."""
    if record.talon is None or None in record.hands:
        raise NotationError("only deals with both hands and the talon can be evaluated.")
    loaded = opponents.load(model)
    return [read(record, seat, loaded, rng) for seat in SEATS]


def summary(deals: Sequence[Sequence[Reading]], rng: np.random.Generator) -> Evaluation:
    """Sum up deals; the interval says how far the gain would move with other deals.

    Raise NotationError if there is no decision in any of them.
    """
    seen = [[seat for seat in deal if len(seat.bits)] for deal in deals]
    bits = np.array([_mean(deal) for deal in seen if deal])
    if not len(bits):
        raise NotationError("there is no decision to evaluate in these deals.")
    whole = joined([seat for deal in seen for seat in deal])
    gains = bits[:, FRESH] - bits[:, COUNTING]
    return Evaluation(
        len(deals),
        len(whole.bits),
        (float(bits[:, COUNTING].mean()), float(bits[:, FRESH].mean())),
        float(gains.mean()),
        bootstrap(gains, np.ones_like(gains), rng),
        calibration(whole.p[:, FRESH], whole.held, whole.drawn[:, FRESH]),
    )


def _mean(deal: Sequence[Reading]) -> Values:
    return np.asarray(np.mean([seat.bits.mean(axis=0) for seat in deal], axis=0))
