"""Opponents and me: results, habits, style over the deals, and what mistakes cost."""

from __future__ import annotations

from html import escape

import streamlit as st

from inference import archive, opponents
from inference.archive import Search
from inference.dashboard import board, charts, door, studies
from inference.dashboard.desk import Desk
from inference.dashboard.widgets import press
from inference.dashboard.words import lines, percent, pretty
from inference.opponents import regime
from inference.study import habits, report
from inference.study.report import Report

ME = "Myself"
N_DAYS = 10
"""The latest sessions: the deals of one day."""


def page() -> None:
    """Draw an opponent, or my own record."""
    with door.past() as desk, st.container(key="players"):
        _draw(desk)


def _draw(desk: Desk) -> None:
    met = [one.name for one in archive.opponents(desk.store) if one.name]
    own = archive.count(desk.store, Search(own=True))
    if not met and not own:
        st.info("Nobody yet: play a deal with the opponent's name, or load the sample under Deals.")
        return
    who = st.selectbox("Player", [*met, ME], key="player")
    wanted = Search(own=True) if who == ME else Search(opponent=who)
    found = studies.read(desk, wanted)
    studies.offer(desk, found)
    if not found.reports:
        st.caption("Nothing is studied yet.")
        return
    if who == ME:
        _me(desk, found.reports)
    else:
        others = studies.read(desk, Search(own=True)).reports
        _opponent(str(who), found.reports, [one for one in others if one["opponent"] != who])


# -- an opponent -----------------------------------------------------------------------------------


def _opponent(name: str, his: list[Report], others: list[Report]) -> None:
    told = report.opponent(his, others)
    n, lost = told["n_over"], told["his_loss_per_deal"]
    st.markdown(f"**{told['n_deals']} deals, {n} finished; you stand {told['game_points']:+d}.**")
    if lost is not None:
        error = told["his_loss_per_deal_stderr"]
        margin = "" if error is None else f" ± {2 * error:.2f}"
        st.markdown(f"Mistakes cost {escape(name)} {lost:.2f}{margin} game points a deal.")
    st.html(_habits(told["habits"]))
    _styles(name, his)
    st.html(_foreseen(name, told["reading"]))


def _habits(told: list[Report]) -> str:
    """Write each rate with its interval and count, and that of others, marked if simulated."""
    rows = []
    for one in told:
        rate, n = one["rate"], one["n"]
        said = f"fewer than 20 ({n:.0f})"
        if rate is not None:
            low, high = percent(one["low"]), percent(one["high"])
            said = f"<b>{percent(rate)} %</b> ({low} to {high}, n {n:.0f})"
        star = "*" if one["compared"] == habits.SIMULATED else ""
        rest = "" if one["others"] is None else f"{percent(one['others'])} %{star}"
        rows.append(f"<td>{one['name']}</td><td>{said}</td><td>{rest}</td>")
    head = "<tr><th>habit</th><th>rate, 95 %</th><th>all others</th></tr>"
    table = f"<table>{head}{lines(rows, 'tr')}</table>"
    note = f"<p>* {habits.NOTE}</p>" if any("*" in row for row in rows) else ""
    return f'<div class="panel"><h4>Habits</h4>{table}{note}</div>'


def _styles(name: str, his: list[Report]) -> None:
    """Draw how likely each style was after each deal, by the chain over the deals."""
    model = opponents.load()
    least = -1e9
    seen = [[least if x is None else x for x in one["log_evidence"]] for one in his]
    chain = regime.load(model)
    if not all(len(row) == len(chain.styles) for row in seen):
        return
    table = chain.filter(seen)
    st.html(f'<div class="panel"><h4>What {escape(name)} plays like, deal by deal</h4></div>')
    deals = [opponents.by_manner(chain.styles, row) for row in table]
    style, p = max(deals[-1].items(), key=lambda one: one[1])
    said = f"After the last deal: {style}, {percent(p)} %"
    st.altair_chart(charts.style_area(deals), alt=said, key="styles")
    st.caption(said)


def _foreseen(name: str, read: Report) -> str:
    n = read["n_decisions"]
    if read["gain_bits"] is None:
        body = f"<p>Too little is known of the hands that {escape(name)} held ({n} decisions).</p>"
    else:
        error = read["gain_stderr"]
        margin = "" if error is None else f" ± {2 * error:.2f}"
        kept = read["calibration"]
        body = (
            f"<p>{read['gain_bits']:+.2f}{margin} bits a decision beyond counting cards "
            f"(n {n}).</p><p>Chances of single cards were off by {kept['ece']:.3f}.</p>"
        )
    return f'<div class="panel"><h4>How well the hand was foreseen</h4>{body}</div>'


# -- myself ----------------------------------------------------------------------------------------


def _me(desk: Desk, found: list[Report]) -> None:
    told = report.summary(found)
    error = told["loss_per_deal_stderr"]
    margin = "" if error is None else f" ± {2 * error:.2f}"
    st.markdown(
        f"**{told['n_deals']} deals, {told['game_points']:+d} game points; mistakes cost "
        f"{told['loss_per_deal']:.2f}{margin} a deal; {_share(told)} of the decisions were the "
        "best or as good.**"
    )
    days = dict(list(told["days"].items())[-N_DAYS:])
    st.html(_periods("session", days) + _periods("month", told["months"]))
    if told["ledger"]:
        st.html(board.totals(told["ledger"]))
    st.markdown("**Dearest mistakes**")
    for place, one in enumerate(told["worst"]):
        label = f"−{one['charged']:.2f} · {pretty(one['text'])}"
        press(desk, label, f"worst-{place}", door.leave, "review.py", one["where"], one["number"])


def _share(told: Report) -> str:
    """Say how many decisions were right: as a rate only where there are enough of them."""
    share, n = told["share_best"], told["n_decisions"]
    return f"{told['n_best']} of {n}" if share is None else f"{percent(share)} %"


def _periods(what: str, some: dict[str, Report]) -> str:
    rows = (
        f"<td>{when}</td><td>{one['n_deals']}</td><td>{one['game_points']:+d}</td>"
        f"<td>{one['loss_per_deal']:.2f}</td><td>{_share(one)}</td>"
        for when, one in some.items()
    )
    head = f"<tr><th>{what}</th><th>deals</th><th>points</th><th>lost a deal</th><th>best</th></tr>"
    return f'<div class="panel"><table>{head}{lines(rows, "tr")}</table></div>'


if __name__ == "__main__":
    page()
