"""Answers without search: tricks that are sure, points that are out of reach.

Everything here is a lower bound of what the seat on lead wins at once, trick after trick, or an
upper bound of what a seat can still count. Numbers in comments are lines of docs/rules.md.
"""

from __future__ import annotations

from numba import njit

import inference.solve.encode as e
import inference.solve.layout as m
from inference.solve.bits import cheapest, count, total
from inference.solve.boxes import INF, OUT, anywhere, box, meet
from inference.solve.packed import closable, goes_out, is_first, pending_of


@njit(nogil=True)
def settled(mem: m.Memory, f: int) -> int:
    """Answer if 5.3 pays too little by now or the leader is out (5.1, 5.2); else 0."""
    info, pa, pd = mem[f + m.INFO], mem[f + m.PA], mem[f + m.PD]
    worth, limit = info >> m.WORTH & 3, INF
    if info >> m.MODE & 15 <= m.A_CLOSED and info & m.D_TRICK and worth > 1:
        goal = mem[m.RULES + e.RULE_SCHEDULE] if worth == 2 else -INF
        if pd >= goal:
            return box(0, -INF, INF, goal)
        limit = goal - 1
    mem[f + m.LIMIT] = limit
    d_leads = info & m.D_LEADS
    mem[f + m.CLAIM] = info & (m.D_TRICK if d_leads else m.A_TRICK)
    if not mem[f + m.CLAIM]:
        return 0
    if d_leads:
        return box(0, -INF, INF, OUT) if pd >= OUT else 0
    if pa < OUT:
        return 0
    if goes_out(info):
        return box(1, OUT, INF, limit)
    return 0 if mem[m.RULES + e.RULE_DECLARED] and mem[f + m.A] else box(0, OUT, INF, -INF)  # 5.9


@njit(nogil=True)
def narrowed(mem: m.Memory, f: int, r: int) -> int:
    """Narrow an answer to points for which nobody was out before and 5.3 was as it is."""
    info, claim = mem[f + m.INFO], mem[f + m.CLAIM]
    forced = not mem[m.RULES + e.RULE_DECLARED]
    if r & 1:
        limit = mem[f + m.LIMIT]
        if claim and info & m.D_LEADS:
            limit = min(limit, OUT - 1)
        most = OUT - 1 if claim and forced and not goes_out(info) else INF
        return meet(r, box(1, -INF, most, limit))
    if claim and not info & m.D_LEADS and (goes_out(info) or forced):
        return meet(r, box(0, -INF, OUT - 1, -INF))
    return r


@njit(nogil=True)
def at_end(mem: m.Memory, pa: int, pd: int, info: int) -> int:
    """Judge a deal whose cards are all played and whose leader is not out (5.6, 5.10, 5.11)."""
    mode, d_leads = info >> m.MODE & 15, info & m.D_LEADS
    if mode == m.OPEN and mem[m.RULES + e.RULE_TOTAL]:
        more = pa - pd
        if more > 0:
            half = (more - 1) // 2
            return box(1, pa - half, INF, pd + more - 1 - half)
        half = -more // 2
        return box(0, -INF, pa + half, pd + more + half)
    if mode == m.OPEN:
        return anywhere(1 if info >> m.WORTH & 3 == 1 and not d_leads else 0)
    if mode < m.D_CLOSED + 2:
        return anywhere(0)
    most = INF if d_leads or goes_out(info) else OUT - 1
    if mode < m.D_CLOSED + 4:
        return box(1, -INF, most, INF)
    return box(1, -INF, most, 32) if pd < 33 else box(0, -INF, INF, 33)


@njit(nogil=True)
def sure_cards(x: int, y: int) -> int:
    """Return cards of x that all win if led one after another in the strict phase (3.5, 3.6).

    If x can draw all of y's trumps, his trumps win, and in a suit of which he can draw all cards
    all of his; else only top cards that y must follow, and the trumps that are on top.
    """
    wins = x & 63 & m.OVER[y & 63]
    drained = m.COUNT[wins] >= m.COUNT[y & 63]
    sure = x & 63 if drained else wins
    for place in range(6, 24, 6):
        xs, ys = x >> place & 63, y >> place & 63
        wins = xs & m.OVER[ys]
        if drained and m.COUNT[wins] >= m.COUNT[ys]:
            wins = xs
        while not drained and m.COUNT[wins] > m.COUNT[ys]:
            wins &= wins - 1
        sure |= wins << place
    return sure


@njit(nogil=True)
def announced(x: int, sure: int, king: int, after: bool) -> int:
    """Return points that x announces while leading `sure`, and by one more lead `after` them."""
    points, best = 0, 0
    for suit in range(4):
        if x >> 6 * suit & 12 == 12:
            worth = 40 if suit == 0 else 20
            if sure >> 6 * suit & (8 if king else 12):
                points += worth
            elif after and worth > best:
                best = worth
    return points + best


@njit(nogil=True)
def hopes(x: int, rest: int) -> int:
    """Return the most that x can still announce if he draws all of `rest`."""
    points = 0
    for suit in range(4):
        if (x | rest) >> 6 * suit & 12 == 12:
            points += 40 if suit == 0 else 20
    return points


