"""Past deals: found by what they are, noted, moved, deleted and brought back, shown as then."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from inference import archive, store
from inference.advice import advise
from inference.archive import Search
from inference.cards import Card, Seat
from inference.errors import InferenceError, NotationError
from inference.game.scoring import Outcome
from inference.reports import likeliest, locations
from inference.store import Store, correct, event, result, undo
from tests.f1 import F1, RECORD, written

CLOSING = RECORD | {"rules": "sechsundsechzig", "meta": {"opponent": "Bo", "date": "2026-02-01"}}


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Make a file of four deals, by name."""
    shelf = Store(tmp_path_factory.mktemp("four") / "deals.db")
    ann, played = {"opponent": "Ann", "date": "2026-01-05"}, RECORD | {"events": " ".join(F1)}
    won = shelf.begin(played | {"meta": ann, "match": {"score": {"S": 4, "N": 2}}})
    shelf.enter(won, result(Outcome(Seat.S, 1, "out")))
    lost = shelf.begin(played | {"meta": ann | {"date": "2026-01-06"}})
    shelf.enter(lost, result(Outcome(Seat.N, 2, "as agreed")))
    begun = written(shelf, "S:QC*", meta=ann | {"date": "2026-01-07"}).id
    closed = shelf.begin(CLOSING | {"events": "S:c"})
    copy = archive.backup(shelf)
    return copy, {"won": won, "lost": lost, "begun": begun, "closed": closed}


@pytest.fixture
def full(four: tuple[Path, dict[str, str]], tmp_path: Path) -> tuple[Store, dict[str, str]]:
    """Copy the store of four deals."""
    path, deals = four
    return Store(Path(shutil.copy(path, tmp_path / "deals.db"))), deals


# -- what is found ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Search(), ["closed", "begun", "lost", "won"]),
        (Search(opponent="Ann"), ["begun", "lost", "won"]),
        (Search(opponent="ann"), []),
        (Search(since="2026-01-06", until="2026-01-07"), ["begun", "lost"]),
        (Search(rules="sechsundsechzig"), ["closed"]),
        (Search(result="won"), ["won"]),
        (Search(result="lost"), ["lost"]),
        (Search(result="open"), ["closed", "begun"]),
        (Search(lost=2), ["lost"]),
        (Search(lost=3), []),
        (Search(closed="me"), ["closed"]),
        (Search(closed="any"), ["closed"]),
        (Search(closed="he"), []),
        (Search(closed="nobody", result="open"), ["begun"]),
        (Search(text="BO"), ["closed"]),
        (Search(own=False), []),
        (Search(deleted=True), []),
    ],
)
def test_a_search_finds_what_it_says(
    full: tuple[Store, dict[str, str]], wanted: Search, found: list[str]
) -> None:
    shelf, deals = full
    names = {deal: name for name, deal in deals.items()}
    assert [names[one.id] for one in archive.search(shelf, wanted)] == found
    assert archive.count(shelf, wanted) == len(found)


def test_a_page_begins_where_the_last_one_ended(full: tuple[Store, dict[str, str]]) -> None:
    shelf, _ = full
    pages = [archive.search(shelf, n=3), archive.search(shelf, n=3, skip=3)]
    assert [one.id for page in pages for one in page] == [s.id for s in archive.search(shelf)]


@pytest.mark.parametrize(
    "wanted",
    [Search(rules="poker"), Search(result="?"), Search(closed="x"), Search(since="1.2.2026")],
)
def test_what_cannot_be_looked_for_is_one_sentence(shelf: Store, wanted: Search) -> None:
    with pytest.raises(NotationError):
        archive.search(shelf, wanted)


def test_a_summary_follows_each_entry(shelf: Store) -> None:
    deal = written(shelf, *F1).id
    row = archive.look_up(shelf, deal)
    assert (row.n_events, row.points, row.confirmed) == (len(F1), 1, False)
    shelf.enter(deal, result(Outcome(Seat.N, 3, "as agreed")))
    row = archive.look_up(shelf, deal)
    assert (row.points, row.reason, row.confirmed) == (-3, "as agreed", True)
    shelf.enter(deal, undo(3))
    row = archive.look_up(shelf, deal)
    assert (row.n_events, row.points, row.confirmed) == (len(F1) - 3, None, False)


def test_points_are_mine_whatever_my_seat(shelf: Store) -> None:
    line = {"rules": "sixty-six", "seat": "N", "leader": "N", "upcard": "JH"}
    deal = shelf.begin(line | {"hands": {"N": "AS KH QH 9C JD TD"}, "events": "N:/"})
    assert archive.look_up(shelf, deal).points is not None
    assert (archive.look_up(shelf, deal).points or 0) < 0


def test_the_opponents_and_their_matches(full: tuple[Store, dict[str, str]]) -> None:
    shelf, deals = full
    ann, bo = archive.opponents(shelf)
    assert (ann.name, ann.n_deals, ann.n_finished, ann.points) == ("Ann", 3, 2, -1)
    assert (bo.name, bo.last) == ("Bo", "2026-02-01")
    following = store.next_deal(shelf.replay(deals["won"]))
    assert following["meta"] == {"opponent": "Ann"}
    assert archive.look_up(shelf, deals["won"]).score_after == (5, 2)
    after = shelf.begin({**RECORD, **following, "meta": {"opponent": "Ann", "date": "2026-01-05"}})
    groups = [[one.id for one in match] for match in archive.matches(shelf, "Ann")]
    assert groups == [[deals["won"], after], [deals["lost"]], [deals["begun"]]]
    for match in groups:
        for deal in match:
            assert [one.id for one in archive.match_of(shelf, deal)] == match


