"""Deals in and out of the store: lines of JSON or of the short form, checked one by one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

from inference.archive.lists import look_up
from inference.archive.notes import mark
from inference.errors import InferenceError, NotationError
from inference.game.compact import parse_compact
from inference.game.fields import (
    outcome_of,
)
from inference.game.record import Record, eyes, format_record, parse_record
from inference.game.scoring import Outcome
from inference.paths import data_file
from inference.session import Session
from inference.store import Store, schema
from inference.store.log import add
from inference.store.summary import Summary, bare, digest

COUNTING = "counting"
"""Whether a deal can be true, and who won it, needs no model of the opponent."""
AT_ONCE = 50
"""Deals written in one go: what was written before a power cut stays."""


@dataclass
class Imported:
    """Hold what became of the lines: new deals, deals that were there, and bad lines by number.

    `added` are ids of new deals and of deleted ones that came back, `known` those there already.
    """

    added: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)


class _Checked(NamedTuple):
    """Hold a deal that can be true, ready to be written."""

    session: Session
    result: Outcome | None
    whole: str | None
    digest: str


def import_lines(
    store: Store, lines: Iterable[str], *, own: bool | None = None, first: int = 1
) -> Imported:
    """Write deals into the store, one a line, as JSON or in the short form; empty lines are none.

    A deal that is there already is left as it is, so a file can be read again after an
    interruption. A bad line is reported by its number, counted from `first`, and the others are
    kept. `own` says whose deals they are where a record does not say it itself.
    """
    found = Imported()
    numbered = ((n, line) for n, line in enumerate(lines, start=first) if line.strip())
    while some := list(islice(numbered, AT_ONCE)):
        checked = list(_checked(some, own, found))
        with schema.writing(store.path) as db:
            for one in checked:
                _put(db, one, found)
    return found


def load_sample(store: Store) -> Imported:
    """Write the sample session into the store, marked as not one's own; a second time is nothing.

    It was played by two simulated players (data/README.md).
    """
    text = data_file("session.jsonl").read_text(encoding="utf-8")
    return import_lines(store, text.splitlines(), own=False)


def read_line(line: str) -> Record:
    """Read a deal from a line of JSON or of the short form; raise NotationError."""
    return parse_record(line) if line.lstrip("\ufeff \t").startswith("{") else parse_compact(line)


def _checked(
    lines: Iterable[tuple[int, str]], own: bool | None, found: Imported
) -> Iterator[_Checked]:
    for number, line in lines:
        try:
            yield _check(line, own)
        except InferenceError as error:
            found.bad.append((number, str(error)))


def _check(line: str, own: bool | None) -> _Checked:
    """Replay a deal, and read what its `meta` says beyond the notes."""
    record = read_line(line)
    meta = dict(record.meta)
    given = meta.pop("result", None)
    if own is not None:
        meta.setdefault("own", own)
    record = replace(record, meta=meta)
    session = Session.from_record(record, model=COUNTING)
    outcome = session.tracker.view.public.outcome
    if given is not None:
        if outcome is None:
            raise NotationError("the record gives a result, but the deal is not over.")
        outcome = outcome_of(given, "the result")
    whole = None if None in record.hands else format_record(replace(record, meta={}))
    return _Checked(session, outcome, whole, digest(record))


def _put(db: sqlite3.Connection, one: _Checked, found: Imported) -> None:
    """Write a deal, unless it is there; one that was deleted comes back."""
    there = _there(db, one)
    if there is None:
        found.added.append(add(db, one.session, one.result, one.whole, one.digest))
        return
    deal, deleted = there
    if deleted is not None:
        mark(db, deal, None)
    (found.known if deleted is None else found.added).append(deal)


def _there(db: sqlite3.Connection, one: _Checked) -> tuple[str, str | None] | None:
    seen = digest(bare(one.session))
    row: tuple[str, str | None] | None = db.execute(
        "SELECT id, deleted FROM deal WHERE origin = ?1 UNION ALL"
        " SELECT deal, deleted FROM summary WHERE content = ?2 LIMIT 1",
        (one.digest, seen),
    ).fetchone()
    return row


# -- out -------------------------------------------------------------------------------------------


def export_record(store: Store, deal: str) -> Record:
    """Return a deal as a record, complete if both hands are known, with what is noted of it.

    Its `meta` says date, opponent, result, notes: all that `import_lines` needs to restore it.
    """
    now, row = store.replay(deal, model=COUNTING), look_up(store, deal)
    record = replace(now.session.record, events=now.session.events)
    known = _whole(store, now.id, now.session)
    if known is not None:
        record = replace(known, meta=record.meta, match=record.match)
    meta: dict[str, Any] = {"date": row.played} | dict(record.meta)
    if now.result is not None:
        winner = None if now.result.winner is None else str(now.result.winner)
        meta["result"] = now.result._asdict() | {"winner": winner}
    return replace(record, meta=meta)


def export_line(store: Store, deal: str) -> str:
    """Return a deal as one line of JSON."""
    return format_record(export_record(store, deal))


def export_lines(store: Store, deals: Sequence[Summary]) -> Iterator[str]:
    """Yield what a search has found as lines of JSON, the first played first as in a match."""
    for one in reversed(deals):
        yield export_line(store, one.id)


def whole(store: Store, deal: str) -> Record | None:
    """Return the complete record of a deal, both hands and the talon; None if nobody knows them.

    It is there for deals that were read from one, until an entry or the set-up is changed.
    """
    return _whole(store, deal, store.replay(deal, model=COUNTING).session)


def _whole(store: Store, deal: str, seen: Session) -> Record | None:
    with schema.connected(store.path) as db:
        (line,) = db.execute("SELECT whole FROM deal WHERE id = ?", (deal,)).fetchone()
    if line is None:
        return None
    record = parse_record(line)
    as_seen = eyes(record, seen.tracker.view.seat)
    return record if digest(as_seen) == digest(bare(seen)) else None


def import_text(store: Store, text: str) -> Imported:
    """Write the deals of a pasted or uploaded text into the store."""
    return import_lines(store, text.splitlines())
