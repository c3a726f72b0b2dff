"""What is written beside a deal, and the deal's way out of the list and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from inference import regulars
from inference.errors import InferenceError, NotationError
from inference.game.fields import as_object, read_object, write_object
from inference.opponents.person import memory
from inference.store import Store, schema
from inference.store.log import recalled
from inference.store.summary import is_date, noted

LONGEST = 4000
"""No note is longer."""


def edit(
    store: Store,
    deal: str,
    *,
    opponent: str | None = None,
    date: str | None = None,
    note: str | None = None,
    tags: Sequence[str] | None = None,
    star: bool | None = None,
    own: bool | None = None,
) -> None:
    """Put right what stands beside a deal: whose it was, when it was played, note, tags, star.

    What is left out stays as it is; an empty text takes a note away. The deal's entries are put
    right by `Store.enter`. Raise an InferenceError if there is no such deal, or no such date.
    """
    if date and not is_date(date):
        raise NotationError(f"{date!r} is no date: write it like 2026-11-30.")
    for text in (opponent, note):
        if text is not None and len(text) > LONGEST:
            raise NotationError(f"a note has at most {LONGEST} letters, this one {len(text)}.")
    listed = None if tags is None else list(tags)
    given: dict[str, Any] = {"opponent": opponent, "date": date, "note": note, "tags": listed}
    given |= {"star": star, "own": own}
    changes = {key: value for key, value in given.items() if value is not None}
    with schema.writing(store.path) as db:
        created, record = _found(db, deal)
        setup = read_object(record)
        before = setup.get("meta") or {}
        meta = as_object(before | changes, "the notes")
        if not regulars.same(before.get("opponent"), meta.get("opponent")):
            meta = _of_another(db, deal, meta)
        setup["meta"] = {key: value for key, value in meta.items() if value not in ("", [])}
        db.execute("UPDATE deal SET record = ? WHERE id = ?", (write_object(setup), deal))
        columns: dict[str, Any] = noted(setup["meta"], created)
        names = ", ".join(f"{name} = :{name}" for name in columns)
        db.execute(f"UPDATE summary SET {names} WHERE deal = :deal", {**columns, "deal": deal})


def _of_another(db: sqlite3.Connection, deal: str, meta: Mapping[str, Any]) -> dict[str, Any]:
    """Put what is known of the new opponent in place of the old one's, if the deal still runs."""
    regulars.forget(db, deal)
    own = {key: value for key, value in meta.items() if key not in memory(meta)}
    finished = db.execute("SELECT confirmed FROM summary WHERE deal = ?", (deal,)).fetchone()[0]
    return own if finished else recalled(db, own) | own


def move(store: Store, deals: Sequence[str], opponent: str) -> None:
    """Write deals down as played against another opponent."""
    for deal in deals:
        edit(store, deal, opponent=opponent)


def delete(store: Store, deal: str) -> None:
    """Take a deal out of the lists; nothing is lost, and `undelete` brings it back."""
    _mark(store, deal, schema.now())


def undelete(store: Store, deal: str) -> None:
    """Bring a deleted deal back."""
    _mark(store, deal, None)


def _mark(store: Store, deal: str, deleted: str | None) -> None:
    with schema.writing(store.path) as db:
        _found(db, deal)
        mark(db, deal, deleted)


def mark(db: sqlite3.Connection, deal: str, deleted: str | None) -> None:
    """Write into an open store when a deal was deleted, None if it was not."""
    db.execute("UPDATE deal SET deleted = ? WHERE id = ?", (deleted, deal))
    db.execute("UPDATE summary SET deleted = ? WHERE deal = ?", (deleted, deal))


def _found(db: sqlite3.Connection, deal: str) -> tuple[str, str]:
    row = db.execute("SELECT created, record FROM deal WHERE id = ?", (deal,)).fetchone()
    if row is None:
        raise InferenceError("there is no such deal in the store.")
    created, record = row
    return created, record
