"""Cards of a mask, compiled: places, numbers, points."""

from __future__ import annotations

from numba import njit

import inference.solve.layout as m


@njit(nogil=True)
def low_bit(x: int) -> int:
    """Return the place of the lowest bit."""
    return int(m.BIT[((x & -x) * m.DE_BRUIJN) >> 58 & 63])


@njit(nogil=True)
def high_bit(x: int) -> int:
    """Return the place of the highest bit of at most 36."""
    for step in (1, 2, 4, 8, 16, 32):
        x |= x >> step
    return low_bit(x ^ x >> 1)


@njit(nogil=True)
def by_rank(cards: int, downwards: bool) -> int:
    """Return the highest or the lowest card by rank, side suits first."""
    for i in range(6):
        some = cards & m.RANK[5 - i if downwards else i]
        if some:
            return high_bit(some)
    return -1


@njit(nogil=True)
def total(mask: int) -> int:
    """Return the card points of a mask."""
    return int(m.SUM[mask & 4095] + m.SUM[mask >> 12])


@njit(nogil=True)
def count(mask: int) -> int:
    """Return the number of cards of a mask."""
    return int(m.COUNT[mask & 4095] + m.COUNT[mask >> 12])


@njit(nogil=True)
def cheapest(mask: int, k: int) -> int:
    """Return the points of the k cheapest cards of a mask."""
    points = 0
    for rank in range(6):
        n = count(mask & m.RANK[rank])
        if n >= k:
            return int(points + k * m.FACE[rank])
        points += n * m.FACE[rank]
        k -= n
    return points
