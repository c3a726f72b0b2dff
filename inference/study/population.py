"""What simulated players do: the comparison until the store has seen enough of others.

models/habits.json holds, for each rule set, the deeds and chances of each habit, counted in deals
that players of the pool dealt to themselves (models/README.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from inference.errors import ModelError
from inference.game.rules import PRESETS
from inference.paths import model_file
from inference.study.habits import NAMES, Counts

VERSION = 1
Population = Mapping[str, Counts]
"""For each rule set the deeds and chances of each habit."""


@cache
def shipped() -> Population:
    """Return the population that travels with the program."""
    return load(model_file("habits.json"))


def load(path: Path) -> Population:
    """Read a file of habits; raise ModelError that says what does not fit."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path} is not a file of habits: {error}.") from error
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise ModelError(f"{path} is not a file of habits of version {VERSION}: make it anew.")
    counts = _table(found.get("counts"), PRESETS, f"the rule sets of {path}")
    return {rules: _counts(table, f"the habits of {rules} in {path}") for rules, table in counts}


def _counts(value: object, what: str) -> Counts:
    return {name: _pair(pair, f"{name!r} of {what}") for name, pair in _table(value, NAMES, what)}


def _table(value: object, keys: Iterable[str], what: str) -> list[tuple[str, Any]]:
    if not isinstance(value, dict) or value.keys() != set(keys):
        raise ModelError(f"{what} must be {', '.join(keys)}: make the file anew.")
    return list(value.items())


def _pair(value: object, what: str) -> tuple[float, float]:
    match value:
        case [int(k), int(n)] if 0 <= k <= n and bool not in (type(k), type(n)):
            return float(k), float(n)
    raise ModelError(f"{what} must be two whole numbers, deeds and chances: make the file anew.")


def expected(deals: Iterable[tuple[str, Counts]], population: Population) -> Counts:
    """Return what the population would have done with a player's own chances, deals by rule set.

    A rate is the mean over rule sets, weighed by the player's chances in each; it is given as
    deeds in as many chances as stand behind it.

    >>> ruled = {"a": {"closes": (10.0, 100.0)}, "b": {"closes": (50.0, 100.0)}}
    >>> expected([("a", {"closes": (0, 3)}), ("b", {"closes": (1, 1)})], ruled)
    {'closes': (40.0, 200.0)}
    """
    chances: dict[str, dict[str, float]] = {}
    for rules, counts in deals:
        for name, (_, n) in counts.items():
            if n and population.get(rules, {}).get(name, (0, 0))[1]:
                of_name = chances.setdefault(name, {})
                of_name[rules] = of_name.get(rules, 0.0) + n
    return {name: _mixed(name, weights, population) for name, weights in chances.items()}


def _mixed(name: str, weights: Mapping[str, float], population: Population) -> tuple[float, float]:
    behind = {rules: population[rules][name] for rules in weights}
    total = sum(n for _, n in behind.values())
    rate = sum(weights[rules] * k / n for rules, (k, n) in behind.items()) / sum(weights.values())
    return rate * total, total
