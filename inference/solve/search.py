"""The compiled search of whether the attacker wins a fully known deal, as high as he wants.

`run` walks the tree of choices with a stack of frames (`layout`) instead of recursion, so that it
can pause anywhere. Everything is exact:

*Boxes.* An answer holds for a box of points that is read off its proof, since every test of points
narrows it; one entry of the table serves many scores. Boxes are open on one side because points
never hurt their owner: he is out sooner, and the worth of going out never grows with time.

*Claims.* Who has 66 at his moment to claim claims at once. His worth cannot grow later: the loser's
points and tricks only grow, the basis of a close is fixed, and the loser need not close. D claims
in any case, since whatever he wins refutes the attack.

*The odd case* is against both: an opponent of the closer whom the failed close pays better than
going out. Where going out fails A (`goes_out` is 0) he does not claim, his points have an upper
bound, and bounds and twins are not used; rules that allow it are marked ODD.

*Twins.* Neighbours in one hand win the same tricks. If one of them fails in a box, the other fails
in that box narrowed by their difference in points, whoever wins them and when.

Numbers in comments are lines of docs/rules.md.
"""

from __future__ import annotations

from numba import njit

import inference.solve.encode as e
import inference.solve.layout as m
from inference.solve.bits import by_rank, count, high_bit, low_bit
from inference.solve.bounds import at_end, bound, narrowed, settled
from inference.solve.boxes import (
    INF,
    OUT,
    anywhere,
    box,
    holds,
    look_up,
    meet,
    remember,
    shifted,
    spared,
)
from inference.solve.packed import (
    announcements,
    closable,
    close_mode,
    exchanges,
    goes_out,
    is_odd,
    marriageable,
    pending_of,
    upcard_taker,
)
from inference.solve.rules_kernel import ABOVE, PLAYS, PTS, strict_answers

UNFINISHED = -1


# -- entering a frame: an answer at once, or the list of actions ---------------------------------


@njit(nogil=True)
def choose(mem: m.Memory, f: int, d_moves: int, todo: int, first: int, hint: int) -> None:
    """Open the choice of a seat."""
    mem[f + m.UNTRIED], mem[f + m.FIRST], mem[f + m.HINT] = todo, first, hint
    mem[f + m.GOOD] = 1 - d_moves
    mem[f + m.BOX] = anywhere(d_moves)


@njit(nogil=True)
def compare(mem: m.Memory, f: int, x: int, y: int, led: int) -> None:
    """Note which cards of x may have twins: not those that may marry, nor the low trump."""
    info = mem[f + m.INFO]
    n = info >> m.TALON & 15
    rest = mem[m.REST + n] | 1 << (info >> m.UPCARD) if n else 0
    keep = 1 << mem[m.RULES + e.RULE_LOW_RANK] if n else 0
    if n or mem[m.RULES + e.RULE_LATE_MARRIAGE] or info >> m.FRESH & 1:
        keep |= marriageable(x, rest)
    mem[f + m.KEEP] = -1 if is_odd(mem, info) else keep
    mem[f + m.OTHERS] = y | rest | led


@njit(nogil=True)
def enter_lead(mem: m.Memory, f: int) -> int:
    """Answer a lead by counting or from the table, or open it and return 0."""
    r = settled(mem, f)
    if r:
        return r
    a, d, pa, pd, info = mem[f + m.A], mem[f + m.D], mem[f + m.PA], mem[f + m.PD], mem[f + m.INFO]
    if a == 0:
        return narrowed(mem, f, at_end(mem, pa, pd, info))
    r = look_up(mem, f)
    if r:
        return r
    if goes_out(info):
        r = bound(mem, a, d, pa, pd, info)
        if r:
            return narrowed(mem, f, r)
    d_leads = info & m.D_LEADS
    x, y = (d, a) if d_leads else (a, d)
    compare(mem, f, x, y, 0)
    shown = announcements(mem, info, x)
    plain = x
    if mem[f + m.KEEP] >= 0 or mem[m.RULES + e.RULE_AUTO_ANNOUNCE]:
        for suit in range(4):  # announcing is then at least as good as the plain lead
            plain &= ~((shown >> e.COLUMN_ANNOUNCE + 2 * suit & 3) << 6 * suit + 2)
    todo = plain | shown | exchanges(mem, info, x, d_leads)
    if closable(mem, info):
        todo |= 1 << e.COLUMN_CLOSE
    depth = count(a | d) + (info >> m.TALON & 15)
    mem[f + m.DEPTH] = depth
    hint = mem[f + m.HINT]
    if hint < 0:
        hint = mem[m.KILLER + 32 * d_leads + depth]
    choose(mem, f, d_leads, todo, plain | shown | 1 << e.COLUMN_EXCHANGE, hint)
    return 0


