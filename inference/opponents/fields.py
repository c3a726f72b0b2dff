"""Check the values in files of parameters."""

from __future__ import annotations

from inference.errors import ModelError

LARGEST = 10_000
"""Parameters beyond it would make every choice certain."""


def number(value: object, what: str) -> float:
    """Return a number of at most LARGEST; raise ModelError that names `what` it should be.

    >>> number(2, "epsilon")
    2.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise ModelError(f"The {what} must be a number of at most {LARGEST:,}.")
    return float(value)
