"""The workspace of the compiled search: where things lie in its one array of integers.

In the search trump is always suit 0, a position is seen from an attacker A who wants at least
`WORTH` game points from the defender D, and `info` packs all of it but hands and points.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inference.cards import POINTS
from inference.solve.encode import RULES_SIZE

Memory = npt.NDArray[np.int64]

# -- the workspace ------------------------------------------------------------------------------
(
    NODES,  # positions entered by an action so far
    BUDGET,  # the search pauses at this number of nodes
    MASK,  # number of buckets of the table, less one
    SEED,  # a hash of the rules
    AGE,  # whose entries the table keeps first, 0 to 15
    ODD,  # 1 if a failed close may cost more than its refutation wins (`kernel`)
    FRAME_NOW,
    PAUSED,  # 1 while a search waits to go on, for the question TOKEN
    TOKEN,
    LOWEST,  # what is proved of the value so far
    HIGHEST,
    AIM,
) = range(12)
RULES = 16
NEXT = RULES + RULES_SIZE
"""NEXT + n: the top card of a talon of n cards; REST + n its hidden cards, HASH + n their order."""
REST, HASH = NEXT + 16, NEXT + 32
KILLER = NEXT + 48
"""KILLER + 32 * leader + cards left: the last lead that decided a position."""
REPLY_KILLER = KILLER + 64
"""REPLY_KILLER + 48 * talon + 24 * leader + led card: the last reply that decided one."""
FRAMES = REPLY_KILLER + 48 * 16
FRAME = 24
TABLE = FRAMES + 64 * FRAME
"""Buckets of two entries; an entry is a key and its data (`table`)."""

# -- a frame: one choice of one seat --------------------------------------------------------------
KIND, A, D, PA, PD, INFO, LED = range(7)
"""What stands: kind of choice, hands and points of A and D, info, led card."""
GAIN_A, GAIN_D = 7, 8
"""Points won by the action that led here."""
UNTRIED, FIRST, HINT, MOVE = 9, 10, 11, 12
"""Actions left to try, those to try first, the one before them, the one being tried."""
GOOD, BOX = 13, 14
"""The answer that the chooser wants (1: A succeeds); where all tried actions failed him."""
KEEP, OTHERS = 15, 16
"""Cards that are like no other (-1: no card is like another); cards that part neighbours."""
LIMIT, CLAIM = 17, 18
"""What narrows a box: the most points of D with which 5.3 still pays, a leader who could be out."""
KEY, DEPTH = 19, 20

LEAD, REPLY, UNDRAWN, ANSWER, DONE = range(5)
"""Kinds: a lead, a reply, to close or to draw, the answer to a close, an answer that is known."""

# -- info ---------------------------------------------------------------------------------------
D_LEADS, A_TRICK, D_TRICK = 1, 2, 4
WORTH, PEND, FRESH, MODE, TALON, UPCARD = 3, 5, 8, 9, 13, 17
"""Places of: game points wanted (2 bits), pending points / 20 (3), announcing still allowed after
a fresh close (1), mode (4), talon if open (4), upcard (5). Who is without a trick owns what is
pending, on the first lead the leader."""
OPEN, A_CLOSED, A_SURE, D_CLOSED = 0, 1, 2, 4
"""Modes: nobody closed; A closed and 5.3 judges by the end; A closed and going out suffices;
D closed (+1: going out suffices, +2: a failed close does, +4: it does below 33 points of D)."""
CODE = (1 << TALON) - 1
SHORT = (1 << UPCARD) - 1

# -- tables over the cards of one suit (64) or two (4096) ------------------------------------------
_SUIT, _SUITS = range(64), range(4096)


def _table(values: list[int]) -> Memory:
    return np.array(values, dtype=np.int64)


COUNT = _table([mask.bit_count() for mask in _SUITS])
SUM = _table([sum(POINTS[i % 6] for i in range(12) if mask >> i & 1) for mask in _SUITS])
OVER = _table([63 >> mask.bit_length() << mask.bit_length() for mask in _SUIT])
"""OVER[mask]: the cards above all of a suit's mask."""
HIGH = _table([mask.bit_length() for mask in _SUIT])
"""HIGH[mask]: one more than the highest card."""
RANK = _table([0b000001000001000001000001 << rank for rank in range(6)])
FACE = _table(list(POINTS))
DE_BRUIJN = 0x03F79D71B4CB0A89
BIT = _table([0] * 64)
for _bit in range(64):
    BIT[(DE_BRUIJN << _bit & (1 << 64) - 1) >> 58] = _bit