@njit(nogil=True)
def enter_reply(mem: m.Memory, f: int) -> int:
    """Open a reply; return 0."""
    info, led = mem[f + m.INFO], mem[f + m.LED]
    n, d_leads = info >> m.TALON & 15, info & m.D_LEADS
    x, y = (mem[f + m.A], mem[f + m.D]) if d_leads else (mem[f + m.D], mem[f + m.A])
    compare(mem, f, x, y, 1 << led)
    if n == 0:
        todo = strict_answers(x, led, 0, mem[m.RULES + e.RULE_HEAD], mem[m.RULES + e.RULE_TRUMP])
    elif mem[m.RULES + e.RULE_XCHG_TURN]:
        todo = x | exchanges(mem, info, x, 1 - d_leads)
    else:
        todo = x
    first = ABOVE[led] | 1 << e.COLUMN_EXCHANGE
    hint = mem[m.REPLY_KILLER + 48 * n + 24 * d_leads + led]
    choose(mem, f, 1 - d_leads, todo, first, hint)
    mem[f + m.LIMIT] = INF
    return 0


@njit(nogil=True)
def enter(mem: m.Memory, f: int) -> int:
    """Answer a frame at once, or open its choice and return 0."""
    kind, d_leads = mem[f + m.KIND], mem[f + m.INFO] & m.D_LEADS
    if kind == m.LEAD:
        return enter_lead(mem, f)
    if kind == m.REPLY:
        return enter_reply(mem, f)
    if kind == m.DONE:
        return int(mem[f + m.BOX])
    mem[f + m.KEEP] = -1
    if kind == m.ANSWER:
        mem[f + m.LIMIT], mem[f + m.CLAIM] = INF, 0
        choose(mem, f, 1 - d_leads, 1 << e.COLUMN_EXCHANGE | 1 << e.COLUMN_SILENCE, 0, -1)
        return 0
    r = settled(mem, f)
    if not r:
        choose(mem, f, d_leads, 1 << e.COLUMN_CLOSE | 1 << e.COLUMN_SILENCE, 0, -1)
    return r


# -- one step down: the next action makes a frame ------------------------------------------------


@njit(nogil=True)
def next_action(mem: m.Memory, f: int) -> int:
    """Take the most promising action off the list."""
    todo, hint = mem[f + m.UNTRIED], mem[f + m.HINT]
    group = todo & mem[f + m.FIRST]
    if hint >= 0 and todo >> hint & 1:
        c = hint
    elif group >> 24:
        c = high_bit(group)
    elif group:
        c = by_rank(group, True)
    elif mem[f + m.KIND] == m.REPLY and mem[f + m.LED] >= 6 and todo & 63:
        c = low_bit(todo & 63)
    elif todo & PLAYS:
        c = by_rank(todo & PLAYS, False)
    else:
        c = high_bit(todo)
    mem[f + m.UNTRIED] = todo & ~(1 << c)
    mem[f + m.MOVE] = c
    return int(c)


@njit(nogil=True)
def deal_round(mem: m.Memory, g: int) -> None:
    """Let both draw, the trick's winner first (3.3)."""
    info = mem[g + m.INFO]
    n = info >> m.TALON & 15
    one, two = mem[m.NEXT + n], mem[m.NEXT + n - 1] if n > 2 else info >> m.UPCARD
    if info & m.D_LEADS:
        one, two = two, one
    mem[g + m.A] |= 1 << one
    mem[g + m.D] |= 1 << two
    mem[g + m.INFO] = info - (2 << m.TALON) if n > 2 else info & m.CODE


@njit(nogil=True)
def lay_down_talon(mem: m.Memory, g: int) -> None:
    """Go on after a close: the talon is out of play."""
    mem[g + m.KIND] = m.LEAD
    mem[g + m.INFO] &= m.CODE


