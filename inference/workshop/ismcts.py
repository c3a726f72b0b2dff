"""Information-set Monte Carlo tree search with one tree for the seat that thinks (SO-ISMCTS).

P. I. Cowling, E. J. Powley, D. Whitehouse: Information Set Monte Carlo Tree Search (2012). Every
iteration draws a new world from the belief and goes down one tree that all worlds share; its nodes
are what the thinking seat has seen happen, so his hidden draws do not branch, and my own do. Where
an action is not legal in every world its availability stands in for the visits of the parent.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

import inference.solve.encode as e
from inference import belief as bayes
from inference.belief import Belief
from inference.game.events import Action
from inference.game.position import View
from inference.solve.bits import count, high_bit, low_bit
from inference.solve.encode import Vector, column_action, encode, encode_rules
from inference.solve.rules_kernel import ABOVE, PTS, SUITS, actor, apply, legal_bits, payoff
from inference.workshop.effort import Effort

EXPLORATION = 0.4
"""Weight of what is little tried, where a deal is worth -1 to 1."""
CARELESS = 0.2
"""Share of random actions when a deal is played out."""
MOST_NODES = 1 << 18
"""A full tree grows no further; it is searched on."""
CHUNK = 250
"""Iterations between two looks at the clock."""
LONGEST = 120
"""More nodes than a deal has actions and draws."""
N_EDGES = e.N_ACTIONS + 24
"""An edge is an action, or after a round of drawing the card that I drew."""
SILENT = 1 << e.COLUMN_SILENCE
PLAYS = (1 << 24) - 1
SHOWS = 255 << e.COLUMN_ANNOUNCE


class Tree(NamedTuple):
    """Hold the nodes: children [n, N_EDGES], visits, availability and my winnings [n].

    `size` [1] counts the nodes; the root is 0, and a child 0 is none.
    """

    children: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int64]
    available: npt.NDArray[np.int64]
    won: npt.NDArray[np.float64]
    size: npt.NDArray[np.int64]


class Root(NamedTuple):
    """Hold what I know: the state without the hidden cards, his hands and how likely they are."""

    state: Vector
    rules: Vector
    seat: int
    hands: npt.NDArray[np.int64]
    cumulated: npt.NDArray[np.float64]
    unseen: int


def best(view: View, belief: Belief, rng: np.random.Generator, effort: Effort) -> Action:
    """Return the most visited action of a seat that has a choice.

    The effort counts iterations; some are made in any case.
    """
    started, done = perf_counter(), 0
    tree, root = _new_tree(), _root(view, belief)
    while done == 0 or not effort.spent(done, started):
        size = CHUNK if effort.seconds is not None else min(CHUNK, effort.worlds - done)
        iterate(tree, root, rng, size)
        done += size
    visits = tree.visits[tree.children[0]] * (tree.children[0] > 0)
    return column_action(int(visits.argmax()))


def _new_tree() -> Tree:
    n = MOST_NODES
    children = np.zeros((n, N_EDGES), np.int32)
    visits, available = np.zeros(n, np.int64), np.zeros(n, np.int64)
    return Tree(children, visits, available, np.zeros(n), np.ones(1, np.int64))


def _root(view: View, belief: Belief) -> Root:
    """Gather what the search needs; what the other seat might do first, it has left."""
    hands = (view.hand, 0) if view.seat == 0 else (0, view.hand)
    state, p = encode(view.public, hands), bayes.mixture(belief).astype(float)
    for place in (e.ANNOUNCED, e.FRESH_CLOSE):
        state[place] = min(1, state[place])
    rules, his = encode_rules(view.public.rules), belief.hands.astype(np.int64)
    return Root(state, rules, int(view.seat), his, np.cumsum(p / p.sum()), view.unseen)


@njit(nogil=True)
def below(rng: np.random.Generator, n: int) -> int:
    """Draw a whole number from 0 to n - 1."""
    return int(rng.random() * n)


@njit(nogil=True)
def one_of(rng: np.random.Generator, bits: int) -> int:
    """Draw one of the bits."""
    k = below(rng, count(bits & PLAYS) + count(bits >> 24))
    for _ in range(k):
        bits &= bits - 1
    return low_bit(bits)


@njit(nogil=True)
def draw_world(root: Root, rng: np.random.Generator, s: Vector) -> None:
    """Set the state to a world: a hand by its probability, the face-down talon at random."""
    s[:] = root.state
    i = min(int(np.searchsorted(root.cumulated, rng.random())), len(root.hands) - 1)
    hand = root.hands[i]
    s[e.HANDS + 1 - root.seat] = hand
    rest, place = root.unseen & ~hand, 0
    while rest:
        card = one_of(rng, rest)
        rest &= ~(1 << card)
        put(s, place, card)
        place += 1
    if s[e.UPCARD] >= 0:
        put(s, place, s[e.UPCARD])


@njit(nogil=True)
def put(s: Vector, place: int, card: int) -> None:
    """Lay a card on a place of the talon."""
    if place < e.STACK_CARDS:
        s[e.STACK] |= card << 5 * place
    else:
        s[e.STACK_REST] |= card << 5 * (place - e.STACK_CARDS)


# -- a deal played out ----------------------------------------------------------------------------


@njit(nogil=True)
def dearest(mask: int) -> int:
    """Return the card of most points."""
    found, most = -1, -1
    while mask:
        card = low_bit(mask)
        mask &= mask - 1
        if PTS[card] > most:
            found, most = card, PTS[card]
    return found


@njit(nogil=True)
def cheapest(mask: int, trump: int) -> int:
    """Return the card of least points, trumps last."""
    found, least = -1, 99
    while mask:
        card = low_bit(mask)
        mask &= mask - 1
        cost = PTS[card] + 8 * (card // 6 == trump)
        if cost < least:
            found, least = card, cost
    return found


@njit(nogil=True)
def thumb_reply(s: Vector, cards: int, strict: bool) -> int:
    """Answer a lead: win with what pays, else throw the cheapest card."""
    led, trump = s[e.LED], s[e.TRUMP]
    same = cards & SUITS[led // 6] & ABOVE[led]
    if same and (led // 6 != trump or strict or PTS[led] >= 10):
        return dearest(same)
    ruffs = cards & SUITS[trump]
    if ruffs and led // 6 != trump and (strict or PTS[led] >= 10):
        return cheapest(ruffs, -1)
    return cheapest(cards, trump)


@njit(nogil=True)
def thumb(s: Vector, bits: int, rng: np.random.Generator) -> int:
    """Return what a plain player does: claim, exchange, announce; win tens and aces; lead low."""
    for column in (e.COLUMN_CLAIM, e.COLUMN_EXCHANGE, e.COLUMN_SILENCE):
        if bits >> column & 1:
            return column
    if bits & SHOWS:
        trump = 3 << e.COLUMN_ANNOUNCE + 2 * s[e.TRUMP]
        return low_bit(bits & trump) if bits & trump else low_bit(bits & SHOWS)
    strict, cards = s[e.TALON] == 0 or s[e.CLOSED_BY] >= 0, bits & PLAYS
    if rng.random() < CARELESS:
        return one_of(rng, cards)
    if s[e.LED] >= 0:
        return thumb_reply(s, cards, strict)
    return dearest(cards) if strict else cheapest(cards, s[e.TRUMP])


@njit(nogil=True)
def play_out(s: Vector, rules: Vector, rng: np.random.Generator) -> None:
    """Play a deal to its end in place."""
    bits = legal_bits(s, rules)
    while bits:
        apply(s, rules, thumb(s, bits, rng))
        bits = legal_bits(s, rules)


# -- the tree -------------------------------------------------------------------------------------


@njit(nogil=True)
def child_of(tree: Tree, node: int, edge: int) -> int:
    """Return the child, made if need be; the root if the tree is full."""
    child = tree.children[node, edge]
    if child == 0 and tree.size[0] < len(tree.visits):
        child = tree.size[0]
        tree.children[node, edge], tree.available[child] = child, 1
        tree.size[0] += 1
    return int(child)


@njit(nogil=True)
def upper_bound(tree: Tree, child: int, sign: float) -> float:
    """Return the upper confidence bound of a tried action for the seat whose `sign` is given."""
    n = tree.visits[child]
    more = np.sqrt(np.log(tree.available[child]) / n)
    return float(sign * tree.won[child] / n + EXPLORATION * more)


@njit(nogil=True)
def select(tree: Tree, node: int, bits: int, sign: float, rng: np.random.Generator) -> int:
    """Return an action that was never tried, at random, or else that of the highest bound."""
    untried, found, most = 0, 0, -np.inf
    while bits:
        column = low_bit(bits)
        bits &= bits - 1
        child = tree.children[node, column]
        if child == 0:
            untried |= 1 << column
            continue
        tree.available[child] += 1
        bound = upper_bound(tree, child, sign)
        if bound > most:
            found, most = column, bound
    return one_of(rng, untried) if untried else found


@njit(nogil=True)
def step(tree: Tree, root: Root, s: Vector, column: int, path: Vector, n: int) -> int:
    """Do an action at the end of a path of `n` nodes; return the longer path's length.

    What I draw leads on to a node of its own. The path stays if the tree is full.
    """
    before, drawing = s[e.HANDS + root.seat], s[e.TO_DRAW]
    apply(s, root.rules, column)
    path[n] = child_of(tree, path[n - 1], column)
    if path[n] and drawing and column == e.COLUMN_SILENCE:
        n += 1
        card = high_bit(s[e.HANDS + root.seat] & ~before)
        path[n] = child_of(tree, path[n - 1], e.N_ACTIONS + card)
    return n + 1 if path[n] else n


@njit(nogil=True)
def go_down(tree: Tree, root: Root, s: Vector, path: Vector, rng: np.random.Generator) -> int:
    """Follow the tree to a new node or to the end of the deal; return the path's length."""
    n, new = 1, False
    bits = legal_bits(s, root.rules)
    while bits and not new:
        sign = 1.0 if actor(s) == root.seat else -1.0
        column = select(tree, path[n - 1], bits, sign, rng)
        new = tree.children[path[n - 1], column] == 0 and bits & (bits - 1) != 0
        longer = step(tree, root, s, column, path, n)
        if longer == n:
            break
        n, bits = longer, legal_bits(s, root.rules)
    return n


@njit(cache=True, nogil=True)
def iterate(tree: Tree, root: Root, rng: np.random.Generator, n: int) -> None:
    """Draw `n` worlds; in each go down to a new node, play the deal out and count it."""
    s, path = np.empty(e.STATE_SIZE, np.int64), np.zeros(LONGEST, np.int64)
    for _ in range(n):
        draw_world(root, rng, s)
        length = go_down(tree, root, s, path, rng)
        play_out(s, root.rules, rng)
        won = payoff(s) * (1 - 2 * root.seat) / 3.0
        for i in range(length):
            tree.visits[path[i]] += 1
            tree.won[path[i]] += won
