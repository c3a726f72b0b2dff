"""The pages about past deals in a real browser: from the list to a step of a deal, and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from inference import archive
from tests.f1 import F1, RECORD
from tests.serving import DESKTOP, PATIENCE, PHONE, Served, card, opened, saved

pytestmark = pytest.mark.browser


@pytest.fixture
def served(free_port: int, tmp_path: Path) -> Iterator[Served]:
    page = Served(free_port, tmp_path / "deals.db")
    page.store.begin(RECORD | {"events": " ".join(F1), "meta": {"opponent": "Ann"}})
    page.start()
    yield page
    page.kill()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_a_deal_of_the_list_is_stepped_through(
    chromium: Browser, served: Served, size: dict[str, int]
) -> None:
    context = chromium.new_context(viewport={"width": size["width"], "height": size["height"]})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{served.url}deals")
    page.locator(".st-key-list button").click()
    page.get_by_text("0/28").wait_for()
    page.wait_for_url("**/review?*g=*")
    for number in (1, 2):
        page.keyboard.press("ArrowRight")
        page.get_by_text(f"{number}/28").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("1/28").wait_for()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size["width"]
    page.reload()
    page.locator(".board").wait_for()
    context.close()


def test_the_set_up_of_a_past_deal_is_put_right(chromium: Browser, served: Served) -> None:
    (row,) = archive.search(served.store)
    with opened(chromium, PHONE, f"{served.url}review?g={row.id}", ".board") as page:
        page.get_by_text("What if, notes, share").click()
        page.get_by_role("button", name="Correct the set-up").click()
        page.get_by_text("Ready: save the set-up").wait_for()
        card(page, "JC").click()
        page.get_by_text("5 of 6").wait_for()
        card(page, "JH").click()
        page.get_by_text("Ready: save the set-up").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.get_by_role("button", name="Save the set-up").click()
        page.get_by_text("no longer fits after the correction").wait_for()
        card(page, "JH").click()
        page.get_by_text("5 of 6").wait_for()
        card(page, "JC").click()
        page.get_by_text("Ready: save the set-up").wait_for()
        page.get_by_label("House rules on top").fill('{"target": 11}')
        page.keyboard.press("Tab")
        page.get_by_role("button", name="Save the set-up").click()
        saved(page, len(F1))
    assert served.store.replay(row.id).session.record.rules.target == 11
