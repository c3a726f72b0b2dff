"""The append-only log of what was entered, in SQLite: a session is a pure function of it.

Undo and correction are entries too, so reload, crash, a second tab and replay are one mechanism.
"""

from inference.store.log import (
    Deal,
    Entry,
    Store,
    correct,
    event,
    match_before,
    next_deal,
    result,
    revert,
    undo,
)
from inference.store.summary import Summary

__all__ = [
    "Deal",
    "Entry",
    "Store",
    "Summary",
    "correct",
    "event",
    "match_before",
    "next_deal",
    "result",
    "revert",
    "undo",
]
