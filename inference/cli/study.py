"""`study`: a report on past deals, from files or from the store."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from inference import archive, paths
from inference.cli.asking import read_lines
from inference.cli.options import Commands, whole
from inference.cli.tables import align, percent
from inference.errors import InferenceError, NotationError
from inference.game.fields import write_object
from inference.game.record import parse_record
from inference.game.state import SEATS
from inference.store import Store
from inference.study import FULL, QUICK, Effort
from inference.study.batch import Case, study
from inference.study.habits import NOTE, SIMULATED
from inference.study.keep import Kept, engine
from inference.study.report import Report, summary

FEW = 20
"""Figures from fewer deals say nothing."""
LONGEST_LIST = 30
KEPT = "stopped; the deals that are done are kept: the same command goes on from there."


def add_to(commands: Commands[Any]) -> None:
    """Add the command."""
    told = (
        "what past deals cost you and why, luck apart from skill, and what your opponents are like"
    )
    command = commands.add_parser("study", help=told, description=told, allow_abbrev=False)
    command.add_argument("files", nargs="*", metavar="FILE", help="deal records, one a line")
    command.add_argument(
        "--db", nargs="?", const="", metavar="PATH", help="the deals of the store (your own)"
    )
    seats = [str(seat) for seat in SEATS]
    command.add_argument("--seat", choices=seats, help="whose eyes (the record's own, else S)")
    effort = command.add_mutually_exclusive_group()
    for one, told in ((QUICK, "about 0.1 s a decision (default)"), (FULL, "about 1 s")):
        command.set_defaults(effort=QUICK)
        effort.add_argument(
            f"--{one.name}", dest="effort", action="store_const", const=one, help=told
        )
    command.add_argument("--seed", type=whole(0), default=0, metavar="K", help="of the layouts (0)")
    command.add_argument("--jobs", type=whole(1), default=-1, metavar="J", help="cores (all)")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Study the deals and print the report; deals that do not fit are left out and named."""
    cases, problems = read_cases(given)
    kept = Kept(paths.studies_file(engine()))
    try:
        found = study(cases, kept, given.seat, given.effort, given.seed, given.jobs)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(KEPT) from None
    problems += found.left_out
    if not found.reports:
        raise NotationError(f"there is no deal to study: {(*problems, 'nothing is there.')[0]}")
    told = summary(found.reports)
    if given.json:
        whole_report = {"effort": given.effort.name, "seed": given.seed, **told}
        print(write_object(whole_report | {"left_out": problems, "deals": found.reports}))
    else:
        print(text(found.reports, told, given.effort, problems))
    return 0


def read_cases(given: argparse.Namespace) -> tuple[list[Case], list[str]]:
    """Read the deals of files or of the store, and a sentence for each line that is none."""
    if bool(given.files) == (given.db is not None):
        raise NotationError("name files of deals, or --db for those of your store.")
    cases, problems = list[Case](), list[str]()
    for where, line, date in _stored(given.db) if given.db is not None else _lines(given.files):
        try:
            cases.append(Case(where, parse_record(line), date))
        except InferenceError as error:
            problems.append(f"{where}: {error}")
    return cases, problems


def _lines(names: list[str]) -> Iterator[tuple[str, str, str]]:
    for name in names:
        for number, line in read_lines(name):
            if line.strip():
                yield f"{name}:{number}", line, ""


def _stored(name: str) -> Iterator[tuple[str, str, str]]:
    store = Store(paths.store_file(name or None))
    for row in reversed(archive.search(store, archive.Search(own=True), n=-1)):
        yield f"{row.played} {row.id[:6]}", archive.export_line(store, row.id), row.played


# -- the report as text ----------------------------------------------------------------------------


def text(found: list[Report], told: Report, effort: Effort, problems: list[str]) -> str:
    """Write the report for people."""
    parts = [_heading(told, effort), _deals(found), _sum(told), _worst(told)]
    days = dict(list(told["days"].items())[-LONGEST_LIST:])
    parts += [_periods("session", days)] if len(days) > 1 else []
    parts += [_periods("month", told["months"])] if len(told["months"]) > 1 else []
    parts += [_opponent(name, one) for name, one in told["opponents"].items()]
    parts += ["\n".join(["Left out:", *problems])] if problems else []
    return "\n\n".join(part for part in parts if part)


