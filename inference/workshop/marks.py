"""The marks that the reading of players is held to, and whether a report meets them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from inference.workshop import findings as f
from inference.workshop.findings import PURPOSEFUL
from inference.workshop.pool_reading import Read
from inference.workshop.reading import CARRIED, FRESH
from inference.workshop.statistics import pooled
from inference.workshop.value import Value


class Measured(Protocol):
    """Name what marks are taken from."""

    @property
    def reads(self) -> Sequence[Read]:
        """The readings."""

    @property
    def values(self) -> Sequence[Value]:
        """What inference brings in play."""


class Mark(NamedTuple):
    """Hold one mark, what was measured, whether it is met, and on how much that rests.

    With fewer than `needed` deals, readings or pairs, `n`, it is only a sign.
    """

    what: str
    measured: str
    met: bool
    n: int
    needed: int

    def __str__(self) -> str:
        """Say how it stands.

        >>> str(Mark("bits > 0", "+0.1", True, 40, 1000))
        'met (40 of 1,000)'
        """
        told = "met" if self.met else "**not met**"
        return told if self.n >= self.needed else f"{told} ({self.n:,} of {self.needed:,})"


SHARES = {"soft, fitted": 0.8, "soft, held out": 0.6, "sure": 0.4}
"""The least share of the true policy's bits, by the kind of player."""
LEAST, ABOVE_PERFECT, SLOPES, LESS_BRIER, IN_PLAY = -0.05, 0.010, (0.9, 1.1), 0.10, 0.05
DEALS, ASKED, READINGS, PAIRS = 1_000, 100, 20_000, 10_000
"""What marks need: deals of each family, deals read with the true policy, readings, pairs."""


def marks(report: Measured) -> Iterator[Mark]:
    """Yield every mark that the report has figures for."""
    if report.reads:
        yield from _bits(report.reads)
        yield from _shares([read for read in report.reads if read.family in PURPOSEFUL])
        yield from _calibration(report.reads)
    if report.values:
        yield from _values(report.values)


def _bits(reads: Sequence[Read]) -> Iterator[Mark]:
    found = {name: one for name, one in f.by_family(reads).items() if one is not None}
    n = min((one.n_deals for one in found.values()), default=0)
    gains = {name: one.gain for name, one in found.items()}
    able = {name: gain for name, gain in gains.items() if name in PURPOSEFUL}
    if able:
        least = min(able, key=lambda name: able[name])
        told, met = f"least {able[least]:+.3f} ({least})", able[least] > 0
        yield Mark("bits > 0 against every family but random", told, met, n, DEALS)
    if "random" in gains:
        told, met = f"{gains['random']:+.3f}", gains["random"] >= LEAST
        yield Mark("bits >= -0.05 against random players", told, met, n, DEALS)


def _shares(reads: Sequence[Read]) -> Iterator[Mark]:
    for kind, wanted in SHARES.items():
        found = f.share([read for read in reads if f.kind(read) == kind])
        if found is not None:
            what = f"carried >= {wanted:.0%} of the true policy's bits, {kind} players"
            told, met = f"{found.carried:.0%}", found.carried >= wanted
            yield Mark(what, told, met, found.n_deals, ASKED)


def _calibration(reads: Sequence[Read]) -> Iterator[Mark]:
    on = (len(reads), READINGS)
    for name, column in (("fresh", FRESH), ("carried", CARRIED)):
        kept = f.kept(reads, column)
        told = f"{kept.ece:.4f}, perfect {kept.perfect:.4f}"
        met = kept.ece - kept.perfect <= ABOVE_PERFECT
        yield Mark(f"error <= 0.010 above a perfect forecaster's, {name}", told, met, *on)
    slopes = [both for _, n, *both in f.slopes(reads) if n >= f.FEW]
    for name, some in zip(("fresh", "carried"), zip(*slopes, strict=True), strict=False):
        low, high = min(some), max(some)
        met = SLOPES[0] <= low and high <= SLOPES[1]
        what = f"slope 0.9 to 1.1 at every trick with {f.FEW:,} cards, {name}"
        yield Mark(what, f"{low:.2f} to {high:.2f}", met, *on)
    able = [read for read in reads if read.family in PURPOSEFUL]
    n, (counting, *read) = f.briers(able, (8, 6, 4))
    for name, one in zip(("fresh", "carried"), read, strict=True) if n else ():
        less = 1 - float(one / counting)
        what = f"Brier >= 10 % below counting's at talon 8 to 4, all but random, {name}"
        yield Mark(what, f"{less:.1%}", less >= LESS_BRIER, *on)


def _values(values: Sequence[Value]) -> Iterator[Mark]:
    able = [one for one in values if one.family in PURPOSEFUL]
    on = (sum(one.n_pairs for one in able), PAIRS)
    mean, stderr = pooled([(one.value, one.stderr) for one in able])
    what = "inference brings >= +0.05 game points a deal, all but random"
    yield Mark(what, f"{mean:+.3f} (standard error {stderr:.3f})", mean >= IN_PLAY, *on)
    worse = [one.family for one in values if one.value < 0 and one.p_value < 0.05]
    told = ", ".join(worse) or "nowhere"
    yield Mark("nowhere significantly below 0 (Holm)", told, not worse, *on)
