"""Players as simple programs: a rule for each kind of turn, and among equals the first of a list.

What makes one differ from the next are its rules, the order in which it looks through the suits,
and how often it slips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inference.cards import MARRIAGES, SUIT_MASK, Card
from inference.game.events import CLAIM, CLOSE, EXCHANGE, UNSEEN_DRAW, Action, Kind
from inference.game.position import View
from inference.game.state import beats

LEADS = ("low", "low plain", "high plain", "high", "ace", "long", "any")
LATE_LEADS = ("high", "high trump", "ace", "low", "any")
REPLIES = ("cheapest", "dearest", "same suit", "worth it", "by points", "any")
DISCARDS = ("low", "low plain", "low plain", "keep pairs", "short")
CLOSES = ("never", "never", "trumps", "points", "sure")
CRUDE = ("low", "low plain", "high", "high plain", "high trump", "first", "any")
"""Leads of the crudest programs, the same all through the deal."""
CRUDE_REPLIES = (
    *("low", "high", "trumps", "suit low", "suit high"),
    *("first", "any", "cheapest", "dearest"),
)
"""Their replies: most do not ask who wins the trick."""


class Rulebook(NamedTuple):
    """Hold the rules of one player."""

    family: str
    lead: str
    late_lead: str
    reply: str
    discard: str
    close: str
    suits: tuple[int, ...]
    """The place of each suit in its list; all 0 if it draws lots among equals."""
    from_points: int
    """Points of a led card from which the rule `worth it` wins the trick."""
    trumps_to_close: int
    points_to_close: int
    queen: bool
    """It leads the queen of a marriage that it announces, else the king."""
    announces: float
    exchanges: float
    slips: float

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""
        actions = view.legal_actions()
        if view.public.to_act != view.seat:
            actions.append(UNSEEN_DRAW)  # the sign of silence
        first = _wanted(self, view, actions, rng)
        p = {action: self.slips / len(actions) for action in actions}
        for action in first:
            p[action] += (1 - self.slips) / len(first)
        return p


def rulebook(family: str, rng: np.random.Generator) -> Rulebook:
    """Draw a player."""
    suits = [(0, 1, 2, 3), (3, 2, 1, 0), tuple(rng.permutation(4).tolist()), (0, 0, 0, 0)]
    return Rulebook(
        family,
        lead=str(rng.choice(LEADS)),
        late_lead=str(rng.choice(LATE_LEADS)),
        reply=str(rng.choice(REPLIES)),
        discard=str(rng.choice(DISCARDS)),
        close=str(rng.choice(CLOSES)),
        suits=suits[int(rng.choice(4, p=(0.3, 0.2, 0.15, 0.35)))],
        from_points=int(rng.choice((3, 4, 10))),
        trumps_to_close=int(rng.integers(3, 6)),
        points_to_close=int(rng.integers(30, 60)),
        queen=bool(rng.random() < 0.5),
        announces=float(rng.choice((1.0, 1.0, 1.0, 0.0))),
        exchanges=float(rng.choice((1.0, 1.0, 1.0, 0.5, 0.0))),
        slips=float(rng.choice((0.0, 0.0, 0.03, 0.15))),
    )


def crude(family: str, rng: np.random.Generator) -> Rulebook:
    """Draw one of the crudest: one rule for all leads and one for all replies."""
    lead = str(rng.choice(CRUDE))
    return rulebook(family, rng)._replace(
        lead=lead,
        late_lead=lead,
        reply=str(rng.choice(CRUDE_REPLIES)),
        discard=str(rng.choice(("low", "low plain"))),
        close=str(rng.choice(("never", "never", "never", "trumps"))),
        slips=float(rng.choice((0.0, 0.0, 0.1))),
    )


def _wanted(
    who: Rulebook, view: View, actions: list[Action], rng: np.random.Generator
) -> list[Action]:
    """Return the actions that the rules ask for; several are equal."""
    if CLAIM in actions:
        return [CLAIM]
    if EXCHANGE in actions and rng.random() < who.exchanges:
        return [EXCHANGE]
    if UNSEEN_DRAW in actions:
        return [UNSEEN_DRAW]
    shown = [a for a in actions if a.kind == Kind.ANNOUNCE]
    if shown and rng.random() < who.announces:
        trump = view.public.trump
        return _first(who, shown, lambda c: (c.suit != trump, (c.rank % 2) != (not who.queen)))
    if CLOSE in actions and _closes(who, view):
        return [CLOSE]
    plays = [a for a in actions if a.kind == Kind.PLAY]
    if not plays:
        return shown
    if view.public.led is None:
        rule = who.late_lead if view.public.strict else who.lead
        return _leads(who, view, plays, rule)
    return _replies(who, view, plays, view.public.led)


def _card(action: Action) -> Card:
    assert action.card is not None
    return action.card


def _first(who: Rulebook, actions: list[Action], key: object) -> list[Action]:
    """Return the actions whose card has the least key, then the suit that comes first."""
    assert callable(key)
    keys = [(key(_card(a)), who.suits[_card(a).suit]) for a in actions]
    least = min(keys)
    return [a for a, one in zip(actions, keys, strict=True) if one == least]


def _leads(who: Rulebook, view: View, plays: list[Action], rule: str) -> list[Action]:
    trump, hand = view.public.trump, view.hand
    match rule:
        case "low":
            return _first(who, plays, lambda c: c.points)
        case "low plain":
            return _first(who, plays, lambda c: (c.suit == trump, c.points))
        case "high plain":
            return _first(who, plays, lambda c: (c.suit == trump, -c.points))
        case "high":
            return _first(who, plays, lambda c: -c.points)
        case "ace":
            return _first(who, plays, lambda c: (c.suit == trump, c.points != 11, c.points))
        case "high trump":
            return _first(who, plays, lambda c: (c.suit != trump, -c.points))
        case "first":
            return _first(who, plays, lambda c: (who.suits[c.suit], c.rank))
        case "long":
            return _first(
                who,
                plays,
                lambda c: (c.suit == trump, -(hand & SUIT_MASK[c.suit]).bit_count(), c.points),
            )
    return plays


def _replies(who: Rulebook, view: View, plays: list[Action], led: Card) -> list[Action]:
    trump = view.public.trump
    match who.reply:
        case "low":
            return _first(who, plays, lambda c: c.points)
        case "high":
            return _first(who, plays, lambda c: -c.points)
        case "trumps":
            return _first(who, plays, lambda c: (c.suit != trump, c.suit != led.suit, -c.points))
        case "suit low":
            return _first(who, plays, lambda c: (c.suit != led.suit, c.points))
        case "suit high":
            return _first(who, plays, lambda c: (c.suit != led.suit, -c.points))
        case "first":
            return _first(who, plays, lambda c: (who.suits[c.suit], c.rank))
    winners = [a for a in plays if beats(_card(a), led, trump)]
    same = [a for a in winners if _card(a).suit == led.suit]
    match who.reply:
        case "same suit" if not view.public.strict:
            winners = same
        case "worth it" if led.points < who.from_points and not view.public.strict:
            winners = []
        case "by points" if led.points < who.from_points and not view.public.strict:
            winners = [a for a in same if _card(a).points >= 10]
    if not winners:
        return _discards(who, view, plays)
    match who.reply:
        case "any":
            return winners
        case "dearest":
            return _first(who, winners, lambda c: -c.points)
        case "by points":
            return _first(who, winners, lambda c: (c.suit == trump, -c.points))
    return _first(who, winners, lambda c: (c.suit == trump, c.points))


def _discards(who: Rulebook, view: View, plays: list[Action]) -> list[Action]:
    trump, hand = view.public.trump, view.hand

    def paired(card: Card) -> bool:
        return card.is_marriage and bool(hand & card.mate.mask)

    match who.discard:
        case "low":
            return _first(who, plays, lambda c: c.points)
        case "keep pairs":
            return _first(who, plays, lambda c: (c.suit == trump, paired(c), c.points))
        case "short":
            return _first(
                who,
                plays,
                lambda c: (
                    c.suit == trump,
                    c.points >= 10,
                    (hand & SUIT_MASK[c.suit]).bit_count(),
                    c.points,
                ),
            )
    return _first(who, plays, lambda c: (c.suit == trump, c.points))


def _closes(who: Rulebook, view: View) -> bool:
    public, hand = view.public, view.hand
    trumps = (hand & SUIT_MASK[public.trump]).bit_count()
    have = public.points[view.seat]
    match who.close:
        case "trumps":
            return trumps >= who.trumps_to_close
        case "points":
            return have >= who.points_to_close and trumps >= 2
        case "sure":
            best = sorted((_points(card) for card in Card if hand >> card & 1), reverse=True)
            shown = 20 * any(hand & both == both for both in MARRIAGES)
            return have + sum(best[:4]) + shown >= 66 and trumps >= 2
    return False


def _points(card: Card) -> int:
    return card.points
