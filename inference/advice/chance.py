"""Chance in compiled code: a stream of random numbers whose state is the last place of an array."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit, types

import inference.solve.encode as e

Stream = npt.NDArray[np.int64]

_I8, _F8, _STREAM, _ROW = types.int64, types.float64, types.int64[::1], types.float64[::1]


def stream(seed: int) -> Stream:
    """Return the stream of a seed."""
    return np.array([2 * seed + 1], dtype=np.int64)


@njit(_F8(_STREAM), cache=True, nogil=True)
def uniform(chance: Stream) -> float:
    """Return the next random number in [0, 1) (G. Marsaglia's xorshift, 2003; never at 0)."""
    x = chance[-1]
    x ^= x << 13
    x ^= x >> 7 & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    chance[-1] = x
    return float((x >> 11 & 0x1FFFFFFFFFFFFF) / 9007199254740992.0)


@njit(_I8(_STREAM, _I8), cache=True, nogil=True)
def below(chance: Stream, n: int) -> int:
    """Draw a whole number from 0 to n - 1."""
    return int(uniform(chance) * n)


@njit(_I8(_STREAM, _I8, _ROW), cache=True, nogil=True)
def choose(chance: Stream, bits: int, p: npt.NDArray[np.float64]) -> int:
    """Draw a legal column by its probability."""
    left, last = uniform(chance), 0
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            left -= p[column]
            last = column
            if left < 0:
                break
    return last
