"""A player who was met before: weights of his own, from what he did in the deals so far.

Players stand between the styles. His weights are the mean of the styles that he was taken for and a
deviation, normal with the spread `DEVIATION` (MAP; docs/math.md 7). They are one style more, beside
the others, with the share that they earned by foretelling the deals before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from inference.errors import NotationError
from inference.opponents import Model, logit
from inference.opponents.choices import N_WEIGHTS, Choices, Values, loss
from inference.opponents.features import FEATURES
from inference.opponents.styles import Styles

NAME = "as before"
"""What the style is called."""
KEY = "player"
"""Where he stands in the `meta` of a record."""
MEMORY = ("styles", KEY)
"""What there says how the opponent played before: these are of one deal and one player."""
DEVIATION = 1.0
EPSILON = 0.03
LEAST = 1e-3
"""A share is never so low or high that a change could not be seen."""
_STEPS = 30
_DIGITS = 3
_LARGEST = 1000


class Person(NamedTuple):
    """Hold a player's own weights, float64[2, n_features], and how far they are to be trusted.

    `share` is the probability, before a deal, that they foretell it and not the styles.
    """

    weights: Values
    share: float

    def beside(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Return the shares of the other styles and, last, his own.

        >>> Person(np.zeros((2, 0)), 0.5).beside((0.5, 0.5))
        (0.25, 0.25, 0.5)
        """
        return (*((1 - self.share) * share for share in shares), self.share)


def fit(model: Styles, p: Values, choices: Choices, r: Values) -> Values:
    """Return weights [2, n_features] for choices that weigh `r` [n].

    `p` [z] is how likely each style of the model is his.
    """
    from scipy.optimize import minimize  # a new opponent does without

    fitted = np.array(model.noise) < 1
    of_style = np.moveaxis(model.weights, -1, 0)[fitted].reshape(-1, N_WEIGHTS)
    mean = np.average(of_style, axis=0, weights=p[fitted])
    bounds = [*((None, None) for _ in range(N_WEIGHTS)), (EPSILON, EPSILON)]
    start, given = np.append(mean, EPSILON), (choices, r, mean, DEVIATION)
    found = minimize(
        loss, start, given, "L-BFGS-B", jac=True, bounds=bounds, options={"maxiter": _STEPS}
    )
    return np.asarray(found.x[:-1].reshape(2, -1))


def with_person(model: Model, person: Person | None) -> Model:
    """Return the model with the person as its last style; one without styles stays as it is."""
    if person is None or not isinstance(model, Styles):
        return model
    own = logit.Logit(np.ascontiguousarray(person.weights), EPSILON)
    return Styles(
        (*model.members, own),
        np.concatenate([model.weights, person.weights[:, :, None]], axis=2),
        np.append(model.noise, EPSILON),
        (*model.styles, NAME),
        person.beside(model.shares),
        model.name,
    )


def without_person(model: Model) -> Model:
    """Return the model without a person; the inverse of `with_person`."""
    if not isinstance(model, Styles) or NAME not in model.styles:
        return model
    shares = np.array(model.shares[:-1])
    return Styles(
        model.members[:-1],
        np.ascontiguousarray(model.weights[:, :, :-1]),
        model.noise[:-1],
        model.styles[:-1],
        tuple((shares / shares.sum()).tolist()),
        model.name,
    )


def memory(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a record's `meta` says of how the opponent played before; notes are left aside.

    >>> memory({"opponent": "Ada", "styles": {"random": 1.0}, "player": "of the club"})
    {'styles': {'random': 1.0}}
    """
    return {key: meta[key] for key in MEMORY if isinstance(meta.get(key), dict)}


def to_json(person: Person) -> dict[str, Any]:
    """Return him as he stands in a record."""
    pairs = person.weights.T.round(_DIGITS).tolist()
    return {
        "share": round(person.share, _DIGITS),
        "weights": dict(zip(FEATURES, pairs, strict=True)),
    }


def of_meta(meta: Mapping[str, Any]) -> Person | None:
    """Return the person that a record's `meta` tells of, None if it tells of none.

    Weights for other features than today's are left aside, as another version wrote them; so is
    what has other entries, as a note of somebody's. Raise NotationError for what is no person.
    """
    found = meta.get(KEY)
    if not isinstance(found, dict) or found.keys() != {"share", "weights"}:
        return None
    share, weights = found["share"], found["weights"]
    if not _is_number(share) or not LEAST <= share <= 1 - LEAST:
        raise NotationError(f"the share of the player in meta is {LEAST} to {1 - LEAST}.")
    if not isinstance(weights, dict) or not all(map(_is_pair, weights.values())):
        raise NotationError("the weights of the player in meta are two numbers for each feature.")
    if weights.keys() != set(FEATURES):
        return None
    return Person(np.array([weights[name] for name in FEATURES], dtype=float).T, float(share))


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_weight, value))


def _is_weight(value: object) -> bool:
    return _is_number(value) and abs(value) <= _LARGEST  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
