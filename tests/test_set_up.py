"""A set-up is put right afterwards: a mistyped hand, upcard, leader, or other rules."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from inference import archive
from inference.cards import Seat, parse_hand
from inference.errors import ContradictionError, InferenceError, NotationError
from inference.game.scoring import Outcome
from inference.paths import data_file
from inference.session import Session
from inference.store import Store, correct, event, result, revert
from tests.f1 import F1, RECORD, same, written

HAND = {"S": "AH KC QC 9S AD JD"}
MISTYPED = RECORD | {"hands": HAND}
RIGHT = {"hands": RECORD["hands"]}


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


# -- a session -------------------------------------------------------------------------------------


def test_a_mistyped_hand_is_put_right_and_the_entries_are_replayed() -> None:
    session = Session.from_record(MISTYPED | {"events": " ".join(F1[:10])})
    session.correct({0: RIGHT})
    assert same(session, Session.from_record(RECORD | {"events": " ".join(F1[:10])}))


def test_it_is_one_step_that_is_taken_back_whole() -> None:
    session = Session.from_record(MISTYPED | {"events": " ".join(F1[:3])})
    before = Session.from_record(session.to_record())
    session.correct({0: RIGHT, 3: ""})
    session.note({"opponent": "Ann"})
    session.observe(F1[2])
    session.revert()
    session.revert()
    assert session.record.meta == {"opponent": "Ann"}
    session.note({})
    assert same(session, before)


def test_a_set_up_without_entries_is_put_right_and_back() -> None:
    session = Session.from_record(MISTYPED)
    session.correct({0: RIGHT | {"leader": "N", "rules": "santase"}})
    assert (session.record.leader, session.record.rules.name) == (Seat.N, "santase")
    session.revert()
    assert same(session, Session.from_record(MISTYPED))


def test_with_another_leader_the_other_one_deals() -> None:
    match = {"score": {"S": 2, "N": 1}, "dealer": "N"}
    session = Session.from_record(RECORD | {"match": match})
    session.correct({0: {"leader": "N"}})
    assert session.to_record()["match"] == match | {"dealer": "S"}


def test_a_position_in_mid_deal_is_put_right() -> None:
    start = {
        "leader": "S",
        "hand": "JD TC",
        "unseen": "TD QD",
        "trump": "S",
        "talon": 0,
        "points": {"S": 56, "N": 39},
        "tricks": {"S": 6, "N": 4},
    }
    session = Session.from_record({"rules": "sixty-six", "seat": "S", "start": start})
    session.correct({0: {"start": start | {"hand": "JD TD", "unseen": "TC QD"}}})
    assert session.tracker.view.hand == parse_hand("JD TD")


@pytest.mark.parametrize(
    ("changes", "error", "part"),
    [
        (
            {"hands": {"S": "AH KC TC 9S AD JC"}},
            ContradictionError,
            "entry 1 (S:QC*) no longer fits",
        ),
        ({"leader": "N"}, ContradictionError, "entry 1 (S:QC*) no longer fits"),
        ({"upcard": "AC"}, ContradictionError, "entry 2 (N:AC) no longer fits"),
        ({"rules": "schnapsen"}, NotationError, "pack of 20 cards"),
        ({"hands": {"S": "AH KC QC 9S AD"}}, NotationError, "has 5 cards, not 6"),
        ({"upcard": "AH"}, NotationError, "only once"),
        ({"seat": "N"}, NotationError, "has no key 'seat'"),
        ({"events": ""}, NotationError, "has no key 'events'"),
        ({"start": {"leader": "S"}}, NotationError, "has no 'leader'"),
        ("AH KC", NotationError, "must be an object"),
    ],
)
def test_what_does_not_fit_is_one_sentence_and_nothing_is_lost(
    changes: object, error: type[InferenceError], part: str
) -> None:
    session = Session.from_record(RECORD | {"events": " ".join(F1[:4])})
    before = Session.from_record(session.to_record())
    with pytest.raises(error) as found:
        session.correct({0: changes})  # type: ignore[dict-item]
    assert part in str(found.value)
    assert same(session, before)


# -- a stored deal ---------------------------------------------------------------------------------


def test_the_log_keeps_a_corrected_set_up_and_undoes_it(shelf: Store) -> None:
    held = written(shelf, *F1[:5], hands=HAND)
    shelf.enter(held.id, correct({0: RIGHT}))
    found = shelf.replay(held.id)
    assert same(found.session, Session.from_record(RECORD | {"events": " ".join(F1[:5])}))
    shelf.enter(held.id, revert())
    assert same(shelf.replay(held.id).session, held.session)


def test_lists_exports_and_imports_follow_it(shelf: Store) -> None:
    deal = written(shelf, *F1[:5], hands=HAND).id
    shelf.enter(deal, correct({0: RIGHT | {"rules": "sechsundsechzig"}}))
    (row,) = archive.search(shelf, archive.Search(rules="sechsundsechzig"))
    assert row.id == deal
    line = archive.export_line(shelf, deal)
    assert json.loads(line)["hands"] == Session.from_record(RECORD).to_record()["hands"]
    assert archive.import_lines(shelf, [line]).known == [deal]


def test_a_refused_one_leaves_the_log_and_a_confirmed_result_alone(shelf: Store) -> None:
    deal = written(shelf, *F1).id
    shelf.enter(deal, result(Outcome(Seat.N, 2, "as agreed")))
    before = archive.look_up(shelf, deal), shelf.revision(deal)
    with pytest.raises(ContradictionError, match="entry 18 "):
        shelf.enter(deal, correct({0: {"hands": {"S": "AH KC QC 9S AD TS"}}}))
    assert (archive.look_up(shelf, deal), shelf.revision(deal)) == before
    assert shelf.replay(deal).result == Outcome(Seat.N, 2, "as agreed")


def test_a_complete_record_is_whole_no_longer(shelf: Store) -> None:
    line = data_file("session.jsonl").read_text(encoding="utf-8").splitlines()[0]
    (deal,) = archive.import_lines(shelf, [line]).added
    rules = shelf.replay(deal).session.record.rules
    other = replace(rules, target=rules.target + 2).to_json()
    shelf.enter(deal, correct({0: {"rules": other}}))
    assert archive.whole(shelf, deal) is None
    assert archive.import_lines(shelf, [line]).known == [deal]
    shelf.enter(deal, revert())
    assert archive.whole(shelf, deal) is not None


# -- what was believed when ------------------------------------------------------------------------


def test_what_was_shown_of_another_hand_is_kept_but_not_taken_for_this_one(shelf: Store) -> None:
    held = written(shelf, *F1[:2], hands=HAND)
    archive.keep(shelf, held)
    held = shelf.enter(held.id, correct({0: RIGHT}), held)
    assert len(archive.kept(shelf, held.id)) == 1
    assert archive.as_shown(shelf, held.id) == {}
    archive.keep(shelf, held)
    assert archive.as_shown(shelf, held.id) == {2: archive.kept(shelf, held.id)[1]}
    shelf.enter(held.id, revert())
    assert archive.as_shown(shelf, held.id) == {2: archive.kept(shelf, held.id)[0]}


def test_what_was_shown_after_a_wrong_entry_is_not_taken_for_what_followed(shelf: Store) -> None:
    held = written(shelf, F1[0], "N:TC")
    archive.keep(shelf, held)
    held = shelf.enter(held.id, event("S:+JH"), held)
    archive.keep(shelf, held)
    held = shelf.enter(held.id, correct({2: "N:AC"}), held)
    assert len(archive.kept(shelf, held.id)) == 2
    assert archive.as_shown(shelf, held.id) == {}
    shelf.enter(held.id, correct({2: "N:TC"}))
    assert sorted(archive.as_shown(shelf, held.id)) == [2, 3]
