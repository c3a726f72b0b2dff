"""Answers as aligned text for people: the figures of the reports, nothing computed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from inference.cards import Card, Rank, Suit
from inference.session import Session


def percent(p: float) -> str:
    """Write a probability without claiming certainty that rounding made.

    >>> percent(0.353), percent(0.001), percent(0.999), percent(1.0)
    ('35 %', '<1 %', '>99 %', '100 %')
    """
    if 0 < p < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= p < 1 else f"{100 * p:.0f} %"


def align(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Write rows as columns, the first `left` and the last of them flush left.

    >>> print(align([["card", "p", "why"], ["KH", "35 %", "a"]]))
    card     p  why
    KH    35 %  a
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < left or i == last > left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def belief_text(session: Session) -> str:
    """Write where the hidden cards are, and the opponent's likeliest hands."""
    report, he = session.report("belief"), str(session.tracker.view.opponent)
    hands = [[hand, f"{100 * p:.2f} %", ""] for hand, p in report["hands"][he]]
    facts = (
        f"{report['n_layouts']:,} possible hands, {report['entropy_bits']:.2f} bits uncertain, "
        f"log-probability of all that was seen {report['log_evidence']:.3f}"
    )
    grid = f"Chance that {he} holds a card:\n{_grid(session, report)}"
    likeliest = f"Likeliest hands of {he}:\n{align(hands)}"
    style = _styles(report["styles"])
    alarm = [report["alarm"]] if report["alarm"] else []
    told = (_heading(session), grid, facts, *style, *alarm, likeliest, *_why(report, he))
    return "\n\n".join(told)


def _why(report: dict[str, Any], he: str) -> list[str]:
    """Write what his choices did to the cards that they moved most."""
    rows = [
        [
            card if i == 0 else "",
            reason["did"],
            f"trick {reason['trick']}",
            f"x {reason['factor']:.2g}",
            "",
        ]
        for card, reasons in report["why"].items()
        for i, reason in enumerate(reasons)
    ]
    return (
        [f"What {he} did, and how it changed the odds of a card:\n{align(rows, left=2)}"]
        if rows
        else []
    )


def _styles(report: dict[str, dict[str, float]]) -> list[str]:
    """Write how likely each style is, the likeliest first."""
    found = []
    for he, styles in report.items():
        order = sorted(styles.items(), key=lambda item: -item[1])
        found.append(f"{he} plays like: " + ", ".join(f"{z} {percent(p)}" for z, p in order))
    return found


def _heading(session: Session) -> str:
    n, public = len(session.events), session.tracker.view.public
    due = "the deal is over" if public.over else f"awaited: {session.awaited()}"
    return f"{public.rules.name}, after {n} event{'s' * (n != 1)}; {due}"


def _grid(session: Session, report: dict[str, Any]) -> str:
    """Lay the pack out in suits; each card shows its chance, or where it is known to be."""
    pack = session.tracker.view.public.rules.pack
    ranks = [rank for rank in reversed(Rank) if pack >> rank & 1]
    rows = [["", *(rank.letter for rank in ranks)]]
    for suit in Suit:
        cells = [_cell(session, report, Card(6 * suit + rank)) for rank in ranks]
        rows.append([suit.word, *cells])
    return align([[*row, ""] for row in rows])


def _cell(session: Session, report: dict[str, Any], card: Card) -> str:
    view = session.tracker.view
    if str(card) in report["marginals"]:
        return percent(report["marginals"][str(card)][str(view.opponent)])
    if card == view.public.upcard:
        return "upcard"
    return "mine" if view.hand & card.mask else "gone"


def legal_text(session: Session) -> str:
    """Write whose entry is awaited, what it may be, and the score of the deal."""
    report = session.report("legal")
    lines = [_heading(session)]
    if report["over"]:
        lines.append(outcome_text(session))
    else:
        lines.append(f"{report['to_act']} may: {' '.join(report['actions'])}")
    lines += [f"{seat} may: {' '.join(more)}" for seat, more in report.get("others", {}).items()]
    return "\n".join(lines) + "\n\n" + score_text(report)


def outcome_text(session: Session) -> str:
    """Write how a finished deal ended."""
    outcome = session.tracker.view.public.outcome
    assert outcome is not None
    if outcome.winner is None:
        return f"The deal is over ({outcome.reason}): no game points."
    n = outcome.game_points
    return (
        f"The deal is over ({outcome.reason}): {outcome.winner} wins {n} game point{'s' * (n > 1)}."
    )


def score_text(report: dict[str, Any]) -> str:
    """Write points, pending points and tricks of both seats."""
    seats = list(report["points"])
    rows = [["", *seats]]
    rows += [
        [key, *(str(report[key][s]) for s in seats)] for key in ("points", "pending", "tricks")
    ]
    return align([[*row, ""] for row in rows])


def advice_text(session: Session, **options: Any) -> str:
    """Write my actions, best first, with value, chance to win, standard error and reason."""
    advice = session.advice(**options)
    match = [] if advice.best.p_match is None else ["match"]
    rows = [["action", *match, "value", "wins", "±", ""]]
    for o in advice.options:
        chance = [] if o.p_match is None else [percent(o.p_match)]
        figures = [f"{o.value:+.2f}", percent(o.p_win), f"{o.stderr:.2f}"]
        rows.append([str(o.action), *chance, *figures, ""])
    reasons = "\n".join(f"{option.action}: {option.reason}" for option in advice.options)
    n, best = advice.n_worlds, advice.best
    margin = "no other action" if len(advice.options) == 1 else f"margin {best.gap}"
    tied = ", as good as the next" if best.tied else ""
    layouts = f"{n} layout{'s' * (n != 1)}"
    head = f"Best: {best.action} ({margin}{tied}; {advice.method}, {layouts})"
    return f"{_heading(session)}\n{head}\n\n{align(rows)}\n\n{reasons}"


ANSWERS: dict[str, Callable[..., str]] = {
    "belief": belief_text,
    "legal": legal_text,
    "advise": advice_text,
}
