"""Information-set Monte Carlo tree search: one tree for what I can see, a new world every walk.

P. I. Cowling, E. J. Powley, D. Whitehouse: Information Set Monte Carlo Tree Search (2012). A walk
draws a world from the belief and goes down the tree that all worlds share; the nodes are what I
have seen happen, so his hidden draws do not branch and my own do. Two worlds that I cannot tell
apart thus never get different plans. Where an action is not legal in every world its availability
stands in for the visits of the parent.

With a policy, *he* plays as it expects of the hand that he has in the world, and *I* try the action
with the highest bound, where the policy tells what to try first (C. D. Rosin: Multi-armed Bandits
with Episode Context, 2011); at the root every fifth walk begins with any action, so that what is
told of poor ones can be relied upon (D. Tolpin, S. E. Shimony: MCTS Based on Simple Regret, 2012).
Without one the search is the published one: each tries what serves him best by upper confidence
bounds. Below the tree both play on by rules of thumb.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, typeof, types

import inference.solve.encode as e
from inference.advice.chance import Stream, uniform
from inference.advice.option import Values
from inference.advice.playout import act, expect
from inference.advice.thumb import one_of, thumb
from inference.opponents.features import Weights
from inference.solve.bits import high_bit, low_bit
from inference.solve.rules_kernel import actor, apply, legal_bits, payoff

EXPLORATION = 0.4
"""Weight of what is little tried, where a deal is worth -1 to 1 and there is no policy."""
TRUST, OPENNESS, UNTRIED = 0.8, 0.25, 0.1
"""Weight of the policy's opinion, the share of it that is even, and what an untried action is
thought to lose against the mean of the tried ones."""
EVENLY = 0.2
"""Share of the walks that begin with any of my actions."""
MOST_NODES = 1 << 18
"""A full tree grows no further; it is searched on."""
LONGEST = 120
"""More nodes than a deal has actions and draws."""
N_EDGES = e.N_ACTIONS + 24
"""An edge is an action, or after a round of drawing the card that I drew."""
N_PAYOFFS = 7
"""Game points of a deal from -3 to 3."""


class Tree(NamedTuple):
    """Hold the nodes: children [n, N_EDGES], visits, availability and my winnings [n].

    `size` [1] counts the nodes; the root is 0, and a child 0 is none. For the actions at the root
    `payoffs` [N_ACTIONS, 7] counts the walks by my game points -3 to 3, and `met` and `won`
    [N_ACTIONS, 24] those in which he held each card, and those of them that I won.
    """

    children: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int64]
    available: npt.NDArray[np.int64]
    gained: Values
    size: npt.NDArray[np.int64]
    payoffs: npt.NDArray[np.int64]
    met: npt.NDArray[np.int64]
    won: npt.NDArray[np.int64]


class Root(NamedTuple):
    """Hold what I know, what I may do, and what a deal is worth to me.

    `state` lacks the hidden cards; `hands` [n] may be his, with cumulated probabilities. `actions`
    are bits of columns, `utility` [7] is the worth, -1 to 1, of my game points -3 to 3.
    """

    state: e.Vector
    rules: e.Vector
    seat: int
    hands: npt.NDArray[np.int64]
    cumulated: Values
    unseen: int
    actions: int
    utility: Values


class Guide(NamedTuple):
    """Hold the policy that guides the tree, or none if `follows` is 0."""

    weights: Weights
    epsilon: float
    follows: int


def new_tree(n: int = MOST_NODES) -> Tree:
    """Return a tree with room for `n` nodes."""
    children, counts = np.zeros((n, N_EDGES), np.int32), np.zeros((2, n), np.int64)
    tallies = (np.zeros((e.N_ACTIONS, width), np.int64) for width in (N_PAYOFFS, 24, 24))
    return Tree(children, counts[0], counts[1], np.zeros(n), np.ones(1, np.int64), *tallies)


_I8, _F8, _STATE, _ROW = types.int64, types.float64, types.int64[::1], types.float64[::1]
_TREE = typeof(new_tree(1))  # type: ignore[no-untyped-call]
_ROOT = typeof(  # type: ignore[no-untyped-call]
    Root(*(2 * (np.zeros(1, np.int64),)), 0, np.zeros(1, np.int64), np.zeros(1), 0, 0, np.zeros(1))
)
_GUIDE = typeof(Guide(np.zeros((2, 1)), 0.0, 0))  # type: ignore[no-untyped-call]


@njit(nogil=True)
def put(s: e.Vector, place: int, card: int) -> None:
    """Lay a card on a place of the talon."""
    if place < e.STACK_CARDS:
        s[e.STACK] |= card << 5 * place
    else:
        s[e.STACK_REST] |= card << 5 * (place - e.STACK_CARDS)


@njit(types.void(_ROOT, _STATE, _STATE), cache=True, nogil=True)
def draw_world(root: Root, chance: Stream, s: e.Vector) -> None:
    """Set the state to a world: a hand by its probability, the face-down talon at random."""
    s[:] = root.state
    i = min(int(np.searchsorted(root.cumulated, uniform(chance))), len(root.hands) - 1)
    s[e.HANDS + 1 - root.seat] = root.hands[i]
    rest, place = root.unseen & ~root.hands[i], 0
    while rest:
        card = one_of(chance, rest)
        rest &= ~(1 << card)
        put(s, place, card)
        place += 1
    if s[e.UPCARD] >= 0:
        put(s, place, s[e.UPCARD])


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
    return float(sign * tree.gained[child] / n + EXPLORATION * more)


@njit(nogil=True)
def select(tree: Tree, node: int, bits: int, sign: float, chance: Stream) -> int:
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
    return one_of(chance, untried) if untried else found


@njit(nogil=True)
def prefer(tree: Tree, node: int, bits: int, p: Values) -> int:
    """Return the action of highest bound where a policy has an opinion `p` of each."""
    seen, found, most = tree.visits[node], 0, -np.inf
    width = np.sqrt(max(1.0, float(seen)))
    first = tree.gained[node] / seen - UNTRIED if seen else 0.0
    while bits:
        column = low_bit(bits)
        bits &= bits - 1
        child = tree.children[node, column]
        n = tree.visits[child] if child else 0
        mean = tree.gained[child] / n if n else first
        bound = mean + TRUST * p[column] * width / (1.0 + n)
        if bound > most:
            found, most = column, bound
    return found


@njit(nogil=True)
def consult(
    tree: Tree, root: Root, guide: Guide, s: e.Vector, node: int, chance: Stream, p: Values
) -> int:
    """Return an action where a policy guides: he follows it, I look at what it prefers first."""
    if actor(s) != root.seat:
        return act(s, root.rules, guide.weights, guide.epsilon, chance, p)
    if node == 0 and uniform(chance) < EVENLY:
        return one_of(chance, root.actions)
    bits = expect(s, root.rules, guide.weights, OPENNESS, p)
    return prefer(tree, node, root.actions if node == 0 else bits, p)


@njit(nogil=True)
def step(tree: Tree, root: Root, s: e.Vector, column: int, path: e.Vector, n: int) -> int:
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
def go_down(
    tree: Tree, root: Root, guide: Guide, s: e.Vector, path: e.Vector, chance: Stream, p: Values
) -> int:
    """Follow the tree to a new node or to the end of the deal; return the path's length."""
    n, new, bits = 1, False, root.actions
    while bits and not new:
        choice = bits & (bits - 1) != 0
        if choice and guide.follows:
            column = consult(tree, root, guide, s, path[n - 1], chance, p)
        else:
            sign = 1.0 if actor(s) == root.seat else -1.0
            column = select(tree, path[n - 1], bits, sign, chance)
        new = tree.children[path[n - 1], column] == 0 and choice
        longer = step(tree, root, s, column, path, n)
        if longer == n:
            break
        n, bits = longer, legal_bits(s, root.rules)
    return n


