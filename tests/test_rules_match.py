"""docs/rules.md section 6, line by line: the match."""

import random

import pytest
from table import N, S, each_preset, rules

from inference.cards import Seat
from inference.game.match import Match
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.scoring import Outcome
from inference.game.state import SEATS, other

DRAW = Outcome(None, 0, "draw")
ABANDONED = Outcome(None, 0, "abandoned")


def won(seat: Seat, n: int) -> Outcome:
    return Outcome(seat, n, "out")


@each_preset
def test_6_1_game_points_add_up_to_the_target(name: str) -> None:
    preset = PRESETS[name]
    match = Match()
    assert preset.target == (11 if name == "santase" else 7)
    for n in range(1, preset.target + 1):
        assert match.winner(preset) is None
        match = match.after(won(N, 1), preset)
        assert match.score == (0, n)
    assert match.winner(preset) == N


@each_preset
def test_6_1_more_than_the_target_is_enough(name: str) -> None:
    for target in range(1, 22):
        house = rules(name, target=target)
        assert Match((target - 1, target - 1)).winner(house) is None
        assert Match((target - 1, target - 1)).after(won(S, 3), house).winner(house) == S


@each_preset
@pytest.mark.parametrize("dealer", SEATS)
@pytest.mark.parametrize("winner", SEATS)
def test_6_2_who_deals_next(name: str, dealer: Seat, winner: Seat) -> None:
    def next_dealer(cell: str) -> Seat:
        return Match(dealer=dealer).after(won(winner, 1), rules(name, next_dealer=cell)).dealer

    assert next_dealer("alternate") == other(dealer)
    assert next_dealer("winner") == winner
    preset = winner if name in ("sechsundsechzig", "santase", "bicycle") else other(dealer)
    assert Match(dealer=dealer).after(won(winner, 1), PRESETS[name]).dealer == preset


@each_preset
@pytest.mark.parametrize("dealer", SEATS)
@pytest.mark.parametrize("outcome", [DRAW, ABANDONED], ids=["tie", "abandoned"])
def test_6_2_the_same_dealer_deals_again(name: str, dealer: Seat, outcome: Outcome) -> None:
    after = Match((3, 4), dealer).after(outcome, PRESETS[name])
    assert (after.score, after.dealer, after.leader) == ((3, 4), dealer, other(dealer))


@each_preset
def test_1_5_forehand_did_not_deal(name: str) -> None:
    for dealer in SEATS:
        match = Match(dealer=dealer)
        position = Position.deal(PRESETS[name], match.leader, random.Random(1))
        assert position.public.to_act == other(dealer)


@each_preset
def test_5_11_ties_carry_over(name: str) -> None:
    for tie, score in (("carry", (4, 0)), ("draw", (2, 0))):
        house = rules(name, tie=tie)
        tied = Match().after(DRAW, house).after(ABANDONED, house).after(DRAW, house)
        assert tied.score == (0, 0)
        after = tied.after(won(S, 2), house)
        assert after.score == score
        assert after.after(won(N, 1), house).score == (score[0], 1)
    assert (PRESETS[name].tie == "carry") == (name == "bicycle")


def random_matches(name: str, n: int) -> list[Match]:
    """Play matches to their end, deal by deal, by random legal actions."""
    rng = random.Random(name)
    ends = []
    for _ in range(n):
        match = Match()
        while match.winner(PRESETS[name]) is None:
            position = Position.deal(PRESETS[name], match.leader, rng)
            while not position.public.over:
                position = position.play(rng.choice(position.legal_actions()))
            match = match.after(position.public.outcome, PRESETS[name])
        ends.append(match)
    return ends


@each_preset
def test_6_3_both_at_the_target_is_impossible(name: str) -> None:
    for match in random_matches(name, 6):
        high, low = sorted(match.score, reverse=True)
        assert high >= PRESETS[name].target > low
        assert match.score.index(high) == match.winner(PRESETS[name])
