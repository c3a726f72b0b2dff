"""Several playing styles at once: each reads a choice in its own way, and the belief weighs them.

A style is a model without styles of its own. `uniform` is one of them in the shipped file, so that
a careless player is recognised instead of misread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from inference.cards import Seat
from inference.errors import ModelError
from inference.game.state import PublicState
from inference.opponents import Hands, Model, Probabilities, logit, uniform
from inference.opponents.fields import number

KEYS = ("model", "version", "rules", "made", "corpus", "scores", "styles")
VERSION = 1
_MEMBERS: dict[str, Callable[[Mapping[str, Any]], Model]] = {
    "logit": logit.build,
    "uniform": uniform.build,
}


class Styles(NamedTuple):
    """Hold a model for each style, and how common the styles are before anything is seen."""

    members: tuple[Model, ...]
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
        """Return P(one action | hand, style), float64[n, z]."""
        columns = [member.likelihood(public, seat, hands, column) for member in self.members]
        return np.stack(columns, axis=1)


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
    shares = [_share(entry, name) for name, entry in table.items()]
    members = [_member(entry, name) for name, entry in table.items()]
    whole = sum(shares)
    return Styles(tuple(members), tuple(table), tuple(share / whole for share in shares))


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
