"""Measure how deals end: the shares from which the probability to win a match follows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from inference import opponents
from inference.game.equity import PAYOFFS
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules
from inference.game.state import SEATS
from inference.spread import spread
from inference.workshop.simulate import by_models, choose

PLAYER = "logit"


def endings(n_deals: int, seed: int, jobs: int = 1) -> dict[str, Any]:
    """Return the file `models/match.json`: for each preset, how often the leader wins so much.

    Both seats follow the policy of the model `logit`, each from its own hand.
    """
    shares = {}
    for name, rules in PRESETS.items():
        won = list(spread(partial(ending, rules, seed), range(n_deals), jobs, "deals"))
        shares[name] = {f"{n:+d}": won.count(n) / n_deals for n in PAYOFFS}
    return {
        "measures": "shares of deals by the game points of the leader to trick 1",
        "command": f"sixtysix fit --match --deals {n_deals} --seed {seed}",
        "player": PLAYER,
        "shares": shares,
    }


def ending(rules: Rules, seed: int, number: int) -> int:
    """Play deal `number` of a seed and return the payoff of its leader."""
    rng, leader = np.random.default_rng([seed, number]), SEATS[number % 2]
    position, model = Position.deal(rules, leader, rng), opponents.load(PLAYER)
    while not position.public.over:
        event = choose(position, partial(by_models, (model, model)), rng)
        position = position.play(event.action, event.seat)
    return position.public.payoff[leader]
