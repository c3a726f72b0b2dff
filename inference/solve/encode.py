"""Public states, rules and actions as integers: the form that the compiled twins read.

An action is one of `N_ACTIONS` columns, a state one `int64[STATE_SIZE]` vector and a rule set one
`int64[RULES_SIZE]` vector; the constants name the places. Seats are 0 (S) and 1 (N), cards their
`Card` values, -1 stands for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from inference.cards import Card, Rank
from inference.game.events import CLAIM, CLOSE, EXCHANGE, UNSEEN_DRAW, Action, Kind, announce, play
from inference.game.rules import Rules
from inference.game.scoring import Outcome
from inference.game.state import PublicState

Vector = npt.NDArray[np.int64]

N_ACTIONS = 36
COLUMN_ANNOUNCE = 24
COLUMN_EXCHANGE, COLUMN_CLOSE, COLUMN_CLAIM, COLUMN_SILENCE = 32, 33, 34, 35

STATE_SIZE = 28
TRUMP, UPCARD, TALON, LEADER, LED = range(5)
ANNOUNCED = 5
"""0, 1, or 2 while the announcer may still claim before the reply."""
FRESH_CLOSE = 6
"""0, 1, or 2 while the closer's opponent may still answer the close with the exchange."""
POINTS, PENDING, TRICKS = 7, 9, 11
CLOSED_BY, CLOSED_POINTS, CLOSED_TRICKS = 13, 14, 15
TO_DRAW = 16
HANDS = 17
PLAYED, WINNER, GAME_POINTS = 19, 20, 21
"""WINNER is RUNNING, NOBODY or a seat."""
HELD = 22
STACK = 24
"""The talon in draw order, 5 bits a card, the next card in the lowest bits, the upcard last."""
KNOWN = 25
STACK_REST = 27
"""The talon from its 13th card on, packed like STACK (24 cards in hands of five only)."""
STACK_CARDS = 12
RUNNING, NOBODY = -2, -1

RULES_SIZE = 25
(
    RULE_PACK,
    RULE_HEAD,
    RULE_TRUMP,
    RULE_FIRST_MARRIAGE,
    RULE_LATE_MARRIAGE,
    RULE_VALID,
    RULE_KING,
    RULE_AUTO_ANNOUNCE,
    RULE_LOW_RANK,
    RULE_XCHG_TRICK,
    RULE_XCHG_TURN,
    RULE_XCHG_MIN,
    RULE_XCHG_ANSWER,
    RULE_CLOSE,
    RULE_CLOSE_FIRST,
    RULE_CLOSE_UNDRAWN,
    RULE_CLOSE_MIN,
    RULE_CLOSE_FAIL,
    RULE_CLOSE_BASIS,
    RULE_OPP_OUT,
    RULE_BONUS,
    RULE_TOTAL,
    RULE_DECLARED,
    RULE_FALSE_CLAIM,
    RULE_SCHEDULE,
) = range(RULES_SIZE)
"""Yes/no rules are 0 or 1; RULE_TOTAL is 1 for `higher_total`, RULE_CLOSE_BASIS 1 for `closing`;
penalties are the digits of their text (2/3 is 23)."""


def action_column(action: Action) -> int:
    """Return the column of an action; a draw is the silence of the trick's winner.

    >>> action_column(announce(Card.HK)), action_column(play(Card.SA))
    (27, 5)
    """
    match action.kind:
        case Kind.PLAY | Kind.AGAINST:
            assert action.card is not None
            return int(action.card)
        case Kind.ANNOUNCE:
            assert action.card is not None
            return COLUMN_ANNOUNCE + 2 * action.card.suit + action.card.rank - Rank.QUEEN
    return _COLUMNS[action.kind]


_COLUMNS = {
    Kind.EXCHANGE: COLUMN_EXCHANGE,
    Kind.CLOSE: COLUMN_CLOSE,
    Kind.CLAIM: COLUMN_CLAIM,
    Kind.DRAW: COLUMN_SILENCE,
}

_ACTIONS: tuple[Action, ...] = (
    *(play(card) for card in Card),
    *(announce(card) for card in Card if card.is_marriage),
    EXCHANGE,
    CLOSE,
    CLAIM,
    UNSEEN_DRAW,
)


def column_action(column: int) -> Action:
    """Return the action of a column; silence reads as the round of drawing.

    >>> [str(column_action(i)) for i in (0, 27, 32, 35)]
    ['9S', 'KH*', 'x', '+']
    """
    return _ACTIONS[column]


def encode(
    public: PublicState, hands: tuple[int, int] = (0, 0), talon: Sequence[Card] = ()
) -> Vector:
    """Return a state as an int64[STATE_SIZE] vector; unknown hands and talon stay 0."""
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    closed = public.closed
    state[TRUMP], state[TALON], state[LEADER] = public.trump, public.talon, public.leader
    state[UPCARD] = -1 if public.upcard is None else public.upcard
    state[LED] = -1 if public.led is None else public.led
    state[ANNOUNCED] = public.announced * (1 + public.may_claim(public.leader))
    state[FRESH_CLOSE] = public.fresh_close * (1 + public.may_answer_close())
    state[POINTS : POINTS + 2] = public.points
    state[PENDING : PENDING + 2] = public.pending
    state[TRICKS : TRICKS + 2] = public.tricks
    state[CLOSED_BY : CLOSED_TRICKS + 1] = (-1, 0, 0) if closed is None else closed
    state[TO_DRAW] = len(public.to_draw)
    state[HANDS : HANDS + 2] = hands
    state[PLAYED] = public.played
    state[WINNER], state[GAME_POINTS] = _ending(public.outcome)
    state[HELD : HELD + 2] = public.held
    state[STACK] = pack_talon(talon[:STACK_CARDS])
    state[STACK_REST] = pack_talon(talon[STACK_CARDS:])
    state[KNOWN : KNOWN + 2] = public.known
    return state


def _ending(outcome: Outcome | None) -> tuple[int, int]:
    if outcome is None:
        return RUNNING, 0
    return NOBODY if outcome.winner is None else int(outcome.winner), outcome.game_points


def pack_talon(talon: Sequence[Card]) -> int:
    """Return up to 12 cards in draw order as one integer, 5 bits a card, the next card lowest.

    >>> pack_talon([Card.SJ, Card.SQ]) == 1 + (2 << 5)
    True
    """
    return sum(int(card) << 5 * i for i, card in enumerate(talon))


@cache
def encode_rules(rules: Rules) -> Vector:
    """Return a rule set as an int64[RULES_SIZE] vector (shared: do not write into it)."""
    vector = np.zeros(RULES_SIZE, dtype=np.int64)
    vector[:] = (
        rules.pack,
        rules.strict_head,
        rules.strict_trump,
        rules.marriage_first_lead != "forbidden",
        rules.marriage_after_stock != "forbidden",
        rules.marriage_valid,
        rules.must_lead_king,
        rules.announce == "automatic",
        rules.low_trump,
        rules.xchg_needs_trick,
        rules.xchg_when == "turn",
        rules.xchg_min_stock,
        rules.xchg_on_opp_close,
        rules.close,
        rules.close_first_lead,
        rules.close_before_draw,
        rules.close_min_stock,
        _digits(rules.close_fail),
        rules.close_ok_basis == "closing",
        _digits(rules.opp_out_after_close),
        rules.last_trick_bonus,
        rules.nobody66 == "higher_total",
        rules.claim == "declared",
        _digits(rules.false_claim),
        rules.gp_schedule,
    )
    return vector


def _digits(penalty: str) -> int:
    return int(penalty.replace("/", ""))
