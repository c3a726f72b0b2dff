"""A deal played on by the fitted policy, compiled: each seat sees only its own cards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit, types

import inference.solve.encode as e
from inference.advice.chance import Stream, choose
from inference.advice.option import Values
from inference.opponents.features import Weights, soften, weigh
from inference.opponents.sight import sight_of
from inference.solve import kernel
from inference.solve.layout import Memory
from inference.solve.rules_kernel import apply, legal_bits, payoff

_I8, _F8, _STATE, _ROW = types.int64, types.float64, types.int64[::1], types.float64[::1]


@njit(_I8(_STATE, _STATE, _F8[:, ::1], _F8, _ROW), cache=True, nogil=True)
def expect(s: e.Vector, rules: e.Vector, weights: Weights, epsilon: float, p: Values) -> int:
    """Write into p [N_ACTIONS] how likely the policy takes each action; return the legal bits."""
    sight, bits = sight_of(s, rules), legal_bits(s, rules)
    weigh(sight, s[e.HANDS + sight.seat], bits, weights, p)
    soften(bits, epsilon, p)
    return int(bits)


@njit(_I8(_STATE, _STATE, _F8[:, ::1], _F8, _STATE, _ROW), cache=True, nogil=True)
def act(
    s: e.Vector, rules: e.Vector, weights: Weights, epsilon: float, chance: Stream, p: Values
) -> int:
    """Draw what the actor of a state does by the policy; `p` [N_ACTIONS] is scratch space."""
    return int(choose(chance, expect(s, rules, weights, epsilon, p), p))


@njit(
    types.void(_STATE, _STATE, _I8[:, ::1], _STATE, _F8[:, ::1], _F8, _STATE),
    cache=True,
    nogil=True,
)
def play_on(
    mem: Memory,
    chance: Stream,
    states: npt.NDArray[np.int64],
    rules: e.Vector,
    weights: Weights,
    epsilon: float,
    out: e.Vector,
) -> None:
    """Write the game points of S [n] when each state is played on, in place.

    Once the talon is empty or closed the open solver has the last word.
    """
    p = np.empty(e.N_ACTIONS)
    for i in range(len(states)):
        s = states[i]
        kernel.load(mem, s, rules)
        while s[e.WINNER] == e.RUNNING and s[e.TALON] > 0 and s[e.CLOSED_BY] < 0:
            apply(s, rules, act(s, rules, weights, epsilon, chance, p))
        out[i] = payoff(s) if s[e.WINNER] != e.RUNNING else kernel.value(mem, s, 1)
