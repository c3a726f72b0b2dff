"""From a seed to a file of styles: deals of the pool, restarts of EM, names, and what it is worth.

Everything follows from the seed; the file names it, with the hash of the deals.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from inference.game.record import Record, format_record
from inference.game.rules import PRESETS
from inference.opponents.features import FEATURES
from inference.opponents.logit import PHASES
from inference.opponents.logit import VERSION as LOGIT_VERSION
from inference.opponents.styles import VERSION
from inference.paths import model_file
from inference.spread import spread
from inference.workshop.fit import (
    Choices,
    Fit,
    Values,
    Whole,
    em,
    gather,
    log_joint,
    posterior,
    rows,
)
from inference.workshop.pool import FAMILIES, HELD_OUT
from inference.workshop.simulate import play_pool

FITTED = tuple(family for family in FAMILIES if family not in HELD_OUT)
RANDOM = "random"
MANNERS = {
    "careless": "careless",
    "greedy": "greedy",
    "hoarder": "marriage-keeping",
    "puller": "trump-pulling",
    "closer": "bold",
    "careful": "careful",
    "rulebook": "by-the-book",
    "sampler": "searching",
    "reckoner": "calculating",
    "solver": "searching",
    "walker": "searching",
}
"""What a style is called in which the players of a family are most at home."""
RANDOM_SHARE = 0.4
"""The prior of the random player, set and not fitted: the pool's shares say nothing of strangers,
and to misread a careless one costs more bits than to take some plays longer to trust the others."""
TEMPERATURE = 1.0
"""As fitted: what is left of chance in the play of the fitted players is in the weights."""
N_RESTARTS = 2
TEST_SHARE = 10
"""One deal in so many is kept out of the fit, to choose among the restarts and to report."""


def fit_styles(n_deals: int, n_styles: int, seed: int, jobs: int = 1) -> dict[str, Any]:
    """Return the parameters of the model `styles`, fitted on deals of the pool.

    `n_styles` are fitted; the random player is one more.
    """
    deals = list(spread(partial(_deal, seed), range(n_deals), jobs, "deals"))
    digest = sha256("\n".join(text for text, _, _ in deals).encode()).hexdigest()
    kept = [deal for i, deal in enumerate(deals) if i % TEST_SHARE]
    tested = [deal for i, deal in enumerate(deals) if i % TEST_SHARE == 0]
    choices, test = (gather([table for _, _, table in some]) for some in (kept, tested))
    names = [name for _, both, _ in kept for name in both]
    who = _numbers(names)
    fits = spread(
        partial(_restart, choices, who, n_styles, seed), range(N_RESTARTS), jobs, "restarts"
    )
    scored = [(_log_loss(fit, test, len(tested)), fit) for fit in fits]
    log_loss, fit = min(scored, key=lambda one: one[0])
    alone = float(np.log(test.sizes).mean())
    return {
        "model": "styles",
        "version": VERSION,
        "rules": "any two-player",
        "made": f"fitted by `sixtysix fit --deals {n_deals} --styles {n_styles} --seed {seed}`",
        "corpus": {"families": list(FITTED), "deals": n_deals, "seed": seed, "sha256": digest},
        "scores": {
            "deals kept out": len(tested),
            "log loss of a choice": round(log_loss, 4),
            "of the random player": round(alone, 4),
        },
        "styles": _styles(fit, named(posterior(log_joint(fit, choices, len(names))), names)),
    }


def _log_loss(fit: Fit, test: Choices, n_deals: int) -> float:
    joint = log_joint(fit, test, 2 * n_deals)
    return float(-np.logaddexp.reduce(joint, axis=1).sum() / len(test.starts))


def _deal(seed: int, number: int) -> tuple[str, list[str], Any]:
    rules = list(PRESETS.values())
    record = play_pool(rules, seed, (FITTED, FITTED), number)
    return format_record(record), _names(record), rows(record)


def _names(record: Record) -> list[str]:
    return [record.meta["players"][seat] for seat in "SN"]


def _numbers(names: Sequence[str]) -> Whole:
    order = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([order[name] for name in names])


def _restart(choices: Choices, who: Whole, n_styles: int, seed: int, number: int) -> Fit:
    return em(choices, who, n_styles, np.random.default_rng([seed, number]))


def named(p: Values, players: Sequence[str]) -> list[str]:
    """Name each fitted style after the family that is most at home in it.

    Every family names one style if there are enough; of several with one name all but the commonest
    bear a number as well.
    """
    families = np.array([name.split()[0] for name in players])
    theirs = [p[families == family, :-1] for family in MANNERS]
    home = np.array([some.sum(axis=0) / max(1, len(some)) for some in theirs])
    found = home.argmax(axis=0)
    order, first = linear_sum_assignment(-home)
    found[first] = order
    manners, seen, names = list(MANNERS.values()), Counter[str](), [""] * len(found)
    for z in np.argsort(-p[:, :-1].mean(axis=0)):
        manner = manners[found[z]]
        seen[manner] += 1
        names[z] = manner if seen[manner] == 1 else f"{manner} {seen[manner]}"
    return names


def _styles(fit: Fit, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the entry of each style, the commonest first, the random player last."""
    shipped = json.loads(model_file("logit.json").read_text(encoding="utf-8"))
    meanings = {name: weight["meaning"] for name, weight in shipped["weights"].items()}
    shares = fit.shares[:-1] / fit.shares[:-1].sum() * (1 - RANDOM_SHARE)
    found = {
        names[z]: {"share": round(float(shares[z]), 4), **_entry(fit, int(z), meanings)}
        for z in np.argsort(-shares)
    }
    return found | {RANDOM: {"share": RANDOM_SHARE, "model": "uniform"}}


def _entry(fit: Fit, z: int, meanings: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters of one style, a file of the model `logit` in itself."""
    table = fit.weights[z].reshape(len(PHASES), len(FEATURES)).round(3)
    weights = {
        name: {
            **dict(zip(PHASES, map(float, table[:, i]), strict=True)),
            "meaning": meanings[name],
        }
        for i, name in enumerate(FEATURES)
    }
    return {
        "model": "logit",
        "version": LOGIT_VERSION,
        "rules": "any two-player",
        "made": "one of the fitted styles",
        "temperature": TEMPERATURE,
        "epsilon": round(float(fit.epsilon[z]), 4),
        "weights": weights,
    }
