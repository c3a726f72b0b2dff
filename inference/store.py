"""The append-only log of what was entered, in SQLite: a session is a pure function of it.

Undo and correction are entries too, so reload, crash, a second tab and replay are one mechanism.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from inference import regulars
from inference.errors import IllegalActionError, InferenceError, NotationError
from inference.game.fields import (
    count_of,
    only,
    read_object,
    required,
    seat_of,
    text_of,
    write_object,
)
from inference.game.match import Match
from inference.game.scoring import Outcome
from inference.game.state import SEATS, other
from inference.session import Session

APPLICATION = 0x73783636
"""The number in the file's header by which a store of ours is known."""
STEPS = (
    (
        "CREATE TABLE deal (id TEXT PRIMARY KEY, created TEXT NOT NULL, "
        "record TEXT NOT NULL) STRICT",
        "CREATE TABLE entry (seq INTEGER PRIMARY KEY AUTOINCREMENT, deal TEXT NOT NULL "
        "REFERENCES deal (id), uuid TEXT NOT NULL UNIQUE, at TEXT NOT NULL, kind TEXT NOT NULL "
        "CHECK (kind IN ('event', 'undo', 'correct', 'result')), payload TEXT NOT NULL) STRICT",
        "CREATE INDEX entry_of_deal ON entry (deal, seq)",
    ),
    regulars.TABLES,
)
"""Step i brings a store from version i to i + 1; a step that was released never changes."""
_BUSY = 10.0
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Entry(NamedTuple):
    """Hold one thing that was entered: its kind, its text, and an id by which a repeat is known.

    An `event` has its text form, `undo` the number of entries taken back, `correct` the object
    ``{"9": "N:QD"}``, `result` the object of winner, game points and reason.
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


class Summary(NamedTuple):
    """Hold what a list of deals shows: when it began, its set-up, and how long its log is."""

    id: str
    created: str
    record: dict[str, Any]
    n_entries: int


def event(text: str) -> Entry:
    """Make the entry of an event, or of several that belong together."""
    return _entry("event", text)


def undo(n: int = 1) -> Entry:
    """Make the entry that takes back the last `n` entries."""
    return _entry("undo", str(n))


def correct(changes: Mapping[int, str]) -> Entry:
    """Make the entry that replaces earlier ones by number."""
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
        with self._connected() as db:
            if _is_new(db):
                db.execute("PRAGMA journal_mode = WAL")
        with self._writing() as db:
            self._migrate(db)

    # -- deals -----------------------------------------------------------------------------------

    def begin(self, record: str | Mapping[str, Any]) -> str:
        """Write down a new deal, its events as entries; return its id.

        The id cannot be guessed. What is known of a named opponent's style is written down with
        the deal, so that a replay later shows the same. Raise an InferenceError if the record does
        not fit.
        """
        session = Session.from_record(record)
        events = [event(str(one)) for one in session.events]
        deal, setup = secrets.token_urlsafe(16), session.to_record() | {"events": ""}
        with self._writing() as db:
            if session.record.meta.get("opponent") and "styles" not in session.record.meta:
                name = str(session.record.meta["opponent"])
                prior = regulars.expected(db, name, lambda one: _replayed(db, one, None).session)
                if prior:
                    setup["meta"] = {**session.record.meta, "styles": prior}
            db.execute("INSERT INTO deal VALUES (?, ?, ?)", (deal, _now(), write_object(setup)))
            for one in events:
                _insert(db, deal, one)
        return deal

    def replay(self, deal: str, held: Deal | None = None) -> Deal:
        """Compute a deal from its log; `held`, an older replay of it, saves work and is used up.

        Raise InferenceError for an unknown deal.
        """
        with self._connected() as db:
            return _replayed(db, deal, held)

    def enter(self, deal: str, entry: Entry, held: Deal | None = None) -> Deal:
        """Append an entry after trying it on the session; a repeated one changes nothing.

        `held` is used up. Raise an InferenceError, with the log untouched, if it does not fit.
        """
        with self._writing() as db:
            now = _replayed(db, deal, held)
            if db.execute("SELECT 1 FROM entry WHERE uuid = ?", (entry.uuid,)).fetchone():
                return now
            outcome = _apply(now.session, entry)
            revision = _insert(db, deal, entry)
            if outcome is not None:
                regulars.remember(db, deal, revision, now.session)
            return now._replace(revision=revision, result=outcome)

    def revision(self, deal: str) -> int:
        """Return the number of a deal's last entry."""
        with self._connected() as db:
            last = db.execute("SELECT max(seq) FROM entry WHERE deal = ?", (deal,)).fetchone()[0]
        return int(last or 0)

    def recent(self, n: int = 10) -> list[Summary]:
        """List the deals that were begun last, the newest first."""
        query = (
            "SELECT id, created, record, (SELECT count(*) FROM entry WHERE deal = deal.id)"
            " FROM deal ORDER BY rowid DESC LIMIT ?"
        )
        with self._connected() as db:
            rows = db.execute(query, (n,)).fetchall()
        return [Summary(deal, at, read_object(setup), count) for deal, at, setup, count in rows]

    def opponents(self) -> list[str]:
        """List the names of the opponents, the last one first."""
        with self._connected() as db:
            return regulars.names(db)

    def export(self, deal: str) -> str:
        """Return a deal as one line, the form of a record."""
        return write_object(self.replay(deal).session.to_record())

    # -- the file --------------------------------------------------------------------------------

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, _BUSY, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = FULL")  # a tap survives a power cut
                db.execute("PRAGMA foreign_keys = ON")
                yield db
        except sqlite3.Error as error:
            raise InferenceError(f"the store {self.path} cannot be used: {error}.") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the right to write from the first reading on; what fails leaves no trace."""
        with self._connected() as db:
            db.execute("BEGIN IMMEDIATE")
            with db:
                yield db

    def _migrate(self, db: sqlite3.Connection) -> None:
        version = _pragma(db, "user_version")
        if not _is_new(db) and _pragma(db, "application_id") != APPLICATION:
            raise InferenceError(f"{self.path} is a database of another program: name another.")
        if version > len(STEPS):
            raise InferenceError(
                f"the store {self.path} has version {version}, this program knows {len(STEPS)}: "
                "it was written by a newer one."
            )
        for number, step in enumerate(STEPS[version:], start=version + 1):
            for statement in step:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number}")
        db.execute(f"PRAGMA application_id = {APPLICATION}")


def next_deal(deal: Deal) -> dict[str, Any]:
    """Return what is known of the deal after a finished one: a record without its cards.

    After the last deal of a match a new match begins. Raise IllegalActionError before the end.
    """
    record, outcome = deal.session.record, deal.result
    if outcome is None:
        raise IllegalActionError("the result of this deal is not confirmed yet.")
    known = {"rules": record.rules.to_json(), "seat": str(deal.session.tracker.view.seat)}
    meta = {key: value for key, value in record.meta.items() if key != "styles"}
    if not meta.get("opponent"):  # of a named one the store knows more than this deal
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
    record = deal.session.record
    if record.match is not None or record.leader is None:
        return record.match
    return Match(dealer=other(record.leader))


# -- the log ---------------------------------------------------------------------------------------


def _replayed(db: sqlite3.Connection, deal: str, held: Deal | None) -> Deal:
    found = None
    if _ID.fullmatch(deal):
        found = db.execute("SELECT record FROM deal WHERE id = ?", (deal,)).fetchone()
    if found is None:
        raise InferenceError("there is no such deal in the store: start a new one.")
    if held is None or held.id != deal:
        held = Deal(deal, 0, Session.from_record(found[0]))
    query = "SELECT seq, kind, payload, uuid FROM entry WHERE deal = ? AND seq > ? ORDER BY seq"
    for seq, *entry in db.execute(query, (deal, held.revision)).fetchall():
        held = held._replace(revision=seq, result=_apply(held.session, Entry(*entry)))
    return held


def _apply(session: Session, entry: Entry) -> Outcome | None:
    """Do to a session what an entry says; return the result that it confirms, if any."""
    match entry.kind:
        case "event":
            session.observe(entry.payload)
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
    found = read_object(payload)
    only(found, Outcome._fields, "a result")
    winner = found.get("winner")
    return Outcome(
        None if winner is None else seat_of(winner, "the winner"),
        count_of(required(found, "game_points", "a result"), "the game points"),
        text_of(required(found, "reason", "a result"), "the reason"),
    )


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise NotationError(f"{text!r} is no number of entries.")
    return int(text)


def _insert(db: sqlite3.Connection, deal: str, entry: Entry) -> int:
    row = (deal, entry.uuid, _now(), entry.kind, entry.payload)
    statement = "INSERT INTO entry (deal, uuid, at, kind, payload) VALUES (?, ?, ?, ?, ?)"
    return int(db.execute(statement, row).lastrowid or 0)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _is_new(db: sqlite3.Connection) -> bool:
    return not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
