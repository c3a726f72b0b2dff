"""A past moment as HTML: where the cards were, what was thought of them, and what was played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from inference import reports
from inference.cards import Card
from inference.dashboard.panels import PLACES
from inference.dashboard.words import card_html, coloured, deed, hand_html, lines, odds, percent
from inference.reports import Place
from inference.study.judge import Judged
from inference.study.ledger import Ledger
from inference.study.replay import Picture, Step
from inference.tracker import Tracker


def board(tracker: Tracker, step: Step, picture: Picture | None, best: Card | None) -> str:
    """Return the cards as on the pad; a dot marks what the opponent really held, a star the best.

    `picture` gives the probabilities of hidden cards, None where nothing is known of them.
    """
    at = reports.places(tracker)
    order = sorted(at, key=lambda card: card.suit != tracker.view.public.trump)
    faces = "".join(_face(card, at[card], step.truth, picture, card == best) for card in order)
    return f'<div class="board" style="--n:{len(order) // 4}">{faces}</div>'


def _face(card: Card, place: Place, truth: int | None, picture: Picture | None, best: bool) -> str:
    hidden = place == Place.HIDDEN
    p = picture.p[card] if hidden and picture is not None else None
    note = "" if hidden else PLACES[place].format(name="his")
    if p is not None:
        note = f"{percent(p)} %"
    held = truth is not None and bool(truth & card.mask) and place in (Place.HIDDEN, Place.KNOWN)
    marks = f"{place}{' held' if held else ''}{' star' if best else ''}"
    said = f"{card}: {note}{', held' if held else ''}{', best' if best else ''}"
    bar = "" if p is None else f' style="--p:{p:.3f}"'
    body = f"{card_html(card)}<small>{note}</small>"
    return f'<div class="face {marks}" role="img" aria-label="{said}"{bar}>{body}</div>'


def moment(step: Step, n: int, following: str, name: str) -> str:
    """Return what happened last and what came next, the opponent by his name."""
    he = str(step.view.opponent)
    then = f"<p class='quiet'>next: {coloured(named(following, he, name))}</p>" if following else ""
    text = coloured(named(step.text, he, name))
    return f'<div class="verdict"><p><b>{step.number}/{n}</b> {text}</p>{then}</div>'


def named(text: str, seat: str, name: str) -> str:
    """Put a name in the place of a seat.

    >>> named("S plays KS: S's trick, 8 points", "S", "Anna")
    "Anna plays KS: Anna's trick, 8 points"
    """
    return re.sub(rf"\b{seat}\b", lambda _: name, text)


def verdict(judged: Judged | None) -> str:
    """Return what a decision cost, with all moves that were possible."""
    if judged is None:
        return '<div class="verdict"><p class="quiet">No choice of yours here.</p></div>'
    look = " slip" if judged.charged else ""
    missed = f" <b>Missed {judged.missed}.</b>" if judged.missed else ""
    rows = (
        f"<td>{deed(o.action)}{' ◂ played' if o.action == judged.played else ''}</td>"
        f"<td>{percent(o.p_win)} %</td><td>{o.value:+.2f}</td><td>{2 * o.stderr:.2f}</td>"
        for o in judged.advice.options
    )
    head = "<tr><th>move</th><th>win</th><th>points</th><th>±</th></tr>"
    table = f'<div class="panel"><table>{head}{lines(rows, "tr")}</table></div>'
    return f'<div class="verdict{look}"><p>{coloured(judged.text)}{missed}</p>{table}</div>'


def thought(picture: Picture | None, truth: int | None) -> str:
    """Return the likeliest hands of a picture, the true one marked."""
    if picture is None:
        return ""
    rows = (
        f"<td>{hand_html(hand)}{' ● his hand' if hand == truth else ''}</td><td>{odds(p)}</td>"
        for hand, p in picture.likeliest
    )
    title = f"{picture.n_hands:,} hands possible, {picture.entropy_bits:.1f} bits unknown"
    body = f"<table class='hands'>{lines(rows, 'tr')}</table>"
    return f'<div class="panel"><h4>{title}</h4>{body}</div>'


def account(parts: Ledger, name: str) -> str:
    """Return the result of a deal as a sum: luck, losses, and what is left."""
    return _sum(
        {
            f"Luck of the cards (± {2 * parts.luck_stderr:.2f})": parts.luck,
            "Your losses": -parts.my_losses,
            f"{escape(name)}'s losses": parts.his_losses,
            "Neither (noise, and what play gave away)": parts.remainder,
            "<b>Result</b>": parts.result,
        }
    )


def totals(parts: Mapping[str, float]) -> str:
    """Return the results of many deals as a sum."""
    return _sum(
        {
            f"Luck of the cards (± {2 * parts['luck_stderr']:.2f})": parts["luck"],
            "Your losses": -parts["my_losses"],
            f"Their losses (known in {parts['n_his_known']} deals)": parts["his_losses"],
            "Neither (noise, and what play gave away)": parts["remainder"],
            "<b>Result</b>": parts["result"],
        }
    )


def _sum(rows: Mapping[str, float | None]) -> str:
    told = (
        f"<td>{what}</td><td>{'unknown' if x is None else f'{round(x, 2) + 0.0:+.2f}'}</td>"
        for what, x in rows.items()
    )
    return f'<div class="panel"><h4>Game points</h4><table>{lines(told, "tr")}</table></div>'
