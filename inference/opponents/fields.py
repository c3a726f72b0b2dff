"""Check the values in files of parameters."""

from __future__ import annotations

import math

from inference.errors import ModelError


def number(value: object, what: str) -> float:
    """Return a finite number; raise ModelError that names `what` it should be.

    >>> number(2, "epsilon")
    2.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ModelError(f"The {what} must be a number, not {value!r}.")
    return float(value)
