"""A plain player by rules of thumb, compiled: who plays a deal on when the tree search has no node.

Good enough to tell a good position from a bad one, and quick: the tree above it corrects it.
"""

from __future__ import annotations

from numba import njit, types

import inference.solve.encode as e
from inference.advice.chance import Stream, below, uniform
from inference.solve.bits import count, low_bit
from inference.solve.rules_kernel import ABOVE, PTS, SUITS

CARELESS = 0.2
"""Share of random cards: who always does the same learns nothing of what else may happen."""
PLAYS = (1 << 24) - 1
SHOWS = 255 << e.COLUMN_ANNOUNCE
DEAR = 10
"""Points of a led card that is worth a trump."""

_I8, _STATE = types.int64, types.int64[::1]


@njit(_I8(_STATE, _I8), cache=True, nogil=True)
def one_of(chance: Stream, bits: int) -> int:
    """Draw one of some legal columns evenly."""
    for _ in range(below(chance, count(bits & PLAYS) + count(bits >> 24))):
        bits &= bits - 1
    return int(low_bit(bits))


@njit(nogil=True)
def dearest(mask: int) -> int:
    """Return the card of most points."""
    found, most = -1, -1
    while mask:
        card = low_bit(mask)
        mask &= mask - 1
        if PTS[card] > most:
            found, most = card, PTS[card]
    return found


@njit(nogil=True)
def cheapest(mask: int, trump: int) -> int:
    """Return the card of least points, trumps last."""
    found, least = -1, 99
    while mask:
        card = low_bit(mask)
        mask &= mask - 1
        cost = PTS[card] + 8 * (card // 6 == trump)
        if cost < least:
            found, least = card, cost
    return found


@njit(nogil=True)
def reply(s: e.Vector, cards: int, strict: bool) -> int:
    """Answer a lead: win with what pays, else throw the cheapest card."""
    led, trump = s[e.LED], s[e.TRUMP]
    same = cards & SUITS[led // 6] & ABOVE[led]
    if same and (led // 6 != trump or strict or PTS[led] >= DEAR):
        return dearest(same)
    ruffs = cards & SUITS[trump]
    if ruffs and led // 6 != trump and (strict or PTS[led] >= DEAR):
        return cheapest(ruffs, -1)
    return cheapest(cards, trump)


@njit(_I8(_STATE, _I8, _STATE), cache=True, nogil=True)
def thumb(s: e.Vector, bits: int, chance: Stream) -> int:
    """Return what a plain player does: claim, exchange, announce; win tens and aces; lead low."""
    for column in (e.COLUMN_CLAIM, e.COLUMN_EXCHANGE, e.COLUMN_SILENCE):
        if bits >> column & 1:
            return int(column)
    if bits & SHOWS:
        trump = 3 << e.COLUMN_ANNOUNCE + 2 * s[e.TRUMP]
        return int(low_bit(bits & trump) if bits & trump else low_bit(bits & SHOWS))
    strict, cards = s[e.TALON] == 0 or s[e.CLOSED_BY] >= 0, bits & PLAYS
    if uniform(chance) < CARELESS:
        return int(one_of(chance, cards))
    if s[e.LED] >= 0:
        return int(reply(s, cards, strict))
    return int(dearest(cards) if strict else cheapest(cards, s[e.TRUMP]))
