"""`simulate`, `fit`, `evaluate` and `bench`: make deals and models, and measure what they claim."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import nullcontext
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

from inference import opponents, paths
from inference.cli import options
from inference.cli.asking import read_lines
from inference.cli.options import Commands, whole
from inference.cli.tables import align, percent
from inference.errors import InferenceError, NotationError
from inference.game.record import Record, format_record, parse_record
from inference.game.rules import PRESETS, Rules
from inference.workshop import players
from inference.workshop.contest import Result, contest
from inference.workshop.endings import endings
from inference.workshop.evaluate import BASELINE, Evaluation, evaluate
from inference.workshop.manners import manners
from inference.workshop.page import Report, page, write
from inference.workshop.pool_reading import read_pool
from inference.workshop.sample import session
from inference.workshop.sessions import N_PLANTED, Planted, fit_chain, planted
from inference.workshop.simulate import simulate
from inference.workshop.value import in_play

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
"""Sums of several threads differ in the last digit from run to run, and EM then ends elsewhere."""
FEW = 20
"""Figures from fewer cards or deals say nothing."""


def add_to(commands: Commands[Any]) -> None:
    """Add the four commands."""
    _add_simulate(commands)
    _add_fit(commands)
    _add_evaluate(commands)
    told = "time the program and compare it with its slow twins"
    bench = commands.add_parser("bench", help=told, description=told, allow_abbrev=False)
    bench.set_defaults(run=run_bench)


def _add_simulate(commands: Commands[Any]) -> None:
    told = "make complete deals, played by opponent models"
    command = commands.add_parser("simulate", help=told, description=told, allow_abbrev=False)
    command.add_argument("--rules", default="sixty-six", metavar="NAME", help="a preset's name")
    command.add_argument("--deals", type=whole(1), default=12, metavar="N", help="how many (12)")
    command.add_argument("--players", nargs=2, default=("logit", "logit"), metavar=("S", "N"))
    told = "whole matches of two described players, at least so many deals, with dates and results"
    command.add_argument("--session", action="store_true", help=told)
    command.add_argument("--out", metavar="FILE", help="standard output if not given")
    _add_common(command)
    command.set_defaults(run=run_simulate)


def _add_fit(commands: Commands[Any]) -> None:
    told = "fit the playing styles of the model `styles` on deals of a pool of made-up players"
    command = commands.add_parser("fit", help=told, description=told, allow_abbrev=False)
    command.add_argument(
        "--deals", type=whole(20), default=12_000, metavar="N", help="how many (12,000)"
    )
    told = "learn how styles follow each other instead, from N sessions of many deals"
    command.add_argument("--sessions", type=whole(5), metavar="N", help=told)
    command.add_argument("--rules", metavar="NAME", help="of the sessions (all presets)")
    told = "measure how deals of each preset end instead (models/match.json)"
    command.add_argument("--match", action="store_true", help=told)
    told = "count what simulated players of each preset do when they can (models/habits.json)"
    command.add_argument("--habits", action="store_true", help=told)
    told = "how many (16) for players of all kinds; simple programs get half as many more"
    command.add_argument("--styles", type=whole(1), default=16, metavar="Z", help=told)
    command.add_argument("--out", metavar="FILE", help="standard output if not given")
    _add_common(command)
    command.set_defaults(run=run_fit)


def _add_evaluate(commands: Commands[Any]) -> None:
    told = f"bits that a model's belief gains over {BASELINE} on finished deals"
    command = commands.add_parser("evaluate", help=told, description=told, allow_abbrev=False)
    command.add_argument("files", nargs="*", metavar="FILE", help="complete deals (the samples)")
    command.add_argument("--model", default=opponents.DEFAULT, metavar="NAME", help=options.MODEL)
    told = "N sessions in which the player keeps exactly to one style, then to another"
    command.add_argument("--regimes", type=whole(1), metavar="N", help=told)
    told = "the whole report on players of the pool instead"
    command.add_argument("--inference", action="store_true", help=told)
    told = "what inference brings in play: N duplicate pairs a family, in whole sessions of five"
    command.add_argument("--value", type=whole(2), metavar="N", help=told)
    told = (
        f"two players on duplicate deals instead: {', '.join(players.REGISTRY)}; those that search "
        "also with a number of worlds, or a time for each action (no two runs are then alike), as "
        "in pimc:60 or pimc:50ms"
    )
    command.add_argument("--play", nargs=2, metavar=("A", "B"), help=told)
    told = "of the pool or the regimes (all presets) or of --play (sixty-six)"
    command.add_argument("--rules", metavar="NAME", help=told)
    told = "play --play on a Dask cluster (extra `cluster`), as in tcp://HOST:8786"
    command.add_argument("--cluster", type=options.address, metavar="ADDRESS", help=told)
    told = "of --play, or a family of --inference in sessions of ten (100)"
    command.add_argument("--deals", type=whole(1), default=100, metavar="N", help=told)
    told = "write the report there, and its diagrams beside it"
    command.add_argument("--out", metavar="FILE", help=told)
    _add_common(command)
    command.set_defaults(run=run_evaluate)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=whole(0), default=1, metavar="K", help="of all chance (1)")
    command.add_argument("--jobs", type=whole(1), default=-1, metavar="J", help="cores (all)")


def run_simulate(given: argparse.Namespace) -> int:
    """Write the deals, one record a line."""
    rules, players = options.rules(given.rules), (given.players[0], given.players[1])
    if given.session:
        records = session(rules, given.deals, given.seed)
    else:
        records = simulate(rules, given.deals, given.seed, players, given.jobs)
    with open(given.out, "w", encoding="utf-8") if given.out else nullcontext(sys.stdout) as file:
        for record in records:
            print(format_record(record), file=file)
    return 0


def run_fit(given: argparse.Namespace) -> int:
    """Write the file of parameters, the styles in a process of its own."""
    if given.sessions:
        return run_fit_chain(given)
    numbers = map(str, (given.deals, given.styles, given.seed, given.jobs))
    line = [sys.executable, "-m", "inference.workshop", *numbers]
    with open(given.out, "w", encoding="utf-8") if given.out else nullcontext() as file:
        if given.match or given.habits:
            work = endings if given.match else manners
            found = work(given.deals, given.seed, given.jobs)
            print(json.dumps(found, indent=2), file=file)
            return 0
        return subprocess.run(line, stdout=file, env=os.environ | ONE_THREAD).returncode


def run_fit_chain(given: argparse.Namespace) -> int:
    """Write the file of the style chain."""
    found = fit_chain(_rules(given), given.sessions, given.seed, given.jobs)
    with open(given.out, "w", encoding="utf-8") if given.out else nullcontext(sys.stdout) as file:
        print(json.dumps(found, indent=2), file=file)
    return 0


def _rules(given: argparse.Namespace) -> list[Rules]:
    """Return the rule sets that are asked for, all presets without a name."""
    return list(PRESETS.values()) if given.rules is None else [options.rules(given.rules)]


def run_evaluate(given: argparse.Namespace) -> int:
    """Print how good the model's probabilities are, or which of two players wins."""
    if given.cluster and not given.play:
        raise NotationError("--cluster goes with --play only.")
    if given.regimes:
        print(regimes_text(given))
        return 0
    if given.inference or given.value:
        return run_report(given)
    if given.play:
        return run_contest(given)
    files = given.files or sorted(map(str, paths.data_file("").glob("*.jsonl")))
    records = [record for name in files for record in read_records(name)]
    found = evaluate(records, given.model, given.seed, given.jobs)
    print(evaluation_text(found, given.model, given.seed))
    return 0


