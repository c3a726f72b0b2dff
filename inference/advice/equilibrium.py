"""Judge my actions where both hands are hidden from each other and the rest can be solved.

His range is my belief, mine what he can know of my hand; he follows an equilibrium of the two, and
an action is worth what I can still win after it by what I know, not by seeing his cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from time import perf_counter

import numpy as np

from inference import belief as bayes
from inference.advice.option import Sample
from inference.belief import Belief
from inference.cards import HIGHER, SUIT_MASK, Seat, cards
from inference.game.position import View
from inference.solve import equilibrium, solver
from inference.solve.equilibrium import CHECK, MOST_ITERATIONS, TARGET, Game, Range

MOST_PAIRS = 40_000
"""Above this number of pairs of hands the ranges are too wide for one answer."""
NODES = 8
"""Nodes of the tree whose leaves are searched between two looks at the clock."""
CLOSED_PACE, OPEN_PACE = 5e-6, 5e-5
"""Seconds that a pair of hands takes at least, after a close and with a talon of two."""


def my_range(view: View) -> Range:
    """Return the hands that I may hold for all that is public; each counts alike."""
    public = view.public
    pool = (view.unseen | view.hand) & ~public.known[view.opponent]
    hands = bayes.prior(pool, public.held[view.seat], public.known[view.seat]).hands
    return Range(hands.astype(np.int32), np.ones(len(hands)))


def his_range(view: View, belief: Belief) -> Range:
    """Return the hands that he may hold if mine is not known, weighed by my belief.

    A hand of cards that I have not seen counts by its probability (1 is the average), one with
    cards of mine like the average of those that share its other cards. What I know him not to hold
    stays out, among my cards too (`_barred`).
    """
    public, size = view.public, view.public.held[view.opponent]
    pool = (view.unseen | view.hand) & ~(public.known[view.seat] | _barred(view, belief))
    hands = bayes.prior(pool, size, public.known[view.opponent]).hands.astype(np.int32)
    seen = hands & view.unseen
    lift = {part: _lift(view, belief, part, size) for part in np.unique(seen).tolist()}
    weights = np.array([lift[part] for part in seen.tolist()])
    return Range(hands[weights > 0], weights[weights > 0])


def _lift(view: View, belief: Belief, part: int, size: int) -> float:
    """Return how much likelier it is that he holds these unseen cards than it was by counting."""
    p = bayes.mixture(belief).astype(float)[(belief.hands & np.uint32(part)) == part].sum()
    n, k = view.unseen.bit_count(), part.bit_count()
    return float(p) * comb(n, size) / comb(n - k, size - k)


def _barred(view: View, belief: Belief) -> int:
    """Return cards of mine that he cannot hold for what he did: above or beside those he lacks.

    In the strict phase he lacks all cards of a suit that he did not follow, or all above a card
    that he did not beat.
    """
    lacking = view.unseen & ~int(np.bitwise_or.reduce(belief.hands))
    mask = 0
    for card in cards(lacking):
        mask |= HIGHER[card]
        if view.unseen & SUIT_MASK[card.suit] & ~lacking == 0:
            mask |= SUIT_MASK[card.suit]
    return mask & view.hand


def unclosed(view: View) -> View:
    """Return a view in which nobody may close, as after a close anyway.

    At the lead to the last open trick only I could still do it. That is judged apart, so what is
    left is the game of my other actions.
    """
    public = view.public
    return view._replace(public=public._replace(rules=replace(public.rules, close=False)))


def fits(view: View, belief: Belief) -> bool:
    """Tell whether to judge a position so: it qualifies, and something stays hidden afterwards.

    My reply to the last open trick lays all cards open, so its open-card average is right already.
    """
    public = unclosed(view).public
    if len(belief.hands) == 1 or public.to_act != view.seat:
        return False
    if public.closed is None and public.led is not None:
        return False
    return equilibrium.qualifies(public) and _n_pairs(view) <= MOST_PAIRS


def _n_pairs(view: View) -> int:
    """Count the pairs of hands by what everybody knows to be held."""
    public, (s, n) = view.public, view.public.held
    known_s, known_n = (mask.bit_count() for mask in public.known)
    free = (view.unseen | view.hand).bit_count() - known_s - known_n
    return comb(free, s - known_s) * comb(free - s + known_s, n - known_n)


def judge(
    view: View, belief: Belief, columns: list[int], deadline: float | None
) -> Iterator[Sample]:
    """Yield what my actions but the close are worth, better and better, until it is good enough.

    With a `deadline` (of `perf_counter`) nothing comes after it, and nothing at all if the time
    does not suffice; without one the answer follows from the position alone.
    """
    view = unclosed(view)
    pace = OPEN_PACE if view.public.closed is None else CLOSED_PACE
    if _left(deadline) < _n_pairs(view) * pace:
        return
    ranges = (my_range(view), his_range(view, belief))
    game = equilibrium.plant(view.public, *(ranges if view.seat == Seat.S else ranges[::-1]))
    if view.public.closed is None and not _search(game, view, deadline):
        return
    for done in range(0, MOST_ITERATIONS, CHECK):
        seconds = -perf_counter()
        bounds = equilibrium.learn(game, done, done + CHECK)
        yield _sample(game, view, columns)
        seconds += perf_counter()
        if bounds.exploitability <= TARGET or _left(deadline) < seconds:
            return


def _left(deadline: float | None) -> float:
    return np.inf if deadline is None else deadline - perf_counter()


def _search(game: Game, view: View, deadline: float | None) -> bool:
    """Solve the endgames behind all leaves; stop and say no if the time will not suffice."""
    mem, n, started = solver.memory(), len(game.tree.nodes), perf_counter()
    for place in range(0, n, NODES):
        equilibrium.search(game, view.public, mem, place, min(place + NODES, n))
        spent = perf_counter() - started
        if _left(deadline) < spent * (n - place - NODES) / (place + NODES):
            return False
    return True


def _sample(game: Game, view: View, columns: list[int]) -> Sample:
    """Return game points and wins of my actions as one line of certain weight."""
    worth = equilibrium.worth(game, view.seat, view.hand)
    values, wins = zip(*(worth[column] for column in columns), strict=True)
    return Sample(np.array([values]), np.array([wins]), np.ones(1), whole=True)
