"""The suggested move: painted slice by slice, never for another position than the one shown."""

from __future__ import annotations

import logging
from typing import NamedTuple

from streamlit.delta_generator import DeltaGenerator

from inference import reports
from inference.advice import Advice, Option, improve
from inference.dashboard.desk import Desk
from inference.dashboard.pad import key
from inference.dashboard.panels import threat_line
from inference.dashboard.words import coloured, deed, lines, percent
from inference.errors import InferenceError
from inference.game.events import Kind
from inference.store import Deal

BUDGET = 1.0
FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    InferenceError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a defect of the advisor may raise: the page goes on without advice."""
_LOG = logging.getLogger(__name__)


class Boxes(NamedTuple):
    """Hold where advice is shown, in short and in full."""

    brief: DeltaGenerator
    full: DeltaGenerator


def paint(desk: Desk, deal: Deal, name: str, boxes: Boxes) -> None:
    """Fill the boxes; every slice of thinking is a moment at which a tap can interrupt."""
    tracker = deal.session.tracker
    if reports.to_act(tracker) != tracker.view.seat or tracker.view.draw_due:
        if not tracker.view.public.over:
            boxes.brief.html(_box(deal, f"<p>{threat_line(tracker, name)}</p>"))
        return
    stamp = (deal.id, deal.revision)
    if desk.thought is not None and desk.thought[0] == stamp:
        _show(deal, desk.thought[1], boxes, "")
        return
    boxes.brief.html(_box(deal, "<p class='quiet'>thinking …</p>"))
    try:
        match = deal.session.record.match
        for advice in improve(tracker.view, tracker.belief, budget=BUDGET, match=match):
            _show(deal, advice, boxes, " · thinking …")
    except FAULTS:
        _LOG.exception("no advice for deal %s at entry %d", deal.id, deal.revision)
        boxes.brief.html(_box(deal, "<p>No advice: the advisor failed. All else stands.</p>"))
        return
    _show(deal, advice, boxes, "")
    desk.thought = (stamp, advice)


def _show(deal: Deal, advice: Advice, boxes: Boxes, suffix: str) -> None:
    method = f"<p class='quiet'>{_method(advice)}{suffix}</p>"
    boxes.brief.html(_box(deal, _summary(advice) + method + _star(advice)))
    boxes.full.html(_table(advice))


def _star(advice: Advice) -> str:
    """Mark the suggested card and button for as long as the advice is shown."""
    action = advice.best.action
    button = "announce" if action.kind == Kind.ANNOUNCE else action.kind.name
    card = f".st-key-{key(action.card)} button::before," if action.card is not None else ""
    return f"<style>{card}.st-key-do-{button} button p::before{{content:'★'}}</style>"


def _box(deal: Deal, body: str) -> str:
    return f'<div class="advice" data-revision="{deal.revision}">{body}</div>'


def _summary(advice: Advice) -> str:
    """Write the best action with its figures, its rivals and its reason."""
    best, *rest = advice.options
    said = deed(best.action)
    head = (
        f"<p class='best'>{said[:1].upper()}{said[1:]} · win {percent(best.p_win)} %"
        f" · {best.value:+.2f} game points{_error(best)}{_match(best)}</p>"
    )
    rivals = ", ".join(_rival(option) for option in rest[:2])
    following = f"<p>next: {rivals}</p>" if rivals else ""
    return f"{head}{following}<p><i>{coloured(best.reason)}</i></p>"


def _error(option: Option) -> str:
    return f" (±{2 * option.stderr:.2f})" if option.stderr else ""


def _gap(option: Option) -> str:
    """Write the margin, with its unit only if it is not game points."""
    return option.gap.removesuffix(" game points")


def _match(option: Option) -> str:
    """Write the chance to win the match, where it decides."""
    return "" if option.p_match is None else f" · match {percent(option.p_match)} %"


def _rival(option: Option) -> str:
    """Write a rival with what it costs; within the noise it is as good."""
    gap = "as good" if option.tied else f"−{_gap(option)}"
    return f"{deed(option.action)} {percent(option.p_win)} % ({gap})"


def _method(advice: Advice) -> str:
    worlds = f"{advice.n_worlds:,} layout{'' if advice.n_worlds == 1 else 's'}"
    return f"{advice.method}, {worlds}"


def _table(advice: Advice) -> str:
    rows = (
        f"<td>{deed(o.action)}</td><td>{percent(o.p_win)} %</td><td>{o.value:+.2f}</td>"
        f"<td>{2 * o.stderr:.2f}</td><td>{'as good' if o.tied else _gap(o)}</td>"
        for o in advice.options
    )
    head = "<tr><th>move</th><th>win</th><th>points</th><th>±</th><th>margin</th></tr>"
    table = f"<table class='options'>{head}{lines(rows, 'tr')}</table>"
    return f"<div class='panel'><h4>All moves</h4>{table}</div>"
