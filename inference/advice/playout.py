"""Values for long talons: he replies as the fitted policy expects, and later all cards lie open.

In each world every action is followed to the end of the trick: I choose what is best, he by the
policy, which sees his cards and not mine. From there the open solver has the last word, at once if
the talon is short enough for it, else after both sides have followed the policy for a while.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, typeof, types

import inference.solve.encode as e
import inference.solve.layout as m
from inference.advice.option import Values
from inference.advice.worlds import Worlds
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
    """Hold how a deal is played: the logit's parameters, my seat, and how much care is taken.

    The open solver takes over when `until` cards of the talon are left, or somebody has closed; if
    the policy has to play until then, `n_playouts` continuations are averaged.
    """

    weights: Weights
    epsilon: float
    seat: int
    n_playouts: int
    until: int


CARE = ((1, 8), (1, 6), (2, 4), (2, 0))
"""Playouts and cards left for the solver, from the most careful to the quickest."""
CAREFUL = 20
"""With more cards in play the most careful level takes too long."""
SHARPNESS = 3.0
"""The policy's utilities are multiplied by it: a mean over careless replies counts on mistakes."""
RARE = 0.03
"""Replies below this probability are left out."""

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


@njit(types.void(_STATE, _STATE, _POLICY, _ROW), cache=True, nogil=True)
def expect(s: e.Vector, rules: e.Vector, policy: Policy, p: Values) -> None:
    """Write how likely the actor of a state is to take each action, by the policy."""
    sight, bits = sight_of(s, rules), legal_bits(s, rules)
    weigh(sight, s[e.HANDS + sight.seat], bits, policy.weights, p)
    soften(bits, policy.epsilon, p)


@njit(_I8(_STATE, _STATE, _STATE, _POLICY, _ROW), cache=True, nogil=True)
def finish(mem: States, s: e.Vector, rules: e.Vector, policy: Policy, p: Values) -> int:
    """Play a position out in place and return the game points of S."""
    while s[e.WINNER] == e.RUNNING:
        if s[e.TALON] <= policy.until or s[e.CLOSED_BY] >= 0:
            return int(kernel.value(mem, s, 1))
        expect(s, rules, policy, p)
        apply(s, rules, choose(mem, legal_bits(s, rules), p))
    return payoff(s)


@njit(_JUDGED(_STATE, _STATE, _POLICY, _ROW, types.int64[:, ::1], _I8), cache=True, nogil=True)
def leaf(
    mem: States, rules: e.Vector, policy: Policy, p: Values, line: States, depth: int
) -> tuple[float, float]:
    """Return my mean game points and share of wins over continuations of line[depth]."""
    total, wins, sign, s = 0.0, 0.0, 1 - 2 * policy.seat, line[depth]
    certain = s[e.TALON] <= policy.until or s[e.CLOSED_BY] >= 0 or s[e.WINNER] != e.RUNNING
    n = 1 if certain else policy.n_playouts
    for _ in range(n):
        line[depth + 1, :] = s
        v = sign * finish(mem, line[depth + 1], rules, policy, p)
        total += v
        wins += v > 0
    return total / n, wins / n


@njit(
    _JUDGED(_STATE, _STATE, _POLICY, _TABLE, types.int64[:, ::1], _I8, _I8), cache=True, nogil=True
)
def to_trick_end(
    mem: States,
    rules: e.Vector,
    policy: Policy,
    p: Values,
    line: States,
    depth: int,
    n_tricks: int,
) -> tuple[float, float]:
    """Return my game points and wins from the state line[depth]: I do my best, he is expected."""
    s, child = line[depth], line[depth + 1]
    if s[e.WINNER] != e.RUNNING or s[e.TRICKS] + s[e.TRICKS + 1] > n_tricks:
        return leaf(mem, rules, policy, p[depth], line, depth)
    bits, his = legal_bits(s, rules), actor(s) != policy.seat
    if his:
        expect(s, rules, policy, p[depth])
    best, best_wins, total, mean, mean_wins = -4.0, 0.0, 0.0, 0.0, 0.0
    for column in range(e.N_ACTIONS):
        if not bits >> column & 1 or (his and p[depth, column] < RARE):
            continue
        child[:] = s
        apply(child, rules, column)
        v, wins = to_trick_end(mem, rules, policy, p, line, depth + 1, n_tricks)
        if v > best:
            best, best_wins = v, wins
        if his:
            total += p[depth, column]
            mean += p[depth, column] * v
            mean_wins += p[depth, column] * wins
    return (mean / total, mean_wins / total) if his else (best, best_wins)


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
    """Write my game points and wins [n, a] after each action in each world."""
    line, p = np.empty((DEPTH + 2, e.STATE_SIZE), np.int64), np.empty((DEPTH + 2, e.N_ACTIONS))
    for i in range(len(states)):
        kernel.load(mem, states[i], rules)
        n_tricks = states[i, e.TRICKS] + states[i, e.TRICKS + 1]
        for j in range(len(columns)):
            line[0] = states[i]
            apply(line[0], rules, columns[j])
            values[i, j], wins[i, j] = to_trick_end(mem, rules, policy, p, line, 0, n_tricks)


def _memory(seed: int) -> States:
    """Return a workspace of the solver with one more place, for the stream of random numbers."""
    fresh = solver.memory()
    mem = np.zeros(len(fresh) + 1, np.int64)  # only the head is copied: the table is all zeros
    mem[: m.TABLE] = fresh[: m.TABLE]
    mem[-1] = 2 * seed + 1
    return mem


def evaluator(
    view: View, columns: list[int], model: Logit, seed: int
) -> tuple[Callable[[Worlds, int], tuple[Values, Values]], int]:
    """Return the function that judges worlds with a level of care, and the last level.

    It returns game points and wins [n, a]; 0 is the most careful level.
    """
    mem = _memory(seed)
    rules, chosen = e.encode_rules(view.public.rules), np.array(columns, dtype=np.int64)
    in_play = sum(view.public.held) + view.public.talon
    care, sharp = CARE[int(in_play > CAREFUL) :], SHARPNESS * model.weights

    def evaluate(worlds: Worlds, level: int) -> tuple[Values, Values]:
        policy = Policy(sharp, model.epsilon, int(view.seat), *care[level])
        shape = (len(worlds.states), len(columns))
        values, wins = np.empty(shape), np.empty(shape)
        trick_values(mem, worlds.states, rules, policy, chosen, values, wins)
        return values, wins

    return evaluate, len(care) - 1
