"""Lists of deals: which ones, in what order, page by page."""

from __future__ import annotations

import re
import sqlite3
from typing import Any, NamedTuple

from inference import regulars
from inference.errors import InferenceError, NotationError
from inference.game.fields import read_object
from inference.game.rules import PRESETS
from inference.store import Store, Summary, schema
from inference.store.summary import HE, ME, is_date, split

RESULTS = {
    "won": "points > 0",
    "lost": "points < 0",
    "drawn": "points = 0",
    "open": "points IS NULL",
}
CLOSERS = {
    "me": f"closer = '{ME}'",
    "he": f"closer = '{HE}'",
    "any": "closer IS NOT NULL",
    "nobody": "closer IS NULL",
}
_RANGE = re.compile(r"\b(points|closer)\b")
"""Columns whose index would find too many deals for a page: the plus keeps SQLite off it."""
_TEXT = r"opponent || char(10) || note || char(10) || tags LIKE ? ESCAPE '\'"
_COLUMNS = (
    "deal.id, created, record, played, opponent, rules, n_events, points, reason, confirmed,"
    " closer, score, score_after, own, star, tags, note, summary.deleted"
)


class Search(NamedTuple):
    """Hold what deals are looked for; what is left out does not matter.

    Dates are texts like "2026-11-30", both ends counted. `result` is "won", "lost", "drawn" or
    "open", `lost` the least number of game points lost, `closed` "me", "he", "any" or "nobody",
    `text` a part of the name, the note or a tag. `own` False finds samples and other people's
    deals, `deleted` what can still be brought back.
    """

    opponent: str | None = None
    since: str | None = None
    until: str | None = None
    rules: str | None = None
    result: str | None = None
    lost: int | None = None
    closed: str | None = None
    tag: str | None = None
    text: str | None = None
    star: bool = False
    own: bool | None = None
    deleted: bool = False


ALL = Search()


class Opponent(NamedTuple):
    """Hold a name with the number of deals, of finished ones, the game points, the last date."""

    name: str
    n_deals: int
    n_finished: int
    points: int
    last: str


def search(store: Store, wanted: Search = ALL, n: int = 50, skip: int = 0) -> list[Summary]:
    """List deals, the last played first; raise InferenceError for what cannot be looked for."""
    where, values = _where(wanted)
    where = _RANGE.sub(r"+\1", where)
    query = (
        f"SELECT {_COLUMNS} FROM (SELECT * FROM summary WHERE {where}"
        " ORDER BY played DESC, number DESC LIMIT ? OFFSET ?) AS summary"
        " JOIN deal ON deal.id = summary.deal ORDER BY played DESC, number DESC"
    )
    return _read(store, query, [*values, n, skip])


def count(store: Store, wanted: Search = ALL) -> int:
    """Count the deals that a search finds."""
    where, values = _where(wanted)
    with schema.connected(store.path) as db:
        query = f"SELECT count(*) FROM summary WHERE {where}"
        return int(db.execute(query, values).fetchone()[0])


def recent(store: Store, n: int = 10) -> list[Summary]:
    """List my own deals that were begun last, the newest first."""
    query = (
        f"SELECT {_COLUMNS} FROM summary JOIN deal ON deal.id = summary.deal"
        " WHERE summary.deleted IS NULL AND own ORDER BY number DESC LIMIT ?"
    )
    return _read(store, query, [n])


def look_up(store: Store, deal: str) -> Summary:
    """Return the summary of one deal, deleted or not; raise InferenceError if there is none."""
    query = f"SELECT {_COLUMNS} FROM summary JOIN deal ON deal.id = summary.deal WHERE deal.id = ?"
    found = _read(store, query, [deal])
    if not found:
        raise InferenceError("there is no such deal in the store.")
    return found[0]


def opponents(store: Store, own: bool | None = None) -> list[Opponent]:
    """List the opponents, those met most often first."""
    where, values = _where(Search(own=own))
    query = (
        "SELECT opponent, count(*), count(points), coalesce(sum(points), 0), max(played)"
        f" FROM summary WHERE {where} GROUP BY opponent ORDER BY count(*) DESC, opponent"
    )
    with schema.connected(store.path) as db:
        return [Opponent(*row) for row in db.execute(query, values)]


