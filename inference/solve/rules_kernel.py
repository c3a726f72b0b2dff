"""The rules compiled: legal actions and steps on the state vectors of `encode`.

A twin of `PublicState` and `Position` for fully known positions; ints in, ints out. Instead of a
seat that may act beside the one to act there is always one `actor`: an announcer who may claim
before the reply and a closer's opponent who may answer decide first, and silence passes the turn.
Numbers in comments are lines of docs/rules.md.
"""

from __future__ import annotations

import numpy as np
from numba import njit

import inference.solve.encode as e
from inference.cards import HIGHER, MARRIAGES, POINTS, SUIT_MASK

PTS = np.array([POINTS[card % 6] for card in range(24)], dtype=np.int64)
ABOVE = np.array(HIGHER, dtype=np.int64)
SUITS = np.array(SUIT_MASK, dtype=np.int64)
BOTH = np.array(MARRIAGES, dtype=np.int64)
PLAYS = (1 << 24) - 1
SILENT = 1 << e.COLUMN_SILENCE


@njit(nogil=True)
def strict_answers(hand: int, led: int, trump: int, head: int, ruff: int) -> int:
    """Return the mask of cards that may answer in the strict phase (3.5, 3.6)."""
    same = hand & SUITS[led // 6]
    if same:
        higher = same & ABOVE[led]
        return int(higher if head and higher else same)
    trumps = hand & SUITS[trump]
    return int(trumps if ruff and trumps else hand)


@njit(cache=True, nogil=True)
def actor(s: e.Vector) -> int:
    """Return the seat that decides now (see above)."""
    if s[e.ANNOUNCED] == 2:
        return int(s[e.LEADER])
    if s[e.FRESH_CLOSE] == 2:
        return int(1 - s[e.CLOSED_BY])
    return int(s[e.LEADER] if s[e.LED] < 0 else 1 - s[e.LEADER])


@njit(nogil=True)
def exchangeable(s: e.Vector, rules: e.Vector) -> int:
    """Return the mask of the low trump if the upcard can be exchanged for it, else 0 (4.2)."""
    low = 6 * s[e.TRUMP] + rules[e.RULE_LOW_RANK]
    up = s[e.UPCARD]
    return 1 << low if 0 <= up != low and s[e.TALON] >= rules[e.RULE_XCHG_MIN] else 0


@njit(nogil=True)
def may_close(s: e.Vector, rules: e.Vector) -> bool:
    """Tell whether the leader may close (4.9, 4.10)."""
    if not rules[e.RULE_CLOSE] or s[e.CLOSED_BY] >= 0 or s[e.LED] >= 0:
        return False
    if s[e.TO_DRAW]:
        untouched = rules[e.RULE_CLOSE_UNDRAWN] and s[e.TO_DRAW] == 2
        return bool(untouched and s[e.TALON] - 2 >= rules[e.RULE_CLOSE_MIN])
    first = s[e.TRICKS] + s[e.TRICKS + 1] == 0
    enough = s[e.TALON] >= rules[e.RULE_CLOSE_MIN]
    return bool(enough and (rules[e.RULE_CLOSE_FIRST] or not first))


@njit(nogil=True)
def _leads(s: e.Vector, rules: e.Vector, hand: int) -> int:
    """Return plain and announced leads (4.4 to 4.8)."""
    first = s[e.TRICKS] + s[e.TRICKS + 1] == 0
    late = (s[e.TALON] == 0 or s[e.CLOSED_BY] >= 0) and not s[e.FRESH_CLOSE]
    if (first and not rules[e.RULE_FIRST_MARRIAGE]) or (late and not rules[e.RULE_LATE_MARRIAGE]):
        return hand
    plays, shown = hand, 0
    for suit in range(4):
        if hand & BOTH[suit] == BOTH[suit]:
            pair = 0b10 if rules[e.RULE_KING] else 0b11
            shown |= pair << e.COLUMN_ANNOUNCE + 2 * suit
            if rules[e.RULE_AUTO_ANNOUNCE]:
                plays &= ~(pair << 6 * suit + 2)
    return plays | shown


@njit(cache=True, nogil=True)
def legal_bits(s: e.Vector, rules: e.Vector) -> int:
    """Return the legal columns of the actor as bits; 0 when the deal is over."""
    if s[e.WINNER] != e.RUNNING:
        return 0
    if s[e.ANNOUNCED] == 2:
        return 1 << e.COLUMN_CLAIM | SILENT
    seat = actor(s)
    hand = s[e.HANDS + seat]
    exchange = 1 << e.COLUMN_EXCHANGE if hand & exchangeable(s, rules) else 0
    if s[e.FRESH_CLOSE] == 2:
        return exchange | SILENT
    if s[e.LED] >= 0:
        free = s[e.TALON] > 0 and s[e.CLOSED_BY] < 0
        bits = hand
        if not free:
            head, ruff = rules[e.RULE_HEAD], rules[e.RULE_TRUMP]
            bits = strict_answers(hand, s[e.LED], s[e.TRUMP], head, ruff)
    else:
        bits = SILENT if s[e.TO_DRAW] else _leads(s, rules, hand)
        if may_close(s, rules):
            bits |= 1 << e.COLUMN_CLOSE
        if s[e.TRICKS + seat] and s[e.POINTS + seat] >= 66:
            bits |= 1 << e.COLUMN_CLAIM
    turn = s[e.LED] < 0 or rules[e.RULE_XCHG_TURN]
    unearned = rules[e.RULE_XCHG_TRICK] and s[e.TRICKS + seat] == 0
    if turn and not unearned and s[e.CLOSED_BY] < 0 and not s[e.TO_DRAW]:
        bits |= exchange
    return int(bits)


@njit(nogil=True)
def two_or_three(penalty: int, tricks: int) -> int:
    """Return the game points of a penalty written 2, 3 or 23 (2/3)."""
    if penalty == 23:
        return 3 if tricks == 0 else 2
    return penalty


@njit(nogil=True)
def schedule(rules: e.Vector, points: int, tricks: int) -> int:
    """Return 3, 2 or 1 game points by the loser's points and tricks (5.3)."""
    if tricks == 0:
        return 3
    return 2 if points < rules[e.RULE_SCHEDULE] else 1


@njit(nogil=True)
def close_penalty(s: e.Vector, rules: e.Vector) -> int:
    """Return what a failed close costs (5.6)."""
    rule, tricks = rules[e.RULE_CLOSE_FAIL], s[e.CLOSED_TRICKS]
    if rule == 123:
        if tricks and s[e.POINTS + s[e.CLOSED_BY]] >= 33:
            return 1
        rule = 23
    return two_or_three(rule, tricks)


@njit(nogil=True)
def out_worth(s: e.Vector, rules: e.Vector, winner: int) -> int:
    """Return the game points if a seat goes out now (5.3 to 5.5)."""
    loser, by = 1 - winner, s[e.CLOSED_BY]
    if by == loser:
        return two_or_three(rules[e.RULE_OPP_OUT], s[e.CLOSED_TRICKS])
    if by == winner and rules[e.RULE_CLOSE_BASIS]:
        return schedule(rules, s[e.CLOSED_POINTS], s[e.CLOSED_TRICKS])
    return schedule(rules, s[e.POINTS + loser], s[e.TRICKS + loser])


@njit(nogil=True)
def _end(s: e.Vector, winner: int, worth: int) -> None:
    s[e.WINNER], s[e.GAME_POINTS], s[e.TO_DRAW] = winner, worth, 0


@njit(nogil=True)
def _played_out(s: e.Vector, rules: e.Vector) -> None:
    """Judge a deal whose cards are all played (5.6, 5.9 to 5.11)."""
    last, by = s[e.LEADER], s[e.CLOSED_BY]
    if s[e.POINTS + last] >= 66:
        _end(s, last, out_worth(s, rules, last))
    elif by >= 0:
        _end(s, 1 - by, close_penalty(s, rules))
    elif not rules[e.RULE_TOTAL]:
        _end(s, last, 1)
    elif s[e.POINTS] == s[e.POINTS + 1]:
        _end(s, e.NOBODY, 0)
    else:
        loser = 1 if s[e.POINTS] > s[e.POINTS + 1] else 0
        _end(s, 1 - loser, schedule(rules, s[e.POINTS + loser], s[e.TRICKS + loser]))


@njit(nogil=True)
def _lay(s: e.Vector, seat: int, card: int) -> None:
    s[e.PLAYED] |= 1 << card
    s[e.HANDS + seat] &= ~(1 << card)
    s[e.KNOWN + seat] &= ~(1 << card)
    s[e.HELD + seat] -= 1


@njit(nogil=True)
def _lead(s: e.Vector, rules: e.Vector, column: int) -> None:
    """Lead a card, plain or from a marriage (4.4, 4.7, 5.1)."""
    seat, card = s[e.LEADER], column
    if column >= e.COLUMN_ANNOUNCE:
        suit = (column - e.COLUMN_ANNOUNCE) // 2
        card = 6 * suit + 2 + (column & 1)
        s[e.KNOWN + seat] |= BOTH[suit]
        worth = 40 if suit == s[e.TRUMP] else 20
        counts = s[e.TRICKS + seat] >= rules[e.RULE_VALID]
        s[(e.POINTS if counts else e.PENDING) + seat] += worth
        if not rules[e.RULE_DECLARED] and s[e.POINTS + seat] >= 66:
            _end(s, seat, out_worth(s, rules, seat))
            return
        s[e.ANNOUNCED] = 2 if s[e.POINTS + seat] >= 66 else 1
    _lay(s, seat, card)
    s[e.LED], s[e.FRESH_CLOSE] = card, 0


@njit(nogil=True)
def _reply(s: e.Vector, rules: e.Vector, card: int) -> None:
    """Answer the led card and give the trick to its winner (3.1 to 3.3, 4.7, 5.8)."""
    led, leader = s[e.LED], s[e.LEADER]
    _lay(s, 1 - leader, card)
    beaten = card > led if card // 6 == led // 6 else card // 6 == s[e.TRUMP]
    winner = 1 - leader if beaten else leader
    drawing = s[e.TALON] > 0 and s[e.CLOSED_BY] < 0
    last = s[e.HELD] + s[e.HELD + 1] == 0 and not drawing
    bonus = rules[e.RULE_BONUS] if last and s[e.CLOSED_BY] < 0 else 0
    s[e.POINTS + winner] += PTS[led] + PTS[card] + s[e.PENDING + winner] + bonus
    s[e.PENDING + winner] = 0
    s[e.TRICKS + winner] += 1
    s[e.LED], s[e.LEADER], s[e.ANNOUNCED] = -1, winner, 0
    s[e.TO_DRAW] = 2 if drawing else 0
    if not rules[e.RULE_DECLARED] and s[e.POINTS + winner] >= 66:
        _end(s, winner, out_worth(s, rules, winner))
    elif last:
        _played_out(s, rules)


@njit(cache=True, nogil=True)
def draw(s: e.Vector) -> None:
    """Deal the due round of drawing from the talon, the trick's winner first (3.3)."""
    seat = s[e.LEADER] if s[e.TO_DRAW] == 2 else 1 - s[e.LEADER]
    while s[e.TO_DRAW]:
        card = s[e.STACK] & 31
        s[e.STACK] = s[e.STACK] >> 5 | (s[e.STACK_REST] & 31) << 55
        s[e.STACK_REST] >>= 5
        s[e.HANDS + seat] |= 1 << card
        s[e.HELD + seat] += 1
        s[e.TALON] -= 1
        s[e.TO_DRAW] -= 1
        if s[e.TALON] == 0:
            s[e.KNOWN + seat] |= 1 << card
            s[e.UPCARD] = -1
        seat = 1 - seat


@njit(nogil=True)
def _exchange(s: e.Vector, rules: e.Vector, seat: int) -> None:
    """Swap the low trump for the upcard, which is the last card of the talon (4.2)."""
    low, up = 6 * s[e.TRUMP] + rules[e.RULE_LOW_RANK], s[e.UPCARD]
    s[e.UPCARD] = low
    s[e.HANDS + seat] ^= 1 << low | 1 << up
    s[e.KNOWN + seat] = s[e.KNOWN + seat] & ~(1 << low) | 1 << up
    place = s[e.TALON] - 1
    if place < e.STACK_CARDS:
        s[e.STACK] ^= (up ^ low) << 5 * place
    else:
        s[e.STACK_REST] ^= (up ^ low) << 5 * (place - e.STACK_CARDS)
    if s[e.FRESH_CLOSE] == 2:
        s[e.FRESH_CLOSE] = 1


@njit(nogil=True)
def _close(s: e.Vector, rules: e.Vector) -> None:
    """Close; the opponent may then answer where the rules allow it (4.3, 4.9)."""
    seat = s[e.LEADER]
    s[e.CLOSED_BY] = seat
    s[e.CLOSED_POINTS], s[e.CLOSED_TRICKS] = s[e.POINTS + 1 - seat], s[e.TRICKS + 1 - seat]
    s[e.TO_DRAW] = 0
    s[e.FRESH_CLOSE] = 2 if rules[e.RULE_XCHG_ANSWER] and exchangeable(s, rules) else 1


@njit(cache=True, nogil=True)
def apply(s: e.Vector, rules: e.Vector, column: int) -> None:
    """Change a state by a legal action of its actor; silence draws or passes the turn."""
    if column == e.COLUMN_EXCHANGE:
        _exchange(s, rules, actor(s))
    elif column == e.COLUMN_CLOSE:
        _close(s, rules)
    elif column == e.COLUMN_CLAIM:
        _end(s, s[e.LEADER], out_worth(s, rules, s[e.LEADER]))
    elif column == e.COLUMN_SILENCE:
        if s[e.TO_DRAW]:
            draw(s)
        elif s[e.ANNOUNCED] == 2:
            s[e.ANNOUNCED] = 1
        else:
            s[e.FRESH_CLOSE] = 1
    elif s[e.LED] < 0:
        _lead(s, rules, column)
    else:
        _reply(s, rules, column)


@njit(cache=True, nogil=True)
def payoff(s: e.Vector) -> int:
    """Return the game points won minus lost by S; 0 while the deal runs."""
    if s[e.WINNER] < 0:
        return 0
    return int(s[e.GAME_POINTS] if s[e.WINNER] == 0 else -s[e.GAME_POINTS])
