"""Deals in and out: nothing is lost, nothing comes twice, and a bad line stops nobody."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pyarrow import parquet

from inference import archive
from inference.archive import Search
from inference.archive.parquet import write
from inference.cards import Seat
from inference.game.compact import format_compact
from inference.game.record import parse_record
from inference.game.scoring import Outcome
from inference.paths import data_file
from inference.store import Store, Summary, correct, event, result
from tests.f1 import F1, RECORD, written

SAMPLE = data_file("session.jsonl").read_text(encoding="utf-8").splitlines()
BAD = [
    ("rubbish", "no known rule set"),
    ("[1, 2]", "no house rule"),
    ('{"rules": "sixty-six"', "one JSON object"),
    (json.dumps(RECORD | {"upcard": "AH"}), "stands"),
    (json.dumps(RECORD | {"events": "S:QC* N:QC"}), "entry 2"),
    (json.dumps(RECORD | {"meta": {"result": {"winner": "S"}}}), "not over"),
    (json.dumps(RECORD | {"events": "S:/", "meta": {"result": {"winner": "W"}}}), "S or N"),
]


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


def listed(shelf: Store) -> list[Summary]:
    return archive.search(shelf, n=-1)


# -- in --------------------------------------------------------------------------------------------


def test_the_sample_session_is_there_once_and_is_nobodys_own(shelf: Store) -> None:
    first, again = archive.load_sample(shelf), archive.load_sample(shelf)
    assert (len(first.added), first.known, first.bad) == (len(SAMPLE), [], [])
    assert (again.added, len(again.known), again.bad) == ([], len(SAMPLE), [])
    assert archive.count(shelf, Search(own=False)) == archive.count(shelf) == len(SAMPLE) >= 40
    assert archive.recent(shelf) == []
    (opponent,) = archive.opponents(shelf)
    assert "simulated" in opponent.name
    told = [parse_record(line).meta["result"] for line in SAMPLE]
    points = sum(one["game_points"] * (1 if one["winner"] == "S" else -1) for one in told)
    assert (opponent.n_finished, opponent.points) == (len(SAMPLE), points)
    for match in archive.matches(shelf, opponent.name):
        assert match[0].score == (0, 0)
        assert max(match[-1].score_after or (0,)) >= 7


def test_bad_lines_are_reported_and_the_others_kept(shelf: Store) -> None:
    lines = [SAMPLE[0], "", *(line for line, _ in BAD), SAMPLE[1]]
    found = archive.import_lines(shelf, lines)
    assert len(found.added) == archive.count(shelf) == 2
    assert [number for number, _ in found.bad] == list(range(3, 3 + len(BAD)))
    for (_, sentence), (_, part) in zip(found.bad, BAD, strict=True):
        assert part in sentence
        assert "\n" not in sentence


def test_a_line_that_stands_twice_is_one_deal(shelf: Store) -> None:
    short = format_compact(parse_record(SAMPLE[0]))
    found = archive.import_lines(shelf, [SAMPLE[0], SAMPLE[0], short])
    assert (len(found.added), len(found.known)) == (1, 2)


def test_a_deal_is_known_after_it_was_noted_moved_or_corrected(shelf: Store) -> None:
    (deal,) = archive.import_lines(shelf, [SAMPLE[0]]).added
    archive.edit(shelf, deal, opponent="Zoe", note="mine")
    last = len(shelf.replay(deal).session.events)
    shelf.enter(deal, correct({last: ""}))
    assert archive.import_lines(shelf, [SAMPLE[0]]).known == [deal]
    assert archive.import_lines(shelf, [archive.export_line(shelf, deal)]).known == [deal]


def test_a_deal_entered_at_the_table_is_known(shelf: Store) -> None:
    deal = written(shelf, *F1).id
    assert archive.import_lines(shelf, [archive.export_line(shelf, deal)]).known == [deal]


def test_a_deleted_deal_comes_back_when_it_is_imported_again(shelf: Store) -> None:
    (deal,) = archive.import_lines(shelf, [SAMPLE[0]]).added
    archive.delete(shelf, deal)
    assert archive.import_lines(shelf, [SAMPLE[0]]).added == [deal]
    assert archive.look_up(shelf, deal).deleted is None


def test_a_finished_deal_is_confirmed_as_the_table_said(shelf: Store) -> None:
    agreed = {"winner": "N", "game_points": 3, "reason": "as agreed"}
    record = parse_record(SAMPLE[0]).to_json()
    (deal,) = archive.import_lines(shelf, [json.dumps(record | {"meta": {"result": agreed}})]).added
    assert shelf.replay(deal).result == Outcome(Seat.N, 3, "as agreed")
    row = archive.look_up(shelf, deal)
    assert (row.points, row.confirmed, row.own) == (-3, True, True)


# -- out -------------------------------------------------------------------------------------------


def test_what_goes_out_comes_in_the_same(shelf: Store, tmp_path: Path) -> None:
    archive.import_lines(shelf, SAMPLE[:8], own=False)
    mine = written(shelf, *F1, meta={"opponent": "Ann", "place": "home"}).id
    shelf.enter(mine, result(Outcome(Seat.N, 2, "as agreed")))
    archive.edit(shelf, mine, tags=["a", "b"], star=True, note="№ 1")
    lines = list(archive.export_lines(shelf, listed(shelf)))
    other = Store(tmp_path / "other.db")
    found = archive.import_lines(other, lines)
    assert (len(found.added), found.bad) == (9, [])
    assert list(archive.export_lines(other, listed(other))) == lines
    before, after = ([one[3:] for one in listed(each)] for each in (shelf, other))
    assert before == after


def test_a_complete_record_stays_whole_until_it_is_corrected(shelf: Store) -> None:
    (deal,) = archive.import_lines(shelf, [SAMPLE[0]]).added
    known = archive.whole(shelf, deal)
    assert known is not None
    assert known.hands == parse_record(SAMPLE[0]).hands
    assert archive.export_record(shelf, deal).talon == parse_record(SAMPLE[0]).talon
    last = len(shelf.replay(deal).session.events)
    shelf.enter(deal, correct({last: ""}))
    assert archive.whole(shelf, deal) is None
    seen = archive.export_record(shelf, deal)
    assert (seen.seat, seen.talon, seen.hands[Seat.N]) == (Seat.S, None, None)


class Page(HTMLParser):
    """Reads a page: its tags, its addresses and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_page_says_all_and_needs_nothing(shelf: Store) -> None:
    name = "<script>alert(1)</script>"
    held = shelf.replay(shelf.begin(RECORD | {"meta": {"opponent": name}}))
    for text in F1:
        archive.keep(shelf, held)
        held = shelf.enter(held.id, event(text), held)
    text = archive.page(shelf, held.id)
    found = Page(text)
    assert "script" not in found.tags
    assert found.addresses == []
    assert not re.search(r"url\(|@import|https?:", text)
    assert found.tags.count("tr") == len(F1) + 1
    assert name in found.words
    for words in ("I won 1 game point", "announces the marriage", "swaps the low trump", " %"):
        assert words in found.words


def test_every_deal_has_its_page(shelf: Store) -> None:
    for deal in archive.import_lines(shelf, SAMPLE[:6]).added:
        found = Page(archive.page(shelf, deal))
        n = len(shelf.replay(deal, model="counting").session.events)
        assert found.tags.count("tr") == n + 1


def test_events_as_a_table(shelf: Store, tmp_path: Path) -> None:
    archive.import_lines(shelf, SAMPLE[:3])
    n = write(shelf, tmp_path / "events.parquet")
    table = parquet.read_table(tmp_path / "events.parquet").to_pylist()
    deals = [parse_record(line) for line in SAMPLE[:3]]
    assert len(table) == n == sum(len(deal.events) for deal in deals)
    assert [row["event"] for row in table if row["who"] == "me"] == [
        str(one) for deal in deals for one in deal.events if one.seat == Seat.S
    ]
    assert {row["opponent"] for row in table} == {deal.meta["opponent"] for deal in deals}
