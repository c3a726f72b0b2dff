"""Two-sided equilibria of positions in which neither seat sees the other's hand.

CFR+ finds what both do best if each knows only its own hand and how likely each hand of the other
is: in the last open trick and in closed positions of few cards. The result is a strategy for both,
the value, and what best responses could still gain, which is computed and not guessed. Each seat
expects its last regret to come again, and later iterations count for more, by their square
(Zinkevich et al. 2007; Tammelin 2014; Farina, Kroer and Sandholm 2021; docs/math.md, section 10).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

import inference.solve.encode as e
import inference.solve.layout as m
from inference.cards import Card, Seat
from inference.game.rules import PRESETS
from inference.game.state import PublicState
from inference.solve import kernel, solver, tree
from inference.solve.tree import (
    CHILD,
    CHILDREN,
    COLUMN,
    FIRST,
    HAND,
    LAST,
    LEAF,
    PAIR,
    PAIRS,
    PARENT,
    SEAT,
    Tree,
)

MOST_CARDS = 3
"""In each hand of a closed position."""
CHECK = 8
"""Iterations between two looks at the exploitability."""
TARGET = 3e-4
"""Exploitability, in game points, with which the search for an equilibrium is content."""
MOST_ITERATIONS = 4000

Floats = npt.NDArray[np.float64]


class Range(NamedTuple):
    """Hold the hands [n] (masks, rising) that a seat may have, with their weights [n]."""

    hands: npt.NDArray[np.int32]
    weights: Floats


class Work(NamedTuple):
    """Hold one number for each slot.

    `reach` is how likely a seat comes here with the hand, its weight included, by its own choices;
    `value` the counterfactual value, `wins` that of winning. Of sequences, `regret` is the sum of
    CFR+, `hope` what shares follow from, `share` the probability of the action, `total` the
    weighted sum of reaches, `even` one in the number of actions; `norm` is a scratch pad.
    """

    reach: Floats
    value: Floats
    wins: Floats
    regret: Floats
    hope: Floats
    share: Floats
    total: Floats
    norm: Floats
    even: Floats


class Game(NamedTuple):
    """Hold a tree with the numbers of its solution so far, and the weight of all pairs."""

    tree: Tree
    work: Work
    weight: float


class Bounds(NamedTuple):
    """Hold what a best response of N leaves to S, and what one of S wins, in game points of S."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """Return the middle, which is no further from the value than the exploitability."""
        return (self.low + self.high) / 2

    @property
    def exploitability(self) -> float:
        """Return what a seat loses to a best response, the mean of both."""
        return (self.high - self.low) / 2


# -- one pass down, one pass up ------------------------------------------------------------------


@njit(nogil=True)
def kids(nodes: tree.Ints, node: e.Vector, p: int) -> tuple[int, int]:
    """Return from where to where the slots of seat p in the children of a node lie."""
    return nodes[node[CHILD], FIRST + p], nodes[node[CHILDREN] - 1, LAST + p]


@njit(cache=True, nogil=True)
def descend(t: Tree, w: Work, p: int, merit: Floats, weight: float) -> None:
    """Share out the actions of seat p by their merits (evenly if all are 0), and go down."""
    for node in t.nodes:
        if node[SEAT] == LEAF:
            continue
        lo, hi = kids(t.nodes, node, p)
        if node[SEAT] != p:
            for k in range(lo, hi):
                w.reach[k] = w.reach[t.slots[k, PARENT]]
            continue
        w.norm[node[FIRST + p] : node[LAST + p]] = 0.0
        for k in range(lo, hi):
            w.norm[t.slots[k, PARENT]] += merit[k]
        for k in range(lo, hi):
            above = t.slots[k, PARENT]
            w.share[k] = merit[k] / w.norm[above] if w.norm[above] > 0.0 else w.even[k]
            w.reach[k] = w.reach[above] * w.share[k]
            w.total[k] += weight * w.reach[k]


@njit(cache=True, nogil=True)
def even_out(t: Tree, w: Work) -> None:
    """Write for each sequence one in the number of actions that its hand had."""
    for node in t.nodes:
        if node[SEAT] != LEAF:
            lo, hi = kids(t.nodes, node, node[SEAT])
            w.norm[node[FIRST + node[SEAT]] : node[LAST + node[SEAT]]] = 0.0
            for k in range(lo, hi):
                w.norm[t.slots[k, PARENT]] += 1.0
            for k in range(lo, hi):
                w.even[k] = 1.0 / w.norm[t.slots[k, PARENT]]


@njit(cache=True, nogil=True)
def meeting(t: Tree, w: Work) -> float:
    """Return the weight of all pairs of hands that can meet at the root."""
    root, total = t.nodes[0], 0.0
    for i in range(root[FIRST], root[LAST]):
        for j in range(root[FIRST + 1], root[LAST + 1]):
            if not t.slots[i, HAND] & t.slots[j, HAND]:
                total += w.reach[i] * w.reach[j]
    return total


@njit(nogil=True)
def judge(t: Tree, w: Work, node: e.Vector, p: int) -> None:
    """Add up what a leaf is worth to the hands of seat p."""
    sign = 1.0 - 2.0 * p
    for k in range(node[PAIR], node[PAIRS]):
        w.value[t.pairs[k, p]] += sign * t.won[k] * w.reach[t.pairs[k, 1 - p]]


@njit(cache=True, nogil=True)
def ascend(t: Tree, w: Work, p: int) -> None:
    """Go up with the counterfactual values of seat p and gather its regrets."""
    for place in range(len(t.nodes) - 1, -1, -1):
        node = t.nodes[place]
        w.value[node[FIRST + p] : node[LAST + p]] = 0.0
        if node[SEAT] == LEAF:
            judge(t, w, node, p)
            continue
        lo, hi = kids(t.nodes, node, p)
        if node[SEAT] != p:
            for k in range(lo, hi):
                w.value[t.slots[k, PARENT]] += w.value[k]
            continue
        for k in range(lo, hi):
            w.value[t.slots[k, PARENT]] += w.share[k] * w.value[k]
        for k in range(lo, hi):
            gain = w.value[k] - w.value[t.slots[k, PARENT]]
            w.regret[k] = max(0.0, w.regret[k] + gain)
            w.hope[k] = max(0.0, w.regret[k] + gain)


@njit(nogil=True)
def judge_wins(t: Tree, w: Work, node: e.Vector, p: int) -> None:
    """Add up how often a leaf is a win for the hands of seat p."""
    sign = 1.0 - 2.0 * p
    for k in range(node[PAIR], node[PAIRS]):
        if sign * t.won[k] > 0.0:
            w.wins[t.pairs[k, p]] += w.reach[t.pairs[k, 1 - p]]


@njit(cache=True, nogil=True)
def respond(t: Tree, w: Work, p: int) -> float:
    """Go up with the best response of seat p to the other's shares; return its worth."""
    for place in range(len(t.nodes) - 1, -1, -1):
        node = t.nodes[place]
        w.wins[node[FIRST + p] : node[LAST + p]] = 0.0
        w.value[node[FIRST + p] : node[LAST + p]] = -np.inf if node[SEAT] == p else 0.0
        if node[SEAT] == LEAF:
            judge(t, w, node, p)
            judge_wins(t, w, node, p)
            continue
        lo, hi = kids(t.nodes, node, p)
        for k in range(lo, hi):
            above = t.slots[k, PARENT]
            if node[SEAT] != p:
                w.value[above] += w.value[k]
                w.wins[above] += w.wins[k]
            elif w.value[k] > w.value[above]:
                w.value[above], w.wins[above] = w.value[k], w.wins[k]
    best = 0.0
    for k in range(t.nodes[0, FIRST + p], t.nodes[0, LAST + p]):
        best += w.reach[k] * w.value[k]
    return best


