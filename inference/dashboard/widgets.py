"""Buttons whose taps survive a restart of the server, and small widgets that feed the draft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from inference.dashboard import draft
from inference.dashboard.desk import Callback, Desk


def press(
    desk: Desk,
    label: str,
    key: str,
    tap: Callback,
    *about: Any,
    ready: bool = True,
    loud: bool = False,
    shortcut: str | None = None,
) -> None:
    """Draw a button; a shortcut is a key of the keyboard that presses it.

    After a restart the first tap may reach a server that has not drawn the button yet, so that no
    callback is known for it: then it is done here.
    """
    pressed = st.button(
        label,
        key=key,
        on_click=_heard,
        args=(desk, tap, *about),
        disabled=not ready,
        type="primary" if loud else "secondary",
        width="stretch",
        shortcut=shortcut,
    )
    if pressed and not desk.heard:
        tap(*about)
        st.rerun()


def _heard(desk: Desk, tap: Callback, *about: Any) -> None:
    desk.heard = True
    tap(*about)


def keep(desk: Desk, key: str) -> None:
    """Take what a widget says into the draft."""
    said = st.session_state[f"set-{key}"]
    draft.put(desk, key, "" if said is None else str(said))


def choose(desk: Desk, key: str, options: Mapping[str, str], default: str, label: str = "") -> None:
    """Draw a choice of which one is always taken."""
    st.segmented_control(
        label or key,
        list(options),
        format_func=lambda option: options.get(option, option),
        default=desk.draft.get(key, default),
        key=f"set-{key}",
        required=True,
        on_change=keep,
        args=(desk, key),
        label_visibility="visible" if label else "collapsed",
        width="stretch",
    )


def number(desk: Desk, key: str, label: str, most: int) -> None:
    """Draw a small number."""
    value = desk.draft.get(key, "0")
    st.number_input(
        label,
        min_value=0,
        max_value=most,
        value=min(int(value), most) if value.isdecimal() else 0,
        step=1,
        key=f"set-{key}",
        on_change=keep,
        args=(desk, key),
    )


def text(desk: Desk, key: str, label: str, example: str) -> None:
    """Draw a line of text."""
    st.text_input(
        label,
        desk.draft.get(key, ""),
        placeholder=example,
        key=f"set-{key}",
        on_change=keep,
        args=(desk, key),
    )
