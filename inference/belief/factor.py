"""The belief about one hidden hand: Bayes, play, exchange, draw and what can be read from it.

`n` hands (rows) by `z` playing styles (columns). A belief is a filter over a hidden Markov model
(docs/math.md): `condition`, `contain` and `exclude` observe, `replace` and `draw` move on. Weights
may have any numpy dtype: `float`, or `object` holding `Fraction`s, which stay exact throughout.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inference.cards import show
from inference.errors import ContradictionError

Hands = npt.NDArray[np.uint32]
Weights = npt.NDArray[Any]


class Belief(NamedTuple):
    """Hold the hands that are still possible, each with its probability under every style.

    `hands` [n] is sorted and without repeats; each column of `weights` [n, z] sums to 1 (to 0 for
    a style that is refuted). `evidence` [z] is the probability of the last observation given all
    before it, in the dtype of the weights; `log_evidence` [z] sums the logs, beginning
    with that of the style's own prior probability if it has one.
    """

    hands: Hands
    weights: Weights
    evidence: Weights
    log_evidence: npt.NDArray[np.float64]


def frozen(
    hands: Hands, weights: Weights, evidence: Weights, log_evidence: npt.NDArray[np.float64]
) -> Belief:
    """Make a belief whose arrays cannot be written to."""
    belief = Belief(hands, weights, evidence, log_evidence)
    for array in belief:
        array.flags.writeable = False
    return belief


def _moved(belief: Belief, hands: Hands, weights: Weights) -> Belief:
    """Nothing was observed, so the evidence of this step is 1."""
    return frozen(hands, weights, np.ones_like(belief.evidence), belief.log_evidence)


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _compress(hands: Hands, mask: int) -> Hands:
    """Gather the bits under `mask` at the low end, so that a hand can index a small table."""
    index = np.zeros_like(hands)
    for low, bit in enumerate(_bits(mask)):
        index |= (hands >> bit & 1) << low
    return index


def _deposit(index: Hands, mask: int) -> Hands:
    """Undo `_compress`; keeps the order, so sorted stays sorted."""
    hands = np.zeros_like(index)
    for low, bit in enumerate(_bits(mask)):
        hands |= (index >> low & 1) << bit
    return hands


def prior(
    unseen: int,
    size: int,
    known: int = 0,
    excluded: int = 0,
    n_styles: int = 1,
    dtype: npt.DTypeLike = float,
    style_prior: npt.ArrayLike | None = None,
) -> Belief:
    """Spread the belief evenly over the hands of `size` unseen cards that fit what is known.

    The hands hold all of `known` and none of `excluded`. With `dtype=object` the weights are
    `Fraction`s. `style_prior` gives the styles' probabilities before anything was seen; without it
    there are `n_styles` that count alike. Raise ContradictionError if there is no such hand.

    >>> len(prior(unseen=(1 << 17) - 1, size=6).hands)
    12376
    """
    free, n_free = unseen & ~known & ~excluded, size - known.bit_count()
    if known & (~unseen | excluded) or not 0 <= n_free <= free.bit_count():
        raise ContradictionError(
            f"No hand of {size} cards fits: unseen are {show(unseen) or 'none'}, "
            f"it must hold {show(known) or 'none'} and cannot hold {show(excluded) or 'any'}."
        )
    subsets = np.arange(1 << free.bit_count(), dtype=np.uint32)
    hands = _deposit(subsets[np.bitwise_count(subsets) == n_free], free) | np.uint32(known)
    shares = np.ones(n_styles) if style_prior is None else np.asarray(style_prior, dtype=float)
    weights = np.full((len(hands), len(shares)), Fraction(1, len(hands)), dtype=dtype)
    return frozen(hands, weights, np.ones(len(shares), dtype=dtype), np.log(shares))


def condition(
    belief: Belief, likelihood: npt.ArrayLike, fact: str = "what was seen here"
) -> Belief:
    """Weigh each hand by how likely it makes an observation (Bayes).

    `likelihood` is [n], or [n, z] where the styles differ, of whatever scale. Hands that no style
    allows are dropped; a hand with a positive likelihood never is, however small. Raise
    ContradictionError, naming the `fact`, if nothing is left.

    >>> belief = condition(prior(0b111, 1), [0.5, 0.5, 0.0])
    >>> belief.hands.tolist(), belief.weights[:, 0].tolist(), belief.evidence.round(3).tolist()
    ([1, 2], [0.5, 0.5], [0.333])
    """
    weights = belief.weights
    given = np.asarray(likelihood, dtype=weights.dtype)
    given = np.broadcast_to(given if given.ndim == 2 else given[:, None], weights.shape)
    possible = (weights > 0) & (given > 0)
    kept = possible.any(axis=1)
    if not kept.any():
        raise ContradictionError(
            f"No hidden hand that is still possible goes with {fact}; "
            "this entry or an earlier one is wrong."
        )
    joint, scale = _joint(weights[kept], given[kept], possible[kept])
    total = joint.sum(axis=0)
    with np.errstate(divide="ignore"):  # a refuted style has log-evidence -inf
        log_evidence = belief.log_evidence + np.log(total.astype(float)) + np.log(scale)
    return frozen(
        belief.hands[kept], joint / np.where(total > 0, total, 1), total * scale, log_evidence
    )


def _joint(
    weights: Weights, likelihood: Weights, possible: npt.NDArray[np.bool_]
) -> tuple[Weights, Weights]:
    """Return prior times likelihood and the factor [z] by which it was scaled down.

    Scaling by the largest likelihood and a floor at the smallest normal number keep every possible
    hand alive where the plain product would underflow. Fractions need neither.
    """
    if weights.dtype == object:
        return weights * likelihood, np.ones(weights.shape[1], dtype=int)
    largest = np.where(possible, likelihood, 0).max(axis=0)
    scale = np.where(largest > 0, largest, 1)
    floor = np.finfo(weights.dtype).tiny
    return np.where(possible, np.maximum(weights * (likelihood / scale), floor), 0), scale


def contain(belief: Belief, mask: int) -> Belief:
    """Keep the hands that hold all of `mask`: these cards became known.

    Raise ContradictionError if none does.
    """
    fact = f"a hand that holds {show(mask)}"
    return condition(belief, (belief.hands & np.uint32(mask)) == mask, fact)


def exclude(belief: Belief, card_mask: int, n_hidden: int) -> Belief:
    """Observe that I drew a card, so that it is not in the hidden hand.

    `n_hidden` counts the face-down cards of the talon just before this draw: each hand without
    the card gives it the probability 1 / n_hidden. Raise ContradictionError if all hands hold it.
    """
    assert n_hidden > 0
    lacks = (belief.hands & np.uint32(card_mask)) == 0
    left = condition(belief, lacks, f"the draw of {show(card_mask)}")
    return frozen(
        left.hands,
        left.weights,
        left.evidence / n_hidden,
        left.log_evidence - np.log(n_hidden),
    )


def replace(belief: Belief, out: int, into: int) -> Belief:
    """Move on by a known change of the hand: the cards `out` leave it, the cards `into` come.

    Card played: `into` = 0. Exchange: nine out, upcard in. Face-up trump drawn: `out` = 0. Every
    hand must hold all of `out` and none of `into`, so condition on the action first.
    """
    held = belief.hands & np.uint32(out | into)
    assert (held == out).all(), "condition on the action before moving the cards"
    return _moved(belief, belief.hands ^ np.uint32(out | into), belief.weights)


def n_choices(hands: Hands, pool: int) -> Weights:
    """Count for each hand the cards of `pool` outside it, as small integers [n, 1]."""
    counts: Weights = np.bitwise_count(np.uint32(pool) & ~hands)
    return counts[:, None]


def draw(belief: Belief, pool: int) -> Belief:
    """Move on by an unseen draw: a card of `pool` outside the hand, each equally likely.

    `pool` holds all cards that may lie face down in the talon; it may include cards of the hand.

    >>> draw(prior(0b111, 1), 0b111).hands.tolist()
    [3, 5, 6]
    """
    hands, counts = belief.hands, n_choices(belief.hands, pool)
    assert counts.all(), "there must be a card to draw"
    common = int(np.bitwise_and.reduce(hands))
    varying = (int(np.bitwise_or.reduce(hands)) | pool) & ~common
    index = _compress(hands, varying)
    shares = np.ascontiguousarray((belief.weights / counts).T)
    tables = np.zeros((len(shares), 1 << varying.bit_count()), dtype=shares.dtype)
    for low, bit in enumerate(_bits(varying)):
        if pool >> bit & 1:
            rows = np.flatnonzero((index >> low & 1) == 0)
            targets = index[rows] | np.uint32(1 << low)
            for table, share in zip(tables, shares, strict=True):
                table[targets] += share[rows]
    reached = np.flatnonzero((tables > 0).any(axis=0))
    drawn = _deposit(reached.astype(np.uint32), varying) | np.uint32(common)
    return _moved(belief, drawn, np.ascontiguousarray(tables[:, reached].T))


def style_posterior(
    belief: Belief, style_prior: npt.ArrayLike | None = None
) -> npt.NDArray[np.float64]:
    """Weigh the styles [z] by their evidence and by the prior they began with, or another.

    >>> belief = condition(prior(0b11, 1, n_styles=2), [[0.9, 0.1], [0.3, 0.3]])
    >>> style_posterior(belief).round(3).tolist()
    [0.75, 0.25]
    """
    with np.errstate(divide="ignore"):
        log_joint = belief.log_evidence + np.log(
            1.0 if style_prior is None else np.asarray(style_prior, dtype=float)
        )
    joint = np.exp(log_joint - log_joint.max())
    return np.asarray(joint / joint.sum())


def log_bayes_factor(alone: npt.ArrayLike, style_prior: npt.ArrayLike, style: int) -> float:
    """Return the log of how many times better one style explains what was seen than all others.

    `alone` [z] are the styles' log-evidences whatever their prior; the others count by theirs.

    >>> round(float(np.exp(log_bayes_factor(np.log([0.8, 0.1, 0.3]), [0.5, 0.25, 0.25], 0))), 3)
    4.0
    """
    with np.errstate(divide="ignore"):
        others = np.delete(np.log(np.asarray(style_prior, dtype=float)), style)
    mine, theirs = np.asarray(alone)[style], np.delete(alone, style)
    known = np.logaddexp.reduce(theirs + others) - np.logaddexp.reduce(others)
    return float(mine - known)


def log_evidence(belief: Belief) -> float:
    """Return log P(all that was seen), averaged over the styles.

    >>> belief = condition(prior(0b11, 1, style_prior=[0.75, 0.25]), [[0.4, 0.8], [0.4, 0.8]])
    >>> round(float(np.exp(log_evidence(belief))), 3)
    0.5
    """
    return float(np.logaddexp.reduce(belief.log_evidence))


def mix_of(belief: Belief, style_weights: npt.ArrayLike | None) -> Weights:
    """Return the styles' probabilities [z]: those given, else what follows from an even prior."""
    if style_weights is not None:
        return np.asarray(style_weights)
    if belief.weights.shape[1] == 1:
        return np.ones(1, dtype=int)  # an integer, so that Fractions stay exact
    return style_posterior(belief)


