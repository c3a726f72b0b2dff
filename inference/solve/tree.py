"""The public tree of a two-sided position: what both see, with every hand that each may hold.

A node stands for what was done in public. For each seat it keeps slots, one for each hand (as it is
now) with which that seat can have come here, and each slot knows its parent: the same hand one
action before. The slots of the seat that acted are its sequences, those of the seat to act its
information sets. Nodes lie breadth first, and a seat's slots in all children of a node follow each
other.

A leaf lists its pairs of slots that share no card, with what S wins there: the deal has ended, each
has one card left after a close, or the round of drawing that empties the talon lays all open.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

import inference.solve.encode as e
import inference.solve.layout as m
from inference.solve import kernel
from inference.solve.bits import count, low_bit
from inference.solve.rules_kernel import (
    BOTH,
    PTS,
    actor,
    apply,
    close_penalty,
    legal_bits,
    out_worth,
    payoff,
)

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Wins = npt.NDArray[np.float32]

SEAT, COLUMN, CHILD, CHILDREN, FIRST, LAST, PAIR, PAIRS = 0, 1, 2, 3, 4, 6, 8, 9
"""Of a node: the seat to act (-1: a leaf), the column that led here, its children from CHILD to
CHILDREN, the slots of seat p from FIRST + p to LAST + p, a leaf's pairs from PAIR to PAIRS."""
NODE = 10
LEAF = -1
HAND, PARENT = 0, 1
"""Of a slot: the mask of cards, and the slot one action before (-1: none)."""
CLAIM = 1 << e.COLUMN_CLAIM
UNJUDGED = -9
MOST_POINTS = 256
"""More than a deal has."""


class Tree(NamedTuple):
    """Hold nodes [n, NODE] with their states, slots [k, 2] and the pairs of the leaves.

    `pairs` [p, 2] are the slots of S and of N, `won` [p] is what S wins, in game points.
    """

    nodes: Ints
    states: Ints
    slots: Places
    pairs: Places
    won: Wins


# -- growing --------------------------------------------------------------------------------------


@njit(nogil=True)
def is_last_trick(s: e.Vector) -> bool:
    """Tell whether each has one card left after a close and there is nothing to decide."""
    if s[e.CLOSED_BY] < 0 or s[e.LED] >= 0 or s[e.FRESH_CLOSE] == 2:
        return False
    leader = s[e.LEADER]
    claims = s[e.TRICKS + leader] and s[e.POINTS + leader] >= 66
    return bool(s[e.HELD] == 1 and s[e.HELD + 1] == 1 and not claims)


@njit(nogil=True)
def is_played_on(node: e.Vector, s: e.Vector) -> bool:
    """Tell whether a node has children: not if no hand of a seat leads here, or all is decided."""
    if node[LAST] == node[FIRST] or node[LAST + 1] == node[FIRST + 1]:
        return False
    return bool(s[e.WINNER] == e.RUNNING and not s[e.TO_DRAW] and not is_last_trick(s))


@njit(nogil=True)
def claims_at_once(s: e.Vector, rules: e.Vector) -> bool:
    """Tell whether the leader's 66 points are best claimed now: not if a failed close pays more."""
    if s[e.CLOSED_BY] != 1 - s[e.LEADER]:
        return True
    return bool(close_penalty(s, rules) <= out_worth(s, rules, s[e.LEADER]))


