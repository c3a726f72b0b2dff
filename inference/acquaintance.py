"""Get to know a player: what finished deals told of him, and what the next one is to expect.

His hands are known only in part, even afterwards, so each of his choices is looked at with several
hands that he may have held, by what all later events say of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from inference import belief as bayes
from inference.belief import Belief, Step
from inference.cards import Seat
from inference.opponents import person, regime
from inference.opponents.choices import Row, Values, Whole, collect, row
from inference.opponents.person import Person
from inference.opponents.styles import Styles
from inference.tracker import Choice, Tracker

N_HANDS = 8
"""Hands that are looked at for each choice."""
SHARE = 0.3
"""How far weights of his own are trusted before they foretold anything."""
_SLIGHT = 0.02
"""A style less likely than this says nothing of his hands."""

Candidates = tuple[tuple[int, ...], ...]
"""For each choice, hands that he may have held."""


class Told(NamedTuple):
    """Hold what a finished deal told of a player.

    `log_evidence` [z] are those of the model's styles, `own` that of the weights which he was
    expected to have, None if there were none yet; `rows` are his choices, each with the hands that
    he may have held.
    """

    log_evidence: Values
    own: float | None
    rows: tuple[Row, ...]


def hands_of(tracker: Tracker, p: Values) -> Candidates:
    """Return for each choice of a finished deal `N_HANDS` hands that he may have held then.

    `p` [z] are the probabilities of the belief's columns after the deal. The hands stand in their
    beliefs' order at equal steps of probability, so nothing is drawn by lot; a likely hand comes
    several times.
    """
    kept = np.flatnonzero(p >= min(_SLIGHT, p.max()))
    steps = [_cut(step, kept) for _, step in tracker.steps]
    at = {id(step.belief): i for i, (_, step) in enumerate(tracker.steps)}
    smoothed = bayes.smooth(steps)
    return tuple(
        _at_equal_steps(smoothed[at[id(choice.before)]], p[kept]) for choice in tracker.choices
    )


def _cut(step: Step, kept: Whole) -> Step:
    """Leave out the styles that are not kept."""
    one = step.belief
    few = Belief(one.hands, one.weights[:, kept], one.evidence[kept], one.log_evidence[kept])
    return step._replace(belief=few)


def _at_equal_steps(belief: Belief, p: Values) -> tuple[int, ...]:
    up_to = np.cumsum(bayes.mixture(belief, p / p.sum()))
    places = (np.arange(N_HANDS) + 0.5) / N_HANDS * up_to[-1]
    return tuple(belief.hands[np.searchsorted(up_to, places)].tolist())


def learnt(tracker: Tracker, log_evidence: Values, p: Values, n_styles: int) -> Told:
    """Return what a finished deal told of the opponent.

    `log_evidence` are those of the `n_styles` styles, whatever their prior, and behind them that of
    his own weights, if the deal was read with some; `p` are the probabilities of all the belief's
    columns.
    """
    styles, own = np.split(log_evidence, [n_styles])
    rows = rows_of(tracker.choices, tracker.view.opponent, hands_of(tracker, p))
    return Told(styles, float(own[0]) if len(own) else None, rows)


def rows_of(choices: Sequence[Choice], he: Seat, hands: Candidates) -> tuple[Row, ...]:
    """Return his choices with those hands as rows of features; what was forced tells nothing."""
    return tuple(_rows(choices, he, hands))


def _rows(choices: Sequence[Choice], he: Seat, hands: Candidates) -> Iterator[Row]:
    for choice, held in zip(choices, hands, strict=True):
        for hand in held:
            found = row(choice.public, he, hand, choice.column)
            if found is not None:
                yield found


def expected(model: Styles, deals: Sequence[Told]) -> tuple[Values, Person | None]:
    """Return how likely each style [z] is in the deal after those, and what is known of him.

    Deals in which he had no choice are as if they had not been.
    """
    deals, chain = [deal for deal in deals if deal.rows], regime.load(model)
    shares = chain.predict([deal.log_evidence for deal in deals])
    if not deals:
        return shares, None
    rows = [row for deal in deals for row in deal.rows]
    choices = collect(rows)
    weights = person.fit(model, shares, choices, np.full(len(choices.starts), 1 / N_HANDS))
    return shares, Person(weights, _share(chain, deals))


def _share(chain: regime.Chain, deals: Sequence[Told]) -> float:
    """Weigh his own weights against the styles by how well each foretold the deals before."""
    log_odds = np.log(SHARE / (1 - SHARE))
    for k, deal in enumerate(deals):
        if deal.own is not None:
            shares = chain.predict([one.log_evidence for one in deals[:k]])
            styles = np.logaddexp.reduce(np.log(shares) + deal.log_evidence)
            log_odds += regime.TRUST * (deal.own - styles)
    return float(np.clip(1 / (1 + np.exp(-log_odds)), person.LEAST, 1 - person.LEAST))
