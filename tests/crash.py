"""Kill programs that write into a store: what they confirmed is there, and the store is sound.

`python -m tests.crash --times 200 --seed 1` kills entry and import in turn, at random moments
while they write. A failure prints what was lost.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from inference import archive
from inference.paths import data_file
from inference.store import Store, event

Writer = Callable[[Path, list[str], int], None]
LONGEST = 0.4
"""Seconds after its first confirmation within which a program is killed."""


def lines() -> list[str]:
    """Return the deals that are written."""
    return data_file("session.jsonl").read_text(encoding="utf-8").splitlines()


def enter(path: Path, given: list[str], out: int) -> None:
    """Enter the events of a deal one by one, and confirm each."""
    deal, *events = given
    shelf, held = Store(path), None
    for number, text in enumerate(events, start=1):
        held = shelf.enter(deal, event(text), held)
        os.write(out, f"{number}\n".encode())


def read(path: Path, given: list[str], out: int) -> None:
    """Import deals, two at once, and confirm each."""
    shelf = Store(path)
    for n in range(0, len(given), 2):
        found = archive.import_lines(shelf, given[n : n + 2])
        os.write(out, "".join(f"{deal}\n" for deal in found.added).encode())


def killed(writer: Writer, path: Path, given: list[str], after: float) -> tuple[list[str], bool]:
    """Run a writer and kill it; return what it had confirmed, and whether it was still writing."""
    ends = os.pipe()
    process = multiprocessing.get_context("fork").Process(
        target=writer, args=(path, given, ends[1])
    )
    process.start()
    os.close(ends[1])
    first = os.read(ends[0], 1 << 16)
    time.sleep(after)
    process.kill()
    process.join()
    rest = b""
    while more := os.read(ends[0], 1 << 16):
        rest += more
    os.close(ends[0])
    assert process.exitcode in (0, -signal.SIGKILL), process.exitcode
    return (first + rest).decode().split(), process.exitcode != 0


def entry(path: Path, rng: random.Random) -> bool:
    """Kill the entry of one deal, card by card: what was confirmed must be in the log, in order."""
    record = json.loads(rng.choice(lines()))
    del record["talon"]
    events = [text for text in record.pop("events").split() if not text.startswith("N:+")]
    deal = Store(path).begin(record | {"seat": "S", "hands": {"S": record["hands"]["S"]}})
    confirmed, hit = killed(enter, path, [deal, *events], rng.uniform(0, LONGEST))
    shelf = opened(path)
    found = [str(one) for one in shelf.replay(deal, model="counting").session.events]
    assert len(found) - len(confirmed) in (0, 1), (deal, confirmed, found)
    assert found == events[: len(found)], (deal, found)
    assert archive.look_up(shelf, deal).n_events == len(found), deal
    return hit


def importing(path: Path, rng: random.Random) -> bool:
    """Kill an import: what was confirmed must be there, and a second import brings the rest."""
    given = []
    for line in rng.sample(lines(), 20):
        record = json.loads(line)
        del record["meta"]["result"]  # cut short, so that it is a deal of its own each time
        events = record["events"].split()
        cut = rng.choice([n for n, text in enumerate(events) if ":+" not in text])
        given.append(json.dumps(record | {"events": " ".join(events[:cut])}))
    confirmed, hit = killed(read, path, given, rng.uniform(0, LONGEST))
    shelf = opened(path)
    for deal in confirmed:
        shelf.replay(deal, model="counting")
    again = archive.import_lines(shelf, given)
    assert again.bad == []
    assert len(again.added) + len(again.known) == len(given)
    assert set(confirmed) <= set(again.known), set(confirmed) - set(again.known)
    assert archive.import_lines(shelf, given).added == []
    return hit


def opened(path: Path) -> Store:
    """Open the store that a killed program has left, as sound as it was."""
    shelf = Store(path)
    assert archive.check(path) == []
    return shelf


def kill(path: Path, times: int, seed: int) -> tuple[int, int]:
    """Kill entry and import in turn; return how many runs it took, and how many deals there are."""
    rng, n_hit, n_runs = random.Random(seed), 0, 0
    while n_hit < times:
        n_hit += (entry, importing)[n_hit % 2](path, rng)
        n_runs += 1
    return n_runs, archive.count(Store(path))


def main() -> int:
    """Kill as often as is asked and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        n_runs, n_deals = kill(Path(folder) / "deals.db", given.times, given.seed)
    print(
        f"{given.times} kills in the act ({n_runs} runs), {n_deals} deals: nothing that was "
        f"confirmed is lost, and the store opened clean each time; seed {given.seed}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
