"""Several playing styles at once: each reads a choice in its own way, and the belief weighs them.

A style is a model without styles of its own. `uniform` is one of them in the shipped file, so that
a careless player is recognised instead of misread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numba import njit, types

import inference.solve.encode as e
from inference.cards import Seat
from inference.errors import ModelError
from inference.game.state import PublicState
from inference.opponents import Hands, Model, Probabilities, logit, solved, uniform
from inference.opponents.features import FEATURES, N_SEEN, Values, weigh_all
from inference.opponents.fields import number
from inference.opponents.sight import sight_of
from inference.solve.rules_kernel import legal_bits

KEYS = ("model", "version", "rules", "made", "corpus", "scores", "styles")
VERSION = 1
_MEMBERS: dict[str, Callable[[Mapping[str, Any]], Model]] = {
    "logit": logit.build,
    "uniform": uniform.build,
}
LEAST = 1e-9
"""No style is rarer: what is never thought possible could not be learnt."""
_FLAT = np.zeros((len(logit.PHASES), len(FEATURES)))


class Styles(NamedTuple):
    """Hold a model for each style, and how common the styles are before anything is seen.

    `weights` [2, n_features, z] and `noise` [z] are the members' own, side by side; the random
    player is all noise.
    """

    members: tuple[Model, ...]
    weights: Values
    noise: Values
    styles: tuple[str, ...]
    shares: tuple[float, ...]
    name: str = "styles"

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return P(action | hand) of a player whose style is not known, float64[n, N_ACTIONS]."""
        parts = [member.policy(public, seat, hands) for member in self.members]
        return np.asarray(np.einsum("zna,z->na", np.array(parts), np.array(self.shares)))

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return P(one action | hand, style), float64[n, z], as the members would one by one."""
        p = np.zeros((len(hands), len(self.members)))
        state = logit.decision(public, seat)
        if state is not None:
            rules, rows = e.encode_rules(public.rules), np.ascontiguousarray(hands)
            more = solved.utility(state, public.rules, rows, self.weights[:, N_SEEN:])
            _likelihoods(state, rules, rows, self.weights, self.noise, more, column, p)
        return p

    @property
    def chance(self) -> int | None:
        """Return the place of the random player among the styles, None if he is not there."""
        found = [z for z, member in enumerate(self.members) if isinstance(member, uniform.Uniform)]
        return found[0] if found else None


_I8, _V, _F8 = types.int64, types.int64[::1], types.float64
_HANDS = types.Array(types.uint32, 1, "C", readonly=True)
_ROW, _TABLE, _WEIGHTS = _F8[::1], _F8[:, ::1], _F8[:, :, ::1]


@njit((_I8, _I8, _TABLE, _ROW, _ROW), cache=True, nogil=True)
def _soften(bits: int, column: int, u: Values, noise: Values, p: Values) -> None:
    """Write the probability of one action under every style into p [z], from utilities [36, z]."""
    n, others = 1, bits & ~(1 << column)
    p[:] = 1.0
    for other in range(e.N_ACTIONS):
        if others >> other & 1:
            n += 1
            for z in range(len(noise)):
                p[z] += np.exp(u[other, z] - u[column, z])  # too large is inf, and 1 / inf is 0
    for z in range(len(noise)):
        p[z] = (1.0 - noise[z]) / p[z] + noise[z] / n


@njit((_V, _V, _HANDS, _WEIGHTS, _ROW, _WEIGHTS, _I8, _TABLE), cache=True, nogil=True)
def _likelihoods(
    s: e.Vector,
    rules: e.Vector,
    hands: Hands,
    weights: Values,
    noise: Values,
    more: Values,
    column: int,
    p: Probabilities,
) -> None:
    """Write P(one action) of each hand and style into p; features are found once for all."""
    sight, u = sight_of(s, rules), np.empty((e.N_ACTIONS, len(noise)))
    for i in range(len(hands)):
        if column < e.COLUMN_ANNOUNCE and not hands[i] >> column & 1:
            continue
        s[e.HANDS + sight.seat] = hands[i]
        bits = legal_bits(s, rules)
        if bits >> column & 1:
            weigh_all(sight, hands[i], bits, weights, u)
            if len(more):
                u += more[i]
            _soften(bits, column, u, noise, p[i])


def build(parameters: Mapping[str, Any]) -> Styles:
    """Return the model of a file of parameters; raise ModelError if it does not fit."""
    missing = [key for key in KEYS if key not in parameters]
    unknown = [key for key in parameters if key not in KEYS]
    if missing:
        raise ModelError(f"The parameters of 'styles' lack {missing[0]!r}.")
    if unknown:
        raise ModelError(f"{unknown[0]!r} is no parameter of 'styles': they are {', '.join(KEYS)}.")
    if parameters["version"] != VERSION:
        raise ModelError(f"The parameters of 'styles' are not of version {VERSION}: refit them.")
    table = parameters["styles"]
    if not isinstance(table, dict) or not table:
        raise ModelError("The 'styles' must be an object: one entry a style.")
    given = np.array([_share(entry, name) for name, entry in table.items()])
    shares = np.maximum(given / given.sum(), LEAST)
    members = [_member(entry, name) for name, entry in table.items()]
    weights = [one.weights if isinstance(one, logit.Logit) else _FLAT for one in members]
    noise = [one.epsilon if isinstance(one, logit.Logit) else 1.0 for one in members]
    return Styles(
        tuple(members),
        np.ascontiguousarray(np.moveaxis(np.array(weights), 0, -1)),
        np.array(noise),
        tuple(table),
        tuple((shares / shares.sum()).tolist()),
    )


def _share(entry: object, name: str) -> float:
    if not isinstance(entry, dict) or "share" not in entry:
        raise ModelError(f"The style {name!r} needs a 'share'.")
    share = number(entry["share"], f"share of the style {name!r}")
    if share <= 0:
        raise ModelError(f"The share of the style {name!r} must be over 0.")
    return share


def _member(entry: Mapping[str, Any], name: str) -> Model:
    kind = entry.get("model")
    if not isinstance(kind, str) or kind not in _MEMBERS:
        raise ModelError(
            f"The style {name!r} is of the model {kind!r}: choose {' or '.join(_MEMBERS)}."
        )
    own = {key: value for key, value in entry.items() if key != "share"}
    try:
        return _MEMBERS[kind](own)
    except ModelError as error:
        raise ModelError(f"The style {name!r}: {error}") from error