def mixture(belief: Belief, style_weights: npt.ArrayLike | None = None) -> Weights:
    """Return P(hand) [n], averaged over the styles.

    `style_weights` [z] are the styles' probabilities now (from `style_posterior`); without them,
    those that follow from the prior. All functions below take them alike.
    """
    # einsum adds in one fixed order; a threaded product may not, and stalls on a busy machine.
    return np.asarray(np.einsum("nz,z->n", belief.weights, mix_of(belief, style_weights)))


def marginals(belief: Belief, style_weights: npt.ArrayLike | None = None) -> Weights:
    """Return P(card in the hand) for the 24 cards; they add up to the size of the hand."""
    octets = belief.hands.astype("<u4").view(np.uint8).reshape(-1, 4)
    bits = np.unpackbits(octets, axis=1, count=24, bitorder="little")
    return np.asarray(np.einsum("n,nc->c", mixture(belief, style_weights), bits))


def p_hand(belief: Belief, mask: int, style_weights: npt.ArrayLike | None = None) -> Any:
    """Return the probability that the hand is exactly `mask`; 0 if that is impossible."""
    return mixture(belief, style_weights)[belief.hands == mask].sum()


def top(
    belief: Belief, k: int = 10, style_weights: npt.ArrayLike | None = None
) -> list[tuple[int, Any]]:
    """List the `k` likeliest hands as (mask, probability), ties by the smaller mask.

    >>> top(condition(prior(0b111, 1), [0.2, 0.5, 0.3]), k=1)
    [(2, 0.5)]
    """
    p = mixture(belief, style_weights)
    best = np.argsort(-p, kind="stable")[:k]
    return list(zip(belief.hands[best].tolist(), p[best].tolist(), strict=True))


def entropy_bits(belief: Belief, style_weights: npt.ArrayLike | None = None) -> float:
    """Return how many bits are still hidden: 0 if the hand is known.

    >>> entropy_bits(prior(0b1111, 1))
    2.0
    """
    p = mixture(belief, style_weights).astype(float)
    p = p[p > 0]
    return float((p * np.log2(1 / p)).sum())


def sample(
    belief: Belief,
    n: int,
    rng: np.random.Generator,
    style_weights: npt.ArrayLike | None = None,
) -> Hands:
    """Draw `n` whole hands by their probability, with replacement."""
    p = mixture(belief, style_weights).astype(float)
    return rng.choice(belief.hands, size=n, p=p / p.sum())
