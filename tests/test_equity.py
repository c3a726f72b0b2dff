"""The probability to win a match: known by hand, symmetric, never falling, and simulated."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rule_sets, two_seats

from inference.cards import Seat
from inference.game.equity import PAYOFFS, p_match, stakes
from inference.game.match import Match
from inference.game.rules import PRESETS, Rules
from inference.game.scoring import Outcome

EVEN = (0.05, 0.15, 0.25, 0.1, 0.25, 0.15, 0.05)
UNEVEN = (0.02, 0.08, 0.3, 0.1, 0.2, 0.2, 0.1)
GOOD = PAYOFFS[-1] + 1

shares = st.lists(st.integers(1, 9), min_size=7, max_size=7).map(
    lambda parts: tuple(part / sum(parts) for part in parts)
)
scores = st.tuples(st.integers(0, 2), st.integers(0, 2))
small = rule_sets.map(lambda rules: replace(rules, target=3))


def test_at_match_point_each_it_is_the_chance_to_win_the_deal() -> None:
    wins, losses = sum(UNEVEN[GOOD:]), sum(UNEVEN[:3])
    leads, deals = Match((6, 6), Seat.N), Match((6, 6), Seat.S)
    assert p_match(leads, Rules(), UNEVEN) == pytest.approx(wins / (wins + losses))
    assert p_match(deals, Rules(), UNEVEN) == pytest.approx(losses / (wins + losses))
    assert stakes(leads, Rules(), UNEVEN, Seat.S)[GOOD:] == (1.0, 1.0, 1.0)
    assert stakes(leads, Rules(), UNEVEN, Seat.S)[:3] == (0.0, 0.0, 0.0)


def test_by_hand_at_six_to_five() -> None:
    """One point ends it for S; N needs two: one of them leaves 6:6 with S having dealt before."""
    p = p_match(Match((6, 5), Seat.S), replace(Rules(), target=7), UNEVEN)
    won = sum(UNEVEN[:3]) / 0.9  # N leads and S wins the deal
    level = p_match(Match((6, 6), Seat.N), Rules(), UNEVEN)
    assert p == pytest.approx(won + UNEVEN[4] / 0.9 * level)


@settings(max_examples=20)
@given(small, scores, st.integers(0, 3))
def test_equal_players_at_an_equal_score_win_half(
    rules: Rules, score: tuple[int, int], carry: int
) -> None:
    match = Match((score[0], score[0]), Seat.N, carry)
    assert p_match(match, rules, EVEN) == pytest.approx(0.5)


@settings(max_examples=20)
@given(small, scores, two_seats, st.integers(0, 2), shares)
def test_seats_are_alike_and_points_never_hurt(
    rules: Rules, score: tuple[int, int], dealer: int, carry: int, uneven: tuple[float, ...]
) -> None:
    match = Match(score, Seat(dealer), carry)
    mirror = Match((score[1], score[0]), Seat(1 - dealer), carry)
    assert p_match(match, rules, uneven) == pytest.approx(1 - p_match(mirror, rules, uneven))
    mine = stakes(match, rules, EVEN, Seat.S)
    kept = [p for n, p in zip(PAYOFFS, mine, strict=True) if n or rules.tie == "draw"]
    assert all(low <= high + 1e-12 for low, high in pairwise(kept))
    assert stakes(mirror, rules, EVEN, Seat.N) == pytest.approx(mine)


@settings(max_examples=20)
@given(small, scores, two_seats, shares)
def test_the_chance_before_a_deal_is_the_mean_after_it(
    rules: Rules, score: tuple[int, int], dealer: int, uneven: tuple[float, ...]
) -> None:
    match = Match(score, Seat(dealer))
    after = stakes(match, rules, uneven, match.leader)
    mean = sum(share * p for share, p in zip(uneven, after, strict=True))
    chance = p_match(match, rules, uneven)
    assert mean == pytest.approx(chance if match.leader == Seat.S else 1 - chance)


@pytest.mark.parametrize("preset", ["santase", "bicycle"])
def test_simulated_matches_agree(preset: str, rng: np.random.Generator) -> None:
    rules, wins, n = PRESETS[preset], 0, 1000
    for _ in range(n):
        match = Match((2, 4), Seat.S)
        while match.winner(rules) is None:
            payoff = int(rng.choice(PAYOFFS, p=UNEVEN))
            winner = None if payoff == 0 else match.leader if payoff > 0 else match.dealer
            match = match.after(
                Outcome(winner, abs(payoff), "draw" if payoff == 0 else "out"), rules
            )
        wins += match.winner(rules) == Seat.S
    p = p_match(Match((2, 4), Seat.S), rules, UNEVEN)
    assert abs(wins / n - p) < 4 * (p * (1 - p) / n) ** 0.5


def test_a_tie_that_carries_over_may_be_worse_than_a_narrow_loss() -> None:
    """S needs one point and cannot use more; N gains by the tie what he would win, and leads."""
    after = stakes(Match((6, 3), Seat.S), PRESETS["bicycle"], UNEVEN, Seat.S)
    assert after[3] < after[2]