# -- notes, deletion -------------------------------------------------------------------------------


def test_notes_are_found_and_stay_with_their_deal(full: tuple[Store, dict[str, str]]) -> None:
    shelf, deals = full
    archive.edit(shelf, deals["won"], note="a fine end", tags=["end game", "close, me"], star=True)
    archive.edit(shelf, deals["won"], date="2025-12-31")
    row = archive.look_up(shelf, deals["won"])
    assert (row.note, row.star, row.played) == ("a fine end", True, "2025-12-31")
    assert row.tags == ("end game", "close me")
    for wanted in (Search(star=True), Search(tag="end game"), Search(text="fine")):
        assert [one.id for one in archive.search(shelf, wanted)] == [deals["won"]]
    assert archive.search(shelf, Search(tag="end")) == []
    assert archive.tags(shelf) == {"close me": 1, "end game": 1}
    assert store.next_deal(shelf.replay(deals["won"]))["meta"] == {"opponent": "Ann"}
    archive.edit(shelf, deals["won"], note="", tags=[], star=False)
    assert archive.search(shelf, Search(star=True)) == []
    assert archive.look_up(shelf, deals["won"]).note == ""


def test_an_entry_keeps_the_notes(shelf: Store) -> None:
    held = written(shelf, "S:QC*")
    archive.edit(shelf, held.id, opponent="Cy", note="late")
    held = shelf.enter(held.id, event("N:AC"), held)
    assert held.session.record.meta["opponent"] == "Cy"
    row = archive.look_up(shelf, held.id)
    assert (row.opponent, row.note, row.n_events) == ("Cy", "late", 2)


def test_a_deal_moves_to_another_opponent(full: tuple[Store, dict[str, str]]) -> None:
    shelf, deals = full
    archive.move(shelf, [deals["won"], deals["lost"]], "Bo")
    assert {one.name: one.n_deals for one in archive.opponents(shelf)} == {"Bo": 3, "Ann": 1}
    assert shelf.replay(deals["won"]).session.record.meta["opponent"] == "Bo"


def test_what_is_deleted_comes_back(full: tuple[Store, dict[str, str]]) -> None:
    shelf, deals = full
    before = archive.search(shelf)
    archive.delete(shelf, deals["lost"])
    assert deals["lost"] not in [one.id for one in archive.search(shelf) + archive.recent(shelf)]
    assert [one.id for one in archive.search(shelf, Search(deleted=True))] == [deals["lost"]]
    shelf.enter(deals["lost"], undo())
    assert archive.look_up(shelf, deals["lost"]).deleted is not None
    shelf.enter(deals["lost"], event(F1[-1]))
    shelf.enter(deals["lost"], result(Outcome(Seat.N, 2, "as agreed")))
    archive.undelete(shelf, deals["lost"])
    assert archive.search(shelf) == before


def test_an_unknown_deal_or_date_is_one_sentence(shelf: Store) -> None:
    for work in (archive.delete, archive.undelete, archive.look_up, archive.page):
        with pytest.raises(InferenceError, match="no such deal"):
            work(shelf, "nobody")
    deal = shelf.begin(RECORD)
    with pytest.raises(NotationError, match="no date"):
        archive.edit(shelf, deal, date="yesterday")
    with pytest.raises(NotationError, match="at most"):
        archive.edit(shelf, deal, note="x" * 5000)


# -- as it was shown -------------------------------------------------------------------------------


def test_what_was_shown_never_changes(shelf: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    held = written(shelf, *F1[:4])
    advice = advise(held.session.tracker.view, held.session.tracker.belief, 1.0, 4, 1)
    p, hands = locations(held.session.tracker), likeliest(held.session.tracker)
    archive.keep(shelf, held, advice)
    monkeypatch.setattr("inference.archive.shown.version", lambda: "99")
    archive.keep(shelf, held, advice)
    (shown,) = archive.kept(shelf, held.id)
    assert (shown.entry, shown.n_events) == (held.revision, 4)
    assert not shown.engine.startswith("99")
    assert shown.engine.endswith(held.session.tracker.model.name)
    assert shown.marginals == pytest.approx(p, abs=1e-6)
    assert [hand for hand, _ in shown.hands] == [hand for hand, _ in hands]
    assert shown.advice is not None
    assert shown.advice["best"] == str(advice.best.action)
    assert shown.advice["actions"][0]["reason"] == advice.best.reason


def test_a_corrected_entry_is_kept_beside_what_was_shown_before(shelf: Store) -> None:
    held = written(shelf, "S:QC*", "N:AC")
    archive.keep(shelf, held)
    held = shelf.enter(held.id, correct({2: "N:TC"}), held)
    archive.keep(shelf, held)
    first, second = archive.kept(shelf, held.id)
    assert first.entry < second.entry
    assert Card.CT in first.marginals
    assert Card.CT not in second.marginals
    assert archive.as_shown(shelf, held.id) == {2: second}


def test_a_summary_can_be_made_anew(full: tuple[Store, dict[str, str]]) -> None:
    shelf, deals = full
    archive.edit(shelf, deals["won"], note="kept", star=True)
    before = archive.search(shelf)
    with sqlite3.connect(shelf.path) as db:
        db.execute("DELETE FROM summary")
        db.execute("DROP TABLE held")
        db.execute("DROP TABLE advice")
        db.execute("DROP TABLE belief")
        db.execute("DROP TABLE summary")
        db.execute("DROP INDEX deal_by_origin")
        for column in ("whole", "origin", "deleted"):
            db.execute(f"ALTER TABLE deal DROP COLUMN {column}")
        db.execute("PRAGMA user_version = 2")
    assert archive.search(Store(shelf.path)) == before
