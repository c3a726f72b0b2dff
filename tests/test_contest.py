"""Duplicate deals: the luck of the cards cancels, crashes are told, no player sees hidden cards."""

import random
from functools import partial

import numpy as np
import pytest

from inference import opponents
from inference.cards import Seat, cards, mask_of
from inference.cli import main
from inference.errors import NotationError
from inference.game.events import CLAIM, UNSEEN_DRAW, Event
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from inference.tracker import Tracker
from inference.workshop import players
from inference.workshop.contest import Pair, contest, play_pair, summary
from inference.workshop.players import REGISTRY, Player

QUICK = ("random", "greedy", "club", "logit")
NAMES = [*QUICK, "pimc:2", "ismcts:40", "advisor:2", "advisor-counting:2"]


@pytest.mark.parametrize("name", NAMES)
def test_a_player_against_itself_gains_exactly_nothing_in_every_pair(name: str) -> None:
    for number in range(2):
        pair = play_pair(PRESETS["schnapsen"], (name, name), 5, number)
        assert not pair.crash
        assert pair.points[0] == -pair.points[1] != 0


def test_swapped_names_swap_the_sign() -> None:
    rules = PRESETS["sixty-six"]
    one = contest(rules, ("club", "greedy"), 30, 2)
    two = contest(rules, ("greedy", "club"), 30, 2)
    assert one.value == pytest.approx(-two.value)
    assert one.value != 0


def test_the_same_seed_gives_the_same_result_whatever_the_jobs() -> None:
    rules = PRESETS["sechsundsechzig"]
    one, two = (contest(rules, ("random", "club"), 12, 3, jobs) for jobs in (1, 2))
    assert one == two
    assert one != contest(rules, ("random", "club"), 12, 4)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_player_finishes_deals_of_every_preset(preset: str) -> None:
    for name in (*QUICK, "ismcts:20", "advisor:1"):
        found = contest(PRESETS[preset], (name, "random"), 3, 8)
        assert found.crashes == ()
        assert found.n_pairs == 3


def test_better_players_win() -> None:
    rules = PRESETS["sixty-six"]
    for better, worse, n in (
        ("greedy", "random", 20),
        ("club", "random", 20),
        ("club", "greedy", 80),
    ):
        assert contest(rules, (better, worse), n, 1).interval[0] > 0


def always_claims(tracker: Tracker, rng: np.random.Generator) -> object:
    return CLAIM


def fails_late(tracker: Tracker, rng: np.random.Generator) -> object:
    if sum(tracker.view.public.tricks) > 3:
        raise KeyError("lost my notes")
    return players.pick_random(tracker, rng)


@pytest.mark.parametrize(
    ("choose", "told"), [(always_claims, "not legal"), (fails_late, "lost my notes")]
)
def test_a_crash_is_told_and_its_pair_left_out(
    choose: players.Choose, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY, "broken", Player("counting", choose))
    found = contest(PRESETS["schnapsen"], ("club", "broken"), 3, 1)
    assert (found.n_pairs, len(found.crashes)) == (0, 3)
    assert all(told in crash for crash in found.crashes)
    assert found.crashes[0].startswith("pair 0, ")


def test_pairs_with_a_crash_do_not_count() -> None:
    pairs = [Pair((3, 1)), Pair(crash="pair 1, S: lost"), Pair((-1, 1))]
    found = summary(pairs)
    assert (found.n_pairs, found.value, found.p_win) == (2, 1.0, 0.75)
    assert found.stderr == pytest.approx(1.0)
    low, high = found.interval
    assert low < 1.0 < high


def followed(position: Position, events: list[Event], seat: Seat, model: str) -> Tracker:
    """Return what a seat knows after events whose draws by the other seat it does not see."""
    tracker = Tracker.start(position.view(seat), opponents.load(model))
    for event in events:
        hidden = event.seat != seat and event.action.kind == UNSEEN_DRAW.kind
        tracker = tracker.observe(Event(event.seat, UNSEEN_DRAW) if hidden else event)
    return tracker


@pytest.mark.parametrize("name", NAMES)
def test_no_player_sees_hidden_cards(name: str) -> None:
    """Shuffle what a seat cannot see: its choices stay the same."""
    rng, player = random.Random(name), players.load(name)
    for preset in ("sixty-six", "schnapsen"):
        position = Position.deal(PRESETS[preset], Seat.S, rng)
        view = position.view(Seat.S)
        hidden = cards(view.unseen)
        rng.shuffle(hidden)
        n = view.public.held[Seat.N]
        talon = (*hidden[n:], position.talon[-1])
        twin = position._replace(hands=(view.hand, mask_of(hidden[:n])), talon=talon)
        assert twin != position
        one, two = (
            player.choose(followed(p, [], Seat.S, player.model), np.random.default_rng(1))
            for p in (position, twin)
        )
        assert one == two


def test_a_tracker_is_all_that_a_player_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hidden draws of the other seat reach no tracker."""
    seen = []

    def spy(tracker: Tracker, rng: np.random.Generator) -> object:
        seen.append(tracker)
        return players.pick_random(tracker, rng)

    monkeypatch.setitem(REGISTRY, "spy", Player("counting", spy))
    play_pair(PRESETS["sixty-six"], ("spy", "spy"), 1, 0)
    assert {tracker.view.seat for tracker in seen} == set(SEATS)
    for tracker in seen:
        his = [event.action for event in tracker.events if event.seat != tracker.view.seat]
        assert all(action.card is None for action in his if action.kind == UNSEEN_DRAW.kind)
        assert len(tracker.belief.hands) > 1 or tracker.view.public.talon < 2


def test_unknown_players_are_named() -> None:
    wrong = ("club:3", "club:5ms", "pimc:0", "pimc:0ms", "ismcts:", "pimc:5s", "advisor:-1ms")
    for name, told in (("guru", "guru"), *((name, "a number of worlds") for name in wrong)):
        with pytest.raises(NotationError, match=told):
            players.load(name)


def test_the_command_tells_gain_interval_sizes_and_seed(capsys: pytest.CaptureFixture[str]) -> None:
    ask = partial(main, ["evaluate", "--play", "club", "random", "--deals", "25", "--jobs", "1"])
    assert ask() == 0
    told = capsys.readouterr().out
    assert told.startswith("club against random: sixty-six, seed 1; 25 duplicate deals")
    assert "95 % interval" in told
    assert "0 left out by a crash" in told
    assert ask() == 0
    assert capsys.readouterr().out == told
    assert main(["evaluate", "deals.jsonl", "--play", "club", "random"]) == 2
    assert "no files" in capsys.readouterr().err
