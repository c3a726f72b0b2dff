"""Questions to the search, on the state vectors of `encode`: ints in, ints out.

`load` readies the workspace for the order of a talon; `value` then answers for any state that can
follow. The value, -3 to 3 game points, is closed in by questions of `search`: does S win at least
so many, or N?
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

import inference.solve.encode as e
import inference.solve.layout as m
from inference.solve.boxes import mix
from inference.solve.packed import close_mode
from inference.solve.rules_kernel import (
    actor,
    apply,
    exchangeable,
    legal_bits,
    may_close,
    out_worth,
    schedule,
    two_or_three,
)
from inference.solve.search import UNFINISHED, deal_round, run

UNKNOWN = 99
"""No value of a position: the budget is used up."""
ILLEGAL, UNSOLVED = -99, -98
"""No values of an action: it is not legal, or has not been searched yet."""
ASKED = 2
MOST = 3

Values = npt.NDArray[np.int8]


@njit(nogil=True)
def renamed(mask: int, trump: int) -> int:
    """Swap the trump suit with suit 0 in a mask."""
    place = 6 * trump
    return mask & ~(63 | 63 << place) | (mask & 63) << place | mask >> place & 63


@njit(nogil=True)
def renamed_card(card: int, trump: int) -> int:
    """Swap the trump suit with suit 0 for a card."""
    if card // 6 == trump:
        return card % 6
    return card + 6 * trump if card < 6 else card


@njit(nogil=True)
def load_rules(mem: m.Memory, rules: e.Vector) -> None:
    """Copy the rules and note whether they know the odd case (`search`)."""
    seed = 0
    for i in range(e.RULES_SIZE):
        mem[m.RULES + i] = rules[i]
        if i != e.RULE_PACK:
            seed = mix(seed ^ rules[i])
    mem[m.SEED], mem[m.ODD] = seed, 0
    fails = 23 if rules[e.RULE_CLOSE_FAIL] == 123 else rules[e.RULE_CLOSE_FAIL]
    for tricks in range(2):
        if two_or_three(fails, tricks) > two_or_three(rules[e.RULE_OPP_OUT], tricks):
            mem[m.ODD] = 1


@njit(cache=True, nogil=True)
def load(mem: m.Memory, s: e.Vector, rules: e.Vector) -> None:
    """Ready the workspace for a fully known state and all that can follow it."""
    load_rules(mem, rules)
    n = s[e.TALON]
    if n == 0 or s[e.CLOSED_BY] >= 0:
        return
    stack, more = s[e.STACK], s[e.STACK_REST]
    for k in range(n, 1, -1):
        mem[m.NEXT + k] = renamed_card(stack & 31, s[e.TRUMP])
        stack = stack >> 5 | (more & 31) << 55
        more >>= 5
    mem[m.REST + 1], mem[m.HASH + 1] = 0, 1
    for k in range(2, n + 1):
        mem[m.REST + k] = mem[m.REST + k - 1] | 1 << mem[m.NEXT + k]
        mem[m.HASH + k] = mix(mem[m.HASH + k - 1] ^ mem[m.NEXT + k] + 32)


@njit(nogil=True)
def closed_mode(mem: m.Memory, s: e.Vector, info: int, seat: int) -> int:
    """Return the mode of a closed state for the attacker, -1 if he cannot succeed."""
    rules = mem[m.RULES : m.RULES + e.RULES_SIZE]
    if s[e.CLOSED_BY] == seat:
        mode, worth = close_mode(mem, info, 0), info >> m.WORTH & 3
        at_close = schedule(rules, s[e.CLOSED_POINTS], s[e.CLOSED_TRICKS])
        return -1 if mode == m.A_SURE and rules[e.RULE_CLOSE_BASIS] and at_close < worth else mode
    trick = m.A_TRICK if s[e.CLOSED_TRICKS] else 0
    return close_mode(mem, info & ~m.A_TRICK | trick, 1)


@njit(nogil=True)
def root_info(mem: m.Memory, s: e.Vector, seat: int, worth: int) -> int:
    """Return the packed info of a state for an attacker, -1 if he cannot succeed after a close."""
    info = worth << m.WORTH | (s[e.PENDING] + s[e.PENDING + 1]) // 20 << m.PEND
    info |= m.D_LEADS if s[e.LEADER] != seat else 0
    info |= m.A_TRICK if s[e.TRICKS + seat] else 0
    info |= m.D_TRICK if s[e.TRICKS + 1 - seat] else 0
    talon = s[e.TALON] << m.TALON | renamed_card(s[e.UPCARD], s[e.TRUMP]) << m.UPCARD
    if s[e.CLOSED_BY] < 0:
        return int(info | talon if s[e.TALON] else info)
    mode = closed_mode(mem, s, info, seat)
    if mode < 0:
        return -1
    if s[e.FRESH_CLOSE] and not mem[m.RULES + e.RULE_LATE_MARRIAGE]:
        info |= 1 << m.FRESH
    return int(info | mode << m.MODE | (talon if s[e.FRESH_CLOSE] == 2 else 0))


@njit(nogil=True)
def root_kind(mem: m.Memory, s: e.Vector) -> int:
    """Return which choice is due; a whole round of drawing without a choice is dealt at once."""
    rules = mem[m.RULES : m.RULES + e.RULES_SIZE]
    if s[e.LED] >= 0:
        return m.REPLY
    if s[e.TO_DRAW]:
        if may_close(s, rules):
            return m.UNDRAWN
        deal_round(mem, m.FRAMES)
    elif s[e.FRESH_CLOSE] == 2:
        if s[e.HANDS + 1 - s[e.CLOSED_BY]] & exchangeable(s, rules):
            return m.ANSWER
        mem[m.FRAMES + m.INFO] &= m.CODE
    return m.LEAD


@njit(nogil=True)
def ask(mem: m.Memory, s: e.Vector, seat: int, worth: int) -> int:
    """Set the search up for a question; return its answer if no search is needed, else ASKED."""
    if s[e.WINNER] != e.RUNNING:
        return 1 if s[e.WINNER] == seat and s[e.GAME_POINTS] >= worth else 0
    info, f, trump = root_info(mem, s, seat, worth), m.FRAMES, s[e.TRUMP]
    if info < 0:
        return 0
    if s[e.ANNOUNCED] == 2:
        if s[e.LEADER] != seat:
            return 0
        if out_worth(s, mem[m.RULES : m.RULES + e.RULES_SIZE], seat) >= worth:
            return 1
    mem[f + m.A] = renamed(s[e.HANDS + seat], trump)
    mem[f + m.D] = renamed(s[e.HANDS + 1 - seat], trump)
    mem[f + m.PA], mem[f + m.PD] = s[e.POINTS + seat], s[e.POINTS + 1 - seat]
    mem[f + m.INFO], mem[f + m.CLAIM] = info, 0
    mem[f + m.GAIN_A], mem[f + m.GAIN_D] = 0, 0
    mem[f + m.LED] = renamed_card(s[e.LED], trump) if s[e.LED] >= 0 else -1
    mem[f + m.KIND] = root_kind(mem, s)
    mem[m.FRAME_NOW] = f
    return ASKED


@njit(nogil=True)
def token_of(mem: m.Memory, s: e.Vector) -> int:
    """Return a hash of a state under the loaded rules."""
    token = mem[m.SEED]
    for i in range(e.STATE_SIZE):
        token = mix(token ^ s[i])
    return int(token)


@njit(nogil=True)
def narrow(mem: m.Memory, aim: int, yes: int) -> None:
    """Note that S wins at least `aim` (or less), and aim at what is left."""
    if yes:
        mem[m.LOWEST], mem[m.AIM] = aim, aim + 1
    else:
        mem[m.HIGHEST] = mem[m.AIM] = aim - 1
    if not mem[m.RULES + e.RULE_TOTAL]:  # no draws
        if mem[m.LOWEST] == 0:
            mem[m.LOWEST] = 1
        if mem[m.HIGHEST] == 0:
            mem[m.HIGHEST] = -1


@njit(cache=True, nogil=True)
def value(mem: m.Memory, s: e.Vector, guess: int) -> int:
    """Return the game points of S with best play, or UNKNOWN if NODES reached BUDGET.

    The state must be the loaded one or follow it. `guess` only makes the search shorter. A search
    that ran out goes on where it stopped when the same state is asked for again.
    """
    if not mem[m.PAUSED] or mem[m.TOKEN] != token_of(mem, s):
        mem[m.PAUSED], mem[m.LOWEST], mem[m.HIGHEST], mem[m.AIM] = 0, -MOST, MOST, guess
    while mem[m.LOWEST] < mem[m.HIGHEST]:
        aim = max(mem[m.LOWEST] + 1, min(mem[m.AIM], mem[m.HIGHEST]))
        seat, worth = (0, aim) if aim > 0 else (1, 1 - aim)
        r = ASKED if mem[m.PAUSED] else ask(mem, s, seat, worth)
        if r == ASKED:
            r = run(mem)
        if r == UNFINISHED:
            mem[m.TOKEN] = token_of(mem, s)
            return UNKNOWN
        narrow(mem, aim, r if seat == 0 else 1 - r)
    return int(mem[m.LOWEST])


@njit(cache=True, nogil=True)
def solve_worlds(
    mem: m.Memory, states: npt.NDArray[np.int64], rules: e.Vector, seat: int, out: Values
) -> None:
    """Fill in what each action of `seat` is worth to it in each state, until the budget is used up.

    Only cells that are UNSOLVED are filled in; what the other seat might do first, it has left.
    """
    child = np.empty(e.STATE_SIZE, dtype=np.int64)
    guess = 1
    for i in range(len(states)):
        s, loaded = states[i].copy(), False
        if actor(s) != seat:
            s[e.ANNOUNCED], s[e.FRESH_CLOSE] = min(1, s[e.ANNOUNCED]), min(1, s[e.FRESH_CLOSE])
        bits = legal_bits(s, rules)
        for column in range(e.N_ACTIONS):
            if out[i, column] != UNSOLVED:
                continue
            if not bits >> column & 1:
                out[i, column] = ILLEGAL
                continue
            if not loaded:
                load(mem, s, rules)
                loaded = True
            for place in range(e.STATE_SIZE):
                child[place] = s[place]
            apply(child, rules, column)
            if i and out[i - 1, column] > UNSOLVED:
                guess = out[i - 1, column] if seat == 0 else -out[i - 1, column]
            v = value(mem, child, guess)
            if v == UNKNOWN:
                return
            guess = v
            out[i, column] = v if seat == 0 else -v
