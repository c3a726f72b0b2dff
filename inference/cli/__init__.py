"""The command line: a thin shell over `Session`; what it prints with --json is `Session.report`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from inference.cli import archive, asking, launch, play, study, work
from inference.errors import InferenceError, NotationError
from inference.paths import version

BAD_INPUT, STOPPED = 2, 130


class Parser(argparse.ArgumentParser):
    """Parse arguments; bad usage is one sentence like any other bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise NotationError."""
        raise NotationError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status: 0, 2 for bad input, 130 when interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack the signs of a file's name
            stream.reconfigure(errors="backslashreplace")
    try:
        given = _parser().parse_args(arguments)
        status: int = given.run(given)
        sys.stdout.flush()
    except InferenceError as error:
        return _complain(str(error))
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        return _complain(f"{error.filename or 'the output'}: {error.strerror or error}.")
    except KeyboardInterrupt as stop:
        print(f"\nsixtysix: {str(stop) or 'stopped.'}", file=sys.stderr)
        return STOPPED
    return status


def _complain(sentence: str) -> int:
    print("sixtysix:", " ".join(sentence.split()), file=sys.stderr)
    return BAD_INPUT


def _drop_output() -> None:
    """Let the last flush of a closed output go nowhere instead of failing once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> Parser:
    parser = Parser(
        prog="sixtysix",
        description="Exact hand inference for Sixty-Six, played with real cards.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"sixtysix {version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for group in (asking, play, study, archive, launch, work):
        group.add_to(commands)
    return parser
