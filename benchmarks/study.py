"""Studying past deals: a step of the replay, and how many deals a minute are analysed."""

from __future__ import annotations

from time import perf_counter

from benchmarks.row import Row, deals, seconds, spread_ms
from inference.game.record import parse_record
from inference.study.judge import QUICK
from inference.study.replay import follow
from inference.study.report import deal_report

N_DEALS = 6


def rows() -> list[Row]:
    """Time the replay and the quick analysis of sample deals, from both seats' decisions."""
    records = [parse_record(deal) for deal in deals("sixty-six")[:N_DEALS]]
    deal_report(records[0], "S", QUICK)  # warms up
    started = perf_counter()
    replays = [follow(record, "S") for record in records]
    first = (perf_counter() - started) / N_DEALS
    steps = [seconds(one.step, number) for one in replays for number in range(one.n + 1)]
    started = perf_counter()
    found = [deal_report(record, "S", QUICK) for record in records]
    rate = 60 * N_DEALS / (perf_counter() - started)
    n = sum(len(one["decisions"]) + len(one["his_decisions"] or ()) for one in found)
    opened = f"a deal opens in {1000 * first:.0f} ms"
    return [
        Row("a step of the replay", len(steps), spread_ms(steps), opened, "<= 100 ms"),
        Row(
            "quick analysis, one core",
            N_DEALS,
            f"{rate:.0f} deals a minute",
            f"{n} decisions of both seats",
            ">= 50",
        ),
    ]