@njit(cache=True, nogil=True)
def iterate(t: Tree, w: Work, start: int, stop: int) -> None:
    """Do CFR+ iterations: the seat to act learns, then the other; later ones count for more."""
    for p in range(2):
        descend(t, w, p, w.hope, 0.0)
    for i in range(start, stop):
        for k in range(2):
            p = t.nodes[0, SEAT] ^ k
            ascend(t, w, p)
            descend(t, w, p, w.hope, float((i + 1) * (i + 1)))


@njit(cache=True, nogil=True)
def settle(t: Tree, w: Work) -> tuple[float, float]:
    """Let both follow their average strategies; return what best responses of N and S win."""
    for p in range(2):
        descend(t, w, p, w.total, 0.0)
    theirs = respond(t, w, 1)
    return theirs, respond(t, w, 0)


# -- from a position to a game -------------------------------------------------------------------


def qualifies(public: PublicState) -> bool:
    """Tell whether a position has a tree that is small and holds all that may happen.

    That is: the seat to act is the only one that may do something, and either the talon is down to
    its last two cards and nobody may close it any more (so mid-trick under every rule set, on lead
    where 4.9 bars it), or it was closed and nobody has more than `MOST_CARDS` cards. Exchanges,
    answers to a close, announcements and claims are in the tree.
    """
    if public.over or public.to_draw or public.may_answer_close():
        return False
    if public.led is not None and public.may_claim(public.leader):
        return False
    if public.closed is not None:
        return max(public.held) <= MOST_CARDS
    return public.talon == 2 and not public.may_close()


