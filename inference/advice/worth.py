"""What a position is worth when both play on: a value for any moment, whoever is to act.

Advice compares my actions, so it speaks only when I choose. Between choices, as when a card is
drawn, worlds are played out by the fitted policy instead, each seat seeing only its own cards;
once the talon is empty the open solver has the last word (`playout.finish`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

import inference.solve.encode as e
from inference.advice.option import Values
from inference.advice.playout import Policy, States, leaf
from inference.advice.worlds import Worlds, sample_worlds
from inference.belief import Belief
from inference.game.position import View
from inference.opponents import load
from inference.opponents.logit import Logit
from inference.solve import kernel, solver


class Worth(NamedTuple):
    """Hold my expected game points (won minus lost), their standard error, and P(I win)."""

    value: float
    stderr: float
    p_win: float


@njit(cache=True, nogil=True)
def play_on(
    mem: States, states: States, rules: e.Vector, policy: Policy, values: Values, wins: Values
) -> None:
    """Write my game points [n] and my share of wins [n] of each state played out."""
    line, p = np.empty((2, e.STATE_SIZE), np.int64), np.empty(e.N_ACTIONS)
    for i in range(len(states)):
        kernel.load(mem, states[i], rules)
        line[0] = states[i]
        values[i], wins[i] = leaf(mem, rules, policy, p, line, 0)


def played_on(view: View, worlds: Worlds, seed: int = 0) -> tuple[Values, Values]:
    """Return the game points of the view's seat and its wins in each world [n] of a position."""
    model = load("logit")
    assert isinstance(model, Logit)
    mem = np.append(solver.memory(), np.int64(2 * seed + 1))
    values, wins = np.empty(len(worlds.states)), np.empty(len(worlds.states))
    policy = Policy(model.weights, model.epsilon, int(view.seat), 1, 0)
    play_on(mem, worlds.states, e.encode_rules(view.public.rules), policy, values, wins)
    return values, wins


def worth(view: View, belief: Belief, n: int = 200, seed: int = 0) -> Worth:
    """Return what a position is worth over `n` worlds of the belief; an ended deal is exact."""
    if view.public.over:
        won = float(view.public.payoff[view.seat])
        return Worth(won, 0.0, float(won > 0))
    worlds = sample_worlds(view, belief, n, np.random.default_rng(seed))
    values, wins = played_on(view, worlds, seed)
    return Worth(float(values.mean()), float(values.std() / np.sqrt(n)), float(wins.mean()))
