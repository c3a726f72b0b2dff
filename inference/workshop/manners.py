"""Count what players of the pool do when they can: the rates that a stranger is compared with."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any

from inference.game.record import format_record
from inference.game.rules import PRESETS, Rules
from inference.game.state import SEATS
from inference.spread import spread
from inference.study.habits import NAMES, Counts, added, of_known_hand
from inference.study.population import VERSION
from inference.workshop.pool import FAMILIES
from inference.workshop.simulate import play_pool

PLAYERS = tuple(family for family in FAMILIES if family != "random")
"""Nobody at a table plays at random."""


def manners(n_deals: int, seed: int, jobs: int = 1) -> dict[str, Any]:
    """Return the file `models/habits.json`: deeds and chances in `n_deals` deals a preset."""
    counts, digest = {}, sha256()
    for name, rules in PRESETS.items():
        deals = list(spread(partial(_deal, rules, seed), range(n_deals), jobs, "deals"))
        digest.update("\n".join(text for text, _ in deals).encode())
        total = added(found for _, found in deals)
        counts[name] = {habit: [round(x) for x in total[habit]] for habit in NAMES}
    return {
        "measures": "what simulated players do when they can: [deeds, chances] by rule set",
        "version": VERSION,
        "command": f"sixtysix fit --habits --deals {n_deals} --seed {seed}",
        "players": list(PLAYERS),
        "sha256": digest.hexdigest(),
        "counts": counts,
    }


def _deal(rules: Rules, seed: int, number: int) -> tuple[str, Counts]:
    record = play_pool([rules], seed, (PLAYERS, PLAYERS), number)
    return format_record(record), added(of_known_hand(record, seat) for seat in SEATS)
