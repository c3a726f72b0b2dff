"""The list of past deals: search, open, bring in, take out."""

from __future__ import annotations

import streamlit as st

from inference import archive
from inference.archive import Search
from inference.dashboard import door, words
from inference.dashboard.desk import Desk
from inference.dashboard.widgets import press
from inference.dashboard.words import pretty, short
from inference.game.rules import PRESETS
from inference.store import Summary

PAGE = 20
ANYBODY = "anybody"
RESULTS = {"won": "won", "lost": "lost", "drawn": "nobody", "open": "not finished"}
CLOSERS = {"any": "closed", "me": "I closed", "he": "he closed", "nobody": "not closed"}


def page() -> None:
    """Draw the search, the deals it finds, and the ways in and out."""
    with door.past() as desk, st.container(key="deals"):
        wanted = _search(desk)
        _list(desk, wanted)
        _exchange(desk, wanted)


def _search(desk: Desk) -> Search:
    """Draw the fields of a search and return what they say."""
    with st.expander("Search"):
        text = st.text_input("Name, note or tag", key="find-text")
        with st.container(horizontal=True):
            names = [one.name for one in archive.opponents(desk.store) if one.name]
            who = st.selectbox("Opponent", [ANYBODY, *names], key="find-who")
            rules = st.selectbox("Rules", [ANYBODY, *PRESETS], format_func=_rules, key="find-rules")
        with st.container(horizontal=True):
            since = st.date_input("From", None, key="find-since")
            until = st.date_input("To", None, key="find-until")
        result = st.pills(
            "Result", list(RESULTS), format_func=RESULTS.__getitem__, key="find-result"
        )
        closed = st.pills(
            "Talon", list(CLOSERS), format_func=CLOSERS.__getitem__, key="find-closed"
        )
        badly = st.toggle("Lost 2 or more", key="find-badly")
        star = st.toggle("★ only", key="find-star")
        deleted = st.toggle("Deleted ones", key="find-deleted")
    return Search(
        opponent=None if who == ANYBODY else who,
        since=str(since) if since else None,
        until=str(until) if until else None,
        rules=None if rules == ANYBODY else rules,
        result=result,
        lost=2 if badly else None,
        closed=closed,
        text=text or None,
        star=star,
        deleted=deleted,
    )


def _rules(name: str) -> str:
    return "any" if name == ANYBODY else name


def _list(desk: Desk, wanted: Search) -> None:
    n = archive.count(desk.store, wanted)
    last = max(0, (n - 1) // PAGE)
    at = min(int(st.session_state.get("deals-page", 0)), last)
    found = archive.search(desk.store, wanted, PAGE, PAGE * at)
    where = f", page {at + 1} of {last + 1}" if last else ""
    st.caption(f"{n:,} deal{'' if n == 1 else 's'}{where}")
    with st.container(key="list", gap="xsmall"):
        for row in found:
            press(desk, label(row), f"deal-{row.id}", door.leave, "review.py", row.id)
    if last:
        with st.container(horizontal=True):
            press(desk, "◀ newer", "deals-newer", _turn, at - 1, ready=at > 0)
            press(desk, "older ▶", "deals-older", _turn, at + 1, ready=at < last)
    if not archive.count(desk.store):
        st.info("No deals yet. Play one on the page Live, or look at the sample.")
    if wanted == Search() and not archive.count(desk.store, Search(own=False)):
        press(desk, "Load the sample session (simulated players)", "sample", _sample, desk)


def _turn(to: int) -> None:
    st.session_state["deals-page"] = to


def label(row: Summary) -> str:
    """Say in one line what a deal was, its result from my side."""
    result = "not finished" if row.points is None else f"{row.points:+d}".replace("-", "−")
    closed = {"me": "I closed", "he": "he closed"}.get(row.closer or "", "")
    facts = [row.played, words.label(row.opponent or "N", 24), result, closed, row.rules]
    star = "★ " if row.star else ""
    tags = " ".join(f"#{short(tag, 12)}" for tag in row.tags)
    return star + " · ".join(fact for fact in (*facts, tags) if fact)


def _sample(desk: Desk) -> None:
    archive.load_sample(desk.store)


# -- in and out ------------------------------------------------------------------------------------


def _exchange(desk: Desk, wanted: Search) -> None:
    with st.expander("Import and export"):
        told = "Records, one a line (JSON lines or the short form)"
        st.file_uploader(told, key="import", on_change=_import, args=(desk,))
        st.text_area("Or paste them here, one a line", key="pasted-deals", height=80)
        press(desk, "Bring them in", "paste-deals", _pasted, desk)
        if desk.imported is not None:
            _told(desk.imported)
        st.download_button(
            "All deals of this search, as JSON lines",
            lambda: _lines(desk, wanted),
            "sixtysix.jsonl",
            "application/x-ndjson",
            on_click="ignore",
        )


def _import(desk: Desk) -> None:
    """Read a file once, when it comes; the list then shows its deals."""
    file = st.session_state["import"]
    desk.imported = None
    if file is not None:
        text = file.getvalue().decode("utf-8", errors="replace")
        desk.imported = archive.import_text(desk.store, text)


def _pasted(desk: Desk) -> None:
    desk.imported = archive.import_text(desk.store, st.session_state["pasted-deals"])


def _lines(desk: Desk, wanted: Search) -> str:
    found = archive.search(desk.store, wanted, n=-1)
    return "".join(f"{line}\n" for line in archive.export_lines(desk.store, found))


def _told(done: archive.Imported) -> None:
    st.success(f"{len(done.added)} new, {len(done.known)} known already, {len(done.bad)} bad.")
    for number, sentence in done.bad[:20]:
        st.error(f"Line {number}: {pretty(sentence)}")


if __name__ == "__main__":
    page()
