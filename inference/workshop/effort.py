"""How long a player may think about one action: a number of worlds, or a time."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

MOST_WORLDS, MOST_MS = 10**7, 10**5


class Effort(NamedTuple):
    """Hold a number of worlds (or iterations), or the seconds that decide instead.

    Only a number makes a choice that can be repeated.
    """

    worlds: int = 1
    seconds: float | None = None

    def spent(self, done: int, started: float) -> bool:
        """Tell whether `done` worlds since `started` (of `perf_counter`) are enough."""
        if self.seconds is None:
            return done >= self.worlds
        return perf_counter() - started >= self.seconds


def parse(text: str) -> Effort | None:
    """Read `60` or `50ms`; None if it is neither.

    >>> parse("60"), parse("50ms"), parse("soon")
    (Effort(worlds=60, seconds=None), Effort(worlds=1, seconds=0.05), None)
    """
    digits = text.removesuffix("ms")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 9):
        return None
    n, timed = int(digits), digits != text
    if not 0 < n <= (MOST_MS if timed else MOST_WORLDS):
        return None
    return Effort(seconds=n / 1000) if timed else Effort(n)
