"""Studies of deals that are done are kept, so that a long run can be stopped and taken up again.

The file has one JSON object a line, appended when a deal is done. A key says what the figures
follow from: the cards and events, the seat, the effort, the seed, and the program itself.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from inference import paths
from inference.errors import NotationError
from inference.game.fields import read_object, write_object
from inference.game.record import Record
from inference.opponents import person
from inference.study.judge import Effort

NOT_FIGURES = ("cli", "dashboard", "workshop")
"""Rooms that change no figure of a study."""


@cache
def engine() -> str:
    """Return a digest of the sources and model files that a study's figures follow from."""
    package = Path(__file__).resolve().parent.parent
    sources = [
        path
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).parts[0] not in (*NOT_FIGURES, "_share")
    ]
    files = [*sources, *sorted(paths.model_file("").glob("*.json"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def key(record: Record, seat: str | None, effort: Effort, seed: int) -> str:
    """Return what a study is known by.

    Of the record's `meta` only what is known of the opponent counts, of its match nothing.

    >>> from inference.game.record import parse_record
    >>> from inference.study.judge import FULL, QUICK
    >>> deal = {"rules": "sixty-six", "leader": "N", "upcard": "JH", "seat": "S",
    ...     "hands": {"S": "AS KH QH 9C JD TD"}}
    >>> one, two = parse_record(deal), parse_record({**deal, "meta": {"opponent": "Ada"}})
    >>> key(one, "S", QUICK, 0) == key(two, "S", QUICK, 0) != key(one, "S", FULL, 0)
    True
    >>> known = parse_record({**deal, "meta": {"styles": {"random": 1.0}}})
    >>> key(known, "S", QUICK, 0) == key(one, "S", QUICK, 0)
    False
    """
    told = record.to_json()
    facts = {name: told[name] for name in told if name not in ("meta", "match")}
    facts["meta"] = person.memory(record.meta)
    whole = {"deal": facts, "seat": seat, "effort": list(effort), "seed": seed, "by": engine()}
    return hashlib.sha256(write_object(whole).encode()).hexdigest()


class Kept:
    """Hold the studies in a file; a line that cannot be read is as if it were not there."""

    def __init__(self, path: Path) -> None:
        """Read the file if there is one."""
        self.path = path
        self._found: dict[str, dict[str, Any]] = {}
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        self._cut_off = bool(text) and not text.endswith("\n")
        for line in text.splitlines():
            self._take(line)

    def _take(self, line: str) -> None:
        try:
            entry = read_object(line)
        except NotationError:
            return  # the last line of a run that was killed
        name, report = entry.get("key"), entry.get("report")
        if isinstance(name, str) and isinstance(report, dict):
            self._found[name] = report

    def get(self, name: str) -> dict[str, Any] | None:
        """Return the study of a key, if it is done."""
        return self._found.get(name)

    def add(self, name: str, report: dict[str, Any]) -> None:
        """Keep a study, in the file too."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            line = write_object({"key": name, "report": report})
            file.write(f"{chr(10) * self._cut_off}{line}\n")
        self._cut_off = False
        self._take(line)  # as it will be read, so that a resumed study gives the same
