"""What a list of deals shows and what a search looks at: all of it follows from record and log."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NamedTuple

from inference.cards import Seat
from inference.game.fields import write_object
from inference.game.match import Match
from inference.game.record import Record
from inference.game.scoring import Outcome
from inference.game.state import other
from inference.opponents import person
from inference.session import Session

ME, HE = "me", "he"
ONE_DEAL = ("date", "result", "tags", "star", "note", "own", *person.MEMORY)
"""The keys of a record's `meta` that belong to one deal and not to the next one."""
COLUMNS = (
    "deal", "played", "opponent", "rules", "n_events", "points", "reason", "confirmed", "closer",
    "score", "score_after", "own", "star", "tags", "note", "content", "deleted",
)  # fmt: skip
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Summary(NamedTuple):
    """Hold what a list of deals shows of one; "me" is the seat from which it was entered.

    `played` is a date, `points` are my game points (negative: his; None: not finished), which were
    `confirmed` at the table or follow from the rules, `reason` says how they came about. `closer`
    is "me", "he" or None, `score` and `score_after` the match before and after the deal, mine
    first. `own` deals are mine, the others samples and other people's. `deleted` is when, or None.
    """

    id: str
    created: str
    record: dict[str, Any]
    played: str
    opponent: str
    rules: str
    n_events: int
    points: int | None
    reason: str | None
    confirmed: bool
    closer: str | None
    score: tuple[int, int] | None
    score_after: tuple[int, int] | None
    own: bool
    star: bool
    tags: tuple[str, ...]
    note: str
    deleted: str | None


def write(db: sqlite3.Connection, deal: str, session: Session, result: Outcome | None) -> None:
    """Write the summary of a deal anew."""
    (created, deleted) = db.execute(
        "SELECT created, deleted FROM deal WHERE id = ?", (deal,)
    ).fetchone()
    found = {
        "deal": deal,
        "rules": session.record.rules.name,
        "n_events": len(session.events),
        "content": digest(bare(session)),
        "deleted": deleted,
        **noted(session.record.meta, created),
        **_ending(session, result),
    }
    names = ", ".join(COLUMNS)
    marks = ", ".join(f":{name}" for name in COLUMNS)
    fresh = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS)
    db.execute(
        f"INSERT INTO summary ({names}) VALUES ({marks}) ON CONFLICT (deal) DO UPDATE SET {fresh}",
        found,
    )


def noted(meta: Mapping[str, Any], created: str) -> dict[str, Any]:
    """Return the columns that the record's `meta` tells."""
    day, tags = str(meta.get("date") or "")[:10], meta.get("tags")
    return {
        "played": day if is_date(day) else local_date(created),
        "opponent": text_of(meta, "opponent"),
        "own": int(meta.get("own") is not False),
        "star": int(meta.get("star") is True),
        "tags": joined(map(str, tags)) if isinstance(tags, list | tuple) else "",
        "note": text_of(meta, "note"),
    }


def local_date(at: str) -> str:
    """Return the date at which an entry was made, as the calendar on the wall says."""
    return datetime.fromisoformat(at).astimezone().date().isoformat()


def is_date(text: str) -> bool:
    """Tell whether a text is a date like 2026-11-30.

    >>> is_date("2026-11-30"), is_date("30.11.2026"), is_date("2026-11-31")
    (True, False, False)
    """
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def text_of(meta: Mapping[str, Any], key: str) -> str:
    """Return a text of a record's `meta`; whatever else stands there is written as text."""
    value = meta.get(key)
    return "" if value is None else str(value)


def joined(tags: Any) -> str:
    """Write tags as one text in which each can be found.

    >>> joined(["close", " endgame ", "close"])
    ',close,endgame,'
    """
    clean = dict.fromkeys(" ".join(tag.replace(",", " ").split()) for tag in tags)
    kept = [tag for tag in clean if tag]
    return f",{','.join(kept)}," if kept else ""


def split(tags: str) -> tuple[str, ...]:
    """Read what `joined` wrote."""
    return tuple(tag for tag in tags.split(",") if tag)


def bare(session: Session) -> Record:
    """Return the cards and the events of a deal as a record without names, notes and score."""
    return replace(session.record, events=session.events, match=None, meta={}, extra={})


def digest(record: Record) -> str:
    """Return a digest of the cards and the events of a deal, by which it is known again.

    Names, notes and the score of the match are left out: they may be put right later.
    """
    bare = replace(record, match=None, meta={}, extra={})
    return hashlib.sha256(write_object(bare.to_json()).encode()).hexdigest()[:32]


def match_before(session: Session) -> Match | None:
    """Return the match before a deal: the record's own, else a new one; None if nobody knows."""
    record = session.record
    if record.match is not None or record.leader is None:
        return record.match
    return Match(dealer=other(record.leader))


def _ending(session: Session, result: Outcome | None) -> dict[str, Any]:
    view, match = session.tracker.view, match_before(session)
    outcome = result or view.public.outcome
    after = match.after(outcome, session.record.rules) if match and outcome else None
    closed = view.public.closed
    return {
        "points": None if outcome is None else points(outcome, view.seat),
        "reason": None if outcome is None else outcome.reason,
        "confirmed": int(result is not None),
        "closer": None if closed is None else ME if closed.by == view.seat else HE,
        "score": _score(match, view.seat),
        "score_after": _score(after, view.seat),
    }


def points(outcome: Outcome, seat: Seat) -> int:
    """Return the game points that a seat won, negative if the other one did."""
    if outcome.winner is None:
        return 0
    return outcome.game_points if outcome.winner == seat else -outcome.game_points


def _score(match: Match | None, seat: Seat) -> str | None:
    return None if match is None else f"{match.score[seat]}:{match.score[other(seat)]}"
