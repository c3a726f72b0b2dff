"""The tree search: what the tree holds and counts, and what it finds where the truth is known."""

import random

import numpy as np
import pytest

import inference.solve.encode as e
from inference import opponents
from inference.advice import advise, chance, ismcts
from inference.advice.advisor import ALPHA, WALKS
from inference.advice.ismcts import N_EDGES, Guide
from inference.advice.option import UNKNOWN
from inference.advice.searched import Search, Watch, _moments, root_of
from inference.advice.thumb import one_of
from inference.advice.worlds import tempered
from inference.belief import prior
from inference.cards import Card, Seat
from inference.game.equity import PAYOFFS
from inference.game.events import CLAIM, CLOSE, UNSEEN_DRAW, Action
from inference.game.match import Match
from inference.game.position import Position, View
from inference.game.rules import PRESETS
from inference.opponents.logit import Logit
from inference.session import Session
from inference.solve import solver
from inference.solve.encode import action_column
from inference.solve.rules_kernel import legal_bits
from inference.tracker import Tracker
from inference.workshop.players import choices

POINTS = np.array(PAYOFFS, dtype=float)
LATE = (
    '{"rules":"schnapsen","seat":"S","start":{"leader":"S","hand":"AC TC QH","unseen":"KC AH QS",'
    '"trump":"D","talon":0,"points":{"S":38,"N":40},"tricks":{"S":3,"N":4}}}'
)
MODEL = opponents.load("logit")
assert isinstance(MODEL, Logit)
POLICY = Guide(MODEL.weights, MODEL.epsilon, 1)
ALONE = Guide(MODEL.weights, MODEL.epsilon, 0)


def started(preset: str, seed: int, seat: Seat = Seat.S) -> Tracker:
    position = Position.deal(PRESETS[preset], Seat.S, random.Random(seed))
    return Tracker.start(position.view(seat), opponents.load("counting"))


def searched(tracker: Tracker, n: int, guide: Guide = POLICY) -> tuple[Search, list[Action]]:
    actions = tracker.view.legal_actions()
    search = Search(tracker.view, tracker.belief, actions, guide, 1)
    search.walk(n)
    return search, actions


@pytest.mark.parametrize("preset", ["sixty-six", "schnapsen"])
def test_worlds_of_the_tree_hold_every_card_once(preset: str) -> None:
    tracker = started(preset, 4)
    view, state = tracker.view, np.empty(e.STATE_SIZE, np.int64)
    root, stream = root_of(view, tracker.belief, [0], POINTS), chance.stream(2)
    hands = set()
    for _ in range(200):
        ismcts.draw_world(root, stream, state)
        stack = [state[e.STACK] >> 5 * i & 31 for i in range(view.public.talon)]
        assert stack[-1] == view.public.upcard
        talon = sum(1 << int(card) for card in stack)
        mine, his = (int(hand) for hand in state[e.HANDS : e.HANDS + 2])
        assert mine == view.hand
        assert mine | his | talon == view.public.rules.pack
        assert mine & his == his & talon == mine & talon == 0
        hands.add(his)
    assert len(hands) > 180


@pytest.mark.parametrize("preset", PRESETS)
def test_at_the_root_stands_what_i_may_do(preset: str) -> None:
    rng, n = random.Random(preset), 0
    for _ in range(20):
        position = Position.deal(PRESETS[preset], rng.choice((Seat.S, Seat.N)), rng)
        while not position.public.over and position.public.talon >= 4:
            for seat in (Seat.S, Seat.N):
                view = position.view(seat)
                actions = choices(view) if view.legal_actions() else []
                belief = prior(
                    view.unseen, view.public.held[view.opponent], view.public.known[view.opponent]
                )
                if actions and view.public.closed is None:
                    columns = [action_column(action) for action in actions]
                    root, state = root_of(view, belief, columns, POINTS), np.empty(28, np.int64)
                    ismcts.draw_world(root, chance.stream(1), state)
                    assert root.actions == root.actions & legal_bits(state, root.rules)
                    n += 1
            position = position.play(rng.choice(position.legal_actions()))
    assert n > 60


