"""Boxed answers: whether A succeeds, and for which points that is proved.

An answer is one integer: bit 0 says whether A succeeds; then come, biased, the least and the most
points of A and the limit on D (the most if A succeeds, the least if he fails) for which it holds.
"""

from __future__ import annotations

from numba import njit

import inference.solve.layout as m

INF = 600
BIAS = 1024
FIELD = 2047
OUT = 66
EDGE = 20
"""Entries of the table hold points from -EDGE to 255 - EDGE, more than a deal has."""
UNKNOWN = 255 | 255 << 24
"""Table data without an answer: two boxes that hold no points."""


@njit(nogil=True)
def box(yes: int, lo: int, hi: int, limit: int) -> int:
    """Return an answer for lo <= points of A <= hi and the limit on D."""
    return yes | (lo + BIAS) << 1 | (hi + BIAS) << 12 | (limit + BIAS) << 23


@njit(nogil=True)
def anywhere(yes: int) -> int:
    """Return an answer for all points."""
    return box(yes, -INF, INF, INF if yes else -INF)


@njit(nogil=True)
def meet(r: int, q: int) -> int:
    """Return the part of two boxes with the same answer in which both hold."""
    lo = max(r & FIELD << 1, q & FIELD << 1)
    hi = min(r & FIELD << 12, q & FIELD << 12)
    limit = min(r >> 23, q >> 23) if r & 1 else max(r >> 23, q >> 23)
    return r & 1 | lo | hi | limit << 23


@njit(nogil=True)
def shifted(r: int, gain_a: int, gain_d: int) -> int:
    """Express the box after an action in the points before it."""
    return r - (gain_a << 1) - (gain_a << 12) - (gain_d << 23)


@njit(nogil=True)
def spared(r: int, difference: int) -> int:
    """Return the box for a twin card of other worth, for which some points may end elsewhere."""
    lo, hi = (r >> 1 & FIELD) + difference, (r >> 12 & FIELD) - difference
    limit = (r >> 23) - difference if r & 1 else (r >> 23) + difference
    return r & 1 | lo << 1 | hi << 12 | limit << 23


@njit(nogil=True)
def holds(r: int, pa: int, pd: int) -> bool:
    """Tell whether a box holds the points."""
    limit = (r >> 23) - BIAS
    inside = (r >> 1 & FIELD) - BIAS <= pa <= (r >> 12 & FIELD) - BIAS
    return inside and (pd <= limit if r & 1 else pd >= limit)


# -- the table of answers -------------------------------------------------------------------------


@njit(nogil=True)
def mix(x: int) -> int:
    """Scatter the bits of an integer, one to one."""
    x *= 0x1E3779B97F4A7C15
    x ^= (x >> 32) & 0xFFFFFFFF
    x *= 0x3F58476D1CE4E5B9
    return x ^ (x >> 29) & 0x7FFFFFFFF


@njit(nogil=True)
def key_of(mem: m.Memory, a: int, d: int, info: int) -> int:
    """Return the key of a lead: everything but the points, exact once the talon is gone."""
    code = mem[m.SEED] ^ (a | d << 24 | (info & m.CODE) << 48)
    n = info >> m.TALON & 15
    if n:
        code ^= mix(mem[m.HASH + n] ^ (info >> m.UPCARD) << 50)
    return mix(code)


@njit(nogil=True)
def known(data: int, pa: int, pd: int) -> int:
    """Return the stored answer whose box holds the points, else 0."""
    for yes in range(2):
        part = data >> (0 if yes else 24)
        lo, hi, limit = (part & 255) - EDGE, (part >> 8 & 255) - EDGE, (part >> 16 & 255) - EDGE
        if lo <= pa <= hi and (pd <= limit if yes else pd >= limit):
            return box(yes, lo, hi, limit)
    return 0


@njit(nogil=True)
def look_up(mem: m.Memory, f: int) -> int:
    """Return the table's answer to a lead, else 0; leave its key and best action in the frame."""
    key = key_of(mem, mem[f + m.A], mem[f + m.D], mem[f + m.INFO])
    mem[f + m.KEY] = key
    mem[f + m.HINT] = -1
    i = m.TABLE + 4 * (key & mem[m.MASK])
    if mem[i] != key:
        i += 2
        if mem[i] != key:
            return 0
    mem[f + m.HINT] = (mem[i + 1] >> 48 & 63) - 1
    return known(mem[i + 1], mem[f + m.PA], mem[f + m.PD])


@njit(nogil=True)
def remember(mem: m.Memory, f: int, r: int, move: int) -> None:
    """Write the answer to a lead and its best action (-1: none) into the table.

    In a bucket the entry with more cards to play stays if it is of this age.
    """
    key, depth = mem[f + m.KEY], mem[f + m.DEPTH]
    i = m.TABLE + 4 * (key & mem[m.MASK])
    if mem[i] != key:
        kept = mem[i + 1] >> 59 & 15 == mem[m.AGE] and (mem[i + 1] >> 54 & 31) > depth
        if kept or mem[i + 2] == key:
            i += 2
    data = mem[i + 1] & 0xFFFFFFFFFFFF if mem[i] == key else UNKNOWN
    lo = max((r >> 1 & FIELD) - BIAS, -EDGE) + EDGE
    hi = min((r >> 12 & FIELD) - BIAS + EDGE, 255)
    limit = min(max((r >> 23) - BIAS, -EDGE) + EDGE, 255)
    part = lo | hi << 8 | limit << 16
    data = data & ~0xFFFFFF | part if r & 1 else data & 0xFFFFFF | part << 24
    mem[i] = key
    mem[i + 1] = data | (move + 1) << 48 | depth << 54 | mem[m.AGE] << 59
