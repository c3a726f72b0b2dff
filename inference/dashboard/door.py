"""Where the page is and who may come in: on a local network it demands the token of its address."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from inference.dashboard.desk import Desk
from inference.dashboard.words import pretty
from inference.errors import InferenceError
from inference.paths import store_file
from inference.store import Store

TOKEN = "SIXTYSIX_TOKEN"


def check() -> None:
    """Stop the page unless the address carries the token that the environment demands, if any."""
    wanted = os.environ.get(TOKEN, "")
    given = st.query_params.get("t", "")
    if wanted and not hmac.compare_digest(given.encode(), wanted.encode()):
        st.error("This address lacks the token: open the one that the terminal printed.")
        st.stop()
    turn()


def go(**params: str) -> None:
    """Turn to another address of the page; the token stays in it."""
    token = st.query_params.get("t")
    kept = {"t": token} if token else {}
    st.query_params.from_dict({**kept, **params})


def anew() -> None:
    """Turn to the set-up of a new deal, and forget what the page remembers."""
    st.session_state.pop("desk", None)
    go()


def leave(page: str, deal: str = "", at: int = 0) -> None:
    """Ask for another page, about a deal after some events; the next run turns to it."""
    st.session_state["leaving"] = (page, {"g": deal, "at": str(at)} if deal else {})


def turn() -> None:
    """Turn to the page that was asked for, if any; the token stays in the address."""
    if "leaving" in st.session_state:
        page, params = st.session_state.pop("leaving")
        token = st.query_params.get("t")
        kept = {"t": token} if token else {}
        st.switch_page(Path(__file__).with_name(page), query_params={**kept, **params})


@contextmanager
def past() -> Iterator[Desk]:
    """Open a page about past deals, with its style sheets; say in a sentence what went wrong."""
    for sheet in ("live.css", "study.css"):
        st.html(Path(__file__).with_name(sheet))
    check()
    try:
        yield desk()
    except (InferenceError, OSError) as error:
        st.error(pretty(str(error)))


@st.cache_resource
def _store(path: Path) -> Store:
    return Store(path)


def desk() -> Desk:
    """Return what this page remembers; raise InferenceError or OSError if the store is broken."""
    if "desk" not in st.session_state:
        st.session_state["desk"] = Desk(_store(store_file()))
    found: Desk = st.session_state["desk"]
    return found