@njit(nogil=True)
def run_gain(mem: m.Memory, info: int, x: int, y: int, sure: int, strict: bool) -> int:
    """Return the least card points of x, on lead, from leading `sure` (with 5.8, without 4.4)."""
    gain = total(sure)
    if strict and sure == x:
        whole = gain + total(y)
        return whole + mem[m.RULES + e.RULE_BONUS] if info >> m.MODE & 15 == m.OPEN else whole
    return gain + cheapest(y, count(sure)) if strict else gain


@njit(nogil=True)
def run_shown(mem: m.Memory, info: int, x: int, sure: int) -> int:
    """Return the least points that x counts by announcing in that run, pending ones included."""
    points, d_leads = 0, info & m.D_LEADS
    if sure:
        points = pending_of(info, d_leads)
    first_barred = is_first(info) and not mem[m.RULES + e.RULE_FIRST_MARRIAGE]
    if not mem[m.RULES + e.RULE_LATE_MARRIAGE] or first_barred:
        return points
    counts = info & (m.D_TRICK if d_leads else m.A_TRICK) or not mem[m.RULES + e.RULE_VALID]
    after = sure != 0 or counts != 0
    return points + announced(x, sure, mem[m.RULES + e.RULE_KING], after)


@njit(nogil=True)
def by_run(mem: m.Memory, info: int, pa: int, pd: int, gain: int, sure: int) -> int:
    """Answer if the leader goes out, or D spoils 5.3, by a run of sure leads; else 0."""
    if not info & m.D_LEADS:
        return box(1, OUT - gain, INF, INF) if pa + gain >= OUT else 0
    worth = info >> m.WORTH & 3
    if sure and worth > 1 and info >> m.MODE & 15 <= m.A_CLOSED:
        if worth == 3:
            return anywhere(0)
        goal = mem[m.RULES + e.RULE_SCHEDULE]
        if pd + gain >= goal:
            return box(0, -INF, INF, goal - gain)
    return box(0, -INF, INF, OUT - gain) if pd + gain >= OUT else 0


@njit(nogil=True)
def by_closing(mem: m.Memory, info: int, x: int, y: int, pa: int, pd: int) -> int:
    """Answer if the leader goes out by closing and a run of sure leads; else 0.

    An opponent who may answer with an exchange is left to the search (4.3).
    """
    low = 1 << mem[m.RULES + e.RULE_LOW_RANK]
    if not closable(mem, info) or (mem[m.RULES + e.RULE_XCHG_ANSWER] and y & low):
        return 0
    sure = sure_cards(x, y)
    gain = total(sure) + (total(y) if sure == x else cheapest(y, count(sure)))
    gain += run_shown(mem, info, x, sure)
    if info & m.D_LEADS:
        return box(0, -INF, INF, OUT - gain) if pd + gain >= OUT else 0
    return box(1, OUT - gain, INF, INF) if pa + gain >= OUT else 0


@njit(nogil=True)
def out_of_reach(mem: m.Memory, info: int, pa: int, pd: int, most_a: int, least_d: int) -> int:
    """Answer if A cannot count 66 (at most `most_a`) nor win otherwise; else 0."""
    mode = info >> m.MODE & 15
    if most_a >= OUT or mode >= m.D_CLOSED + 2:
        return 0
    spare = OUT - 1 - most_a
    if mode != m.OPEN or (not mem[m.RULES + e.RULE_TOTAL] and info >> m.WORTH & 3 > 1):
        return box(0, -INF, pa + spare, -INF)
    slack = least_d - most_a
    if mem[m.RULES + e.RULE_TOTAL] and slack >= 0:  # 5.10: D has at least as much in the end
        half = min(slack // 2, spare)
        return box(0, -INF, pa + half, pd - (slack - half))
    return 0


@njit(nogil=True)
def bound(mem: m.Memory, a: int, d: int, pa: int, pd: int, info: int) -> int:
    """Answer a lead by counting, or return 0; not for modes in which going out fails."""
    d_leads, n = info & m.D_LEADS, info >> m.TALON & 15
    x, y = (d, a) if d_leads else (a, d)
    strict = n == 0
    rest = 0 if strict else mem[m.REST + n] | 1 << (info >> m.UPCARD)
    sure = sure_cards(x, y) if strict else x & 63 & m.OVER[(y | rest) & 63]
    gain = run_gain(mem, info, x, y, sure, strict)
    r = by_run(mem, info, pa, pd, gain + run_shown(mem, info, x, sure), sure)
    if not r:
        r = by_closing(mem, info, x, y, pa, pd)
    if r:
        return r
    is_open = info >> m.MODE & 15 == m.OPEN
    if d_leads and strict and sure == x and is_open and not mem[m.RULES + e.RULE_TOTAL]:
        return anywhere(0)  # the last trick is his, too
    least_d = gain if d_leads else total(y & 63 & m.OVER[(x | rest) & 63])
    most_a = pa + pending_of(info, 0) + total(a | d | rest) - least_d
    if is_open:
        most_a += mem[m.RULES + e.RULE_BONUS]
    if not strict or mem[m.RULES + e.RULE_LATE_MARRIAGE] or info >> m.FRESH & 1:
        most_a += hopes(a, rest)
    return out_of_reach(mem, info, pa, pd, most_a, pd + least_d)
