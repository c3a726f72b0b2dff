"""What reading a player is worth in play: advice with inference against the same advice without.

Two advisors, alike but for their belief, take the same seat with the same cards against the same
player of the pool, and then the other seat. The difference of what they win is a figure in which
the luck of the cards and the strength of the advice cancel. They meet him for some deals in turn,
and the one that reads him keeps what it learnt of him, as at a table where he has a name. In some
sessions a third is told his hand outright: that is all there is to win by reading it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr  # scipy.stats alone takes a second to import

from inference import belief as bayes
from inference import opponents
from inference.acquaintance import Told, expected, learnt
from inference.cards import Seat
from inference.game.events import Action, Event, Kind
from inference.game.position import Position
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents.person import with_person
from inference.opponents.styles import Styles
from inference.reports import alone
from inference.spread import spread
from inference.tracker import Tracker
from inference.workshop import players, pool
from inference.workshop.contest import Mind, let_play
from inference.workshop.players import Player
from inference.workshop.pool import FAMILIES
from inference.workshop.statistics import holm

Values = npt.NDArray[np.float64]
BASELINE = "counting"
N_WORLDS = 12
"""Worlds an advisor looks at: few, as both look at as many."""
IN_TURN = 5
"""Pairs that are played against one player in turn: he is seen in twice as many deals."""
OPEN_EVERY = 7
"""In one of so many rounds of sessions the same advice also plays with his hand laid open; the
number of rule sets does not divide it, so all have their turn."""


class Value(NamedTuple):
    """Hold the game points a deal that inference brings against one family.

    `without` is what advice without inference wins a deal; `stderr` and `p_value`, that of the
    t-test on both sides, are over sessions, and the latter is adjusted for the number of families.
    `laid_open` is what knowing his hand brings, over `n_open` pairs, nan without any.
    """

    family: str
    n_pairs: int
    without: float
    value: float
    stderr: float
    p_value: float
    n_open: int
    laid_open: float
    open_stderr: float


class Won(NamedTuple):
    """Hold the mean game points a deal of one session, each way; `laid_open` may be nan."""

    with_: float
    without: float
    laid_open: float


def in_play(
    rules: Sequence[Rules], n_pairs: int, model: str, seed: int, jobs: int = 1
) -> list[Value]:
    """Play `n_pairs` duplicate pairs or more against each family, in whole sessions."""
    work = partial(session, rules, model, seed)
    pieces = [(family, k) for k in range(-(-n_pairs // IN_TURN)) for family in FAMILIES]
    return summary(dict(zip(pieces, spread(work, pieces, jobs, "sessions"), strict=True)))


def summary(sessions: dict[tuple[str, int], Won]) -> list[Value]:
    """Sum up sessions, by family and number."""
    found = [_family(family, sessions) for family in FAMILIES]
    adjusted = holm([one.p_value for one in found])
    return [one._replace(p_value=p) for one, p in zip(found, adjusted, strict=True)]


def _family(family: str, sessions: dict[tuple[str, int], Won]) -> Value:
    won = np.array([session for (name, _), session in sessions.items() if name == family])
    without = won[:, 1]
    gains, laid_open = won[:, 0] - without, (won[:, 2] - without)[~np.isnan(won[:, 2])]
    p_value = student(gains) if len(gains) > 1 and gains.std() > 0 else 1.0
    read = float(without.mean()), float(gains.mean()), _stderr(gains), p_value
    known = float(laid_open.mean()) if len(laid_open) else np.nan, _stderr(laid_open)
    return Value(family, IN_TURN * len(gains), *read, IN_TURN * len(laid_open), *known)


def _stderr(gains: Values) -> float:
    return float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else 0.0


def session(rules: Sequence[Rules], model: str, seed: int, piece: tuple[str, int]) -> Won:
    """Return what `IN_TURN` pairs win with inference, without, and with his hand laid open."""
    family, number = piece
    key = [seed, FAMILIES.index(family), number]
    he = pool.player(family, int(np.random.default_rng(key).integers(2**31)), seed)
    one = rules[number % len(rules)]
    laid_open = _mean(one, he, key, Seer) if number % OPEN_EVERY == 0 else np.nan
    with_, without = (_mean(one, he, key, _reader(name)) for name in (model, BASELINE))
    return Won(with_, without, laid_open)


Sit = Callable[[Player, Position, Seat, list[int]], Mind]
"""Seats an advisor at the beginning of a deal."""


def _mean(rules: Rules, he: pool.Stranger, key: list[int], sit: Sit) -> float:
    me, him, won = players.load(f"advisor:{N_WORLDS}"), Player(BASELINE, partial(_pick, he)), 0
    for k in range(IN_TURN):
        own = [*key, k]
        start = Position.deal(rules, SEATS[k % len(SEATS)], np.random.default_rng(own))
        for seat in SEATS:
            minds = [sit(me, start, seat, own), Mind(him, start.view(other(seat)), own)]
            won += let_play(start, minds if seat == Seat.S else minds[::-1])[seat]
    return won / (2 * IN_TURN)


def _reader(name: str) -> Sit:
    """Return how an advisor with a model sits down, who keeps what his deals so far taught."""
    model, last, deals = opponents.load(name), list[Mind](), list[Told]()

    def sit(me: Player, start: Position, seat: Seat, seed: list[int]) -> Mind:
        if not isinstance(model, Styles):
            return Mind(me, start.view(seat), seed, model)
        if last:
            deals.append(_learnt(last.pop().tracker, len(model.styles)))
        shares, person = expected(model, deals)
        knowing = with_person(model._replace(shares=tuple(shares.tolist())), person)
        last.append(Mind(me, start.view(seat), seed, knowing))
        return last[-1]

    return sit


def _learnt(tracker: Tracker, n_styles: int) -> Told:
    return learnt(tracker, alone(tracker), bayes.style_posterior(tracker.belief), n_styles)


SLIP = 1e-6
"""Probability that who sees his hand leaves to all others, so that they stay among the possible."""


class Seer(Mind):
    """See his hand as well, and believe it.

    The other hands stay possible, as the advice goes other ways where only one is.
    """

    def __init__(self, player: Player, truth: Position, seat: Seat, seed: list[int]) -> None:
        super().__init__(player, truth.view(seat), seed, opponents.load(BASELINE))
        self.truth = truth

    def observe(self, event: Event) -> None:
        """See an event; the first card that is drawn stands for the whole round."""
        super().observe(event)
        if event.action.kind != Kind.DRAW or self.truth.public.to_draw:
            self.truth = self.truth.play(event.action, event.seat)

    def choose(self) -> Action:
        """Return the player's choice, for the hand that he really holds."""
        counted, hand = self.tracker, self.truth.hands[self.tracker.view.opponent]
        belief = counted.belief
        weights = np.full(belief.weights.shape, SLIP / len(belief.hands))
        weights[np.searchsorted(belief.hands, np.uint32(hand))] += 1 - SLIP
        self.tracker = replace(counted, belief=belief._replace(weights=weights))
        try:
            return super().choose()
        finally:
            self.tracker = counted


def _pick(he: pool.Stranger, tracker: Tracker, rng: np.random.Generator) -> Action:
    chances = he.chances(tracker.view, rng)
    actions, p = list(chances), np.array(list(chances.values()))
    return actions[int(rng.choice(len(p), p=p / p.sum()))]


def student(gains: Values) -> float:
    """Return the two-sided p-value that a mean differs from 0 (Student 1908).

    >>> round(student(np.array([1.0, 2.0, 0.0, 3.0])), 4)
    0.1027
    """
    n = len(gains)
    t = gains.mean() / (gains.std(ddof=1) / np.sqrt(n))
    return float(2.0 * stdtr(n - 1, -abs(t)))
