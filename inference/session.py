"""One deal being followed: the only mutable object, a stack of immutable trackers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from inference import belief as bayes
from inference import opponents, reports
from inference.advice import Advice, advise
from inference.belief import Belief
from inference.cards import Seat, parse_hand
from inference.errors import ContradictionError, IllegalActionError, InferenceError, NotationError
from inference.game import replay
from inference.game.entries import awaited
from inference.game.events import Action, Event, Kind
from inference.game.fields import seat_of, text_of
from inference.game.notation import format_events, parse_events
from inference.game.position import View
from inference.game.record import Record, eyes, mended, parse_record, public
from inference.game.rules import Rules
from inference.game.state import SEATS
from inference.opponents.person import of_meta, with_person
from inference.tracker import Tracker


class Session:
    """Follow one deal from one seat; every change is checked, and undo is a pop of the stack.

    >>> s = Session.new(hands={"S": "AS KH QH 9C JD TD"}, upcard="JH", leader="N")
    >>> s.observe("N:TC")
    >>> [str(action) for action in s.legal_actions()]
    ['AS', 'KH', 'QH', 'TD', 'JD', '9C']
    """

    def __init__(self, record: Record, model: opponents.Model, seat: Seat) -> None:
        """Set up the deal of a record without its events, seen from a seat."""
        self.record = replace(record, events=())
        self._stack = [_first(record, model, seat)]
        self._corrections: list[tuple[Tracker, list[Tracker], Record]] = []

    @classmethod
    def new(
        cls,
        rules: str | Mapping[str, Any] | Rules = "sixty-six",
        seat: str = "S",
        leader: str = "N",
        hands: Mapping[str, str] | None = None,
        upcard: str = "",
        model: str = opponents.DEFAULT,
        **more: Any,
    ) -> Session:
        """Begin a deal; `more` are further keys of a record, such as `match`, `meta`, `events`.

        Raise NotationError if the cards do not make a deal, ModelError for an unknown model.
        """
        value = rules.to_json() if isinstance(rules, Rules) else rules
        deal = {"rules": value, "seat": seat, "leader": leader, "hands": hands, "upcard": upcard}
        return cls.from_record({**deal, **more}, model=model)

    @classmethod
    def from_record(
        cls,
        record: str | Mapping[str, Any] | Record,
        seat: str | None = None,
        model: str = opponents.DEFAULT,
        at: int | None = None,
    ) -> Session:
        """Replay a record, or its first `at` events, from a seat (the record's own, else S).

        Raise an InferenceError that names the entry which does not fit.
        """
        parsed = record if isinstance(record, Record) else parse_record(record)
        if parsed.talon is not None:
            replay.check(parsed)
        elif None not in parsed.hands:
            _check_both_hands(parsed)
        chosen = seat_of(seat, "the seat") if seat is not None else parsed.seat or Seat.S
        seen = eyes(parsed, chosen)
        if at is not None and not 0 <= _whole(at, "the number of events") <= len(seen.events):
            raise NotationError(f"there are {len(seen.events)} events, not {at}.")
        his = chosen == (parsed.seat or Seat.S)
        known = parsed.meta if his else {}
        loaded = with_person(opponents.load(model, _style_prior(known)), of_meta(known))
        session = cls(seen, loaded, chosen)
        session._replay(seen.events[:at])
        return session

    # -- entries ---------------------------------------------------------------------------------

    @property
    def tracker(self) -> Tracker:
        """Return what is known now."""
        return self._stack[-1]

    @property
    def history(self) -> tuple[Tracker, ...]:
        """Return what was known after 0, 1, 2 … entries: "what was believed when"."""
        return tuple(self._stack)

    @property
    def events(self) -> tuple[Event, ...]:
        """Return the entries so far, as written."""
        return self.tracker.events

    def observe(self, entry: str | Event) -> None:
        """Enter what was seen; if it raises an InferenceError nothing has changed.

        A text may hold several events, which are then entered together or not at all.
        """
        self._push((entry,) if isinstance(entry, Event) else parse_events(entry))

    def _push(self, events: Sequence[Event]) -> None:
        stack = [self.tracker]
        for event in events:
            stack.append(stack[-1].observe(event))
        self._stack.extend(stack[1:])

    def _replay(self, events: Sequence[Event]) -> None:
        for number, event in enumerate(events, start=1):
            try:
                self._push((event,))
            except InferenceError as error:
                error.args = (f"entry {number}, {error}",)
                raise

    @property
    def can_undo(self) -> bool:
        """Tell whether there is anything that `revert` could take back."""
        return bool(self.events or self._corrections)

    def undo(self, n: int = 1) -> None:
        """Take back the last `n` entries; raise IllegalActionError if there are not as many."""
        if _whole(n, "the number of entries to undo") < 1:
            raise NotationError(f"undo takes back at least one entry, not {n}.")
        if n >= len(self._stack):
            raise IllegalActionError(f"there are only {len(self.events)} entries to undo.")
        del self._stack[-n:]
        while self._corrections and not _within(self._corrections[-1][0], self._stack):
            del self._corrections[-1]

    def revert(self) -> None:
        """Take back the last change: a correction as a whole, otherwise the last entry."""
        if self._corrections and self._corrections[-1][0] is self.tracker:
            _, self._stack, before = self._corrections.pop()
            self.record = replace(before, meta=self.record.meta)
        else:
            self.undo()

    def correct(self, changes: Mapping[int, str | Mapping[str, Any]]) -> None:
        """Replace entries by number (1 is the first) and replay the rest; "" strikes one out.

        A text of several events puts in what was missed. Number 0 is the set-up: ``{0: {"upcard":
        "JH"}}`` puts right its rules, leader, hands, upcard, match or start. Raise
        ContradictionError if a later entry no longer fits; the session is then unchanged.
        """
        if not isinstance(changes, Mapping):
            raise NotationError("a correction maps numbers of entries to texts: {9: 'N:QD'}.")
        texts = [str(event) for event in self.events]
        for number, text in changes.items():
            if not 0 <= _whole(number, "the number of an entry") <= len(texts):
                raise NotationError(f"there is no entry {number}: there are {len(texts)}.")
            if number:
                texts[number - 1] = format_events(parse_events(text_of(text, "an entry")))
        keep, record, fresh = min(changes, default=len(texts) + 1), self.record, list[Tracker]()
        if 0 in changes:
            record = mended(record, changes[0])
            fresh = [_first(record, self.tracker.model, self.tracker.view.seat)]
        fresh = fresh or self._stack[:keep]
        for number in range(max(keep, 1), len(texts) + 1):
            for event in parse_events(texts[number - 1]):
                fresh.append(_observe_again(fresh[-1], event, number, number in changes))
        self._corrections.append((fresh[-1], self._stack, self.record))
        self._stack, self.record = fresh, record

    def note(self, meta: Mapping[str, Any]) -> None:
        """Put other notes beside the deal: whose it was, when, what to remember."""
        if meta != self.record.meta:
            self.record = replace(self.record, meta=dict(meta))

    # -- answers ---------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """List what the awaited seat may do; for the opponent, what some hand of his allows."""
        return reports.actions(self.tracker)

    def awaited(self) -> str:
        """Say whose entry is awaited, as in "your drawn card"."""
        return awaited(self.tracker.view)

    def belief(self) -> Belief:
        """Return the posterior over the opponent's hand."""
        return self.tracker.belief

    def log_evidences(self) -> dict[str, float]:
        """Return for each style the log-probability of all that was seen, whatever its prior."""
        return reports.log_evidences(self.tracker)

    def p_hand(self, seat: str, hand: str) -> float:
        """Return the probability that a seat holds exactly this hand."""
        mask = parse_hand(hand)
        if seat_of(seat, "the seat") == self.tracker.view.seat:
            return float(mask == self.tracker.view.hand)
        return float(bayes.p_hand(self.tracker.belief, mask))

    def advice(self, budget: float = 1.0, worlds: int | None = None, seed: int = 0) -> Advice:
        """Rank my actions within a time budget in seconds, or over a fixed number of worlds.

        With `worlds` and `seed` the answer is the same on every machine. Raise IllegalActionError
        that says what is awaited when no action of mine is due.
        """
        if worlds is not None and _whole(worlds, "the number of worlds") < 1:
            raise NotationError(f"advice needs at least one world, not {worlds}.")
        if not 0 <= _whole(seed, "the seed") < 1 << 62:
            raise NotationError(f"the seed is a whole number from 0 on, not {seed}.")
        if isinstance(budget, str) or not 0 <= budget < inf:
            raise NotationError(f"the budget is a number of seconds, not {budget!r}.")
        view = self.tracker.view
        if reports.to_act(self.tracker) != view.seat or view.draw_due:
            raise IllegalActionError(f"no move of yours is due; {_instead(self)}.")
        match = self.record.match
        return advise(view, self.tracker.belief, budget, worlds, seed, match=match)

    def report(self, kind: str, **options: Any) -> dict[str, Any]:
        """Return the object that the command line prints with --json: belief, legal or advise."""
        if kind == "advise":
            return self.advice(**options).to_json()
        if not isinstance(kind, str) or kind not in reports.REPORTS:
            raise NotationError(f"there is no report {kind!r}: choose belief, legal or advise.")
        if options:
            raise NotationError(f"the report {kind!r} has no option {', '.join(options)}.")
        return reports.REPORTS[kind](self.tracker)

    def to_record(self) -> dict[str, Any]:
        """Return the deal so far as a record, its events as written."""
        return replace(self.record, events=self.events).to_json()


def _first(record: Record, model: opponents.Model, seat: Seat) -> Tracker:
    """Return what a seat knows at the beginning of a record."""
    view = View(public(record), seat, record.hand)
    excluded = 0 if record.start is None else record.start.cannot[view.opponent]
    return Tracker.start(view, model, excluded)


def _within(tracker: Tracker, stack: Sequence[Tracker]) -> bool:
    return any(tracker is one for one in stack)


def _whole(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotationError(f"{what} is a whole number, not {value!r}.")
    return value


def _style_prior(meta: Mapping[str, Any]) -> dict[str, float] | None:
    """Return what a record says of its opponent's style before the deal, None if nothing."""
    found = meta.get("styles")
    if not isinstance(found, dict):
        return None  # a note of somebody's
    if not all(map(_is_probability, found.values())):
        raise NotationError("the styles in meta are probabilities: one over 0 for each style.")
    return {str(style): float(p) for style, p in found.items()}


def _is_probability(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1


def _instead(session: Session) -> str:
    """Say what is awaited, and what I may do beside it."""
    if session.tracker.view.public.over:
        return "the deal is over"
    mine = session.tracker.view.seat
    beside = session.report("legal").get("others", {}).get(str(mine), [])
    may = f"; you may also enter {' or '.join(f'{mine}:{text}' for text in beside)}"
    return f"awaited is {session.awaited()}{may if beside else ''}"


def _check_both_hands(record: Record) -> None:
    """Check that no card of one hand is drawn, and follow each hand whose draws are all listed."""
    dealt = (record.hands[0] or 0) | (record.hands[1] or 0)
    for number, event in enumerate(record.events, start=1):
        card = event.action.card
        if event.action.kind == Kind.DRAW and card is not None and dealt & card.mask:
            raise ContradictionError(f"entry {number}, {event}: {card} was dealt to a hand.")
    for seat in SEATS:
        try:
            seen = eyes(record, seat)
        except NotationError:
            continue  # a seat whose draws are not listed cannot be followed
        Session(seen, opponents.load("counting"), seat)._replay(seen.events)


def _observe_again(tracker: Tracker, event: Event, number: int, changed: bool) -> Tracker:
    try:
        return tracker.observe(event)
    except InferenceError as error:
        if changed:
            raise
        raise ContradictionError(
            f"entry {number} ({event}) no longer fits after the correction: {error}"
        ) from error
