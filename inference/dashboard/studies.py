"""The studies of the deals in the store: what is done is read, the rest done on request."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from inference import archive, paths
from inference.archive import Search
from inference.dashboard.desk import Desk
from inference.dashboard.widgets import press
from inference.game.record import parse_record
from inference.store import Summary
from inference.study import QUICK
from inference.study.batch import Case, study
from inference.study.keep import Kept, engine, key
from inference.study.report import Report

MOST = 500
"""Deals looked at, the latest."""


class Studies(NamedTuple):
    """Hold the reports of deals, in the order in which they were played, and what is to be done."""

    reports: list[Report]
    todo: list[Case]


def read(desk: Desk, wanted: Search) -> Studies:
    """Return the studies that are done of the finished deals of a search."""
    kept = Kept(paths.studies_file(engine()))
    found = reversed(archive.search(desk.store, wanted, MOST))
    cases = [_case(desk, row) for row in found if row.points is not None]
    done = [case for case in cases if kept.get(key(case.record, None, QUICK, 0)) is not None]
    waiting = [case for case in cases if kept.get(key(case.record, None, QUICK, 0)) is None]
    return Studies(study(done, kept, effort=QUICK).reports, waiting)


def _case(desk: Desk, row: Summary) -> Case:
    return Case(row.id, parse_record(archive.export_line(desk.store, row.id)), row.played)


def offer(desk: Desk, found: Studies) -> None:
    """Offer to study what is not studied yet; what is done stays done if it is interrupted."""
    n = len(found.todo)
    if not n:
        return
    asked = st.session_state.pop("study-all", False)
    label = f"Study {n} deal{'' if n == 1 else 's'}: some seconds each, what is done is kept"
    press(desk, label, "study", _ask, ready=not asked)
    if asked:
        kept, bar = Kept(paths.studies_file(engine())), st.progress(0.0)
        for number, case in enumerate(found.todo, start=1):
            study([case], kept, effort=QUICK)
            bar.progress(number / n, f"{number} of {n} studied")
        st.rerun()


def _ask() -> None:
    st.session_state["study-all"] = True
