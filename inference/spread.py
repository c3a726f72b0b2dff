"""Do many independent pieces of work on several cores, in order and with a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from joblib import Parallel, delayed
from tqdm import tqdm

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def spread(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], jobs: int, what: str
) -> Iterator[Result]:
    """Yield the result of each piece in the order of the pieces; `jobs` = -1 takes all cores.

    The bar is drawn on standard error, and only if that is a terminal.
    """
    parallel = Parallel(n_jobs=jobs, return_as="generator", batch_size="auto")
    results = parallel(delayed(work)(piece) for piece in pieces)
    yield from tqdm(results, total=len(pieces), desc=what, unit=what, disable=None, leave=False)
