"""Exact inference over hidden hands; it knows no rules, only masks and weights (docs/math.md)."""

from inference.belief.factor import (
    Belief,
    condition,
    contain,
    draw,
    entropy_bits,
    exclude,
    log_bayes_factor,
    log_evidence,
    marginals,
    mixture,
    p_hand,
    prior,
    replace,
    sample,
    style_posterior,
    top,
)
from inference.belief.smooth import Path, Step, most_likely_path, smooth

__all__ = [
    "Belief",
    "Path",
    "Step",
    "condition",
    "contain",
    "draw",
    "entropy_bits",
    "exclude",
    "log_bayes_factor",
    "log_evidence",
    "marginals",
    "mixture",
    "most_likely_path",
    "p_hand",
    "prior",
    "replace",
    "sample",
    "smooth",
    "style_posterior",
    "top",
]
