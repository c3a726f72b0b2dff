"""Step through a past deal: what could be counted, what was believed then, and with hindsight.

A `Replay` is computed once; a `Step` of it is read off in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from inference import belief as bayes
from inference import opponents
from inference.advice import Worth, worth
from inference.belief import Belief
from inference.cards import Card, Seat
from inference.errors import NotationError
from inference.game.events import Event, Kind
from inference.game.position import View
from inference.game.record import Record, parse_record
from inference.game.state import other
from inference.session import Session
from inference.study.told import told
from inference.tracker import Tracker

LAID = (Kind.PLAY, Kind.ANNOUNCE, Kind.AGAINST)
CHOSEN = (*LAID, Kind.EXCHANGE, Kind.CLOSE, Kind.CLAIM, Kind.GIVE_UP)


class Picture(NamedTuple):
    """Hold what is known of the opponent's hand: how many hands are possible, and where cards are.

    `certain` and `possible` are the masks of the cards in every and in some possible hand, `p`
    [24] the probability that he holds a card, `likeliest` his ten likeliest hands with theirs.
    """

    n_hands: int
    entropy_bits: float
    certain: int
    possible: int
    p: tuple[float, ...]
    likeliest: tuple[tuple[int, float], ...]


class Step(NamedTuple):
    """Hold a deal after `number` events.

    `event` was the last one (None at the beginning), `text` says it in words, `chooser` is whose
    choice it was (None for draws and cards shown). `counted` is what the rules and the seen cards
    make certain (its p: every line of play alike), `then` the belief of that moment, `hindsight`
    what all later events say about it (None before a card that broke the rules: the belief began
    anew there). `truth` is the opponent's hand if it ever became known.
    """

    number: int
    event: Event | None
    text: str
    chooser: Seat | None
    view: View
    counted: Picture
    then: Picture
    hindsight: Picture | None
    truth: int | None


@dataclass(frozen=True)
class Replay:
    """Hold a deal followed to its end from one seat; index 0 … n counts events.

    `trackers` believed what the model says, `counting` what is certain; `smoothed` are the beliefs
    of `trackers` with hindsight; `his` are the trackers of the opponent's own session if the record
    holds his cards, else empty; `truths` are his true hands where they became known.
    """

    record: Record
    seat: Seat
    model: str
    trackers: tuple[Tracker, ...]
    counting: tuple[Tracker, ...]
    smoothed: tuple[Belief | None, ...]
    his: tuple[Tracker, ...]
    truths: tuple[int | None, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """Return the entries as this seat saw them."""
        return self.trackers[-1].events

    @property
    def n(self) -> int:
        """Return the number of events: the last step has this number."""
        return len(self.trackers) - 1

    def step(self, number: int) -> Step:
        """Read off the deal after some events; raise NotationError if there are not as many."""
        if not 0 <= number <= self.n:
            raise NotationError(f"there are {self.n} events, not {number}.")
        now, event = self.trackers[number], self.events[number - 1] if number else None
        before = self.trackers[max(number - 1, 0)].view
        smoothed = self.smoothed[number]
        return Step(
            number,
            event,
            "the deal" if event is None else told(before, event, now.view),
            event.seat if event is not None and event.action.kind in CHOSEN else None,
            now.view,
            picture(self.counting[number].belief),
            picture(now.belief),
            None if smoothed is None else picture(smoothed),
            self.truths[number],
        )

    def what_if(self, number: int) -> Session:
        """Return a session that stands after some events, to play on differently from there."""
        return Session.from_record(self.record, str(self.seat), self.model, number)

    def over_time(self, card: Card, hindsight: bool = False) -> list[float | None]:
        """Return the probability that the opponent held a card, step by step; None if not known."""
        beliefs = self.smoothed if hindsight else [tracker.belief for tracker in self.trackers]
        return [None if b is None else _bounded(bayes.marginals(b)[card]) for b in beliefs]

    def worth(self, number: int, n_worlds: int = 200) -> Worth:
        """Return what the deal was worth to this seat at a step, by what it could know then."""
        now = self.trackers[number]
        return worth(now.view, now.belief, n_worlds, number)

    def line(self, n_worlds: int = 200) -> list[Worth]:
        """Return the worth of every step: the win-probability line over the deal."""
        return [self.worth(number, n_worlds) for number in range(self.n + 1)]


def follow(
    record: str | Mapping[str, Any] | Record,
    seat: str | None = None,
    model: str = opponents.DEFAULT,
) -> Replay:
    """Follow a record from a seat (the record's own, else S) to its end, and look back.

    Raise an InferenceError that names the entry which does not fit.
    """
    parsed = record if isinstance(record, Record) else parse_record(record)
    session = Session.from_record(parsed, seat, model)
    eye = session.tracker.view.seat
    counting = Session.from_record(parsed, str(eye), "counting")
    his = _from_his_seat(parsed, other(eye), model)
    smoothed = _smoothed(session.history)
    truths = _truths(session.history, smoothed, his)
    return Replay(parsed, eye, model, session.history, counting.history, smoothed, his, truths)


def _from_his_seat(record: Record, seat: Seat, model: str) -> tuple[Tracker, ...]:
    """Follow a deal from the other seat; nothing if the record lacks its cards."""
    try:
        return Session.from_record(record, str(seat), model).history
    except NotationError:
        return ()


def _smoothed(trackers: tuple[Tracker, ...]) -> tuple[Belief | None, ...]:
    """Return for each number of events the belief about the hand of that moment, looking back."""
    steps = trackers[-1].steps
    looked_back = bayes.smooth([step for _, step in steps])
    found: list[Belief | None] = [None] * len(trackers)
    latest = None
    by_number = {number: belief for (number, _), belief in zip(steps, looked_back, strict=True)}
    for number in range(len(trackers)):
        latest = by_number.get(number, latest)
        found[number] = latest
    return tuple(found)


def _truths(
    trackers: tuple[Tracker, ...],
    smoothed: tuple[Belief | None, ...],
    his: tuple[Tracker, ...],
) -> tuple[int | None, ...]:
    """Return his hand at each step: his own if the record has it, else what hindsight proves."""
    found: list[int | None] = []
    for number, belief in enumerate(smoothed):
        view = trackers[number].view
        n_held = view.public.held[view.opponent]
        # A round of drawing that is done for one seat may be entered a little later for the other.
        hands = {tracker.view.hand for tracker in his[number : number + 3]}
        fitting = [hand for hand in hands if hand.bit_count() == n_held and _may_be(belief, hand)]
        if not fitting and belief is not None and len(belief.hands) == 1:
            fitting = belief.hands.tolist()
        found.append(fitting[0] if len(fitting) == 1 else None)
    return tuple(found)


def _may_be(belief: Belief | None, hand: int) -> bool:
    return belief is None or bool((belief.hands == hand).any())


def picture(belief: Belief) -> Picture:
    """Read a belief off."""
    return Picture(
        len(belief.hands),
        bayes.entropy_bits(belief),
        int(np.bitwise_and.reduce(belief.hands)),
        int(np.bitwise_or.reduce(belief.hands)),
        tuple(_bounded(p) for p in bayes.marginals(belief)),
        tuple((int(hand), float(p)) for hand, p in bayes.top(belief)),
    )


def _bounded(p: Any) -> float:
    return min(1.0, float(p))
