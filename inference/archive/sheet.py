"""A deal as one HTML page to share: no scripts, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from inference.archive.exchange import export_record
from inference.archive.lists import look_up
from inference.archive.shown import Shown, as_shown
from inference.cards import Card, Seat, cards
from inference.errors import NotationError
from inference.game.compact import format_compact
from inference.game.events import Action, Event, Kind
from inference.game.record import Record, format_record
from inference.game.state import SEATS, PublicState
from inference.session import Session
from inference.store import Store, Summary

N_CARDS = 5
"""Cards of a belief that are shown at each step."""
STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.2rem .6rem;border-bottom:1px solid #8886}
td.n{text-align:right}
.H,.D{color:#d03b2f}
code{overflow-wrap:anywhere}
"""
_WORDS = {
    Kind.CLOSE: "closes the talon",
    Kind.CLAIM: "claims 66",
    Kind.GIVE_UP: "gives the deal up",
    Kind.ABANDON: "abandons the deal",
    Kind.REVOKE: "has revoked",
}


def page(store: Store, deal: str) -> str:
    """Return the page of a deal; beliefs and advice are on it if they were kept at the table.

    Raise InferenceError if there is no such deal.
    """
    row, record = look_up(store, deal), export_record(store, deal)
    names = _names(row, record)
    title = f"Sixty-Six against {row.opponent or 'N'}, {row.played}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(_facts(row))}</p>",
        f"<p>{_dealt(record, names)}</p>",
        _events(record, names, as_shown(store, deal)),
        f"<p>{escape(row.note)}</p>" if row.note else "",
        _as_text(record),
    ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'
    )


def _names(row: Summary, record: Record) -> dict[Seat, str]:
    me = _eyes(record)
    return {seat: "I" if seat == me else row.opponent or str(seat) for seat in SEATS}


def _eyes(record: Record) -> Seat:
    return Seat.S if record.seat is None else record.seat


def _facts(row: Summary) -> str:
    said = [f"Rules: {row.rules}."]
    if row.score is not None:
        said.append("Match before the deal: {} : {}.".format(*row.score))
    if row.points is None:
        said.append("Not played to its end.")
    elif not row.points:
        said.append(f"Nobody scored ({row.reason}).")
    else:
        who = "I" if row.points > 0 else row.opponent or "the opponent"
        n = abs(row.points)
        said.append(f"{who} won {n} game point{'' if n == 1 else 's'} ({row.reason}).")
    return " ".join(said)


def _dealt(record: Record, names: Mapping[Seat, str]) -> str:
    if record.start is not None:
        hand = f"I: {_hand(cards(record.start.hand))}"
        return f"It begins in the middle of the deal. {hand}"
    said = [
        f"{escape(names[seat])}: {_hand(cards(hand))}"
        for seat, hand in zip(SEATS, record.hands, strict=True)
        if hand is not None
    ]
    up = "" if record.upcard is None else f" &middot; upcard {_card(record.upcard)}"
    return " &middot; ".join(said) + up


def _events(record: Record, names: Mapping[Seat, str], shown: Mapping[int, Shown]) -> str:
    """Write a row for each event: who, what, the points after it, and what was shown before it."""
    me = _eyes(record)
    head = ["", "who", "what", "my points", "his"]
    head += ["what was shown at the table"] if shown else []
    rows = []
    for number, event, public in _steps(record):
        before = shown.get(number - 1)
        cells = [
            f'<td class="n">{number}</td>',
            f"<td>{escape(names[event.seat])}</td>",
            f"<td>{_said(event.action)}</td>",
            *(f'<td class="n">{public.points[seat]}</td>' for seat in (me, Seat(1 - me))),
            f"<td>{_told(before) if before else ''}</td>" if shown else "",
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    top = "".join(f"<th>{one}</th>" for one in head)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _steps(record: Record) -> Iterable[tuple[int, Event, PublicState]]:
    session = Session.from_record(record, model="counting", at=0)
    seen = Session.from_record(record, model="counting").events
    for number, event in enumerate(seen, start=1):
        session.observe(event)
        yield number, event, session.tracker.view.public


def _said(action: Action) -> str:
    """Say an action in the third person, as HTML."""
    card = "" if action.card is None else _card(action.card)
    match action.kind:
        case Kind.PLAY:
            return card
        case Kind.ANNOUNCE:
            return f"announces the marriage with {card}"
        case Kind.AGAINST:
            return f"{card} against the rules"
        case Kind.DRAW:
            return f"draws {card}" if card else "draws"
        case Kind.EXCHANGE:
            return "swaps the low trump for the upcard"
        case Kind.KNOWN:
            return f"shows {_hand(cards(action.mask))}"
    return _WORDS[action.kind]


def _told(shown: Shown) -> str:
    likely = sorted(shown.marginals.items(), key=lambda one: -one[1])[:N_CARDS]
    told = ", ".join(f"{_card(card)} {100 * p:.0f} %" for card, p in likely if p > 0)
    if shown.advice is None:
        return told
    best = shown.advice["actions"][0]
    reason = f": {escape(best['reason'])}" if best.get("reason") else ""
    return f"{told}<br>suggested {escape(best['action'])}{reason}"


def _as_text(record: Record) -> str:
    try:
        text = format_compact(record)
    except NotationError:  # a start in mid-deal, or a name that the short form cannot hold
        text = format_record(record)
    return f"<p>As text: <code>{escape(text)}</code></p>"


def _card(card: Card) -> str:
    return f'<span class="{card.suit.name}">{card.sign}</span>'


def _hand(some: Iterable[Card]) -> str:
    return " ".join(map(_card, some))
