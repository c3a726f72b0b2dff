"""Measure a model's belief on finished deals: how much more it knows than counting cards does.

A *decision* is a card that a seat lays, or an exchange, while counting leaves more than one hand.
Just before it, that seat's belief gave the hand that the opponent really held some probability; the
gain is how many bits more that was than with the model `counting`, which knows only what the rules
make certain. It is averaged in a deal and seat, then over the seats, then over the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents import DEFAULT
from inference.session import Session
from inference.spread import spread
from inference.study.calibration import Calibration, calibration
from inference.workshop.pool import FAMILIES
from inference.workshop.simulate import play_pool

Values = npt.NDArray[np.float64]
N_RESAMPLES = 2000
BASELINE = "counting"
CHOICES = (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE)


class Scores(NamedTuple):
    """Hold what one deal showed to one seat.

    `bits` [n, 2] is log2 of the probability of the true hand at each decision, by the baseline
    and by the model; `p` [k] and `held` [k] tell of each card that counting does not place, at each
    decision, how likely the model thought it in the opponent's hand, and whether it was.
    """

    bits: Values
    p: Values
    held: npt.NDArray[np.bool_]


Deal = list[Scores]
"""The scores of each seat that was looked at."""

NOTHING = Scores(np.empty((0, 2)), np.empty(0), np.empty(0, dtype=np.bool_))


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
    """Score the belief of a model on complete records, from both seats.

    `seed` draws the bootstrap. Raise NotationError for a record that does not hold all cards.
    """
    deals = list(spread(partial(score, model=model), records, jobs, "deals"))
    return summary(deals, np.random.default_rng(seed))


def evaluate_pool(
    rules: Sequence[Rules], n_deals: int, model: str = DEFAULT, seed: int = 0, jobs: int = 1
) -> Iterator[tuple[str, Evaluation]]:
    """Score the belief of a model about players of each family of the pool, held out or not.

    N is of the family, S a player of any; what S believes about N counts.
    """
    for family in FAMILIES:
        work = partial(_pool_deal, rules, model, seed, family)
        deals = list(spread(work, range(n_deals), jobs, "deals"))
        yield family, summary(deals, np.random.default_rng(seed))


def _pool_deal(rules: Sequence[Rules], model: str, seed: int, family: str, number: int) -> Deal:
    return score(play_pool(rules, seed, (FAMILIES, (family,)), number), model, (Seat.S,))


def score(record: Record, model: str, seats: Sequence[Seat] = SEATS) -> Deal:
    """Follow one complete deal from some seats with both models."""
    if record.talon is None or None in record.hands:
        raise NotationError("only deals with both hands and the talon can be evaluated.")
    return [_from_seat(record, seat, model) for seat in seats]


def _from_seat(record: Record, seat: Seat, model: str) -> Scores:
    sessions = [Session.from_record(record, str(seat), name, at=0) for name in (BASELINE, model)]
    found, truth = [NOTHING], opening(record)
    for (event, after), seen in zip(positions(record), eyes(record, seat).events, strict=True):
        mine = event.seat == seat and event.action.kind in CHOICES
        if mine and len(sessions[0].belief().hands) > 1:
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
    first, last = (session.tracker for session in sessions)
    possible = int(np.bitwise_or.reduce(first.belief.hands))
    hidden = cards(possible & ~first.certain)
    p = bayes.marginals(last.belief)[hidden].astype(float)
    return Scores(bits, p, np.array([bool(hand >> card & 1) for card in hidden]))


def summary(deals: Sequence[Deal], rng: np.random.Generator) -> Evaluation:
    """Sum up deals; the interval says how far the gain would move with other deals.

    Raise NotationError if there is no decision in any of them.
    """
    seen = [[seat for seat in deal if len(seat.bits)] for deal in deals]
    bits = np.array([_mean(deal) for deal in seen if deal])
    if not len(bits):
        raise NotationError("there is no decision to evaluate in these deals.")
    whole = joined([seat for deal in seen for seat in deal])
    gains = bits[:, 1] - bits[:, 0]
    drawn = rng.integers(len(gains), size=(N_RESAMPLES, len(gains)))
    low, high = np.quantile(gains[drawn].mean(axis=1), (0.025, 0.975))
    return Evaluation(
        len(deals),
        len(whole.bits),
        (float(bits[:, 0].mean()), float(bits[:, 1].mean())),
        float(gains.mean()),
        (float(low), float(high)),
        calibration(np.clip(whole.p, 0, 1), whole.held, rng),
    )


def _mean(deal: Deal) -> Values:
    return np.asarray(np.mean([seat.bits.mean(axis=0) for seat in deal], axis=0))
