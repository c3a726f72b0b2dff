"""Measure a model's belief on finished deals: how much more it knows than counting cards does.

A *decision* is a card that a seat lays. Just before it, that seat's belief gave the hand that the
opponent really held some probability; the gain is how many bits more that was than with the model
`counting`, which knows only what the rules make certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference.cards import Seat, cards
from inference.errors import NotationError
from inference.game.events import Kind
from inference.game.record import Record, eyes
from inference.game.replay import opening, positions
from inference.game.state import SEATS, other
from inference.session import Session
from inference.workshop.spread import spread

Values = npt.NDArray[np.float64]
N_BINS, N_RESAMPLES = 10, 2000
BASELINE = "counting"
CHOICES = (Kind.PLAY, Kind.ANNOUNCE)


class Scores(NamedTuple):
    """Hold what one deal showed, for both seats together.

    `bits` [n, 2] is log2 of the probability of the true hand at each decision, by the baseline
    and by the model; `p` [k] and `held` [k] tell of each hidden card at each decision how likely
    the model thought it in the opponent's hand, and whether it was.
    """

    bits: Values
    p: Values
    held: npt.NDArray[np.bool_]


NOTHING = Scores(np.empty((0, 2)), np.empty(0), np.empty(0, dtype=np.bool_))


class Evaluation(NamedTuple):
    """Hold the figures of many deals; the interval of the gain is a 95 % bootstrap over deals.

    `bits` are the means of the baseline and of the model, `gain` is their difference,
    `calibration` has a row for each of ten equal ranges of p: n, mean p, share that was held.
    """

    n_deals: int
    n_decisions: int
    bits: tuple[float, float]
    gain: float
    interval: tuple[float, float]
    calibration: list[tuple[int, float, float]]


def evaluate(
    records: Sequence[Record], model: str = "logit", seed: int = 0, jobs: int = 1
) -> Evaluation:
    """Score the belief of a model on complete records, from both seats.

    `seed` draws the bootstrap. Raise NotationError for a record that does not hold all cards.
    """
    scores = list(spread(partial(score, model=model), records, jobs, "deals"))
    if not any(len(deal.bits) for deal in scores):
        raise NotationError("there is no decision to evaluate in these deals.")
    return summary(scores, np.random.default_rng(seed))


def score(record: Record, model: str) -> Scores:
    """Follow one complete deal from both seats with both models."""
    if record.talon is None or None in record.hands:
        raise NotationError("only deals with both hands and the talon can be evaluated.")
    return joined([_from_seat(record, seat, model) for seat in SEATS])


def _from_seat(record: Record, seat: Seat, model: str) -> Scores:
    sessions = [Session.from_record(record, str(seat), name, at=0) for name in (BASELINE, model)]
    found, truth = [NOTHING], opening(record)
    for (event, after), seen in zip(positions(record), eyes(record, seat).events, strict=True):
        if event.seat == seat and event.action.kind in CHOICES:
            found.append(_at_decision(sessions, truth.hands[other(seat)]))
        truth = after
        for session in sessions:
            session.observe(seen)
    return joined(found)


def joined(parts: Sequence[Scores]) -> Scores:
    """Put scores one behind the other."""
    return Scores(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _at_decision(sessions: Sequence[Session], hand: int) -> Scores:
    """Score what each session, and card by card the last one, thinks of the true hand."""
    bits = np.log2([[float(bayes.p_hand(session.belief(), hand)) for session in sessions]])
    last = sessions[-1].tracker
    hidden = cards(last.view.unseen)
    p = bayes.marginals(last.belief)[hidden].astype(float)
    return Scores(bits, p, np.array([bool(hand >> card & 1) for card in hidden]))


def summary(scores: Sequence[Scores], rng: np.random.Generator) -> Evaluation:
    """Sum up deals; the interval says how far the gain would move with other deals."""
    n = np.array([len(deal.bits) for deal in scores])
    gains = np.array([(deal.bits[:, 1] - deal.bits[:, 0]).sum() for deal in scores])
    whole = joined(scores)
    drawn = rng.integers(len(scores), size=(N_RESAMPLES, len(scores)))
    means = gains[drawn].sum(axis=1) / n[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Evaluation(
        len(scores),
        int(n.sum()),
        (float(whole.bits[:, 0].mean()), float(whole.bits[:, 1].mean())),
        float(gains.sum() / n.sum()),
        (float(low), float(high)),
        calibration(whole.p, whole.held),
    )


def calibration(p: Values, held: npt.NDArray[np.bool_]) -> list[tuple[int, float, float]]:
    """Return for ten equal ranges of p: how many cards, their mean p, the share that was held.

    >>> calibration(np.array([0.25, 0.25, 0.75]), np.array([True, False, True]))[2]
    (2, 0.25, 0.5)
    """
    bins = np.minimum((p * N_BINS).astype(int), N_BINS - 1)
    rows = []
    for b in range(N_BINS):
        here = bins == b
        n = int(here.sum())
        rows.append((n, float(p[here].sum() / max(n, 1)), float(held[here].sum() / max(n, 1))))
    return rows
