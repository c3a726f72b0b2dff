"""The filter, its evidence, the smoother and the most likely path against full enumeration."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from enumeration import Cards, Event, Script, World, deal, follow, normalised, script, tally

from inference import belief as b

N_DEALS = 200


def mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def cards(hand: int) -> Cards:
    return frozenset(card for card in range(24) if hand >> card & 1)


def likelihood(belief: b.Belief, event: Event) -> np.ndarray[Any, Any]:
    rows = [event.odds(cards(int(hand))) for hand in belief.hands]
    return np.array(rows, dtype=object)


def observe(belief: b.Belief, event: Event) -> tuple[b.Step, Any]:
    """Return the filter's step for one event, and its evidence."""
    out, into = mask(event.out), mask(event.into)
    if event.kind == "acts":
        fits = b.condition(belief, likelihood(belief, event))
        return b.Step(b.replace(fits, out, into), out, into), fits.evidence
    if event.kind == "he_draws":
        step = b.Step(b.draw(belief, mask(event.pool)), pool=mask(event.pool))
    elif event.kind == "he_takes":
        step = b.Step(b.replace(belief, 0, into), into=into)
    elif event.kind == "i_draw":
        step = b.Step(b.exclude(belief, out, event.n_hidden))
    else:
        step = b.Step(b.contain(belief, out))
    return step, step.belief.evidence


def run(deal: Script, dtype: Any, n_styles: int = 1) -> tuple[list[b.Step], list[Any]]:
    """Filter a whole script; return the steps (the prior first) and the evidence of each."""
    first = b.prior(mask(deal.unseen), deal.size, n_styles=n_styles, dtype=dtype)
    steps, evidence = [b.Step(first)], [first.evidence]
    for event in deal.events:
        step, seen = observe(steps[-1].belief, event)
        steps.append(step)
        evidence.append(seen)
    return steps, evidence


def enumerate_all(deal_: Script, style: int = 0) -> list[list[World]]:
    worlds = [deal(deal_.unseen, deal_.size)]
    for event in deal_.events:
        worlds.append(follow(worlds[-1], event, style))
    return worlds


def as_dict(belief: b.Belief, style: int = 0) -> dict[object, Any]:
    pairs = zip(belief.hands, belief.weights[:, style], strict=True)
    return {cards(int(hand)): weight for hand, weight in pairs if weight}


def check_marginals(belief: b.Belief, holders: dict[Any, Fraction]) -> None:
    """Compare P(card in hand), and see that all adds up; `holders` is P((hand, talon))."""
    p = b.marginals(belief)
    in_hand = [sum(q for (hand, _), q in holders.items() if card in hand) for card in range(24)]
    in_talon = [sum(q for (_, talon), q in holders.items() if card in talon) for card in range(24)]
    hand, talon = next(iter(holders))
    assert p.tolist() == in_hand
    assert (sum(p), sum(in_talon)) == (len(hand), len(talon))
    assert all(p[card] + in_talon[card] in (0, 1) for card in range(24))


def check_deal(deal_: Script) -> None:
    """Compare every belief, evidence, marginal, smoothed belief and the best path, exactly."""
    worlds = enumerate_all(deal_)
    steps, evidence = run(deal_, object)
    tallies = [tally(now, lambda world: (world.hand, frozenset(world.talon))) for now in worlds]
    for sums, step in zip(tallies, steps, strict=True):
        holders = normalised(sums)
        assert as_dict(step.belief) == {hand: p for (hand, _), p in holders.items()}
        assert all(type(weight) is Fraction for weight in step.belief.weights.flat)
        check_marginals(step.belief, holders)
    totals = [sum(sums.values()) for sums in tallies]
    assert [seen[0] for seen in evidence[1:]] == [Fraction(q, p) for p, q in pairwise(totals)]
    check_looking_back(steps, normalised(tally(worlds[-1], lambda world: world.path)))


def check_looking_back(steps: list[b.Step], paths: dict[Any, Fraction]) -> None:
    for i, smoothed in enumerate(b.smooth(steps)):
        sums: dict[Cards, Fraction] = {}
        for path, p in paths.items():
            sums[path[i]] = sums.get(path[i], Fraction()) + p
        assert as_dict(smoothed) == sums
    best = b.most_likely_path(steps)
    assert best.p == max(paths.values())
    assert best.hands == lowest(paths)


def lowest(paths: dict[Any, Fraction]) -> tuple[int, ...]:
    """Return the likeliest path, among equals that with the lowest masks, the last step first."""
    likeliest = [path for path, p in paths.items() if p == max(paths.values())]
    return min((tuple(map(mask, path)) for path in likeliest), key=lambda path: path[::-1])


