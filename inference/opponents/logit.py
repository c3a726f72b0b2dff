"""The conditional logit: a soft choice among all that a hand could do.

P(a | h) = (1 - epsilon) softmax(weights · features(a, h) / temperature) + epsilon / n_legal. What a
hand could have done and did not (exchange, announce, close, claim) is in every sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit, types

import inference.solve.encode as e
from inference.cards import Seat
from inference.errors import ModelError
from inference.game.state import PublicState
from inference.opponents import Hands, Probabilities, solved
from inference.opponents.features import FEATURES, N_SEEN, Values, Weights, soften, weigh
from inference.opponents.fields import number
from inference.opponents.sight import sight_of
from inference.solve.rules_kernel import legal_bits

PHASES = ("open", "strict")
VERSION = 1
COLDEST = 0.01
"""Below this temperature the softmax is a maximum and could overflow."""
_KEYS = ("model", "version", "rules", "made", "temperature", "epsilon", "weights")
_HANDS = types.Array(types.uint32, 1, "C", readonly=True)
_I8, _F8, _V = types.int64, types.float64, types.int64[::1]
_TABLE = _F8[:, ::1]


class Logit(NamedTuple):
    """Hold the weights, float64[2, n_features], by phase and already divided by the temperature.

    The compiled playouts take `weights` and `epsilon` as they are (`advice.playout.expect`).
    """

    weights: Weights
    epsilon: float
    name: str = "logit"
    styles: tuple[str, ...] = ()
    shares: tuple[float, ...] = (1.0,)
    chance: int | None = None

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return P(action | hand), float64[n, N_ACTIONS]."""
        p = np.zeros((len(hands), e.N_ACTIONS))
        asked = self._asked(public, seat, hands)
        if asked is not None:
            _policy(*asked, p)
        return p

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return P(one action | hand), float64[n]."""
        p = np.zeros(len(hands))
        asked = self._asked(public, seat, hands)
        if asked is not None:
            _likelihood(*asked, column, p)
        return p

    def _asked(
        self, public: PublicState, seat: Seat, hands: Hands
    ) -> tuple[e.Vector, e.Vector, Hands, Weights, float, Values] | None:
        """Return what the compiled code needs, None if the seat has no choice."""
        state = decision(public, seat)
        if state is None:
            return None
        rules, rows = e.encode_rules(public.rules), np.ascontiguousarray(hands)
        more = solved.utility(state, public.rules, rows, self.weights[:, N_SEEN:])
        return state, rules, rows, self.weights, self.epsilon, more


def decision(public: PublicState, seat: Seat) -> e.Vector | None:
    """Return the state in which `seat` is the actor, None if it has no choice now.

    The hands of the state stay empty; the caller puts in that of `seat`.
    """
    state = e.encode(public)
    aside = 2 in (state[e.ANNOUNCED], state[e.FRESH_CLOSE])
    if seat == public.to_act:  # what the other may do first, he has left
        state[e.ANNOUNCED] = min(1, state[e.ANNOUNCED])
        state[e.FRESH_CLOSE] = min(1, state[e.FRESH_CLOSE])
    elif not aside:
        return None
    return state


@njit((_V, _V, _HANDS, _TABLE, _F8, _TABLE, _TABLE), cache=True, nogil=True)
def _policy(
    s: e.Vector,
    rules: e.Vector,
    hands: Hands,
    weights: Weights,
    epsilon: float,
    more: Values,
    p: Probabilities,
) -> None:
    sight = sight_of(s, rules)
    for i in range(len(hands)):
        s[e.HANDS + sight.seat] = hands[i]
        bits = legal_bits(s, rules)
        weigh(sight, hands[i], bits, weights, p[i])
        if len(more):
            p[i] += more[i]
        soften(bits, epsilon, p[i])


@njit((_V, _V, _HANDS, _TABLE, _F8, _TABLE, _I8, _F8[::1]), cache=True, nogil=True)
def _likelihood(
    s: e.Vector,
    rules: e.Vector,
    hands: Hands,
    weights: Weights,
    epsilon: float,
    more: Values,
    column: int,
    p: Probabilities,
) -> None:
    sight, row = sight_of(s, rules), np.empty(e.N_ACTIONS)
    for i in range(len(hands)):
        s[e.HANDS + sight.seat] = hands[i]
        bits = legal_bits(s, rules)
        if bits >> column & 1:
            weigh(sight, hands[i], bits, weights, row)
            if len(more):
                row += more[i]
            soften(bits, epsilon, row)
            p[i] = row[column]


def build(parameters: Mapping[str, Any]) -> Logit:
    """Return the model of a file of parameters; raise ModelError if it does not fit."""
    missing = [key for key in _KEYS if key not in parameters]
    if missing:
        raise ModelError(f"The parameters of 'logit' lack {missing[0]!r}.")
    unknown = [key for key in parameters if key not in _KEYS]
    if unknown:
        raise ModelError(f"{unknown[0]!r} is no parameter of 'logit': they are {', '.join(_KEYS)}.")
    if parameters["version"] != VERSION:
        raise ModelError(f"The parameters of 'logit' are not of version {VERSION}: refit them.")
    temperature = number(parameters["temperature"], "temperature of 'logit'")
    epsilon = number(parameters["epsilon"], "epsilon of 'logit'")
    if temperature < COLDEST or not 0 < epsilon < 1:
        raise ModelError(
            f"The temperature of 'logit' must be at least {COLDEST}, epsilon between 0 and 1."
        )
    return Logit(_weights(parameters["weights"]) / temperature, epsilon)


def _weights(table: object) -> Weights:
    if not isinstance(table, dict):
        raise ModelError("The 'weights' of 'logit' must be an object: one entry a feature.")
    for name in FEATURES:
        if name not in table:
            raise ModelError(f"The weights of 'logit' lack the feature {name!r}: refit them.")
    for name in table:
        if name not in FEATURES:
            raise ModelError(f"{name!r} is no feature of 'logit': refit the weights.")
    rows = [[_weight(table[name], name, phase) for name in FEATURES] for phase in PHASES]
    return np.array(rows)


def _weight(entry: object, name: str, phase: str) -> float:
    if not isinstance(entry, dict) or entry.keys() != {*PHASES, "meaning"}:
        raise ModelError(f"The feature {name!r} of 'logit' needs open, strict and meaning.")
    return number(entry[phase], f"{name} ({phase}) of 'logit'")
