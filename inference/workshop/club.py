"""A careful club player by rules of thumb: he counts cards and points, and reads nothing else.

Exchange and announce whenever it is allowed; keep trumps, tens and what may still make a marriage;
while the talon is open win only what is worth it; afterwards cash winners from the top. He closes
when his sure winners, each with a low card of the opponent, reach 66.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from inference.cards import HIGHER, MARRIAGES, SUIT_MASK, Card, Rank, cards
from inference.game.events import CLAIM, CLOSE, EXCHANGE, UNSEEN_DRAW, Action, Kind, play
from inference.game.position import View
from inference.game.state import beats
from inference.tracker import Tracker

TRIBUTE = 3
"""Points that he reckons the opponent adds to a trick."""
FEW_TRUMPS = 3
"""He closes with no fewer."""


def pick(tracker: Tracker, rng: np.random.Generator) -> Action:
    """Choose by rules of thumb from the view alone."""
    return by_thumb(tracker.view)


def by_thumb(view: View) -> Action:
    """Return what the rules of thumb say."""
    actions = view.legal_actions()
    for urgent in (CLAIM, EXCHANGE):
        if urgent in actions:
            return urgent
    if view.public.to_act != view.seat or UNSEEN_DRAW in actions:
        return UNSEEN_DRAW
    if CLOSE in actions and _out_of_hand(view):
        return CLOSE
    shown = [a.card for a in actions if a.kind == Kind.ANNOUNCE and a.card is not None]
    if shown:
        trump = view.public.trump
        return Action(Kind.ANNOUNCE, min(shown, key=lambda c: (c.suit != trump, c.rank)))
    plays = [a.card for a in actions if a.kind == Kind.PLAY and a.card is not None]
    if view.public.led is None:
        return play(_lead_late(view) if view.public.strict else _cheapest(view, plays))
    return play(_reply(view, view.public.led, plays))


def is_master(view: View, card: Card) -> bool:
    """Tell whether no card that the opponent may hold beats this one in its suit."""
    return not view.unseen & HIGHER[card]


def _out_of_hand(view: View) -> bool:
    """Tell whether the winners from the top reach 66 after a close."""
    trump, public = SUIT_MASK[view.public.trump], view.public
    trumps = cards(view.hand & trump)
    if len(trumps) < FEW_TRUMPS or not is_master(view, trumps[-1]):
        return False
    sure = [card for card in cards(view.hand) if _wins_in_turn(view, card)]
    shown = [20 + 20 * (s == public.trump) for s in range(4) if _married(view.hand, s)]
    have = public.points[view.seat] + public.pending[view.seat] + max(shown, default=0)
    return have + sum(card.points + TRIBUTE for card in sure) >= 66


def _wins_in_turn(view: View, card: Card) -> bool:
    """Tell whether a card wins once my higher cards of the suit are led."""
    led = (view.hand & HIGHER[card]).bit_count()
    return is_master(view, card) or led >= (view.unseen & SUIT_MASK[card.suit]).bit_count()


def _married(hand: int, suit: int) -> bool:
    return hand & MARRIAGES[suit] == MARRIAGES[suit]


def _lead_late(view: View) -> Card:
    """Lead when followers are bound: masters from the top, trumps first while he may hold some."""
    trump = view.public.trump
    masters = [card for card in cards(view.hand) if is_master(view, card)]
    pull = [card for card in masters if card.suit == trump]
    if view.unseen & SUIT_MASK[trump]:
        if pull and len(cards(view.hand & SUIT_MASK[trump])) > 1:
            return pull[-1]
    elif masters:
        return max(masters, key=lambda c: (c.suit != trump, c.points))
    plain = [card for card in masters if card.suit != trump]
    if plain:
        return max(plain, key=lambda c: c.points)
    return _cheapest(view, cards(view.hand))


def _reply(view: View, led: Card, plays: list[Card]) -> Card:
    """Answer a led card."""
    public = view.public
    winners = [card for card in plays if beats(card, led, public.trump)]
    need = 66 - public.points[view.seat] - public.pending[view.seat]
    out = [card for card in winners if led.points + card.points >= need]
    if out:
        return min(out)
    worth = [card for card in winners if public.strict or _worth_taking(view, led, card)]
    if not worth:
        return _cheapest(view, plays)
    same = [card for card in worth if card.suit == led.suit]
    if same and not public.strict:
        return max(same, key=lambda c: c.points)
    return _cheapest(view, worth)


def _worth_taking(view: View, led: Card, card: Card) -> bool:
    """Say what to win while the talon is open: with a plain ten or ace, tens and aces by trump."""
    trump = view.public.trump
    if card.suit == trump:
        return led.points >= Card.ST.points and card.rank < Rank.TEN
    return card.rank >= Rank.TEN or not _hopes(view, card)


def _hopes(view: View, card: Card) -> bool:
    """Tell whether a card makes a marriage, or may still make one."""
    return card.is_marriage and bool((view.hand | view.unseen) & card.mate.mask)


def _cheapest(view: View, plays: Iterable[Card]) -> Card:
    """Return the card that is missed least: plain, low, not part of a marriage or a guarded ten."""
    trump = view.public.trump

    def cost(card: Card) -> tuple[int, int]:
        marriage = 12 * _married(view.hand, card.suit) + 2 * _hopes(view, card)
        keeps = marriage if card.is_marriage else 0
        return card.points + keeps + (10 if card.suit == trump else 0), card

    return min(plays, key=cost)
