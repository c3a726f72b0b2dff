"""What the one to act sees apart from his hand, and what he may expect of hidden cards.

A card that is neither played, nor his own, nor the upcard is with the opponent for certain if it is
known there, else with the same chance as any other hidden card, independently.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import njit, typeof, types

import inference.solve.encode as e
from inference.solve.rules_kernel import ABOVE, PTS, SUITS, actor, exchangeable

ACE_POINTS = 11


class Sight(NamedTuple):
    """Hold the public facts of a decision, from the actor's side; flags are 0 or 1.

    `rest` is the mask of cards neither played nor turned up, `theirs` of those known to be the
    opponent's; any other hidden card is outside his hand with the chance `p_out`. `need` is what is
    missing to 66 points, `lack` to the points that save a game point.
    """

    seat: int
    trump: int
    led: int
    strict: int
    rest: int
    theirs: int
    p_out: float
    need: int
    his_need: int
    lack: int
    his_lack: int
    pending: int
    his_pending: int
    trickless: int
    counts: int
    """An announcement counts at once (4.7)."""
    marries: int
    """A marriage may still be announced, now or later (4.6)."""
    hopes: int
    """A card still to be drawn may make a marriage."""
    upcard: int
    low: int
    """The low trump."""
    swaps: int
    """The low trump may still be exchanged after this trick (4.2)."""
    talon: int
    """Cards in the talon while it is drawn from, else 0."""


SIGHT = typeof(Sight(0, 0, 0, 0, 0, 0, 0.0, *(14 * (0,))))  # type: ignore[no-untyped-call]


@njit("i8(i8)", cache=True, nogil=True, forceinline=True)
def count(mask: int) -> int:
    """Return the number of bits in a mask of at most 32."""
    mask -= mask >> 1 & 0x55555555
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F
    return mask + (mask >> 8) + (mask >> 16) + (mask >> 24) & 63


@njit("f8(f8, i8)", cache=True, nogil=True, forceinline=True)
def power(p: float, n: int) -> float:
    """Return p to the n for 0 <= n < 32, without a branch: it is called for every card."""
    square, out = p * p, p if n & 1 else 1.0
    out *= square if n & 2 else 1.0
    square *= square
    out *= square if n & 4 else 1.0
    square *= square
    out *= square if n & 8 else 1.0
    return out * square * square if n & 16 else out


@njit((types.int64, SIGHT), cache=True, nogil=True, forceinline=True)
def p_lacks(mask: int, sight: Sight) -> float:
    """Return the chance that the opponent holds none of some hidden cards."""
    return 0.0 if mask & sight.theirs else power(sight.p_out, count(mask))


@njit((types.int64, SIGHT, types.int64), cache=True, nogil=True, forceinline=True)
def p_holds(card: int, sight: Sight, unseen: int) -> float:
    """Return the chance that a led card wins the trick; `unseen` are all cards he does not see.

    In the open phase nobody has to trump; how gladly he does goes with the points of the card.
    """
    p_highest = p_lacks(unseen & ABOVE[card], sight)
    if card // 6 == sight.trump:
        return p_highest
    p_trumps = 1.0 - p_lacks(unseen & SUITS[sight.trump], sight)
    if sight.strict:
        return p_highest - p_lacks(unseen & SUITS[card // 6], sight) * p_trumps
    return float(p_highest * (1.0 - p_trumps * PTS[card] / ACE_POINTS))


@njit((types.int64[::1], types.int64[::1]), cache=True, nogil=True)
def sight_of(s: e.Vector, rules: e.Vector) -> Sight:
    """Return what the actor of a state sees."""
    seat, he = actor(s), 1 - actor(s)
    strict = s[e.TALON] == 0 or s[e.CLOSED_BY] >= 0
    upcard = 0 if s[e.UPCARD] < 0 else 1 << s[e.UPCARD]
    rest = rules[e.RULE_PACK] & ~(s[e.PLAYED] | upcard)
    theirs = s[e.KNOWN + he] & rest
    n_hidden = count(rest) - s[e.HELD + seat] - count(theirs)
    n_his = s[e.HELD + he] - count(theirs)
    late = strict and not s[e.FRESH_CLOSE]
    return Sight(
        seat,
        s[e.TRUMP],
        s[e.LED],
        1 if strict else 0,
        rest,
        theirs,
        1.0 - min(1.0, n_his / n_hidden) if n_hidden > 0 else 1.0,
        66 - s[e.POINTS + seat],
        66 - s[e.POINTS + he],
        rules[e.RULE_SCHEDULE] - s[e.POINTS + seat],
        rules[e.RULE_SCHEDULE] - s[e.POINTS + he],
        s[e.PENDING + seat],
        s[e.PENDING + he],
        1 if s[e.TRICKS + seat] == 0 else 0,
        1 if s[e.TRICKS + seat] >= rules[e.RULE_VALID] else 0,
        1 if rules[e.RULE_LATE_MARRIAGE] or not late else 0,
        1 if s[e.TALON] > 2 and not strict else 0,
        s[e.UPCARD],
        6 * s[e.TRUMP] + rules[e.RULE_LOW_RANK],
        1
        if exchangeable(s, rules) and s[e.TALON] - 2 >= rules[e.RULE_XCHG_MIN] and not strict
        else 0,
        0 if strict else s[e.TALON],
    )
