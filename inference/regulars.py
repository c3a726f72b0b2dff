"""Opponents who are met again: what each finished deal says of them, kept in the store.

The tables are by-products of the log: a row that is missing, or of another model, is computed anew.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any
from unicodedata import normalize

import numpy as np

from inference import acquaintance, opponents
from inference.acquaintance import N_HANDS, Candidates, Told, hands_of, rows_of
from inference.belief import style_posterior
from inference.errors import InferenceError
from inference.opponents import person, regime
from inference.opponents.styles import Styles
from inference.session import Session

EVIDENCE = (
    "CREATE TABLE evidence (deal TEXT NOT NULL REFERENCES deal (id), revision INTEGER NOT NULL, "
    "model TEXT NOT NULL, style TEXT NOT NULL, log_evidence REAL NOT NULL, "
    "PRIMARY KEY (deal, model, style)) STRICT, WITHOUT ROWID",
)
HELD = (
    "CREATE TABLE held (deal TEXT PRIMARY KEY REFERENCES deal (id), revision INTEGER NOT NULL, "
    "model TEXT NOT NULL, hands TEXT NOT NULL) STRICT, WITHOUT ROWID",
)
"""Of each choice the hands that he may have held then, as lists of masks."""
N_DEALS = 30
"""Older deals with a player say next to nothing about how he begins the next one."""
MOST = 3 * N_DEALS
"""So many are looked through for those in which he had a choice."""
_DIGITS = 6

Replayed = Callable[[str, str], Session]
"""Replays a deal, by its id, with a model."""

_NAMES = (
    "SELECT opponent FROM summary WHERE deleted IS NULL AND opponent != '' GROUP BY opponent "
    "ORDER BY max(number) DESC"
)
_FINISHED = (
    "SELECT played, min(number), deal, "
    "(SELECT max(seq) FROM entry WHERE entry.deal = summary.deal) "
    "FROM summary WHERE deleted IS NULL AND opponent = ? AND confirmed AND own GROUP BY content "
    "ORDER BY played DESC, number DESC LIMIT ?"
)


def names(db: sqlite3.Connection) -> list[str]:
    """List the opponents' names, the last one first."""
    return list(_spellings(db))


def known_as(db: sqlite3.Connection, name: str) -> str:
    """Return a name as it was spelt before, so that nobody becomes two by a capital letter."""
    return next((known for known in _spellings(db) if same(known, name)), name)


def same(one: object, two: object) -> bool:
    """Tell whether two names are the same but for blanks, capital letters and their encoding.

    >>> same(" ann", "Ann"), same("Jose\N{COMBINING ACUTE ACCENT}", "José"), same("Ann", "Anna")
    (True, True, False)
    """
    return _key(one) == _key(two)


def _spellings(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Return for each name, the last one first, all that were written for it."""
    by_key: dict[str, list[str]] = {}
    for (name,) in db.execute(_NAMES):
        by_key.setdefault(_key(name), []).append(name)
    return {spelt[0]: spelt for key, spelt in by_key.items() if key}


def remember(db: sqlite3.Connection, deal: str, revision: int, session: Session) -> None:
    """Write down what a finished deal says of the opponent: of each style, and of his hands."""
    tracker, by = session.tracker, (deal, revision, opponents.digest())
    db.execute("DELETE FROM evidence WHERE deal = ?", (deal,))
    db.executemany(
        "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
        [(*by, style, value) for style, value in session.log_evidences().items()],
    )
    hands = json.dumps(hands_of(tracker, style_posterior(tracker.belief)))
    db.execute("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?)", (*by, hands))


def forget(db: sqlite3.Connection, deal: str) -> None:
    """Drop what a deal said of the opponent: it was expected of another one."""
    for table in ("evidence", "held"):
        db.execute(f"DELETE FROM {table} WHERE deal = ?", (deal,))


def expected(db: sqlite3.Connection, name: str, replay: Replayed) -> dict[str, Any]:
    """Return what a record's `meta` is to say of a player after my finished deals with him.

    That is how likely each style is, and his own weights; nothing without such deals.
    """
    spellings = _spellings(db).get(known_as(db, name), [])
    rows = [row for who in spellings for row in db.execute(_FINISHED, (who, MOST)).fetchall()]
    model = opponents.load()
    if not isinstance(model, Styles):
        return {}
    last = sorted(rows, reverse=True)[:MOST]
    deals = list(islice(_that_tell(db, last, model.styles, replay), N_DEALS))[::-1]
    if not deals:
        return {}
    shares, known = acquaintance.expected(model, deals)
    found: dict[str, Any] = {"styles": _rounded(model.styles, shares)}
    return found if known is None else found | {person.KEY: person.to_json(known)}


def next_styles(session: Session) -> dict[str, float]:
    """Return how likely each style is in the deal after this one, with the same player."""
    model, found = person.without_person(session.tracker.model), session.log_evidences()
    seen = [[found[style] for style in model.styles]]
    return _rounded(model.styles, regime.load(model).predict(seen))


def _rounded(styles: tuple[str, ...], p: regime.Values) -> dict[str, float]:
    least = 10.0**-_DIGITS
    return {z: max(least, round(float(q), _DIGITS)) for z, q in zip(styles, p, strict=True)}


def _that_tell(
    db: sqlite3.Connection,
    rows: Iterable[tuple[str, int, str, int]],
    styles: tuple[str, ...],
    replay: Replayed,
) -> Iterator[Told]:
    """Yield what deals told; one without a choice of his, or that cannot be read, tells nothing."""
    for _, _, deal, revision in rows:
        with suppress(InferenceError):
            found = _told(db, deal, revision, styles, replay)
            if found.rows:
                yield found


def _told(
    db: sqlite3.Connection, deal: str, revision: int, styles: tuple[str, ...], replay: Replayed
) -> Told:
    tracker = replay(deal, "counting").tracker  # his choices need no model
    found = _remembered(db, deal, revision, styles)
    if found is None or list(map(len, found[1])) != [N_HANDS] * len(tracker.choices):
        remember(db, deal, revision, replay(deal, opponents.DEFAULT))
        found = _remembered(db, deal, revision, styles)
        assert found is not None
    evidence, hands = found
    rows = rows_of(tracker.choices, tracker.view.opponent, hands)
    own = evidence.get(person.NAME)
    return Told(np.array([evidence[style] for style in styles]), own, rows)


def _remembered(
    db: sqlite3.Connection, deal: str, revision: int, styles: tuple[str, ...]
) -> tuple[dict[str, float], Candidates] | None:
    by = (deal, revision, opponents.digest())
    where = "WHERE deal = ? AND revision = ? AND model = ?"
    found = dict(db.execute(f"SELECT style, log_evidence FROM evidence {where}", by).fetchall())
    hands = db.execute(f"SELECT hands FROM held {where}", by).fetchone()
    if hands is None or not found.keys() >= set(styles):
        return None
    return found, json.loads(hands[0])


def _key(name: object) -> str:
    return normalize("NFC", " ".join(str(name or "").split())).casefold()