@njit(nogil=True)
def push_exchange(mem: m.Memory, f: int, g: int) -> None:
    """Swap the low trump for the upcard (4.2, 4.3)."""
    info, low = mem[f + m.INFO], mem[m.RULES + e.RULE_LOW_RANK]
    mem[g + (m.A if mem[f + m.GOOD] else m.D)] ^= 1 << low | 1 << (info >> m.UPCARD)
    mem[g + m.INFO] = info & m.SHORT | low << m.UPCARD
    mem[g + m.CLAIM] = 0
    if mem[f + m.KIND] == m.ANSWER:
        lay_down_talon(mem, g)


@njit(nogil=True)
def push_close(mem: m.Memory, f: int, g: int) -> None:
    """Close, and let the other answer where he may (4.3, 4.9, 4.10)."""
    info = mem[f + m.INFO]
    d_leads = info & m.D_LEADS
    mode = close_mode(mem, info, d_leads)
    if mode < 0:
        mem[g + m.KIND], mem[g + m.BOX] = m.DONE, anywhere(0)
        return
    fresh = 0 if mem[m.RULES + e.RULE_LATE_MARRIAGE] else 1 << m.FRESH
    mem[g + m.INFO] = info | mode << m.MODE | fresh
    other = mem[f + (m.A if d_leads else m.D)]
    if mem[m.RULES + e.RULE_XCHG_ANSWER] and other & upcard_taker(mem, info):
        mem[g + m.KIND] = m.ANSWER
    else:
        lay_down_talon(mem, g)


@njit(nogil=True)
def push_lead(mem: m.Memory, f: int, g: int, column: int) -> None:
    """Lead a card, plain or from a marriage (4.4, 4.7)."""
    info, card = mem[f + m.INFO] & ~(1 << m.FRESH), column
    d_leads = info & m.D_LEADS
    mem[g + m.CLAIM] = 0
    if column >= e.COLUMN_ANNOUNCE:
        suit = (column - e.COLUMN_ANNOUNCE) >> 1
        card = 6 * suit + 2 + (column & 1)
        worth = 40 if suit == 0 else 20
        if info & (m.D_TRICK if d_leads else m.A_TRICK) or not mem[m.RULES + e.RULE_VALID]:
            mem[g + m.PA + d_leads] += worth
            mem[g + m.GAIN_A + d_leads] = worth
            mem[g + m.CLAIM] = 1
        else:
            info += worth // 20 << m.PEND
    mem[g + m.KIND], mem[g + m.LED], mem[g + m.INFO] = m.REPLY, card, info
    mem[g + m.A + d_leads] &= ~(1 << card)
    if mem[g + m.CLAIM] and mem[g + m.PA + d_leads] >= OUT:
        claim_shown(mem, g, info)


@njit(nogil=True)
def claim_shown(mem: m.Memory, g: int, info: int) -> None:
    """Let the announcer go out, except where that fails him (5.1, 5.2)."""
    if info & m.D_LEADS:
        mem[g + m.KIND], mem[g + m.BOX] = m.DONE, box(0, -INF, INF, OUT)
    elif goes_out(info):
        mem[g + m.KIND], mem[g + m.BOX] = m.DONE, box(1, OUT, INF, INF)
    elif not mem[m.RULES + e.RULE_DECLARED]:
        mem[g + m.KIND], mem[g + m.BOX] = m.DONE, box(0, OUT, INF, -INF)


@njit(nogil=True)
def push_reply(mem: m.Memory, f: int, g: int, card: int) -> None:
    """Answer the led card, give the trick to its winner and let both draw (3.1 to 3.3)."""
    info, led = mem[f + m.INFO], mem[f + m.LED]
    d_leads, n = info & m.D_LEADS, info >> m.TALON & 15
    mem[g + m.D - d_leads] &= ~(1 << card)
    beaten = card > led if card // 6 == led // 6 else card < 6
    d_wins = 1 - d_leads if beaten else d_leads
    points = PTS[led] + PTS[card] + pending_of(info, d_wins)
    if mem[g + m.A] == 0 and n == 0 and info >> m.MODE & 15 == m.OPEN:
        points += mem[m.RULES + e.RULE_BONUS]
    mem[g + m.PA + d_wins] += points
    mem[g + m.GAIN_A + d_wins] = points
    if pending_of(info, d_wins):
        info &= ~(7 << m.PEND)
    mem[g + m.INFO] = info & ~m.D_LEADS | d_wins | (m.D_TRICK if d_wins else m.A_TRICK)
    mem[g + m.KIND] = m.LEAD
    undrawn = mem[m.RULES + e.RULE_CLOSE] and mem[m.RULES + e.RULE_CLOSE_UNDRAWN]
    if undrawn and n and n - 2 >= mem[m.RULES + e.RULE_CLOSE_MIN]:
        mem[g + m.KIND] = m.UNDRAWN
    elif n:
        deal_round(mem, g)


