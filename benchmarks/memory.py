"""The dashboard's resident memory after a whole deal that is tapped in through a browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.row import Row, deals
from inference.cards import Card, Seat
from inference.cli import launch
from inference.game.record import eyes, parse_record
from inference.paths import share
from inference.store import Store

try:
    from playwright.sync_api import sync_playwright
except ImportError:  # the dashboard alone does not need it
    sync_playwright = None  # type: ignore[assignment]

WHAT, GOAL = "dashboard, resident memory after a deal", "<= 400 MB"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
PATIENCE = 30_000


def rows() -> list[Row]:
    """Tap the deal f2, which is made of cards alone; say why if that cannot be done here."""
    if sync_playwright is None:
        return [Row(WHAT, 0, "skipped: playwright is not installed (make bench does)", "", GOAL)]
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return [Row(WHAT, 0, "skipped: no Chromium here", "", GOAL)]
    if not Path("/proc/self/status").is_file():
        return [Row(WHAT, 0, "skipped: only Linux tells a process's memory", "", GOAL)]
    deal, taps = seen_deal()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.db"
        name = Store(path).begin(deal)
        with served(path) as (process, address):
            fresh = resident(process.pid)
            tap_all(browser, f"{address}/?g={name}", taps)
            figure, before = f"{resident(process.pid):.0f} MB", f"{fresh:.0f} MB before"
            return [Row(WHAT, len(taps), figure, before, GOAL)]


def seen_deal() -> tuple[dict[str, Any], list[Card]]:
    """Return the beginning of the deal as S sees it, and the cards that S taps, in order."""
    record = eyes(parse_record(deals("f2")[0]), Seat.S)
    cards = [card for _, (_, card, *_) in record.events if card is not None]
    return replace(record, events=()).to_json(), cards


@contextmanager
def served(store: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Serve the dashboard on a store of its own."""
    port = launch.free_port(launch.LOOPBACK, None)
    environment = os.environ | {"SIXTYSIX_DB": str(store), "SIXTYSIX_TOKEN": ""}
    with subprocess.Popen(
        launch.command(launch.LOOPBACK, port),
        cwd=share(),
        env=environment,
        stdout=subprocess.DEVNULL,
    ) as process:
        try:
            launch.wait_for(process, launch.LOOPBACK, port)
            yield process, f"http://{launch.LOOPBACK}:{port}"
        finally:
            process.terminate()


def tap_all(browser: str, address: str, taps: list[Card]) -> None:
    """Tap the cards one by one, each after the page has shown that the one before is saved."""
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser, args=FLAGS).new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        for n, card in enumerate(taps, start=1):
            page.locator(f".st-key-card-{card.suit.name}-{card.rank.letter} button").click()
            page.get_by_text(f"saved · {n} entr").wait_for()


def resident(pid: int) -> float:
    """Return a process's resident memory in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
