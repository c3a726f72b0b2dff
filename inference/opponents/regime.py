"""The styles over deals: a slower hidden Markov chain above the filters of the single deals.

A state is a style, an observation is a finished deal: how probable all that was seen in it is under
each style (docs/math.md 7). What a player was like yesterday tells how he begins today.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inference.errors import ModelError
from inference.opponents import Model
from inference.opponents.fields import number
from inference.paths import model_file

Values = npt.NDArray[np.float64]
KEYS = ("model", "version", "made", "corpus", "scores", "transitions")
VERSION = 1
TRUST = 0.6
"""Power of a deal's evidence: players stand between the styles, and moods are no styles."""
_LEAST = -1e4
"""Log-evidence below that of the best style by more counts as this: hmmlearn takes no infinity."""
_OWN_COUNT, _COUNT = 8.0, 0.1
"""Transitions that a fit takes as seen beforehand: to the same style, and to each other one."""
_ROUNDS, _ENOUGH = 200, 1e-3


class Chain(NamedTuple):
    """Hold how styles follow each other from deal to deal.

    `start` [z] are the styles' probabilities in the first deal, `transitions` [z, z] those of the
    next deal's style (column) after this one's (row). Log-evidences are float64[n_deals, z].
    """

    styles: tuple[str, ...]
    start: Values
    transitions: Values

    def filter(self, log_evidences: npt.ArrayLike) -> Values:
        """Return the styles' probabilities in each deal, given it and all before it [n, z]."""
        p, found = self.start, []
        for row in _table(log_evidences, len(self.start)):
            joint = p * np.exp(row - row.max())
            found.append(joint / joint.sum())
            p = found[-1] @ self.transitions
        return np.array(found).reshape(-1, len(self.start))

    def predict(self, log_evidences: npt.ArrayLike) -> Values:
        """Return the styles' probabilities [z] in the deal after those."""
        seen = self.filter(log_evidences)
        return self.start if not len(seen) else np.asarray(seen[-1] @ self.transitions)

    def decode(self, log_evidences: npt.ArrayLike) -> tuple[str, ...]:
        """Return the single most probable sequence of styles, one a deal (Viterbi)."""
        table = _table(log_evidences, len(self.start))
        if not len(table):
            return ()
        hmm = _hmm(self.start, self.transitions)
        return tuple(self.styles[int(z)] for z in hmm.decode(table)[1])

    def score(self, sessions: Sequence[Values]) -> float:
        """Return the log-probability of the deals of some players, each a chain of its own.

        It is one of the deals' evidences to the power `TRUST`. Chains over other styles, more or
        fewer, compare by it if the deals are the same.
        """
        whole = np.concatenate(list(sessions))
        hmm = _hmm(self.start, self.transitions)
        frames = _table(whole, len(self.start))
        best = TRUST * whole.max(axis=1).sum()
        return float(hmm.score(frames, [len(s) for s in sessions]) + best)


def fit(
    styles: tuple[str, ...],
    start: npt.ArrayLike,
    sessions: Sequence[Values],
    seed: int,
    n_restarts: int = 10,
) -> Chain:
    """Learn the chain from the log-evidences of some players' deals by EM; the best restart wins.

    The states are the styles from the first round to the last, as their evidences are given, so
    that no restart can exchange them. `start` is where the rounds begin.
    """
    tables = [_table(session, len(styles)) for session in sessions]
    frames, lengths = np.concatenate(tables), [len(table) for table in tables]
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_restarts):
        hmm = _hmm(np.asarray(start, dtype=float), _transitions(len(styles), rng), learns="st")
        hmm.fit(frames, lengths)
        found.append((hmm.score(frames, lengths), hmm))
    best = max(found, key=lambda one: one[0])[1]
    return Chain(styles, best.startprob_, best.transmat_)


def _transitions(n_styles: int, rng: np.random.Generator) -> Values:
    """Draw where a restart begins: more or less faithful players."""
    rows = rng.dirichlet(np.ones(n_styles), n_styles)
    return np.asarray(0.5 * rows + 0.5 * np.eye(n_styles))


def _table(log_evidences: npt.ArrayLike, n_styles: int) -> Values:
    """Return log-evidences as they count, each deal from its best style."""
    table = TRUST * np.asarray(log_evidences, dtype=float).reshape(-1, n_styles)
    return np.asarray(np.maximum(table - table.max(axis=1, keepdims=True), _LEAST))


def _hmm(start: Values, transitions: Values, learns: str = "") -> Any:
    """Return hmmlearn's model, whose frames are the log-evidences themselves."""
    from hmmlearn.base import BaseHMM  # takes a second, and playing does without

    class Deals(BaseHMM):  # type: ignore[misc]  # it has no types
        def _compute_log_likelihood(self, X: Values) -> Values:  # noqa: N803
            return X

        def _get_n_fit_scalars_per_param(self) -> None:
            """Count none: the states have no parameters of their own."""

    n_styles = len(start)
    prior = np.full((n_styles, n_styles), 1 + _COUNT) + _OWN_COUNT * np.eye(n_styles)
    hmm: Any = Deals(
        n_styles,
        startprob_prior=1 + _COUNT,
        transmat_prior=prior,
        n_iter=_ROUNDS,
        tol=_ENOUGH,
        params=learns,
        init_params="",
        implementation="log",
    )
    hmm.startprob_, hmm.transmat_, hmm.n_features = start, transitions, n_styles
    return hmm


def load(model: Model, path: Path | None = None) -> Chain:
    """Return the shipped chain, or that of a file, over the styles of a model.

    It begins with the model's own shares. Raise ModelError if it does not fit them.
    """
    path = path or model_file("chain.json")
    try:
        parameters = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is no file of a style chain: {error}.") from error
    return build(parameters, model)


def build(parameters: Mapping[str, Any], model: Model) -> Chain:
    """Return the chain of a file of parameters; raise ModelError if it does not fit the model."""
    if not isinstance(parameters, dict) or parameters.keys() != set(KEYS):
        raise ModelError(f"A style chain needs exactly these entries: {', '.join(KEYS)}.")
    if parameters["model"] != "chain" or parameters["version"] != VERSION:
        raise ModelError(f"This is no style chain of version {VERSION}: refit it.")
    table, styles = parameters["transitions"], model.styles
    if not isinstance(table, dict) or table.keys() != set(styles):
        raise ModelError(
            f"The style chain must have a row for each style of {model.name!r} "
            f"({', '.join(styles)}): refit it."
        )
    rows = np.array([_row(table[style], style, styles) for style in styles])
    return Chain(styles, np.array(model.shares), rows / rows.sum(axis=1, keepdims=True))


def _row(entry: object, style: str, styles: tuple[str, ...]) -> list[float]:
    if not isinstance(entry, dict) or entry.keys() != set(styles):
        raise ModelError(f"The row of {style!r} in the style chain needs one entry a style.")
    row = [number(entry[to], f"chance that {style!r} is followed by {to!r}") for to in styles]
    if min(row) <= 0:
        raise ModelError(f"The chances in the row of {style!r} in the style chain must be over 0.")
    return row
