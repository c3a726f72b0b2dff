"""How a card stands among all that may be laid: the cheapest, the dearest, the first of equals.

Simple players and simple programs choose by such rank orders, not by sums of points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, typeof, types

import inference.solve.encode as e
from inference.opponents.sight import SIGHT, Sight, count
from inference.solve.rules_kernel import ABOVE, PLAYS, SUITS

RANKS = np.array([0x41041 << rank for rank in range(6)], dtype=np.int64)
"""The four cards of each rank."""
QUEEN = 2
_I8 = types.int64


class Order(NamedTuple):
    """Hold masks of the cards that stand out among those that may be laid.

    `plain` are those that are no trumps, all of them if there are only trumps. On lead there are no
    winners; `losers` lose the trick to the card led.
    """

    laid: int
    trumps: int
    lowest: int
    highest: int
    lowest_plain: int
    highest_plain: int
    longest: int
    cheapest_winner: int
    dearest_winner: int
    lowest_loser: int


ORDER = typeof(Order(*(10 * (0,))))  # type: ignore[no-untyped-call]


@njit(_I8(_I8), cache=True, nogil=True, forceinline=True)
def lowest(mask: int) -> int:
    """Return the cards of the lowest rank in a mask."""
    for rank in range(6):
        if mask & RANKS[rank]:
            return int(mask & RANKS[rank])
    return 0


@njit(_I8(_I8), cache=True, nogil=True, forceinline=True)
def highest(mask: int) -> int:
    """Return the cards of the highest rank in a mask."""
    for rank in range(5, -1, -1):
        if mask & RANKS[rank]:
            return int(mask & RANKS[rank])
    return 0


@njit(_I8(_I8), cache=True, nogil=True, forceinline=True)
def longest(mask: int) -> int:
    """Return the cards of the longest suits in a mask."""
    most, found = 0, 0
    for suit in range(4):
        n = count(mask & SUITS[suit])
        if n > most:
            most, found = n, 0
        if n == most:
            found |= mask & SUITS[suit]
    return found


@njit((SIGHT, _I8), cache=True, nogil=True)
def order_of(sight: Sight, bits: int) -> Order:
    """Return the order of the cards that may be laid by the legal columns in `bits`."""
    laid, trumps = bits & PLAYS, SUITS[sight.trump]
    for suit in range(4):
        laid |= (bits >> e.COLUMN_ANNOUNCE + 2 * suit & 0b11) << 6 * suit + QUEEN
    plain = laid & ~trumps if laid & ~trumps else laid
    same, winners, losers, loser = 0, 0, 0, 0
    if sight.led >= 0:
        same = laid & ABOVE[sight.led]
        winners = same if sight.led // 6 == sight.trump else same | laid & trumps
        losers = laid & ~winners
        loser = losers & ~trumps if losers & ~trumps else losers
    return Order(
        laid,
        trumps,
        lowest(laid),
        highest(laid),
        lowest(plain),
        highest(plain),
        longest(plain),
        lowest(same if same else winners),
        highest(winners),
        lowest(loser),
    )


@njit((ORDER, _I8), cache=True, nogil=True, forceinline=True)
def place(order: Order, card: int) -> float:
    """Return where a plain card stands among those of its rank, from -1 (first suit) to 1."""
    equals = order.laid & RANKS[card % 6] & ~order.trumps
    before = count(equals & (1 << card) - 1)
    return (2 * before - count(equals) + 1) / 3.0 if equals >> card & 1 else 0.0
