"""Run all benchmarks and print one table: `python -m benchmarks [PART ...]`."""

from __future__ import annotations

import platform
import sys

from benchmarks import (
    advice,
    belief,
    closing,
    equilibrium,
    memory,
    perft,
    promises,
    solve,
    start,
    store,
    study,
)
from benchmarks.row import Row
from inference.cli.tables import align

PARTS = {
    "belief": belief.rows,
    "start": start.rows,
    "perft": perft.rows,
    "solver": solve.rows,
    "equilibrium": equilibrium.rows,
    "advice": advice.rows,
    "store": store.rows,
    "study": study.rows,
    "closing": closing.rows,
    "promises": promises.rows,
    "memory": memory.rows,
}


def main(names: list[str]) -> int:
    """Measure the named parts, or all."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"{unknown[0]!r} is no benchmark: they are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    found: list[Row] = []
    for name in names or PARTS:
        print(f"{name} …", file=sys.stderr)
        found += PARTS[name]()
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}\n")
    head = ["what", "n", "measured", "ratio", "goal"]
    lines = [[row.what, str(row.n), row.figure, row.ratio, row.goal] for row in found]
    print(align([head, *lines], left=len(head)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
