"""How long the terminal takes to its first prompt, and which imports it waits for."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

from benchmarks.row import Row, seconds, spread_ms

RUNS = 5
PROMPT = b"?"
PARTS = ("numpy", "numba", "inference.session", "inference.cli")


def rows() -> list[Row]:
    """Time `play` after a first run that compiles, and imports beside the bare interpreter."""
    first_prompt()
    times = [first_prompt() for _ in range(RUNS)]
    bare = median(imports("sys") for _ in range(RUNS))
    ratio = f"{median(times) / bare:.0f} × bare Python"
    found = [Row("start to the first prompt", RUNS, spread_ms(times), ratio, "<= 1500 ms")]
    for part in PARTS:
        cost = median(imports(part) for _ in range(RUNS)) - bare
        found.append(Row(f"  of it import {part}", RUNS, f"median {1000 * cost:.0f} ms"))
    return found


def first_prompt() -> float:
    """Time from the start of the process until it asks its first question."""
    started = perf_counter()
    command = [sys.executable, "-m", "inference", "play"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while process.stdout.read(1) != PROMPT:
            assert process.poll() is None
        took = perf_counter() - started
        process.communicate(b"quit\n")
    return took


def imports(module: str) -> float:
    """Time a process that imports one module."""
    command = [sys.executable, "-c", f"import {module}"]
    return seconds(lambda: subprocess.run(command, check=True))
