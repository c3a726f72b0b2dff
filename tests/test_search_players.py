"""The players that search: what they find, and how long they may think."""

import random
from time import perf_counter

import numpy as np
import pytest

from inference import opponents
from inference.cards import Seat
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.tracker import Tracker
from inference.workshop import players
from inference.workshop.contest import contest, play_pair
from inference.workshop.effort import Effort


def started(preset: str, seed: int, seat: Seat = Seat.S) -> Tracker:
    position = Position.deal(PRESETS[preset], Seat.S, random.Random(seed))
    return Tracker.start(position.view(seat), opponents.load("counting"))


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
