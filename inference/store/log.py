"""Entries and the deals that follow from them: how the log is written and replayed."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from inference import opponents, regulars
from inference.errors import IllegalActionError, InferenceError, NotationError
from inference.game.fields import (
    outcome_of,
    read_object,
    write_object,
)
from inference.game.match import Match
from inference.game.notation import format_events
from inference.game.record import Record
from inference.game.scoring import Outcome
from inference.game.state import SEATS
from inference.opponents.person import memory
from inference.session import Session
from inference.store import schema, summary
from inference.store.summary import text_of

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Entry(NamedTuple):
    """Hold one thing that was entered: its kind, its text, and an id by which a repeat is known.

    An `event` has its text form, `undo` the number of entries taken back (none: the last change,
    which may be a correction), `correct` the object ``{"9": "N:QD"}`` (with ``"0"`` for what is put
    right in the set-up), `result` the object of winner, game points and reason.
    """

    kind: str
    payload: str
    uuid: str


class Deal(NamedTuple):
    """Hold a deal as its log tells it; `revision` is the number of the last entry (0 for none).

    `result` is what was confirmed at the end, None before and after any later entry.
    """

    id: str
    revision: int
    session: Session
    result: Outcome | None = None


def event(text: str) -> Entry:
    """Make the entry of an event, or of several that belong together."""
    return _entry("event", text)


def undo(n: int = 1) -> Entry:
    """Make the entry that takes back the last `n` entries."""
    return _entry("undo", str(n))


def revert() -> Entry:
    """Make the entry that takes back the last change, be it an entry or a correction."""
    return _entry("undo", "")


def correct(changes: Mapping[int, str | Mapping[str, Any]]) -> Entry:
    """Make the entry that replaces earlier ones by number, or parts of the set-up by number 0."""
    return _entry("correct", write_object({str(number): text for number, text in changes.items()}))


def result(outcome: Outcome) -> Entry:
    """Make the entry that confirms how the deal ended."""
    winner = None if outcome.winner is None else str(outcome.winner)
    return _entry("result", write_object(outcome._asdict() | {"winner": winner}))


def _entry(kind: str, payload: str) -> Entry:
    return Entry(kind, payload, uuid4().hex)


class Store:
    """Keep deals in one file; every call opens its own connection, so threads may share a store."""

    def __init__(self, path: Path) -> None:
        """Open a file or make it; raise InferenceError if it is not a store that can be read."""
        self.path = path
        if not schema.is_current(path):
            with schema.writing(path) as db:
                schema.upgrade(db, path)
                _summarise(db)

    def begin(self, record: str | Mapping[str, Any]) -> str:
        """Write down a new deal, its events as the first entry; return its id.

        The id cannot be guessed. What is known of a named opponent is written down with
        the deal, so that a replay later shows the same. Raise an InferenceError if the record does
        not fit.
        """
        session = Session.from_record(record)
        with schema.writing(self.path) as db:
            meta = _as_known(db, session.record.meta)
            known = {} if "styles" in meta else recalled(db, meta)
            session.note(known | meta)
            return add(db, session)

    def replay(self, deal: str, held: Deal | None = None, model: str = opponents.DEFAULT) -> Deal:
        """Compute a deal from its log; `held`, an older replay of it, saves work and is used up.

        `model` says how the opponent plays. Raise InferenceError for an unknown deal.
        """
        with schema.connected(self.path) as db:
            return _replayed(db, deal, held, model)

    def enter(self, deal: str, entry: Entry, held: Deal | None = None) -> Deal:
        """Append an entry after trying it on the session; a repeated one changes nothing.

        `held` is used up. Raise an InferenceError, with the log untouched, if it does not fit.
        """
        with schema.writing(self.path) as db:
            now = _replayed(db, deal, held)
            if db.execute("SELECT 1 FROM entry WHERE uuid = ?", (entry.uuid,)).fetchone():
                return now
            outcome = _apply(now.session, entry)
            revision = _insert(db, deal, entry)
            summary.write(db, deal, now.session, outcome)
            if outcome is not None:
                regulars.remember(db, deal, revision, now.session)
            return now._replace(revision=revision, result=outcome)

    def told(self, deal: str) -> dict[int, Record]:
        """Return what was written down of a deal after each revision, as records without notes.

        Raise InferenceError for an unknown deal.
        """
        with schema.connected(self.path) as db:
            steps = _steps(db, deal, None, "counting")  # no belief is asked for
            return {now.revision: summary.bare(now.session) for now in steps}

    def revision(self, deal: str) -> int:
        """Return the number of a deal's last entry."""
        with schema.connected(self.path) as db:
            last = db.execute("SELECT max(seq) FROM entry WHERE deal = ?", (deal,)).fetchone()[0]
        return int(last or 0)


