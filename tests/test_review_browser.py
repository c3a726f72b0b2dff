"""The pages about past deals in a real browser: from the list to a step of a deal, and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.f1 import F1, RECORD
from tests.serving import DESKTOP, PATIENCE, PHONE, Served

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
