"""Throw event strings at sessions: only `InferenceError` comes out, and then nothing has changed.

`python -m tests.fuzz --cases 1000000 --seed 1` throws a million, on all cores. Half of the strings
are one edit away from the record of a legal deal. A failure prints the deal and the string.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from itertools import count
from types import TracebackType
from typing import Any

from joblib import Parallel, cpu_count, delayed

from inference.cards import Card, Seat, show
from inference.errors import InferenceError
from inference.game.events import UNSEEN_DRAW, Event, Kind
from inference.game.fields import write_object
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.start import Start
from inference.game.state import SEATS, other
from inference.session import Session

STRINGS_PER_EVENT = 8
DEALS_AT_ONCE = 48
RARE = {Kind.CLOSE: 0.15, Kind.CLAIM: 0.5}
"""How much rarer than a card these are, or no deal would come to its end."""
LETTERS = "SNWE:AKQJT9108shdcxc!+=~/zrbw#*?- \t\n\0♠♥️é\ud800%{}"
MARKS = ("x", "c", "!", "+", "/", "z", "r", "?", "b2", "b-", "bm", "#H")


class Deal:
    """A legal deal, played at random: how one seat's session begins, and its events.

    `whole` is the same deal as a complete record, from its first lead on.
    """

    def __init__(self, rng: random.Random) -> None:
        rules = PRESETS[rng.choice(list(PRESETS))]
        self.rng, self.seat = rng, rng.choice(SEATS)
        position = Position.deal(rules, rng.choice(SEATS), rng)
        self.events: list[Event] = []
        self.record = _opening(position, self.seat)
        self.whole = _whole(position)
        midway = rng.random() < 0.3
        while not position.public.over:
            if midway and _may_start(position) and rng.random() < 0.2:
                self.record, self.events, midway = _start(position, self.seat), [], False
            position = self._on(position)

    def _on(self, position: Position) -> Position:
        choices = [(position.public.to_act, action) for action in position.legal_actions()]
        choices += [(other(position.public.to_act), a) for a in position.other_actions()]
        weights = [RARE.get(action.kind, 1.0) for _, action in choices]
        ((seat, action),) = self.rng.choices(choices, weights)
        done = position.drawn() if action == UNSEEN_DRAW else (Event(seat, action),)
        self.events += map(self._seen, done)
        self.whole["events"] = " ".join([self.whole["events"], *map(str, done)]).strip()
        return position.play(action, seat)

    def _seen(self, event: Event) -> Event:
        hidden = event.action.kind == Kind.DRAW and event.seat != self.seat
        return Event(event.seat, UNSEEN_DRAW) if hidden else event


def _opening(position: Position, seat: Seat) -> dict[str, Any]:
    return {
        "rules": position.public.rules.to_json(),
        "seat": str(seat),
        "leader": str(position.public.leader),
        "hands": {str(seat): show(position.hands[seat])},
        "upcard": str(position.public.upcard),
    }


def _whole(position: Position) -> dict[str, Any]:
    return {
        **_opening(position, Seat.S),
        "seat": None,
        "hands": {str(seat): show(position.hands[seat]) for seat in SEATS},
        "talon": " ".join(map(str, position.talon)),
        "events": "",
    }


def _may_start(position: Position) -> bool:
    """Tell whether the `start` form can hold a position: a close must not be open to an answer."""
    public = position.public
    quiet = public.led is None and not public.to_draw and not public.fresh_close
    return quiet and sum(public.tricks) > 0


def _start(position: Position, seat: Seat) -> dict[str, Any]:
    public, view = position.public, position.view(seat)
    start = Start(
        seat=seat,
        leader=public.leader,
        hand=view.hand,
        unseen=view.unseen,
        trump=Card(6 * public.trump).suit,
        upcard=public.upcard,
        talon=public.talon,
        points=public.points,
        tricks=public.tricks,
        pending=public.pending,
        closed=public.closed,
        known=public.known,
    )
    return {"rules": public.rules.to_json(), "seat": str(seat), "start": start.to_json()}


# -- strings ---------------------------------------------------------------------------------------


def near(rng: random.Random, following: list[Event]) -> str:
    """Make one edit in the events that follow: a letter, a card, a seat, or a whole event."""
    texts = [str(event) for event in following[: rng.choice((1, 1, 1, 2, 4))]] or ["S:AS"]
    i = rng.randrange(len(texts))
    match rng.randrange(8):
        case 0:
            texts[i] = _other_letter(rng, texts[i])
        case 1:
            texts[i] = texts[i].replace(texts[i][:1], rng.choice("SN"), 1)
        case 2:
            del texts[i]
        case 3:
            texts.insert(i, texts[i])
        case 4:
            texts[0], texts[i] = texts[i], texts[0]
        case 5:
            texts[i] = anything(rng)
        case _:
            texts[i] = _other_card(rng, texts[i])
    return " ".join(texts)


def _other_letter(rng: random.Random, text: str) -> str:
    i = rng.randrange(len(text) + 1)
    return text[:i] + rng.choice(("", rng.choice(LETTERS))) + text[i + rng.randrange(2) :]


def _other_card(rng: random.Random, text: str) -> str:
    names = [str(card) for card in Card]
    here = next((name for name in names if name in text), None)
    return text.replace(here, rng.choice(names)) if here else text + rng.choice(names)


def anything(rng: random.Random) -> str:
    """Make up an event, which is well-formed mostly, or a heap of letters."""
    if rng.random() < 0.3:
        return "".join(rng.choices(LETTERS, k=rng.randrange(12)))
    seat, card = rng.choice("SSSNNNWE"), str(rng.choice(list(Card)))
    shown = "".join(str(card) for card in rng.sample(list(Card), rng.randrange(1, 7)))
    forms = (card, card, card, f"{card}*", f"{card}~", f"+{card}", f"={shown}", f"w{shown}")
    return f"{seat}:{rng.choice((*forms, rng.choice(MARKS)))}"


# -- throwing --------------------------------------------------------------------------------------


class Noted:
    """Add to an error what it was thrown at, so that it can be repeated."""

    def __init__(self, session: Session, what: object) -> None:
        self.session, self.what = session, what

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if error is not None:
            deal = write_object(self.session.to_record())
            error.add_note(
                f"{self.what!r} was thrown at model {self.session.tracker.model} and {deal}"
            )


def throw(session: Session, text: str, ask: bool) -> str:
    """Observe a string and take it back; return what came of it."""
    tracker, n = session.tracker, len(session.events)
    with Noted(session, text):
        try:
            session.observe(text)
        except InferenceError as error:
            outcome, sentence = type(error).__name__, str(error)
        else:
            outcome, sentence = "accepted", ""
            if ask:
                session.report("legal")
                session.report("belief")
            if len(session.events) > n:
                session.undo(len(session.events) - n)
        assert sentence.isprintable(), f"not one plain sentence: {sentence}"
        assert len(sentence) < 400, f"not one short sentence: {sentence}"
        assert session.tracker is tracker, "it has changed the session"
        assert len(session.events) == n, "it has changed the session"
    return outcome


def throw_correction(session: Session, changes: dict[int, Any]) -> str:
    """Correct entries or the set-up, take back what was possible, and return what came of it."""
    tracker, before = session.tracker, session.to_record()
    with Noted(session, changes):
        try:
            session.correct(changes)
        except InferenceError as error:
            assert session.tracker is tracker, "it has changed the session"
            return f"correction: {type(error).__name__}"
        session.revert()
        assert session.tracker is tracker, "it was not taken back"
        assert session.to_record() == before
    return "correction: accepted"


def set_up(rng: random.Random, record: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a record's set-up, mistyped if it is text or holds text."""
    key = rng.choice([key for key in record if key not in ("seat", "events")])
    value = record[key]
    match value:
        case str():
            return {key: _other_letter(rng, value)}
        case dict():
            inner = rng.choice(list(value))
            old = value[inner]
            return {key: {**value, inner: _other_letter(rng, old) if isinstance(old, str) else 1}}
    return {key: value}


