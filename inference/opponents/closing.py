"""How far a hand gets by itself after a close: what a player counts before he closes."""

from __future__ import annotations

from numba import njit, types

from inference.opponents.sight import SIGHT, Sight, count, p_lacks, power
from inference.solve.rules_kernel import ABOVE, BOTH, PTS, SUITS

TRIBUTE = 3.0
"""Points that the opponent's card adds to a trick on average when he loses it."""


@njit((types.int64, types.int64), cache=True, nogil=True, forceinline=True)
def best_marriage(hand: int, trump: int) -> int:
    """Return the points of the best marriage in a hand, 0 without one."""
    worth = 0
    for suit in range(4):
        if hand & BOTH[suit] == BOTH[suit]:
            worth = max(worth, 40 if suit == trump else 20)
    return worth


@njit((types.int64, types.int64, SIGHT), cache=True, nogil=True, forceinline=True)
def _p_void(mask: int, n_led: int, sight: Sight) -> float:
    """Return roughly the chance that he is out of the suit `mask`, led `n_led` times before."""
    if count(mask & sight.theirs) > n_led:
        return 0.0
    return power(sight.p_out, max(0, count(mask) - n_led))


@njit((types.int64, types.int64), cache=True, nogil=True, forceinline=True)
def _n_masters(trumps: int, unseen: int) -> int:
    """Return how many trumps of a hand nothing beats."""
    n = 0
    while trumps:
        card = count((trumps & -trumps) - 1)
        trumps &= trumps - 1
        n += 0 if unseen & ABOVE[card] else 1
    return n


@njit((types.int64, SIGHT, types.int64), cache=True, nogil=True)
def tricks(hand: int, sight: Sight, unseen: int) -> tuple[float, int]:
    """Return the expected and the certain points of a hand that leads from the top after a close.

    Certain are trumps that nothing beats; once they take out all others, every trump and every
    side card that nothing beats.
    """
    trumps = unseen & SUITS[sight.trump]
    n_masters = _n_masters(hand & SUITS[sight.trump], unseen)
    drained = count(trumps) <= n_masters
    n_sure = count(trumps & sight.theirs)
    n_his = n_sure + (1.0 - sight.p_out) * (count(trumps) - n_sure)
    p_ruffs = min(1.0, max(0.0, n_his - n_masters))
    expected, certain, left = 0.0, 0, hand
    while left:
        card = count((left & -left) - 1)
        left &= left - 1
        suit, higher = card // 6, unseen & ABOVE[card]
        p = p_lacks(higher, sight)
        if suit != sight.trump:
            n_led = count(hand & ABOVE[card])
            p -= min(p, _p_void(unseen & SUITS[suit], n_led, sight) * p_ruffs)
        expected += p * (PTS[card] + TRIBUTE)
        trump, master = suit == sight.trump, higher == 0
        if (trump and (drained or master)) or (drained and master):
            certain += PTS[card]
    return expected, certain