def test_beside_the_seat_to_act_an_announcer_with_66_claims() -> None:
    cards = {"S": "KH QH AS TS AC"}
    deal = Session.new(rules="schnapsen", hands=cards, upcard="TH", leader="S", model="counting")
    deal.observe("S:AS N:JS S:+AD S:AC N:JC S:+TD S:KH*")
    view = deal.tracker.view
    assert (view.public.to_act, view.public.talon) == (Seat.N, 6)
    advice = advise(view, deal.belief(), worlds=4, actions=choices(view))
    assert [option.action for option in advice.options] == [CLAIM, UNSEEN_DRAW]
    assert advice.best.value == 3


def test_chance_is_even() -> None:
    stream, bits = chance.stream(3), 0b1011 << 3 | 1 << e.COLUMN_SILENCE
    drawn = np.bincount([one_of(stream, bits) for _ in range(8000)], minlength=e.N_ACTIONS)
    assert set(np.nonzero(drawn)[0]) == {3, 4, 6, e.COLUMN_SILENCE}
    assert np.abs(drawn[drawn > 0] - 2000).max() < 5 * np.sqrt(8000 * 0.25 * 0.75)


@pytest.mark.parametrize("guide", [POLICY, ALONE])
def test_every_walk_is_counted_once_on_its_way(guide: Guide) -> None:
    search, _ = searched(started("sixty-six", 3), 500, guide)
    tree, size = search.tree, search.tree.size[0]
    assert tree.visits[0] == tree.payoffs.sum() == 500
    parents = np.repeat(np.arange(size), N_EDGES)
    children = tree.children[:size].ravel()
    assert sorted(children[children > 0]) == list(range(1, size))
    below = np.bincount(parents, weights=tree.visits[children] * (children > 0))
    assert np.all(below <= tree.visits[:size])
    assert below[0] == 500
    assert np.all(np.abs(tree.gained) <= tree.visits)
    assert tree.met.sum() == 500 * 6  # cards of his hand
    assert np.all(tree.won <= tree.met)
    assert tree.gained[0] == pytest.approx(tree.payoffs.sum(axis=0) @ POINTS / 3)


def test_what_can_be_done_less_often_waits_for_its_turn() -> None:
    """Against a seat that searches, availability counts how often a move could be made."""
    tree = searched(started("sixty-six", 3), 2000, ALONE)[0].tree
    n = tree.size[0]
    assert np.all(tree.available[1:n] >= tree.visits[1:n] * (tree.available[1:n] > 1))


def test_draws_that_i_cannot_see_make_no_nodes() -> None:
    """After a trick the tree branches on my card only: at most as many as are unseen."""
    tracker = started("schnapsen", 3)
    tree = searched(tracker, 4000)[0].tree
    drawn = tree.children[: tree.size[0], e.N_ACTIONS :]
    seen = {int(card) for card in np.nonzero(drawn)[1]}
    up = tracker.view.public.upcard
    assert up is not None
    assert seen <= {card for card in range(24) if (tracker.view.unseen | up.mask) >> card & 1}
    silent = tree.children[: tree.size[0], e.COLUMN_SILENCE]
    after = tree.children[silent[silent > 0]]
    assert not after[:, : e.N_ACTIONS].any()


def test_with_open_cards_the_tree_finds_the_solver_s_move() -> None:
    tracker = Session.from_record(LATE, model="counting").tracker
    position = tracker.view.determine(int(tracker.belief.hands[0]), ())
    values = solver.action_values(position)
    assert len(set(values.values())) > 1
    search, actions = searched(tracker, 600, ALONE)
    scores = search.scores()
    found = actions[int(scores.merits.argmax())]
    assert values[found] == max(values.values())
    assert scores.values.max() == pytest.approx(max(values.values()), abs=0.1)


def test_a_full_tree_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = started("sixty-six", 5)
    small = ismcts.new_tree(40)
    monkeypatch.setattr(ismcts, "new_tree", lambda: small)
    search = Search(tracker.view, tracker.belief, tracker.view.legal_actions(), POLICY, 1)
    search.walk(2000)
    assert small.size[0] == 40
    assert search.n == small.payoffs.sum() == 2000


