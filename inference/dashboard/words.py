"""Cards, actions and probabilities as a table reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from inference.cards import Card, cards, parse_card
from inference.game.events import Action, Event, Kind
from inference.game.scoring import Outcome

_CARD = re.compile(r"(?<![A-Za-z0-9])([9TJQKA][SHDC])(?![A-Za-z0-9])")
_EMOJI = re.compile(r"(?<=[A-Z]):(?=[a-z]+:)")
"""The colon of an entry like N:x: that Markdown would read as the name of an emoji."""
_DEEDS = {
    Kind.EXCHANGE: "swap",
    Kind.CLOSE: "close",
    Kind.CLAIM: "claim 66",
    Kind.GIVE_UP: "give up",
    Kind.REVOKE: "revoked",
    Kind.ABANDON: "abandoned",
}


def percent(p: float) -> str:
    """Write a probability as whole per cent; 0 and 100 are certain.

    >>> [percent(p) for p in (0, 0.001, 0.354, 0.999, 1)]
    ['0', '<1', '35', '>99', '100']
    """
    if p in (0, 1):
        return f"{100 * p:.0f}"
    return "<1" if p < 0.005 else ">99" if p > 0.995 else f"{100 * p:.0f}"


def odds(p: float) -> str:
    """Write the probability of one hand among thousands.

    >>> odds(0.125), odds(1 / 12376)
    ('12.5 %', '1 in 12,376')
    """
    return f"{100 * p:.1f} %" if p >= 0.001 else f"1 in {1 / p:,.0f}"


def pretty(sentence: str) -> str:
    """Write the cards of a sentence with suit signs.

    >>> pretty("N:KH: you must follow spades and could with AS 9S (rule 3.5).")
    'N:♥︎K: you must follow spades and could with ♠︎A ♠︎9 (rule 3.5).'
    """
    return _CARD.sub(lambda found: parse_card(found[1]).sign, _EMOJI.sub(":\u2060", sentence))


def spoken(action: Action) -> str:
    """Say an action in a player's words.

    >>> spoken(Action(Kind.ANNOUNCE, Card.HK)), spoken(Action(Kind.CLOSE))
    ('announce ♥︎K', 'close')
    """
    if action.card is not None:
        word = {Kind.ANNOUNCE: "announce ", Kind.DRAW: "draw "}.get(action.kind, "")
        return word + action.card.sign
    return _DEEDS.get(action.kind, pretty(str(action)))


def deed(action: Action) -> str:
    """Say an action as HTML, its card in its colour."""
    if action.card is None:
        return spoken(action)
    return spoken(action).replace(action.card.sign, card_html(action.card))


def entry_label(number: int, event: Event, name: str) -> str:
    """Label an entry of the log: its number, who, and what.

    >>> from inference.cards import Seat
    >>> entry_label(9, Event(Seat.N, Action(Kind.AGAINST, Card.C9)), "N")
    '9 N ♣︎9~'
    """
    action = event.action
    mark = str(action.kind) if action.kind in (Kind.ANNOUNCE, Kind.AGAINST, Kind.DRAW) else ""
    if action.card is not None:
        laid = action.kind != Kind.DRAW
        what = f"{action.card.sign}{mark}" if laid else f"{mark}{action.card.sign}"
    else:
        what = _DEEDS.get(action.kind, pretty(str(action)))
    return f"{number} {name} {what}"


def short(name: str, n: int) -> str:
    """Shorten a name to n characters that do no harm in a style sheet or a label.

    What stands in parentheses is left out.

    >>> short('Anna "}*{', 8), short("  ", 8), short("Anna (bold)", 8)
    ('Anna', '?', 'Anna')
    """
    return re.sub(r"\(.*|[^\w .'-]", "", name)[:n].strip() or "?"


def label(name: str, n: int) -> str:
    """Shorten a name to n characters that do no harm in the label of a button.

    >>> label("**Anna** (bold)", 20)
    'Anna (bold)'
    """
    return re.sub(r"[^\w .,'()-]", "", name)[:n].strip() or "?"


def suit_class(card: Card) -> str:
    """Return the style class that gives a card its suit's colour."""
    return f"suit-{card.suit.name}"


def card_html(card: Card) -> str:
    """Write a card in its suit's colour.

    >>> card_html(Card.HT)
    '<span class="suit-H">♥︎10</span>'
    """
    return f'<span class="{suit_class(card)}">{card.sign}</span>'


def hand_html(mask: int) -> str:
    """Write the cards of a mask in their colours."""
    return " ".join(card_html(card) for card in cards(mask))


def coloured(sentence: str) -> str:
    """Write a sentence as HTML, its cards in their colours."""
    return _CARD.sub(lambda found: card_html(parse_card(found[1])), escape(sentence))


def lines(some: Iterable[str], kind: str = "p") -> str:
    """Wrap each piece of HTML in an element."""
    return "".join(f"<{kind}>{one}</{kind}>" for one in some)


def ending(outcome: Outcome, mine: bool, name: str) -> str:
    """Say how a deal ended, from my side."""
    if outcome.winner is None:
        return f"Nobody scores ({outcome.reason})"
    n = outcome.game_points
    who = "You win" if mine else f"{name} wins"
    return f"{who} {n} game point{'' if n == 1 else 's'} ({outcome.reason})"