def throw_record(session: Session, line: str) -> str:
    """Load a damaged record."""
    with Noted(session, line):
        try:
            Session.from_record(line, model="counting")
        except InferenceError as error:
            return f"record: {type(error).__name__}"
    return "record: accepted"


def deal_of_strings(seed: int, number: int) -> Counter[str]:
    """Follow one deal and throw strings at every place of it; return what came of them."""
    rng = random.Random(f"{seed}, {number}")
    deal = Deal(rng)
    session = Session.from_record(deal.record, model="logit" if number % 16 == 0 else "counting")
    seen: Counter[str] = Counter()
    for i in range(len(deal.events) + 1):
        for k in range(STRINGS_PER_EVENT):
            text = near(rng, deal.events[i:]) if k % 2 else anything(rng)
            seen[throw(session, text, ask=rng.random() < 0.05)] += 1
        if i and rng.random() < 0.1:
            seen[throw_correction(session, {rng.randint(0, i + 1): anything(rng)})] += 1
            seen[throw_correction(session, {0: set_up(rng, deal.record)})] += 1
        if i < len(deal.events):
            with Noted(session, deal.events[i]):
                session.observe(deal.events[i])
    for line in (write_object(session.to_record()), write_object(deal.whole)):
        seen[throw_record(session, _other_letter(rng, line))] += 1
    return seen


def run(cases: int, seed: int, jobs: int = 1) -> Counter[str]:
    """Throw at least so many strings; return what came of them."""
    seen: Counter[str] = Counter()
    with Parallel(n_jobs=jobs) as parallel:
        for first in count(0, DEALS_AT_ONCE):
            numbers = range(first, first + DEALS_AT_ONCE)
            for one in parallel(delayed(deal_of_strings)(seed, number) for number in numbers):
                seen += one
            if seen.total() >= cases:
                break
    return seen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seen = run(given.cases, given.seed, cpu_count())
    print(f"{seen.total():,} strings, seed {given.seed}: only InferenceError came out")
    for outcome, n in seen.most_common():
        print(f"{n:12,}  {outcome}")
