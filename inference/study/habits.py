"""What a player does when he can: rates with their interval and count.

A chance to do something is weighed by the probability, with hindsight, that he held the cards for
it: 1 for my own hand and for hands that became known. A habit is a count of deeds over chances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference.cards import FULL, MARRIAGES, SUIT_MASK, Card, Seat, cards, mask_of
from inference.game.events import Action, Kind
from inference.game.record import Record
from inference.game.state import PublicState, beats
from inference.session import Session
from inference.solve.legality import Hands
from inference.study.replay import Replay

FEW = 20
"""A rate over fewer chances says nothing."""
ENOUGH = 100
"""Chances of others from which theirs is the rate compared with (standard error at most 0.05)."""
STORE, SIMULATED = "others in these deals", "simulated players"
NOTE = f"{SIMULATED}: {STORE} had fewer than {ENOUGH} chances"
EARLY = 6
"""A close that leaves at least so many cards in the talon is early."""
Z = 1.959964
Count = tuple[float, float]
Counts = dict[str, Count]
"""For each habit the deeds and the chances, both in expected numbers."""
Bools = npt.NDArray[np.bool_]
COUNTING = "counting"
"""What a player's own hand lets him do needs no model of the other one."""


class Turn(NamedTuple):
    """Hold a card that a seat laid: what was public, what it may have held (with p), the action."""

    public: PublicState
    hands: Hands
    p: npt.NDArray[np.float64]
    action: Action


class Habit(NamedTuple):
    """Hold how often a player does something: `n` chances, the rate and its 95 % interval.

    `others` and `n_others` are the same of `compared`: all other players of the deals, or
    simulated ones as long as those have fewer than 100 chances. A rate is None below 20 chances.
    """

    name: str
    n: float
    rate: float | None
    low: float
    high: float
    others: float | None
    n_others: float
    compared: str


def habits(counts: Counts, others: Counts, simulated: Counts) -> list[Habit]:
    """Compare a player's counts with those of all others, else with simulated players'."""
    return [
        _habit(name, *(some.get(name, (0.0, 0.0)) for some in (counts, others, simulated)))
        for name in NAMES
    ]


def _habit(name: str, own: Count, others: Count, simulated: Count) -> Habit:
    low, high = wilson(*own)
    known = others[1] >= ENOUGH or simulated[1] < FEW
    beside, compared = (others, STORE) if known else (simulated, SIMULATED)
    return Habit(name, own[1], _rate(own), low, high, _rate(beside), beside[1], compared)


def _rate(count: Count) -> float | None:
    k, n = count
    return None if n < FEW else min(1.0, k / n)


