"""The read-only parts of the live page, as HTML: status, prompt, belief, threats."""

from __future__ import annotations

from html import escape

from inference import reports
from inference.cards import Card, Suit, cards
from inference.dashboard.words import (
    card_html,
    coloured,
    deed,
    ending,
    hand_html,
    lines,
    odds,
    percent,
)
from inference.game.match import Match
from inference.opponents import person
from inference.reports import Place
from inference.tracker import Tracker
from inference.why import why as reasons_of

PLACES = {
    Place.MINE: "you",
    Place.KNOWN: "{name}",
    Place.UPCARD: "up",
    Place.TABLE: "led",
    Place.GONE: "gone",
}


def status(tracker: Tracker, name: str, match: Match | None) -> str:
    """Return the line of fixed height: trick, trump, upcard, talon; points and what is needed."""
    public, me, he = tracker.view.public, tracker.view.seat, tracker.view.opponent
    trick = sum(public.tricks) + (not public.over)
    up = "none" if public.upcard is None else card_html(public.upcard)
    closed = "" if public.closed is None else " closed"
    sign = f'<span class="suit-{Suit(public.trump).name}">{Suit(public.trump).sign}</span>'
    facts = [f"<b>Trick {trick}</b>", f"trump {sign}", f"up {up}", f"talon {public.talon}{closed}"]
    if match is not None:
        facts.append(f"match {match.score[me]}:{match.score[he]}")
    score = lines((_score(tracker, me, "you"), _score(tracker, he, escape(name[:8]))), "span")
    return f'<div class="status">{lines(facts, "span")}<span class="score">{score}</span></div>'


def _score(tracker: Tracker, seat: int, who: str) -> str:
    public = tracker.view.public
    word = '<span class="wide"> pending</span>'
    pending = f" +{public.pending[seat]}{word}" if public.pending[seat] else ""
    needs = reports.needed(tracker)[seat]
    return f"{who} <b>{public.points[seat]}</b>{pending} (needs {needs})"


def prompt(tracker: Tracker, awaited: str, name: str, saved: str, mode: str = "") -> str:
    """Return whose entry is awaited, or the one thing that must not be missed."""
    due = awaited.replace(f"{tracker.view.opponent}'s", f"{name}'s")
    loud = _loud(tracker)
    if mode:
        look, text = "mode", mode
    elif tracker.view.public.outcome is not None:
        look, text = "over", escape(_ended(tracker, name))
    else:
        look, text = ("loud", loud) if loud else ("", f"Tap {coloured(due)}")
    return (
        f'<div class="prompt {look}" role="status" aria-live="polite"><b>{text}</b>'
        f'<span class="saved">{saved}</span></div>'
    )


def _ended(tracker: Tracker, name: str) -> str:
    outcome = tracker.view.public.outcome
    assert outcome is not None
    return ending(outcome, outcome.winner == tracker.view.seat, name)


def _loud(tracker: Tracker) -> str:
    if reports.may_claim(tracker):
        return f"You have {tracker.view.public.points[tracker.view.seat]} points: claim!"
    shown = reports.takes_out(tracker)
    return f"This marriage takes you out: {deed(shown[0])}" if shown else ""


def threats(tracker: Tracker, name: str) -> str:
    """Return what the opponent may have up his sleeve."""
    found = threat_lines(tracker, name) or ["Nothing to fear."]
    return _panel(f"What {escape(name)} may have", lines([*found, *style_line(tracker, name)]))


def alarm(tracker: Tracker, name: str) -> str:
    """Return the warning that the opponent plays like nobody known, empty as long as he does."""
    told = reports.alarm(tracker, name)
    return f'<div class="panel alarm" role="status"><p>{escape(told)}</p></div>' if told else ""


def why(tracker: Tracker, name: str) -> str:
    """Return what the opponent's choices did to the cards that they moved most."""
    found = reasons_of(tracker)
    if not found:
        return _panel("Why", f"<p>Nothing that {escape(name)} did has moved a card much.</p>")
    p = reports.locations(tracker)
    parts = [
        f"<p>{card_html(card)} <b>{percent(p[card])} %</b></p>"
        + lines((coloured(reason.sentence()) for reason in reasons), "li")
        for card, reasons in found.items()
    ]
    return _panel(f"{escape(name)} …", "".join(parts))


