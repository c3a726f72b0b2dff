"""Opponents who are met again: what each finished deal says of their style, kept in the store.

The table is a by-product of the log: a row that is missing, or of another model, is computed anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from inference import opponents
from inference.opponents import regime
from inference.session import Session

TABLES = (
    "CREATE TABLE evidence (deal TEXT NOT NULL REFERENCES deal (id), revision INTEGER NOT NULL, "
    "model TEXT NOT NULL, style TEXT NOT NULL, log_evidence REAL NOT NULL, "
    "PRIMARY KEY (deal, model, style)) STRICT, WITHOUT ROWID",
)
N_DEALS = 30
"""Older deals with a player say next to nothing about how he begins the next one."""
_DIGITS = 6

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


def remember(db: sqlite3.Connection, deal: str, revision: int, session: Session) -> list[float]:
    """Write down what a finished deal says of each style; return it."""
    model, found = opponents.digest(), session.log_evidences()
    db.execute("DELETE FROM evidence WHERE deal = ?", (deal,))
    db.executemany(
        "INSERT INTO evidence VALUES (?, ?, ?, ?, ?)",
        [(deal, revision, model, style, value) for style, value in found.items()],
    )
    return list(found.values())


def expected(
    db: sqlite3.Connection, name: str, replay: Callable[[str], Session]
) -> dict[str, float]:
    """Return how likely each style is for a player, after his finished deals; empty without."""
    spellings = [who for (who,) in db.execute(_NAMES).fetchall() if _key(who) == _key(name)]
    rows = [row for who in spellings for row in db.execute(_FINISHED, (who, N_DEALS)).fetchall()]
    if not rows:
        return {}
    model, last = opponents.load(), sorted(rows)[-N_DEALS:]
    seen = [_evidence(db, deal, at, model.styles, replay) for _, _, deal, at in last]
    return _rounded(regime.load(model), seen)


def next_styles(session: Session) -> dict[str, float]:
    """Return how likely each style is in the deal after this one, with the same player."""
    seen = [list(session.log_evidences().values())]
    return _rounded(regime.load(session.tracker.model), seen)


def _rounded(chain: regime.Chain, seen: list[list[float]]) -> dict[str, float]:
    p = chain.predict(seen)
    least = 10.0**-_DIGITS
    return {z: max(least, round(float(q), _DIGITS)) for z, q in zip(chain.styles, p, strict=True)}


def _evidence(
    db: sqlite3.Connection,
    deal: str,
    revision: int,
    styles: tuple[str, ...],
    replay: Callable[[str], Session],
) -> list[float]:
    query = "SELECT style, log_evidence FROM evidence WHERE deal = ? AND revision = ? AND model = ?"
    found = dict(db.execute(query, (deal, revision, opponents.digest())).fetchall())
    if found.keys() == set(styles):
        return [found[style] for style in styles]
    return remember(db, deal, revision, replay(deal))


def _key(name: object) -> str:
    return " ".join(str(name or "").split()).casefold()
