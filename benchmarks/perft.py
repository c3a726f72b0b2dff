"""Nodes per second of the rules, beside the reference engine of the tests."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.row import Row, seconds
from inference.cards import Seat, parse_card
from inference.game.position import Position
from inference.game.rules import parse_rules
from inference.game.state import other
from inference.paths import share
from tests import reference

DEPTHS = {"sixty-six": 7, "schnapsen": 8}


def rows() -> list[Row]:
    """Count the lines of legal events from a seeded deal of two rule sets with both engines."""
    return [row(name, depth) for name, depth in DEPTHS.items()]


def row(name: str, depth: int) -> Row:
    """Count with both engines; they must agree."""
    text = (share() / "tests" / "perft" / f"{name}.perft").read_text(encoding="utf-8")
    deal = json.loads(text.splitlines()[0])
    counts: list[int] = []
    mine = seconds(lambda: counts.append(perft(position(deal), depth)))
    theirs = seconds(lambda: counts.append(reference.perft(state(deal), depth)))
    assert counts[0] == counts[1]
    figure = f"{counts[0] / mine:,.0f} a second"
    ratio = f"{theirs / mine:.1f} × the reference"
    return Row(f"rules, {name}: lines of {depth} events", counts[0], figure, ratio)


def position(deal: dict[str, Any]) -> Position:
    """Deal the cards of a record to the engine."""
    s, n, talon = ([parse_card(card) for card in cards.split()] for cards in parts(deal))
    return Position.of(parse_rules(deal["rules"]), Seat[deal["leader"]], (s, n), talon)


def state(deal: dict[str, Any]) -> reference.State:
    """Deal the cards of a record to the reference."""
    s, n, talon = (cards.split() for cards in parts(deal))
    return reference.new(deal["rules"], deal["leader"], {"S": s, "N": n}, talon)


def parts(deal: dict[str, Any]) -> tuple[str, str, str]:
    """Return the cards of S, of N and of the talon as text."""
    return deal["hands"]["S"], deal["hands"]["N"], deal["talon"]


def perft(at: Position, depth: int) -> int:
    """Count the lines of `depth` events (docs/rules.md 8.5)."""
    to_act = at.public.to_act
    options = [(to_act, action) for action in at.legal_actions()]
    options += [(other(to_act), action) for action in at.other_actions()]
    if depth == 1:
        return len(options)
    return sum(perft(at.play(action, seat), depth - 1) for seat, action in options)
