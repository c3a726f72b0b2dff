"""The store as a file: is it sound, a copy of it, and back from a copy."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from inference.errors import InferenceError
from inference.store import Store, schema

COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file while it is in use."""
MOST = 20
"""After so many complaints a check asks for no further one."""


def check(path: Path) -> list[str]:
    """Return what is wrong with a store's file, nothing if it is sound; it is only read.

    Raise InferenceError if it is no store that this program can read at all.
    """
    if not path.is_file():
        raise InferenceError(f"there is no store {path}.")
    with schema.connected(path) as db:
        if not schema.version(db, path):
            raise InferenceError(f"the file {path} is empty: it holds no deals.")
        told = [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({MOST})")]
        lost = db.execute("PRAGMA foreign_key_check").fetchmany(MOST)
    found = [] if told == ["ok"] else told
    return found + [f"a row of {table} belongs to no deal" for table, *_ in lost]


def backup(store: Store, target: Path | None = None) -> Path:
    """Write a copy of the store, beside it if no name is given; return its name.

    Others may go on writing meanwhile. Raise InferenceError rather than overwrite a file.
    """
    chosen = schema.beside(store.path, "backup") if target is None else target
    if chosen.exists():
        raise InferenceError(f"{chosen} is there already: name another file.")
    schema.copy(store.path, chosen)
    return chosen


def restore(path: Path, source: Path) -> Path | None:
    """Put a copy in the place of a store; return where the former store was kept, if there was one.

    The copy is checked first. Raise InferenceError, with the store untouched, if it is not sound.
    """
    wrong = check(source)
    if wrong:
        raise InferenceError(f"{source} is damaged ({wrong[0]}): take another copy.")
    if path.exists() and path.samefile(source):
        raise InferenceError(f"{source} is the store itself: name a copy of it.")
    if not path.exists():
        schema.copy(source, path)
        return None
    former = schema.beside(path, "before")
    if _is_sound(path):
        schema.copy(path, former)
        schema.overwrite(path, source)
    else:
        _move(path, former)
        schema.copy(source, path)
    return former


def _is_sound(path: Path) -> bool:
    try:
        return not check(path)
    except InferenceError:
        return False


def _move(path: Path, target: Path) -> None:
    """Move a damaged store with its companions, which would spoil the file that takes its place."""
    for name in ("", *COMPANIONS):
        with suppress(FileNotFoundError):
            path.with_name(path.name + name).rename(target.with_name(target.name + name))
