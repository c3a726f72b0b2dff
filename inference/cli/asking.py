"""`belief`, `legal` and `advise`: one question about one record."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import count
from typing import Any

from inference import opponents
from inference.cli import tables
from inference.cli.options import MODEL, Commands, seconds, whole
from inference.errors import NotationError
from inference.game.fields import write_object
from inference.game.state import SEATS
from inference.session import Session

LONGEST_LINE = 1 << 20


def add_to(commands: Commands[Any]) -> None:
    """Add the three commands."""
    for name, told in (
        ("belief", "how likely each hidden card is where"),
        ("legal", "what may be done now, and the score"),
        ("advise", "what to play and why"),
    ):
        command = commands.add_parser(name, help=told, description=told, allow_abbrev=False)
        _add_source(command)
        command.set_defaults(run=run, question=name)
        if name == "advise":
            _add_effort(command)
        command.add_argument("--json", action="store_true", help="print one JSON object")


def _add_source(command: argparse.ArgumentParser) -> None:
    seats = [str(seat) for seat in SEATS]
    command.add_argument("file", metavar="FILE", help="deal records, one a line; - reads them in")
    command.add_argument("--line", type=whole(1), default=1, metavar="K", help="which record (1)")
    command.add_argument("--seat", choices=seats, help="whose eyes (the record's own, else S)")
    command.add_argument("--at", type=whole(0), metavar="N", help="after N events (all)")
    command.add_argument("--model", default=opponents.DEFAULT, metavar="NAME", help=MODEL)


def _add_effort(command: argparse.ArgumentParser) -> None:
    effort = command.add_mutually_exclusive_group()
    effort.add_argument("--budget", type=seconds, default=1.0, metavar="SECONDS", help="time (1)")
    effort.add_argument("--worlds", type=whole(1), metavar="N", help="layouts instead of time")
    command.add_argument("--seed", type=whole(0), default=0, metavar="N", help="of the layouts (0)")


def run(given: argparse.Namespace) -> int:
    """Answer the question about the record."""
    line = read_line(given.file, given.line)
    session = Session.from_record(line, seat=given.seat, model=given.model, at=given.at)
    options = {}
    if given.question == "advise":
        options = {"budget": given.budget, "worlds": given.worlds, "seed": given.seed}
    if given.json:
        print(write_object(session.report(given.question, **options)))
    else:
        print(tables.ANSWERS[given.question](session, **options))
    return 0


def read_line(name: str, number: int) -> str:
    """Return a line of a file, `-` for standard input; raise NotationError if it ends before."""
    n = 0
    for n, line in read_lines(name):
        if n == number:
            return line
    raise NotationError(f"{_named(name)} has no line {number}: it ends after line {n}.")


def read_lines(name: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, `-` for standard input.

    Raise NotationError for a line that is no text, OSError for a file that cannot be read.
    """
    with nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file:
        for number in count(1):
            line = file.readline(LONGEST_LINE)
            if not line:
                return
            if len(line) == LONGEST_LINE:
                raise NotationError(f"line {number} of {_named(name)} is too long for a record.")
            try:
                yield number, line.decode()
            except UnicodeDecodeError as error:
                place = f"line {number} of {_named(name)}"
                raise NotationError(f"{place} is not text in UTF-8.") from error


def _named(name: str) -> str:
    return "standard input" if name == "-" else name