@njit(nogil=True)
def shown_by(s: e.Vector, rules: e.Vector, column: int) -> int:
    """Return the cards that whoever acts so has held."""
    if column < e.COLUMN_ANNOUNCE:
        return 1 << column
    if column < e.COLUMN_EXCHANGE:
        return int(BOTH[(column - e.COLUMN_ANNOUNCE) // 2])
    if column == e.COLUMN_EXCHANGE:
        return int(1 << 6 * s[e.TRUMP] + rules[e.RULE_LOW_RANK])
    return 0


@njit(nogil=True)
def changed_by(s: e.Vector, rules: e.Vector, column: int) -> int:
    """Return the cards that an action takes from the actor's hand or gives it."""
    if column < e.COLUMN_ANNOUNCE:
        return 1 << column
    if column < e.COLUMN_EXCHANGE:
        return 1 << 6 * ((column - e.COLUMN_ANNOUNCE) // 2) + 2 + (column & 1)
    if column == e.COLUMN_EXCHANGE:
        return int(1 << s[e.UPCARD] | shown_by(s, rules, column))
    return 0


@njit(nogil=True)
def options(s: e.Vector, rules: e.Vector, node: e.Vector, slots: Places, bits: Ints) -> int:
    """Write the legal columns of the actor's hands at a node; return all of them together."""
    union, p = 0, node[SEAT]
    for k in range(node[FIRST + p], node[LAST + p]):
        s[e.HANDS + p] = slots[k, HAND]
        columns = legal_bits(s, rules)
        bits[k - node[FIRST + p]] = columns
        union |= columns
    return union


@njit(nogil=True)
def roomy(a: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    """Return an array with at least n rows."""
    if n <= len(a):
        return a
    more = np.empty((2 * n, a.shape[1]), dtype=a.dtype)
    more[: len(a)] = a
    return more


@njit(nogil=True)
def add_slots(
    node: e.Vector, child: e.Vector, q: int, slots: Places, size: int, bits: Ints, cards: e.Vector
) -> int:
    """Write the slots of seat q in a child; `cards` are what the action shows and changes."""
    child[FIRST + q], first = size, node[FIRST + q]
    for k in range(first, node[LAST + q]):
        hand = slots[k, HAND]
        if q == node[SEAT]:
            if not bits[k - first] >> child[COLUMN] & 1:
                continue
            hand ^= cards[1]
        elif hand & cards[0]:
            continue
        slots[size, HAND], slots[size, PARENT] = hand, k
        size += 1
    child[LAST + q] = size
    return size


@njit(nogil=True)
def add_children(nodes: Ints, states: Ints, n: int, rules: e.Vector, union: int) -> int:
    """Write a node for each action of `union` behind the last; return the number of nodes."""
    count, s = nodes[n, CHILD], states[n]
    for column in range(e.N_ACTIONS):
        if union >> column & 1:
            nodes[count, :] = 0
            nodes[count, COLUMN] = column
            states[count] = s
            apply(states[count], rules, column)
            count += 1
    return int(count)


@njit(nogil=True)
def expand(
    node: e.Vector, nodes: Ints, s: e.Vector, rules: e.Vector, slots: Places, size: int, bits: Ints
) -> int:
    """Write the slots of all children of a node, seat by seat; return the number of slots."""
    cards = np.empty(2, dtype=np.int64)
    for q in range(2):
        for child in nodes[node[CHILD] : node[CHILDREN]]:
            cards[0] = shown_by(s, rules, child[COLUMN])
            cards[1] = changed_by(s, rules, child[COLUMN])
            size = add_slots(node, child, q, slots, size, bits, cards)
    return size


@njit(cache=True, nogil=True)
def grow(
    root: e.Vector, rules: e.Vector, hands_s: Places, hands_n: Places
) -> tuple[Ints, Ints, Places]:
    """Make nodes, states and slots below a public state for the hands that S and N may hold."""
    size, n, end = len(hands_s) + len(hands_n), 0, 1
    nodes, states = np.zeros((64, NODE), np.int64), np.zeros((64, e.STATE_SIZE), np.int64)
    slots, bits = np.full((2 * size, 2), -1, np.int32), np.zeros(size, np.int64)
    slots[: len(hands_s), HAND], slots[len(hands_s) : size, HAND] = hands_s, hands_n
    nodes[0, LAST] = nodes[0, FIRST + 1] = len(hands_s)
    nodes[0, LAST + 1], states[0] = size, root
    while n < end:
        nodes, states = roomy(nodes, end + e.N_ACTIONS), roomy(states, end + e.N_ACTIONS)
        node, s = nodes[n], states[n]
        node[CHILD] = node[CHILDREN] = end
        node[SEAT] = LEAF
        if is_played_on(node, s):
            node[SEAT] = actor(s)
            union = options(s, rules, node, slots, bits)
            if n and union & CLAIM and claims_at_once(s, rules):
                union = CLAIM
            node[CHILDREN] = end = add_children(nodes, states, n, rules, union)
            here = node[LAST] - node[FIRST] + node[LAST + 1] - node[FIRST + 1]
            slots = roomy(slots, size + here * (node[CHILDREN] - node[CHILD]))
            size = expand(node, nodes, s, rules, slots, size, bits)
        n += 1
    return nodes[:end].copy(), states[:end].copy(), slots[:size].copy()


# -- leaves ---------------------------------------------------------------------------------------


@njit(nogil=True)
def place_of(hand: int, slots: Places, lo: int, hi: int) -> int:
    """Return the slot that holds a hand, -1 if none does; slots lie in rising order of hands."""
    end = hi
    while lo < hi:
        middle = (lo + hi) // 2
        if slots[middle, HAND] < hand:
            lo = middle + 1
        else:
            hi = middle
    return lo if lo < end and slots[lo, HAND] == hand else -1


@njit(nogil=True)
def partners(node: e.Vector, slots: Places, i: int, every: int, pairs: Places, size: int) -> int:
    """List the pairs of a slot of S; by looking up where few hands are left for N."""
    lo, hi = node[FIRST + 1], node[LAST + 1]
    left = every & ~slots[i, HAND]
    spare = count(left) - count(int(slots[lo, HAND])) if lo < hi else -1
    rest = left
    while spare == 1 and rest:
        j = place_of(left & ~(rest & -rest), slots, lo, hi)
        rest &= rest - 1
        if j >= 0:
            pairs[size, 0], pairs[size, 1] = i, j
            size += 1
    if spare != 1:
        for j in range(lo, hi):
            if not slots[i, HAND] & slots[j, HAND]:
                pairs[size, 0], pairs[size, 1] = i, j
                size += 1
    return size


@njit(cache=True, nogil=True)
def pair(nodes: Ints, slots: Places) -> Places:
    """List the pairs of slots without a common card, leaf by leaf, and note where they lie."""
    pairs, size = np.empty((1024, 2), dtype=np.int32), 0
    for node in nodes:
        node[PAIR] = size
        if node[SEAT] == LEAF:
            every = 0
            for j in range(node[FIRST + 1], node[LAST + 1]):
                every |= slots[j, HAND]
            for i in range(node[FIRST], node[LAST]):
                pairs = roomy(pairs, size + node[LAST + 1] - node[FIRST + 1])
                size = partners(node, slots, i, every, pairs, size)
        node[PAIRS] = size
    return pairs[:size].copy()


@njit(nogil=True)
def played_on(s: e.Vector, rules: e.Vector, mine: int, his: int) -> int:
    """Return what S wins if the last trick is made of these one-card hands of S and N."""
    s[e.HANDS], s[e.HANDS + 1] = mine, his
    for _ in range(2):
        apply(s, rules, low_bit(int(s[e.HANDS + actor(s)])))
    return payoff(s)


@njit(nogil=True)
def judge_last(tree: Tree, rules: e.Vector, place: int, end: e.Vector, table: Wins) -> None:
    """Play the last trick of each pair; who wins it and the points then are all that matters."""
    node, s = tree.nodes[place], tree.states[place]
    leader = s[e.LEADER]
    for k in range(node[PAIR], node[PAIRS]):
        mine, his = tree.slots[tree.pairs[k, 0], HAND], tree.slots[tree.pairs[k, 1], HAND]
        a, b = low_bit(int(mine)), low_bit(int(his))
        led, card = (b, a) if leader else (a, b)
        beaten = card > led if card // 6 == led // 6 else card // 6 == s[e.TRUMP]
        winner = 1 - leader if beaten else leader
        worth = s[e.POINTS + winner] + s[e.PENDING + winner] + PTS[a] + PTS[b]
        tricks = 1 if s[e.TRICKS + 1 - winner] else 0
        other = s[e.POINTS + 1 - winner]
        if table[winner, tricks, worth, other] == UNJUDGED:
            for i in range(e.STATE_SIZE):
                end[i] = s[i]
            table[winner, tricks, worth, other] = played_on(end, rules, mine, his)
        tree.won[k] = table[winner, tricks, worth, other]


@njit(cache=True, nogil=True)
def judge(tree: Tree, rules: e.Vector) -> None:
    """Write what S wins in the pairs of all leaves that need no search."""
    end = np.empty(e.STATE_SIZE, np.int64)
    table = np.full((2, 2, MOST_POINTS, MOST_POINTS), UNJUDGED, np.float32)
    for place in range(len(tree.nodes)):
        node, s = tree.nodes[place], tree.states[place]
        if s[e.WINNER] != e.RUNNING:
            tree.won[node[PAIR] : node[PAIRS]] = payoff(s)
        elif node[SEAT] == LEAF and not s[e.TO_DRAW]:
            judge_last(tree, rules, place, end, table)


@njit(cache=True, nogil=True)
def search(tree: Tree, mem: m.Memory, rules: e.Vector, start: int, stop: int) -> None:
    """Write what S wins in the pairs of those leaves from which the last round is drawn.

    The trick's loser takes the upcard and the winner what is left, so the loser's hand alone
    decides how the cards lie, and it is solved once for all pairs.
    """
    s, guess = np.empty(e.STATE_SIZE, dtype=np.int64), 1
    for place in range(start, stop):
        node = tree.nodes[place]
        if node[SEAT] != LEAF or not tree.states[place, e.TO_DRAW]:
            continue
        loser = 1 - tree.states[place, e.LEADER]
        values = np.full(node[LAST + loser] - node[FIRST + loser], UNJUDGED, dtype=np.int64)
        for k in range(node[PAIR], node[PAIRS]):
            slot = tree.pairs[k, loser]
            at = slot - node[FIRST + loser]
            if values[at] == UNJUDGED:
                s[:] = tree.states[place]
                lay_open(s, rules, loser, tree.slots[slot, HAND])
                values[at] = guess = kernel.value(mem, s, guess)
            tree.won[k] = values[at]


@njit(nogil=True)
def lay_open(s: e.Vector, rules: e.Vector, loser: int, hand: int) -> None:
    """Deal the last round of drawing to a trick's loser with this hand and to its winner."""
    up = 1 << s[e.UPCARD]
    s[e.HANDS + loser] = hand | up
    s[e.HANDS + 1 - loser] = rules[e.RULE_PACK] & ~(s[e.PLAYED] | hand | up)
    s[e.HELD] += 1
    s[e.HELD + 1] += 1
    s[e.TALON], s[e.TO_DRAW], s[e.UPCARD] = 0, 0, -1
