"""From a seed to a file of styles: deals of the pool, restarts of EM, names, and what it is worth.

There are two groups: players of all kinds, and simple programs, which differ so much from each
other that among all the rest they would share a style or two. Everything follows from the seed; the
file names it, with the hash of the deals.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from inference.game.record import Record, format_record
from inference.game.rules import PRESETS
from inference.opponents.choices import Choices, Values, Whole
from inference.opponents.features import FEATURES
from inference.opponents.logit import PHASES
from inference.opponents.logit import VERSION as LOGIT_VERSION
from inference.opponents.styles import VERSION
from inference.paths import model_file
from inference.spread import spread
from inference.workshop.fit import Fit, em, gather, log_joint, posterior, rows
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
    "crude": "simple",
}
"""What a style is called in which the players of a family are most at home."""
RANDOM_SHARE = 0.45
"""The prior of the random player, set and not fitted: the pool's shares say nothing of strangers,
and to misread a careless one costs more bits than to take some plays longer to trust the others."""


class Group(NamedTuple):
    """Hold families whose styles are fitted together, and their prior, which is set as well.

    `part` is the share of the deals that it gets, `styles` that of the number of styles.
    """

    name: str
    families: tuple[str, ...]
    part: float
    styles: float
    prior: float


SIMPLE = ("rulebook", "crude")
GROUPS = (
    Group("all kinds", tuple(name for name in FITTED if name != "crude"), 1.0, 1.0, 0.37),
    Group("simple programs", SIMPLE, 0.25, 0.5, 0.18),
)


class Fitted(NamedTuple):
    """Hold the styles of a group: what was fitted, after whom each is called, how good it is."""

    fit: Fit
    manners: list[str]
    scores: dict[str, float]
    text: str
    """The deals."""


TEMPERATURE = 1.0
"""As fitted: what is left of chance in the play of the fitted players is in the weights."""
N_RESTARTS = 2
TEST_SHARE = 10
"""One deal in so many is kept out of the fit, to choose among the restarts and to report."""


def fit_styles(n_deals: int, n_styles: int, seed: int, jobs: int = 1) -> dict[str, Any]:
    """Return the parameters of the model `styles`, fitted on deals of the pool.

    `n_styles` are fitted for players of all kinds, half as many on a quarter of the deals for
    simple programs; the random player is one more.
    """
    found = [_fitted(group, n_deals, n_styles, seed, jobs) for group in GROUPS]
    return {
        "model": "styles",
        "version": VERSION,
        "rules": "any two-player",
        "made": f"fitted by `sixtysix fit --deals {n_deals} --styles {n_styles} --seed {seed}`",
        "corpus": {
            "families": list(FITTED),
            "deals": n_deals,
            "seed": seed,
            "sha256": sha256("\n".join(one.text for one in found).encode()).hexdigest(),
        },
        "scores": {group.name: one.scores for group, one in zip(GROUPS, found, strict=True)},
        "styles": _styles(found),
    }


def _fitted(group: Group, n_deals: int, n_styles: int, seed: int, jobs: int) -> Fitted:
    """Fit the styles of a group; the better restart by the deals kept out is taken."""
    numbers = range(max(TEST_SHARE, round(group.part * n_deals)))
    deals = list(spread(partial(_deal, seed, group.families), numbers, jobs, "deals"))
    kept = [deal for i, deal in enumerate(deals) if i % TEST_SHARE]
    tested = [deal for i, deal in enumerate(deals) if i % TEST_SHARE == 0]
    choices, test = (gather([table for _, _, table in some]) for some in (kept, tested))
    names = [name for _, both, _ in kept for name in both]
    n = max(1, round(group.styles * n_styles))
    work = partial(_restart, choices, _numbers(names), n, seed)
    fits = spread(work, range(N_RESTARTS), jobs, "restarts")
    scored = [(_log_loss(fit, test, len(tested)), fit) for fit in fits]
    log_loss, fit = min(scored, key=lambda one: one[0])
    scores = {
        "deals kept out": len(tested),
        "log loss of a choice": round(log_loss, 4),
        "of the random player": round(float(np.log(test.sizes).mean()), 4),
    }
    p = posterior(log_joint(fit, choices, len(names)))
    return Fitted(fit, at_home(p, names), scores, "\n".join(text for text, _, _ in deals))


def _log_loss(fit: Fit, test: Choices, n_deals: int) -> float:
    joint = log_joint(fit, test, 2 * n_deals)
    return float(-np.logaddexp.reduce(joint, axis=1).sum() / len(test.starts))


def _deal(seed: int, families: Sequence[str], number: int) -> tuple[str, list[str], Any]:
    rules = list(PRESETS.values())
    record = play_pool(rules, seed, (families, families), number)
    return format_record(record), _names(record), rows(record)


def _names(record: Record) -> list[str]:
    return [record.meta["players"][seat] for seat in "SN"]


def _numbers(names: Sequence[str]) -> Whole:
    order = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([order[name] for name in names])


def _restart(choices: Choices, who: Whole, n_styles: int, seed: int, number: int) -> Fit:
    return em(choices, who, n_styles, np.random.default_rng([seed, number]))


def at_home(p: Values, players: Sequence[str]) -> list[str]:
    """Name each fitted style after the family that is most at home in it.

    Every family names one style if there are enough. `p` [n, z + 1] are the styles' probabilities
    for each of the players.
    """
    families = np.array([name.split()[0] for name in players])
    there = [family for family in MANNERS if family in families]
    home = np.array([p[families == family, :-1].mean(axis=0) for family in there])
    found = home.argmax(axis=0)
    order, first = linear_sum_assignment(-home)
    found[first] = order
    return [MANNERS[there[i]] for i in found]


def numbered(manners: Sequence[str]) -> list[str]:
    """Tell styles of one manner apart: all but the first bear a number as well.

    >>> numbered(["careful", "bold", "careful"])
    ['careful', 'bold', 'careful 2']
    """
    seen, names = Counter[str](), []
    for one in manners:
        seen[one] += 1
        names.append(one if seen[one] == 1 else f"{one} {seen[one]}")
    return names


def _styles(found: Sequence[Fitted]) -> dict[str, dict[str, Any]]:
    """Return the entry of each style, the commonest first, the random player last."""
    shipped = json.loads(model_file("logit.json").read_text(encoding="utf-8"))
    meanings = {name: weight["meaning"] for name, weight in shipped["weights"].items()}
    each = []
    for group, one in zip(GROUPS, found, strict=True):
        shares = one.fit.shares[:-1] / one.fit.shares[:-1].sum() * group.prior
        each += [
            (float(share), one.manners[z], _entry(one.fit, z, meanings))
            for z, share in enumerate(shares)
        ]
    each.sort(key=lambda style: -style[0])
    names = numbered([manner for _, manner, _ in each])
    styles = {
        name: {"share": round(share, 4), **entry}
        for name, (share, _, entry) in zip(names, each, strict=True)
    }
    return styles | {RANDOM: {"share": RANDOM_SHARE, "model": "uniform"}}


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