@njit(nogil=True)
def play_out(s: e.Vector, rules: e.Vector, chance: Stream) -> int:
    """Play a deal to its end in place and return the game points of S."""
    bits = legal_bits(s, rules)
    while bits:
        apply(s, rules, thumb(s, bits, chance))
        bits = legal_bits(s, rules)
    return payoff(s)


@njit(nogil=True)
def column_to(tree: Tree, bits: int, child: int) -> int:
    """Return the column, among some, that leads from the root to a child."""
    while tree.children[0, low_bit(bits)] != child:
        bits &= bits - 1
    return int(low_bit(bits))


@njit(nogil=True)
def count(tree: Tree, column: int, hand: int, points: int) -> None:
    """Note a walk that began with an action of mine, his hand in it, and what I got."""
    tree.payoffs[column, 3 + points] += 1
    while hand:
        card = low_bit(hand)
        hand &= hand - 1
        tree.met[column, card] += 1
        tree.won[column, card] += points > 0


@njit(types.void(_TREE, _ROOT, _GUIDE, _STATE, _I8), cache=True, nogil=True)
def walk(tree: Tree, root: Root, guide: Guide, chance: Stream, n: int) -> None:
    """Draw `n` worlds; in each go down to a new node, play the deal out and count it."""
    s, path = np.empty(e.STATE_SIZE, np.int64), np.zeros(LONGEST, np.int64)
    p, sign = np.empty(e.N_ACTIONS), 1 - 2 * root.seat
    for _ in range(n):
        draw_world(root, chance, s)
        hand = s[e.HANDS + 1 - root.seat]
        length = go_down(tree, root, guide, s, path, chance, p)
        points = sign * play_out(s, root.rules, chance)
        for i in range(length):
            tree.visits[path[i]] += 1
            tree.gained[path[i]] += root.utility[3 + points]
        if length > 1:
            count(tree, column_to(tree, root.actions, path[1]), hand, points)
