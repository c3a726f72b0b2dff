"""The hidden card that decides: whose holding best parts the layouts that win from those that lose.

A decision stump over the layouts that were judged, weighed as they were.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference.advice.option import Sample, Values
from inference.belief import Belief
from inference.cards import Card

FEWEST = 40
"""With a smaller sample nothing is said."""
MOST = 2 / 3
"""Such a share of the losses (or wins) goes with the card, and of the card with them."""

GAP = 0.6
"""By so much the card must change how often the action wins."""
NEVER = 1e-6
"""A probability that is no more than rounding."""

Masks = npt.NDArray[np.int64]


class Dealt(NamedTuple):
    """Hold how often he held each card and I won with each action, as parts of the layouts.

    `held` [24, a], `won` [24, a] (held, and I won), `p_won` [a]; `n` [a] counts the layouts, None
    where they were all.
    """

    held: Values
    won: Values
    p_won: Values
    n: Values | None


def dealt(hands: Masks, sample: Sample) -> Dealt:
    """Count in a sample in which his hands [n] were those given."""
    held = (hands[:, None] >> np.arange(len(Card)) & 1).astype(float)
    share = sample.weights / sample.weights.sum()
    won = (held * share[:, None]).T @ sample.wins
    n = None if sample.whole else np.full(sample.wins.shape[1], float(len(hands)))
    return Dealt(np.tile((share @ held)[:, None], won.shape[1]), won, share @ sample.wins, n)


def deciders(belief: Belief, dealt: Dealt) -> list[str]:
    """Say for each action by which card it wins or loses, "" where no card explains it.

    The probability that is told is that of the belief.
    """
    p_held, won, p_won = dealt.held, dealt.won, dealt.p_won
    unless, only_if = _both(p_held - won, p_held, 1.0 - p_won), _both(won, p_held, p_won)
    with_it, without = won / (p_held + NEVER), (p_won - won) / (1.0 - p_held + NEVER)
    parted = (np.abs(with_it - without) >= GAP) & _open(p_held) & _open(p_won)
    parted &= True if dealt.n is None else dealt.n >= FEWEST
    fits = np.where(parted, np.maximum(unless, only_if), 0.0)
    best = fits.argmax(axis=0)
    return [
        _told(belief, int(card), bool(with_it[card, a] > without[card, a]))
        if fits[card, a] >= MOST
        else ""
        for a, card in enumerate(best)
    ]


def _open(p: Values) -> npt.NDArray[np.bool_]:
    return (p > NEVER) & (p < 1.0 - NEVER)


def _both(joint: Values, one: Values, other: Values) -> Values:
    """Return the smaller of P(one | other) and P(other | one)."""
    return np.asarray(joint / np.maximum(NEVER, np.maximum(one, other)))


def _told(belief: Belief, card: int, wins: bool) -> str:
    held = belief.hands >> np.uint32(card) & 1 == 1
    p = float(bayes.mixture(belief)[held].sum())
    return f"wins {'only if' if wins else 'unless'} he holds {Card(card)} ({percent(p)})"


def percent(p: float) -> str:
    """Write a probability without claiming certainty that rounding made.

    >>> percent(0.9999), percent(0.71), percent(0.0001)
    ('over 99 %', '71 %', 'under 1 %')
    """
    if 0 < p < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 <= p < 1 else f"{100 * p:.0f} %"
