"""Events as text, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import events

from inference.cards import Card, Seat, mask_of
from inference.errors import InferenceError, NotationError
from inference.game.events import (
    CLAIM,
    CLOSE,
    EXCHANGE,
    MOON,
    UNSEEN_DRAW,
    Action,
    Event,
    Kind,
    announce,
    play,
)
from inference.game.notation import (
    format_events,
    parse_action,
    parse_event,
    parse_events,
    parse_seat,
    parse_suit,
)

TABLE = {
    "N:KH": Event(Seat.N, play(Card.HK)),
    "N:KH*": Event(Seat.N, announce(Card.HK)),
    "N:x": Event(Seat.N, EXCHANGE),
    "N:c": Event(Seat.N, CLOSE),
    "N:!": Event(Seat.N, CLAIM),
    "N:9C~": Event(Seat.N, Action(Kind.AGAINST, Card.C9)),
    "N:=ASKH": Event(Seat.N, Action(Kind.KNOWN, mask=mask_of([Card.SA, Card.HK]))),
    "E:b2": Event(Seat.E, Action(Kind.BID, number=2)),
    "E:b-": Event(Seat.E, Action(Kind.BID, number=0)),
    "E:bm": Event(Seat.E, Action(Kind.BID, number=MOON)),
    "E:#H": Event(Seat.E, Action(Kind.TRUMP, number=1)),
    "W:w9SKDAC": Event(Seat.W, Action(Kind.WIDOW, mask=mask_of([Card.S9, Card.DK, Card.CA]))),
    "S:+AS": Event(Seat.S, Action(Kind.DRAW, Card.SA)),
    "N:+": Event(Seat.N, UNSEEN_DRAW),
    "N:/": Event(Seat.N, Action(Kind.GIVE_UP)),
    "S:z": Event(Seat.S, Action(Kind.ABANDON)),
    "N:r": Event(Seat.N, Action(Kind.REVOKE)),
}


@pytest.mark.parametrize(("text", "event"), TABLE.items())
def test_the_table_of_events_reads_and_writes(text: str, event: Event) -> None:
    assert parse_event(text) == event
    assert str(event) == text
    assert parse_action(text[2:]) == event.action


@given(st.lists(events(st.sampled_from(Seat))))
def test_what_is_written_reads_back(some: list[Event]) -> None:
    assert parse_events(format_events(some)) == tuple(some)


LOOKS = {
    "T": ["T", "t", "10"],
    "S": ["S", "s", "♠", "♠\ufe0f", "♠\ufe0e", "♤"],
    "H": ["H", "h", "♥"],
}
LOOKS |= {"D": ["D", "d", "♦\ufe0f"], "C": ["C", "c", "♣\ufe0e"]}


@given(events(st.sampled_from(Seat)), st.data())
def test_only_the_letters_of_cards_have_many_looks(event: Event, data: st.DataObject) -> None:
    text = str(event.action)
    head = text[: len(text) - len(text.lstrip("+=wb#xc!/zr"))]
    cards = text.removeprefix(head)
    if event.action.kind != Kind.BID:
        cards = "".join(
            data.draw(st.sampled_from(LOOKS.get(letter, [letter, letter.lower()])))
            for letter in cards
        )
    assert parse_event(f"{event.seat}:{head}{cards}") == event


@pytest.mark.parametrize("text", ["n:KH", "N:X", "N:C", "N:R", "N:Z", "W:W9SKDAC", "E:BM", "E:B2"])
def test_other_letters_are_as_written(text: str) -> None:
    with pytest.raises(NotationError):
        parse_event(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("N:?", "reserved for a card that was played but that you missed"),
        ("KH", "write seat, colon, action"),
        ("", "not one event"),
        ("N:", "not one event"),
        ("N: KH", "not one event|blanks"),
        ("X:KH", "'X' is no seat"),
        (":KH", "'' is no seat"),
        ("N:KX", "'KX' is neither a card"),
        ("N:1S", "neither a card"),
        ("N:KH**", "neither a card"),
        ("N:*", "neither a card"),
        ("N:KH~*", "neither a card"),
        ("N:xx", "neither a card"),
        ("N:+KX", "'KX' is not a card"),
        ("N:=", "names no card"),
        ("N:=ASAS", "AS stands twice"),
        ("N:=ASK", "'K' is not a card"),
        ("W:w", "names no card"),
        ("E:b", "'b' is no bid"),
        ("E:b0", "'b0' is no bid"),
        ("E:b²", "no bid"),
        ("E:#", "no suit"),
        ("E:#HH", "no suit"),
        ("N:" + "=AS" * 200, "too long"),
    ],
)
def test_what_is_no_event_says_so(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence) as caught:
        parse_event(text)
    assert len(str(caught.value)) < 250


def test_an_error_among_events_names_its_number_and_text() -> None:
    with pytest.raises(NotationError, match=r"event 3, 'S:KX': 'KX' is neither"):
        parse_events("N:TC S:9C\n S:KX N:AH")


@pytest.mark.parametrize("value", [None, 7, ["N:KH"], b"N:KH", {}])
def test_events_are_text(value: object) -> None:
    for reader in (parse_event, parse_events, parse_action, parse_suit, parse_seat):
        with pytest.raises(NotationError):
            reader(value)


def test_no_text_is_no_event() -> None:
    assert parse_events("") == parse_events(" \n\t") == ()


@given(st.text() | st.text(alphabet="NSWE:AKQJT9SHDC*~xc!+=/zrw#b-m210?♥\ufe0f ", max_size=30))
def test_any_text_reads_or_is_refused(text: str) -> None:
    try:
        some = parse_events(text)
    except InferenceError:
        return
    assert parse_events(format_events(some)) == some
