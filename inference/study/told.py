"""Events in words, for both ends of the table."""

from __future__ import annotations

from inference.advice.reasons import spoken
from inference.game.events import Action, Event, Kind
from inference.game.position import View
from inference.game.state import other


def told(before: View, event: Event, after: View) -> str:
    """Say an event as the seat of the views saw it: "you" is that seat.

    >>> from inference.session import Session
    >>> s = Session.new(hands={"S": "AS KH QH 9C JD TD"}, upcard="JH", leader="N")
    >>> s.observe("N:TC S:9C")
    >>> [told(a.view, event, b.view)
    ...  for event, a, b in zip(s.events, s.history, s.history[1:])]
    ['N leads TC', "you play 9C: N's trick, 10 points"]
    """
    me = event.seat == before.seat
    who, s = ("you", "") if me else (str(event.seat), "s")
    text = _laid(before, event, after, who, s) or _deed(before, event.action, who, s)
    outcome = after.public.outcome
    if outcome is None or before.public.over:
        return text
    if outcome.winner is None:
        return f"{text}; the deal is over ({outcome.reason})"
    n, mine = outcome.game_points, outcome.winner == after.seat
    won = "you win" if mine else f"{outcome.winner} wins"
    return f"{text}; {won} {n} game point{'s' * (n != 1)} ({outcome.reason})"


def _laid(before: View, event: Event, after: View, who: str, s: str) -> str:
    """Say a card that is laid, with the trick that it completes."""
    kind, card, public = event.action.kind, event.action.card, before.public
    if kind not in (Kind.PLAY, Kind.ANNOUNCE, Kind.AGAINST) or card is None:
        return ""
    broken = " against the rules" if kind == Kind.AGAINST else ""
    if kind == Kind.ANNOUNCE:
        worth = 40 if card.suit == public.trump else 20
        return f"{who} announce{s} {worth} in {card.suit.word} with {card}"
    if public.led is None:
        return f"{who} lead{s} {card}{broken}"
    taken = after.public.tricks != public.tricks
    if not taken:
        return f"{who} play{s} {card}{broken}"
    winner = next(seat for seat in (0, 1) if after.public.tricks[seat] != public.tricks[seat])
    whose = "your" if winner == before.seat else f"{other(before.seat)}'s"
    return f"{who} play{s} {card}{broken}: {whose} trick, {public.led.points + card.points} points"


def _deed(before: View, action: Action, who: str, s: str) -> str:
    match action.kind:
        case Kind.EXCHANGE:
            return f"{who} exchange{s} {before.public.low_trump} for {before.public.upcard}"
        case Kind.CLOSE:
            return f"{who} close{s} the talon"
        case Kind.CLAIM:
            return f"{who} claim{s} 66"
        case Kind.DRAW:
            return f"{who} draw{s} {action.card or 'a card'}"
        case Kind.KNOWN:
            return f"{who} show{s} {str(action)[1:]}"
        case Kind.GIVE_UP:
            return f"{who} give{s} up"
        case Kind.REVOKE:
            return f"a revoke by {who} is established"
        case Kind.ABANDON:
            return "the deal is abandoned"
    return f"{who}: {spoken(action)}"
