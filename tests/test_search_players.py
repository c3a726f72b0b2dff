"""The players that search: what the tree holds, what they find, and how long they may think."""

import random
from time import perf_counter

import numpy as np
import pytest

import inference.solve.encode as e
from inference import opponents
from inference.cards import Seat
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.session import Session
from inference.solve import solver
from inference.tracker import Tracker
from inference.workshop import ismcts, players
from inference.workshop.contest import contest, play_pair
from inference.workshop.effort import Effort

LATE = (
    '{"rules":"schnapsen","seat":"S","start":{"leader":"S","hand":"AC TC QH","unseen":"KC AH QS",'
    '"trump":"D","talon":0,"points":{"S":38,"N":40},"tricks":{"S":3,"N":4}}}'
)


def started(preset: str, seed: int, seat: Seat = Seat.S) -> Tracker:
    position = Position.deal(PRESETS[preset], Seat.S, random.Random(seed))
    return Tracker.start(position.view(seat), opponents.load("counting"))


def searched(tracker: Tracker, n: int) -> tuple[ismcts.Tree, ismcts.Root]:
    tree, root = ismcts._new_tree(), ismcts._root(tracker.view, tracker.belief)
    ismcts.iterate(tree, root, np.random.default_rng(1), n)
    return tree, root


@pytest.mark.parametrize("preset", ["sixty-six", "schnapsen"])
def test_worlds_of_the_tree_hold_every_card_once(preset: str) -> None:
    tracker = started(preset, 4)
    view, state = tracker.view, np.empty(e.STATE_SIZE, np.int64)
    root, rng = ismcts._root(view, tracker.belief), np.random.default_rng(2)
    hands = set()
    for _ in range(200):
        ismcts.draw_world(root, rng, state)
        stack = [state[e.STACK] >> 5 * i & 31 for i in range(view.public.talon)]
        assert stack[-1] == view.public.upcard
        talon = sum(1 << int(card) for card in stack)
        mine, his = (int(hand) for hand in state[e.HANDS : e.HANDS + 2])
        assert mine == view.hand
        assert mine | his | talon == view.public.rules.pack
        assert mine & his == his & talon == mine & talon == 0
        hands.add(his)
    assert len(hands) > 180


def test_every_iteration_is_counted_once_on_its_way() -> None:
    tree, _ = searched(started("sixty-six", 3), 500)
    size = tree.size[0]
    assert tree.visits[0] == 500
    parents = np.repeat(np.arange(size), ismcts.N_EDGES)
    children = tree.children[:size].ravel()
    assert sorted(children[children > 0]) == list(range(1, size))
    below = np.bincount(parents, weights=tree.visits[children] * (children > 0))
    assert np.all(below <= tree.visits[:size])
    assert below[0] == 500
    assert np.all(np.abs(tree.won) <= tree.visits)
    assert np.all(tree.available[1:size] >= tree.visits[1:size] * (tree.available[1:size] > 1))


def test_draws_that_i_cannot_see_make_no_nodes() -> None:
    """After a trick the tree branches on my card only: at most as many as are unseen."""
    tracker = started("schnapsen", 3)
    tree, _ = searched(tracker, 4000)
    drawn = tree.children[: tree.size[0], e.N_ACTIONS :]
    seen = {int(card) for card in np.nonzero(drawn)[1]}
    up = tracker.view.public.upcard
    assert seen <= {card for card in range(24) if (tracker.view.unseen | up.mask) >> card & 1}
    silent = tree.children[: tree.size[0], e.COLUMN_SILENCE]
    after = tree.children[silent[silent > 0]]
    assert not after[:, : e.N_ACTIONS].any()


def test_with_open_cards_the_tree_finds_the_solver_s_move() -> None:
    session = Session.from_record(LATE, model="counting")
    position = session.tracker.view.determine(int(session.belief().hands[0]), ())
    values = solver.action_values(position)
    assert len(set(values.values())) > 1
    tracker, rng = session.tracker, np.random.default_rng(1)
    found = ismcts.best(tracker.view, tracker.belief, rng, Effort(600))
    assert values[found] == max(values.values())


def test_a_full_tree_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ismcts, "MOST_NODES", 40)
    tree, _ = searched(started("sixty-six", 5), 2000)
    assert tree.size[0] == 40
    assert tree.visits[0] == 2000


def test_the_tree_search_beats_the_club_player() -> None:
    assert contest(PRESETS["schnapsen"], ("ismcts:400", "club"), 30, 1).interval[0] > 0


@pytest.mark.parametrize("name", ["pimc:1ms", "ismcts:1ms", "advisor:1ms"])
def test_players_on_time_finish(name: str) -> None:
    pair = play_pair(PRESETS["schnapsen"], (name, "random"), 1, 0)
    assert not pair.crash


def test_a_time_ends_the_thinking() -> None:
    effort = Effort(seconds=0.05)
    assert not effort.spent(10**6, perf_counter())
    assert effort.spent(0, perf_counter() - 0.06)
    assert Effort(3).spent(3, perf_counter())
    assert not Effort(3).spent(2, perf_counter() - 100)


def test_more_worlds_than_none_are_solved_whatever_the_time() -> None:
    tracker = started("schnapsen", 2)
    found = players.load("pimc:1ms").choose(tracker, np.random.default_rng(1))
    assert found in players.choices(tracker.view)