def recalled(db: sqlite3.Connection, meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the notes of a deal are to say of how its opponent played before."""
    return regulars.expected(db, text_of(meta, "opponent"), partial(_session, db))


def _as_known(db: sqlite3.Connection, meta: Mapping[str, Any]) -> dict[str, Any]:
    name = text_of(meta, "opponent")
    return {**meta, "opponent": regulars.known_as(db, name)} if name else dict(meta)


def add(
    db: sqlite3.Connection,
    session: Session,
    outcome: Outcome | None = None,
    whole: str | None = None,
    origin: str | None = None,
) -> str:
    """Write a checked deal into an open store; return its id, which cannot be guessed.

    `whole` is its complete record if there is one, `origin` the digest of the record it came from.
    """
    deal = secrets.token_urlsafe(16).replace("-", "_")  # a dash in front is an option's in a shell
    setup = session.to_record() | {"events": ""}
    row = (deal, schema.now(), write_object(setup), whole, origin)
    db.execute("INSERT INTO deal (id, created, record, whole, origin) VALUES (?, ?, ?, ?, ?)", row)
    if session.events:
        _insert(db, deal, event(format_events(session.events)))
    if outcome is not None:
        _insert(db, deal, result(outcome))
    summary.write(db, deal, session, outcome)
    return deal


def next_deal(deal: Deal) -> dict[str, Any]:
    """Return what is known of the deal after a finished one: a record without its cards.

    After the last deal of a match a new match begins. Raise IllegalActionError before the end.
    """
    record, outcome = deal.session.record, deal.result
    if outcome is None:
        raise IllegalActionError("the result of this deal is not confirmed yet.")
    known = {"rules": record.rules.to_json(), "seat": str(deal.session.tracker.view.seat)}
    meta = {key: value for key, value in record.meta.items() if key not in summary.ONE_DEAL}
    if not text_of(meta, "opponent").strip():  # of a named one the store knows more than this deal
        meta["styles"] = regulars.next_styles(deal.session)
    known |= {"meta": meta}
    match = match_before(deal)
    if match is None:
        return known
    match = match.after(outcome, record.rules)
    if match.winner(record.rules) is not None:
        match = Match(dealer=match.dealer)
    score = {str(seat): match.score[seat] for seat in SEATS}
    found = {"score": score, "dealer": str(match.dealer), "carry": match.carry}
    return known | {"leader": str(match.leader), "match": found}


def match_before(deal: Deal) -> Match | None:
    """Return the match before a deal: the record's own, else a new one; None if nobody knows."""
    return summary.match_before(deal.session)


# -- the log ---------------------------------------------------------------------------------------


def _replayed(
    db: sqlite3.Connection, deal: str, held: Deal | None, model: str = opponents.DEFAULT
) -> Deal:
    *_, last = _steps(db, deal, held, model)
    return last


def _session(db: sqlite3.Connection, deal: str, model: str) -> Session:
    return _replayed(db, deal, None, model).session


def _steps(db: sqlite3.Connection, deal: str, held: Deal | None, model: str) -> Iterator[Deal]:
    """Yield a deal as it is held, then after each later entry, always with the same session."""
    found = None
    if _ID.fullmatch(deal):
        found = db.execute("SELECT record FROM deal WHERE id = ?", (deal,)).fetchone()
    if found is None:
        raise InferenceError("there is no such deal in the store: start a new one.")
    meta = read_object(found[0]).get("meta") or {}
    if held is None or held.id != deal or memory(held.session.record.meta) != memory(meta):
        held = Deal(deal, 0, Session.from_record(found[0], model=model))
    held.session.note(meta)
    yield held
    query = "SELECT seq, kind, payload, uuid FROM entry WHERE deal = ? AND seq > ? ORDER BY seq"
    for seq, *entry in db.execute(query, (deal, held.revision)).fetchall():
        held = held._replace(revision=seq, result=_apply(held.session, Entry(*entry)))
        yield held


def _apply(session: Session, entry: Entry) -> Outcome | None:
    """Do to a session what an entry says; return the result that it confirms, if any."""
    match entry.kind:
        case "event":
            session.observe(entry.payload)
        case "undo" if not entry.payload:
            session.revert()
        case "undo":
            session.undo(_number(entry.payload))
        case "correct":
            session.correct({_number(k): v for k, v in read_object(entry.payload).items()})
        case "result":
            return _confirmed(session, entry.payload)
        case _:
            raise NotationError(f"{entry.kind!r} is no kind of entry.")
    return None


def _confirmed(session: Session, payload: str) -> Outcome:
    if not session.tracker.view.public.over:
        raise IllegalActionError("the deal is not over: there is no result to confirm.")
    return outcome_of(read_object(payload), "a result")


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise NotationError(f"{text!r} is no number of entries.")
    return int(text)


def _insert(db: sqlite3.Connection, deal: str, entry: Entry) -> int:
    row = (deal, entry.uuid, schema.now(), entry.kind, entry.payload)
    statement = "INSERT INTO entry (deal, uuid, at, kind, payload) VALUES (?, ?, ?, ?, ?)"
    return int(db.execute(statement, row).lastrowid or 0)


def _summarise(db: sqlite3.Connection) -> None:
    """Write the summaries that older versions did not have."""
    missing = "SELECT id FROM deal WHERE id NOT IN (SELECT deal FROM summary) ORDER BY rowid"
    for (deal,) in db.execute(missing).fetchall():
        with suppress(InferenceError):  # a deal that cannot be read any more stays as it is
            now = _replayed(db, deal, None, "counting")  # who won needs no model of the opponent
            summary.write(db, deal, now.session, now.result)