def warm_up() -> None:
    """Compile what is compiled at its first use."""
    hands = np.array([1, 2, 4], dtype=np.int32)
    rules, up = PRESETS["sixty-six"], Card.CJ
    public = PublicState(rules, up.suit, up, 2, Seat.S, (1, 1), tricks=(5, 5))
    public = public._replace(played=rules.pack & ~(0b111 | up.mask))
    solve(public, Range(hands, np.ones(3)), Range(hands, np.ones(3)))


def plant(public: PublicState, s: Range, n: Range) -> Game:
    """Make the game of a position that qualifies, for ranges of S and N.

    Hands of the two that share a card never meet; all others meet with the product of their
    weights. With a talon of two the leaves are still to be searched (`search`).
    """
    rules = e.encode_rules(public.rules)
    hands = [np.ascontiguousarray(r.hands, dtype=np.int32) for r in (s, n)]
    nodes, states, slots = tree.grow(e.encode(public), rules, *hands)
    pairs = tree.pair(nodes, slots)
    t = Tree(nodes, states, slots, pairs, np.zeros(len(pairs), dtype=np.float32))
    tree.judge(t, rules)
    work = Work(*(np.zeros(len(slots)) for _ in Work._fields))
    work.reach[nodes[0, FIRST] : nodes[0, LAST]] = s.weights
    work.reach[nodes[0, FIRST + 1] : nodes[0, LAST + 1]] = n.weights
    even_out(t, work)
    return Game(t, work, meeting(t, work))


def search(game: Game, public: PublicState, mem: m.Memory, start: int, stop: int) -> None:
    """Solve the open endgames behind the leaves among the nodes from `start` to `stop`."""
    rules = e.encode_rules(public.rules)
    kernel.load_rules(mem, rules)
    mem[m.BUDGET], mem[m.PAUSED] = solver.UNLIMITED, 0
    tree.search(game.tree, mem, rules, start, stop)


def learn(game: Game, start: int, stop: int) -> Bounds:
    """Do the iterations from `start` to `stop`; return how good the average strategies are."""
    iterate(game.tree, game.work, start, stop)
    theirs, mine = settle(game.tree, game.work)
    return Bounds(-theirs / game.weight, mine / game.weight)


def solve(
    public: PublicState, s: Range, n: Range, target: float = TARGET, mem: m.Memory | None = None
) -> tuple[Game, Bounds]:
    """Return an equilibrium of a position that qualifies, to an exploitability in game points.

    The time goes with the number of pairs of hands, some 5 ms for 1,000 after a close.
    """
    game = plant(public, s, n)
    if public.closed is None:
        search(game, public, solver.memory() if mem is None else mem, 0, len(game.tree.nodes))
    done, bounds = 0, Bounds(-np.inf, np.inf)
    while bounds.exploitability > target and done < MOST_ITERATIONS:
        bounds = learn(game, done, done + CHECK)
        done += CHECK
    return game, bounds


def worth(game: Game, seat: Seat, hand: int) -> dict[int, tuple[float, float]]:
    """Return for each action of a hand at the root the game points and the probability to win.

    Both are of the best that `seat`, which is to act, can do with that hand against the other's
    average strategy, as `learn` left it. The keys are columns (`encode`).
    """
    t, w, root = game.tree, game.work, game.tree.nodes[0]
    mine = slice(root[FIRST + seat], root[LAST + seat])
    theirs = slice(root[FIRST + 1 - seat], root[LAST + 1 - seat])
    slot = root[FIRST + seat] + int(np.flatnonzero(t.slots[mine, HAND] == hand)[0])
    weight = float(w.reach[theirs] @ ((t.slots[theirs, HAND] & hand) == 0))
    found = {}
    for child in t.nodes[root[CHILD] : root[CHILDREN]]:
        places = np.arange(child[FIRST + seat], child[LAST + seat])
        for k in places[t.slots[places, PARENT] == slot]:
            found[int(child[COLUMN])] = w.value[k] / weight, w.wins[k] / weight
    return found
