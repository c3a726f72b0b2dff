"""A past deal on the page: followed once, then judged choice by choice while it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from inference.advice import Worth
from inference.archive import Shown, as_shown, export_record
from inference.cards import Card, Seat
from inference.dashboard.words import short
from inference.game.state import other
from inference.store import Store
from inference.study.judge import FULL, QUICK, Judged, judging
from inference.study.ledger import Ledger, ledger
from inference.study.replay import Picture, Replay, Step, follow

N_WORLDS = 60
"""Worlds behind each point of the win-probability line."""


@dataclass
class Past:
    """Hold a deal as its log told it at a revision, with as much judgement as there was time for.

    `mine` and `his` are the judged decisions, `line` the worth of each step so far, `parts` the
    account of the result once all is judged; `thorough` asks for ten times the worlds. `shown` are
    the beliefs that were shown at the table, by the number of events.
    """

    stamp: tuple[str, int]
    replay: Replay
    name: str
    shown: dict[int, Shown]
    thorough: bool = False
    mine: list[Judged] = field(default_factory=list)
    his: list[Judged] = field(default_factory=list)
    line: list[Worth] = field(default_factory=list)
    parts: Ledger | None = None
    done: bool = False
    _work: Iterator[str] | None = None

    @property
    def seat(self) -> Seat:
        """Return whose eyes look."""
        return self.replay.seat

    def then(self, step: Step) -> Picture:
        """Return what was believed at a step: as it was shown at the table, if it was kept."""
        kept, now = self.shown.get(step.number), step.then
        if kept is None:
            return now
        p = tuple(kept.marginals.get(card, now.p[card]) for card in Card)
        return Picture(
            kept.n_layouts, kept.entropy_bits, now.certain, now.possible, p, tuple(kept.hands)
        )

    def at(self, number: int) -> Judged | None:
        """Return the decision of mine that was due after some events."""
        return next((one for one in self.mine if one.number == number), None)

    def slips(self) -> list[Judged]:
        """Return my mistakes, the dearest first; a missed claim is one whatever it cost."""
        found = [one for one in self.mine if one.charged or one.missed == "claim"]
        return sorted(found, key=lambda one: -one.charged)

    def work(self) -> Iterator[str]:
        """Judge what is not judged yet, piece by piece, and say what is being done.

        A run of the page that is cut off in between goes on where it was: the iterator is kept.
        """
        if self._work is None:
            self._work = self._judge()
        return self._work

    def _judge(self) -> Iterator[str]:
        effort = FULL if self.thorough else QUICK
        yield "judging your decisions"
        for judged in judging(self.replay.trackers, effort):
            self.mine.append(judged)
            yield "judging your decisions"
        for number in range(self.replay.n + 1):
            self.line.append(self.replay.worth(number, N_WORLDS))
            yield "drawing the line"
        for judged in judging(self.replay.his, effort, who=self.name) if self.replay.his else ():
            self.his.append(judged)
            yield f"judging {self.name}'s decisions"
        known = self.his if self.replay.his else None
        self.parts, self.done = ledger(self.replay, self.mine, known), True


def load(store: Store, deal: str, held: Past | None) -> Past:
    """Return a deal to look back at, `held` if that is it; raise InferenceError for no deal."""
    stamp = deal, store.revision(deal)
    if held is not None and held.stamp == stamp:
        return held
    replay = follow(export_record(store, deal))
    name = str(replay.record.meta.get("opponent") or other(replay.seat))
    return Past(stamp, replay, short(name, 20), as_shown(store, deal))
