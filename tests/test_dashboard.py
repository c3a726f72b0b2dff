"""The live page without a browser: what the taps write, and what the page says."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from inference import archive
from inference.session import Session
from inference.store import Store, schema
from tests.f1 import F1, RECORD, written
from tests.pages import (
    card_key,
    enter,
    entries,
    html,
    opened,
    press,
    prompt,
    refusal,
    run,
    said,
    tap,
)


def at(shelf: Store, n: int = 0, **more: object) -> AppTest:
    """Open the page of the deal after some entries."""
    return opened(g=written(shelf, *F1[:n], **more).id)


def begun(shelf: Store, record: dict[str, object]) -> AppTest:
    return opened(g=shelf.begin(record))


def midway(**start: object) -> dict[str, object]:
    """Return a `schnapsen` position of two cards each, clubs trump, me to lead."""
    found = {"leader": "S", "hand": "KC QC", "unseen": "TH QH", "trump": "C", "talon": 0}
    found |= {"points": {"S": 40, "N": 60}, "tricks": {"S": 4, "N": 4}}
    return {"rules": "schnapsen", "seat": "S", "start": found | start}


# -- taps ------------------------------------------------------------------------------------------


def test_a_whole_deal_is_entered_by_taps(shelf: Store) -> None:
    page = enter(at(shelf), *F1)
    assert entries(shelf, page) == " ".join(F1)
    assert "you 69" in said(page)
    assert "N 60" in said(page)
    assert prompt(page).startswith("You win 1 game point (out)")


def test_the_page_is_a_pure_function_of_the_log(shelf: Store) -> None:
    page = enter(at(shelf), *F1[:6])  # N is to lead, so no advice is due
    again = opened(g=str(page.query_params["g"]))
    assert said(again) == said(page)


def test_a_tap_in_another_tab_is_seen_with_the_next_run(shelf: Store) -> None:
    page = at(shelf, 2)
    other = opened(g=str(page.query_params["g"]))
    tap(page, "JH")
    enter(other, "N:JS")
    assert entries(shelf, other) == " ".join(F1[:4])
    assert "Tap your reply to ♠J" in prompt(run(page))


@pytest.mark.parametrize(
    ("n", "awaited"), [(0, "your lead"), (1, "N's reply to ♣Q"), (2, "your drawn card")]
)
def test_the_prompt_says_whose_entry_is_awaited(shelf: Store, n: int, awaited: str) -> None:
    assert prompt(at(shelf, n)).startswith(f"Tap {awaited}")
    named = at(shelf, n, meta={"opponent": "Ann"})
    assert prompt(named).startswith(f"Tap {awaited.replace('N', 'Ann')}")


def test_a_double_tap_is_one_tap(shelf: Store) -> None:
    page = at(shelf, 2)
    for _ in range(3):
        page.button(key=card_key("JH")).click()
        run(page)
    assert entries(shelf, page) == " ".join(F1[:3])


@pytest.mark.parametrize(
    ("n", "card", "sentence"),
    [
        (0, "AS", "S:♠A: ♠A is not in your hand."),
        (1, "AH", "N:♥A: ♥A is in your own hand."),
        (2, "AH", "S:+♥A: ♥A is in your hand already."),
        (3, "QH", "N:♥Q: ♥Q lies face up under the talon."),
    ],
)
def test_a_tap_that_cannot_be_is_one_sentence_and_nothing_is_lost(
    shelf: Store, n: int, card: str, sentence: str
) -> None:
    page = tap(at(shelf, n), card)
    assert refusal(page) == sentence
    assert entries(shelf, page) == " ".join(F1[:n])
    assert not [b for b in page.button if b.key == "instead-0"]
    press(page, "dismiss")
    assert not page.error


def test_cards_that_are_gone_cannot_be_tapped(shelf: Store) -> None:
    page = at(shelf, 2)
    dead = {b.key for b in page.button if b.disabled and b.key.startswith("card-")}
    assert dead == {card_key("QC"), card_key("AC")}


def test_what_was_played_against_the_rules_can_be_entered_all_the_same(shelf: Store) -> None:
    page = tap(at(shelf, 19), "AD")  # spades led, void in spades, hearts in hand
    assert refusal(page).startswith("S:♦A: you must trump with hearts and could with ♥A ♥9")
    press(page, "instead-0")
    assert entries(shelf, page) == " ".join([*F1[:19], "S:AD~"])
    assert not page.error


def test_a_denied_card_of_his_can_be_entered_all_the_same(shelf: Store) -> None:
    record = RECORD | {"events": " ".join([*F1[:19], "S:9H", "S:KC", "N:TD"])}
    with pytest.raises(ValueError, match="must trump"):
        shelf.begin(record)
    page = tap(at(shelf, 21), "TD")
    assert refusal(page).startswith("N:♦10: N must trump with hearts")
    press(page, "instead-0")
    assert entries(shelf, page).endswith("N:TD~")


def test_undo_takes_back_one_entry_and_is_an_entry(shelf: Store) -> None:
    page = at(shelf, 9)
    press(page, "do-undo", "do-undo")
    assert entries(shelf, page) == " ".join(F1[:7])
    assert archive.recent(shelf)[0].n_events == 7
    with schema.connected(shelf.path) as db:
        kinds = [kind for (kind,) in db.execute("SELECT kind FROM entry ORDER BY seq")]
    assert kinds[-2:] == ["undo", "undo"]
    assert at(shelf, 0).button(key="do-undo").disabled


# -- announcing, exchanging, closing, claiming -----------------------------------------------------


def test_the_announcing_mode_is_left_by_a_second_tap(shelf: Store) -> None:
    page = press(at(shelf), "do-announce")
    assert prompt(page).startswith("20/40: tap the king or queen that is led")
    press(page, "do-announce")
    assert prompt(page).startswith("Tap your lead")
    tap(page, "QC")
    assert entries(shelf, page) == "S:QC"


def test_without_the_mode_a_marriage_is_announced_only_where_it_must_be(shelf: Store) -> None:
    page = begun(shelf, RECORD | {"rules": {"base": "sixty-six", "announce": "automatic"}})
    tap(page, "QC")
    assert entries(shelf, page) == "S:QC*"


def test_the_opponent_announces_too(shelf: Store) -> None:
    page = begun(shelf, RECORD | {"leader": "N"})
    enter(page, "N:KD*")
    assert entries(shelf, page) == "N:KD*"
    assert "N 0 +20 pending" in said(page)
    assert re.search(r"card-D-Q button\{border: 4px double", "".join(styles(page)))


def styles(page: AppTest) -> list[str]:
    return [str(one.value) for one in page.get("html")]


def test_what_nobody_can_do_cannot_be_pressed(shelf: Store) -> None:
    page = at(shelf, 2)
    assert page.button(key="do-announce").disabled
    assert page.button(key="do-EXCHANGE").disabled
    keys = {b.key for b in page.button}
    assert keys.isdisjoint({"do-CLOSE", "do-CLAIM"})  # these rules have neither


def test_a_close_is_answered_by_the_other_seat(shelf: Store) -> None:
    record = RECORD | {"rules": "sechsundsechzig", "leader": "N"}
    record["rules"] = {"base": "sechsundsechzig", "xchg_needs_trick": False}
    record |= {"hands": {"S": "9H KC QC 9S AD JC"}}
    page = enter(begun(shelf, record), "N:c", "S:x")
    assert entries(shelf, page) == "N:c S:x"
    assert "talon 12 closed" in said(page)
    assert prompt(page).startswith("Tap N's lead")


def test_a_marriage_that_takes_me_out_is_loud_and_then_the_claim(shelf: Store) -> None:
    page = begun(shelf, midway())
    assert prompt(page).startswith("This marriage takes you out: announce ♣K")
    enter(page, "S:KC*")
    assert prompt(page).startswith("You have 80 points: claim!")
    enter(page, "S:!")
    assert prompt(page).startswith("You win 1 game point")


def test_a_marriage_that_does_not_take_me_out_is_not_loud(shelf: Store) -> None:
    assert prompt(at(shelf)).startswith("Tap your lead")


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        ("menu-S-GIVE_UP", "S:/"),
        ("menu-N-GIVE_UP", "N:/"),
        ("menu-S-REVOKE", "S:r"),
        ("menu-N-REVOKE", "N:r"),
        ("menu-S-ABANDON", "S:z"),
    ],
)
def test_the_rare_endings_are_in_the_menu(shelf: Store, key: str, entry: str) -> None:
    page = press(at(shelf, 3), key)
    assert entries(shelf, page) == " ".join([*F1[:3], entry])


def test_any_entry_can_be_typed(shelf: Store) -> None:
    page = at(shelf, 3)
    page.text_input(key="typed").input("N:QH").run()
    assert "lies face up" in refusal(page)
    assert page.text_input(key="typed").value == "N:QH"
    page.text_input(key="typed").input("N:JS S:9S").run()
    assert entries(shelf, page) == " ".join(F1[:5])
    assert page.text_input(key="typed").value == ""


# -- corrections -----------------------------------------------------------------------------------


def pick(page: AppTest, number: int) -> AppTest:
    page.button_group(key="picked").set_value(number)
    return run(page)


def test_an_earlier_entry_is_corrected_by_a_tap_and_later_ones_are_kept(shelf: Store) -> None:
    page = pick(at(shelf, 9), 7)
    assert prompt(page).startswith("Entry 7 N ♦K: tap the right card")
    tap(page, "QD")
    assert entries(shelf, page) == " ".join([*F1[:6], "N:QD", *F1[7:9]])
    assert prompt(page).startswith("Tap your lead")
    assert page.button_group(key="picked").value is None


def test_a_correction_that_does_not_fit_is_named_and_a_swap_is_offered(shelf: Store) -> None:
    page = tap(pick(at(shelf, 12), 2), "TC")
    assert "entry 12 (N:♣10) no longer fits" in refusal(page)
    assert entries(shelf, page) == " ".join(F1[:12])
    press(page, "instead-0")
    assert entries(shelf, page) == " ".join(["S:QC*", "N:TC", *F1[2:11], "N:AC"])


def test_an_entry_is_corrected_by_its_text_or_struck_out(shelf: Store) -> None:
    page = pick(at(shelf, 4), 3)
    page.text_input(key=mending(page)).input("S:+AS")
    run(page)
    press(page, "do-Save")
    assert entries(shelf, page) == "S:QC* N:AC S:+AS N:JS"
    press(pick(page, 4), "do-Strike out")
    assert entries(shelf, page) == "S:QC* N:AC S:+AS"


def mending(page: AppTest) -> str:
    return str(next(one.key for one in page.text_input if str(one.key).startswith("mend-")))


def test_a_pick_can_be_left(shelf: Store) -> None:
    page = press(pick(at(shelf, 4), 3), "do-leave")
    assert prompt(page).startswith("Tap your reply to ♠J")
    tap(page, "9S")
    assert entries(shelf, page) == " ".join(F1[:5])


# -- what the page shows ---------------------------------------------------------------------------


def shown(page: AppTest) -> dict[str, dict[str, float]]:
    """Read the heat map: for each card the probability that he or the talon has it."""
    cell = r'data-card="(..)" data-holder="(he|talon)" data-p="([0-9.]+)"'
    found: dict[str, dict[str, float]] = {}
    for card, holder, p in re.findall(cell, html(page)):
        found.setdefault(card, {})["N" if holder == "he" else holder] = float(p)
    return found


@pytest.mark.parametrize("n", [0, 2, 6, 10, 14, 19, 22])
def test_the_shown_probabilities_are_those_of_the_report(shelf: Store, n: int) -> None:
    session = Session.from_record(RECORD | {"events": " ".join(F1[:n])})
    found = shown(at(shelf, n))
    assert len(found) == 24
    for card, where in session.report("belief")["marginals"].items():
        assert found[card] == pytest.approx(where, abs=1e-8)


def test_advice_belongs_to_the_position_that_is_shown(shelf: Store) -> None:
    page = at(shelf)
    for n, text in enumerate(F1[:9]):
        revision = shelf.revision(str(page.query_params["g"]))
        assert set(re.findall(r'data-revision="(\d+)"', html(page))) == {str(revision)}, n
        enter(page, text)
    assert "game points" in said(page)


@pytest.mark.parametrize("fault", [ZeroDivisionError, AssertionError, IndexError])
def test_a_fault_of_the_advisor_leaves_the_page(
    shelf: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: type[Exception],
) -> None:
    def improve(*_: object, **__: object) -> None:
        raise fault("a defect")

    monkeypatch.setattr("inference.dashboard.suggestion.improve", improve)
    page = at(shelf)
    assert "the advisor failed" in said(page)
    assert len(shown(page)) == 24
    assert "a defect" in caplog.text
    enter(page, *F1[:2])
    assert entries(shelf, page) == " ".join(F1[:2])


def test_threats_are_told(shelf: Store) -> None:
    text = said(at(shelf, 9))
    assert "Any marriage" in text
    assert "♠K ♠Q" in text
    assert "N then has 36" in text
    start = midway(hand="KS QS", unseen="KC QC", points={"S": 60, "N": 46}, leader="N")
    assert "N then has 86 and is out" in said(begun(shelf, start))


def test_a_name_can_do_no_harm(shelf: Store) -> None:
    page = at(shelf, 22, meta={"opponent": '"}*{<b>'})
    assert prompt(page).startswith("Tap b's lead")
    assert all(sheet.count('"') % 2 == 0 and "*{" not in sheet for sheet in styles(page)[1:])
    assert "<b>" not in prompt(at(shelf, 1, meta={"opponent": "<b>x"}))


# -- the end of a deal -----------------------------------------------------------------------------


def test_a_result_is_confirmed_and_the_next_deal_is_filled_in(shelf: Store) -> None:
    match = {"score": {"S": 4, "N": 2}, "dealer": "N"}
    page = press(at(shelf, 28, match=match, meta={"opponent": "Ann"}), "confirm")
    assert any("Match: you 5 : 2 Ann, to 7" in one.value for one in page.markdown)
    press(page, "next")
    assert "g" not in page.query_params
    assert page.button_group(key="set-lead").value == "N"
    assert [one.value for one in page.number_input] == [5, 2]
    assert page.text_input(key="set-name").value == "Ann"


def test_the_table_may_have_agreed_otherwise(shelf: Store) -> None:
    page = at(shelf, 28)
    page.button_group(key="agreed-who").set_value("N")
    page.button_group(key="agreed-points").set_value(2)
    press(run(page), "agreed")
    assert any("Match: you 0 : 2 N" in one.value for one in page.markdown)


def test_a_won_match_is_told(shelf: Store) -> None:
    match = {"score": {"S": 6, "N": 2}, "dealer": "N"}
    page = press(at(shelf, 28, match=match), "confirm")
    assert any("You win the match" in one.value for one in page.markdown)
