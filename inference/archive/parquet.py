"""The events of deals as a Parquet file for research; a module of its own, for pyarrow is slow.

`python -m inference.archive.parquet STORE FILE` writes all deals of a store.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from inference.archive.lists import ALL, Search, search
from inference.errors import InferenceError
from inference.store import Store, Summary
from inference.store.summary import HE, ME

AT_ONCE = 1000
"""Deals in one group of rows."""
SCHEMA = pa.schema(
    [
        ("deal", pa.string()),
        ("played", pa.string()),
        ("opponent", pa.string()),
        ("rules", pa.string()),
        ("own", pa.bool_()),
        ("points", pa.int8()),
        ("closer", pa.string()),
        ("number", pa.int16()),
        ("who", pa.string()),
        ("kind", pa.string()),
        ("card", pa.string()),
        ("event", pa.string()),
    ]
)
"""One row an event: `who` is "me" or "he", `kind` the name of the kind, `card` as in "KH"."""


def write(store: Store, target: Path, wanted: Search = ALL) -> int:
    """Write the events of the deals that a search finds; return how many events there are."""
    n = 0
    with parquet.ParquetWriter(target, SCHEMA) as file:
        deals = search(store, wanted, n=-1)[::-1]
        for first in range(0, len(deals), AT_ONCE):
            rows = [row for deal in deals[first : first + AT_ONCE] for row in _rows(store, deal)]
            file.write_table(pa.Table.from_pylist(rows, SCHEMA))
            n += len(rows)
    return n


def _rows(store: Store, deal: Summary) -> Iterator[dict[str, Any]]:
    session = store.replay(deal.id, model="counting").session
    common = {
        "deal": deal.id,
        "played": deal.played,
        "opponent": deal.opponent,
        "rules": deal.rules,
        "own": deal.own,
        "points": deal.points,
        "closer": deal.closer,
    }
    for number, event in enumerate(session.events, start=1):
        card = event.action.card
        yield common | {
            "number": number,
            "who": ME if event.seat == session.tracker.view.seat else HE,
            "kind": event.action.kind.name.lower(),
            "card": None if card is None else str(card),
            "event": str(event),
        }


if __name__ == "__main__":
    try:
        write(Store(Path(sys.argv[1])), Path(sys.argv[2]))
    except InferenceError as error:
        sys.exit(str(error))