def wilson(k: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate of k in n (Wilson 1927).

    >>> [round(p, 3) for p in wilson(15, 20)]
    [0.531, 0.888]
    """
    if n <= 0:
        return 0.0, 1.0
    p, share = min(1.0, k / n), Z * Z / n
    middle, half = p + share / 2, Z * sqrt(p * (1 - p) / n + share / (4 * n))
    return max(0.0, (middle - half) / (1 + share)), min(1.0, (middle + half) / (1 + share))


def added(parts: Iterator[Mapping[str, tuple[float, float]]]) -> Counts:
    """Add up counts.

    >>> added(iter([{"closes": (1, 2)}, {"closes": (0, 1)}]))
    {'closes': (1, 3)}
    """
    total: Counts = {}
    for part in parts:
        for name, (k, n) in part.items():
            before = total.get(name, (0, 0))
            total[name] = (before[0] + k, before[1] + n)
    return total


def count(replay: Replay, seat: Seat) -> Counts:
    """Count the deeds and chances of a seat in one deal."""
    found = _closing(replay, seat)
    for turn in turns(replay, seat):
        for name, (could, did) in HABITS.items():
            able = could(turn)
            if not isinstance(able, bool):
                k, n = found.get(name, (0.0, 0.0))
                chance = float(turn.p[able].sum())
                found[name] = (k + did(turn) * chance, n + chance)
    return found


def of_known_hand(record: Record, seat: Seat) -> Counts:
    """Count the deeds and chances of a seat in a complete record, from its own eyes."""
    seen = Session.from_record(record, str(seat), COUNTING).history
    blind = (None,) * len(seen)
    return count(Replay(record, seat, COUNTING, seen, seen, blind, (), blind), seat)


def turns(replay: Replay, seat: Seat) -> Iterator[Turn]:
    """Yield each card that a seat laid by the rules, and each exchange, as `Turn`."""
    for number, event in enumerate(replay.events):
        view, belief = replay.trackers[number].view, replay.smoothed[number]
        chosen = event.action.kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE)
        if event.seat != seat or not chosen or view.public.to_draw or view.public.to_act != seat:
            continue
        if seat == view.seat:
            hands, p = np.array([view.hand], dtype=np.uint32), np.ones(1)
        elif belief is not None:
            hands, p = belief.hands, bayes.mixture(belief).astype(float)
        else:
            continue
        yield Turn(view.public, hands, p, event.action)


# -- closing, counted once a deal ------------------------------------------------------------------


def _closing(replay: Replay, seat: Seat) -> Counts:
    """Count a deal in which a seat was on lead and might close, and whether it did."""
    chance, early = 0, 0
    for number, event in enumerate(replay.events):
        public = replay.trackers[number].view.public
        if public.leader == seat and public.may_close():
            chance = 1
            early |= public.talon >= EARLY
            if event.seat == seat and event.action.kind == Kind.CLOSE:
                soon = int(public.talon >= EARLY)
                return {"closes": (1, 1), "closes early": (soon, early)}
    return {"closes": (0, chance), "closes early": (0, early)}


# -- the habits of a turn --------------------------------------------------------------------------


def _has(hands: Hands, mask: int) -> Bools:
    return np.asarray((hands & np.uint32(mask)) != 0)


def _has_all(hands: Hands, mask: int) -> Bools:
    return np.asarray((hands & np.uint32(mask)) == mask)


def _open_lead(turn: Turn) -> bool:
    laid = turn.action.kind != Kind.EXCHANGE
    return laid and turn.public.led is None and not turn.public.strict


def _can_announce(turn: Turn) -> Bools | bool:
    if turn.public.led is not None or turn.action.kind == Kind.EXCHANGE:
        return False
    able = np.zeros(len(turn.hands), dtype=bool)
    for king in (card for card in Card if card.is_marriage and turn.public.may_announce(card)):
        able |= _has_all(turn.hands, MARRIAGES[king.suit])
    return able


def _can_exchange(turn: Turn) -> Bools | bool:
    return turn.public.may_exchange() and _has(turn.hands, turn.public.low_trump.mask)


def _can_lead_trump(turn: Turn) -> Bools | bool:
    trumps = SUIT_MASK[turn.public.trump]
    return _open_lead(turn) and _has(turn.hands, trumps) & _has(turn.hands, FULL & ~trumps)


def _can_win(turn: Turn) -> Bools | bool:
    led = turn.public.led
    if led is None or turn.public.strict or turn.action.kind == Kind.EXCHANGE:
        return False
    winners = _winners(led, turn.public.trump)
    return _has(turn.hands, winners) & _has(turn.hands, FULL & ~winners)


def _winners(led: Card, trump: int) -> int:
    return mask_of(card for card in Card if beats(card, led, trump))


def _live(public: PublicState) -> int:
    """Return the mask of kings and queens whose mate may still turn up."""
    gone = public.played | (0 if public.upcard is None else public.upcard.mask)
    return mask_of(c for c in cards(public.rules.pack) if c.is_marriage and not gone & c.mate.mask)


def _can_break(turn: Turn) -> Bools | bool:
    if turn.public.strict or turn.action.kind != Kind.PLAY:
        return False
    live = _live(turn.public)
    return _has(turn.hands, live) & _has(turn.hands, FULL & ~live)


def _card(turn: Turn) -> Card:
    assert turn.action.card is not None
    return turn.action.card


HABITS: dict[str, tuple[Callable[[Turn], Bools | bool], Callable[[Turn], bool]]] = {
    "announces when able": (_can_announce, lambda turn: turn.action.kind == Kind.ANNOUNCE),
    "exchanges at once": (_can_exchange, lambda turn: turn.action.kind == Kind.EXCHANGE),
    "leads trumps": (_can_lead_trump, lambda turn: _card(turn).suit == turn.public.trump),
    "wins when able": (
        _can_win,
        lambda turn: bool(
            _winners(turn.public.led or Card.S9, turn.public.trump) >> _card(turn) & 1
        ),
    ),
    "hoards kings and queens": (
        _can_break,
        lambda turn: not _live(turn.public) & _card(turn).mask,
    ),
}
"""Whether each hand could do it, and whether it was done."""
NAMES = ("closes", "closes early", *HABITS)
