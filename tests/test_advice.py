"""Advice: exact where it can be, the same for the same seed, blind to what I cannot see."""

import json
import random
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from inference.advice import advise, improve
from inference.advice.advisor import WALKS
from inference.advice.decider import percent
from inference.advice.option import Sample, rank
from inference.advice.reasons import effect
from inference.belief import prior
from inference.cards import Card, Seat, cards, mask_of
from inference.game.events import CLOSE, EXCHANGE, Event, Kind, announce, play
from inference.game.position import Position, View
from inference.game.rules import PRESETS
from inference.game.state import beats
from inference.session import Session
from inference.solve.solver import action_values

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "published.jsonl").read_text().splitlines()
]


PHONE = 115
"""Letters of a reason that a phone shows without scrolling."""


def believed(view):
    """Return the belief of a player who only counts cards."""
    public, he = view.public, view.opponent
    return prior(view.unseen, public.held[he], public.known[he])


def random_turn(rng, rules, fits=lambda public: True, offers=Kind.PLAY):
    """Play random legal actions until it is my turn in a position that fits."""
    while True:
        position = Position.deal(rules, rng.choice((Seat.S, Seat.N)), rng)
        while not position.public.over:
            public = position.public
            mine = public.to_act == Seat.S and not public.to_draw and fits(public)
            if mine and offers in {action.kind for action in position.legal_actions()}:
                return position
            position = position.play(rng.choice(position.legal_actions()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_published_positions_are_answered_as_published(case):
    session = Session.from_record(case["record"], model="counting")
    report = session.report("advise")
    assert report["best"] in case["expect"]["published_best"] + case["expect"].get(
        "computed_best", []
    )
    assert report["method"] in ("exact", "enumerated")
    value = case["expect"].get("computed_value")
    if value is not None:
        top, _, bottom = value.partition("/")
        assert report["actions"][0]["value"] == pytest.approx(int(top) / int(bottom or 1))


def test_the_shipped_model_answers_the_published_positions_too():
    for case in CASES:
        best, expect = Session.from_record(case["record"]).advice().best, case["expect"]
        assert str(best.action) in expect["published_best"] + expect["computed_best"]


def brute_force(position):
    """Return the game points of S with best play, by plain minimax without any pruning."""
    public = position.public
    if public.over:
        return public.payoff[Seat.S]
    others = position.other_actions()
    if others:  # who may speak beside the one to act may also be silent
        seat = Seat(1 - public.to_act)
        said = [brute_force(position.play(action, seat)) for action in others]
        said.append(max_or_min(position))
        return max(said) if seat == Seat.S else min(said)
    return max_or_min(position)


def max_or_min(position):
    results = [brute_force(position.play(action)) for action in position.legal_actions()]
    return max(results) if position.public.to_act == Seat.S else min(results)


@pytest.mark.parametrize("preset", PRESETS)
def test_exhausted_positions_are_solved_exactly(preset):
    rng = random.Random(preset)
    for _ in range(12):
        position = random_turn(
            rng, PRESETS[preset], lambda public: public.talon == 0 and sum(public.held) <= 6
        )
        view = position.view(Seat.S)
        advice = advise(view, believed(view))
        assert advice.method == "exact"
        assert advice.n_worlds == 1
        for option in advice.options:
            assert option.value == brute_force(position.play(option.action))
            assert option.stderr == 0
        values = [option.value for option in advice.options]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("preset", ["bicycle", "schnapsen", "sechsundsechzig"])
def test_short_talons_are_averaged_over_every_layout(preset):
    """That is the first word; an equilibrium follows."""
    rng = random.Random(preset)
    position = random_turn(rng, PRESETS[preset], lambda p: p.talon == 2 and p.may_close())
    view = position.view(Seat.S)
    belief = believed(view)
    advice = next(improve(view, belief, worlds=10**6))
    assert advice.method == "enumerated"
    for option in advice.options:
        values = [
            action_values(view.determine(int(hand), talon))[option.action]
            for hand in belief.hands
            for talon in permutations(cards(view.unseen & ~int(hand)))
        ]
        assert advice.n_worlds == len(values)
        assert option.value == pytest.approx(np.mean(values))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_gives_the_same_answer_to_the_bit(preset):
    position = Position.deal(PRESETS[preset], Seat.S, random.Random(3))
    view = position.view(Seat.S)
    one = advise(view, believed(view), worlds=8, seed=5)
    assert one == advise(view, believed(view), worlds=8, seed=5)
    assert one != advise(view, believed(view), worlds=8, seed=6)
    assert (one.method, one.n_worlds) == ("sampled", 8 * WALKS)


def test_what_he_really_holds_changes_no_advice():
    """Permute the cards that I cannot see: every phase, before and after a close."""
    rng = random.Random(8)
    moments = [
        lambda p: p.talon >= 8,
        lambda p: p.talon == 4,
        lambda p: p.talon == 2,
        lambda p: p.closed is not None,
        lambda p: p.led is not None,
    ]
    for fits in moments:
        position = random_turn(rng, PRESETS["sechsundsechzig"], fits)
        hidden = cards(position.view(Seat.S).unseen)
        rng.shuffle(hidden)
        n = position.public.held[Seat.N]
        up = position.talon[-1:] if position.public.upcard is not None else ()
        hands = (position.hands[Seat.S], mask_of(hidden[:n]))
        twin = position._replace(hands=hands, talon=(*hidden[n:], *up))
        view, other = position.view(Seat.S), twin.view(Seat.S)
        assert view == other
        one, two = (advise(v, believed(v), worlds=30, seed=1) for v in (view, other))
        assert one == two


def renamed(mask, order):
    return mask_of(Card(6 * order[card.suit] + card.rank) for card in cards(mask))


def test_suits_have_no_favourites():
    """Rename the suits: open-card values go with them (equilibria: test_equilibrium)."""
    rng = random.Random(4)
    for _ in range(5):
        position = random_turn(rng, PRESETS["sixty-six"], lambda p: p.talon in (0, 2))
        order = rng.sample(range(4), 4)
        view, public = position.view(Seat.S), position.public

        def card(c, order=order):
            return None if c is None else Card(6 * order[c.suit] + c.rank)

        moved = public._replace(
            trump=order[public.trump],
            upcard=card(public.upcard),
            led=card(public.led),
            played=renamed(public.played, order),
            known=tuple(renamed(mask, order) for mask in public.known),
        )
        twin = View(moved, Seat.S, renamed(view.hand, order))
        one, two = (next(improve(v, believed(v))) for v in (view, twin))
        for option in one.options:
            action = option.action._replace(card=card(option.action.card))
            match = next(o for o in two.options if o.action == action)
            assert match.value == pytest.approx(option.value)


def test_seats_have_no_favourites():
    rng = random.Random(6)
    position = random_turn(rng, PRESETS["schnapsen"], lambda p: p.talon == 2)
    public = position.public

    def flip(pair):
        return pair[::-1]

    closed = public.closed and public.closed._replace(by=Seat(1 - public.closed.by))
    moved = public._replace(
        leader=Seat(1 - public.leader),
        held=flip(public.held),
        points=flip(public.points),
        pending=flip(public.pending),
        tricks=flip(public.tricks),
        known=flip(public.known),
        closed=closed,
    )
    view, twin = position.view(Seat.S), View(moved, Seat.N, position.hands[Seat.S])
    one, two = (advise(v, believed(v), budget=30.0) for v in (view, twin))
    assert {o.action: o.value for o in one.options} == {o.action: o.value for o in two.options}


def test_every_kind_of_action_is_weighed():
    """Exchange, announcement, close and claim stand among the options with the cards."""
    rng = random.Random(2)
    for kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE, Kind.CLOSE, Kind.CLAIM):
        position = random_turn(rng, PRESETS["sechsundsechzig"], offers=kind)
        view = position.view(Seat.S)
        advice = advise(view, believed(view), worlds=4)
        assert {o.action for o in advice.options} == set(view.legal_actions())
        assert kind in {o.action.kind for o in advice.options}


def test_66_points_are_claimed():
    start = {
        "leader": "S",
        "hand": "AS KS QS",
        "unseen": "AH KH QH",
        "trump": "C",
        "talon": 0,
        "points": {"S": 67, "N": 0},
        "tricks": {"S": 8, "N": 1},
    }
    with pytest.raises(ValueError, match="points"):
        Session.from_record({"rules": "sechsundsechzig", "seat": "S", "start": start})


def test_reasons_name_a_card_or_a_number_and_the_margin():
    rng = random.Random(9)
    for talon in (12, 6, 4, 2, 0):
        position = random_turn(rng, PRESETS["bicycle"], lambda p, n=talon: p.talon == n)
        view = position.view(Seat.S)
        for option in advise(view, believed(view), worlds=12).options:
            assert any(character.isdigit() for character in option.reason)
            assert option.reason.endswith(".")
            assert len(option.reason) <= PHONE
            words = ("as good as", "better than", "behind", "only legal")
            assert any(word in option.reason for word in words)


@pytest.mark.parametrize("talon", [4, 0])
def test_a_reason_counts_the_hands_that_can_beat_a_lead(talon):
    rng = random.Random(talon)
    position = random_turn(rng, PRESETS["schnapsen"], lambda p: p.talon == talon and p.led is None)
    view, belief = position.view(Seat.S), believed(position.view(Seat.S))
    for card in cards(view.hand):
        able = []
        for hand in map(int, belief.hands):
            led = view.determine(hand, cards(view.unseen & ~hand)).play(play(card))
            replies = [a.card for a in led.legal_actions() if a.card is not None]
            able.append(any(beats(reply, card, view.public.trump) for reply in replies))
        p = float(belief.weights[able, 0].sum())
        told = f"he can beat {card} with {percent(p)}"
        if all(able) or not any(able):
            told = "whatever he holds" if all(able) else "nothing he can hold beats"
        assert told in effect(view, belief, play(card))


def test_ties_within_two_standard_errors_are_called_as_good_as():
    values = np.array([[1.0, 0.9], [0.0, 0.2], [1.0, 1.1], [0.0, 0.0]])
    even = np.ones(4)
    close = rank([EXCHANGE, CLOSE], Sample(values, values > 0, even, whole=False).scores())
    assert all(option.tied for option in close)
    apart = np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.0], [0.9, 0.0]])
    clear = rank([EXCHANGE, CLOSE], Sample(apart, apart > 0, even, whole=False).scores())
    assert not any(option.tied for option in clear)
    assert clear[0].margin == pytest.approx(0.95)


def test_advice_gets_better_slice_by_slice():
    position = Position.deal(PRESETS["sixty-six"], Seat.S, random.Random(1))
    view = position.view(Seat.S)
    sizes = [advice.n_worlds for advice in improve(view, believed(view), budget=0.3)]
    assert len(sizes) >= 1
    assert sizes[0] <= sizes[-1]


def test_a_led_marriage_counts_in_the_advice():
    """The forty that takes me out beats every plain card."""
    session = Session.new(
        rules="schnapsen", hands={"S": "KH QH AS TS AC"}, upcard="TH", leader="S", model="counting"
    )
    session.observe("S:AS N:JS S:+AD S:AC N:JC S:+TD S:KH*")
    assert session.tracker.view.public.points[0] >= 66
    assert str(session.report("legal")["others"]["S"]) == "['!']"
    session.undo()
    best = session.advice(worlds=20).best.action
    assert best in (announce(Card.HK), announce(Card.HQ))
    assert play(Card.HK) != best
    assert Event(Seat.S, best) not in session.events
