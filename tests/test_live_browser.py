"""The live page in a real browser, from the set-up to the end of a whole deal."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from inference.dashboard.desk import DOUBLE
from inference.session import Session
from inference.store import event
from tests.f1 import F1, RECORD
from tests.serving import DESKTOP, PHONE, Served, card, enter, opened, saved

pytestmark = pytest.mark.browser

AFTER_TRICK = {
    2: (0, 14), 5: (0, 16), 8: (26, 16), 12: (26, 26), 15: (40, 26), 18: (40, 40), 20: (43, 40),
    22: (43, 54), 24: (64, 54), 26: (64, 60), 28: (69, 60),
}  # fmt: skip
"""The points of me and N in the table of the deal, by the number of entries after each trick."""


@pytest.fixture
def served(free_port: int, tmp_path: Path) -> Iterator[Served]:
    page = Served(free_port, tmp_path / "deals.db")
    page.start()
    yield page
    page.kill()


def deal(served: Served, n: int = 0) -> str:
    """Write down the deal with some entries; return its address."""
    name = served.store.begin(RECORD | {"events": " ".join(F1[:n])})
    return f"{served.url}?g={name}"


def set_up(page: Page) -> None:
    page.get_by_text("I lead", exact=True).click()
    for name in ("AH", "KC", "QC", "9S", "AD", "JC", "QH"):
        card(page, name).click()
    page.get_by_text("Ready: start the deal").wait_for()
    page.get_by_role("button", name="Start").click()
    saved(page, 0)


def top(page: Page, name: str) -> float:
    """Return how far below the beginning of the page a card lies."""
    script = "card => card.getBoundingClientRect().y + card.closest('.stMain').scrollTop"
    return float(card(page, name).evaluate(script))


def shown(page: Page) -> dict[str, dict[str, float]]:
    """Read the heat map: for each card the probability that he or the talon has it."""
    cells = page.locator("td[data-p]").evaluate_all(
        "cells => cells.map(c => [c.dataset.card, c.dataset.holder, c.dataset.p, c.innerText])"
    )
    found: dict[str, dict[str, float]] = {}
    for name, holder, p, text in cells:
        assert text.strip("<>") == f"{float(p) * 100:.0f}" or text in ("<1", ">99")
        found.setdefault(name, {})["N" if holder == "he" else holder] = float(p)
    return found


def agree(page: Page, n: int) -> None:
    """Compare what the page shows after n entries with the report and the table of the deal."""
    page.locator(f"[data-entries='{n}']").wait_for()
    report = Session.from_record(RECORD | {"events": " ".join(F1[:n])}).report("belief")
    found = shown(page)
    assert len(found) == 24
    for name, where in report["marginals"].items():
        assert found[name] == pytest.approx(where, abs=1e-8), name
    mine, his = AFTER_TRICK[n]
    status = page.locator(".status").inner_text()
    assert f"you {mine} " in status
    assert f"N {his} " in status


def test_a_whole_deal_from_the_set_up_to_the_next_one(
    chromium: Browser, served: Served, tmp_path: Path
) -> None:
    with opened(chromium, DESKTOP, served.url) as page:
        set_up(page)
        place = top(page, "AH")
        for n, text in enumerate(F1, start=1):
            enter(page, text, n)
            if n in AFTER_TRICK:
                agree(page, n)
            assert top(page, "AH") == place, "the pad moved"
            if n == 10:
                page.reload()
                saved(page, 10)
                page.screenshot(path=tmp_path / "desktop.png")
        assert served.entries(page) == " ".join(F1)
        page.get_by_role("button", name="Yes, confirm it").click()
        page.get_by_text("Match: you 1 : 0 N, to 7.").wait_for()
        page.wait_for_timeout(1000 * DOUBLE)  # sooner it would be the other half of a double tap
        page.get_by_role("button", name="Next deal").click()
        page.get_by_text("Tap your 6 cards: 0 of 6").wait_for()
        lead = page.get_by_role("radio", name="Opponent leads")
        assert lead.get_attribute("aria-checked") == "true"
    assert (tmp_path / "desktop.png").stat().st_size > 10_000


def test_a_slip_is_undone_refused_or_corrected(chromium: Browser, served: Served) -> None:
    with opened(chromium, DESKTOP, deal(served, 7)) as page:
        saved(page, 7)
        card(page, "AS").click()
        page.locator(".st-key-problem").get_by_text("is not in your hand").wait_for()
        assert page.locator(".st-key-problem [role=alert]").count() == 1
        assert served.entries(page) == " ".join(F1[:7])
        enter(page, "S:KC", 8)
        page.locator(".st-key-do-undo button").click()
        saved(page, 7)
        enter(page, "S:JH", 8)
        page.get_by_role("radio", name="7 N ♦︎K").click()
        page.get_by_text("tap the right card").wait_for()
        card(page, "QD").click()
        page.get_by_role("radio", name="7 N ♦︎Q").wait_for()
        assert served.entries(page) == " ".join([*F1[:6], "N:QD", F1[7]])


def test_a_double_tap_is_one_tap(chromium: Browser, served: Served) -> None:
    with opened(chromium, PHONE, deal(served, 2)) as page:
        saved(page, 2)
        x, y = middle(page, "JH")
        for pause in (60, 120, 250):
            page.touchscreen.tap(x, y)
            page.wait_for_timeout(pause)
        saved(page, 3)
        page.wait_for_timeout(500)
        assert served.entries(page) == " ".join(F1[:3])


def middle(page: Page, name: str) -> tuple[float, float]:
    """Return where a finger would aim, once the card stands still: a fresh page may still move."""
    before, box = None, card(page, name).bounding_box()
    while box != before:
        page.wait_for_timeout(300)
        before, box = box, card(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


FAST = [
    *("S:9S", "N:JS", "S:+JH", "N:TC", "S:JC", "S:+9H", "N:KD", "S:QC", "S:+9C", "N:9D", "S:AD"),
    "S:+AS",
]


def test_twelve_taps_in_quick_succession_all_arrive(chromium: Browser, served: Served) -> None:
    with opened(chromium, PHONE, deal(served)) as page:
        saved(page, 0)
        places = {text: middle(page, text[2:].lstrip("+")) for text in FAST}
        for text in FAST:
            page.touchscreen.tap(*places[text])
            page.wait_for_timeout(200)
        saved(page, 12)
        assert served.entries(page) == " ".join(FAST)


def test_a_restart_of_the_server_loses_nothing(chromium: Browser, served: Served) -> None:
    with opened(chromium, DESKTOP, deal(served)) as page:
        for n, text in enumerate(F1[:5], start=1):
            enter(page, text, n)
        served.kill()
        served.start()
        enter(page, F1[5], 6)
        enter(page, F1[6], 7)
        assert served.entries(page) == " ".join(F1[:7])


def test_two_pages_on_one_deal_lose_no_tap(chromium: Browser, served: Served) -> None:
    address = deal(served)
    with opened(chromium, DESKTOP, address) as page, opened(chromium, PHONE, address) as phone:
        enter(page, F1[0], 1)
        card(phone, "AC").click()  # the phone still shows an empty log
        saved(phone, 2)
        card(page, "JH").click()
        saved(page, 3)
        assert served.entries(page) == " ".join(F1[:3])


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_pad_actions_and_advice_without_scrolling(
    chromium: Browser, served: Served, tmp_path: Path, width: int
) -> None:
    with opened(chromium, PHONE | {"width": width}, deal(served, 9)) as page:
        saved(page, 9)
        page.locator(".advice .best").wait_for()
        page.get_by_text("thinking").wait_for(state="detached")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for key in ("pad", "actions"):
            for box in page.locator(f".st-key-{key} button").all():
                place = box.bounding_box()
                assert place is not None
                assert place["width"] >= 40 if width < 390 else 44
                assert place["height"] >= 44
                assert place["x"] + place["width"] <= width
        advice = page.locator(".advice").bounding_box()
        assert advice is not None
        assert advice["y"] + advice["height"] <= PHONE["height"]
        page.screenshot(path=tmp_path / "phone.png")
    assert (tmp_path / "phone.png").stat().st_size > 10_000


def test_belief_is_painted_before_advice_and_a_tap_interrupts_it(
    chromium: Browser, served: Served
) -> None:
    """Tap while the page is thinking: the advice that stays is that of the last position."""
    with opened(chromium, DESKTOP, deal(served, 3)) as page:
        saved(page, 3)
        enter(page, "N:JS", 4)
        enter(page, "S:9S", 5)
        enter(page, "S:+9H", 6)
        enter(page, "N:KD", 7)
        page.locator(".advice .best").wait_for()
        page.get_by_text("thinking").wait_for(state="detached")
        name = page.url.split("g=")[1]
        stamp = page.locator(".advice").get_attribute("data-revision")
        assert stamp == str(served.store.revision(name))


def test_an_entry_of_another_program_is_seen_after_a_reload(
    chromium: Browser, served: Served
) -> None:
    with opened(chromium, DESKTOP, deal(served, 3)) as page:
        saved(page, 3)
        served.store.enter(page.url.split("g=")[1], event(F1[3]))
        page.reload()
        saved(page, 4)
