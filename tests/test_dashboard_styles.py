"""What the pages say of the player: why a card moved, and what is kept for the next deal."""

import pytest

from inference import archive
from inference.store import Store
from tests.f1 import F1, written
from tests.pages import html, opened, press, run, tap

HAND = ("AH", "KC", "QC", "9S", "AD", "JC")


def test_the_reasons_are_shown_when_asked_for(shelf: Store) -> None:
    page = opened(g=written(shelf, *F1[:7]).id)
    assert "did not announce" not in html(page)
    page.toggle(key="reasons").set_value(True)
    assert "did not announce it at trick 3: × " in html(run(page))


def test_the_next_deal_with_a_player_without_a_name_goes_on_from_this_one(shelf: Store) -> None:
    page = opened(g=written(shelf, *F1).id)
    press(page, "confirm", "next")
    press(tap(page, *HAND, "QH"), "start")
    record = archive.recent(shelf, 1)[0].record
    assert sum(record["meta"]["styles"].values()) == pytest.approx(1.0, abs=1e-5)
    assert "opponent" not in record["meta"]


def test_a_name_given_later_takes_the_place_of_the_last_deal(shelf: Store) -> None:
    page = opened(g=written(shelf, *F1).id)
    press(page, "confirm", "next")
    page.text_input(key="set-name").input("Ann")
    press(tap(run(page), *HAND, "QH"), "start")
    assert archive.recent(shelf, 1)[0].record["meta"]["opponent"] == "Ann"
    assert "styles" not in archive.recent(shelf, 1)[0].record["meta"]