def style_line(tracker: Tracker, name: str) -> list[str]:
    """Return one line about the opponent's style, none before there is something to say."""
    style = reports.likeliest_style(tracker)
    if style is None:
        return []
    manner, p = style[0], f"<b>{percent(style[1])} %</b>"
    if manner == person.NAME:
        nearest = reports.likeliest_style(tracker, own=False)
        like = f", most like a {escape(nearest[0])} player" if nearest else ""
        return [f"{escape(name)} plays {manner}, {p}{like}"]
    return [f"{escape(name)} plays like a {escape(manner)} player, {p}"]


def threat_line(tracker: Tracker, name: str) -> str:
    """Return the threats in one line, for the moments without advice."""
    name, found = escape(name), []
    p, shown = reports.p_low_trump(tracker), reports.marriages(tracker)
    if shown:
        found.append(f"a marriage with {percent(reports.p_any_marriage(tracker))} %")
    if p is not None:
        found.append(f"{card_html(tracker.view.public.low_trump)} with {percent(p)} %")
    out = sum(chance for _, chance, points in shown if points >= 66)
    loud = f" <b>A marriage of his would end the deal ({percent(out)} %).</b>" if out else ""
    return (
        f"{name} holds {', '.join(found)}.{loud}" if found else "No marriage and no swap to fear."
    )


def threat_lines(tracker: Tracker, name: str) -> list[str]:
    """List the low trump and the marriages that the opponent may hold."""
    name, found = escape(name), []
    p = reports.p_low_trump(tracker)
    if p is not None:
        low = card_html(tracker.view.public.low_trump)
        found.append(f"{low} to swap: {name} holds it with <b>{percent(p)} %</b>")
    shown = reports.marriages(tracker)
    if shown:
        any_ = percent(reports.p_any_marriage(tracker))
        found.append(f"Any marriage: <b>{any_} %</b>")
    for suit, chance, points in shown:
        king, queen = Card(6 * suit + 3), Card(6 * suit + 2)
        out = " <b>and is out</b>" if points >= 66 else ""
        pair = f"{card_html(king)} {card_html(queen)}"
        found.append(f"{pair} {percent(chance)} %: {name} then has {points}{out}")
    return found


def suits(tracker: Tracker) -> str:
    """Return the cards left by suit, trumps first."""
    rows = (
        f'<td><span class="suit-{suit.name}">{suit.sign}</span></td>'
        f"<td>{unseen.bit_count()}</td><td>{hand_html(unseen)}</td><td>{hand_html(mine)}</td>"
        for suit, (unseen, mine) in reports.left_by_suit(tracker).items()
    )
    head = "<tr><th>suit</th><th>left</th><th>unseen</th><th>you</th></tr>"
    return _panel("Left by suit", f"<table>{head}{lines(rows, 'tr')}</table>")


def hands(tracker: Tracker) -> str:
    """Return the ten likeliest hands."""
    rows = (
        f"<td>{hand_html(hand)}</td><td>{odds(p)}</td>" for hand, p in reports.likeliest(tracker)
    )
    title = f"of {len(tracker.belief.hands):,} possible"
    return _panel(title, f"<table class='hands'>{lines(rows, 'tr')}</table>")


def heat(tracker: Tracker, name: str) -> str:
    """Return the heat map card x holder: one table a suit, a number in every cell."""
    at, p = reports.places(tracker), reports.locations(tracker)
    n = len(tracker.events)
    head = f"<tr><th>card</th><th>{escape(name)[:8]}</th><th>talon</th><th></th></tr>"
    tables = (
        f"<table>{head}{''.join(_heat_row(c, at[c], p.get(c), name) for c in some)}</table>"
        for some in (_of_suit(at, suit) for suit in reports.left_by_suit(tracker))
    )
    body = f'<div class="heat" data-entries="{n}">{"".join(tables)}</div>'
    return f'<div class="panel">{body}</div>'


def _of_suit(at: dict[Card, Place], suit: Suit) -> list[Card]:
    return [card for card in cards((1 << 24) - 1) if card in at and card.suit == suit]


def _heat_row(card: Card, place: Place, p: float | None, name: str) -> str:
    where = "" if place == Place.HIDDEN else PLACES[place].format(name=escape(name)[:8])
    he, talon = (0.0, float(place == Place.UPCARD)) if p is None else (p, 1.0 - p)
    cells = _cell(card, "he", he) + _cell(card, "talon", talon)
    return f"<tr><td>{card_html(card)}</td>{cells}<td>{where}</td></tr>"


def _cell(card: Card, holder: str, p: float) -> str:
    return (
        f'<td data-card="{card}" data-holder="{holder}" data-p="{p:.9f}" style="--p:{p:.3f}">'
        f"{percent(p)}</td>"
    )


def _panel(title: str, body: str) -> str:
    return f'<div class="panel"><h4>{title}</h4>{body}</div>'