def run_report(given: argparse.Namespace) -> int:
    """Read players of the pool, and play against them; print or write the report."""
    if given.files or given.play:
        raise NotationError("the report makes its own deals: give no files and no --play with it.")
    presets = list(PRESETS.values()) if given.rules is None else [options.rules(given.rules)]
    how = (given.model, given.seed, given.jobs)
    reads = list(read_pool(presets, given.deals, *how)) if given.inference else []
    values = in_play(presets, given.value, *how) if given.value else []
    report = Report(reads, values, _report_command(given), given.model)
    if given.out:
        write(report, Path(given.out))
    else:
        print(page(report))
    return 0


def _report_command(given: argparse.Namespace) -> str:
    parts = ["sixtysix evaluate"]
    parts += [f"--inference --deals {given.deals}"] * given.inference
    parts += [f"--value {given.value}"] if given.value else []
    parts += [f"--rules '{given.rules}'"] if given.rules else []
    parts += [f"--model {given.model}"] if given.model != opponents.DEFAULT else []
    parts += [f"--out {given.out}"] if given.out else []
    return " ".join([*parts, f"--seed {given.seed}"])


def run_contest(given: argparse.Namespace) -> int:
    """Let two players meet on duplicate deals and print what the first one wins."""
    if given.files:
        raise NotationError("--play makes its own deals: give no files with it.")
    rules, names = options.rules(given.rules or "sixty-six"), (given.play[0], given.play[1])
    found = contest(rules, names, given.deals, given.seed, given.jobs, given.cluster)
    print(contest_text(found, names, f"{rules.name}, seed {given.seed}"))
    return 0


