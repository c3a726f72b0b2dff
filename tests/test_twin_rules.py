"""The rules and the reference agree on random deals of all presets and random house rules."""

import random
from collections import Counter

import pytest
from table import NAMES, each_preset

from inference.game.events import UNSEEN_DRAW, Event, Kind
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from tests.twin import compare, main, run

N_DEALS = 2000
FIRST_SEED = 66_000


@pytest.mark.parametrize("batch", range(8))
def test_engine_and_reference_agree(batch: int) -> None:
    size = N_DEALS // 8
    first = FIRST_SEED + batch * size
    assert [found for seed in range(first, first + size) if (found := compare(seed))] == []


def test_the_deals_that_are_compared_know_every_event_and_every_ending() -> None:
    deals = [run(seed) for seed in range(FIRST_SEED, FIRST_SEED + 600)]
    marks = Counter(event[-1] for deal in deals for event in deal.events)
    assert min(marks[mark] for mark in "+*xc!/zr") >= 5, marks
    reasons = Counter(deal.position.public.outcome.reason for deal in deals)
    endings = {"out", "out against the close", "close failed", "false claim", "last trick"}
    endings |= {"higher total", "given up", "revoke", "abandoned"}
    assert endings <= set(reasons)
    bases = Counter(deal.rules["base"] for deal in deals)
    assert set(bases) == set(NAMES)
    assert sum(len(deal.rules) == 1 for deal in deals) > 100  # the presets as they are


def test_the_driver_prints_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--deals", "20", "--seed", "5"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "20 of 20 deals, 0 differ"


def test_the_driver_reports_a_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inference.game.state.beats", lambda card, led, trump: card > led)
    assert main(["--deals", "3", "--seed", "5"]) == 1
    assert "by the reference" in capsys.readouterr().out


def step(position: Position, rng: random.Random) -> tuple[Position, tuple[Event, ...]]:
    """Play a random legal event; return the events that the table sees."""
    public = position.public
    seat = public.to_act
    beside = position.other_actions()
    if beside and rng.random() < 0.3:
        seat, options = SEATS[1 - seat], beside
    else:
        options = position.legal_actions()
    action = rng.choice(options)
    seen = position.drawn() if action.kind == Kind.DRAW else (Event(seat, action),)
    return position.play(action, seat), seen


@each_preset
def test_a_view_follows_the_truth(name: str) -> None:
    """What a seat learns from the events alone is what the position shows it."""
    rng = random.Random(name)
    for _ in range(60):
        position = Position.deal(PRESETS[name], rng.choice(SEATS), rng)
        views = [position.view(seat) for seat in SEATS]
        while not position.public.over:
            position, seen = step(position, rng)
            for event in seen:
                hidden = Event(event.seat, UNSEEN_DRAW) if event.action.kind == Kind.DRAW else event
                views = [view.after(event if event.seat == view.seat else hidden) for view in views]
            assert views == [position.view(seat) for seat in SEATS]
            check_views(position)


def check_views(position: Position) -> None:
    """Check that unseen is the other hand with the hidden talon, and that known cards are held."""
    for seat in SEATS:
        view = position.view(seat)
        hidden = sum(card.mask for card in position.talon[: view.n_hidden])
        assert view.unseen == position.hands[view.opponent] | hidden
        assert position.public.known[seat] & ~position.hands[seat] == 0
        assert view.determine(position.hands[view.opponent], position.talon[:-1]) == position