def _heading(told: Report, effort: Effort) -> str:
    n, worth = told["n_deals"], told["loss_per_deal"]
    lines = [
        f"{n} deal{'s' * (n != 1)}, {told['n_decisions']} decisions, {effort.name} analysis; "
        f"{told['game_points']:+d} game points in {told['n_over']} finished"
    ]
    if told["n_decisions"]:
        error = told["loss_per_deal_stderr"]
        margin = f" ± {error:.2f}" if error is not None else ""
        lines.append(
            f"you lost {worth:.2f}{margin} game points a deal by mistakes; "
            f"{_share(told)} decisions were the best or as good"
        )
    return "\n".join(lines)


def _share(told: Report) -> str:
    """Say how many decisions were right: as a rate only where there are enough of them."""
    share, n = told["share_best"], told["n_decisions"]
    return f"{told['n_best']} of {n}" if share is None else f"{percent(share)} of the"


def _deals(found: list[Report]) -> str:
    rows = [["deal", "result", "luck", "±", "my losses", "his", "rest", "best moves", "against"]]
    for one in found[-LONGEST_LIST:]:
        parts, n = one["ledger"], len(one["decisions"])
        kept = sum(d["charged"] == 0 for d in one["decisions"])
        lost = sum(d["charged"] for d in one["decisions"])
        cells = ["", "", "", f"{-lost:+.2f}", "", ""]
        if parts:
            his = parts["his_losses"]
            cells = [f"{parts['result']:+.0f}", f"{parts['luck']:+.2f}"]
            cells += [f"{parts['luck_stderr']:.2f}", f"{-lost:+.2f}"]
            cells += ["" if his is None else f"{his:+.2f}", f"{parts['remainder']:+.2f}"]
        rows.append([one["where"], *cells, f"{kept} of {n}", one["opponent"]])
    more = len(found) - LONGEST_LIST
    return align(rows) + (f"\n(the last {LONGEST_LIST}; {more} more before)" if more > 0 else "")


def _sum(told: Report) -> str:
    parts = told["ledger"]
    if not parts:
        return ""
    known = f" (known in {parts['n_his_known']})" if parts["n_his_known"] < parts["n_deals"] else ""
    return (
        f"Result {parts['result']:+.2f} = luck {parts['luck']:+.2f} (± {parts['luck_stderr']:.2f}) "
        f"- your losses {parts['my_losses']:.2f} + his losses {parts['his_losses']:.2f}{known} "
        f"{'+-'[parts['remainder'] < 0]} rest {abs(parts['remainder']):.2f}\n"
        "(luck: the deal and your draws; rest: what his play told, what no error explains, noise)"
    )


def _worst(told: Report) -> str:
    if not told["worst"]:
        return "No mistake stands out of the noise."
    lines = [
        f"  {one['where']} after {one['number']} events: {one['text']}" for one in told["worst"]
    ]
    return "\n".join(["Costliest decisions:", *lines])


def _periods(what: str, some: dict[str, Report]) -> str:
    rows = [[what, "deals", "result", "loss a deal", "±", "best moves", ""]]
    for when, one in some.items():
        error = one["loss_per_deal_stderr"]
        rows.append(
            [
                when,
                str(one["n_deals"]),
                f"{one['game_points']:+d}",
                f"{one['loss_per_deal']:.2f}",
                "" if error is None else f"{error:.2f}",
                "" if one["share_best"] is None else percent(one["share_best"]),
                "",
            ]
        )
    return align(rows)


def _beside(habit: Report) -> str:
    """Write the rate that a habit is compared with, with a star where nobody real showed it."""
    star = "*" if habit["compared"] == SIMULATED else ""
    return "" if habit["others"] is None else f"{percent(habit['others'])}{star}"


def _opponent(name: str, one: Report) -> str:
    """Write an opponent's results and those habits that enough chances stand behind."""
    n = one["n_deals"]
    lines = [f"Against {name}: {n} deal{'s' * (n != 1)}, {one['game_points']:+d} game points"]
    rows = [
        [
            f"  {habit['name']}",
            percent(habit["rate"]),
            f"{percent(habit['low'])} to {percent(habit['high'])}",
            f"{habit['n']:.0f}",
            _beside(habit),
            "",
        ]
        for habit in one["habits"]
        if habit["rate"] is not None
    ]
    if rows:
        lines.append(align([["  habit", "rate", "95 % interval", "chances", "others", ""], *rows]))
        lines += [f"  * {NOTE}"] if any("*" in row[4] for row in rows) else []
    else:
        lines.append(f"  habits: fewer than {FEW} chances for each")
    read = one["reading"]
    if read["gain_bits"] is not None:
        error = f" ± {read['gain_stderr']:.2f}" if read["gain_stderr"] is not None else ""
        lines.append(
            f"  his hand was foreseen {read['gain_bits']:+.2f}{error} bits a decision better than "
            f"by counting ({read['n_decisions']} decisions)"
        )
    return "\n".join(lines)
