"""The plots of the study pages; each says in words what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd

from inference.advice import Worth
from inference.study.judge import Judged

HE, TALON, YOU, SLIP = "#c46a00", "#7a8aa0", "#1f6feb", "#c62828"
HEIGHT = 200


def win_line(
    line: Sequence[Worth], slips: Sequence[Judged], at: int
) -> alt.LayerChart | alt.FacetChart:
    """Draw the chance to win the deal over its events, mistakes as triangles, a rule at a step."""
    data = pd.DataFrame({"event": range(len(line)), "win": [100 * one.p_win for one in line]})
    x = alt.X("event:Q", title=None, axis=alt.Axis(tickMinStep=1, labelAngle=0))
    y = alt.Y("win:Q", title=None, scale=alt.Scale(domain=[0, 100]))
    area = alt.Chart(data).mark_area(color=YOU, opacity=0.15).encode(x=x, y=y)
    curve = alt.Chart(data).mark_line(color=YOU).encode(x=x, y=y)
    rule = alt.Chart(pd.DataFrame({"event": [at]})).mark_rule(color="gray").encode(x="event:Q")
    marked = [one for one in slips if one.number < len(line)]
    points = pd.DataFrame(
        {
            "event": [one.number for one in marked],
            "win": [100 * line[one.number].p_win for one in marked],
            "loss": [one.charged for one in marked],
        }
    )
    marks = (
        alt.Chart(points)
        .mark_point(shape="triangle-down", filled=True, color=SLIP, opacity=1)
        .encode(x="event:Q", y="win:Q", size=alt.Size("loss:Q", legend=None, scale=_SIZES))
    )
    return alt.layer(area, curve, rule, marks).properties(height=HEIGHT)


_SIZES = alt.Scale(domain=[0, 2], range=[60, 300])


def belief_line(
    then: Sequence[float | None], hindsight: Sequence[float | None], at: int
) -> alt.LayerChart | alt.FacetChart:
    """Draw how likely the opponent held one card, as believed then and with hindsight."""
    rows = [
        {"event": number, "p": 100 * p, "seen": seen}
        for seen, some in (("then", then), ("hindsight", hindsight))
        for number, p in enumerate(some)
        if p is not None
    ]
    data = pd.DataFrame(rows, columns=["event", "p", "seen"])
    colours = alt.Scale(domain=["then", "hindsight"], range=[HE, TALON])
    curve = (
        alt.Chart(data)
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("event:Q", title=None, axis=alt.Axis(tickMinStep=1, labelAngle=0)),
            y=alt.Y("p:Q", title=None, scale=alt.Scale(domain=[0, 100])),
            color=alt.Color("seen:N", scale=colours, legend=alt.Legend(orient="top", title=None)),
            strokeDash=alt.StrokeDash("seen:N", legend=None),
        )
    )
    rule = alt.Chart(pd.DataFrame({"event": [at]})).mark_rule(color="gray").encode(x="event:Q")
    return alt.layer(curve, rule).properties(height=HEIGHT + 40)


_LEGEND = alt.Legend(orient="top", title=None, columns=2)
"""Two in a row fit on a phone."""


def style_area(deals: Sequence[Mapping[str, float]]) -> alt.Chart:
    """Draw how likely each style was after each deal, on top of each other."""
    rows = [
        {"deal": number, "style": style, "p": 100 * p}
        for number, deal in enumerate(deals, start=1)
        for style, p in deal.items()
    ]
    colours = alt.Scale(domain=list(deals[0]), scheme="tableau20")
    chart: alt.Chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar()
        .encode(
            x=alt.X("deal:O", title=None, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y("p:Q", title=None, stack=True, scale=alt.Scale(domain=[0, 100])),
            color=alt.Color("style:N", scale=colours, legend=_LEGEND),
        )
        .properties(height=HEIGHT + 140)
    )
    return chart
