"""What a player weighs: the features of every action, from his hand and public facts alone.

The utility of an action is the sum of its features times their weights, so with one weight at 1 and
the others at 0 `utilities` returns that feature. Weights are float64[2, n]: a row for the open, a
row for the strict phase. Of the hands in a state only the actor's own is read.

The compiled code is kept beside this file; after changing constants of `encode`, touch this file.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit, types

import inference.solve.encode as e
from inference.opponents.closing import best_marriage, tricks
from inference.opponents.order import ORDER, Order, order_of, place
from inference.opponents.sight import SIGHT, Sight, count, p_holds, sight_of
from inference.solve.rules_kernel import BOTH, PTS, SUITS, legal_bits

Weights = npt.NDArray[np.float64]
Values = npt.NDArray[np.float64]

FEATURES = (
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
"""The names in the order of the weights; models/logit.json says what each means."""
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
_ROW, _TABLE, _VECTOR = _F8[::1], _F8[:, ::1], _I8[::1]


@njit((SIGHT, _ROW, _F8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _goals(sight: Sight, w: Values, p: float, points: int, shown: int) -> float:
    """Weigh what a trick of some points, won with chance `p`, means for 66, 33 and no trick."""
    at_once = shown if sight.counts else 0
    need, lack = sight.need - at_once, sight.lack - at_once
    gain, loss = points + sight.pending + shown - at_once, points + sight.his_pending
    u: float = w[_NEARER] * p * min(1.0, gain / max(1, need))
    u += w[_HIS_NEARER] * (1.0 - p) * min(1.0, loss / max(1, sight.his_need))
    u += w[_OUT] * p if gain >= need else 0.0
    u += w[_HIS_OUT] * (1.0 - p) if loss >= sight.his_need else 0.0
    u += w[_SAFE] * p if 0 < lack <= gain else 0.0
    u += w[_HIS_SAFE] * (1.0 - p) if 0 < sight.his_lack <= loss else 0.0
    u += w[_LAST_DRAW] * p if sight.talon == 2 else 0.0
    return u + w[_FIRST_TRICK] * p if sight.trickless else u


@njit((SIGHT, _ROW, _I8, _I8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _parting(sight: Sight, w: Values, hand: int, card: int, hidden: int, shown: int) -> float:
    """Weigh what the hand loses with a card; `hidden` may lie in the talon or be his."""
    suit, rank, bit = card // 6, card % 6, 1 << card
    trump = suit == sight.trump
    u: float = w[_TRUMP] + w[_TRUMP_RANK] * rank / _ACE if trump else 0.0
    ten, ace = 1 << 6 * suit + _TEN, 1 << 6 * suit + _ACE
    if rank == _ACE and hidden & ten:
        u += w[_ACE_BEFORE_TEN]
    if rank != _TEN and hidden & ace and hand & SUITS[suit] == bit | ten:
        u += w[_BARES_TEN]
    if bit & BOTH[suit] and sight.marries and not shown:
        mate = BOTH[suit] ^ bit
        if hand & mate:
            u += w[_BREAKS_MARRIAGE] * (1 + trump)
        elif hidden & mate and sight.hopes:
            u += w[_BREAKS_HOPE] * (1 + trump)
    return u + w[_LOW_TRUMP] if sight.swaps and card == sight.low else u


@njit((SIGHT, _ROW, _I8, _I8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _lead(sight: Sight, w: Values, hand: int, card: int, unseen: int, shown: int) -> float:
    """Return the utility of leading a card; `shown` are the points announced with it."""
    p, points = p_holds(card, sight, unseen), PTS[card]
    u: float = (w[_RISKS] * (1.0 - p) + w[_CASHES] * p) * points / 10.0 + w[_HOLDS] * p
    if card // 6 == sight.trump:
        u += w[_LEAD_TRUMP]
    else:
        u += w[_LENGTH] * (count(hand & SUITS[card // 6]) - 1)
    u += _goals(sight, w, p, points, shown)
    return u + _parting(sight, w, hand, card, unseen & ~sight.theirs, shown)


@njit((SIGHT, _ROW, _I8), cache=True, nogil=True)
def _on_lead(sight: Sight, w: Values, left: int) -> float:
    """Weigh what he could do with the rest of his hand if he came on lead."""
    u: float = w[_TO_EXCHANGE] if sight.swaps and left >> sight.low & 1 else 0.0
    if sight.marries:
        for suit in range(4):
            if left & BOTH[suit] == BOTH[suit]:
                u += w[_TO_ANNOUNCE] * (1 + (suit == sight.trump))
    return u


@njit((SIGHT, _ROW, _I8, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _follow(sight: Sight, w: Values, hand: int, card: int, unseen: int) -> float:
    """Return the utility of a reply."""
    led, points = sight.led, PTS[card]
    if card > led if card // 6 == led // 6 else card // 6 == sight.trump:
        u: float = w[_WINS] + (w[_CAPTURES] * PTS[led] + w[_SAVES] * points) / 10.0
        u += w[_CATCHES] if led % 6 >= _TEN else 0.0
        u += _on_lead(sight, w, hand & ~(1 << card)) + _goals(sight, w, 1.0, PTS[led] + points, 0)
    else:
        u = w[_GIVES] * points / 10.0 + _goals(sight, w, 0.0, PTS[led] + points, 0)
    return u + _parting(sight, w, hand, card, unseen & ~sight.theirs, 0)


@njit((ORDER, _ROW, _I8), cache=True, nogil=True, forceinline=True)
def _lead_order(order: Order, w: Values, card: int) -> float:
    """Weigh how a led card stands among those that might be led."""
    bit = 1 << card
    u: float = w[_LEAD_LOWEST] if order.lowest & bit else 0.0
    u += w[_LEAD_HIGHEST] if order.highest & bit else 0.0
    u += w[_LEAD_LOWEST_PLAIN] if order.lowest_plain & bit else 0.0
    u += w[_LEAD_HIGHEST_PLAIN] if order.highest_plain & bit else 0.0
    u += w[_LEAD_LONGEST] if order.longest & bit else 0.0
    u += w[_LEAD_ACE] if card % 6 == _ACE else 0.0
    u += w[_PLACE] * place(order, card)
    return u


@njit((ORDER, _ROW, _I8, _I8), cache=True, nogil=True, forceinline=True)
def _follow_order(order: Order, w: Values, hand: int, card: int) -> float:
    """Weigh how a reply stands among the possible ones."""
    bit = 1 << card
    u: float = w[_CHEAPEST] if order.cheapest_winner & bit else 0.0
    u += w[_DEAREST] if order.dearest_winner & bit else 0.0
    u += w[_LOWEST_LOSER] if order.lowest_loser & bit else 0.0
    u += w[_LOWEST] if order.lowest & bit else 0.0
    u += w[_SINGLE] if hand & SUITS[card // 6] & ~order.trumps == bit else 0.0
    u += w[_PLACE] * place(order, card)
    return u


@njit((SIGHT, _ROW, _I8), cache=True, nogil=True)
def _announce(sight: Sight, w: Values, shown: int) -> float:
    """Return the utility of announcing, apart from that of the card led with it."""
    u: float = w[_ANNOUNCE] + w[_ANNOUNCE_TRUMP] if shown == 40 else w[_ANNOUNCE]
    return u + w[_ANNOUNCE_OUT] if sight.counts and shown >= sight.need else u


@njit((SIGHT, _ROW, _I8), cache=True, nogil=True)
def _exchange(sight: Sight, w: Values, hand: int) -> float:
    """Return the utility of taking the upcard for the low trump."""
    u: float = w[_EXCHANGE] + w[_XCHG_POINTS] * (PTS[sight.upcard] - PTS[sight.low]) / 10.0
    both, up = BOTH[sight.trump], 1 << sight.upcard
    if up & both and hand & both & ~up:
        u += w[_XCHG_MARRIAGE]
    return u + w[_XCHG_REPLY] if sight.led >= 0 else u


@njit((SIGHT, _ROW, _I8, _I8), cache=True, nogil=True)
def _close(sight: Sight, w: Values, hand: int, unseen: int) -> float:
    """Return the utility of closing."""
    need = sight.need - sight.pending - best_marriage(hand, sight.trump)
    expected, certain = tricks(hand, sight, unseen)
    u: float = w[_CLOSE] + w[_CLOSE_MARGIN] * min(2.0, max(-3.0, (expected - need) / 10.0))
    u += w[_CLOSE_TRUMPS] * count(hand & SUITS[sight.trump])
    return u + w[_CLOSE_SURE] if certain >= need else u


@njit((SIGHT, _ROW, _I8, _I8, _ROW), cache=True, nogil=True)
def _apart(sight: Sight, w: Values, hand: int, bits: int, u: Values) -> None:
    """Write the utilities of the actions that lay no card."""
    first = w[_BEFORE_ANNOUNCING] if bits >> e.COLUMN_ANNOUNCE & 0xFF else 0.0
    if bits >> e.COLUMN_EXCHANGE & 1:
        u[e.COLUMN_EXCHANGE] = first + _exchange(sight, w, hand)
    if bits >> e.COLUMN_CLOSE & 1:
        u[e.COLUMN_CLOSE] = first + _close(sight, w, hand, sight.rest & ~hand)
    if bits >> e.COLUMN_CLAIM & 1:
        u[e.COLUMN_CLAIM] = w[_CLAIM]
    if bits >> e.COLUMN_SILENCE & 1:
        u[e.COLUMN_SILENCE] = w[_SILENCE]


@njit((SIGHT, _I8, _I8, _TABLE, _ROW), cache=True, nogil=True)
def weigh(sight: Sight, hand: int, bits: int, weights: Weights, u: Values) -> None:
    """Write the utility of each legal action in `bits` into `u` [36]; leave the rest alone."""
    w, unseen, order = weights[sight.strict], sight.rest & ~hand, order_of(sight, bits)
    left = bits & (1 << e.COLUMN_EXCHANGE) - 1
    while left:
        column = count((left & -left) - 1)
        left &= left - 1
        if sight.led >= 0:
            u[column] = _follow(sight, w, hand, column, unseen)
            u[column] += _follow_order(order, w, hand, column)
        elif column < e.COLUMN_ANNOUNCE:
            u[column] = _lead(sight, w, hand, column, unseen, 0) + _lead_order(order, w, column)
        else:
            suit = (column - e.COLUMN_ANNOUNCE) // 2
            card, shown = 6 * suit + _QUEEN + (column & 1), 40 if suit == sight.trump else 20
            u[column] = _lead(sight, w, hand, card, unseen, shown) + _announce(sight, w, shown)
            u[column] += _lead_order(order, w, card)
    if bits >> e.COLUMN_EXCHANGE:
        _apart(sight, w, hand, bits, u)


@njit((_VECTOR, _VECTOR, _TABLE), cache=True, nogil=True)
def table(s: e.Vector, rules: e.Vector, x: Values) -> int:
    """Write the features of each legal action of a state's actor into x [n_features, N_ACTIONS].

    Return the legal bits; what is illegal is left alone. Fitting reads this, playing never does.
    """
    sight, bits = sight_of(s, rules), legal_bits(s, rules)
    one = np.zeros((2, len(x)))
    for i in range(len(x)):
        one[:, i] = 1.0
        weigh(sight, s[e.HANDS + sight.seat], bits, one, x[i])
        one[:, i] = 0.0
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


@njit((_VECTOR, _VECTOR, _TABLE, _ROW), cache=True, nogil=True)
def utilities(s: e.Vector, rules: e.Vector, weights: Weights, u: Values) -> int:
    """Do the same for the actor of a state, with the hand that he has there; return the legal bits.

    It allocates nothing and holds no lock, for compiled playouts.
    """
    sight, bits = sight_of(s, rules), legal_bits(s, rules)
    weigh(sight, s[e.HANDS + sight.seat], bits, weights, u)
    return bits