def names(store: Store) -> list[str]:
    """List the names of the opponents, the last one first; other spellings count as the same."""
    with schema.connected(store.path) as db:
        return regulars.names(db)


def tags(store: Store) -> dict[str, int]:
    """Count the deals of each tag, in the order of the alphabet."""
    found: dict[str, int] = {}
    query = "SELECT tags, count(*) FROM summary WHERE tags != '' AND deleted IS NULL GROUP BY tags"
    with schema.connected(store.path) as db:
        for text, n in db.execute(query):
            for tag in split(text):
                found[tag] = found.get(tag, 0) + n
    return dict(sorted(found.items()))


def matches(store: Store, opponent: str) -> list[list[Summary]]:
    """Return the deals against an opponent in the order of play, grouped into matches.

    A deal goes on with a match if its score is the one after the deal before it.
    """
    query = (
        f"SELECT {_COLUMNS} FROM summary JOIN deal ON deal.id = summary.deal"
        " WHERE opponent = ? AND summary.deleted IS NULL ORDER BY played, number"
    )
    found: list[list[Summary]] = []
    for one in _read(store, query, [opponent]):
        if found and _goes_on(found[-1][-1], one):
            found[-1].append(one)
        else:
            found.append([one])
    return found


def match_of(store: Store, deal: str) -> list[Summary]:
    """Return the deals of the match that a deal belongs to, in the order of play.

    Raise InferenceError for an unknown deal.
    """
    one = look_up(store, deal)
    found = (match for match in matches(store, one.opponent) if deal in [x.id for x in match])
    return next(found, [one])


def _goes_on(before: Summary, one: Summary) -> bool:
    return (one.score not in (None, (0, 0)) and one.score == before.score_after) or (
        one.score == (0, 0) == before.score_after
    )


def _where(wanted: Search) -> tuple[str, list[Any]]:
    """Return the condition of a search in SQL, with its values."""
    _check(wanted)
    found: list[tuple[str, Any]] = [
        (condition, value)
        for condition, value in (
            ("opponent = ?", wanted.opponent),
            ("played >= ?", wanted.since),
            ("played <= ?", wanted.until),
            ("rules = ?", wanted.rules),
            ("points <= -?", wanted.lost),
            ("own = ?", wanted.own),
            ("instr(tags, ?)", None if wanted.tag is None else f",{wanted.tag},"),
            ("star = ?", wanted.star or None),
        )
        if value is not None
    ]
    if wanted.text:
        part = re.sub(r"([%_\\])", r"\\\1", wanted.text)
        found.append((_TEXT, f"%{part}%"))
    conditions = [condition for condition, _ in found]
    conditions += [RESULTS[wanted.result]] if wanted.result is not None else []
    conditions += [CLOSERS[wanted.closed]] if wanted.closed is not None else []
    there = "deleted IS NOT NULL" if wanted.deleted else "deleted IS NULL"
    return " AND ".join([there, *conditions]), [value for _, value in found]


def _check(wanted: Search) -> None:
    for what, value, allowed in (
        ("rule set", wanted.rules, PRESETS),
        ("result", wanted.result, RESULTS),
        ("closer", wanted.closed, CLOSERS),
    ):
        if value is not None and value not in allowed:
            raise NotationError(
                f"there is no {what} {value!r}: choose one of {', '.join(allowed)}."
            )
    for day in (wanted.since, wanted.until):
        if day is not None and not is_date(day):
            raise NotationError(f"{day!r} is no date: write it like 2026-11-30.")


def _read(store: Store, query: str, values: list[Any]) -> list[Summary]:
    with schema.connected(store.path) as db:
        db.row_factory = sqlite3.Row
        return [_summary(row) for row in db.execute(query, values)]


def _summary(row: sqlite3.Row) -> Summary:
    found = dict(row)
    return Summary(
        **found
        | {
            "record": read_object(found["record"]),
            "confirmed": bool(found["confirmed"]),
            "score": _score(found["score"]),
            "score_after": _score(found["score_after"]),
            "own": bool(found["own"]),
            "star": bool(found["star"]),
            "tags": split(found["tags"]),
        }
    )


def _score(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    mine, _, his = text.partition(":")
    return int(mine), int(his)
