"""The log: what it keeps, what it refuses, and how one deal follows another."""

import json
import sqlite3
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from inference import archive, store
from inference.cards import Seat
from inference.errors import (
    ContradictionError,
    IllegalActionError,
    InferenceError,
    NotationError,
)
from inference.game.scoring import Outcome
from inference.session import Session
from inference.store import Deal, Entry, Store, correct, event, result, revert, schema, undo
from tests.f1 import F1, RECORD, same, written


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


# -- what it keeps ---------------------------------------------------------------------------------


def test_a_whole_deal_is_replayed_from_the_log(shelf: Store) -> None:
    deal = written(shelf, *F1)
    live = Session.from_record(RECORD | {"events": " ".join(F1)})
    assert same(deal.session, live)
    assert deal.session.tracker.view.public.points == (69, 60)


def test_the_revision_is_the_number_of_the_last_entry(shelf: Store) -> None:
    deal = shelf.begin(RECORD)
    assert shelf.revision(deal) == shelf.replay(deal).revision == 0
    first = shelf.enter(deal, event("S:QC*")).revision
    other = shelf.begin(RECORD)
    shelf.enter(other, event("S:9S"))
    assert shelf.enter(deal, event("N:AC")).revision > first
    assert shelf.revision(deal) == shelf.replay(deal).revision


def test_a_repeated_tap_is_one_tap(shelf: Store) -> None:
    deal, tap = shelf.begin(RECORD), event("S:QC*")
    first = shelf.enter(deal, tap)
    again = shelf.enter(deal, tap)
    assert again.revision == first.revision
    assert [str(e) for e in shelf.replay(deal).session.events] == ["S:QC*"]


def test_undo_and_correct_are_entries_and_nothing_is_deleted(shelf: Store) -> None:
    deal = written(shelf, "S:QC*", "N:AC").id
    shelf.enter(deal, undo())
    shelf.enter(deal, event("N:TC"))
    found = shelf.enter(deal, correct({1: "S:KC*"}))
    assert [str(e) for e in found.session.events] == ["S:KC*", "N:TC"]
    with sqlite3.connect(shelf.path) as db:
        kinds = [kind for (kind,) in db.execute("SELECT kind FROM entry ORDER BY seq")]
    assert kinds == ["event", "event", "undo", "event", "correct"]


def test_a_correction_is_taken_back_as_a_whole(shelf: Store) -> None:
    deal = written(shelf, "S:QC*", "N:AC").id
    shelf.enter(deal, correct({1: "S:KC*"}))
    found = shelf.enter(deal, revert())
    assert [str(e) for e in found.session.events] == ["S:QC*", "N:AC"]
    assert [str(e) for e in shelf.replay(deal).session.events] == ["S:QC*", "N:AC"]


def test_a_record_with_events_becomes_entries(shelf: Store) -> None:
    deal = shelf.begin(json.dumps(RECORD | {"events": "S:QC* N:AC"}))
    shelf.enter(deal, undo())
    assert [str(e) for e in shelf.replay(deal).session.events] == ["S:QC*"]


def test_the_export_can_be_begun_again(shelf: Store) -> None:
    deal = written(shelf, *F1, meta={"opponent": "Ann"})
    line = archive.export_line(shelf, deal.id)
    again = shelf.replay(shelf.begin(line))
    assert "\n" not in line
    assert [str(e) for e in again.session.events] == F1
    assert json.loads(line)["meta"] == {"date": date.today().isoformat(), "opponent": "Ann"}


def test_recent_deals_are_listed_newest_first(shelf: Store) -> None:
    deals = [written(shelf, *F1[:n], meta={"note": str(n)}).id for n in (0, 2, 1)]
    found = archive.recent(shelf, 2)
    assert [one.id for one in found] == [deals[2], deals[1]]
    assert [one.n_events for one in found] == [1, 2]
    assert found[0].record["meta"] == {"note": "1"}


def test_ids_cannot_be_guessed(shelf: Store) -> None:
    deals = {shelf.begin(RECORD) for _ in range(20)}
    assert len(deals) == 20
    assert min(map(len, deals)) >= 20


# -- what it refuses -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (event("S:AS"), ContradictionError),
        (event("N:AC"), IllegalActionError),
        (event("rubbish"), NotationError),
        (event("S:QC* N:QC"), ContradictionError),
        (undo(), IllegalActionError),
        (correct({3: "S:9S"}), NotationError),
        (result(Outcome(Seat.S, 1, "out")), IllegalActionError),
        (Entry("undo", "-1", "u"), NotationError),
        (Entry("undo", "²", "u"), NotationError),
        (Entry("correct", '{"1": 5}', "u"), NotationError),
        (Entry("correct", "[]", "u"), NotationError),
        (Entry("party", "", "u"), NotationError),
    ],
)
def test_what_does_not_fit_leaves_the_log_untouched(
    shelf: Store, entry: Entry, error: type[InferenceError]
) -> None:
    deal = shelf.begin(RECORD)
    with pytest.raises(error):
        shelf.enter(deal, entry)
    assert shelf.revision(deal) == 0
    shelf.enter(deal, event("S:QC*"))
    assert [str(e) for e in shelf.replay(deal).session.events] == ["S:QC*"]


