"""Values of options: each misfit is one short sentence, which argparse puts behind the option."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from urllib.parse import urlsplit

from inference.game.fields import read_object
from inference.game.rules import Rules, parse_rules
from inference.opponents import REGISTRY

MODEL = f"how he plays: {', '.join(REGISTRY)}, or a file"
Commands = argparse._SubParsersAction  # argparse gives its commands no public name


def whole(least: int) -> Callable[[str], int]:
    """Return the reader of a whole number that is not below `least`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) >= least):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
        return int(text)

    return read


def seconds(text: str) -> float:
    """Read a time budget.

    >>> seconds("0.5")
    0.5
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to an hour")
    return value


def address(text: str) -> str:
    """Read the address of a Dask scheduler.

    >>> address("tcp://127.0.0.1:8786")
    'tcp://127.0.0.1:8786'
    """
    misfit = argparse.ArgumentTypeError(f"{text!r} is no address like tcp://HOST:8786")
    try:
        parts = urlsplit(text)
        whole = parts.scheme == "tcp" and parts.hostname and parts.port
    except ValueError as error:
        raise misfit from error
    if not whole or parts.path:
        raise misfit
    return text


def rules(text: str) -> Rules:
    """Read a preset's name, or house rules as a JSON object; raise NotationError.

    >>> rules('{"base": "santase", "target": 7}').target
    7
    """
    return parse_rules(read_object(text) if text.startswith("{") else text)
