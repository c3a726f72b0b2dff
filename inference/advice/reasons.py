"""Reasons in a player's words, from the figures of the position."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from inference import belief as bayes
from inference.advice.decider import NEVER, percent
from inference.advice.option import Option, Sample
from inference.belief import Belief
from inference.cards import SUIT_MASK, Card, cards, mask_of
from inference.game.events import Action, Event, Kind
from inference.game.position import View
from inference.game.state import PublicState, beats
from inference.solve.legality import legal_matrix


def explain(
    options: tuple[Option, ...],
    effects: Mapping[Action, str],
    deciders: Mapping[Action, str],
    method: str,
) -> tuple[Option, ...]:
    """Give every option its reason: what it does, when it wins or how often, its margin."""
    return tuple(
        option._replace(
            reason=f"{effects[option.action]}; "
            f"{deciders.get(option.action) or _odds(option, method)}; {_margin(options, place)}."
        )
        for place, option in enumerate(options)
    )


def _odds(option: Option, method: str) -> str:
    if method == "exact":
        if option.value > 0:
            return f"wins {_game_points(option.value)} against any play"
        result = f"loses {_game_points(-option.value)}" if option.value < 0 else "draws"
        return f"{result} against the best play"
    return f"wins with {percent(option.p_win)}"


def stake(close: Sample) -> str:
    """Say what closing, the only action of a sample, wins and what it risks.

    >>> values = np.array([[2.0], [3.0], [-2.0]])
    >>> stake(Sample(values, values > 0, np.array([0.4, 0.4, 0.2]), whole=True))
    'wins 2.5 with 80 %, else loses 2.0'
    """
    values, share = close.values[:, 0], close.weights / close.weights.sum()
    p = float(share @ close.wins[:, 0])
    won = float(share @ np.maximum(values, 0.0)) / max(p, NEVER)
    lost = float(share @ np.maximum(-values, 0.0)) / max(1.0 - p, NEVER)
    if p < NEVER:
        return f"loses {lost:.1f}"
    return f"wins {won:.1f} with {percent(p)}" + (
        f", else loses {lost:.1f}" if p < 1.0 - NEVER else ""
    )


def _margin(options: tuple[Option, ...], place: int) -> str:
    option = options[place]
    if len(options) == 1:
        return "the only legal action"
    rival = spoken(options[1 if place == 0 else 0].action)
    if option.tied:
        return f"as good as {rival}"
    lead = option.gap.removesuffix(" game points")
    return f"{lead} {'better than' if place == 0 else 'behind'} {rival}"


def spoken(action: Action) -> str:
    """Name an action in words that a sentence can hold.

    >>> spoken(Action(Kind.CLOSE)), spoken(Action(Kind.ANNOUNCE, Card.HK))
    ('closing', 'announcing with KH')
    """
    if action.kind == Kind.ANNOUNCE:
        return f"announcing with {action.card}"
    others = {
        Kind.EXCHANGE: "the exchange",
        Kind.CLOSE: "closing",
        Kind.CLAIM: "claiming",
        Kind.DRAW: "saying nothing",
    }
    return others.get(action.kind, str(action.card))


def effect(view: View, belief: Belief, action: Action) -> str:
    """Say what an action does here, naming a card or a number of this position."""
    match action.kind:
        case Kind.CLAIM:
            points = view.public.points[view.seat]
            return f"with {points} points you win the deal now"
        case Kind.EXCHANGE:
            return f"swaps your {view.public.low_trump} for the {view.public.upcard} at no cost"
        case Kind.CLOSE:
            return _closing(view)
        case Kind.DRAW:
            return "says nothing and goes on"
        case Kind.ANNOUNCE:
            return _announcing(view, belief, action)
    assert action.card is not None
    if view.public.led is None:
        return _leading(view.public, belief, action.card)
    return _replying(view, action)


def _closing(view: View) -> str:
    mine = view.public.points[view.seat]
    trumps = cards(view.hand & SUIT_MASK[view.public.trump])
    held = f"trumps {' '.join(map(str, trumps))}" if trumps else "no trump"
    if mine >= 66:
        return f"gains nothing: with {mine} points you can claim"
    return f"needs {66 - mine} more points with {held}"


def _announcing(view: View, belief: Belief, action: Action) -> str:
    assert action.card is not None
    after = view.public.after(Event(view.seat, action))
    worth = 40 if action.card.suit == view.public.trump else 20
    points = after.points[view.seat]
    if after.pending[view.seat]:
        counted = "once you have a trick"
    elif points >= 66:
        return f"announces {worth} and takes you out with {points}"
    else:
        counted = f"for {points} points"
    beaten = _leading(view.public, belief, action.card).partition(", mostly")[0]
    return f"announces {worth} {counted}; {beaten}"


def _leading(public: PublicState, belief: Belief, card: Card) -> str:
    """Say how likely he can beat a led card, and with what most likely."""
    winners = [c for c in Card if beats(c, card, public.trump)]
    p, hands = bayes.mixture(belief).astype(float), belief.hands
    if public.strict:
        able = legal_matrix(public._replace(led=card), hands)[:, winners]
        p_beaten, by = float(p[able.any(axis=1)].sum()), able.astype(float).T @ p
    else:  # whatever he holds he may play
        p_beaten = float(p[hands & np.uint32(mask_of(winners)) != 0].sum())
        by = np.array([p[hands & np.uint32(c.mask) != 0].sum() for c in winners])
    if p_beaten == 0:
        return f"nothing he can hold beats {card}"
    if p_beaten > 1 - 1e-9:
        return f"whatever he holds, he can beat {card}"
    likeliest = winners[int(np.argmax(by))]
    return f"he can beat {card} with {percent(p_beaten)}, mostly by {likeliest}"


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


def _game_points(n: float) -> str:
    return f"{n:.0f} game point{'' if n == 1 else 's'}"
