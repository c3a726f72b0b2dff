"""What all tests share: hypothesis profiles, the seeded generator, Chromium, a free port."""

import os
import shutil
import socket
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from inference.store import Store

# `ci` draws the same examples on every machine; `explore` looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("explore", deadline=None, max_examples=2000, print_blob=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
settings.load_profile(PROFILE)

SEED = int(os.environ.get("SIXTYSIX_TEST_SEED", "66"))

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_report_header() -> str:
    """Print what a failing run is repeated with."""
    return f"SIXTYSIX_TEST_SEED={SEED} HYPOTHESIS_PROFILE={PROFILE}"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Make a generator of the run's seed and the test's name, whatever ran before."""
    return np.random.default_rng([SEED, zlib.crc32(request.node.nodeid.encode())])


@pytest.fixture
def free_port() -> int:
    """Find a port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Give the dashboard a store of its own, and little time to think."""
    monkeypatch.setenv("SIXTYSIX_DB", str(tmp_path / "deals.db"))
    monkeypatch.delenv("SIXTYSIX_TOKEN", raising=False)
    monkeypatch.setattr("inference.dashboard.suggestion.BUDGET", 0.05)
    return Store(tmp_path / "deals.db")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the installed Chromium; without one skip, or fail where the run demands browsers."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        reason = f"no browser on the path (tried {', '.join(CHROMIUM_NAMES)})"
        if os.environ.get("SIXTYSIX_REQUIRE_BROWSER"):
            pytest.fail(f"SIXTYSIX_REQUIRE_BROWSER is set, but there is {reason}.")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
