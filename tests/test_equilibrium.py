"""Two-sided equilibria: equal to the linear program; advice that never sees through cards."""

import random

import numpy as np
import pytest

from inference.advice import advise, improve
from inference.advice.equilibrium import fits, his_range, my_range, unclosed
from inference.belief import condition, prior
from inference.cards import Card, Seat, cards, mask_of
from inference.game.events import CLAIM, CLOSE, play
from inference.game.position import View
from inference.game.rules import PRESETS
from inference.game.scoring import Closed
from inference.game.state import PublicState
from inference.solve import equilibrium, solver
from inference.solve.encode import action_column
from inference.solve.equilibrium import qualifies
from tests.positions import moved, on_lead
from tests.sequence_form import by_program, ranges, states

CLOSED = ((3, 4, 10, 100), (3, 4, None, 1), (2, 6, None, 6), (3, 8, 10, 10))
"""Cards each, talon, most hands of a range (None: all), positions."""


@pytest.mark.parametrize(("hand", "talon", "most", "n"), CLOSED)
def test_closed_positions_are_worth_what_the_linear_program_says(hand, talon, most, n):
    rng = random.Random(f"{hand} {talon} {most}")
    for public in states(n, hand, talon, rng):
        both = ranges(public, rng, most)
        _, bounds = equilibrium.solve(public, *both, target=2e-5)
        assert bounds.value == pytest.approx(by_program(public, *both), abs=1e-4), public


@pytest.mark.parametrize(("hand", "most", "n"), [(2, None, 12), (3, 8, 8)])
def test_last_open_tricks_are_worth_what_the_linear_program_says(hand, most, n):
    rng, mem = random.Random(hand), solver.memory(14)
    for public in states(n, hand, 2, rng):
        both = ranges(public, rng, most)
        _, bounds = equilibrium.solve(public, *both, target=2e-5, mem=mem)
        assert bounds.value == pytest.approx(by_program(public, *both), abs=1e-4), public


def test_positions_with_more_to_happen_do_not_qualify():
    rng = random.Random(1)
    for _ in range(300):
        rules = PRESETS[rng.choice(list(PRESETS))]
        hand, talon = rng.choice([(3, 4), (4, 6), (5, 2), (3, 0), (2, 8)])
        position = moved(on_lead(rules, hand, talon, talon > 2, rng), rng.randint(0, 2), rng)
        public = position.public
        if qualifies(public):
            assert not position.other_actions()
            assert not public.to_draw
            assert public.closed or public.talon == 2
            assert public.closed is None or max(public.held) <= 3
            assert "c" not in map(str, position.legal_actions())


def test_the_more_iterations_the_less_a_best_response_gains():
    rng, gaps = random.Random(2), np.zeros(4)
    for public in states(5, 3, 4, rng):
        game = equilibrium.plant(public, *ranges(public, rng, 20))
        gaps += [equilibrium.learn(game, i, i + 8).exploitability for i in (0, 8, 16, 24)]
    assert gaps[0] > 10 * gaps[3] >= -1e-9


# -- advice ---------------------------------------------------------------------------------------


def believed(view):
    public = view.public
    return prior(view.unseen, public.held[view.opponent], public.known[view.opponent])


def turns(rng, n, shapes=((3, 4), (3, 6), (2, 8))):
    """Yield positions that qualify, with the view of the seat to act, which has a choice."""
    while n:
        hand, talon = rng.choice(shapes)
        rules = PRESETS[rng.choice(list(PRESETS))]
        position = moved(on_lead(rules, hand, talon, talon > 2, rng), rng.randint(0, 2), rng)
        view = position.view(position.public.to_act)
        replies = position.public.led is not None and position.public.closed is None
        if qualifies(position.public) and not replies and len(view.legal_actions()) > 1:
            n -= 1
            yield position, view


def values(advice):
    return {option.action: option.value for option in advice.options}


def test_the_last_word_is_the_equilibrium_and_the_first_the_open_average():
    rng, differ = random.Random(3), 0
    for _, view in turns(rng, 5):
        belief = believed(view)
        first, *_, last = (values(word) for word in improve(view, belief, worlds=10**6))
        both = my_range(view), his_range(view, belief)
        both = both if view.seat == Seat.S else both[::-1]
        game, _ = equilibrium.solve(view.public, *both)
        worth = equilibrium.worth(game, view.seat, view.hand)
        assert last == pytest.approx({a: worth[action_column(a)][0] for a in first})
        assert first.keys() == set(view.legal_actions())
        differ += first != last
    assert differ


