"""The advice by phase of a deal: how many layouts fit into a second, and when it first speaks."""

from __future__ import annotations

from time import perf_counter

from benchmarks.row import Row, deals
from inference.advice import improve
from inference.session import Session

BUDGETS = (1.0, 0.05)
PLACES = {12: 0, 10: 5, 8: 9, 6: 12, 4: 18, 2: 21, 0: 26}
"""Talon cards -> entries of the deal f1 after which S, whose eyes it is, must act."""


def rows() -> list[Row]:
    """Ask in one deal, once for each number of talon cards and each budget."""
    return [row(talon, at, budget) for budget in BUDGETS for talon, at in PLACES.items()]


def row(talon: int, at: int, budget: float) -> Row:
    """Ask for advice and note the first and the last word."""
    tracker = Session.from_record(deals("f1")[0], "S", at=at).tracker
    assert tracker.view.public.talon == talon
    started = perf_counter()
    words = improve(tracker.view, tracker.belief, budget)
    said = [next(words)]
    first = perf_counter() - started
    said += words
    whole = f"whole {1000 * (perf_counter() - started):.0f} ms"
    last = said[-1]
    figure = f"{last.method}, {last.n_worlds} layouts, first word after {1000 * first:.0f} ms"
    goal = f"first word <= 200 ms, whole <= {1100 * budget:.0f} ms"
    return Row(f"advice in {budget:g} s, talon of {talon}", len(said), figure, whole, goal)
