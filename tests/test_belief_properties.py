"""What holds for every belief: sizes, orders, edges, and what is read from one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given

from inference import belief as b
from inference.errors import ContradictionError

# The whole pack

UNSEEN = 0x1FFFF << 3
"""Seventeen cards, as at the start of a deal of Sixty-Six."""


def test_a_deal_starts_with_12376_hands_and_shrinks() -> None:
    belief, pool = b.prior(UNSEEN, 6), UNSEEN
    n_hands = [len(belief.hands)]
    for his, mine, n_hidden in [(3, 4, 11), (5, 6, 9), (7, 8, 7), (9, 10, 5), (11, 12, 3)]:
        belief = b.replace(b.contain(belief, 1 << his), 1 << his, 0)
        belief = b.exclude(belief, 1 << mine, n_hidden)
        pool &= ~(1 << his | 1 << mine)
        belief = b.draw(belief, pool)
        n_hands.append(len(belief.hands))
        assert b.marginals(belief).sum() == pytest.approx(6)
    assert n_hands == [12376, 5005, 1716, 462, 84, 7]


def test_the_whole_pack_in_floats_is_within_1e12(rng: np.random.Generator) -> None:
    parts = rng.integers(1, 1000, size=12376)
    beliefs = [b.prior(UNSEEN, 6, dtype=dtype) for dtype in (object, float)]
    given_ = [np.array([Fraction(int(p), 1000) for p in parts], dtype=object), parts / 1000]
    played = [
        b.replace(b.contain(b.condition(belief, p), 1 << 3), 1 << 3, 0)
        for belief, p in zip(beliefs, given_, strict=True)
    ]
    exact, near = (b.exclude(b.draw(belief, UNSEEN & ~8), 1 << 7, 10) for belief in played)
    assert len(exact.hands) == 5005
    assert exact.hands.tolist() == near.hands.tolist()
    assert abs(near.weights - exact.weights).max() < 1e-12
    assert near.log_evidence == pytest.approx(exact.log_evidence, abs=1e-12)
    assert near.evidence == pytest.approx(exact.evidence.astype(float), rel=1e-12)


# Properties

PACK = 0x3FF << 4


@st.composite
def beliefs(draw: st.DrawFn, size: int = 3, n_styles: int = 2) -> b.Belief:
    """Make an exact belief over hands of the ten cards of PACK with any positive weights."""
    seed = draw(st.integers(0, 2**32))
    prior = b.prior(PACK, size, n_styles=n_styles, dtype=object)
    parts = np.random.default_rng(seed).integers(0, 9, size=prior.weights.shape)
    parts[0] += 1
    return b.condition(prior, parts.astype(object))


def same(one: b.Belief, other: b.Belief) -> bool:
    return one.hands.tolist() == other.hands.tolist() and bool((one.weights == other.weights).all())


@given(beliefs(), st.integers(4, 13))
def test_whoever_draws_first_makes_no_difference(belief: b.Belief, card: int) -> None:
    mine = 1 << card
    assume(not (belief.hands & mine == mine).all())
    his_first = b.exclude(b.draw(belief, PACK), mine, 6)
    mine_first = b.exclude(belief, mine, 7)
    then_his = b.draw(mine_first, PACK & ~mine)
    assert same(his_first, then_his)
    assert his_first.evidence.tolist() == mine_first.evidence.tolist()


def in_order(belief: b.Belief, rows: Sequence[int] | None = None) -> b.Belief:
    order = np.argsort(belief.hands) if rows is None else rows
    return belief._replace(hands=belief.hands[order], weights=belief.weights[order])


@given(beliefs(), st.randoms(use_true_random=False))
def test_the_order_of_rows_is_irrelevant(belief: b.Belief, random: Any) -> None:
    rows = list(range(len(belief.hands)))
    random.shuffle(rows)
    mixed = in_order(belief, rows)
    changes: list[Callable[[b.Belief], b.Belief]] = [
        lambda one: b.draw(one, PACK),
        lambda one: b.exclude(one, 1 << 5, 3),
        lambda one: b.replace(b.contain(one, 1 << 4), 1 << 4, 1),
        lambda one: b.condition(one, one.hands.astype(object)),
    ]
    for change in changes:
        assert same(in_order(change(mixed)), change(belief))
    assert b.marginals(belief, [1, 2]).tolist() == b.marginals(mixed, [1, 2]).tolist()
    assert b.p_hand(belief, 0b1110000, [1, 2]) == b.p_hand(mixed, 0b1110000, [1, 2])


@given(beliefs())
def test_observations_commute(belief: b.Belief) -> None:
    likelihood = np.arange(1, len(belief.hands) + 1).astype(object)
    one = b.condition(b.condition(belief, likelihood), np.ones(len(belief.hands), dtype=object))
    other = b.condition(b.condition(belief, np.full(len(belief.hands), Fraction(1, 7))), likelihood)
    assert same(one, other)


@given(beliefs())
def test_a_draw_from_one_card_is_a_known_move(belief: b.Belief) -> None:
    assert same(b.draw(belief, 1 << 20), b.replace(belief, 0, 1 << 20))


@given(beliefs())
def test_cards_already_in_the_hand_are_not_drawn_again(belief: b.Belief) -> None:
    held = b.contain(b.prior(PACK, 3), 1 << 4)
    assert same(b.draw(held, PACK), b.draw(held, PACK & ~(1 << 4)))
    assert b.marginals(b.draw(belief, PACK)).sum() == pytest.approx(4)


# Edges


def test_prior_keeps_to_what_is_known() -> None:
    belief = b.prior(0b111111, 3, known=0b1, excluded=0b10)
    assert belief.hands.tolist() == [h for h in range(64) if h.bit_count() == 3 and h & 3 == 1]
    assert b.prior(0b111, 0).hands.tolist() == [0]
    assert b.prior(0b111, 3, dtype=object).weights.tolist() == [[Fraction(1)]]


@pytest.mark.parametrize(
    ("unseen", "size", "known", "excluded"),
    [(0b111, 4, 0, 0), (0b111, 1, 0b11, 0), (0b111, 2, 0, 0b11), (0b110, 1, 1, 0), (3, 1, 1, 1)],
)
def test_prior_names_what_does_not_fit(unseen: int, size: int, known: int, excluded: int) -> None:
    with pytest.raises(ContradictionError, match=f"No hand of {size} cards fits"):
        b.prior(unseen, size, known, excluded)


def test_contradictions_name_the_fact() -> None:
    belief = b.contain(b.prior(0b1111, 2), 0b11)
    with pytest.raises(ContradictionError, match="goes with the draw of 9S; this entry or an"):
        b.exclude(belief, 0b1, 2)
    with pytest.raises(ContradictionError, match="a hand that holds QS"):
        b.contain(belief, 0b100)
    with pytest.raises(ContradictionError, match="goes with N:KH"):
        b.condition(belief, [0], "N:KH")


def test_a_move_needs_the_card_and_a_draw_needs_a_pool() -> None:
    belief = b.prior(0b1111, 2)
    with pytest.raises(AssertionError):
        b.replace(belief, 0b1, 0)
    with pytest.raises(AssertionError):
        b.draw(belief, 0)


def test_beliefs_cannot_be_changed() -> None:
    steps = [b.Step(b.prior(0b111, 1)), b.Step(b.draw(b.prior(0b111, 1), 0b111), pool=0b111)]
    for belief in (*b.smooth(steps), b.condition(steps[0].belief, [1, 2, 3])):
        for array in belief:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_tiny_likelihoods_lose_nothing() -> None:
    belief = b.prior(0b11, 1)
    for _ in range(5):
        belief = b.condition(belief, [1e-300, 2e-300])
    assert belief.weights[:, 0] == pytest.approx([1 / 33, 32 / 33])
    log_p = -1500 * math.log(10) + math.log(33 / 2)
    assert belief.log_evidence[0] == pytest.approx(log_p)


def test_a_possible_hand_never_drops_out() -> None:
    belief = b.prior(0b11, 1)
    for _ in range(5):
        belief = b.condition(belief, [1.0, 1e-200])
    drawn = b.draw(belief, 0b1100)
    seen = b.contain(drawn, 0b110)
    assert seen.weights.tolist() == [[1]]
    assert math.isfinite(seen.log_evidence[0])
    smoothed = b.smooth([b.Step(belief), b.Step(drawn, pool=0b1100), b.Step(seen)])
    assert smoothed[0].hands.tolist() == [0b10]
    assert smoothed[0].weights[0, 0] == pytest.approx(1)


def test_float32_stays_float32() -> None:
    belief = b.draw(b.condition(b.prior(0b111, 1, dtype=np.float32), [1, 2, 3]), 0b111)
    assert belief.weights.dtype == np.float32


# What is read from a belief


def test_top_is_in_order_and_ties_go_to_the_smaller_mask() -> None:
    belief = b.condition(b.prior(0b1111, 1), [1, 3, 1, 3])
    assert [hand for hand, _ in b.top(belief)] == [2, 8, 1, 4]
    assert b.top(belief, k=2) == [(2, 0.375), (8, 0.375)]
    assert b.top(b.prior(0b11, 1, dtype=object), k=1) == [(1, Fraction(1, 2))]


def test_p_hand_and_entropy() -> None:
    belief = b.condition(b.prior(0b1111, 1), [4, 2, 1, 1])
    assert b.p_hand(belief, 0b10) == 0.25
    assert b.p_hand(belief, 0b11) == 0
    assert b.entropy_bits(belief) == 1.75
    assert b.entropy_bits(b.contain(belief, 0b1)) == 0


def test_samples_are_whole_hands_by_weight(rng: np.random.Generator) -> None:
    belief = b.condition(
        b.prior(0b1111, 2, n_styles=2), [[1, 3], [2, 2], [3, 1], [4, 4], [0, 0], [5, 5]]
    )
    hands = b.sample(belief, 40_000, rng)
    p = b.mixture(belief)
    counts = np.array([(hands == hand).sum() for hand in belief.hands])
    assert counts.sum() == 40_000
    assert (abs(counts - 40_000 * p) < 6 * np.sqrt(40_000 * p)).all()
    again = [b.sample(belief, 20, np.random.default_rng(1)).tolist() for _ in range(2)]
    assert again[0] == again[1]
