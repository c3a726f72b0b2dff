"""`store`: the deals that are kept, in and out, found, copied and checked."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from inference import archive, paths
from inference.archive.lists import CLOSERS, RESULTS, Search
from inference.cli import options
from inference.cli.asking import read_lines
from inference.cli.options import Commands, whole
from inference.cli.tables import align
from inference.errors import InferenceError, NotationError
from inference.game.compact import format_compact
from inference.game.fields import write_object
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from inference.store import Store, Summary, correct, revert

FORMATS = ("jsonl", "text", "html", "parquet")
EVERY = -1
"""No limit to the number of deals that are listed."""


def add_to(commands: Commands[Any]) -> None:
    """Add the command with its own commands."""
    told = "the deals that are kept: import, export, list, backup, restore, check"
    store = commands.add_parser("store", help=told, description=told, allow_abbrev=False)
    parts = store.add_subparsers(metavar="WHAT", required=True)
    _add_import(parts)
    _add_export(parts)
    _add_list(parts)
    _add_correct(parts)
    backup = _part(parts, "backup", run_backup, "write a copy of the store")
    backup.add_argument("--out", metavar="FILE", help="a name beside the store if not given")
    restore = _part(parts, "restore", run_restore, "put a copy in the place of the store")
    restore.add_argument("file", metavar="FILE", help="the copy")
    _part(parts, "check", run_check, "look for damage in the store's file")


def _part(
    parts: Commands[Any], name: str, run: Callable[[argparse.Namespace], int], told: str
) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = parts.add_parser(
        name, help=told, description=told, allow_abbrev=False
    )
    part.add_argument("--db", metavar="PATH", help="where your deals are kept")
    part.set_defaults(run=run)
    return part


def _add_import(parts: Commands[Any]) -> None:
    part = _part(parts, "import", run_import, "read deals, one a line; bad lines are reported")
    part.add_argument(
        "files", nargs="*", metavar="FILE", help="JSON or short form; - reads them in"
    )
    part.add_argument("--not-mine", action="store_true", help="other people's deals")
    part.add_argument("--sample", action="store_true", help="the sample session")


def _add_export(parts: Commands[Any]) -> None:
    part = _part(parts, "export", run_export, "write deals: all of them, or those looked for")
    part.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="(jsonl)")
    part.add_argument("--out", metavar="FILE", help="standard output if not given")
    one = part.add_mutually_exclusive_group()
    one.add_argument("--deal", metavar="ID", help="one deal; html needs it")
    one.add_argument("--match", metavar="ID", help="the whole match that a deal belongs to")
    _add_search(part)


def _add_correct(parts: Commands[Any]) -> None:
    told = "put right what was mistyped in a deal: one step, replayed, or refused as a whole"
    part = _part(parts, "correct", run_correct, told)
    part.add_argument("deal", metavar="ID", help="as `list` says it")
    part.add_argument("--hand", metavar="CARDS", help="my cards at the beginning: 'AS KH …'")
    part.add_argument("--upcard", metavar="CARD")
    part.add_argument("--leader", choices=[str(seat) for seat in SEATS], help="the other one deals")
    part.add_argument("--rules", metavar="NAME", help="a preset's name, or house rules in braces")
    told = "what entry N should be; '' strikes it out (again for more entries)"
    part.add_argument("--entry", nargs=2, action="append", metavar=("N", "EVENTS"), help=told)
    part.add_argument("--opponent", metavar="NAME", help="who it was played against")
    part.add_argument("--undo", action="store_true", help="take back the last change instead")


def _add_list(parts: Commands[Any]) -> None:
    part = _part(parts, "list", run_list, "list deals, the last played first")
    part.add_argument("-n", type=whole(1), default=20, metavar="N", help="how many (20)")
    part.add_argument("--json", action="store_true", help="print a JSON object a line")
    _add_search(part)


def _add_search(part: argparse.ArgumentParser) -> None:
    part.add_argument("--opponent", metavar="NAME")
    part.add_argument("--since", metavar="DATE", help="like 2026-11-30")
    part.add_argument("--until", metavar="DATE")
    part.add_argument("--rules", choices=PRESETS)
    part.add_argument("--result", choices=RESULTS)
    part.add_argument("--lost", type=whole(1), metavar="N", help="lost N game points or more")
    part.add_argument("--closed", choices=CLOSERS, help="who closed the talon")
    part.add_argument("--tag", metavar="TAG")
    part.add_argument("--text", metavar="TEXT", help="in the name, the note or a tag")
    part.add_argument("--star", action="store_true", help="only those with a star")
    part.add_argument("--deleted", action="store_true", help="what can be brought back")


def _wanted(given: argparse.Namespace) -> Search:
    return Search(**{key: getattr(given, key) for key in Search._fields if key != "own"})


def _store(given: argparse.Namespace) -> Store:
    return Store(paths.store_file(given.db))


# -- in --------------------------------------------------------------------------------------------


def run_import(given: argparse.Namespace) -> int:
    """Read the files; raise InferenceError at the end if a line was bad, the others are kept."""
    store, n_bad = _store(given), 0
    sources = {name: _lines(name) for name in given.files}
    if not (sources or given.sample):
        raise InferenceError("name the files to import, or --sample.")
    own = False if given.not_mine else None
    for name, lines in sources.items():
        found = archive.import_lines(store, lines, own=own)
        n_bad += _tell(name, found)
    if given.sample:
        n_bad += _tell("the sample session", archive.load_sample(store))
    if n_bad:
        raise InferenceError(f"{n_bad} bad line{'' if n_bad == 1 else 's'}; the others are kept.")
    return 0


def _lines(name: str) -> Iterator[str]:
    return (line for _, line in read_lines(name))


def _tell(name: str, found: archive.Imported) -> int:
    print(f"{name}: {len(found.added)} new, {len(found.known)} there already")
    for number, sentence in found.bad:
        print(f"line {number} of {name}: {sentence}", file=sys.stderr)
    return len(found.bad)


# -- corrections -----------------------------------------------------------------------------------


def run_correct(given: argparse.Namespace) -> int:
    """Enter a correction, or take the last change back, and print the deal as it is now."""
    store, deal = _store(given), given.deal
    seat = str(store.replay(deal, model="counting").session.tracker.view.seat)
    found = {
        "hands": given.hand and {seat: given.hand},
        "upcard": given.upcard,
        "leader": given.leader,
        "rules": given.rules and options.rules(given.rules).to_json(),
    }
    set_up = {key: value for key, value in found.items() if value is not None}
    entries = {_number(n): text for n, text in given.entry or []}
    changes = ({0: set_up} if set_up else {}) | entries
    if given.undo + bool(changes or given.opponent is not None) != 1:
        raise InferenceError("say what is to be corrected, or --undo alone.")
    if changes or given.undo:
        store.enter(deal, revert() if given.undo else correct(changes))
    if given.opponent is not None:
        archive.edit(store, deal, opponent=given.opponent)
    print(archive.export_line(store, deal))
    return 0


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 4 and int(text)):
        raise NotationError(f"{text!r} is not the number of an entry.")
    return int(text)


# -- out -------------------------------------------------------------------------------------------


def run_export(given: argparse.Namespace) -> int:
    """Write deals in one of the formats."""
    store = _store(given)
    if given.format == "parquet":
        return _parquet(store, given)
    lines = _pages(store, given) if given.format == "html" else _records(store, given)
    with open(given.out, "w", encoding="utf-8") if given.out else nullcontext(sys.stdout) as file:
        for line in lines:
            print(line, file=file)
    return 0


def _pages(store: Store, given: argparse.Namespace) -> Iterator[str]:
    if given.deal is None:
        raise InferenceError("a page shows one deal: name it with --deal ID.")
    yield archive.page(store, given.deal)


def _records(store: Store, given: argparse.Namespace) -> Iterator[str]:
    if given.match:
        deals = archive.match_of(store, given.match)[::-1]
    elif given.deal:
        deals = [archive.look_up(store, given.deal)]
    else:
        deals = archive.search(store, _wanted(given), EVERY)
    if given.format == "text":
        return (format_compact(archive.export_record(store, deal.id)) for deal in reversed(deals))
    return archive.export_lines(store, deals)


def _parquet(store: Store, given: argparse.Namespace) -> int:
    """Write the table in a process of its own: pyarrow is slow to import."""
    if given.out is None:
        raise InferenceError("Parquet is no text: name the file with --out FILE.")
    if given.deal or given.match or _wanted(given) != Search():
        raise InferenceError("Parquet holds all deals: leave the search out.")
    line = [sys.executable, "-m", "inference.archive.parquet", str(store.path), given.out]
    return subprocess.run(line).returncode


# -- lists and the file ----------------------------------------------------------------------------


def run_list(given: argparse.Namespace) -> int:
    """List deals as a table, or as one JSON object a line."""
    store, wanted = _store(given), _wanted(given)
    found = archive.search(store, wanted, given.n)
    if given.json:
        for one in found:
            print(write_object(one._asdict()))
        return 0
    rows = [["id", "date", "opponent", "rules", "points", "how", "events", "closed", "note"]]
    print(align([*rows, *map(_row, found)], left=4) if found else "No deal is found.")
    n = archive.count(store, wanted)
    if n > len(found):
        print(f"{len(found)} of {n} deals; -n {n} lists all.")
    return 0


def _row(one: Summary) -> list[str]:
    points = "" if one.points is None else f"{one.points:+d}" if one.points else "0"
    marks = " ".join([*("★" * one.star), *(f"#{tag}" for tag in one.tags), one.note])
    return [
        *(one.id, one.played, one.opponent, one.rules, points),
        *(one.reason or "", str(one.n_events), one.closer or "", " ".join(marks.split())),
    ]


def run_backup(given: argparse.Namespace) -> int:
    """Write a copy and print its name."""
    target = Path(given.out) if given.out else None
    print(archive.backup(_store(given), target))
    return 0


def run_restore(given: argparse.Namespace) -> int:
    """Put the copy in the place of the store."""
    path = paths.store_file(given.db)
    former = archive.restore(path, Path(given.file))
    print(f"{path} is restored" + (f"; what it held before is in {former}." if former else "."))
    return 0


def run_check(given: argparse.Namespace) -> int:
    """Print that the file is sound; raise InferenceError that says what is wrong."""
    path = paths.store_file(given.db)
    wrong = archive.check(path)
    if wrong:
        raise InferenceError(
            f"{path} is damaged ({wrong[0]}): `sixtysix store restore` takes a copy."
        )
    print(f"{path} is sound: {archive.count(Store(path))} deals.")
    return 0
