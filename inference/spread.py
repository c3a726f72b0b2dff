"""Do many independent pieces of work on several cores or a Dask cluster, in order, with a bar."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import Any, TypeVar
from urllib.parse import urlsplit

from joblib import Parallel, delayed, parallel_config
from tqdm import tqdm

from inference.errors import InferenceError

Piece = TypeVar("Piece")
Result = TypeVar("Result")

PATIENCE = 5.0
"""Seconds to wait for the scheduler, and twice that for its first worker."""


def spread(
    work: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    jobs: int,
    what: str,
    cluster: str | None = None,
) -> Iterator[Result]:
    """Yield the result of each piece in the order of the pieces; `jobs` = -1 takes all cores.

    With the address of a Dask scheduler all workers of that cluster do it instead; InferenceError
    tells what is missing. The bar is drawn on standard error, and only if that is a terminal.
    """
    with _place(cluster):
        parallel = Parallel(n_jobs=jobs, return_as="generator", batch_size="auto")
        results = _started(parallel, (delayed(work)(piece) for piece in pieces), cluster)
        yield from tqdm(results, total=len(pieces), desc=what, unit=what, disable=None, leave=False)


def _place(cluster: str | None) -> AbstractContextManager[Any]:
    """Point joblib to the cluster, after a look whether it is there."""
    if cluster is None:
        return nullcontext()
    if find_spec("distributed") is None:
        raise InferenceError(
            "--cluster needs Dask, which is not installed: pip install 'sixtysix[cluster]'."
        )
    address = urlsplit(cluster)
    try:
        socket.create_connection((address.hostname or "", address.port or 0), PATIENCE).close()
        context: AbstractContextManager[Any] = parallel_config(
            "dask", scheduler_host=cluster, wait_for_workers_timeout=2 * PATIENCE
        )
    except OSError as error:
        raise InferenceError(
            f"no Dask scheduler answers at {cluster} ({error}): start one with `dask scheduler`."
        ) from error
    return context


def _started(parallel: Parallel, calls: Iterator[Any], cluster: str | None) -> Iterator[Any]:
    """Hand the work out."""
    try:
        results: Iterator[Any] = parallel(calls)
    except TimeoutError as error:
        raise InferenceError(
            f"the Dask scheduler at {cluster} has no workers: "
            f"start some with `dask worker {cluster} --nthreads 1`."
        ) from error
    return results
