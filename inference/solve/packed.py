"""The rules read from packed `info` (`layout`): what a seat may do, what a close changes.

Numbers in comments are lines of docs/rules.md.
"""

from __future__ import annotations

from numba import njit

import inference.solve.encode as e
import inference.solve.layout as m
from inference.solve.rules_kernel import two_or_three


@njit(nogil=True)
def is_first(info: int) -> bool:
    """Tell whether the lead to trick 1 is due."""
    return info & (m.A_TRICK | m.D_TRICK) == 0


@njit(nogil=True)
def goes_out(info: int) -> int:
    """Return 1 if A succeeds by going out, given that 5.3 still pays enough."""
    mode = info >> m.MODE & 15
    return 1 if mode < m.D_CLOSED or mode & 1 else 0


@njit(nogil=True)
def pending_of(info: int, d: int) -> int:
    """Return the pending points of A (d = 0) or D, which his first trick counts (4.7)."""
    d_owns = info & m.D_LEADS if is_first(info) else not info & m.D_TRICK
    return 20 * (info >> m.PEND & 7) if (1 if d_owns else 0) == d else 0


@njit(nogil=True)
def closable(mem: m.Memory, info: int) -> bool:
    """Tell whether the leader may close (4.9)."""
    n = info >> m.TALON & 15
    if not n or not mem[m.RULES + e.RULE_CLOSE] or n < mem[m.RULES + e.RULE_CLOSE_MIN]:
        return False
    return mem[m.RULES + e.RULE_CLOSE_FIRST] == 1 or not is_first(info)


@njit(nogil=True)
def upcard_taker(mem: m.Memory, info: int) -> int:
    """Return the mask of the low trump while it may be exchanged for the upcard (4.2), else 0."""
    n, low = info >> m.TALON & 15, mem[m.RULES + e.RULE_LOW_RANK]
    swaps = n and n >= mem[m.RULES + e.RULE_XCHG_MIN] and info >> m.UPCARD != low
    return 1 << low if swaps else 0


@njit(nogil=True)
def exchanges(mem: m.Memory, info: int, x: int, d_moves: int) -> int:
    """Return the column of the exchange if the seat to act may make it (4.2)."""
    earned = info & (m.D_TRICK if d_moves else m.A_TRICK) or not mem[m.RULES + e.RULE_XCHG_TRICK]
    return 1 << e.COLUMN_EXCHANGE if earned and x & upcard_taker(mem, info) else 0


@njit(nogil=True)
def announcements(mem: m.Memory, info: int, x: int) -> int:
    """Return the columns of the announcements that the leader may make (4.4 to 4.6)."""
    late = info >> m.TALON & 15 or mem[m.RULES + e.RULE_LATE_MARRIAGE] or info >> m.FRESH & 1
    if not late or (is_first(info) and not mem[m.RULES + e.RULE_FIRST_MARRIAGE]):
        return 0
    columns, pair = 0, 2 if mem[m.RULES + e.RULE_KING] else 3
    for suit in range(4):
        if x >> 6 * suit & 12 == 12:
            columns |= pair << e.COLUMN_ANNOUNCE + 2 * suit
    return columns


@njit(nogil=True)
def close_mode(mem: m.Memory, info: int, d_closes: int) -> int:
    """Return the mode after a close, -1 if A cannot succeed then (5.4 to 5.6)."""
    worth, tricks = info >> m.WORTH & 3, info & m.A_TRICK
    if not d_closes:
        sure = worth == 1 or mem[m.RULES + e.RULE_CLOSE_BASIS]
        return m.A_SURE if sure else m.A_CLOSED
    out = 1 if two_or_three(mem[m.RULES + e.RULE_OPP_OUT], tricks) >= worth else 0
    rule = mem[m.RULES + e.RULE_CLOSE_FAIL]
    if rule == 123 and tricks:
        fails = (0, 2, 4, 0)[worth]
    else:
        fails = 2 if two_or_three(23 if rule == 123 else rule, tricks) >= worth else 0
    return m.D_CLOSED + out + fails if out or fails else -1


@njit(nogil=True)
def marriageable(x: int, rest: int) -> int:
    """Return the kings and queens that x may still announce if he draws from `rest`."""
    mask = 0
    for both in (0b1100, 0b1100 << 6, 0b1100 << 12, 0b1100 << 18):
        if (x | rest) & both == both:
            mask |= both
    return mask


@njit(nogil=True)
def is_odd(mem: m.Memory, info: int) -> bool:
    """Tell whether A may now or later do better without going out (the odd case of `search`)."""
    may_close = info >> m.TALON & 15 and mem[m.RULES + e.RULE_CLOSE]
    return bool(not goes_out(info) or (may_close and mem[m.ODD]))
