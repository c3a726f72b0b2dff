"""What each of many hands may do: the vectorised twin of `PublicState.legal_actions`.

The columns are those of `encode`. A silence is a column where it is a choice: to begin the round
of drawing, to let a close stand unanswered, to go on instead of claiming after an announcement.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from inference.cards import HIGHER, MARRIAGES, SUIT_MASK, Card
from inference.game.state import PublicState
from inference.solve.encode import (
    COLUMN_ANNOUNCE,
    COLUMN_CLAIM,
    COLUMN_CLOSE,
    COLUMN_EXCHANGE,
    COLUMN_SILENCE,
    N_ACTIONS,
)

Hands = npt.NDArray[np.uint32]
Legal = npt.NDArray[np.bool_]

_CARDS = np.arange(24, dtype=np.uint32)
_MARRIAGE_CARDS = [card for card in Card if card.is_marriage]


def legal_matrix(public: PublicState, hands: Hands) -> Legal:
    """Tell for each hand of the seat to act which actions it allows: bool[n, N_ACTIONS].

    >>> import inference.game.rules as rules
    >>> start = PublicState.deal(rules.Rules(), 0, Card.HJ)
    >>> legal_matrix(start, np.array([0b1100_0111], dtype=np.uint32)).nonzero()[1].tolist()
    [0, 1, 2, 6, 7]
    """
    legal = np.zeros((len(hands), N_ACTIONS), dtype=np.bool_)
    if public.over:
        return legal
    if public.to_draw:
        legal[:, COLUMN_SILENCE] = True
    elif public.led is None:
        _leads(public, hands, legal)
    else:
        legal[:, :24] = _holds(_followers(public, hands))
    if public.may_exchange():
        legal[:, COLUMN_EXCHANGE] = hands & public.low_trump.mask != 0
    legal[:, COLUMN_CLOSE] = public.may_close()
    legal[:, COLUMN_CLAIM] = public.led is None and public.may_claim(public.leader)
    return legal


def other_matrix(public: PublicState, hands: Hands) -> Legal:
    """Tell the same of the seat that is not to act (docs/rules.md 8.4): bool[n, N_ACTIONS].

    Where it may answer a close or claim its announcement, silence is the other choice; elsewhere
    all is False.
    """
    legal = np.zeros((len(hands), N_ACTIONS), dtype=np.bool_)
    if public.over:
        return legal
    if public.may_answer_close():
        legal[:, COLUMN_EXCHANGE] = hands & public.low_trump.mask != 0
        legal[:, COLUMN_SILENCE] = True
    if public.led is not None and public.may_claim(public.leader):
        legal[:, [COLUMN_CLAIM, COLUMN_SILENCE]] = True
    return legal


def _leads(public: PublicState, hands: Hands, legal: Legal) -> None:
    legal[:, :24] = _holds(hands)
    for i, card in enumerate(_MARRIAGE_CARDS):
        if public.may_announce(card):
            both = np.uint32(MARRIAGES[card.suit])
            shown = hands & both == both
            legal[:, COLUMN_ANNOUNCE + i] = shown
            if public.rules.announce == "automatic":
                legal[:, card] &= ~shown


def _followers(public: PublicState, hands: Hands) -> Hands:
    """Keep of each hand the cards that may answer the led card (3.4 to 3.6)."""
    led = public.led
    assert led is not None
    if not public.strict:
        return hands
    same = hands & np.uint32(SUIT_MASK[led.suit])
    if public.rules.strict_head:
        higher = hands & np.uint32(HIGHER[led])
        same = np.where(higher != 0, higher, same)
    trumps = hands & np.uint32(SUIT_MASK[public.trump])
    ruff = trumps if public.rules.strict_trump else np.zeros_like(hands)
    return np.where(same != 0, same, np.where(ruff != 0, ruff, hands))


def _holds(hands: Hands) -> Legal:
    """Spread masks into columns, one a card."""
    return (hands[:, None] >> _CARDS & 1).astype(np.bool_)
