"""What a deal's game points are worth for the match: measured endings and the score."""

from __future__ import annotations

import json
from functools import cache

from inference import paths
from inference.cards import Seat
from inference.game import equity
from inference.game.equity import PAYOFFS, Shares
from inference.game.match import Match
from inference.game.rules import Rules


def stakes(match: Match, rules: Rules, seat: Seat) -> tuple[float, ...]:
    """Return a seat's probability to win the match after each payoff from -3 to 3 of this deal.

    House rules are taken to end as their base does.

    >>> from inference.game.rules import PRESETS
    >>> stakes(Match((6, 6), Seat.N), PRESETS["schnapsen"], Seat.S)[4:]
    (1.0, 1.0, 1.0)
    """
    return equity.stakes(match, rules, _shares()[rules.name], seat)


@cache
def _shares() -> dict[str, Shares]:
    """Read the shares that the command in models/match.json measured."""
    found = json.loads(paths.model_file("match.json").read_text(encoding="utf-8"))["shares"]
    return {name: tuple(table[f"{n:+d}"] for n in PAYOFFS) for name, table in found.items()}
