"""Closing: the plan against a slow twin, what it cannot tell apart, and what counts."""

import random

import numpy as np
import pytest

from inference.advice import advise
from inference.advice.closing import Closing
from inference.advice.decider import dealt, deciders
from inference.advice.option import Sample
from inference.advice.worlds import enumerate_worlds, sample_worlds
from inference.belief import prior
from inference.cards import Card, Seat, cards, mask_of
from inference.game.events import CLOSE, EXCHANGE
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.opponents import load
from inference.session import Session
from inference.solve.encode import HANDS
from inference.solve.solver import action_values, memory, value

MODEL = load("logit")


def closable(rng, preset, talon=4):
    """Play random cards until S may close with so many cards left."""
    while True:
        position = Position.deal(PRESETS[preset], Seat.S, rng)
        while not position.public.over and position.public.closed is None:
            public, actions = position.public, position.legal_actions()
            if public.to_act == Seat.S and public.talon == talon and CLOSE in actions:
                return position
            quiet = [a for a in actions if str(a) not in ("c", "!")] or actions
            position = position.play(rng.choice(quiet))


def believed(view):
    public, he = view.public, view.opponent
    return prior(view.unseen, public.held[he], public.known[he])


def closed(position):
    """Close; he answers with the exchange if he can."""
    after = position.play(CLOSE)
    return after.play(EXCHANGE, Seat.N) if EXCHANGE in after.other_actions() else after


def next_leads(led, mem):
    """Return what every next lead of S is worth after every reply, {reply: {lead: points}}."""
    if led.public.over:
        return {None: {None: led.public.payoff[Seat.S]}}
    worth = {}
    for reply in led.legal_actions():
        after = led.play(reply)
        if after.public.over:
            worth[reply] = {None: after.public.payoff[Seat.S]}
        elif after.public.to_act == Seat.S:
            worth[reply] = action_values(after, mem)
        else:
            worth[reply] = {None: -value(after, mem)}
    return worth


def planned(positions):
    """Return the best mean of one plan over closed positions, where he replies as if he saw all."""
    mem, best = memory(), -9.0
    for first in positions[0].legal_actions():
        groups = {}
        for position in positions:
            worth = next_leads(position.play(first), mem)
            lowest = min(max(leads.values()) for leads in worth.values())
            likely = [r for r, leads in worth.items() if max(leads.values()) == lowest]
            for reply in likely:
                for lead, points in worth[reply].items():
                    group = groups.setdefault(reply, {})
                    group[lead] = group.get(lead, 0.0) + points / len(likely)
        best = max(best, sum(max(group.values()) for group in groups.values()) / len(positions))
    return best


@pytest.mark.parametrize("preset", ["schnapsen", "bicycle"])
def test_the_plan_is_as_good_as_the_slow_twin_finds(preset):
    rng = random.Random(preset)
    for number in range(3):
        position = closable(rng, preset)
        view = position.view(Seat.S)
        worlds = sample_worlds(view, believed(view), 5, np.random.default_rng(number))
        hands = [int(hand) for hand in worlds.states[:, HANDS + Seat.N]]
        twins = [view.determine(hand, cards(view.unseen & ~hand)) for hand in hands]
        figures = Closing(view, worlds, MODEL).figures(worlds)
        seen = [action_values(twin)[CLOSE] for twin in twins]
        assert figures.values[:, 0].tolist() == seen
        assert figures.values[:, 1].mean() == pytest.approx(planned([closed(t) for t in twins]))


def test_a_plan_wins_no_more_than_open_cards_and_less_against_the_best_reply():
    rng = random.Random(3)
    for preset in ("schnapsen", "santase", "sechsundsechzig"):
        view = closable(rng, preset, talon=6).view(Seat.S)
        worlds = sample_worlds(view, believed(view), 12, np.random.default_rng(1))
        figures = Closing(view, worlds, MODEL).figures(worlds)
        assert (figures.values[:, 1] <= figures.values[:, 0] + 1e-9).all()
        assert ((figures.values > 0) <= (figures.wins > 0)).all()
        assert figures.wins.min() >= 0
        assert figures.wins.max() <= 1 + 1e-9


def test_the_close_is_ranked_by_the_lowest_figure():
    rng = random.Random(5)
    view = closable(rng, "bicycle", talon=2).view(Seat.S)
    belief = believed(view)
    worlds = enumerate_worlds(view, belief, np.random.default_rng(0))
    advice = advise(view, belief, worlds=1, seed=4)
    assert (advice.method, advice.n_worlds) == ("enumerated", len(worlds.weights))
    shown = next(option for option in advice.options if option.action == CLOSE)
    likely = sample_worlds(view, belief, 24, np.random.default_rng(4))
    means = worlds.weights @ Closing(view, likely, MODEL).figures(worlds).values
    assert shown.value == pytest.approx(means.min() / worlds.weights.sum())
    assert [o.value for o in advice.options] == sorted(o.value for o in advice.options)[::-1]


def test_a_card_that_parts_wins_from_losses_is_named():
    belief = prior(mask_of([Card.SA, Card.ST, Card.SK, Card.SQ]), 2)
    hands = belief.hands.astype(np.int64)
    holds = (hands >> Card.SA & 1).astype(float)
    wins = np.stack([1 - holds, holds, np.ones(6), np.full(6, 0.5)], axis=1)
    told = deciders(belief, dealt(hands, Sample(wins, wins, np.ones(6), whole=True)))
    assert told == ["wins unless he holds AS (50 %)", "wins only if he holds AS (50 %)", "", ""]
    small = Sample(wins, wins, np.ones(6), whole=False)
    assert deciders(belief, dealt(hands, small)) == [""] * 4


def test_wins_by_different_leads_are_not_added_up():
    """His fifth card is TH or KD, and no lead wins against both."""
    start = {
        "leader": "S",
        "hand": "AH QH JH TD QD",
        "unseen": "TS JS TH KD JD AC KC JC",
        "known": {"N": "TS JD AC KC"},
        "not": {"N": "JS JC"},
        "trump": "S",
        "upcard": "KS",
        "talon": 4,
        "points": {"S": 42, "N": 0},
        "tricks": {"S": 3, "N": 0},
    }
    record = {"rules": "schnapsen", "seat": "S", "start": start, "events": ""}
    session = Session.from_record(record, model="counting")
    view, belief = session.tracker.view, session.belief()
    worlds = enumerate_worlds(view, belief, np.random.default_rng(0))
    figures = Closing(view, worlds, MODEL).figures(worlds)
    assert figures.values[:, 0].tolist() == [3.0] * 12
    assert sorted(figures.values[:, 1].tolist()) == [-3.0] * 6 + [3.0] * 6
    advice = session.advice(worlds=240)
    close = next(option for option in advice.options if option.action == CLOSE)
    assert abs(close.value) < 4 * close.stderr
    assert close.value + 4 * close.stderr < 3.0
    assert close.p_win == pytest.approx(0.5 + close.value / 6)
    assert "holds" in close.reason
    assert "(50 %)" in close.reason
