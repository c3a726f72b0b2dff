"""What a close promises and what it then brings, when both sides play on by open-card sampling."""

from __future__ import annotations

from functools import partial
from random import Random
from time import perf_counter

import numpy as np

from benchmarks.row import Row
from inference.advice.closing import N_PLANNED, Closing
from inference.advice.worlds import sample_worlds
from inference.belief import Belief, prior
from inference.cards import Seat, cards
from inference.game.events import CLOSE
from inference.game.position import Position, View
from inference.game.rules import PRESETS
from inference.opponents import load
from inference.opponents.logit import Logit
from inference.solve.encode import HANDS
from inference.workshop.contest import play_out
from inference.workshop.effort import Effort
from inference.workshop.players import Player, pick_open

N_POSITIONS = 100
N_DEALS = 3
N_WORLDS = 12
DOUBTFUL = (-1.0, 2.5)
"""Open-card values of the closes that are looked at: others are no question."""


def rows() -> list[Row]:
    """Compare in the packs of 20 and 24 cards."""
    return [row(name) for name in ("schnapsen", "santase")]


def row(preset: str) -> Row:
    """Close in doubtful positions of random deals, and play each out with several hands."""
    rng, model, started = Random(7), load("logit"), perf_counter()
    assert isinstance(model, Logit)
    gaps: list[list[float]] = []
    while len(gaps) < N_POSITIONS:
        view = closable(rng, preset)
        public, chance = view.public, np.random.default_rng(len(gaps))
        belief = prior(view.unseen, public.held[Seat.N], public.known[Seat.N])
        closing = Closing(view, sample_worlds(view, belief, N_PLANNED, chance), model)
        promised = closing.figures(sample_worlds(view, belief, 60, chance)).values.mean(axis=0)
        if DOUBTFUL[0] < promised[0] < DOUBTFUL[1]:
            gaps.append([*promised - brought(view, belief, chance)])
    means, errors = np.mean(gaps, axis=0), 1.96 * np.std(gaps, axis=0) / np.sqrt(len(gaps))
    names = ("open cards", "plan, best reply", "plan, policy")
    told = [f"{n} {x:+.2f} ± {y:.2f}" for n, x, y in zip(names, means, errors, strict=True)]
    figure = f"promised more than came: {', '.join(told)}"
    return Row(f"close, {preset}", len(gaps), figure, f"{perf_counter() - started:.0f} s")


def closable(rng: Random, preset: str) -> View:
    """Play random cards until S may close."""
    while True:
        position = Position.deal(PRESETS[preset], Seat.S, rng)
        while not position.public.over and position.public.closed is None:
            actions = position.legal_actions()
            if position.public.to_act == Seat.S and CLOSE in actions and rng.random() < 0.5:
                return position.view(Seat.S)
            quiet = [a for a in actions if str(a) not in ("c", "!")] or actions
            position = position.play(rng.choice(quiet))


def brought(view: View, belief: Belief, rng: np.random.Generator) -> float:
    """Return the mean game points of S after closing, over hands drawn from the belief."""
    player, total = Player("counting", partial(pick_open, effort=Effort(N_WORLDS))), 0
    for state in sample_worlds(view, belief, N_DEALS, rng).states:
        hand = int(state[HANDS + Seat.N])
        truth = view.determine(hand, cards(view.unseen & ~hand)).play(CLOSE)
        total += play_out(truth, (player, player), [int(rng.integers(1 << 31))])[Seat.S]
    return total / N_DEALS