def contest_text(found: Result, names: tuple[str, str], setting: str) -> str:
    """Write the first player's gain with its interval; crashes are told and left out."""
    low, high = found.interval
    interval = f" (95 % interval over pairs {low:+.3f} to {high:+.3f})"
    lines = [
        f"{names[0]} against {names[1]}: {setting}; {found.n_pairs} duplicate deals, each played "
        f"twice with the seats swapped; {len(found.crashes)} left out by a crash"
    ]
    if found.n_pairs:
        shown = interval if found.n_pairs >= FEW else ""
        lines.append(f"{names[0]} wins {found.value:+.3f} game points a deal{shown}")
        lines.append(f"{names[0]} wins {percent(found.p_win)} of the deals")
    return "\n".join([*lines, *(f"crash: {told}" for told in found.crashes)])


def read_records(name: str) -> list[Record]:
    """Read all records of a file; raise NotationError that names the line."""
    records = []
    for number, line in read_lines(name):
        try:
            records.append(parse_record(line))
        except InferenceError as error:
            raise NotationError(f"line {number} of {name}: {error}") from error
    return records


def evaluation_text(found: Evaluation, model: str, seed: int) -> str:
    """Write the gain, its interval and the calibration; what rests on too few is left out."""
    low, high = found.interval
    interval = f" (95 % interval over deals {low:+.3f} to {high:+.3f})"
    head = (
        f"{found.n_deals} deals, {found.n_decisions} decisions, from both seats; seed {seed}\n"
        f"log2 of the probability given to the opponent's true hand, mean of the decisions: "
        f"{BASELINE} {found.bits[0]:.3f}, {model} {found.bits[1]:.3f}\n"
        f"gain: {found.gain:+.3f} bits a decision{interval if found.n_deals >= FEW else ''}\n"
    )
    rows = [["cards given", "n", "mean", "held", ""]]
    kept = found.calibration
    for i, (n, p, held) in enumerate(kept.table):
        told = [f"{p:.3f}", f"{held:.3f}"] if n >= FEW else ["", ""]
        rows.append([f"{10 * i} to {10 * i + 10} %", str(n), *told, ""])
    error = (
        f"error {kept.ece:.4f} (a perfect forecaster's {kept.perfect:.4f}), slope {kept.slope:.2f}"
    )
    return f"{head}\nCalibration of {model}, card by card: {error}\n{align(rows)}"


def regimes_text(given: argparse.Namespace) -> str:
    """Write how soon planted styles, and the change from one to another, are found."""
    found = planted(_rules(given), given.regimes, given.seed, given.jobs)
    rows = [["planted", "n", "found", "median deals", "switch seen", "median deals", ""]]
    for style in dict.fromkeys(one.styles[0] for one in found):
        some = [one for one in found if one.styles[0] == style]
        rows.append([style, *_regime_row(some), ""])
    rows.append(["all", *_regime_row(found), ""])
    head = (
        f"{opponents.DEFAULT}: {N_PLANTED} deals by one style exactly, then as many by another; "
        f"found = its filtered probability is over one half; seed {given.seed}\n"
        "(the medians count a style that was not found as later than all)"
    )
    return f"{head}\n{align(rows)}"


def _regime_row(some: list[Planted]) -> list[str]:
    found, switched = [one.n_to_find for one in some], [one.n_to_switch for one in some]
    return [str(len(some)), *_soon(found), *_soon(switched)]


def _soon(counts: list[int | None]) -> list[str]:
    """Write the share that was found at all, and the median."""
    n = sum(count is not None for count in counts)
    middle = median(inf if count is None else count for count in counts)
    return [percent(n / len(counts)), f"{middle:g}" if middle < inf else "more"]


def run_bench(given: argparse.Namespace) -> int:
    """Run the benchmarks of the checkout; raise InferenceError where there are none."""
    if not (paths.share() / "benchmarks").is_dir():
        raise InferenceError("the benchmarks stand in a checkout of the sources, not in a wheel.")
    return subprocess.run([sys.executable, "-m", "benchmarks"], cwd=paths.share()).returncode
