"""Sixtysix: an exact hand-inference assistant for Sixty-Six, played with real cards.

>>> from inference import Session
>>> s = Session.new(hands={"S": "AS KH QH 9C JD TD"}, upcard="JH", leader="N")
>>> s.observe("N:TC S:9C S:+AD")
>>> s.awaited()
"N's lead"
"""

from inference.advice import Advice, Option
from inference.errors import (
    ContradictionError,
    IllegalActionError,
    InferenceError,
    ModelError,
    NotationError,
)
from inference.game.events import Action, Event
from inference.game.record import Record, format_record, parse_record
from inference.game.rules import PRESETS, Rules
from inference.session import Session

__all__ = [
    "PRESETS",
    "Action",
    "Advice",
    "ContradictionError",
    "Event",
    "IllegalActionError",
    "InferenceError",
    "ModelError",
    "NotationError",
    "Option",
    "Record",
    "Rules",
    "Session",
    "format_record",
    "parse_record",
]
