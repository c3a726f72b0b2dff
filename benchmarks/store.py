"""A store of many deals: opening it with a first page, searching, and what an entry costs."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.row import Row, deals, seconds, spread_ms
from inference import archive
from inference.archive import Search
from inference.game.fields import write_object
from inference.game.rules import PRESETS
from inference.session import Session
from inference.store import Store, event, schema
from inference.store.summary import COLUMNS, ONE_DEAL

N_DEALS = 100_000
RUNS, AT_ONCE = 9, 5000
NAMES = [f"player {n}" for n in range(40)]
SEARCHES = {
    "by opponent": Search(opponent=NAMES[7]),
    "by date": Search(since="2020-03-01", until="2020-03-31"),
    "by rules": Search(rules="schnapsen"),
    "by result": Search(result="won"),
    "closed by him": Search(closed="he"),
    "lost 2+ points": Search(lost=2),
    "by a word of the note": Search(text="deal 77777"),
    "all of it at once": Search(NAMES[7], "2020-01-01", rules="bicycle", lost=2, closed="any"),
}


def rows() -> list[Row]:
    """Fill a store by direct inserts, then time what its lists and an entry take."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.db"
        fill(path, random.Random(66))
        found = [Row("store of many deals", N_DEALS, f"{path.stat().st_size / 2**20:.0f} MB")]
        found.append(_timed("open it and list a page of 50", "<= 300 ms", _opened, path))
        shelf = Store(path)
        for what, wanted in SEARCHES.items():
            what = f"  search {what} ({archive.count(shelf, wanted)} found)"
            goal = "" if wanted.text else "<= 500 ms"
            found.append(_timed(what, goal, _searched, shelf, wanted))
        found.append(
            _timed("  the last page of all", "", archive.search, shelf, Search(), 50, N_DEALS - 50)
        )
        found.append(_timed("  list the opponents", "", archive.opponents, shelf))
        return [*found, *_entries(shelf)]


def _timed(what: str, goal: str, work: Callable[..., object], *given: Any) -> Row:
    return Row(what, RUNS, spread_ms([seconds(work, *given) for _ in range(RUNS)]), "", goal)


def _opened(path: Path) -> None:
    archive.search(Store(path))


def _searched(shelf: Store, wanted: Search) -> None:
    """Do what a page does: a page of the deals, and how many there are."""
    archive.search(shelf, wanted)
    archive.count(shelf, wanted)


def _entries(shelf: Store) -> list[Row]:
    """Time each entry of a deal, and keeping what is shown after it."""
    session = Session.from_record(deals("f1")[0])
    held = shelf.replay(shelf.begin(session.to_record() | {"events": ""}))
    entering, keeping = [], []
    for one in session.events:
        started = perf_counter()
        held = shelf.enter(held.id, event(str(one)), held)
        entering.append(perf_counter() - started)
        keeping.append(seconds(archive.keep, shelf, held))
    return [
        Row("  enter an event", len(entering), spread_ms(entering)),
        Row("  keep what is shown", len(keeping), spread_ms(keeping)),
    ]


def fill(path: Path, rng: random.Random) -> None:
    """Write copies of the sample deals with other names, dates, rules and results."""
    Store(path)
    samples = deals("session")
    names, marks = ", ".join(COLUMNS), ", ".join("?" * len(COLUMNS))
    for first in range(0, N_DEALS, AT_ONCE):
        some = [_deal(n, rng, samples) for n in range(first, min(first + AT_ONCE, N_DEALS))]
        with schema.writing(path, "NORMAL") as db:
            insert = "INSERT INTO deal (id, created, record, whole, origin) VALUES (?, ?, ?, ?, ?)"
            db.executemany(insert, [deal for deal, _, _ in some])
            insert = "INSERT INTO entry (deal, uuid, at, kind, payload) VALUES (?, ?, ?, ?, ?)"
            db.executemany(insert, [entry for _, entry, _ in some])
            db.executemany(f"INSERT INTO summary ({names}) VALUES ({marks})", [s for *_, s in some])


def _deal(n: int, rng: random.Random, samples: list[dict[str, Any]]) -> tuple[Any, Any, Any]:
    """Return the rows of one deal: of deal, of entry and of summary."""
    sample, name = rng.choice(samples), rng.choice(NAMES)
    played = date(2015, 1, 1) + timedelta(days=n * 4000 // N_DEALS)
    key, points, at = f"deal-{n}", rng.choice([-3, -2, -1, 1, 2, 3]), f"{played}T12:00:00+00:00"
    meta = {key: value for key, value in sample["meta"].items() if key not in ONE_DEAL}
    meta |= {"opponent": name, "date": played.isoformat(), "note": f"deal {n} of many"}
    hand = {"hands": {"S": sample["hands"]["S"]}, "talon": None, "events": "", "seat": "S"}
    record = write_object(sample | hand | {"meta": meta})
    summary = {
        "deal": key,
        "played": played.isoformat(),
        "opponent": name,
        "rules": rng.choice(list(PRESETS)),
        "n_events": len(sample["events"].split()),
        "points": points,
        "reason": "out",
        "confirmed": 1,
        "closer": rng.choice([None, None, "me", "he"]),
        "score": "0:0",
        "score_after": "1:0",
        "own": 1,
        "star": int(n % 50 == 0),
        "tags": ",endgame," if n % 20 == 0 else "",
        "note": f"deal {n} of many",
        "content": f"{n:032x}",
        "deleted": None,
    }
    entry = (key, f"uuid-{n}", at, "event", sample["events"])
    return (
        (key, at, record, write_object(sample), f"{n:032x}"),
        entry,
        [summary[c] for c in COLUMNS],
    )
