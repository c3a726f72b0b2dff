"""`simulate`, `fit`, `evaluate` and `bench`: make deals and models, and measure what they claim."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import nullcontext
from typing import Any

from inference import opponents, paths
from inference.cli import options
from inference.cli.asking import read_lines
from inference.cli.options import Commands, whole
from inference.cli.tables import align, percent
from inference.errors import InferenceError, NotationError
from inference.game.record import Record, format_record, parse_record
from inference.game.rules import PRESETS
from inference.workshop import players
from inference.workshop.contest import Result, contest
from inference.workshop.evaluate import BASELINE, Evaluation, evaluate, evaluate_pool
from inference.workshop.pool import HELD_OUT
from inference.workshop.simulate import simulate

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
    command.add_argument("--out", metavar="FILE", help="standard output if not given")
    _add_common(command)
    command.set_defaults(run=run_simulate)


def _add_fit(commands: Commands[Any]) -> None:
    told = "fit the playing styles of the model `styles` on deals of a pool of made-up players"
    command = commands.add_parser("fit", help=told, description=told, allow_abbrev=False)
    command.add_argument(
        "--deals", type=whole(20), default=2000, metavar="N", help="how many (2000)"
    )
    command.add_argument("--styles", type=whole(1), default=8, metavar="Z", help="how many (8)")
    command.add_argument("--out", metavar="FILE", help="standard output if not given")
    _add_common(command)
    command.set_defaults(run=run_fit)


def _add_evaluate(commands: Commands[Any]) -> None:
    told = f"bits that a model's belief gains over {BASELINE} on finished deals"
    command = commands.add_parser("evaluate", help=told, description=told, allow_abbrev=False)
    command.add_argument("files", nargs="*", metavar="FILE", help="complete deals (the samples)")
    command.add_argument("--model", default=opponents.DEFAULT, metavar="NAME", help=options.MODEL)
    command.add_argument("--pool", type=whole(1), metavar="N", help="N deals a family of the pool")
    told = f"two players on duplicate deals instead: {', '.join(players.REGISTRY)}"
    command.add_argument("--play", nargs=2, metavar=("A", "B"), help=told)
    told = "of the pool (all presets) or of --play (sixty-six)"
    command.add_argument("--rules", metavar="NAME", help=told)
    command.add_argument("--deals", type=whole(1), default=100, metavar="N", help="of --play (100)")
    _add_common(command)
    command.set_defaults(run=run_evaluate)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=whole(0), default=1, metavar="K", help="of all chance (1)")
    command.add_argument("--jobs", type=whole(1), default=-1, metavar="J", help="cores (all)")


def run_simulate(given: argparse.Namespace) -> int:
    """Write the deals, one record a line."""
    rules, players = options.rules(given.rules), (given.players[0], given.players[1])
    records = simulate(rules, given.deals, given.seed, players, given.jobs)
    with open(given.out, "w", encoding="utf-8") if given.out else nullcontext(sys.stdout) as file:
        for record in records:
            print(format_record(record), file=file)
    return 0


def run_fit(given: argparse.Namespace) -> int:
    """Write the file of parameters, in a process of its own."""
    numbers = map(str, (given.deals, given.styles, given.seed, given.jobs))
    line = [sys.executable, "-m", "inference.workshop", *numbers]
    with open(given.out, "w", encoding="utf-8") if given.out else nullcontext() as file:
        return subprocess.run(line, stdout=file, env=os.environ | ONE_THREAD).returncode


def run_evaluate(given: argparse.Namespace) -> int:
    """Print how good the model's probabilities are, or which of two players wins."""
    if given.pool:
        print(pool_text(given))
        return 0
    if given.play:
        return run_contest(given)
    files = given.files or sorted(map(str, paths.data_file("").glob("*.jsonl")))
    records = [record for name in files for record in read_records(name)]
    found = evaluate(records, given.model, given.seed, given.jobs)
    print(evaluation_text(found, given.model, given.seed))
    return 0


def run_contest(given: argparse.Namespace) -> int:
    """Let two players meet on duplicate deals and print what the first one wins."""
    if given.files:
        raise NotationError("--play makes its own deals: give no files with it.")
    rules, names = options.rules(given.rules or "sixty-six"), (given.play[0], given.play[1])
    found = contest(rules, names, given.deals, given.seed, given.jobs)
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


def pool_text(given: argparse.Namespace) -> str:
    """Write a line for each family of the pool; those not fitted on are marked."""
    chosen = PRESETS.values() if given.rules is None else [options.rules(given.rules)]
    rows = [["family", "bits", "95 % interval", "error", "perfect", "slope", ""]]
    for family, found in evaluate_pool(
        list(chosen), given.pool, given.model, given.seed, given.jobs
    ):
        low, high = found.interval
        kept, note = found.calibration, "held out" if family in HELD_OUT else ""
        figures = [f"{kept.ece:.4f}", f"{kept.perfect:.4f}", f"{kept.slope:.2f}"]
        rows.append([family, f"{found.gain:+.3f}", f"{low:+.3f} to {high:+.3f}", *figures, note])
    head = (
        f"{given.model}: bits a decision over {BASELINE}, and calibration card by card; "
        f"{given.pool} deals a family, seed {given.seed}"
    )
    return f"{head}\n{align(rows)}"


def run_bench(given: argparse.Namespace) -> int:
    """Run the benchmarks of the checkout; raise InferenceError where there are none."""
    if not (paths.share() / "benchmarks").is_dir():
        raise InferenceError("the benchmarks stand in a checkout of the sources, not in a wheel.")
    return subprocess.run([sys.executable, "-m", "benchmarks"], cwd=paths.share()).returncode
