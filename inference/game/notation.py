"""Events as text, both ways (docs/notation.md): this module reads, `str` of an event writes."""

from __future__ import annotations

from collections.abc import Iterable

from inference.cards import Seat, Suit, parse_card, parse_hand
from inference.errors import NotationError
from inference.game.events import (
    CLAIM,
    CLOSE,
    EXCHANGE,
    MOON,
    UNSEEN_DRAW,
    Action,
    Event,
    Kind,
)

_BARE = {
    str(action): action
    for action in (
        EXCHANGE,
        CLOSE,
        CLAIM,
        UNSEEN_DRAW,
        Action(Kind.GIVE_UP),
        Action(Kind.ABANDON),
        Action(Kind.REVOKE),
    )
}
_LAID = {Kind.ANNOUNCE.value: Kind.ANNOUNCE, Kind.AGAINST.value: Kind.AGAINST}
_BIDS = {"-": 0, "m": MOON} | {str(n): n for n in range(1, 10)}
_LONGEST = 120
"""No event is longer: 24 cards of four characters, and some more."""


def parse_events(text: str) -> tuple[Event, ...]:
    """Read events with blanks between them; raise NotationError naming the event's number.

    >>> [str(event) for event in parse_events("N:10c S:9♣  S:+AC")]
    ['N:TC', 'S:9C', 'S:+AC']
    """
    return tuple(_numbered(n, word) for n, word in enumerate(_text(text).split(), start=1))


def format_events(events: Iterable[Event]) -> str:
    """Write events with one blank between them: the inverse of `parse_events`."""
    return " ".join(str(event) for event in events)


def parse_event(text: str) -> Event:
    """Read one event; raise NotationError if it is none.

    >>> parse_event("N:kh*").action
    Action(kind=<Kind.ANNOUNCE: '*'>, card=<Card.HK: 9>, mask=0, number=0)
    """
    seat, colon, action = _word(text).partition(":")
    if not colon:
        raise NotationError(f"{text!r} is no event: write seat, colon, action, as in 'N:KH'.")
    return Event(parse_seat(seat), parse_action(action))


def parse_seat(text: str) -> Seat:
    """Read a seat, a capital letter; raise NotationError if it is none."""
    if _text(text) not in Seat.__members__:
        raise NotationError(f"{text!r} is no seat: the seats are S, N, W, E in capital letters.")
    return Seat[text]


def parse_action(text: str) -> Action:
    """Read an action without its seat; raise NotationError if it is none.

    >>> [str(parse_action(t)) for t in ("KH*", "x", "+10♠", "w9skdac", "=A♠ K♥".replace(" ", ""))]
    ['KH*', 'x', '+TS', 'w9SKDAC', '=ASKH']
    """
    word = _word(text)
    if word in _BARE:
        return _BARE[word]
    rest = word[1:]
    match word[0]:
        case "?":
            raise NotationError(
                "'?' is reserved for a card that was played but that you missed; "
                "it cannot be entered yet, so enter the card."
            )
        case "+":
            return Action(Kind.DRAW, parse_card(rest))
        case "=" | "w" as mark:
            return Action(Kind(mark), mask=_some_cards(word, rest))
        case "b":
            return Action(Kind.BID, number=_bid(word, rest))
        case "#":
            return Action(Kind.TRUMP, number=parse_suit(rest))
    return _laid(word)


def parse_suit(text: str) -> Suit:
    """Read a suit; raise NotationError if it is none.

    >>> parse_suit("♥").word, parse_suit("d").word
    ('hearts', 'diamonds')
    """
    try:
        return parse_card(f"A{_text(text)}").suit
    except NotationError as error:
        raise NotationError(f"{text!r} is no suit: write S, H, D or C.") from error


def _laid(word: str) -> Action:
    kind = _LAID.get(word[-1], Kind.PLAY)
    try:
        return Action(kind, parse_card(word if kind == Kind.PLAY else word[:-1]))
    except NotationError as error:
        raise NotationError(
            f"{word!r} is neither a card, like KH or KH*, nor another action: "
            "x c ! + / z r in small letters."
        ) from error


def _some_cards(word: str, names: str) -> int:
    mask = parse_hand(names)
    if not mask:
        raise NotationError(f"{word!r} names no card: write them after it, as in '{word[0]}ASKH'.")
    return mask


def _bid(word: str, number: str) -> int:
    if number not in _BIDS:
        raise NotationError(f"{word!r} is no bid: write b2, b- to pass, bm for the moon.")
    return _BIDS[number]


def _numbered(n: int, word: str) -> Event:
    try:
        return parse_event(word)
    except NotationError as error:
        raise NotationError(f"event {n}, {word[:_LONGEST]!r}: {error}") from error


def _word(text: str) -> str:
    """Return a text without the blanks around it; raise NotationError unless it is one word."""
    words = _text(text).split()
    if len(words) != 1:
        raise NotationError(f"{text[:_LONGEST]!r} is not one event: blanks stand between events.")
    if len(words[0]) > _LONGEST:
        raise NotationError(f"{text[:20]!r}… is too long for one event.")
    return words[0]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{type(value).__name__} is no text: events are written like 'N:KH'.")
    return value
