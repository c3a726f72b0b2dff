"""Models of a player: how likely each hand makes each action (the emission of the belief).

A model is one module here, one line in `REGISTRY` and, if it has parameters, one file in models/.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from inference.cards import Seat
from inference.errors import ModelError
from inference.game.state import PublicState
from inference.paths import model_file

Hands = npt.NDArray[np.uint32]
Probabilities = npt.NDArray[np.float64]


class Model(Protocol):
    """Say how a player chooses, from his own hand and public facts alone.

    Actions are the columns of `solve.encode`. `seat` is the one to act (while a round of drawing is
    due, the trick's winner) or the other seat where it has a choice: to answer a close, to claim
    its announcement; silence is then one of the actions. Where it has none, all is 0.

    A row depends on its hand alone. Zero means certainly illegal, and every illegal action is zero.
    """

    @property
    def name(self) -> str:
        """The name in the registry."""

    @property
    def styles(self) -> tuple[str, ...]:
        """The names of the playing styles told apart; none where there is no such thing."""

    @property
    def shares(self) -> tuple[float, ...]:
        """How common each style is before anything is seen; (1.0,) without styles."""

    @property
    def chance(self) -> int | None:
        """Which of the styles is the random player, None if none is."""

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return P(action | hand) as float64[n, N_ACTIONS]; rows sum to 1 over the legal actions.

        (`counting` is exempt: it is the indicator of the legal actions.)
        """

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return one column of the policy, float64[n]; float64[n, z] where there are styles."""


REGISTRY = {
    "counting": "inference.opponents.counting",
    "uniform": "inference.opponents.uniform",
    "logit": "inference.opponents.logit",
    "styles": "inference.opponents.styles",
}
"""Where each model's `build(parameters)` is."""

DEFAULT = "styles"
LONGEST = 1000
"""Letters in the longest path that is tried."""


def load(name_or_path: str | Path = DEFAULT, shares: Mapping[str, float] | None = None) -> Model:
    """Return a model by its name, or from a file of parameters; raise ModelError if it is unfit.

    `shares` say how likely each style is for this player if that is known better than from the
    file; those of another model's styles are left aside.

    >>> load("uniform").name
    'uniform'
    """
    if not isinstance(name_or_path, str | Path) or len(str(name_or_path)) > LONGEST:
        raise ModelError(f"A model is named {', '.join(REGISTRY)}, or by the path of a file.")
    shipped = str(name_or_path) in REGISTRY
    path = model_file(f"{name_or_path}.json") if shipped else Path(name_or_path)
    parameters: Mapping[str, Any] = {"model": name_or_path}
    if path.is_file():
        parameters = _read(path)
    elif not shipped:
        raise ModelError(
            f"There is no model {str(name_or_path)!r}: choose one of {', '.join(REGISTRY)}, "
            "or give the path of a file of parameters."
        )
    name = parameters.get("model")
    if not isinstance(name, str) or name not in REGISTRY:
        raise ModelError(f"{path}: 'model' is {name!r}, but the models are {', '.join(REGISTRY)}.")
    model: Model = import_module(REGISTRY[name]).build(_with(parameters, shares))
    return model


def manner(style: str) -> str:
    """Return what a style is called; styles that are much alike share a name, with a number each.

    >>> manner("careful 2"), manner("careful"), manner("66")
    ('careful', 'careful', '66')
    """
    name, _, number = style.rpartition(" ")
    return name if name and number.isdecimal() else style


def by_manner(styles: Sequence[str], p: Iterable[float]) -> dict[str, float]:
    """Add up the probabilities of the styles that share a name.

    >>> by_manner(("careful", "bold", "careful 2"), (0.5, 0.25, 0.25))
    {'careful': 0.75, 'bold': 0.25}
    """
    found: dict[str, float] = {}
    for style, q in zip(styles, p, strict=True):
        found[manner(style)] = found.get(manner(style), 0.0) + float(q)
    return found


def digest(name: str = DEFAULT) -> str:
    """Return a short hash of a shipped model's file: what was computed with it may be kept."""
    return sha256(model_file(f"{name}.json").read_bytes()).hexdigest()[:16]


def _with(parameters: Mapping[str, Any], shares: Mapping[str, float] | None) -> Mapping[str, Any]:
    styles = parameters.get("styles")
    if not isinstance(styles, dict) or shares is None or styles.keys() != shares.keys():
        return parameters
    known = {name: {**entry, "share": shares[name]} for name, entry in styles.items()}
    return {**parameters, "styles": known}


def _read(path: Path) -> Mapping[str, Any]:
    try:
        now = path.stat()
        return _parsed(path.absolute(), (now.st_mtime_ns, now.st_ctime_ns, now.st_size))
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error}.") from error


@lru_cache(maxsize=8)  # advice asks for the same file at every card
def _parsed(path: Path, _version: tuple[int, ...]) -> Mapping[str, Any]:
    try:
        parameters = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is not a file of model parameters: {error}.") from error
    if not isinstance(parameters, dict):
        raise ModelError(f"{path} is not a file of model parameters: it holds no object.")
    return parameters