def test_a_record_that_does_not_fit_leaves_nothing(shelf: Store) -> None:
    with pytest.raises(NotationError):
        shelf.begin(RECORD | {"upcard": "AH"})
    with pytest.raises(ContradictionError):
        shelf.begin(RECORD | {"events": "S:QC* N:QC"})
    assert archive.recent(shelf) == []


@pytest.mark.parametrize(
    "name", ["", "nobody", "a'; DROP TABLE deal --", "ä", "x" * 1000, "\ud800"]
)
def test_an_unknown_deal_is_one_sentence(shelf: Store, name: str) -> None:
    with pytest.raises(InferenceError, match="no such deal"):
        shelf.replay(name)
    with pytest.raises(InferenceError, match="no such deal"):
        shelf.enter(name, event("S:QC*"))


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE song (title TEXT)")


def newer(path: Path) -> None:
    Store(path)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")


def broken(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def cut(path: Path) -> None:
    Store(path)
    path.write_bytes(path.read_bytes()[:3000])


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (foreign, "another program"),
        (newer, "newer"),
        (broken, "cannot be used"),
        (cut, "cannot be used"),
        (Path.mkdir, "cannot be used"),
    ],
)
def test_another_file_is_one_sentence(
    tmp_path: Path, spoil: Callable[[Path], object], sentence: str
) -> None:
    path = tmp_path / "other.db"
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(InferenceError, match=sentence):
        Store(path).begin(RECORD)
    if path.is_file():
        assert path.read_bytes() == before


def test_every_entry_survives_a_power_cut(shelf: Store) -> None:
    with schema.connected(shelf.path) as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        tables = db.execute("SELECT strict FROM pragma_table_list WHERE name IN ('deal', 'entry')")
        assert tables.fetchall() == [(1,), (1,)]


# -- the end of a deal and the match ---------------------------------------------------------------


def confirmed(shelf: Store, outcome: Outcome, **more: object) -> Deal:
    deal = written(shelf, *F1, **more).id
    return shelf.enter(deal, result(outcome))


OUT = Outcome(Seat.S, 1, "out")


def test_a_confirmed_result_is_kept_until_something_else_is_entered(shelf: Store) -> None:
    deal = confirmed(shelf, OUT)
    assert deal.result == shelf.replay(deal.id).result == OUT
    assert shelf.enter(deal.id, undo()).result is None
    assert shelf.replay(deal.id).result is None


@pytest.mark.parametrize(
    "payload",
    [
        "{}",
        '{"winner": "E", "game_points": 1, "reason": ""}',
        '{"winner": "S", "game_points": -1, "reason": ""}',
        '{"winner": "S", "game_points": 1, "reason": 7}',
        '{"winner": "S", "game_points": 1, "reason": "", "prize": 1}',
    ],
)
def test_a_result_must_be_one(shelf: Store, payload: str) -> None:
    deal = written(shelf, *F1)
    with pytest.raises(NotationError):
        shelf.enter(deal.id, Entry("result", payload, "u"))
    assert shelf.revision(deal.id) == deal.revision


def test_the_next_deal_has_its_leader_and_the_score(shelf: Store) -> None:
    match = {"score": {"S": 4, "N": 2}, "dealer": "N"}
    deal = confirmed(shelf, OUT, match=match, meta={"opponent": "Ann"})
    assert store.next_deal(deal) == {
        "rules": "sixty-six",
        "seat": "S",
        "leader": "N",
        "meta": {"opponent": "Ann"},
        "match": {"score": {"S": 5, "N": 2}, "dealer": "S", "carry": 0},
    }


def test_without_a_match_one_begins_with_the_first_deal(shelf: Store) -> None:
    found = store.next_deal(confirmed(shelf, OUT))
    assert found["match"] == {"score": {"S": 1, "N": 0}, "dealer": "S", "carry": 0}


def test_after_a_match_the_next_one_begins(shelf: Store) -> None:
    match = {"score": {"S": 6, "N": 2}, "dealer": "N"}
    found = store.next_deal(confirmed(shelf, OUT, match=match))
    assert found["match"] == {"score": {"S": 0, "N": 0}, "dealer": "S", "carry": 0}


def test_a_result_as_agreed_counts(shelf: Store) -> None:
    found = store.next_deal(confirmed(shelf, Outcome(Seat.N, 3, "as agreed")))
    assert found["match"]["score"] == {"S": 0, "N": 3}


def test_before_the_result_there_is_no_next_deal(shelf: Store) -> None:
    with pytest.raises(IllegalActionError):
        store.next_deal(written(shelf, *F1))
