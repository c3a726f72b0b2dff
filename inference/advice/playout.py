"""Values for long talons: open to the end of the trick, then played out by the fitted policy.

In each world every action is searched with all cards open until the current trick is complete;
from there both sides follow the logit's likeliest choice, each seeing only its own cards, until
the talon is empty, where the open solver has the last word. After a close the policy plays on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, typeof, types

import inference.solve.encode as e
from inference.advice.option import Values
from inference.advice.worlds import Worlds
from inference.cards import Seat
from inference.game.position import View
from inference.opponents.features import Weights, soften, weigh
from inference.opponents.logit import Logit
from inference.opponents.sight import sight_of
from inference.solve import kernel, solver
from inference.solve.rules_kernel import actor, apply, legal_bits, payoff

DEPTH = 10
"""More actions than one trick can take: exchange, close, answer, silence, cards, claims."""

States = npt.NDArray[np.int64]


class Policy(NamedTuple):
    """Hold how a deal is played out: the logit's parameters and how much care is taken.

    `n_playouts` continuations are averaged (one alone would reward lucky replies); with
    `open_trick` 0 the policy takes over at once instead of at the end of the trick. `sign` is 1
    where my wins are those of S, -1 where they are those of N.
    """

    weights: Weights
    epsilon: float
    sign: int
    n_playouts: int
    open_trick: int


CARE = ((8, 1), (1, 1), (1, 0))
"""Playouts and open trick, from the most careful to the quickest."""

_I8, _F8, _STATE, _ROW = types.int64, types.float64, types.int64[::1], types.float64[::1]
_TABLE = types.float64[:, ::1]
_POLICY = typeof(Policy(np.zeros((2, 1)), 0.0, 0, 0, 0))  # type: ignore[no-untyped-call]
_JUDGED = types.UniTuple(_F8, 2)  # type: ignore[no-untyped-call]


@njit(_F8(_STATE), cache=True, nogil=True)
def uniform(mem: States) -> float:
    """Return the next random number in [0, 1) of the stream in mem[-1] (xorshift, never 0)."""
    x = mem[-1]
    x ^= x << 13
    x ^= x >> 7 & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    mem[-1] = x
    return float((x >> 11 & 0x1FFFFFFFFFFFFF) / 9007199254740992.0)


@njit(_I8(_STATE, _I8, _ROW), cache=True, nogil=True)
def choose(mem: States, bits: int, p: Values) -> int:
    """Draw a legal column by its probability."""
    left, last = uniform(mem), 0
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            left -= p[column]
            last = column
            if left < 0:
                break
    return last


@njit(_I8(_STATE, _STATE, _STATE, _POLICY, _ROW), cache=True, nogil=True)
def finish(mem: States, s: e.Vector, rules: e.Vector, policy: Policy, p: Values) -> int:
    """Play a position out in place and return the game points of S."""
    while s[e.WINNER] == e.RUNNING:
        if s[e.TALON] == 0:
            return int(kernel.value(mem, s, 1))
        sight, bits = sight_of(s, rules), legal_bits(s, rules)
        weigh(sight, s[e.HANDS + sight.seat], bits, policy.weights, p)
        soften(bits, policy.epsilon, p)
        apply(s, rules, choose(mem, bits, p))
    return payoff(s)


@njit(_JUDGED(_STATE, _STATE, _POLICY, _ROW, types.int64[:, ::1], _I8), cache=True, nogil=True)
def leaf(
    mem: States, rules: e.Vector, policy: Policy, p: Values, line: States, depth: int
) -> tuple[float, float]:
    """Return S's mean game points and my share of wins over continuations of line[depth]."""
    total, wins = 0.0, 0.0
    for _ in range(policy.n_playouts):
        line[depth + 1, :] = line[depth]
        v = finish(mem, line[depth + 1], rules, policy, p)
        total += v
        wins += policy.sign * v > 0
    return total / policy.n_playouts, wins / policy.n_playouts


@njit(_JUDGED(_STATE, _STATE, _POLICY, _ROW, types.int64[:, ::1], _I8, _I8), cache=True, nogil=True)
def to_trick_end(
    mem: States,
    rules: e.Vector,
    policy: Policy,
    p: Values,
    line: States,
    depth: int,
    n_tricks: int,
) -> tuple[float, float]:
    """Return S's game points and my wins from the state line[depth], open to the trick's end."""
    s, child = line[depth], line[depth + 1]
    if s[e.WINNER] != e.RUNNING:
        won = float(payoff(s))
        return won, 1.0 if policy.sign * won > 0 else 0.0
    if s[e.TRICKS] + s[e.TRICKS + 1] > n_tricks or not policy.open_trick:
        return leaf(mem, rules, policy, p, line, depth)
    bits, sign = legal_bits(s, rules), 1.0 - 2.0 * actor(s)
    best, best_wins = -4.0, 0.0
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            child[:] = s
            apply(child, rules, column)
            v, wins = to_trick_end(mem, rules, policy, p, line, depth + 1, n_tricks)
            if sign * v > best:
                best, best_wins = sign * v, wins
    return sign * best, best_wins


@njit(
    types.void(_STATE, types.int64[:, ::1], _STATE, _POLICY, _STATE, _TABLE, _TABLE),
    cache=True,
    nogil=True,
)
def trick_values(
    mem: States,
    states: States,
    rules: e.Vector,
    policy: Policy,
    columns: e.Vector,
    values: Values,
    wins: Values,
) -> None:
    """Write S's game points and my wins [n, a] after each action in each world."""
    line, p = np.empty((DEPTH + 2, e.STATE_SIZE), np.int64), np.empty(e.N_ACTIONS)
    for i in range(len(states)):
        kernel.load(mem, states[i], rules)
        n_tricks = states[i, e.TRICKS] + states[i, e.TRICKS + 1]
        for j in range(len(columns)):
            line[0] = states[i]
            apply(line[0], rules, columns[j])
            values[i, j], wins[i, j] = to_trick_end(mem, rules, policy, p, line, 0, n_tricks)


def evaluator(
    view: View, columns: list[int], model: Logit, seed: int
) -> Callable[[Worlds, int], tuple[Values, Values]]:
    """Return the function that judges worlds with a level of care: game points and wins [n, a]."""
    mem = np.append(solver.memory(), np.int64(2 * seed + 1))
    rules, chosen = e.encode_rules(view.public.rules), np.array(columns, dtype=np.int64)
    sign = 1 if view.seat == Seat.S else -1

    def evaluate(worlds: Worlds, level: int) -> tuple[Values, Values]:
        policy = Policy(model.weights, model.epsilon, sign, *CARE[level])
        shape = (len(worlds.states), len(columns))
        values, wins = np.empty(shape), np.empty(shape)
        trick_values(mem, worlds.states, rules, policy, chosen, values, wins)
        return sign * values, wins

    return evaluate
