"""The set-up page without a browser: a new deal, a position in mid-deal, a record; and the door."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from inference import archive
from inference.store import Store
from tests.f1 import F1, MIDWAY, RECORD, written
from tests.pages import card_key, entries, opened, press, prompt, refusal, run, tap

HAND = ("AH", "KC", "QC", "9S", "AD", "JC")


def choose(page: AppTest, key: str, value: str) -> AppTest:
    page.button_group(key=f"set-{key}").set_value(value)
    return run(page)


def number(page: AppTest, **values: int) -> AppTest:
    for key, value in values.items():
        page.number_input(key=f"set-{key.replace('_', '-')}").set_value(value)
        run(page)
    return page


def record_of(shelf: Store, page: AppTest) -> dict[str, object]:
    return shelf.replay(str(page.query_params["g"])).session.to_record()


# -- a new deal ------------------------------------------------------------------------------------


def test_a_deal_is_set_up_by_taps(shelf: Store) -> None:
    page = tap(choose(opened(), "lead", "S"), *HAND)
    assert prompt(page) == "Tap the upcard (the face-up trump)"
    press(tap(page, "QH"), "start")
    found = record_of(shelf, page)
    assert found["hands"] == {"S": "9S AH AD KC QC JC"}
    assert (found["leader"], found["upcard"], found["rules"]) == ("S", "QH", "sixty-six")
    assert found["match"] == {"score": {"S": 0, "N": 0}, "dealer": "N"}
    assert prompt(page).startswith("Tap your lead")


def test_a_chosen_card_is_taken_back_by_a_second_tap(shelf: Store) -> None:
    page = tap(opened(), *HAND, "QH", "AD")
    assert prompt(page) == "Tap your 6 cards: 5 of 6"
    press(tap(page, "TD", "QH", "KH"), "start")
    found = record_of(shelf, page)
    assert found["hands"] == {"S": "9S AH TD KC QC JC"}
    assert found["upcard"] == "KH"


def test_a_full_hand_takes_no_more(shelf: Store) -> None:
    page = tap(opened(), *HAND, "QH", "AS")
    assert prompt(page) == "Ready: start the deal"
    assert "AS" not in page.query_params["mine"] + page.query_params["upcard"]


def test_a_double_tap_chooses_one_card(shelf: Store) -> None:
    page = opened()
    for _ in range(2):
        page.button(key=card_key("AH")).click()
        run(page)
    assert page.query_params["mine"] == "AH"


def test_a_reload_finds_the_draft_in_the_address(shelf: Store) -> None:
    page = tap(choose(opened(), "rules", "santase"), *HAND[:4])
    again = opened(**{key: str(text) for key, text in page.query_params.items()})
    assert prompt(again) == "Tap your 6 cards: 4 of 6"
    assert again.button_group(key="set-rules").value == "santase"


def test_an_address_of_nonsense_does_no_harm(shelf: Store) -> None:
    page = opened(rules="whist", lead="X", mine="ZZ", kind="?", us="many", trump="Q", house="{")
    assert prompt(page) == "Tap your 6 cards: 0 of 6"


def test_too_early_a_start_is_one_sentence(shelf: Store) -> None:
    page = press(tap(opened(), "AH"), "start")
    assert refusal(page) == "Tap your cards and the upcard first."
    assert archive.recent(shelf) == []
    tap(page, "KC")
    assert not page.error


def test_the_pad_has_the_cards_of_the_rules(shelf: Store) -> None:
    page = tap(opened(), "9S", "AH")
    choose(page, "rules", "schnapsen")
    assert prompt(page) == "Tap your 5 cards: 1 of 5"
    assert len([b for b in page.button if str(b.key).startswith("card-")]) == 20


def test_house_rules_are_read_or_refused_in_one_sentence(shelf: Store) -> None:
    page = opened()
    page.text_input(key="set-house").input('{"target": 99}')
    assert "cannot be 99" in refusal(run(page))
    page.text_input(key="set-house").input('{"target": 11, "close": true}')
    press(tap(run(page), *HAND, "QH"), "start")
    rules = record_of(shelf, page)["rules"]
    assert rules == {"base": "sixty-six", "close": True, "target": 11}


def test_names_and_score_go_into_the_record(shelf: Store) -> None:
    page = number(opened(), us=3, them=6)
    page.text_input(key="set-name").input("Ann")
    press(tap(run(page), *HAND, "QH"), "start")
    found = record_of(shelf, page)
    assert found["match"] == {"score": {"S": 3, "N": 6}, "dealer": "S"}
    assert found["meta"]["opponent"] == "Ann"  # type: ignore[index]


def test_a_won_match_cannot_go_on(shelf: Store) -> None:
    page = press(tap(number(opened(), us=7), *HAND, "QH"), "start")
    assert "that match is over" in refusal(page)


def test_the_next_deal_begins_like_the_last(shelf: Store) -> None:
    rules = {"base": "santase", "target": 7}
    written(shelf, rules=rules, meta={"opponent": "Ann"})
    page = opened()
    assert page.button_group(key="set-rules").value == "santase"
    assert json.loads(page.text_input(key="set-house").value) == {"target": 7}
    assert page.text_input(key="set-name").value == "Ann"


def test_recent_deals_can_be_opened_again(shelf: Store) -> None:
    deal = written(shelf, *F1[:3]).id
    written(shelf)  # nothing was entered: not worth a line
    page = opened()
    (again,) = [str(b.key) for b in page.button if str(b.key).startswith("recent-")]
    press(page, again)
    assert page.query_params["g"] == deal
    assert entries(shelf, page) == " ".join(F1[:3])


# -- in the middle of a deal -----------------------------------------------------------------------


def test_a_position_is_set_up_by_taps_and_numbers(shelf: Store) -> None:
    page = choose(choose(opened(), "rules", "schnapsen"), "kind", "midway")
    tap(page, "AC", "KC", "AD", "TD", "QD")
    tap(choose(page, "tapped", "gone"), "AS", "TS", "KS", "JS", "AH", "KH", "JH", "JC")
    tap(choose(page, "tapped", "upcard"), "KD")
    tap(choose(page, "tapped", "his"), "QS")
    number(page, points_S=16, points_N=30, tricks_S=1, tricks_N=3)
    press(page, "start")
    assert not page.error, refusal(page)
    found = record_of(shelf, page)["start"]
    assert isinstance(found, dict)
    assert found | MIDWAY == found
    assert prompt(page).startswith("Tap N's lead")


def test_without_a_talon_the_trump_is_asked_for(shelf: Store) -> None:
    page = choose(choose(opened(), "rules", "schnapsen"), "kind", "midway")
    tap(choose(page, "lead", "S"), "KC", "QC")
    left = {"KC", "QC", "TH", "QH"}
    gone = [r + s for s in "SHDC" for r in "ATKQJ" if r + s not in left]
    tap(choose(choose(page, "tapped", "gone"), "trump", "C"), *gone)
    number(page, points_S=40, points_N=60, tricks_S=4, tricks_N=4)
    press(page, "start")
    assert prompt(page).startswith("This marriage takes you out")


def test_a_tap_moves_a_card_from_set_to_set(shelf: Store) -> None:
    page = tap(choose(opened(), "kind", "midway"), "AS")
    tap(choose(page, "tapped", "gone"), "AS")
    assert prompt(page).startswith("Mine 0, gone 1")
    tap(page, "AS")
    assert prompt(page).startswith("Mine 0, gone 0")


def test_a_position_that_cannot_be_is_one_sentence(shelf: Store) -> None:
    page = press(tap(choose(opened(), "kind", "midway"), "AS"), "start")
    assert "upcard" in refusal(page)
    assert archive.recent(shelf) == []


def test_a_record_is_pasted(shelf: Store) -> None:
    page = opened()
    record = {"rules": "schnapsen", "seat": "S", "start": MIDWAY, "events": "N:QS"}
    page.text_area(key="pasted").input(json.dumps(record))
    press(run(page), "open")
    assert entries(shelf, page) == "N:QS"
    assert prompt(page).startswith("Tap your reply to ♠Q")


@pytest.mark.parametrize("text", ["", "rubbish", "[]", "{}", '{"rules": "whist"}', '{"a": NaN}'])
def test_a_broken_record_is_one_sentence(shelf: Store, text: str) -> None:
    page = opened()
    page.text_area(key="pasted").input(text)
    press(run(page), "open")
    assert refusal(page)
    assert archive.recent(shelf) == []


# -- the door --------------------------------------------------------------------------------------


def test_an_unknown_deal_is_one_sentence_and_a_way_out(shelf: Store) -> None:
    page = opened(g="nobody")
    assert refusal(page) == "there is no such deal in the store: start a new one."
    page.button(key="new").click()
    assert prompt(run(page)).startswith("Tap your 6 cards")


def test_a_broken_store_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(b"no database at all" * 100)
    monkeypatch.setenv("SIXTYSIX_DB", str(path))
    assert "cannot be used" in refusal(opened())


def test_the_token_is_demanded(shelf: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    deal = shelf.begin(RECORD)
    monkeypatch.setenv("SIXTYSIX_TOKEN", "secret-ä")
    for params in ({}, {"t": "wrong"}, {"t": ""}, {"t": "secret"}):
        page = opened(g=deal, **params)
        assert "lacks the token" in refusal(page)
        assert not page.button
    page = opened(g=deal, t="secret-ä")
    assert prompt(page).startswith("Tap your lead")
    press(page, "menu-new")
    assert page.query_params["t"] == "secret-ä"
    press(tap(page, *HAND, "QH"), "start")
    assert page.query_params["t"] == "secret-ä"


def test_known_names_are_offered_and_one_tap_takes_one(shelf: Store) -> None:
    for name in ("Ann", "Ben"):
        written(shelf, meta={"opponent": name})
    page = opened()
    assert page.text_input(key="set-name").value == "Ben"
    assert [b.label for b in page.button if str(b.key).startswith("name-")] == ["Ann"]
    page.button(key="name-0").click()
    run(page)
    assert page.text_input(key="set-name").value == "Ann"
    press(tap(page, *HAND, "QH"), "start")
    assert record_of(shelf, page)["meta"]["opponent"] == "Ann"  # type: ignore[index]
