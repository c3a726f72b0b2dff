"""Random positions of all rules and phases, small enough to be searched without cleverness."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from inference.cards import Card, Seat, Suit, cards, mask_of
from inference.game.position import Position
from inference.game.rules import PARAMETERS, PRESETS, Rules, allowed, parse_rules
from inference.game.scoring import Closed
from inference.game.state import SEATS, PublicState, other

FIXED = {"cards", "hand"}
Pair = tuple[int, int]


def house_rules(rng: Random, share: float = 0.3) -> Rules:
    """Change a random share of the cells of a random preset."""
    base = rng.choice(list(PRESETS.values()))
    changes: dict[str, Any] = {
        key: rng.choice(allowed(key))
        for key in PARAMETERS
        if key not in FIXED and rng.random() < share
    }
    if base.cards == 20:
        changes["xchg_card"] = "J"
    return parse_rules({"base": base.name, **changes})


def any_rules(rng: Random) -> Rules:
    """Take a preset as it is, or house rules."""
    return rng.choice(list(PRESETS.values())) if rng.random() < 0.5 else house_rules(rng)


def on_lead(rules: Rules, hand: int, talon: int, closed: bool, rng: Random) -> Position:
    """Make up a position on lead with `hand` cards each, as if the others had been played."""
    pack = cards(rules.pack)
    rng.shuffle(pack)
    hands, stock, gone = pack[: 2 * hand], pack[2 * hand :][:talon], pack[2 * hand + talon :]
    tricks, points = shared_out(gone, rng)
    leader = rng.choice([seat for seat in SEATS if tricks[seat] or not any(tricks)])
    pending = [0, 0]
    for seat in SEATS:
        if any(tricks) and not tricks[seat]:
            pending[seat] = rng.choice((0, 0, 20, 40))
    public = PublicState(
        rules,
        stock[-1].suit if stock else rng.choice(list(Suit)),
        stock[-1] if stock else None,
        talon,
        leader,
        (hand, hand),
        points=counted(rules, tricks, points, leader, rng),
        pending=(pending[0], pending[1]),
        tricks=tricks,
        played=mask_of(gone),
    )
    if closed:
        public = after_a_close(public, rng)
    return Position(public, (mask_of(hands[:hand]), mask_of(hands[hand:])), tuple(stock))


def shared_out(gone: list[Card], rng: Random) -> tuple[Pair, Pair]:
    """Deal the played cards out as tricks; at times one side has none."""
    tricks, points, lean = [0, 0], [0, 0], rng.choice((0.0, 0.3, 0.5, 0.5, 0.7, 1.0))
    for i in range(0, len(gone), 2):
        winner = int(rng.random() < lean)
        tricks[winner] += 1
        points[winner] += gone[i].points + gone[i + 1].points
    return (tricks[0], tricks[1]), (points[0], points[1])


def counted(rules: Rules, tricks: Pair, points: Pair, leader: Seat, rng: Random) -> Pair:
    """Add marriages; few have 66 (a declared claim was missed), none where 66 ends the deal."""
    found = []
    for seat in SEATS:
        n = points[seat] + (rng.choice((0, 0, 0, 20, 40)) if tricks[seat] else 0)
        missed = rules.claim == "declared" and rng.random() < 0.1
        found.append(n if n < 66 or missed else rng.randrange(20, 66))
    return found[0], found[1]


def after_a_close(public: PublicState, rng: Random) -> PublicState:
    """Let somebody have closed at some time."""
    by = rng.choice(SEATS)
    tricks, points = public.tricks[other(by)], public.points[other(by)]
    fresh = by == public.leader and rng.random() < 0.3
    if not fresh and rng.random() < 0.5:
        tricks = rng.randint(0, tricks)
        points = rng.randint(0, min(points, 65)) if tricks else 0
    return public._replace(closed=Closed(by, points, tricks), fresh_close=fresh)


def moved(position: Position, n: int, rng: Random) -> Position:
    """Make up to n random moves, but do not end the deal."""
    for _ in range(n):
        seat, actions = position.public.to_act, position.legal_actions()
        if (beside := position.other_actions()) and rng.random() < 0.3:
            seat, actions = other(seat), beside
        following = position.play(rng.choice(actions), seat)
        if following.public.over:
            break
        position = following
    return position


SMALL = ((1, 2), (2, 2), (3, 2), (2, 4), (1, 6), (2, 6), (1, 8), (1, 10), (3, 0), (4, 0), (5, 0))
"""Cards in each hand and in the talon; few enough for a search in Python."""
LARGE = ((6, 0), (4, 2), (5, 2), (6, 2), (3, 4), (5, 4), (6, 4), (3, 6), (2, 8), (2, 10), (2, 12))
"""Few enough for a compiled search."""


def random_positions(n: int, rng: Random, sizes: tuple[Pair, ...] = SMALL) -> Iterator[Position]:
    """Yield positions of all sizes in equal shares, open and closed, on lead and in between."""
    for i in range(n):
        rules = any_rules(rng)
        hand, talon = sizes[i % len(sizes)]
        if hand == 1:  # who has laid his only card could close with none
            rules = replace(rules, close_before_draw=False)
        closed = talon > 0 and rng.random() < 0.4
        n_moves = rng.choice((0, 0, 1, 1, 2, 3))
        yield moved(on_lead(rules, hand, talon, closed, rng), n_moves, rng)