def check_floats(deal_: Script) -> None:
    exact, evidence = run(deal_, object)
    rough, _ = run(deal_, float)
    for true, near in zip(exact, rough, strict=True):
        assert near.belief.hands.tolist() == true.belief.hands.tolist()
        assert abs(near.belief.weights - true.belief.weights).max() < 1e-12
        assert abs(b.marginals(near.belief) - b.marginals(true.belief)).max() < 1e-12
    log_p = math.log(math.prod(seen[0] for seen in evidence))
    assert rough[-1].belief.log_evidence[0] == pytest.approx(log_p, abs=1e-12)
    for true_, near_ in zip(b.smooth(exact), b.smooth(rough), strict=True):
        assert near_.hands.tolist() == true_.hands.tolist()
        assert abs(near_.weights - true_.weights).max() < 1e-12
    assert b.most_likely_path(rough).p == pytest.approx(float(b.most_likely_path(exact).p), 1e-12)


@pytest.mark.parametrize("block", range(10))
def test_equals_enumeration_exactly(block: int) -> None:
    for seed in range(block * N_DEALS // 10, (block + 1) * N_DEALS // 10):
        check_deal(script(seed))


def test_equals_enumeration_with_nine_unseen() -> None:
    check_deal(script(seed=7, n_unseen=9, size=3))


def test_floats_are_within_1e12() -> None:
    for seed in range(N_DEALS):
        check_floats(script(seed))


def test_scripts_hold_every_kind_of_event() -> None:
    seen = Counter(event.name for seed in range(N_DEALS) for event in script(seed).events)
    kinds = {"play", "show", "exchange", "close", "his draw", "my draw", "upcard", "shown"}
    assert set(seen) == kinds
    assert min(seen.values()) >= 20


def test_styles_equal_enumeration_over_style_and_world() -> None:
    p_style = np.array([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)])
    for seed in range(500, 512):
        deal_ = script(seed, n_styles=3)
        steps, evidence = run(deal_, object, n_styles=3)
        joint: dict[Any, Fraction] = {}
        for style, p in enumerate(p_style):
            sums = tally(enumerate_all(deal_, style)[-1], lambda world: world.path)
            joint |= {(style, path): p * total for path, total in sums.items()}
        check_styles(steps, p_style * np.prod(evidence, axis=0), joint)


def check_styles(
    steps: list[b.Step], p_seen: Sequence[Fraction], joint: dict[Any, Fraction]
) -> None:
    posterior = normalised(joint)
    weights = [Fraction(p, sum(p_seen)) for p in p_seen]
    for style, weight in enumerate(weights):
        assert weight == sum(p for (z, _), p in posterior.items() if z == style)
    mix = np.array(weights, dtype=object)
    for i, smoothed in enumerate(b.smooth(steps)):
        for hand, p in zip(smoothed.hands, b.mixture(smoothed, mix), strict=True):
            assert p == sum(q for (_, path), q in posterior.items() if path[i] == cards(int(hand)))
    best = b.most_likely_path(steps, mix)
    path = tuple(map(cards, best.hands))
    assert best.p == max(posterior.values()) == posterior[best.style, path]
    last, prior = steps[-1].belief, [1 / 2, 1 / 3, 1 / 6]
    assert b.style_posterior(last, prior) == pytest.approx([float(p) for p in weights])


def test_even_styles_are_the_default() -> None:
    belief = b.condition(b.prior(0b111, 1, n_styles=2), [[0.9, 0.1], [0.1, 0.1], [0.1, 0.4]])
    assert b.style_posterior(belief) == pytest.approx([1.1 / 1.7, 0.6 / 1.7])
    assert b.mixture(belief) == pytest.approx([1 / 1.7, 0.2 / 1.7, 0.5 / 1.7])
    assert b.most_likely_path([b.Step(belief)])[:2] == ((1,), 0)


@pytest.mark.parametrize("dtype", [object, float])
def test_equally_likely_paths_end_and_begin_in_the_lowest_masks(dtype: Any) -> None:
    start = b.prior(0b11110, size=1, dtype=dtype)
    drawn = b.draw(start, 0b11110)
    steps = [b.Step(start), b.Step(drawn, pool=0b11110)]
    best = b.most_likely_path(steps)
    assert best.hands == (0b00010, 0b00110)
    assert float(best.p) == pytest.approx(1 / 12)
    again = b.draw(drawn, 0b11110)
    steps.append(b.Step(again, pool=0b11110))
    assert b.most_likely_path(steps).hands == (0b00010, 0b00110, 0b01110)


def test_a_refuted_style_stays_out() -> None:
    belief = b.condition(b.prior(0b111, 1, n_styles=2), [[0.5, 0.0], [0.5, 0.0], [0.0, 0.0]])
    belief = b.draw(belief, 0b111)
    assert belief.evidence.tolist() == [1, 1]
    assert belief.log_evidence.tolist() == pytest.approx([math.log(1 / 3), -math.inf])
    assert b.style_posterior(belief).tolist() == [1, 0]
    assert b.marginals(belief)[:3] == pytest.approx([0.75, 0.75, 0.5])
    smoothed = b.smooth([b.Step(b.prior(0b111, 1, n_styles=2)), b.Step(belief, pool=0b111)])
    assert np.isfinite(smoothed[0].weights).all()
