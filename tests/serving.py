"""Run the real page on a port of its own, and drive it in Chromium."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Locator, Page

from inference.paths import app_file
from inference.store import Store

PATIENCE = 60_000
"""Milliseconds that a busy machine may take for anything."""
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
MOBILE = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"


@dataclass
class Served:
    """Hold a running page; `store` reads the log that it writes."""

    port: int
    path: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def store(self) -> Store:
        return Store(self.path)

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", str(app_file())]
        self.process = subprocess.Popen(
            [*command, "--server.port", str(self.port)],
            env=os.environ | {"SIXTYSIX_DB": str(self.path), "SIXTYSIX_TOKEN": ""},
            cwd=app_file().parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def _wait(self) -> None:
        for _ in range(PATIENCE // 100):
            try:
                with urlopen(f"{self.url}_stcore/health") as answer:
                    if answer.status == 200:
                        return
            except URLError:
                time.sleep(0.1)
        raise TimeoutError("the page was not served in time.")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def entries(self, page: Page) -> str:
        """Return the entries of the open deal as its log tells them."""
        deal = page.url.split("g=")[1].split("&")[0]
        return " ".join(map(str, self.store.replay(deal).session.events))


@contextmanager
def opened(
    browser: Browser, size: dict[str, int], address: str, mark: str = ".prompt"
) -> Iterator[Page]:
    """Open a page in a window of its own: a phone if it is narrow; wait for what marks it."""
    phone = size["width"] < 600
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        is_mobile=phone,
        has_touch=phone,
        user_agent=MOBILE if phone else None,
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator(mark).wait_for()
    yield page
    context.close()


def card(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-card-{name[1]}-{name[0]} button")


def saved(page: Page, n: int) -> None:
    """Wait until the page says that it has n entries, and has painted them."""
    page.locator(f".saved:has-text('saved · {n} entr')").wait_for()


def enter(page: Page, text: str, n: int) -> None:
    """Enter an event as a player would, as the n-th entry."""
    action = text[2:]
    if action == "x":
        page.locator(".st-key-do-EXCHANGE button").click()
    elif action.endswith("*"):
        page.locator(".st-key-do-announce button").click()
        page.locator(".prompt.mode").wait_for()
        card(page, action).click()
    else:
        card(page, action.lstrip("+")).click()
    saved(page, n)
