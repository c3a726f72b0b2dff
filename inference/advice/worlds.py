"""Worlds: complete layouts of the hidden cards, enumerated or drawn from the belief."""

from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference.belief import Belief
from inference.cards import Card, cards
from inference.game.position import View
from inference.solve.encode import Vector, encode


class Worlds(NamedTuple):
    """Hold fully known states [n, STATE_SIZE] (`encode`) and their weights [n]."""

    states: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]

    def part(self, start: int, stop: int) -> Worlds:
        """Return the worlds from start to stop."""
        return Worlds(self.states[start:stop], self.weights[start:stop])


def n_worlds(view: View, belief: Belief) -> int:
    """Count the layouts that differ: the talon's order matters only while it is drawn from."""
    orders = 1 if view.public.closed else factorial(view.n_hidden)
    return len(belief.hands) * orders


def enumerate_worlds(view: View, belief: Belief, rng: np.random.Generator) -> Worlds:
    """List every world once, hand by hand in random order, so that a part is a fair sample."""
    p = bayes.mixture(belief).astype(float)
    rows = [
        (state(view, int(belief.hands[i]), talon), p[i])
        for i in rng.permutation(len(p))
        for talon in _talons(view, int(belief.hands[i]))
    ]
    states, weights = zip(*rows, strict=True)
    return Worlds(np.array(states), np.array(weights))


def _talons(view: View, hand: int) -> list[tuple[Card, ...]]:
    hidden = tuple(cards(view.unseen & ~hand))
    return [hidden] if view.public.closed else list(permutations(hidden))


def state(view: View, hand: int, hidden: tuple[Card, ...]) -> Vector:
    """Return the fully known state in which he holds a hand and the talon lies so."""
    position = view.determine(hand, hidden)
    return encode(position.public, position.hands, position.talon)


def tempered(belief: Belief, alpha: float) -> Belief:
    """Return the belief over hands alone, mixed with card counting by `alpha`.

    Counting knows only which hands are possible. A model that reads too much into a play then
    costs less, and no hand is forgotten.

    >>> tempered(bayes.condition(bayes.prior(0b11, 1), [0.9, 0.1]), 0.5).weights[:, 0].round(3)
    array([0.7, 0.3])
    """
    p = bayes.mixture(belief).astype(float)
    mixed = (1.0 - alpha) * p / p.sum() + alpha / len(p)
    return Belief(belief.hands, mixed[:, None], np.ones(1), np.zeros(1))


def sample_worlds(view: View, belief: Belief, n: int, rng: np.random.Generator) -> Worlds:
    """Draw `n` worlds: whole hands by their probability, the talon in random order."""
    hands = [int(hand) for hand in bayes.sample(belief, n, rng)]
    states = [state(view, hand, shuffled(view.unseen & ~hand, rng)) for hand in hands]
    return Worlds(np.array(states), np.ones(n))


def shuffled(mask: int, rng: np.random.Generator) -> tuple[Card, ...]:
    """Return the cards of a mask in random order."""
    hidden = cards(mask)
    return tuple(hidden[i] for i in rng.permutation(len(hidden)))
