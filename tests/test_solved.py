"""The solver's value of an action against a plain twin that deals every layout out by hand."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from plays import choices

import inference.solve.encode as e
from inference.cards import Card, Seat, cards, mask_of
from inference.game.position import Position, View
from inference.game.rules import PRESETS, parse_rules
from inference.game.state import other
from inference.opponents import solved
from inference.opponents.features import FEATURES
from inference.opponents.logit import Logit, decision
from inference.solve.encode import action_column
from inference.solve.solver import action_values

HOUSE = {"base": "bicycle", "marriage_valid": 0, "gp_schedule": 30, "xchg_on_opp_close": True}
RULES = {**PRESETS, "house": parse_rules(HOUSE)}


def hidden(view: View) -> tuple[int, list[Card], int]:
    """Return what a player knows of the other hand, the cards hidden from him, how many are his."""
    known = view.public.known[other(view.seat)] & view.unseen
    n = view.public.held[other(view.seat)] - known.bit_count()
    return known, cards(view.unseen & ~known), n


def layouts(view: View) -> list[Position]:
    """List the positions that a player may think himself in, one for each way the cards may lie."""
    public, (known, free, n), found = view.public, hidden(view), []
    for taken in combinations(free, n):
        left = [card for card in free if card not in taken]
        ways = permutations(left) if public.closed is None else [tuple(left)]
        found += [view.determine(known | mask_of(taken), way) for way in ways]
    return found


def plain(view: View) -> dict[int, tuple[float, bool]]:
    """Return what each action loses on average, and whether it is among the best."""
    worlds = [action_values(position) for position in layouts(view)]
    means = {a: sum(world[a] for world in worlds) / len(worlds) for a in worlds[0]}
    best = max(means.values())
    return {action_column(a): (mean - best, mean > best - 1e-9) for a, mean in means.items()}


def look(view: View) -> np.ndarray | None:
    state = decision(view.public, view.seat)
    assert state is not None
    return solved.look(state, view.public.rules, np.array([view.hand], dtype=np.uint32))


@pytest.mark.parametrize("name", RULES)
def test_the_values_are_those_of_every_layout_dealt_out(
    name: str, rng: np.random.Generator
) -> None:
    n_told, sizes = 0, set()
    for position, seat in choices(RULES[name], rng, n_deals=20):
        if seat != position.public.to_act or position.public.over:
            continue
        view = position.view(seat)
        told = look(view)
        if told is None:
            open_talon = position.public.closed is None and position.public.talon > 2
            _, free, n = hidden(view)
            assert open_talon or comb(len(free), n) > solved.MOST_LAYOUTS
            continue
        expected = plain(view)
        n_told, sizes = n_told + 1, sizes | {len(layouts(view))}
        for column in range(e.N_ACTIONS):
            loss, best = expected.get(column, (0.0, False))
            assert told[0, column] == pytest.approx([loss, float(best)], abs=1e-9)
    assert n_told > 25
    assert min(sizes) == 1
    assert max(sizes) > 5


def test_who_speaks_beside_weighs_it_against_silence(rng: np.random.Generator) -> None:
    n_told = 0
    for name in ("schnapsen", "schnapsen-sharp"):
        for position, seat in choices(RULES[name], rng, n_deals=150):
            told = look(position.view(seat)) if seat != position.public.to_act else None
            if told is None:
                continue
            n_told += 1
            actions = [action_column(a) for a in position.other_actions()]
            assert set(np.flatnonzero(told[0].any(axis=1))) <= {*actions, e.COLUMN_SILENCE}
            assert told[0, :, 1].any()
            assert told[0, :, 0].min() < 0 or told[0, [*actions, e.COLUMN_SILENCE], 1].all()
    assert n_told >= 3


def test_many_hands_at_once_are_as_one_by_one(rng: np.random.Generator) -> None:
    n_rows = 0
    for name in ("sixty-six", "schnapsen"):
        for position, seat in choices(RULES[name], rng, n_deals=6):
            public = position.public
            state = decision(public, seat)
            assert state is not None
            pool = cards(position.view(other(seat)).unseen & ~public.known[seat])
            n = public.held[seat] - public.known[seat].bit_count()
            ways = [mask_of(way) | public.known[seat] for way in combinations(pool, n)]
            if not solved.n_layouts(state, public.rules) or len(ways) < 2:
                continue
            hands = np.array(ways, dtype=np.uint32)
            together = solved.look(state, public.rules, hands)
            assert together is not None
            for hand, row in zip(ways, together, strict=True):
                alone = look(View(public, seat, hand))
                assert alone is not None
                assert (row == alone[0]).all()
                n_rows += 1
    assert n_rows > 50


def test_a_player_who_solves_takes_the_best(rng: np.random.Generator) -> None:
    weights = np.zeros((2, len(FEATURES)))
    weights[:, FEATURES.index("solved.loss")] = 50.0
    who = Logit(weights, 0.01)
    n_sure = 0
    for position, seat in choices(PRESETS["schnapsen"], rng, n_deals=20):
        if seat != position.public.to_act or len(position.legal_actions()) < 2:
            continue
        told, hand = look(position.view(seat)), np.array([position.hands[seat]], dtype=np.uint32)
        p = who.policy(position.public, Seat(seat), hand)[0]
        assert p.sum() == pytest.approx(1.0)
        if told is None:
            assert np.ptp(p[p > 0]) == pytest.approx(0.0)
            continue
        best = told[0, :, 1] > 0
        assert p[best].min() > p[~best].max(initial=0.0)
        columns = [action_column(action) for action in position.legal_actions()]
        for column in columns:
            assert who.likelihood(position.public, seat, hand, column)[0] == pytest.approx(
                p[column]
            )
        n_sure += best.sum() < len(columns)
    assert n_sure > 20