@njit(nogil=True)
def push(mem: m.Memory, f: int) -> int:
    """Make the frame of the next action and return its place."""
    column, kind, g = next_action(mem, f), mem[f + m.KIND], f + m.FRAME
    for i in range(m.LED + 1):
        mem[g + i] = mem[f + i]
    mem[g + m.GAIN_A], mem[g + m.GAIN_D] = 0, 0
    mem[m.NODES] += 1
    if column == e.COLUMN_EXCHANGE:
        push_exchange(mem, f, g)
    elif column == e.COLUMN_CLOSE:
        push_close(mem, f, g)
    elif kind == m.ANSWER:
        lay_down_talon(mem, g)
    elif kind == m.UNDRAWN:
        mem[g + m.KIND] = m.LEAD
        deal_round(mem, g)
    elif kind == m.LEAD:
        push_lead(mem, f, g, column)
    else:
        push_reply(mem, f, g, column)
    return g


# -- one step up: the answer to an action ---------------------------------------------------------


@njit(nogil=True)
def twins(card: int, others: int, keep: int, todo: int) -> int:
    """Return the cards of `todo` between the same other cards as this one."""
    if keep >> card & 1:
        return 0
    place = card // 6 * 6
    suit, low = others >> place & 63, (1 << card - place) - 1
    above = suit & ~low
    between = ~((1 << m.HIGH[suit & low]) - 1) & 63
    if above:
        between &= (above & -above) - 1
    return int(between << place & todo & ~keep)


@njit(nogil=True)
def drop_twins(mem: m.Memory, f: int, card: int, r: int) -> int:
    """Strike off the twins of a card that failed, as far as its box goes; return the common box."""
    common = r
    same = twins(card, mem[f + m.OTHERS], mem[f + m.KEEP], mem[f + m.UNTRIED])
    while same:
        other = low_bit(same)
        same &= same - 1
        q = spared(r, abs(PTS[card] - PTS[other]))
        if holds(q, mem[f + m.PA], mem[f + m.PD]):
            common = meet(common, q)
            mem[f + m.UNTRIED] &= ~(1 << other)
    return common


@njit(nogil=True)
def absorb(mem: m.Memory, f: int, r: int) -> int:
    """Take the answer to the action that was tried; return the frame's once it is known, else 0."""
    column, kind, info = mem[f + m.MOVE], mem[f + m.KIND], mem[f + m.INFO]
    good = r & 1 == mem[f + m.GOOD]
    if not good:
        if column < e.COLUMN_ANNOUNCE and mem[f + m.KEEP] >= 0:
            r = drop_twins(mem, f, column, r)
        r = meet(mem[f + m.BOX], r)
        mem[f + m.BOX] = r
        if mem[f + m.UNTRIED]:
            return 0
    r, d_leads = narrowed(mem, f, r), info & m.D_LEADS
    if kind == m.LEAD:
        remember(mem, f, r, column if good else -1)
        if good:
            mem[m.KILLER + 32 * d_leads + mem[f + m.DEPTH]] = column
    elif kind == m.REPLY and good and column < e.COLUMN_ANNOUNCE:
        place = m.REPLY_KILLER + 48 * (info >> m.TALON & 15) + 24 * d_leads
        mem[place + mem[f + m.LED]] = column
    return r


@njit(nogil=True)
def run(mem: m.Memory) -> int:
    """Search on from the frame FRAME_NOW; return 1 or 0, or UNFINISHED when BUDGET is used up."""
    f = mem[m.FRAME_NOW]
    r = 0 if mem[m.PAUSED] else enter(mem, f)
    while True:
        if r:
            if f == m.FRAMES:
                mem[m.PAUSED] = 0
                return r & 1
            r = shifted(r, mem[f + m.GAIN_A], mem[f + m.GAIN_D])
            f -= m.FRAME
            r = absorb(mem, f, r)
        elif mem[m.NODES] >= mem[m.BUDGET]:
            mem[m.FRAME_NOW], mem[m.PAUSED] = f, 1
            return UNFINISHED
        else:
            f = push(mem, f)
            r = enter(mem, f)
