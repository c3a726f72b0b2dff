"""The compiled features against their plain twin, and what they must not read."""

import numpy as np
import plain_features
import pytest
from plays import choices

import inference.solve.encode as e
from inference.cards import Seat
from inference.game.rules import PRESETS, parse_rules
from inference.opponents.features import SEEN, table
from inference.opponents.logit import decision
from inference.opponents.sight import count, power

HOUSE = {"base": "bicycle", "marriage_valid": 0, "gp_schedule": 30, "xchg_on_opp_close": True}
RULES = {**PRESETS, "house": parse_rules(HOUSE)}


def texts(bits: int) -> dict[int, str]:
    columns = [column for column in range(e.N_ACTIONS) if bits >> column & 1]
    return {c: "-" if c == e.COLUMN_SILENCE else str(e.column_action(c)) for c in columns}


def compiled(public, seat: Seat, hand: int) -> dict[str, dict[str, float]]:
    """Read the features of each action, under its text."""
    state, rules = decision(public, seat), e.encode_rules(public.rules)
    state[e.HANDS + seat] = hand
    x = np.zeros((e.N_ACTIONS, len(SEEN)))
    bits = table(state, rules, x)
    return {
        text: dict(zip(SEEN, x[column].tolist(), strict=True))
        for column, text in texts(bits).items()
    }


def test_compiled_and_plain_features_agree(rng: np.random.Generator) -> None:
    seen: set[str] = set()
    for rules in RULES.values():
        for position, seat in choices(rules, rng, n_deals=16):
            hand = position.hands[seat]
            plain = plain_features.features(position.public, seat, hand)
            fast = compiled(position.public, seat, hand)
            assert plain.keys() == fast.keys()
            for text, values in fast.items():
                slow = {name: plain[text].get(name, 0.0) for name in SEEN}
                assert values == pytest.approx(slow), (position, text)
                seen |= {name for name, value in values.items() if value}
    assert seen == set(SEEN)


def test_features_read_no_card_that_the_actor_cannot_see(rng: np.random.Generator) -> None:
    for rules in RULES.values():
        for position, seat in choices(rules, rng, n_deals=4):
            if seat != position.public.to_act:
                continue
            hidden = [c for c in position.talon if c != position.public.upcard]
            hidden += [c for c in range(24) if position.hands[1 - seat] >> c & 1]
            rng.shuffle(hidden)
            n = position.public.held[1 - seat]
            swapped = [0, 0]
            swapped[seat], swapped[1 - seat] = position.hands[seat], sum(1 << c for c in hidden[:n])
            up = [] if position.public.upcard is None else [position.public.upcard]
            rows = np.full((2, e.N_ACTIONS, len(SEEN)), -1.0)
            truth = e.encode(position.public, position.hands, position.talon)
            other = e.encode(position.public, tuple(swapped), [*hidden[n:], *up])
            for state, row in zip((truth, other), rows, strict=True):
                state[[e.ANNOUNCED, e.FRESH_CLOSE]] %= 2
                table(state, e.encode_rules(rules), row)
            assert (rows[0] == rows[1]).all()


def test_counts_and_powers(rng: np.random.Generator) -> None:
    for mask in rng.integers(0, 1 << 32, 200).tolist():
        assert count(mask) == mask.bit_count()
    assert [power(0.7, n) for n in range(32)] == pytest.approx([0.7**n for n in range(32)])
