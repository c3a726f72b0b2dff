"""The belief update, event by event, with one logit and with all styles of the default model.

The slow twin is the same code with the compiler switched off: `python -m benchmarks.belief` under
NUMBA_DISABLE_JIT=1 prints the seconds of one update over all hands.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.row import Row, deals, seconds, spread_ms
from inference.game.record import eyes, parse_record
from inference.game.state import SEATS
from inference.session import Session

ALL_HANDS = 12_376
FIRST = "N:TC"
GOALS = {"logit": "median <= 5 ms, worst <= 20 ms", "styles": "median <= 10 ms"}


def rows() -> list[Row]:
    """Time every entry of the sample deals, and compare one with the twin."""
    fast = min(first_lead() for _ in range(9))
    ratio = f"{twin() / fast:,.0f} × pure Python"
    return [
        *rows_of("logit", ratio),
        *rows_of("styles", ""),
    ]


def rows_of(model: str, ratio: str) -> list[Row]:
    """Time one model."""
    for _ in updates(1, model):
        pass
    timed = list(updates(12, model))
    every = [time for _, time in timed]
    full = [time for n_hands, time in timed if n_hands == ALL_HANDS]
    what, goal = f"belief update, {model}", GOALS[model]
    return [
        Row(f"{what}, every entry of a deal", len(every), spread_ms(every), "", goal),
        Row(f"{what}, {ALL_HANDS:,} hands", len(full), spread_ms(full), ratio, goal),
    ]


def updates(n_deals: int, model: str) -> Iterator[tuple[int, float]]:
    """Yield the number of possible hands before each entry, and how long it took."""
    for deal in deals("sixty-six")[:n_deals]:
        record = parse_record(deal)
        for seat in SEATS:
            session = Session.from_record(record, str(seat), model, at=0)
            for event in eyes(record, seat).events:
                n_hands = len(session.belief().hands)
                yield n_hands, seconds(session.observe, event)


def first_lead() -> float:
    """Time the update by the opponent's first lead: every hand is weighed."""
    hand = {"S": "AS KH QH 9C JD TD"}
    session = Session.new(hands=hand, upcard="JH", leader="N", model="logit")
    assert len(session.belief().hands) == ALL_HANDS
    return seconds(session.observe, FIRST)


def twin() -> float:
    """Time the same in a process without compiled code."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "benchmarks.belief"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    print(first_lead())
