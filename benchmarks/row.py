"""One line of the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from inference.paths import share


class Row(NamedTuple):
    """Hold what was measured, how often, the figure, its ratio to a slow twin, and the goal."""

    what: str
    n: int
    figure: str
    ratio: str = ""
    goal: str = ""


def seconds(work: Callable[..., object], *given: object) -> float:
    """Time one call."""
    started = perf_counter()
    work(*given)
    return perf_counter() - started


def spread_ms(times: list[float]) -> str:
    """Write median and worst of some times.

    >>> spread_ms([0.001, 0.002, 0.009])
    'median 2.0 ms, worst 9.0 ms'
    """
    return f"median {1000 * median(times):.1f} ms, worst {1000 * max(times):.1f} ms"


def deals(name: str) -> list[dict[str, Any]]:
    """Read the records of a file of sample deals."""
    text = (share() / "data" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
