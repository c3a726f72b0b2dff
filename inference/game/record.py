"""Deal records: one JSON object a line, both ways (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inference.cards import Card, Seat, cards, mask_of, show
from inference.errors import NotationError
from inference.game.events import UNSEEN_DRAW, Event, Kind
from inference.game.fields import (
    as_object,
    by_seat,
    card_of,
    cards_of,
    count_of,
    counts_of,
    hand_of,
    only,
    read_object,
    required,
    seat_of,
    text_of,
    write_object,
)
from inference.game.match import Match
from inference.game.notation import format_events, parse_events
from inference.game.rules import Rules, parse_rules
from inference.game.start import Start, parse_start, per_seat
from inference.game.state import SEATS, PublicState, other

_KEYS = (
    "rules", "seat", "leader", "hands", "upcard", "talon", "start", "events", "match", "meta",
)  # fmt: skip
_DEAL = ("leader", "hands", "upcard", "talon")
_MATCH = ("score", "dealer", "carry")
_SET_UP = ("rules", "leader", "hands", "upcard", "start", "match")
"""The keys that can be put right afterwards; the eyes that saw the deal stay the same."""


@dataclass(frozen=True, slots=True)
class Record:
    """Hold a deal as it was written down: its beginning and its events.

    `seat` says whose eyes saw it, None if all was known. Hands are masks, indexed by seat, None
    where not known; the talon lies in draw order, the upcard last. A record that begins in the
    middle of a deal has `start` instead of leader, hands, upcard and talon. `extra` holds the keys
    that the format does not know.
    """

    rules: Rules
    seat: Seat | None = None
    leader: Seat | None = None
    hands: tuple[int | None, int | None] = (None, None)
    upcard: Card | None = None
    talon: tuple[Card, ...] | None = None
    start: Start | None = None
    events: tuple[Event, ...] = ()
    match: Match | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hand(self) -> int:
        """Return the cards that the record's seat holds at the beginning."""
        assert self.seat is not None
        hand = self.hands[self.seat] if self.start is None else self.start.hand
        assert hand is not None
        return hand

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the record: the inverse of `parse_record`."""
        found = {
            "rules": self.rules.to_json(),
            "seat": None if self.seat is None else str(self.seat),
            **self._beginning(),
            "events": format_events(self.events),
            "match": None if self.match is None else _match_json(self.match),
            "meta": dict(self.meta) or None,
        }
        return {key: value for key, value in found.items() if value is not None} | dict(self.extra)

    def _beginning(self) -> dict[str, Any]:
        if self.start is not None:
            return {"start": self.start.to_json()}
        return {
            "leader": str(self.leader),
            "hands": {
                str(s): show(h) for s, h in zip(SEATS, self.hands, strict=True) if h is not None
            },
            "upcard": str(self.upcard),
            "talon": None if self.talon is None else " ".join(str(card) for card in self.talon),
        }


def _hands_json(hands: tuple[int | None, int | None]) -> dict[str, str]:
    return {str(s): show(h) for s, h in zip(SEATS, hands, strict=True) if h is not None}


def format_record(record: Record) -> str:
    """Write a record as one line of JSON: the inverse of `parse_record`."""
    return write_object(record.to_json())


def parse_record(value: str | Mapping[str, Any]) -> Record:
    """Read a record from its line or its JSON object; raise NotationError saying what is wrong.

    >>> record = parse_record('{"rules": "sixty-six", "leader": "N", "upcard": "JH",'
    ...                       ' "seat": "S", "hands": {"S": "AS KH QH 9C JD TD"}}')
    >>> show(record.hands[Seat.S]), record.rules.target
    ('AS KH QH TD JD 9C', 7)
    """
    found = read_object(value) if isinstance(value, str) else as_object(value, "a record")
    rules = parse_rules(required(found, "rules", "the record"))
    seat = None if found.get("seat") is None else seat_of(found["seat"], "the record's seat")
    record = Record(
        rules,
        seat,
        events=_read_events(found.get("events")),
        meta={} if found.get("meta") is None else as_object(found["meta"], "the record's meta"),
        extra={key: value for key, value in found.items() if key not in _KEYS},
    )
    begin = _begin_deal if found.get("start") is None else _begin_midway
    record = begin(record, found)
    return replace(record, match=_read_match(found.get("match"), record))


def _begin_midway(record: Record, found: Mapping[str, Any]) -> Record:
    for key in _DEAL:
        if found.get(key) is not None:
            raise NotationError(f"a record with a 'start' has no {key!r}: the start says it all.")
    seat = Seat.S if record.seat is None else record.seat
    return replace(record, seat=seat, start=parse_start(found["start"], record.rules, seat))


# -- a record from the first lead on ---------------------------------------------------------------


def _begin_deal(record: Record, found: Mapping[str, Any]) -> Record:
    leader, given, up = (required(found, key, "the record") for key in _DEAL[:3])
    pack, talon = record.rules.pack, found.get("talon")
    hands = by_seat(given, "the record's hands")
    record = replace(
        record,
        leader=seat_of(leader, "the record's leader"),
        hands=(_read_hand(hands, Seat.S, pack), _read_hand(hands, Seat.N, pack)),
        upcard=card_of(up, "the record's upcard", pack),
        talon=None if talon is None else cards_of(talon, "the record's talon", pack),
    )
    _check_hands(record)
    _check_talon(record)
    return record


def _read_hand(hands: Mapping[Seat, Any], seat: Seat, pack: int) -> int | None:
    return hand_of(hands[seat], f"the hand of {seat}", pack) if seat in hands else None


def _check_hands(record: Record) -> None:
    """Check that the hands have their cards, no card twice, and that the record's eyes have one."""
    if record.hands == (None, None):
        raise NotationError("the record gives no hand: write the cards of S, of N or of both.")
    if record.seat is not None and record.hands[record.seat] is None:
        raise NotationError(f"the record is seen by {record.seat}, but that hand is not given.")
    assert record.upcard is not None
    elsewhere, n = record.upcard.mask, record.rules.hand
    for seat in SEATS:
        hand = record.hands[seat] or 0
        if record.hands[seat] is not None and hand.bit_count() != n:
            raise NotationError(f"the hand of {seat} has {hand.bit_count()} cards, not {n}.")
        _check_once(hand, elsewhere, f"in the hand of {seat}")
        elsewhere |= hand


