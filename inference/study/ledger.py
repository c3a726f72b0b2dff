"""Luck apart from skill: a deal's result as a sum that comes out exactly.

result = start + luck − my losses + his losses + remainder, all in game points from one seat.

* start: 0. Before the cards are dealt nobody is ahead; the lead is part of the deal's luck.
* luck: how much the worth of my position (`advice.worth`, from my view and belief) changes by the
  deal and by each card that I draw. What he draws I do not see: it moves nothing I know.
* losses: value(best) − value(played) of each decision (`judge`), his from his own seat. A loss
  within its noise counts 0: of many noisy values the best is too good, and that would add up.
* remainder: what is left. His choices that no one could call an error but that told me something,
  his losses where the record lacks his cards, the difference between two kinds of value, noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from inference import belief as bayes
from inference.advice.worlds import Worlds, shuffled, state
from inference.advice.worth import played_on, worth
from inference.cards import Card
from inference.game.events import Kind
from inference.study.judge import Judged
from inference.study.replay import LAID, Replay
from inference.tracker import Tracker

START = 0.0


class Chance(NamedTuple):
    """Hold a chance event: after `number` events, what happened, and what it was worth to me."""

    number: int
    text: str
    luck: float
    stderr: float


class Ledger(NamedTuple):
    """Hold the parts of a deal's result in game points, from the seat of the replay.

    `my_losses` and `his_losses` are sums of losses (>= 0); `his_losses` is None, and counts as 0,
    where the record lacks his cards.
    """

    result: float
    start: float
    chances: tuple[Chance, ...]
    my_losses: float
    his_losses: float | None
    remainder: float

    @property
    def luck(self) -> float:
        """Return the sum of the chance events."""
        return sum(chance.luck for chance in self.chances)

    @property
    def luck_stderr(self) -> float:
        """Return the standard error of the luck."""
        return float(np.sqrt(sum(chance.stderr**2 for chance in self.chances)))


def ledger(
    replay: Replay,
    mine: Sequence[Judged],
    his: Sequence[Judged] | None,
    n_worlds: int = 200,
    seed: int = 0,
) -> Ledger | None:
    """Split a deal's result; None while the deal is not over."""
    end = replay.trackers[-1].view
    if not end.public.over:
        return None
    result = float(end.public.payoff[end.seat])
    chances = tuple(luck(replay.trackers, n_worlds, seed))
    my_losses = sum(judged.charged for judged in mine)
    his_losses = None if his is None else sum(judged.charged for judged in his)
    told = START + sum(c.luck for c in chances) - my_losses + (his_losses or 0.0)
    return Ledger(result, START, chances, my_losses, his_losses, result - told)


def luck(trackers: Sequence[Tracker], n_worlds: int = 200, seed: int = 0) -> Iterator[Chance]:
    """Yield the deal and each card that I drew unseen, with what it changed."""
    first = trackers[0]
    dealt = worth(first.view, first.belief, n_worlds, seed)
    yield Chance(0, "the deal", dealt.value - START, dealt.stderr)
    for number, card in draws(trackers):
        change, stderr = _drawn(trackers[number], card, n_worlds, seed + number)
        yield Chance(number, f"you draw {card}", change, stderr)


def draws(trackers: Sequence[Tracker]) -> Iterator[tuple[int, Card]]:
    """Yield each card that I drew face down, with the number of events before its round."""
    events = trackers[-1].events
    due = None
    for number, event in enumerate(events):
        view = trackers[number].view
        whole = len(view.public.to_draw) == 2 and not view.takes_upcard
        due = number if whole and due is None else due
        mine = event.seat == view.seat and event.action.kind == Kind.DRAW
        if mine and event.action.card is not None and due is not None:
            yield due, event.action.card
        if mine or event.action.kind in LAID:
            due = None


def _drawn(tracker: Tracker, card: Card, n: int, seed: int) -> tuple[float, float]:
    """Return by how much drawing this card beat drawing any, and the standard error.

    The worlds after the draw are those before it in which he lacks the card, with the card put
    where I draw: exactly the worlds of the belief after the draw.
    """
    view, belief, rng = tracker.view, tracker.belief, np.random.default_rng(seed)
    place = view.public.to_draw.index(view.seat)
    layouts = [
        (hand, shuffled(view.unseen & ~hand, rng))
        for hand in map(int, bayes.sample(belief, n, rng))
    ]
    fitting = [(hand, _put(talon, card, place)) for hand, talon in layouts if card in talon]
    if not fitting:
        return 0.0, 3.0
    states = np.array([state(view, *one) for one in (*layouts, *fitting)])
    values, _ = played_on(view, Worlds(states, np.ones(len(states))), seed)
    before, after = values[:n], values[n:]
    noise = before.var() / len(before) + after.var() / len(after)
    return float(after.mean() - before.mean()), float(np.sqrt(noise))


def _put(talon: tuple[Card, ...], card: Card, place: int) -> tuple[Card, ...]:
    """Swap a card of the talon to a place."""
    order, now = list(talon), talon.index(card)
    order[place], order[now] = order[now], order[place]
    return tuple(order)
