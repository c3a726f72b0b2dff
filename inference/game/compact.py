"""Deals as one line for a message to a friend, both ways (docs/notation.md section 5)."""

from __future__ import annotations

import re
from typing import Any

from inference.cards import show
from inference.errors import NotationError
from inference.game.fields import brief, seat_of
from inference.game.match import Match
from inference.game.notation import format_events
from inference.game.record import Record, parse_record
from inference.game.rules import Rules
from inference.game.state import SEATS

_PLAIN = re.compile(r"[^|\s]+(?: +[^|\s]+)*")
_EVENT = re.compile(r"[A-Z]:\S")
_SCORE = re.compile(r"(\d{1,3}):(\d{1,3}) (\S+) deals(?: carry (\d{1,3}))?")
_NOTES = {"with": "opponent", "on": "date"}


def format_compact(record: Record) -> str:
    """Write a deal on one line that people can read; of its notes only opponent and date are kept.

    Raise NotationError for a deal that begins in the middle: only JSON holds it.

    >>> deal = {"rules": "schnapsen", "seat": "S", "leader": "N", "upcard": "JH"}
    >>> record = parse_record(deal | {"hands": {"S": "AS KH QH JD TD"}, "events": "N:TC S:JD"})
    >>> format_compact(record)
    'schnapsen | S sees | N leads | S AS KH QH TD JD | up JH | N:TC S:JD'
    """
    if record.start is not None:
        raise NotationError("a deal that begins in the middle has no short form: take the JSON.")
    talon = record.talon
    parts = [
        _rules(record.rules),
        f"{record.seat} sees" if record.seat is not None else "",
        f"{record.leader} leads",
        *(f"{s} {show(h)}" for s, h in zip(SEATS, record.hands, strict=True) if h is not None),
        f"up {record.upcard}" if talon is None else f"talon {' '.join(map(str, talon))}",
        "" if record.match is None else _match(record.match),
        *(
            f"{word} {_note(record.meta[key])}"
            for word, key in _NOTES.items()
            if key in record.meta
        ),
        format_events(record.events),
    ]
    return " | ".join(part for part in parts if part)


def _rules(rules: Rules) -> str:
    found = rules.to_json()
    if isinstance(found, str):
        return found
    return " ".join([found.pop("base"), *(f"{key}={value}" for key, value in found.items())])


def _match(match: Match) -> str:
    s, n = match.score
    carry = f" carry {match.carry}" if match.carry else ""
    return f"score {s}:{n} {match.dealer} deals{carry}"


def _note(value: object) -> str:
    if not isinstance(value, str) or not _PLAIN.fullmatch(value):
        raise NotationError(f"the note {brief(value)} does not fit into the short form.")
    return value


def parse_compact(line: str) -> Record:
    """Read a deal from its line: the inverse of `format_compact`; raise NotationError.

    >>> record = parse_compact("sixty-six target=11|S sees|N leads|S A♠ K♥ Q♥ 10♦ J♦ 9♣|up JH")
    >>> record.rules.target, show(record.hand)
    (11, 'AS KH QH TD JD 9C')
    """
    rules, *parts = (part.strip() for part in line.strip().split("|"))
    found: dict[str, Any] = {"rules": _read_rules(rules)}
    for part in filter(None, parts):
        for key, value in _read(part).items():
            kept = found.get(key)
            if kept is None:
                found[key] = value
            elif isinstance(kept, dict) and not kept.keys() & value.keys():
                kept.update(value)
            else:
                raise NotationError(f"the line says it twice: {brief(part)}.")
    talon = found.get("talon")
    if talon:
        found.setdefault("upcard", talon.split()[-1])
    return parse_record(found)


def _read_rules(text: str) -> str | dict[str, Any]:
    base, *changes = text.split() or [""]
    if not changes:
        return base
    house: dict[str, Any] = {"base": base}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or key in house:
            raise NotationError(f"{brief(change)} is no house rule: write it like target=11.")
        house[key] = {"True": True, "False": False}.get(value, value)
        if value.isascii() and value.isdigit() and len(value) < 4:
            house[key] = int(value)
    return house


def _read(part: str) -> dict[str, Any]:
    """Read one part between the bars as keys of a record."""
    word, _, rest = part.partition(" ")
    rest = rest.strip()
    if _EVENT.match(part):
        return {"events": part}
    if rest in ("sees", "leads"):
        return {"seat" if rest == "sees" else "leader": str(seat_of(word, "the seat"))}
    match word:
        case "S" | "N":
            return {"hands": {word: rest}}
        case "up":
            return {"upcard": rest}
        case "talon":
            return {"talon": rest}
        case "score":
            return {"match": _read_match(rest)}
        case "with" | "on":
            return {"meta": {_NOTES[word]: rest}}
    raise NotationError(
        f"{brief(part)} is no part of a deal: after the rules come, with | between them, "
        "'S sees', 'N leads', 'S AS KH …', 'up JH', 'score 5:6 N deals', 'with Anna', "
        "'on 2026-11-30' and last the events."
    )


def _read_match(text: str) -> dict[str, Any]:
    found = _SCORE.fullmatch(" ".join(text.split()))
    if found is None:
        raise NotationError(f"{brief(text)} is no score: write it like 'score 5:6 N deals'.")
    s, n, dealer, carry = found.groups()
    return {"score": {"S": int(s), "N": int(n)}, "dealer": dealer, "carry": int(carry or 0)}