def _check_talon(record: Record) -> None:
    """Check that a talon completes the pack; its last card is the upcard."""
    if record.talon is None:
        return
    s, n = record.hands
    if s is None or n is None:
        raise NotationError("the record gives the talon, but not both hands: give all or neither.")
    if len(record.talon) != record.rules.talon:
        raise NotationError(
            f"the record's talon has {len(record.talon)} cards: with the upcard "
            f"it has {record.rules.talon} after the deal."
        )
    if record.talon[-1] != record.upcard:
        raise NotationError(
            f"the record's talon ends with {record.talon[-1]}: its last card is the upcard "
            f"{record.upcard}."
        )
    _check_once(mask_of(record.talon), s | n, "in the talon")


def _check_once(mask: int, elsewhere: int, where: str) -> None:
    twice = cards(mask & elsewhere)
    if twice:
        raise NotationError(f"{twice[0]} stands {where} and once more: a card exists only once.")


# -- events and match ------------------------------------------------------------------------------


def _read_events(value: object) -> tuple[Event, ...]:
    events = () if value is None else parse_events(text_of(value, "the record's events"))
    for number, event in enumerate(events, start=1):
        if event.seat not in SEATS:
            raise NotationError(f"event {number}, '{event}': two players sit at S and N.")
    return events


def _read_match(value: object, record: Record) -> Match | None:
    if value is None:
        return None
    found = as_object(value, "the record's match")
    only(found, _MATCH, "the record's match")
    score = counts_of(required(found, "score", "the record's match"), "the match's score")
    dealer = _read_dealer(found.get("dealer"), record.leader)
    match = Match(score, dealer, count_of(found.get("carry", 0), "the match's carry"))
    won = match.winner(record.rules)
    if won is not None:
        raise NotationError(
            f"{won} has {score[won]} game points of {record.rules.target}: that match is over."
        )
    return match


