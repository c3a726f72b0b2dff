"""Opponents who are met again: what each finished deal says of them, kept in the store.

The tables are by-products of the log: a row that is missing, or of another model, is computed anew.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np

from inference import acquaintance, opponents
from inference.acquaintance import Candidates, Told, hands_of, rows_of
from inference.belief import style_posterior
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
_DIGITS = 6

Replayed = Callable[[str, str], Session]
"""Replays a deal, by its id, with a model."""

_NAMES = (
    "SELECT opponent FROM summary WHERE deleted IS NULL AND opponent != '' GROUP BY opponent "
    "ORDER BY max(number) DESC"
)
_FINISHED = (
    "SELECT played, number, deal, (SELECT max(seq) FROM entry WHERE entry.deal = summary.deal) "
    "FROM summary WHERE deleted IS NULL AND opponent = ? AND confirmed "
    "ORDER BY played DESC, number DESC LIMIT ?"
)


def names(db: sqlite3.Connection) -> list[str]:
    """List the opponents' names, the last one first."""
    found: dict[str, str] = {}
    for (name,) in db.execute(_NAMES):
        found.setdefault(_key(name), name)
    return list(found.values())


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


def expected(db: sqlite3.Connection, name: str, replay: Replayed) -> dict[str, Any]:
    """Return what a record's `meta` is to say of a player after his finished deals.

    That is how likely each style is, and his own weights; nothing without such deals.
    """
    spellings = [who for (who,) in db.execute(_NAMES).fetchall() if _key(who) == _key(name)]
    rows = [row for who in spellings for row in db.execute(_FINISHED, (who, N_DEALS)).fetchall()]
    model = opponents.load()
    if not rows or not isinstance(model, Styles):
        return {}
    last = sorted(rows)[-N_DEALS:]
    deals = [_told(db, deal, at, model.styles, replay) for _, _, deal, at in last]
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


def _told(
    db: sqlite3.Connection, deal: str, revision: int, styles: tuple[str, ...], replay: Replayed
) -> Told:
    found = _remembered(db, deal, revision, styles)
    if found is None:
        remember(db, deal, revision, replay(deal, opponents.DEFAULT))
        found = _remembered(db, deal, revision, styles)
        assert found is not None
    evidence, hands = found
    tracker = replay(deal, "counting").tracker  # his choices need no model
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
    return " ".join(str(name or "").split()).casefold()
