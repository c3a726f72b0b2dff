"""The store's tables by numbered steps, and how a file is opened and brought up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from inference import regulars
from inference.errors import InferenceError

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
    regulars.EVIDENCE,
    (
        # A deal that was read from a complete record keeps it whole: the log has one seat's eyes.
        "ALTER TABLE deal ADD COLUMN whole TEXT",
        # The digest of the record as it came in: by it a second import is known.
        "ALTER TABLE deal ADD COLUMN origin TEXT",
        "ALTER TABLE deal ADD COLUMN deleted TEXT",
        "CREATE INDEX deal_by_origin ON deal (origin)",
        # All of it follows from deal and entry; narrow, so that reading all of it is quick.
        "CREATE TABLE summary (number INTEGER PRIMARY KEY, deal TEXT NOT NULL UNIQUE "
        "REFERENCES deal (id), played TEXT NOT NULL, opponent TEXT NOT NULL, rules TEXT NOT NULL, "
        "n_events INTEGER NOT NULL, points INTEGER, reason TEXT, confirmed INTEGER NOT NULL, "
        "closer TEXT, score TEXT, score_after TEXT, own INTEGER NOT NULL, star INTEGER NOT NULL, "
        "tags TEXT NOT NULL, note TEXT NOT NULL, content TEXT NOT NULL, deleted TEXT) STRICT",
        *(
            f"CREATE INDEX summary_by_{name} ON summary ({columns}) WHERE deleted IS NULL"
            for name, columns in (
                ("date", "played, number"),
                ("opponent", "opponent, played, number, points"),
                ("rules", "rules, played, number"),
                ("points", "points"),
                ("closer", "closer"),
            )
        ),
        "CREATE INDEX summary_by_content ON summary (content)",
        # What was shown after an entry (0: before the first) never changes when the engine does.
        "CREATE TABLE belief (deal TEXT NOT NULL REFERENCES deal (id), entry INTEGER NOT NULL, "
        "n_events INTEGER NOT NULL, at TEXT NOT NULL, engine TEXT NOT NULL, "
        "n_layouts INTEGER NOT NULL, entropy_bits REAL NOT NULL, log_evidence REAL NOT NULL, "
        "marginals BLOB NOT NULL, hands BLOB NOT NULL, styles TEXT NOT NULL, "
        "PRIMARY KEY (deal, entry)) STRICT, WITHOUT ROWID",
        "CREATE TABLE advice (deal TEXT NOT NULL REFERENCES deal (id), entry INTEGER NOT NULL, "
        "n_events INTEGER NOT NULL, at TEXT NOT NULL, engine TEXT NOT NULL, "
        "report TEXT NOT NULL, PRIMARY KEY (deal, entry)) STRICT, WITHOUT ROWID",
    ),
    regulars.HELD,
)
"""Step i brings a store from version i to i + 1; a step that was released never changes."""
_BUSY = 10.0
_CACHE = 1 << 16
"""Most KiB of a file that one connection holds, so that a search reads each page once."""


@contextmanager
def connected(path: Path, synchronous: str = "FULL") -> Iterator[sqlite3.Connection]:
    """Open a store for one use; raise InferenceError if the file fails.

    With `FULL` what is committed survives a power cut, with `NORMAL` only a crash.
    """
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY, isolation_level=None)) as db:
            db.execute(f"PRAGMA synchronous = {synchronous}")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute(f"PRAGMA cache_size = -{_CACHE}")
            yield db
    except sqlite3.Error as error:
        raise InferenceError(f"the store {path} cannot be used: {error}.") from error


@contextmanager
def writing(path: Path, synchronous: str = "FULL") -> Iterator[sqlite3.Connection]:
    """Hold the right to write from the first reading on; what fails leaves no trace."""
    with connected(path, synchronous) as db:
        db.execute("BEGIN IMMEDIATE")
        with db:
            yield db


def is_current(path: Path) -> bool:
    """Tell whether a file is a store of this version; an empty file is made ready to be one.

    Raise InferenceError if it is something that this program cannot read.
    """
    with connected(path) as db:
        found = version(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        return found == len(STEPS)


def upgrade(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables or bring them up to date; a copy of what was there is put beside it."""
    before = version(db, path)
    if 0 < before < len(STEPS) and db.execute("SELECT 1 FROM deal LIMIT 1").fetchone():
        copy(path, beside(path, f"v{before}"))
    for number, step in enumerate(STEPS[before:], start=before + 1):
        for statement in step:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {number}")
    db.execute(f"PRAGMA application_id = {APPLICATION}")


def version(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of a store, 0 for an empty file; raise InferenceError for other files."""
    if _is_new(db):
        return 0
    if _pragma(db, "application_id") != APPLICATION:
        raise InferenceError(f"{path} is a database of another program: name another.")
    found = _pragma(db, "user_version")
    if found > len(STEPS):
        raise InferenceError(
            f"the store {path} has version {found}, this program knows {len(STEPS)}: "
            "it was written by a newer one: install that, or name another store."
        )
    return found


def beside(path: Path, what: str) -> Path:
    """Return a free name beside a store that says what it is and when it was made."""
    stem = f"{path.stem}-{what}-{datetime.now(UTC):%Y-%m-%dT%H%M%S}"
    names = [stem, *(f"{stem}-{n}" for n in range(2, 100))]
    return next(
        one for one in (path.with_name(name + path.suffix) for name in names) if not one.exists()
    )


def copy(source: Path, target: Path) -> None:
    """Write a consistent copy of a store, even while others write to it.

    It gets its name only when it is whole. Raise InferenceError if either file fails.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    overwrite(part, source)
    with connected(part) as fresh:
        fresh.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
    os.replace(part, target)


def overwrite(target: Path, source: Path) -> None:
    """Put all that a store holds into another file, at once or not at all."""
    with connected(source) as db, connected(target) as fresh:
        db.backup(fresh)


def now() -> str:
    """Return the time of an entry."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _is_new(db: sqlite3.Connection) -> bool:
    return not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