def test_scores_are_the_moments_of_what_was_counted() -> None:
    counts = np.array([[0, 0, 3, 0, 1, 0, 0], [2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]])
    means, errors = _moments(counts.astype(float), counts.sum(axis=1).astype(float), POINTS)
    assert means == pytest.approx([-0.5, -3.0, -3.0])
    squares = 3 * 0.5**2 + 1.5**2
    assert errors[0] == pytest.approx(np.sqrt(squares + 2) / 4)
    assert 0 < errors[1] < errors[2] == UNKNOWN  # two alike prove little, nothing at all less


def test_cards_and_wins_are_those_of_the_walks_of_each_action() -> None:
    search, actions = searched(started("schnapsen", 2), 3000)
    dealt, scores = search.dealt(), search.scores()
    assert dealt.n is not None
    assert dealt.n.sum() == search.n
    assert dealt.held.sum(axis=0) == pytest.approx(np.full(len(actions), 5.0))
    assert dealt.p_won == pytest.approx(scores.wins)
    assert scores.wins == pytest.approx(
        (search.tree.payoffs[search._columns][:, 4:].T / dealt.n).sum(axis=0)
    )


def closable(preset: str, seed: int) -> View:
    rng = random.Random(seed)
    while True:
        position = Position.deal(PRESETS[preset], Seat.S, rng)
        for _ in range(4):
            if not position.public.over:
                position = position.play(rng.choice(position.legal_actions()))
        view = position.view(Seat.S)
        if CLOSE in view.legal_actions() and view.public.talon > 4 and not view.public.to_draw:
            return view


def test_closing_is_looked_at_only_while_it_may_be_best() -> None:
    view = closable("schnapsen", 3)
    belief = Tracker.start(view, opponents.load("counting")).belief
    watch = Watch(view, belief, MODEL, np.random.default_rng(1), None)
    first = watch.sample
    assert not watch.look(10.0)
    assert watch.sample is first
    n = 0
    while watch.look(-10.0):
        n += 1
        assert len(watch.sample.values) == 24 * n
    assert n == 10


def test_the_score_decides_what_the_tree_seeks() -> None:
    """One game point from the match only winning counts, so values in game points may be lower."""
    view = started("schnapsen", 1).view
    belief = Tracker.start(view, MODEL).belief
    plain = advise(view, belief, worlds=60, seed=2)
    told = advise(view, belief, worlds=60, seed=2, match=Match((6, 6), Seat.N))
    assert all(option.p_match is None for option in plain.options)
    for option in told.options:
        assert option.p_match == pytest.approx(option.p_win)
    assert told.best.p_win >= plain.best.p_win - 3 * plain.best.stderr


def test_advice_is_the_search_on_the_tempered_belief() -> None:
    tracker = started("sixty-six", 6)
    view, belief = tracker.view, tracker.belief
    advice = advise(view, belief, worlds=10, seed=4)
    assert advice.n_worlds == 10 * WALKS
    actions, hands = view.legal_actions(), tempered(belief, ALPHA)
    search = Search(view, hands, actions, Guide(3.0 * MODEL.weights, MODEL.epsilon, 1), 4)
    search.walk(10 * WALKS)
    found = dict(zip(actions, search.scores().values, strict=True))
    assert {o.action: o.value for o in advice.options} == pytest.approx(found)


def test_he_answers_by_the_policy_with_the_hand_he_has() -> None:
    """He would throw a ten under my ace only if he had to: the policy knows, chance does not."""
    view = started("schnapsen", 3).view
    belief = Tracker.start(view, opponents.load("counting")).belief
    led = max(view.legal_actions(), key=lambda a: (a.card is not None and a.card.points, str(a)))
    column = action_column(led)
    share = {}
    for name, guide in (("policy", POLICY), ("even", POLICY._replace(epsilon=1.0))):
        search = Search(view, belief, [led], guide, 1)
        search.walk(3000)
        node = search.tree.children[0, column]
        replies = search.tree.visits[search.tree.children[node]] * (search.tree.children[node] > 0)
        tens = [card for card in Card if card.points >= 10 and card.suit != view.public.trump]
        share[name] = sum(replies[card] for card in tens) / replies[:24].sum()
    assert share["policy"] < 0.7 * share["even"]
