"""Sessions of many deals with one player: to learn the style chain, and to test what it finds.

What a deal says of its styles does not depend on the prior, so it is measured once a deal and any
chain can be run over it afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from inference import opponents
from inference.game.record import Record
from inference.game.rules import Rules
from inference.game.state import SEATS
from inference.opponents import Model, regime
from inference.opponents.regime import Values
from inference.opponents.styles import Styles
from inference.session import Session
from inference.spread import spread
from inference.workshop.pool import FAMILIES, HELD_OUT, player
from inference.workshop.simulate import N_PLAYERS, by_models, by_players, play_out

FITTED = tuple(family for family in FAMILIES if family not in HELD_OUT)
SHORTEST, LONGEST = 10, 20
P_CHANGE = 0.05
"""Chance that a player of a session changes into another before a deal."""
TEST_SHARE = 5
"""One session in so many is kept out of the fit."""
N_PLANTED = 10
"""Deals that a planted style lasts."""
FOUND = 0.5


def log_evidence(record: Record, model: str = opponents.DEFAULT) -> Values:
    """Return what a complete deal says of N's styles, as S sees it, float64[z]."""
    session = Session.from_record(record, "S", model)
    return np.array(list(session.log_evidences().values()))


# -- the chain -------------------------------------------------------------------------------------


def fit_chain(rules: Sequence[Rules], n_sessions: int, seed: int, jobs: int = 1) -> dict[str, Any]:
    """Return the parameters of the style chain, learnt from sessions with players of the pool.

    Each session is played under one of the `rules`.
    """
    model = opponents.load()
    sessions = list(
        spread(partial(_pool_session, rules, seed), range(n_sessions), jobs, "sessions")
    )
    kept = [session for i, session in enumerate(sessions) if i % TEST_SHARE]
    tested = [session for i, session in enumerate(sessions) if i % TEST_SHARE == 0]
    learnt = regime.fit(model.styles, np.array(model.shares), kept, seed)
    chain = learnt._replace(start=np.array(model.shares))
    named = f" --rules {rules[0].name}" if len(rules) == 1 else ""
    n_deals, apart = sum(map(len, tested)), _apart(chain)
    return {
        "model": "chain",
        "version": regime.VERSION,
        "made": f"learnt by `sixtysix fit --sessions {n_sessions}{named} --seed {seed}`",
        "corpus": {
            "families": list(FITTED),
            "rules": [one.name for one in rules],
            "sessions": n_sessions,
            "deals": sum(map(len, sessions)),
            "seed": seed,
            "styles": opponents.digest(),
        },
        "scores": {
            "deals kept out": n_deals,
            "log-probability of a deal": round(chain.score(tested) / n_deals, 4),
            "of deals that tell nothing of each other": round(apart.score(tested) / n_deals, 4),
        },
        "transitions": {
            style: {to: round(float(p), 4) for to, p in zip(chain.styles, row, strict=True)}
            for style, row in zip(chain.styles, chain.transitions, strict=True)
        },
    }


def _apart(chain: regime.Chain) -> regime.Chain:
    return chain._replace(transitions=np.tile(chain.start, (len(chain.start), 1)))


def _pool_session(rules: Sequence[Rules], seed: int, number: int) -> Values:
    """Play a session against a player who now and then turns into another; return [n_deals, z]."""
    rng = np.random.default_rng([seed, number])
    one = rules[int(rng.integers(len(rules)))]
    me, he = _stranger(rng, seed), _stranger(rng, seed)
    found = []
    for deal in range(int(rng.integers(SHORTEST, LONGEST + 1))):
        he = _stranger(rng, seed) if rng.random() < P_CHANGE else he
        choice = partial(by_players, [me, he])
        found.append(log_evidence(play_out(one, SEATS[deal % 2], choice, rng, {})))
    return np.array(found)


def _stranger(rng: np.random.Generator, seed: int) -> Any:
    return player(str(rng.choice(FITTED)), int(rng.integers(N_PLAYERS)), seed)


# -- planted styles --------------------------------------------------------------------------------


class Planted(NamedTuple):
    """Hold a session in which N played one style exactly, then another.

    `n_to_find` counts the deals until the first style's filtered probability was over one half,
    `n_to_switch` those after the change until the second one's was; None if it never was.
    """

    styles: tuple[str, str]
    n_to_find: int | None
    n_to_switch: int | None


def planted(
    rules: Sequence[Rules], n_sessions: int, seed: int, jobs: int = 1, n_deals: int = N_PLANTED
) -> list[Planted]:
    """Plant the shipped styles, two a session for `n_deals` deals each, and look for them.

    Every style is planted first in as many sessions as every other.
    """
    work = partial(_planted, rules, seed, n_deals)
    return list(spread(work, range(n_sessions), jobs, "sessions"))


def _planted(rules: Sequence[Rules], seed: int, n_deals: int, number: int) -> Planted:
    model = opponents.load()
    assert isinstance(model, Styles)
    rng = np.random.default_rng([seed, number])
    first = number % len(model.styles)
    second = (first + int(rng.integers(1, len(model.styles)))) % len(model.styles)
    play = partial(_deals, rules, model, rng, n_deals)
    rows = [play(model.members[z]) for z in (first, second)]
    p = regime.load(model).filter(np.concatenate(rows))
    names = (model.styles[first], model.styles[second])
    return Planted(names, _found(p[:n_deals, first]), _found(p[n_deals:, second]))


def _deals(
    rules: Sequence[Rules], model: Styles, rng: np.random.Generator, n_deals: int, style: Model
) -> Values:
    """Let N play a style's own policy against other styles; return what was seen [n_deals, z]."""
    found = []
    for deal in range(n_deals):
        one = rules[int(rng.integers(len(rules)))]
        me = model.members[int(rng.integers(len(model.members)))]
        choice = partial(by_models, [me, style])
        found.append(log_evidence(play_out(one, SEATS[deal % 2], choice, rng, {})))
    return np.array(found)


def _found(p: Values) -> int | None:
    """Return how many deals it took until a probability was over one half.

    >>> _found(np.array([0.2, 0.7, 0.4])), _found(np.array([0.1]))
    (2, None)
    """
    over = np.flatnonzero(p > FOUND)
    return int(over[0]) + 1 if len(over) else None
