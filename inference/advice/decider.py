"""The hidden card that decides: whose holding best parts the layouts that win from those that lose.

A decision stump over the layouts that were judged, weighed as they were.
"""

from __future__ import annotations

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


def deciders(belief: Belief, hands: Masks, sample: Sample) -> list[str]:
    """Say for each action by which card it wins or loses, "" where no card explains it.

    `hands` [n] are his in the layouts of the sample. The probability is that of the belief.
    """
    if len(hands) < FEWEST and not sample.whole:
        return [""] * sample.wins.shape[1]
    held = (hands[:, None] >> np.arange(len(Card)) & 1).astype(float)
    share = sample.weights / sample.weights.sum()
    p_held = (share @ held)[:, None]
    won = (held * share[:, None]).T @ sample.wins
    p_won = share @ sample.wins
    unless, only_if = _both(p_held - won, p_held, 1.0 - p_won), _both(won, p_held, p_won)
    with_it, without = won / (p_held + NEVER), (p_won - won) / (1.0 - p_held + NEVER)
    parted = (np.abs(with_it - without) >= GAP) & _open(p_held) & _open(p_won)
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
    p = float(bayes.mixture(belief) @ (belief.hands >> np.uint32(card) & 1))
    return f"wins {'only if' if wins else 'unless'} he holds {Card(card)} ({percent(p)})"


def percent(p: float) -> str:
    """Write a probability without claiming certainty that rounding made.

    >>> percent(0.9999), percent(0.71), percent(0.0001)
    ('over 99 %', '71 %', 'under 1 %')
    """
    if 0 < p < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 <= p < 1 else f"{100 * p:.0f} %"
