"""Reasons in a player's words, from the figures of the position."""

from __future__ import annotations

from collections.abc import Mapping

from inference import belief as bayes
from inference.advice.option import Option
from inference.belief import Belief
from inference.cards import SUIT_MASK, Card, cards
from inference.game.events import Action, Event, Kind
from inference.game.position import View
from inference.game.state import PublicState, beats
from inference.solve.legality import legal_matrix


def explain(
    options: tuple[Option, ...], effects: Mapping[Action, str], method: str, n_worlds: int
) -> tuple[Option, ...]:
    """Give every option its reason: what it does, how often it wins, its margin."""
    return tuple(
        option._replace(
            reason=f"{effects[option.action]}; {_odds(option, method, n_worlds)}; "
            f"{_margin(options, place)}."
        )
        for place, option in enumerate(options)
    )


def _odds(option: Option, method: str, n_worlds: int) -> str:
    if method == "exact":
        if option.value > 0:
            return f"wins {_game_points(option.value)} against any play"
        result = f"loses {_game_points(-option.value)}" if option.value < 0 else "draws"
        return f"{result} against the best play"
    layouts = f"{n_worlds} layout{'' if n_worlds == 1 else 's'}"
    return (
        f"wins with {_percent(option.p_win)} over {layouts}, "
        f"{option.value:+.2f} game points on average"
    )


def _margin(options: tuple[Option, ...], place: int) -> str:
    option = options[place]
    if len(options) == 1:
        return "the only legal action"
    if place == 0:
        rival = options[1].action
        if option.tied:
            return f"{spoken(rival)} is as good as {spoken(option.action)}"
        return f"{option.gap} better than {spoken(rival)}, the next best"
    best = spoken(options[0].action)
    return f"as good as {best}" if option.tied else f"{option.gap} behind {best}"


def spoken(action: Action) -> str:
    """Name an action in words that a sentence can hold.

    >>> spoken(Action(Kind.CLOSE)), spoken(Action(Kind.ANNOUNCE, Card.HK))
    ('closing', 'announcing with KH')
    """
    if action.kind == Kind.ANNOUNCE:
        return f"announcing with {action.card}"
    others = {Kind.EXCHANGE: "the exchange", Kind.CLOSE: "closing", Kind.CLAIM: "claiming"}
    return others.get(action.kind, str(action.card))


def effect(view: View, belief: Belief, action: Action) -> str:
    """Say what an action does here, naming a card or a number of this position."""
    match action.kind:
        case Kind.CLAIM:
            points = view.public.points[view.seat]
            return f"you have {points} points: claiming ends the deal in your favour"
        case Kind.EXCHANGE:
            return f"swaps your {view.public.low_trump} for the {view.public.upcard} at no cost"
        case Kind.CLOSE:
            return _closing(view)
        case Kind.ANNOUNCE:
            return _announcing(view, belief, action)
    assert action.card is not None
    if view.public.led is None:
        return _leading(view.public, belief, action.card)
    return _replying(view, action)


def _closing(view: View) -> str:
    mine = view.public.points[view.seat]
    trumps = cards(view.hand & SUIT_MASK[view.public.trump])
    held = " ".join(map(str, trumps)) if trumps else "no trump"
    if mine >= 66:
        return f"closing gains nothing: with {mine} points you can claim"
    return f"closing with {mine} points needs {66 - mine} more from {held} and your other cards"


def _announcing(view: View, belief: Belief, action: Action) -> str:
    assert action.card is not None
    after = view.public.after(Event(view.seat, action))
    worth = 40 if action.card.suit == view.public.trump else 20
    points = after.points[view.seat]
    if after.pending[view.seat]:
        counted = "once you have a trick"
    elif points >= 66:
        counted = f"at once: {points} points take you out"
    else:
        counted = f"at once: {points} points, {66 - points} short of 66"
    return f"announces {worth} {counted}; {_leading(view.public, belief, action.card)}"


def _leading(public: PublicState, belief: Belief, card: Card) -> str:
    """Say how likely he can beat a led card, and with what most likely."""
    winners = [c for c in Card if beats(c, card, public.trump)]
    replies = legal_matrix(public._replace(led=card), belief.hands)[:, winners]
    p = bayes.mixture(belief).astype(float)
    p_beaten = float(p[replies.any(axis=1)].sum())
    if p_beaten == 0:
        return f"nothing he can hold beats {card}"
    if p_beaten > 1 - 1e-9:
        return f"whatever he holds, he can beat {card}"
    likeliest = max(winners, key=lambda c: p[replies[:, winners.index(c)]].sum())
    return f"he can beat {card} with {_percent(p_beaten)}, most likely by {likeliest}"


def _replying(view: View, action: Action) -> str:
    led, card = view.public.led, action.card
    assert led is not None
    assert card is not None
    after = view.public.after(Event(view.seat, action))
    worth = led.points + card.points
    if after.leader == view.seat:
        mine = after.points[view.seat]
        out = " and may claim" if view.public.rules.claim == "declared" else " and are out"
        state = f"you then have {mine}{out if mine >= 66 else f', {66 - mine} short of 66'}"
        return f"{card} takes {led} for {worth} points; {state}"
    return f"{card} lets him have {led} for {worth} points; {_kept(view, card)}"


def _kept(view: View, card: Card) -> str:
    """Name the best that stays in my hand."""
    rest = view.hand & ~card.mask
    trumps = cards(rest & SUIT_MASK[view.public.trump])
    if trumps:
        return f"you keep {' '.join(map(str, trumps))} in trumps"
    best = max(cards(rest), key=lambda c: c.points, default=None)
    return f"you keep {best}" if best is not None else "it is your last card"


def _percent(p: float) -> str:
    """Write a probability without claiming certainty that rounding made.

    >>> _percent(0.9999), _percent(0.71), _percent(0.0001)
    ('over 99 %', '71 %', 'under 1 %')
    """
    if 0 < p < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 <= p < 1 else f"{100 * p:.0f} %"


def _game_points(n: float) -> str:
    return f"{n:.0f} game point{'' if n == 1 else 's'}"
