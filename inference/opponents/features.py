"""What a player weighs: the features of every action, from his hand and public facts alone.

The utility of an action is the sum of its features times their weights, which are float64[2, n]: a
row for the open, a row for the strict phase. Of the hands in a state only the actor's own is read.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit, types

import inference.solve.encode as e
from inference.opponents.closing import best_marriage, tricks
from inference.opponents.order import ORDER, Order, order_of, place
from inference.opponents.sight import SIGHT, Sight, count, p_holds, sight_of
from inference.opponents.solved import SOLVED
from inference.solve.rules_kernel import BOTH, PTS, SUITS, legal_bits

Weights = npt.NDArray[np.float64]
Values = npt.NDArray[np.float64]

SEEN = (
    *("lead.risks", "lead.cashes", "lead.holds", "lead.trump", "lead.length"),
    *("follow.wins", "follow.captures", "follow.catches", "follow.saves", "follow.gives"),
    *("card.trump", "card.trump_rank", "card.ace_before_ten", "card.bares_ten"),
    *("card.breaks_marriage", "card.breaks_hope", "card.low_trump"),
    *("goal.nearer", "goal.his_nearer", "goal.out", "goal.his_out", "goal.safe", "goal.his_safe"),
    *("goal.first_trick", "goal.to_announce", "goal.to_exchange"),
    *("announce", "announce.trump", "announce.out"),
    *("exchange", "exchange.points", "exchange.marriage", "exchange.reply"),
    *("close", "close.margin", "close.sure", "close.trumps"),
    *("before_announcing", "claim", "silence"),
    *("lead.lowest", "lead.highest", "lead.lowest_plain", "lead.highest_plain", "lead.longest"),
    *("lead.ace", "follow.cheapest", "follow.dearest", "follow.lowest_loser", "follow.lowest"),
    *("follow.single", "card.place", "goal.last_draw"),
)
FEATURES = (*SEEN, *SOLVED)
"""The names in the order of the weights; models/logit.json says what each means. Those of SEEN are
found here, action by action; those of SOLVED beforehand, for all hands together (`solved.look`)."""
N_SEEN, N_FEATURES = len(SEEN), len(FEATURES)
_RISKS, _CASHES, _HOLDS, _LEAD_TRUMP, _LENGTH = range(5)
_WINS, _CAPTURES, _CATCHES, _SAVES, _GIVES = range(5, 10)
_TRUMP, _TRUMP_RANK, _ACE_BEFORE_TEN, _BARES_TEN = range(10, 14)
_BREAKS_MARRIAGE, _BREAKS_HOPE, _LOW_TRUMP = range(14, 17)
_NEARER, _HIS_NEARER, _OUT, _HIS_OUT, _SAFE, _HIS_SAFE = range(17, 23)
_FIRST_TRICK, _TO_ANNOUNCE, _TO_EXCHANGE = range(23, 26)
_ANNOUNCE, _ANNOUNCE_TRUMP, _ANNOUNCE_OUT = range(26, 29)
_EXCHANGE, _XCHG_POINTS, _XCHG_MARRIAGE, _XCHG_REPLY = range(29, 33)
_CLOSE, _CLOSE_MARGIN, _CLOSE_SURE, _CLOSE_TRUMPS = range(33, 37)
_BEFORE_ANNOUNCING, _CLAIM, _SILENCE = range(37, 40)
_LEAD_LOWEST, _LEAD_HIGHEST, _LEAD_LOWEST_PLAIN, _LEAD_HIGHEST_PLAIN = range(40, 44)
_LEAD_LONGEST, _LEAD_ACE, _CHEAPEST, _DEAREST, _LOWEST_LOSER, _LOWEST = range(44, 50)
_SINGLE, _PLACE, _LAST_DRAW = range(50, 53)

_QUEEN, _TEN, _ACE = 2, 4, 5
_I8, _F8 = types.int64, types.float64
_ROW, _TABLE, _CUBE, _VECTOR = _F8[::1], _F8[:, ::1], _F8[:, :, ::1], _I8[::1]


@njit((SIGHT, _ROW, _F8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _goals(sight: Sight, x: Values, p: float, points: int, shown: int) -> None:
    """Tell what a trick of some points, won with chance `p`, means for 66, 33 and no trick."""
    at_once = shown if sight.counts else 0
    need, lack = sight.need - at_once, sight.lack - at_once
    gain, loss = points + sight.pending + shown - at_once, points + sight.his_pending
    x[_NEARER] = p * min(1.0, gain / max(1, need))
    x[_HIS_NEARER] = (1.0 - p) * min(1.0, loss / max(1, sight.his_need))
    x[_OUT] = p if gain >= need else 0.0
    x[_HIS_OUT] = 1.0 - p if loss >= sight.his_need else 0.0
    x[_SAFE] = p if 0 < lack <= gain else 0.0
    x[_HIS_SAFE] = 1.0 - p if 0 < sight.his_lack <= loss else 0.0
    x[_LAST_DRAW] = p if sight.talon == 2 else 0.0
    x[_FIRST_TRICK] = p if sight.trickless else 0.0


@njit((SIGHT, _ROW, _I8, _I8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _parting(sight: Sight, x: Values, hand: int, card: int, hidden: int, shown: int) -> None:
    """Tell what the hand loses with a card; `hidden` may lie in the talon or be his."""
    suit, rank, bit = card // 6, card % 6, 1 << card
    trump = suit == sight.trump
    if trump:
        x[_TRUMP], x[_TRUMP_RANK] = 1.0, rank / _ACE
    ten, ace = 1 << 6 * suit + _TEN, 1 << 6 * suit + _ACE
    if rank == _ACE and hidden & ten:
        x[_ACE_BEFORE_TEN] = 1.0
    if rank != _TEN and hidden & ace and hand & SUITS[suit] == bit | ten:
        x[_BARES_TEN] = 1.0
    if bit & BOTH[suit] and sight.marries and not shown:
        mate = BOTH[suit] ^ bit
        if hand & mate:
            x[_BREAKS_MARRIAGE] = 1.0 + trump
        elif hidden & mate and sight.hopes:
            x[_BREAKS_HOPE] = 1.0 + trump
    if sight.swaps and card == sight.low:
        x[_LOW_TRUMP] = 1.0


@njit((SIGHT, _ROW, _I8, _I8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _lead(sight: Sight, x: Values, hand: int, card: int, unseen: int, shown: int) -> None:
    """Describe leading a card; `shown` are the points announced with it."""
    p, points = p_holds(card, sight, unseen), PTS[card]
    x[_RISKS], x[_CASHES] = (1.0 - p) * points / 10.0, p * points / 10.0
    x[_HOLDS] = p
    if card // 6 == sight.trump:
        x[_LEAD_TRUMP] = 1.0
    else:
        x[_LENGTH] = count(hand & SUITS[card // 6]) - 1.0
    _goals(sight, x, p, points, shown)
    _parting(sight, x, hand, card, unseen & ~sight.theirs, shown)


@njit((SIGHT, _ROW, _I8), cache=True, nogil=True)
def _on_lead(sight: Sight, x: Values, left: int) -> None:
    """Tell what he could do with the rest of his hand if he came on lead."""
    if sight.swaps and left >> sight.low & 1:
        x[_TO_EXCHANGE] = 1.0
    if sight.marries:
        for suit in range(4):
            if left & BOTH[suit] == BOTH[suit]:
                x[_TO_ANNOUNCE] += 1.0 + (suit == sight.trump)


@njit((SIGHT, _ROW, _I8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _follow(sight: Sight, x: Values, hand: int, card: int, unseen: int) -> None:
    """Describe a reply."""
    led, points = sight.led, PTS[card]
    wins = card > led if card // 6 == led // 6 else card // 6 == sight.trump
    if wins:
        x[_WINS], x[_CAPTURES], x[_SAVES] = 1.0, PTS[led] / 10.0, points / 10.0
        x[_CATCHES] = 1.0 if led % 6 >= _TEN else 0.0
        _on_lead(sight, x, hand & ~(1 << card))
    else:
        x[_GIVES] = points / 10.0
    _goals(sight, x, 1.0 if wins else 0.0, PTS[led] + points, 0)
    _parting(sight, x, hand, card, unseen & ~sight.theirs, 0)


@njit((ORDER, _ROW, _I8), cache=True, nogil=True, forceinline=True)
def _lead_order(order: Order, x: Values, card: int) -> None:
    """Tell how a led card stands among those that might be led."""
    x[_LEAD_LOWEST] = order.lowest >> card & 1
    x[_LEAD_HIGHEST] = order.highest >> card & 1
    x[_LEAD_LOWEST_PLAIN] = order.lowest_plain >> card & 1
    x[_LEAD_HIGHEST_PLAIN] = order.highest_plain >> card & 1
    x[_LEAD_LONGEST] = order.longest >> card & 1
    x[_LEAD_ACE] = 1.0 if card % 6 == _ACE else 0.0
    x[_PLACE] = place(order, card)


@njit((ORDER, _ROW, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _follow_order(order: Order, x: Values, hand: int, card: int) -> None:
    """Tell how a reply stands among the possible ones."""
    x[_CHEAPEST] = order.cheapest_winner >> card & 1
    x[_DEAREST] = order.dearest_winner >> card & 1
    x[_LOWEST_LOSER] = order.lowest_loser >> card & 1
    x[_LOWEST] = order.lowest >> card & 1
    x[_SINGLE] = 1.0 if hand & SUITS[card // 6] & ~order.trumps == 1 << card else 0.0
    x[_PLACE] = place(order, card)


@njit((SIGHT, _ROW, _I8), cache=True, nogil=True)
def _announce(sight: Sight, x: Values, shown: int) -> None:
    """Describe announcing, apart from the card led with it."""
    x[_ANNOUNCE] = 1.0
    x[_ANNOUNCE_TRUMP] = 1.0 if shown == 40 else 0.0
    x[_ANNOUNCE_OUT] = 1.0 if sight.counts and shown >= sight.need else 0.0


@njit((SIGHT, _ROW, _I8), cache=True, nogil=True)
def _exchange(sight: Sight, x: Values, hand: int) -> None:
    """Describe taking the upcard for the low trump."""
    x[_EXCHANGE], x[_XCHG_POINTS] = 1.0, (PTS[sight.upcard] - PTS[sight.low]) / 10.0
    both, up = BOTH[sight.trump], 1 << sight.upcard
    x[_XCHG_MARRIAGE] = 1.0 if up & both and hand & both & ~up else 0.0
    x[_XCHG_REPLY] = 1.0 if sight.led >= 0 else 0.0


@njit((SIGHT, _ROW, _I8, _I8), cache=True, nogil=True)
def _close(sight: Sight, x: Values, hand: int, unseen: int) -> None:
    """Describe closing."""
    need = sight.need - sight.pending - best_marriage(hand, sight.trump)
    expected, certain = tricks(hand, sight, unseen)
    x[_CLOSE], x[_CLOSE_MARGIN] = 1.0, min(2.0, max(-3.0, (expected - need) / 10.0))
    x[_CLOSE_TRUMPS] = count(hand & SUITS[sight.trump])
    x[_CLOSE_SURE] = 1.0 if certain >= need else 0.0


@njit((SIGHT, _ROW, _I8, _I8, _I8), cache=True, nogil=True)
def _apart(sight: Sight, x: Values, hand: int, bits: int, column: int) -> None:
    """Describe an action that lays no card."""
    if column == e.COLUMN_CLAIM:
        x[_CLAIM] = 1.0
    elif column == e.COLUMN_SILENCE:
        x[_SILENCE] = 1.0
    else:
        x[_BEFORE_ANNOUNCING] = 1.0 if bits >> e.COLUMN_ANNOUNCE & 0xFF else 0.0
        if column == e.COLUMN_EXCHANGE:
            _exchange(sight, x, hand)
        else:
            _close(sight, x, hand, sight.rest & ~hand)


@njit((SIGHT, ORDER, _I8, _I8, _I8, _ROW), cache=True, nogil=True)
def describe(sight: Sight, order: Order, hand: int, bits: int, column: int, x: Values) -> None:
    """Write what is SEEN of one of the legal actions in `bits` into `x` [N_SEEN]."""
    x[:] = 0.0
    unseen = sight.rest & ~hand
    if column >= e.COLUMN_EXCHANGE:
        _apart(sight, x, hand, bits, column)
    elif sight.led >= 0:
        _follow(sight, x, hand, column, unseen)
        _follow_order(order, x, hand, column)
    else:
        card, shown = column, 0
        if column >= e.COLUMN_ANNOUNCE:
            suit = (column - e.COLUMN_ANNOUNCE) // 2
            card, shown = 6 * suit + _QUEEN + (column & 1), 40 if suit == sight.trump else 20
            _announce(sight, x, shown)
        _lead(sight, x, hand, card, unseen, shown)
        _lead_order(order, x, card)


@njit((_ROW, _ROW), cache=True, nogil=True, forceinline=True)
def _times(w: Values, x: Values) -> float:
    """Return the scalar product; four sums at a time, as the order of one is a long wait."""
    a, b, c, d, n = 0.0, 0.0, 0.0, 0.0, len(x) & ~3
    for i in range(0, n, 4):
        a += w[i] * x[i]
        b += w[i + 1] * x[i + 1]
        c += w[i + 2] * x[i + 2]
        d += w[i + 3] * x[i + 3]
    for i in range(n, len(x)):
        a += w[i] * x[i]
    return a + b + (c + d)


@njit((SIGHT, _I8, _I8, _TABLE, _ROW), cache=True, nogil=True)
def weigh(sight: Sight, hand: int, bits: int, weights: Weights, u: Values) -> None:
    """Write the utility of each legal action in `bits` by what is SEEN into `u` [36].

    The rest is left alone.
    """
    w, order, x = weights[sight.strict], order_of(sight, bits), np.empty(N_SEEN)
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            describe(sight, order, hand, bits, column, x)
            u[column] = _times(w, x)


@njit((SIGHT, _I8, _I8, _CUBE, _TABLE), cache=True, nogil=True)
def weigh_all(sight: Sight, hand: int, bits: int, weights: Values, u: Values) -> None:
    """Do the same for many players at once: `weights` [2, n_features, z] give `u` [36, z]."""
    w, order, x = weights[sight.strict], order_of(sight, bits), np.empty(N_SEEN)
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            describe(sight, order, hand, bits, column, x)
            u[column] = 0.0
            for i in range(N_SEEN):
                if x[i] != 0.0:  # most are, and each is worth a sum over all players
                    for z in range(u.shape[1]):
                        u[column, z] += w[i, z] * x[i]


@njit((_VECTOR, _VECTOR, _TABLE), cache=True, nogil=True)
def table(s: e.Vector, rules: e.Vector, x: Values) -> int:
    """Write what is SEEN of each legal action of a state's actor into x [N_ACTIONS, N_SEEN].

    Return the legal bits; what is illegal is left alone. Fitting reads this, playing never does.
    """
    sight, bits = sight_of(s, rules), legal_bits(s, rules)
    order = order_of(sight, bits)
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            describe(sight, order, s[e.HANDS + sight.seat], bits, column, x[column])
    return bits


@njit((_I8, _F8, _ROW), cache=True, nogil=True)
def soften(bits: int, epsilon: float, p: Values) -> None:
    """Turn utilities into (1 - epsilon) softmax + epsilon / n_legal, and what is illegal into 0."""
    largest, total, n = -np.inf, 0.0, 0
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            largest = max(largest, p[column])
            n += 1
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            p[column] = np.exp(p[column] - largest)
            total += p[column]
    scale = (1.0 - epsilon) / total if n else 0.0
    for column in range(e.N_ACTIONS):
        p[column] = scale * p[column] + epsilon / n if bits >> column & 1 else 0.0
