"""The set-up of a deal is put right on its page: by taps, as one step, from table and review."""

from streamlit.testing.v1 import AppTest

from inference import archive
from inference.cards import Seat
from inference.dashboard import amend, draft
from inference.game.record import eyes, parse_record
from inference.game.scoring import Outcome
from inference.paths import data_file
from inference.store import Store, result
from tests.f1 import F1, MIDWAY, RECORD, written
from tests.pages import entries, opened, press, prompt, refusal, run, tap

MATCH = {"score": {"S": 3, "N": 2}, "dealer": "N"}


def record_of(shelf: Store, page: AppTest) -> dict[str, object]:
    return shelf.replay(str(page.query_params["g"])).session.to_record()


def test_a_wrong_card_of_the_hand_is_put_right_and_the_entries_stay(shelf: Store) -> None:
    deal = written(shelf, *F1[:5], match=MATCH).id
    page = press(opened(g=deal), "menu-set-up")
    assert prompt(page) == "Ready: save the set-up"
    press(tap(page, "JC", "JD"), "amend")
    assert page.query_params["g"] == deal
    found = record_of(shelf, page)
    assert found["hands"] == {"S": "9S AH AD JD KC QC"}
    assert found["match"] == MATCH
    assert entries(shelf, page) == " ".join(F1[:5])
    assert archive.count(shelf) == 1
    press(page, "do-undo")
    assert record_of(shelf, page)["hands"] == {"S": "9S AH AD KC QC JC"}
    assert entries(shelf, page) == " ".join(F1[:5])


def test_entries_that_do_not_fit_are_named_and_struck_out_only_if_asked(shelf: Store) -> None:
    page = press(opened(g=written(shelf, *F1[:5]).id), "menu-set-up")
    press(tap(page, "9S", "TS"), "amend")
    assert "entry 5 (S:♠9) no longer fits" in refusal(page)
    assert shelf.revision(str(page.query_params["of"])) == 5
    press(page, "amend-bare")
    assert entries(shelf, page) == ""
    assert record_of(shelf, page)["hands"] == {"S": "TS AH AD KC QC JC"}
    press(page, "do-undo")
    assert entries(shelf, page) == " ".join(F1[:5])
    assert record_of(shelf, page)["hands"] == {"S": "9S AH AD KC QC JC"}


def test_leader_rules_score_and_name_are_put_right(shelf: Store) -> None:
    page = press(opened(g=written(shelf, meta={"opponent": "Ann"}).id), "menu-set-up")
    page.button_group(key="set-lead").set_value("N")
    page.button_group(key="set-rules").set_value("santase")
    page.number_input(key="set-us").set_value(4)
    page.text_input(key="set-name").input("Anne")
    press(run(page), "amend")
    found = record_of(shelf, page)
    assert (found["leader"], found["rules"], found["meta"]) == (
        "N",
        "santase",
        {"opponent": "Anne"},
    )
    assert found["match"] == {"score": {"S": 4, "N": 0}, "dealer": "S"}
    assert opened().button_group(key="set-rules").value == "santase"  # the next deal is like it
    press(page, "do-undo")
    assert record_of(shelf, page)["rules"] == "sixty-six"


def test_left_as_it_was_nothing_is_written(shelf: Store) -> None:
    deal = written(shelf, *F1[:3]).id
    page = tap(press(opened(g=deal), "menu-set-up"), "JC")
    again = opened(**{key: str(text) for key, text in page.query_params.items()})
    assert prompt(again) == "Tap your 6 cards: 5 of 6"
    assert again.button(key="amend").disabled
    press(again, "amend-leave")
    assert again.query_params["g"] == deal
    press(press(again, "menu-set-up"), "amend")
    assert shelf.revision(deal) == 3
    press(again, "menu-new")
    assert [one for one in again.button if one.key == "start"]


def test_a_result_is_confirmed_again(shelf: Store) -> None:
    deal = written(shelf, *F1).id
    shelf.enter(deal, result(Outcome(Seat.S, 1, "out")))
    page = press(opened(g=deal), "menu-set-up")
    assert "confirmed again" in " ".join(str(one.value) for one in page.caption)
    page.text_input(key="set-house").input('{"target": 11}')
    press(run(page), "amend", "confirm")
    assert record_of(shelf, page)["rules"] == {"base": "sixty-six", "target": 11}
    assert archive.look_up(shelf, deal).confirmed


def test_a_position_in_mid_deal_is_filled_in_and_put_right(shelf: Store) -> None:
    deal = shelf.begin({"rules": "schnapsen", "seat": "S", "start": MIDWAY, "events": "N:QS"})
    page = press(opened(g=deal), "menu-set-up")
    page.button_group(key="set-tapped").set_value("his")
    press(tap(run(page), "QS"), "amend")
    found = record_of(shelf, page)["start"]
    assert isinstance(found, dict)
    assert found["known"] == {}
    assert found | {key: MIDWAY[key] for key in MIDWAY if key != "known"} == found


def test_what_the_page_cannot_say_is_not_offered(shelf: Store) -> None:
    north = {"rules": "sixty-six", "seat": "N", "leader": "N", "upcard": "JH"}
    deal = shelf.begin(north | {"hands": {"N": "AS KH QH 9C JD TD"}})
    assert opened(g=deal).button(key="menu-set-up").disabled


def test_the_set_up_of_each_sample_deal_can_be_said() -> None:
    for line in data_file("session.jsonl").read_text(encoding="utf-8").splitlines():
        assert amend.possible(eyes(parse_record(line), Seat.S))
    for name in ("f1", "f2"):
        record = parse_record(data_file(f"{name}.jsonl").read_text(encoding="utf-8"))
        assert amend.possible(eyes(record, Seat.S))


def test_a_forgotten_correction_and_a_wrong_address_do_no_harm(shelf: Store) -> None:
    deal = written(shelf).id
    page = press(opened(g=deal), "menu-set-up")
    page.query_params.clear()
    page.query_params["g"] = deal
    run(page)
    press(page, "menu-new")
    assert not page.session_state["desk"].draft.get("of")
    page = opened(of="nobody", mine="AH")
    assert "no such deal" in refusal(page)
    page.button(key="new").click()
    assert prompt(run(page)) == "Tap your 6 cards: 0 of 6"


def test_a_draft_says_what_a_record_says() -> None:
    found = draft.described(RECORD | {"match": MATCH, "meta": {"opponent": "Ann"}})
    again = draft.record(found)
    assert {key: again[key] for key in ("leader", "upcard", "match")} == {
        "leader": "S",
        "upcard": "QH",
        "match": MATCH | {"carry": 0},
    }


def test_notes_under_the_keys_of_the_program_are_in_nobodys_way(shelf: Store) -> None:
    noted = {"styles": "bold when ahead", "player": "from the club"}
    page = press(opened(g=written(shelf, meta=noted).id), "menu-set-up")
    press(tap(page, "JC", "JD"), "amend")
    found = record_of(shelf, page)
    assert found["hands"] == {"S": "9S AH AD JD KC QC"}
    assert found["meta"] == noted