def _read_dealer(value: object, leader: Seat | None) -> Seat:
    if value is not None:
        dealer = seat_of(value, "the match's dealer")
        if dealer == leader:
            raise NotationError(f"{dealer} cannot deal and lead to trick 1: the other one deals.")
        return dealer
    if leader is None:
        raise NotationError("the record's match does not say 'dealer', nor the start who dealt.")
    return other(leader)


def _match_json(match: Match) -> dict[str, Any]:
    found = {"score": per_seat(match.score), "dealer": str(match.dealer)}
    return found | ({"carry": match.carry} if match.carry else {})


def mended(record: Record, changes: object) -> Record:
    """Return a record seen from one seat with some keys of its set-up put right, without events.

    With another leader the other one deals. Raise NotationError if it does not make a deal.

    >>> record = parse_record({"rules": "sixty-six", "leader": "N", "upcard": "JH", "seat": "S",
    ...     "hands": {"S": "AS KH QH 9C JD TD"}, "match": {"score": {"S": 1, "N": 0}}})
    >>> found = mended(record, {"leader": "S", "upcard": "9H"})
    >>> found.upcard, found.match.dealer
    (<Card.H9: 6>, <Seat.N: 1>)
    """
    given = as_object(changes, "a corrected set-up")
    only(given, _SET_UP, "a corrected set-up")
    former = replace(record, events=()).to_json()
    if "leader" in given:
        former.get("match", {}).pop("dealer", None)
    assert record.seat is not None
    return eyes(parse_record(former | given), record.seat)


# -- what a record says ----------------------------------------------------------------------------


def public(record: Record) -> PublicState:
    """Return what everybody sees at the beginning of a record."""
    if record.start is not None:
        return record.start.public(record.rules)
    assert record.leader is not None
    assert record.upcard is not None
    return PublicState.deal(record.rules, record.leader, record.upcard)


def eyes(record: Record, seat: Seat) -> Record:
    """Return what one seat sees of a record: no talon, no other hand, the other's draws unseen.

    Raise NotationError if the record does not hold the cards of that seat, its draws included.

    >>> hands = {"S": "AS KH QH 9C JD TD", "N": "KS QS TC AD KC 9D"}
    >>> deal = {"rules": "sixty-six", "leader": "N", "upcard": "JH", "hands": hands}
    >>> seen = eyes(parse_record(deal | {"events": "N:TC S:9C N:+AC S:+9S"}), Seat.S)
    >>> format_events(seen.events), seen.hands[Seat.N]
    ('N:TC S:9C N:+ S:+9S', None)
    """
    start, hands = record.start, record.hands
    if start is not None:
        start = _eyes_midway(start, seat)
    elif hands[seat] is None:
        raise NotationError(f"the record does not hold the cards of {seat}.")
    else:
        hands = (hands[Seat.S], None) if seat == Seat.S else (None, hands[Seat.N])
    if seat != record.seat:
        _check_draws(record, seat)
    events = record.events
    if record.hands[other(seat)] is not None or seat != record.seat:
        events = tuple(_unseen(event) if event.seat != seat else event for event in events)
    return replace(record, seat=seat, hands=hands, talon=None, start=start, events=events)


def _eyes_midway(start: Start, seat: Seat) -> Start:
    if seat == start.seat:
        return start
    if start.talon:
        raise NotationError(f"the start is set up by {start.seat}: it lacks the hand of {seat}.")
    return start.flip()


def _unseen(event: Event) -> Event:
    return event._replace(action=UNSEEN_DRAW) if event.action.kind == Kind.DRAW else event


def _check_draws(record: Record, seat: Seat) -> None:
    """Check that a seat's draws are listed in each round in which the other's are.

    The last round is left out: there one of the two takes the upcard, which needs no entry.
    """
    listed: dict[int, list[Event]] = {}
    n_laid = 0
    for event in record.events:
        n_laid += event.action.kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.AGAINST)
        if event.action.kind == Kind.DRAW:
            listed.setdefault(n_laid // 2, []).append(event)
    for trick, draws in listed.items():
        seen = any(event.seat == seat and event.action.card is not None for event in draws)
        if not seen and trick < record.rules.talon // 2:
            raise NotationError(
                f"the record does not list what {seat} drew after trick {trick}, "
                f"so it can be seen by {other(seat)} only."
            )
