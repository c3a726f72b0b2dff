"""Replay a fully known record on its true cards, and find what does not fit them."""

from __future__ import annotations

from collections.abc import Iterator

from inference.cards import Card, Seat, cards
from inference.errors import ContradictionError, InferenceError
from inference.game import entries
from inference.game.events import UNSEEN_DRAW, Event, Kind
from inference.game.position import Position
from inference.game.record import Record


def opening(record: Record) -> Position:
    """Return the position after the deal of a complete record."""
    (mine, his), talon, leader = record.hands, record.talon, record.leader
    assert mine is not None
    assert his is not None
    assert talon is not None
    assert leader is not None
    return Position.of(record.rules, leader, (cards(mine), cards(his)), talon)


def positions(record: Record) -> Iterator[tuple[Event, Position]]:
    """Yield each event of a complete record with the position after it.

    A round of drawing is done at its first entry, or before the next card if it is not written.
    Raise an InferenceError that names the entry if an event does not fit the cards.
    """
    position, drawn = opening(record), dict[Seat, Card | None]()
    for number, event in enumerate(record.events, start=1):
        try:
            due = position.public.to_draw and event.action.kind not in entries.BEFORE_DRAWING
            if due:
                drawn = {e.seat: e.action.card for e in position.drawn()}
                position = position.play(UNSEEN_DRAW)
            if event.action.kind == Kind.DRAW:
                _check_draw(event, drawn.pop(event.seat, None))
            else:
                entries.check(position.view(event.seat), event, {})
                position = position.play(event.action, event.seat)
        except InferenceError as error:
            error.args = (f"entry {number}, {error}",)
            raise
        yield event, position


def _check_draw(event: Event, card: Card | None) -> None:
    if card is None:
        raise ContradictionError(f"{event}: {event.seat} has nothing to draw here.")
    if event.action.card not in (None, card):
        raise ContradictionError(f"{event}: by the record's talon {event.seat} draws {card}.")


def check(record: Record) -> None:
    """Raise an InferenceError that names the entry if a complete record cannot be true."""
    for _ in positions(record):
        pass
