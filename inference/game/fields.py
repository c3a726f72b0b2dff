"""Strict JSON and the typed fields of a record: each misfit is one NotationError sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from inference.cards import Card, Seat, mask_of, parse_cards
from inference.errors import NotationError
from inference.game.scoring import Outcome
from inference.game.state import SEATS

_DEEPEST = 32
_LARGEST = 2**53
"""Whole numbers beyond it do not survive every JSON reader."""
_LONGEST = 300
"""No list of cards is longer, however it is spaced."""
_HALF_LETTERS = re.compile("[\ud800-\udfff]")
_LINE_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029]")


def read_object(text: str) -> dict[str, Any]:
    """Read one JSON object; raise NotationError for anything else, and for a key given twice.

    >>> read_object('{"seat": "S"}')
    {'seat': 'S'}
    """
    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once)
    except NotationError:
        raise
    except json.JSONDecodeError as error:
        raise NotationError(
            f"this is not one JSON object on one line: {error.msg} at character {error.pos + 1}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise NotationError("this JSON has a number too long or lists too deep to read.") from error
    return as_object(value, "a record")


def write_object(value: Mapping[str, Any]) -> str:
    """Write a JSON object on one line: the inverse of `read_object`."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _LINE_BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotationError(f"the key {brief(key)} stands twice in one object.")
        found[key] = value
    return found


def as_object(value: object, what: str) -> dict[str, Any]:
    """Return a deep copy of a JSON object; raise NotationError for what JSON cannot hold."""
    if not isinstance(value, Mapping):
        raise NotationError(f"{what} must be an object in braces, not {_kind(value)}.")
    copied: dict[str, Any] = _plain(value, _DEEPEST)
    return copied


def _plain(value: object, depth: int) -> Any:
    if depth == 0:
        raise NotationError(f"a record is nested at most {_DEEPEST} deep.")
    if isinstance(value, Mapping):
        return {_plain_key(key): _plain(one, depth - 1) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one, depth - 1) for one in value]
    _check_atom(value)
    return value


def _plain_key(key: object) -> str:
    if not isinstance(key, str):
        raise NotationError(f"the keys of a record are text, not {_kind(key)}.")
    _check_atom(key)
    return key


def _check_atom(value: object) -> None:
    if isinstance(value, str):
        if _HALF_LETTERS.search(value):
            raise NotationError(f"the text {brief(value)} holds half a letter (a lone surrogate).")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise NotationError("a number in a record must be finite: NaN and Infinity are not.")
    elif isinstance(value, int):
        if abs(value) > _LARGEST:
            raise NotationError("a whole number in a record is at most 2**53.")
    elif value is not None:
        raise NotationError(f"JSON cannot hold {_kind(value)}.")


def _kind(value: object) -> str:
    """Name a value's kind as JSON does."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list"}
    if isinstance(value, Mapping):
        return "an object in braces"
    return names.get(type(value), f"a value of type {type(value).__name__}")


def brief(value: object) -> str:
    """Quote a text, shortened so that a sentence stays a sentence; name the kind of the rest."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    return str(value) if type(value) is int and abs(value) <= _LARGEST else _kind(value)


def only(found: Iterable[str], keys: Collection[str], what: str) -> None:
    """Raise NotationError for the first key that is not allowed."""
    for key in found:
        if key not in keys:
            raise NotationError(f"{what} has no key {brief(key)}: the keys are {', '.join(keys)}.")


def required(found: Mapping[str, Any], key: str, what: str) -> Any:
    """Return a value that must be given; null counts as not given."""
    value = found.get(key)
    if value is None:
        raise NotationError(f"{what} does not say {key!r}.")
    return value


def text_of(value: object, what: str) -> str:
    """Return a text; raise NotationError for any other value."""
    if not isinstance(value, str):
        raise NotationError(f"{what} must be text, not {_kind(value)}.")
    return value


def count_of(value: object, what: str) -> int:
    """Return a whole number from 0 to 999; raise NotationError for any other value."""
    if type(value) is not int or not 0 <= value <= 999:
        raise NotationError(f"{what} must be a whole number from 0 to 999, not {brief(value)}.")
    return value


def seat_of(value: object, what: str) -> Seat:
    """Return S or N; raise NotationError for any other value."""
    if value not in ("S", "N"):
        raise NotationError(f"{what} must be S or N, where two players sit, not {brief(value)}.")
    return Seat[str(value)]


def by_seat(value: object, what: str) -> dict[Seat, Any]:
    """Return an object's values by seat, without nulls; raise NotationError for other keys."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise NotationError(f'{what} must be an object by seat, like {{"S": …, "N": …}}.')
    return {seat_of(k, f"a key of {what}"): v for k, v in value.items() if v is not None}


def counts_of(value: object, what: str, default: int | None = None) -> tuple[int, int]:
    """Return a number for each seat; one that is not given is the default, if there is one."""
    found = by_seat(value, what)
    for seat in SEATS:
        if seat not in found and default is None:
            raise NotationError(f"{what} must be given for both seats; {seat} is missing.")
    s, n = (count_of(found.get(seat, default), f"{what} of {seat}") for seat in SEATS)
    return s, n


def cards_of(value: object, what: str, pack: int) -> tuple[Card, ...]:
    """Return cards of the pack, given as text, in their order; raise NotationError."""
    text = text_of(value, what)
    if len(text) > _LONGEST:
        raise NotationError(f"{what}: {brief(text)} is too long for cards.")
    try:
        found = tuple(parse_cards(text))
    except NotationError as error:
        raise NotationError(f"{what}: {error}") from error
    for card in found:
        if not card.mask & pack:
            raise NotationError(f"{what}: {card} is not in a pack of {pack.bit_count()} cards.")
    return found


def hand_of(value: object, what: str, pack: int) -> int:
    """Return the mask of cards of the pack, given as text; raise NotationError."""
    return mask_of(cards_of(value, what, pack))


def card_of(value: object, what: str, pack: int) -> Card:
    """Return one card of the pack, given as text; raise NotationError."""
    found = cards_of(value, what, pack)
    if len(found) != 1:
        raise NotationError(f"{what} must be one card, not {len(found)}.")
    return found[0]


def hands_of(value: object, what: str, pack: int) -> tuple[int, int]:
    """Return a mask of cards for each seat, 0 where none are given."""
    found = by_seat(value, what)
    s, n = (hand_of(found.get(seat, ""), f"{what} of {seat}", pack) for seat in SEATS)
    return s, n


def outcome_of(value: object, what: str) -> Outcome:
    """Read how a deal ended: winner, game points and reason; raise NotationError otherwise.

    >>> outcome_of({"winner": "S", "game_points": 2, "reason": "out"}, "the result")
    Outcome(winner=<Seat.S: 0>, game_points=2, reason='out')
    """
    found = as_object(value, what)
    only(found, Outcome._fields, what)
    winner = found.get("winner")
    return Outcome(
        None if winner is None else seat_of(winner, "the winner"),
        count_of(required(found, "game_points", what), "the game points"),
        text_of(required(found, "reason", what), "the reason"),
    )
