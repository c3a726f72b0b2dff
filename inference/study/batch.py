"""Study many deals on several cores; what is done is kept, so a run can be stopped and resumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from inference.cards import Seat
from inference.errors import InferenceError
from inference.game.record import Record
from inference.spread import spread
from inference.study.judge import QUICK, Effort
from inference.study.keep import Kept, key
from inference.study.report import Report, deal_report, labels


class Case(NamedTuple):
    """Hold a deal to study: where it stands, its record, and its date if that is known."""

    where: str
    record: Record
    date: str = ""


class Studied(NamedTuple):
    """Hold the reports of the deals that fit, and a sentence for each that was left out."""

    reports: list[Report]
    left_out: list[str]


def study(
    cases: Sequence[Case],
    kept: Kept,
    seat: str | None = None,
    effort: Effort = QUICK,
    seed: int = 0,
    jobs: int = 1,
) -> Studied:
    """Study deals, in their order; those that `kept` has are not done again."""
    keys = [key(case.record, seat, effort, seed) for case in cases]
    todo = {name: case for name, case in zip(keys, cases, strict=True) if kept.get(name) is None}
    found, left_out = dict[str, Report](), list[str]()
    results = _done(list(todo.values()), seat, effort, seed, jobs)
    for (name, case), result in zip(todo.items(), results, strict=True):
        if isinstance(result, str):
            left_out.append(f"{case.where}: {result}")
        else:
            kept.add(name, result)
    for name, case in zip(keys, cases, strict=True):
        report = kept.get(name)
        if report is not None:
            told = labels(case.record, Seat[report["seat"]])
            found[name] = {"where": case.where, **told, "date": told["date"] or case.date, **report}
    return Studied(list(found.values()), left_out)


def _done(
    cases: Sequence[Case], seat: str | None, effort: Effort, seed: int, jobs: int
) -> Iterator[Report | str]:
    work = partial(_study, seat=seat, effort=effort, seed=seed)
    yield from spread(work, [case.record for case in cases], jobs, "deals")


def _study(record: Record, seat: str | None, effort: Effort, seed: int) -> dict[str, Any] | str:
    """Study one deal; a record that does not fit gives its sentence."""
    try:
        return deal_report(record, seat, effort, seed)
    except InferenceError as error:
        return str(error)