@pytest.mark.parametrize("rules", ["schnapsen", "bicycle"])
def test_closing_the_last_open_trick_is_judged_apart_from_the_equilibrium(rules):
    rng, n = random.Random(9), 0
    while n < 3:
        view = next(leads_that_may_close(PRESETS[rules], rng))
        belief = believed(view)
        first, *_, last = improve(view, belief, worlds=10**6)
        mine = values(last)
        assert mine.keys() == values(first).keys() == set(view.legal_actions())
        assert mine[CLOSE] == values(first)[CLOSE]
        (close,) = (option for option in last.options if option.action == CLOSE)
        assert close.reason.startswith("needs ")
        barred = unclosed(view)
        both = my_range(barred), his_range(barred, belief)
        game, _ = equilibrium.solve(barred.public, *(both if view.seat == Seat.S else both[::-1]))
        worth = equilibrium.worth(game, view.seat, view.hand)
        for action in set(mine) - {CLOSE}:
            assert mine[action] == pytest.approx(worth[action_column(action)][0])
        n += 1


def leads_that_may_close(rules, rng):
    """Yield leads to the last open trick at which closing is legal."""
    while True:
        position = on_lead(rules, rules.hand, 2, False, rng)
        view = position.view(position.public.to_act)
        undecided = CLAIM not in view.legal_actions()
        if undecided and position.public.may_close() and fits(view, believed(view)):
            yield view


def test_no_time_leaves_the_open_average():
    _, view = next(turns(random.Random(4), 1))
    (word,) = improve(view, believed(view), budget=0.0)
    assert word.method == "enumerated"


def test_what_he_really_holds_changes_no_word():
    rng = random.Random(5)
    for position, view in turns(rng, 3, shapes=((3, 4), (2, 6))):
        me, he = view.seat, view.opponent
        hidden = cards(view.unseen)
        rng.shuffle(hidden)
        hands = [0, 0]
        hands[me], hands[he] = view.hand, mask_of(hidden[: position.public.held[he]])
        twin = position._replace(hands=tuple(hands)).view(me)
        one, two = (advise(v, believed(v), worlds=10**6) for v in (view, twin))
        assert one == two
        assert one == advise(view, believed(view), worlds=10**6, seed=9)


def flipped(view):
    """Let the seats change places."""
    public = view.public
    closed = public.closed and public.closed._replace(by=Seat(1 - public.closed.by))
    pairs = ("held", "points", "pending", "tricks", "known")
    changed = {name: getattr(public, name)[::-1] for name in pairs}
    moved_on = public._replace(leader=Seat(1 - public.leader), closed=closed, **changed)
    return View(moved_on, Seat(1 - view.seat), view.hand)


def recoloured(view, order):
    """Rename the suits."""
    public = view.public

    def card(c):
        return None if c is None else Card(6 * order[c.suit] + c.rank)

    def mask(some):
        return mask_of(card(c) for c in cards(some))

    public = public._replace(
        trump=order[public.trump],
        upcard=card(public.upcard),
        led=card(public.led),
        played=mask(public.played),
        known=tuple(mask(some) for some in public.known),
    )
    return View(public, view.seat, mask(view.hand)), card


def test_seats_and_suits_have_no_favourites():
    rng = random.Random(6)
    for _, view in turns(rng, 4, shapes=((3, 4), (2, 6), (2, 2))):
        own = values(advise(view, believed(view), worlds=10**6))
        twin = flipped(view)
        assert values(advise(twin, believed(twin), worlds=10**6)) == pytest.approx(own)
        twin, card = recoloured(view, rng.sample(range(4), 4))
        renamed = {a._replace(card=card(a.card)): v for a, v in own.items()}
        assert values(advise(twin, believed(twin), worlds=10**6)) == pytest.approx(renamed)


def test_worlds_won_by_different_continuations_are_not_added_up():
    """Strategy fusion: after the ace of trumps one ten wins, but nothing tells which.

    He holds JS and either AH JH or AC JC. I closed with 45 points; AS with JS makes 58. The ten of
    the suit he lacks then makes 70, the other one falls to his ace and his jack wins the rest.
    """
    mine, up, rest = hand("AS TH TC"), Card.SQ, hand("AH JH JS AC JC KD")
    rules = PRESETS["schnapsen"]
    public = PublicState(
        rules,
        up.suit,
        up,
        4,
        Seat.S,
        (3, 3),
        points=(45, 9),
        tricks=(4, 1),
        closed=Closed(Seat.S, 9, 1),
        played=rules.pack & ~(mine | rest | up.mask),
        known=(0, Card.SJ.mask),
    )
    view = View(public, Seat.S, mine)
    belief = prior(view.unseen, 3, Card.SJ.mask)
    two = [hand("JS AH JH"), hand("JS AC JC")]
    belief = condition(belief, np.isin(belief.hands, two))
    first, *_, last = improve(view, belief, worlds=10**6)
    assert (first.best.action, last.best.action) == (play(Card.SA), play(Card.SA))
    assert (first.best.value, first.best.p_win) == (2.0, 1.0)  # as if I could tell them apart
    assert last.best.value == pytest.approx(0.0, abs=1e-6)
    assert last.best.p_win == pytest.approx(0.5, abs=1e-6)


def hand(text):
    return mask_of(Card[word[::-1]] for word in text.split())
