"""The store as a file: steps with a copy before each, damage, copies, restoring, sudden ends."""

import random
import sqlite3
from pathlib import Path

import pytest

from inference import archive
from inference.errors import InferenceError
from inference.store import Store, event, schema
from tests.crash import kill
from tests.f1 import F1, RECORD, written


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


def old(path: Path, events: list[str]) -> Path:
    """Make a file as the first version wrote it."""
    with sqlite3.connect(path) as db:
        for statement in schema.STEPS[0]:
            db.execute(statement)
        record = '{"rules": "sixty-six", "seat": "S", "leader": "S", "upcard": "QH", "hands": '
        record += '{"S": "AH KC QC 9S AD JC"}, "events": "", "meta": {"opponent": "Ann"}}'
        db.execute("INSERT INTO deal VALUES ('old', '2026-11-01T10:00:00.000+00:00', ?)", (record,))
        for n, text in enumerate(events):
            insert = "INSERT INTO entry (deal, uuid, at, kind, payload) VALUES ('old', ?, '', ?, ?)"
            db.execute(insert, (f"u{n}", "event", text))
        db.execute("PRAGMA user_version = 1")
        db.execute(f"PRAGMA application_id = {schema.APPLICATION}")
    db.close()
    return path


def beside(path: Path) -> list[Path]:
    kept = (path.name, *(path.name + name for name in ("-wal", "-shm")))
    return sorted(one for one in path.parent.iterdir() if one.name not in kept)


# -- steps -----------------------------------------------------------------------------------------


def test_an_older_store_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    path = old(tmp_path / "deals.db", F1)
    before = path.read_bytes()
    shelf = Store(path)
    (row,) = archive.search(shelf)
    assert (row.opponent, row.played, row.points, row.n_events) == ("Ann", "2026-11-01", 1, len(F1))
    assert [str(one) for one in shelf.replay("old").session.events] == F1
    (copy,) = beside(path)
    assert copy.name.startswith("deals-v1-2")
    assert archive.check(copy) == []
    with sqlite3.connect(copy) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM entry").fetchone() == (len(F1),)
    db.close()
    assert path.read_bytes() != before
    Store(path)
    assert beside(path) == [copy]


def test_a_deal_that_cannot_be_read_any_more_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = old(tmp_path / "deals.db", ["S:AC"])  # not a card of that hand
    shelf = Store(path)
    assert archive.search(shelf) == []
    deal = written(shelf, "S:QC*").id
    assert [one.id for one in archive.search(shelf)] == [deal]


def test_a_step_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old(tmp_path / "deals.db", F1[:2])
    broken = (*schema.STEPS[:1], ("CREATE TABLE fresh (a) STRICT", "CREATE TABLE deal (a)"))
    monkeypatch.setattr(schema, "STEPS", broken)
    with pytest.raises(InferenceError, match="cannot be used"):
        Store(path)
    monkeypatch.undo()
    assert [str(one) for one in Store(path).replay("old").session.events] == F1[:2]


# -- damage ----------------------------------------------------------------------------------------


def filled(path: Path) -> Store:
    shelf = Store(path)
    for n in range(12):
        written(shelf, F1[0], meta={"note": "x" * 500 + str(n)})
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    return shelf


def read(path: Path) -> list[str]:
    """Read a store from end to end; return what is wrong with its file."""
    archive.search(Store(path), n=-1)
    return archive.check(path)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
def test_a_truncated_store_is_told_and_left_alone(tmp_path: Path, share: float) -> None:
    path = tmp_path / "deals.db"
    filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    left = path.read_bytes()
    with pytest.raises(InferenceError):
        read(path)
    assert path.read_bytes() == left


def test_damage_never_does_more_than_an_inference_error(tmp_path: Path) -> None:
    path, rng = tmp_path / "deals.db", random.Random(66)
    filled(path)
    whole, n_told = path.read_bytes(), 0
    for _ in range(25):
        spoilt = bytearray(whole)
        at = rng.randrange(len(whole) - 600)
        spoilt[at : at + 600] = rng.randbytes(600)
        path.write_bytes(spoilt)
        for companion in ("-wal", "-shm"):
            path.with_name(path.name + companion).unlink(missing_ok=True)
        try:
            n_told += bool(read(path))
        except InferenceError:
            n_told += 1
    assert n_told >= 5


def test_what_is_no_store_is_told(tmp_path: Path) -> None:
    with pytest.raises(InferenceError, match="there is no store"):
        archive.check(tmp_path / "nowhere.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(InferenceError, match="empty"):
        archive.check(tmp_path / "empty.db")
    assert (tmp_path / "empty.db").read_bytes() == b""


# -- copies ----------------------------------------------------------------------------------------


def test_a_copy_brings_everything_back(shelf: Store) -> None:
    deal = written(shelf, *F1[:5]).id
    copy = archive.backup(shelf)
    shelf.enter(deal, event(F1[5]))
    archive.delete(shelf, deal)
    former = archive.restore(shelf.path, copy)
    assert archive.look_up(shelf, deal).n_events == 5
    assert archive.check(shelf.path) == []
    assert former is not None
    assert archive.look_up(Store(former), deal).n_events == 6
    shelf.enter(deal, event(F1[5]))


def test_a_copy_replaces_a_damaged_store_which_is_kept(shelf: Store) -> None:
    deal = written(shelf, *F1[:5]).id
    copy = archive.backup(shelf, shelf.path.with_name("copy.db"))
    shelf.path.write_bytes(b"no database at all" * 100)
    former = archive.restore(shelf.path, copy)
    assert former is not None
    assert former.read_bytes() == b"no database at all" * 100
    assert len(Store(shelf.path).replay(deal).session.events) == 5


def test_a_copy_can_be_restored_where_nothing_is(shelf: Store, tmp_path: Path) -> None:
    deal = shelf.begin(RECORD)
    fresh = tmp_path / "fresh.db"
    assert archive.restore(fresh, archive.backup(shelf)) is None
    with schema.connected(Store(fresh).path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert Store(fresh).replay(deal).revision == 0


def test_nothing_is_overwritten_by_mistake(shelf: Store, tmp_path: Path) -> None:
    deal = shelf.begin(RECORD)
    copy = archive.backup(shelf)
    with pytest.raises(InferenceError, match="there already"):
        archive.backup(shelf, copy)
    with pytest.raises(InferenceError, match="the store itself"):
        archive.restore(shelf.path, shelf.path)
    (tmp_path / "bad.db").write_bytes(copy.read_bytes()[:9000])
    with pytest.raises(InferenceError):
        archive.restore(shelf.path, tmp_path / "bad.db")
    assert shelf.replay(deal).revision == 0


# -- sudden ends -----------------------------------------------------------------------------------


def test_killed_programs_lose_nothing_that_they_confirmed(tmp_path: Path) -> None:
    n_runs, n_deals = kill(tmp_path / "deals.db", times=5, seed=66)
    assert n_runs >= 5
    assert n_deals >= 3
