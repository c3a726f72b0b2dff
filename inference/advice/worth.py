"""What a position is worth when both play on: a value for any moment, whoever is to act.

Advice compares my actions, so it speaks only when I choose. Between choices, as when a card is
drawn, worlds are played out by the fitted policy instead (playout.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inference.advice.chance import stream
from inference.advice.option import Values
from inference.advice.playout import play_on
from inference.advice.worlds import Worlds, sample_worlds
from inference.belief import Belief
from inference.cards import Seat
from inference.game.position import View
from inference.opponents import load
from inference.opponents.logit import Logit
from inference.solve import solver
from inference.solve.encode import encode_rules


class Worth(NamedTuple):
    """Hold my expected game points (won minus lost), their standard error, and P(I win)."""

    value: float
    stderr: float
    p_win: float


def played_on(view: View, worlds: Worlds, seed: int = 0) -> tuple[Values, Values]:
    """Return the game points of the view's seat and its wins in each world [n] of a position."""
    model, rules = load("logit"), encode_rules(view.public.rules)
    assert isinstance(model, Logit)
    points, states = np.empty(len(worlds.states), np.int64), worlds.states.copy()
    mem, chance = solver.memory(), stream(seed)
    play_on(mem, chance, states, rules, model.weights, model.epsilon, points)
    values = (points if view.seat == Seat.S else -points).astype(float)
    return values, (values > 0).astype(float)


def worth(view: View, belief: Belief, n: int = 200, seed: int = 0) -> Worth:
    """Return what a position is worth over `n` worlds of the belief; an ended deal is exact."""
    if view.public.over:
        won = float(view.public.payoff[view.seat])
        return Worth(won, 0.0, float(won > 0))
    worlds = sample_worlds(view, belief, n, np.random.default_rng(seed))
    values, wins = played_on(view, worlds, seed)
    return Worth(float(values.mean()), float(values.std() / np.sqrt(n)), float(wins.mean()))
