"""The vectorised legality against `PublicState`, for true and for imagined hands."""

from random import Random

import numpy as np
import pytest

import inference.solve.encode as e
from inference.cards import Seat
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules
from inference.game.state import PublicState
from inference.solve.legality import legal_matrix, other_matrix
from tests.plays import choices
from tests.positions import house_rules
from tests.table import NAMES


def imagined(position: Position, seat: Seat, rng: np.random.Generator) -> np.ndarray:
    """Return the hand of a seat and others of its size from the cards not yet played."""
    public = position.public
    left = [card for card in range(24) if (public.rules.pack & ~public.played) >> card & 1]
    picks = (rng.choice(left, public.held[seat], replace=False) for _ in range(12))
    hands = [sum(1 << int(card) for card in pick) for pick in picks]
    return np.array([position.hands[seat], *hands], dtype=np.uint32)


def scalar(public: PublicState, seat: Seat, hand: int) -> list[int]:
    """List the columns that the slow twin allows a hand."""
    if seat == public.to_act:
        return sorted(e.action_column(action) for action in public.legal_actions(hand))
    actions = public.other_actions(hand)
    asked = public.may_answer_close() or (
        public.led is not None and public.may_claim(public.leader)
    )
    silence = [e.COLUMN_SILENCE] if asked else []
    return [*sorted(e.action_column(action) for action in actions), *silence]


def agree(rules: Rules, rng: np.random.Generator, n_deals: int) -> set[int]:
    """Compare at every step; return the columns that were legal at some time."""
    seen: set[int] = set()
    for position, seat in choices(rules, rng, n_deals):
        public, hands = position.public, imagined(position, seat, rng)
        matrix = legal_matrix if seat == public.to_act else other_matrix
        legal = matrix(public, hands)
        assert legal.shape == (len(hands), e.N_ACTIONS)
        for hand, row in zip(hands, legal, strict=True):
            assert np.flatnonzero(row).tolist() == scalar(public, seat, int(hand))
        seen.update(np.flatnonzero(legal.any(axis=0)).tolist())
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_presets(name: str, rng: np.random.Generator) -> None:
    assert len(agree(PRESETS[name], rng, 25)) >= 28


@pytest.mark.parametrize("batch", range(4))
def test_house_rules(batch: int, rng: np.random.Generator) -> None:
    seen = set().union(*(agree(house_rules(Random(100 * batch + i)), rng, 2) for i in range(25)))
    assert seen == set(range(e.N_ACTIONS))


def test_nothing_is_legal_after_the_end(rng: np.random.Generator) -> None:
    *_, (position, seat) = choices(PRESETS["schnapsen"], rng, 1)
    last = next(a for a in position.legal_actions() if position.play(a).public.over)
    public = position.play(last).public
    hands = np.array([position.hands[seat]], dtype=np.uint32)
    assert not legal_matrix(public, hands).any()
    assert not other_matrix(public, hands).any()
