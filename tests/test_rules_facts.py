"""docs/rules.md section 7: facts that follow from the rules, on random deals."""

import random
from collections.abc import Iterator

import pytest
from table import S, each_preset, ends, follow, fresh, rules

from inference.cards import points as points_of
from inference.game.events import Action, Kind
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules
from inference.game.state import SEATS

Line = list[tuple[Position, Action]]


def choose(some: list[Action], rng: random.Random) -> Action:
    """Draw an action that ends no deal: marriages are mostly announced, closes are rare."""
    announced = [action for action in some if action.kind == Kind.ANNOUNCE]
    if announced and rng.random() < 0.7:
        return rng.choice(announced)
    rare = {Kind.CLAIM} if rng.random() < 0.3 else {Kind.CLAIM, Kind.CLOSE}
    return rng.choice([action for action in some if action.kind not in rare])


def lines(what: Rules, n: int, without: Kind | None = None) -> Iterator[Line]:
    """Play random deals, yielding each as its positions with what was done there.

    Nobody claims or gives up; a deal of declared claims is therefore played to its last card.
    """
    rng = random.Random(str(what))
    for _ in range(n):
        position, line = Position.deal(what, rng.choice(SEATS), rng), []
        while not position.public.over:
            some = [action for action in position.legal_actions() if action.kind != without]
            line.append((position, choose(some, rng)))
            position = position.play(line[-1][1])
        line.append((position, Action(Kind.ABANDON)))
        yield line


def announced(line: Line) -> int:
    """Return the points of all marriages that were announced."""
    shown = [(at.public.trump, did.card) for at, did in line if did.kind == Kind.ANNOUNCE]
    return sum(40 if card.suit == trump else 20 for trump, card in shown)


def gone(position: Position) -> int:
    """Return the mask of the cards in the tricks: laid, and not on the table."""
    led = position.public.led
    return position.public.played & ~(0 if led is None else led.mask)


@each_preset
@pytest.mark.parametrize("bonus", [0, 10])
def test_7_1_points_add_up(name: str, bonus: int) -> None:
    house = rules(name, claim="declared", last_trick_bonus=bonus)
    n_closed, n_counted = 0, 0
    for line in lines(house, 60):
        end = line[-1][0].public
        marriages, closed = announced(line) - sum(end.pending), end.closed is not None
        left = points_of(house.pack & ~end.played)
        assert closed or left == 0
        assert sum(end.points) == 120 - left + marriages + bonus * (not closed)
        n_closed, n_counted = n_closed + closed, n_counted + (marriages > 0)
    assert n_counted > 5
    assert 60 - n_closed > 5
    assert n_closed > 5 or not house.close


@each_preset
def test_7_1_points_add_up_at_every_moment(name: str) -> None:
    for line in lines(rules(name, claim="declared", last_trick_bonus=0), 40):
        for n, (position, _) in enumerate(line):
            public = position.public
            won = sum(public.points) + sum(public.pending)
            assert won == points_of(gone(position)) + announced(line[:n])
            assert public.unplayed_points == 120 - points_of(gone(position))


@each_preset
def test_7_2_nobody_out_without_the_bonus(name: str) -> None:
    free = {"strict_head": False, "last_trick_bonus": 0, "nobody66": "last_trick"}
    house = rules(name, **free, claim="automatic", close=False)
    n_nobody = 0
    for line in [*lines(house, 250), *lines(house, 250, without=Kind.ANNOUNCE)]:
        end = line[-1][0].public
        if end.outcome is not None and end.outcome.reason == "last trick":
            n_nobody += 1
            assert (sum(end.points), min(end.points) >= 55) == (120, True)
            assert end.outcome == (end.leader, 1, "last trick")
    assert n_nobody >= 8


@each_preset
def test_7_3_nobody_out_with_the_bonus(name: str) -> None:
    cells = {"last_trick_bonus": 10, "nobody66": "higher_total", "claim": "automatic"}
    n_nobody = 0
    for line in lines(rules(name, **cells, close=False), 600, without=Kind.ANNOUNCE):
        end = line[-1][0].public
        if end.outcome is not None and end.outcome.reason != "out":
            n_nobody += 1
            assert (end.points, end.outcome) == ((65, 65), (None, 0, "draw"))
    assert n_nobody >= 1


@each_preset
@pytest.mark.parametrize("bonus", [0, 10])
def test_7_4_the_most_points(name: str, bonus: int) -> None:
    house = rules(name, claim="declared", last_trick_bonus=bonus)
    totals = [sum(line[-1][0].public.points) for line in lines(house, 60)]
    assert max(totals) <= 220 + bonus


EVERYTHING = """S:KH* N:9H + S:KS* N:9S + S:KD* N:9D + S:KC* N:9C + S:QS N:JS + S:QD N:JD +
    S:AH N:TH S:AS N:TS S:AD N:TD S:AC N:TC S:QC N:JC S:QH N:JH"""


@pytest.mark.parametrize("bonus", [0, 10])
def test_7_4_a_deal_of_220_points(bonus: int) -> None:
    """One side announces four marriages and wins every trick: the bound is reached."""
    house = rules("sixty-six", claim="declared", last_trick_bonus=bonus)
    talon = "KC JC QC JH AS TS AH TD AD TC AC TH"
    start = fresh(house, S, "KH QH KS QS KD QD", "9H 9S 9D 9C JS JD", talon)
    end = follow(start, EVERYTHING)
    assert (end.public.points, end.public.tricks) == ((220 + bonus, 0), (12, 0))
    assert ends(end) == (S, 3)


@each_preset
def test_7_5_cards_add_up_at_every_moment(name: str) -> None:
    house = PRESETS[name]
    for line in lines(rules(name, claim="declared"), 60):
        for position, _ in line:
            check_cards(position, house)


def check_cards(position: Position, house: Rules) -> None:
    """Check that hands, talon, table and tricks hold each card of the pack once."""
    public = position.public
    talon = sum(card.mask for card in position.talon)
    table = 0 if public.led is None else public.led.mask
    parts = [*position.hands, talon, table, gone(position)]
    assert sum(parts) == house.pack
    assert sum(part.bit_count() for part in parts) == house.cards
    assert [hand.bit_count() for hand in position.hands] == [*public.held]
    assert len(position.talon) == public.talon
    assert gone(position).bit_count() == 2 * sum(public.tricks)
    assert public.upcard == (position.talon[-1] if position.talon else None)


@each_preset
def test_6_3_only_one_side_scores_in_a_deal(name: str) -> None:
    for line in lines(PRESETS[name], 60):
        end = line[-1][0].public
        assert end.outcome is not None
        assert sum(end.payoff) == 0
        assert max(end.payoff) == end.outcome.game_points <= 3
