"""The tracker equals plain enumeration of every layout, replayed under the real rules."""

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from inference import belief as bayes
from inference import opponents
from inference.belief import log_evidence
from inference.cards import Seat, cards, mask_of
from inference.game.events import UNSEEN_DRAW, Event, Kind
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.reports import locations
from inference.solve.encode import COLUMN_SILENCE, action_column
from inference.tracker import Tracker

MODELS = ("counting", "uniform", "logit", "styles")
ME, HE = Seat.S, Seat.N


def midway(rules, rng, talon):
    """Play random legal actions until a lead with few talon cards is due."""
    while True:
        position = Position.deal(rules, rng.choice((ME, HE)), rng)
        while not position.public.over:
            public = position.public
            if public.led is None and not public.to_draw and public.talon <= talon:
                return position
            position = position.play(rng.choice(position.legal_actions()))


def worlds(position):
    """List every layout of the hidden cards with an even weight."""
    view, size = position.view(ME), position.public.held[HE]
    known = position.public.known[HE]
    return [
        view.determine(mask_of(hand), talon)
        for hand in combinations(cards(view.unseen), size)
        if mask_of(hand) & known == known
        for talon in permutations(cards(view.unseen & ~mask_of(hand)))
    ]


def silent(public):
    """Tell whether the opponent lets a chance beside his turn go by (8.3, 8.4)."""
    if public.to_draw:
        return public.leader == HE and (public.may_close() or public.may_claim(HE))
    return public.to_act == ME and (
        public.may_answer_close() or (public.led is not None and public.may_claim(HE))
    )


def weigh(model, layouts, weights, public, column):
    hands = np.array([layout.hands[HE] for layout in layouts], dtype=np.uint32)
    given = model.likelihood(public, HE, hands, column)
    return weights * given.reshape(len(hands), -1)


def enumerated(model, layouts, weights, event, truth):
    """Replay one event of the true deal in every layout; drop the layouts that it refutes."""
    public, action = truth.public, event.action
    lays = action.kind in (Kind.PLAY, Kind.ANNOUNCE)
    if silent(public) and (action.kind == Kind.DRAW or (lays and event.seat == ME)):
        weights = weigh(model, layouts, weights, public, COLUMN_SILENCE)
    if event.seat == HE and action.kind != Kind.DRAW:
        weights = weigh(model, layouts, weights, public, action_column(action))
    kept = []
    for layout, weight in zip(layouts, weights, strict=True):
        if weight.any():
            after = layout.play(action, event.seat)
            if after.hands[ME] == truth.play(action, event.seat).hands[ME]:
                kept.append((after, weight))
    return [layout for layout, _ in kept], np.array([weight for _, weight in kept])


def compare(tracker, layouts, weights):
    p = {}
    total = weights.sum()
    for layout, weight in zip(layouts, weights.sum(axis=1), strict=True):
        for card in cards(layout.hands[HE]):
            p[card] = p.get(card, 0.0) + weight / total
    for card, p_card in locations(tracker).items():
        assert p_card == pytest.approx(p.get(card, 0.0), abs=1e-12)
    assert log_evidence(tracker.belief) == pytest.approx(np.log(total), abs=1e-9)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_filter_equals_enumeration_under_the_real_rules(preset, name):
    model, rng, kinds = opponents.load(name), random.Random(f"{preset} {name}"), set()
    for _ in range(4):
        truth = midway(PRESETS[preset], rng, talon=4)
        layouts = worlds(truth)
        weights = np.tile(np.array(model.shares) / len(layouts), (len(layouts), 1))
        tracker = Tracker.start(truth.view(ME), model)
        while not truth.public.over:
            choices = [(truth.public.to_act, a) for a in truth.legal_actions()]
            choices += [(Seat(1 - truth.public.to_act), a) for a in truth.other_actions()]
            seat, action = rng.choice(choices)
            event = Event(seat, action)
            layouts, weights = enumerated(model, layouts, weights, event, truth)
            if action == UNSEEN_DRAW:
                mine = next(e for e in truth.drawn() if e.seat == ME)
                if tracker.view.draw_due:
                    tracker = tracker.observe(mine)
            else:
                tracker = tracker.observe(event)
            kinds.add(action.kind)
            # Where the upcard is mine the tracker has drawn already when he claims before the draw.
            claimed_early = bool(truth.public.to_draw) and action.kind == Kind.CLAIM
            truth = truth.play(action, seat)
            if not (truth.public.to_draw or claimed_early):
                assert tracker.view == truth.view(ME)
                compare(tracker, layouts, weights)
    assert Kind.PLAY in kinds


def test_what_he_really_holds_changes_nothing_that_i_know():
    """Two deals that look alike to me give the same belief at every step, whatever he holds."""
    rng = random.Random(5)
    for preset in PRESETS.values():
        truth = Position.deal(preset, HE, rng)
        tracker = Tracker.start(truth.view(ME), opponents.load("logit"))
        hidden = cards(tracker.view.unseen)
        rng.shuffle(hidden)
        twin = tracker.view.determine(mask_of(hidden[: preset.hand]), hidden[preset.hand :])
        other = Tracker.start(twin.view(ME), opponents.load("logit"))
        shared = [a for a in truth.legal_actions() if a in twin.legal_actions()]
        for action in shared:
            event = Event(truth.public.to_act, action)
            mine, his = tracker.observe(event).belief, other.observe(event).belief
            assert np.array_equal(mine.hands, his.hands)
            assert np.array_equal(mine.weights, his.weights)


def test_the_truth_is_never_ruled_out():
    rng = random.Random(11)
    for deal in range(60):
        rules = list(PRESETS.values())[deal % len(PRESETS)]
        truth = Position.deal(rules, rng.choice((ME, HE)), rng)
        tracker = Tracker.start(truth.view(ME), opponents.load("logit"))
        while not truth.public.over:
            action = rng.choice(truth.legal_actions())
            if action != UNSEEN_DRAW:
                tracker = tracker.observe(Event(truth.public.to_act, action))
            elif tracker.view.draw_due:
                tracker = tracker.observe(next(e for e in truth.drawn() if e.seat == ME))
            truth = truth.play(action)
            if not truth.public.to_draw:
                assert bayes.p_hand(tracker.belief, truth.hands[HE]) > 0
