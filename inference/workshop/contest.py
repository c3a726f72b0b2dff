"""Let two players meet on duplicate deals: the same cards twice, with the seats swapped.

A pair's figure is the mean of its two deals for the first player, so the luck of the cards cancels;
a player against itself gets exactly 0 in every pair, as chance belongs to the seat. Each player
sees its own tracker and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from inference import opponents
from inference.cards import Seat
from inference.errors import IllegalActionError
from inference.game.events import UNSEEN_DRAW, Action, Event
from inference.game.position import Position, View
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents import Model
from inference.spread import spread
from inference.tracker import Tracker
from inference.workshop import players
from inference.workshop.players import Player

CRASHES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a faulty player may raise; anything else stops the contest."""
Z95 = 1.96


class PlayerCrashError(RuntimeError):
    """Tell which player crashed, and how."""


class Pair(NamedTuple):
    """Hold the game points that the first player won minus lost in both deals of a pair.

    `crash` says what went wrong if a deal could not be finished; the points then mean nothing.
    """

    points: tuple[int, int] = (0, 0)
    crash: str = ""


class Result(NamedTuple):
    """Hold what the first player wins: game points a deal with the 95 % interval over pairs.

    `stderr` is that of the mean, `p_win` the share of deals won; pairs with a crash are left out.
    """

    n_pairs: int
    value: float
    stderr: float
    p_win: float
    crashes: tuple[str, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of `value`."""
        return self.value - Z95 * self.stderr, self.value + Z95 * self.stderr


def contest(
    rules: Rules,
    names: tuple[str, str],
    n_pairs: int,
    seed: int,
    jobs: int = 1,
    cluster: str | None = None,
) -> Result:
    """Play `n_pairs` duplicate deals, whose leaders take turns.

    Raise NotationError for an unknown player. The number of `jobs`, or a `cluster` (`spread`),
    changes nothing but the time, unless a player thinks by the clock.
    """
    for name in names:
        players.load(name)
    work = partial(play_pair, rules, names, seed)
    return summary(list(spread(work, range(n_pairs), jobs, "pairs", cluster)))


def summary(pairs: list[Pair]) -> Result:
    """Sum up pairs.

    >>> summary([Pair((1, 2)), Pair((-1, 0)), Pair(crash="club: lost its hand")]).value
    0.5
    """
    points = np.array([pair.points for pair in pairs if not pair.crash], dtype=float)
    crashes = tuple(pair.crash for pair in pairs if pair.crash)
    n = len(points)
    if n == 0:
        return Result(0, 0.0, 0.0, 0.0, crashes)
    means = points.mean(axis=1)
    stderr = float(means.std(ddof=1) / np.sqrt(n)) if n > 1 else float("inf")
    return Result(n, float(means.mean()), stderr, float((points > 0).mean()), crashes)


def play_pair(rules: Rules, names: tuple[str, str], seed: int, number: int) -> Pair:
    """Play pair `number` of a seed: the first player at S, then the same cards with it at N."""
    first, second = (players.load(name) for name in names)
    start = Position.deal(rules, SEATS[number % 2], np.random.default_rng([seed, number]))
    try:
        at_s = play_out(start, (first, second), [seed, number])
        at_n = play_out(start, (second, first), [seed, number])
    except PlayerCrashError as crash:
        return Pair(crash=f"pair {number}, {crash}")
    return Pair((at_s[Seat.S], at_n[Seat.N]))


def play_out(position: Position, seated: tuple[Player, Player], seed: list[int]) -> tuple[int, int]:
    """Play a deal to its end and return the payoff of S and N.

    Raise PlayerCrashError if a player raises an exception, or chooses what it may not.
    """
    return let_play(position, [Mind(seated[seat], position.view(seat), seed) for seat in SEATS])


def let_play(position: Position, minds: Sequence[Mind]) -> tuple[int, int]:
    """Do the same with minds that the caller keeps, to see afterwards what they think."""
    while not position.public.over:
        event = _next(position, minds)
        drawing = event.action == UNSEEN_DRAW
        for seen in position.drawn() if drawing else (event,):
            for mind in minds:
                mind.observe(seen)
        position = position.play(event.action, event.seat)
    return position.public.payoff


def _next(position: Position, minds: Sequence[Mind]) -> Event:
    """Ask the seat beside, if it may speak, then the seat to act."""
    to_act = position.public.to_act
    if position.other_actions():
        beside = other(to_act)
        action = minds[beside].choose()
        if action != UNSEEN_DRAW:
            return Event(beside, action)
    return Event(to_act, minds[to_act].choose())


class Mind:
    """Keep one player's tracker and chance during a deal, and read with its model or another."""

    def __init__(
        self, player: Player, view: View, seed: list[int], model: Model | None = None
    ) -> None:
        self.player = player
        self.rng = np.random.default_rng([*seed, view.seat])
        self.tracker = Tracker.start(view, model or opponents.load(player.model))

    def observe(self, event: Event) -> None:
        """See an event; a card that the other seat draws stays hidden."""
        hidden = event.seat != self.tracker.view.seat and event.action.kind == UNSEEN_DRAW.kind
        seen = Event(event.seat, UNSEEN_DRAW) if hidden else event
        try:
            self.tracker = self.tracker.observe(seen)
        except CRASHES as error:
            raise PlayerCrashError(self._told(error)) from error

    def choose(self) -> Action:
        """Return the player's choice."""
        try:
            action = self.player.choose(self.tracker, self.rng)
            if action not in players.choices(self.tracker.view):
                raise IllegalActionError(f"{action} is not legal here.")
        except CRASHES as error:
            raise PlayerCrashError(self._told(error)) from error
        return action

    def _told(self, error: Exception) -> str:
        when = f"{self.tracker.view.seat} after {len(self.tracker.events)} events"
        return f"{when}: {type(error).__name__}: {error}"
