"""The compiled rules against `Position`, at every step of random deals."""

from dataclasses import replace
from random import Random

import pytest

import inference.solve.encode as e
from inference.cards import Seat
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules
from inference.game.state import SEATS, other
from inference.solve.rules_kernel import actor, apply, legal_bits, payoff
from tests.minimax import vectors
from tests.positions import house_rules
from tests.table import NAMES


def passed(state: e.Vector) -> list[int]:
    """List a state, apart from whether somebody may still act beside the turn."""
    plain = state.copy()
    for place in (e.ANNOUNCED, e.FRESH_CLOSE):
        plain[place] = min(1, plain[place])
    return plain.tolist()


def columns(state: e.Vector, rules: e.Vector) -> list[int]:
    bits = legal_bits(state, rules)
    return [column for column in range(e.N_ACTIONS) if bits >> column & 1]


def expected(position: Position, beside: bool) -> list[int]:
    """List the columns of the seat to act, or of the other, to whom silence is a choice."""
    actions = position.other_actions() if beside else position.legal_actions()
    silence = [e.COLUMN_SILENCE] if beside else []
    return [*sorted(e.action_column(action) for action in actions), *silence]


def follow(rules: Rules, rng: Random) -> list[int]:
    """Play a deal on both; return the columns of the actions."""
    position = Position.deal(rules, rng.choice(SEATS), rng)
    state, coded = vectors(position)
    taken = []
    while not position.public.over:
        seat = Seat(actor(state))
        beside = 2 in (state[e.ANNOUNCED], state[e.FRESH_CLOSE])
        assert seat == (other(position.public.to_act) if beside else position.public.to_act)
        legal = columns(state, coded)
        assert legal == expected(position, beside)
        taken.append(rng.choice(legal))
        apply(state, coded, taken[-1])
        if not (beside and taken[-1] == e.COLUMN_SILENCE):
            position = position.play(e.column_action(taken[-1]), seat)
        assert passed(state) == passed(vectors(position)[0])
    assert legal_bits(state, coded) == 0
    assert payoff(state) == position.public.payoff[Seat.S]
    return taken


@pytest.mark.parametrize("name", NAMES)
def test_presets_step_by_step(name: str) -> None:
    rng = Random(f"compiled {name}")
    taken = [column for _ in range(150) for column in follow(PRESETS[name], rng)]
    assert len(set(taken)) >= 28


@pytest.mark.parametrize("batch", range(4))
def test_house_rules_step_by_step(batch: int) -> None:
    rng = Random(f"compiled {batch}")
    taken = [column for _ in range(150) for column in follow(house_rules(rng), rng)]
    assert {e.COLUMN_EXCHANGE, e.COLUMN_CLOSE, e.COLUMN_CLAIM, e.COLUMN_SILENCE} <= set(taken)


@pytest.mark.parametrize("hand", [5, 6])
def test_talons_of_every_length(hand: int) -> None:
    rng, rules = Random(f"compiled {hand}"), replace(PRESETS["bicycle"], hand=hand)
    for _ in range(50):
        follow(rules, rng)


def test_columns_name_the_actions_one_to_one() -> None:
    assert [e.action_column(e.column_action(i)) for i in range(e.N_ACTIONS)] == [*range(36)]
