"""What closing is worth: three figures, of which the lowest counts.

The open-card value lets me see his hand, and adds up worlds that are won by different cards as if I
could tell them apart. So a plan is made first: my lead after the close, and my next lead for each
reply that he may make, the same for all hands that he may hold. From there on cards lie open. The
plan is tried against his best reply, and against the reply that the fitted policy expects of him.

Where he may answer the close with the exchange, he does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, types

import inference.solve.encode as e
from inference.advice.option import Stakes, Values, chances
from inference.advice.worlds import Worlds
from inference.cards import Seat
from inference.game.events import CLOSE, Event
from inference.game.position import View
from inference.opponents.features import soften, weigh
from inference.opponents.logit import Logit
from inference.opponents.sight import sight_of
from inference.solve import kernel, solver
from inference.solve.encode import action_column
from inference.solve.rules_kernel import actor, apply, legal_bits, payoff

N_PLANNED = 24
"""Hands on which a plan is made."""
BARRED = -9
"""No value of a lead or of a reply that is not legal."""
UNFORESEEN = -1
"""No lead of mine: on none of the planned hands is the reply legal."""
N_CARDS = 24

States = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int8]
_I8, _F8, _STATE, _TABLE = types.int64, types.float64, types.int64[::1], types.float64[:, ::1]


class Plan(NamedTuple):
    """Hold my lead after the close and the next lead [24] for each reply, as action columns."""

    first: int
    second: npt.NDArray[np.int64]


class Figures(NamedTuple):
    """Hold my game points [n, 3], wins [n, 3] and what counts [n, 3] in worlds.

    What counts are the game points, or the probability to win the match if there are stakes.
    Column 0 has all cards open, column 1 my plan against his best reply (he is equally likely to
    make any of several), column 2 my plan against the reply of the policy.
    """

    values: Values
    wins: Values
    aims: Values


@njit(_I8(_STATE, _STATE, _I8), cache=True, nogil=True)
def close(s: e.Vector, rules: e.Vector, seat: int) -> int:
    """Close in place, let him answer by the exchange if he can, and return my legal columns."""
    apply(s, rules, e.COLUMN_CLOSE)
    if s[e.FRESH_CLOSE] == 2 and actor(s) != seat:
        bits = legal_bits(s, rules)
        exchange = bits >> e.COLUMN_EXCHANGE & 1
        apply(s, rules, e.COLUMN_EXCHANGE if exchange else e.COLUMN_SILENCE)
    return legal_bits(s, rules)


@njit(
    types.void(_STATE, _STATE, _STATE, types.int64[:, ::1], types.int8[:, ::1]),
    cache=True,
    nogil=True,
)
def second_leads(mem: States, s: e.Vector, rules: e.Vector, line: States, out: Cells) -> None:
    """Write S's game points after each of his replies and each next lead of mine [24, 36].

    `s` is the state after my first lead; where I have no next lead the column of silence counts.
    """
    seat, bits = 1 - actor(s), legal_bits(s, rules)
    mine, child = line[0], line[1]
    for reply in range(N_CARDS):
        if not bits >> reply & 1:
            continue
        mine[:] = s
        apply(mine, rules, reply)
        if mine[e.WINNER] != e.RUNNING or actor(mine) != seat:
            out[reply, e.COLUMN_SILENCE] = kernel.value(mem, mine, 1)
            continue
        leads = legal_bits(mine, rules)
        for column in range(e.N_ACTIONS):
            if leads >> column & 1:
                child[:] = mine
                apply(child, rules, column)
                out[reply, column] = kernel.value(mem, child, 1)


@njit(
    types.void(
        _STATE,
        types.int64[:, ::1],
        _STATE,
        _I8,
        _STATE,
        _TABLE,
        _F8,
        types.int8[:, :, :, ::1],
        types.float64[:, :, ::1],
    ),
    cache=True,
    nogil=True,
)
def look_ahead(
    mem: States,
    states: States,
    rules: e.Vector,
    seat: int,
    firsts: e.Vector,
    weights: Values,
    epsilon: float,
    out: Cells,
    replies: Values,
) -> None:
    """Write S's game points [n, first, 24, 36], and the policy's replies [n, first, 24]."""
    line, p = np.empty((4, e.STATE_SIZE), np.int64), np.empty(e.N_ACTIONS)
    closed, led = line[2], line[3]
    for i in range(len(states)):
        closed[:] = states[i]
        bits = close(closed, rules, seat)
        kernel.load(mem, closed, rules)
        for j in range(len(firsts)):
            if not bits >> firsts[j] & 1:
                continue
            led[:] = closed
            apply(led, rules, firsts[j])
            if led[e.ANNOUNCED] == 2:
                apply(led, rules, e.COLUMN_CLAIM)
            if led[e.WINNER] != e.RUNNING:
                out[i, j, 0, e.COLUMN_SILENCE] = payoff(led)
                replies[i, j, 0] = 1.0
                continue
            second_leads(mem, led, rules, line[:2], out[i, j])
            sight, his = sight_of(led, rules), legal_bits(led, rules)
            weigh(sight, led[e.HANDS + 1 - seat], his, weights, p)
            soften(his, epsilon, p)
            replies[i, j] = p[:N_CARDS]


def best_replies(cells: Cells) -> Values:
    """Return P(reply) [n, first, 24] of an opponent who sees all cards, equal replies alike."""
    worth = cells.max(axis=3)
    legal = worth > BARRED
    lowest = np.where(legal, worth, -BARRED).min(axis=2, keepdims=True)
    best = (legal & (worth == lowest)).astype(float)
    return np.asarray(best / np.maximum(1.0, best.sum(axis=2, keepdims=True)))


def make_plan(firsts: e.Vector, cells: Cells, replies: Values, weights: Values) -> Plan:
    """Return the leads that are best on average over all hands that fit what I then have seen."""
    gains = np.einsum("n,njr,njrc->jrc", weights, replies, cells)
    gains[~(cells > BARRED).any(axis=0)] = -np.inf
    best = gains.max(axis=2)
    first = int(np.where(best > -np.inf, best, 0.0).sum(axis=1).argmax())
    second = np.where(best[first] > -np.inf, gains[first].argmax(axis=1), UNFORESEEN)
    return Plan(int(firsts[first]), second)


def followed(plan: Plan, cells: Cells) -> Values:
    """Return the game points of a plan [n, 24] after each reply, all cards open from there."""
    foreseen = np.take_along_axis(cells, np.maximum(plan.second, 0)[None, :, None], axis=2)[:, :, 0]
    known = (plan.second != UNFORESEEN) & (foreseen > BARRED)
    return np.where(known, foreseen, cells.max(axis=2)).astype(float)


def in_the_open(mem: States, states: States, rules: e.Vector, seat: int) -> Values:
    """Return my game points [n] for closing with all cards open: the lowest figure is no higher."""
    found = np.full((len(states), e.N_ACTIONS), kernel.ILLEGAL, np.int8)
    found[:, e.COLUMN_CLOSE] = kernel.UNSOLVED
    kernel.solve_worlds(mem, states, rules, seat, found)
    return found[:, e.COLUMN_CLOSE].astype(float)


class Closing:
    """Judge the close in worlds of one view, by one plan for all of them."""

    def __init__(
        self, view: View, likely: Worlds, model: Logit, stakes: Stakes | None = None
    ) -> None:
        self._stakes = stakes
        self._rules, self._seat = e.encode_rules(view.public.rules), int(view.seat)
        self._model, self._mem = model, solver.memory()
        self._known: dict[int, tuple[Values, Values, Values]] = {}
        public = view.public.after(Event(view.seat, CLOSE))
        firsts = [action_column(action) for action in public.legal_actions(view.hand)]
        leads = np.array(firsts, dtype=np.int64)
        cells, _ = self._ahead(likely.states, leads)
        self.plan = make_plan(leads, cells, best_replies(cells), likely.weights)

    def figures(self, worlds: Worlds) -> Figures:
        """Return the three figures in worlds; worlds that differ in the talon alone are one."""
        hands = worlds.states[:, e.HANDS + 1 - self._seat].tolist()
        fresh = {hand: i for i, hand in enumerate(hands) if hand not in self._known}
        if fresh:
            new = self._judged(worlds.states[list(fresh.values())])
            self._known.update(zip(fresh, zip(*new, strict=True), strict=True))
        return Figures(*map(np.array, zip(*(self._known[hand] for hand in hands), strict=True)))

    def _judged(self, states: States) -> Figures:
        """Return the figures of worlds, one after the other."""
        cells, expected = self._ahead(states, np.array([self.plan.first]))
        points = followed(self.plan, cells[:, 0])
        replies = np.stack([best_replies(cells)[:, 0], expected[:, 0]], axis=1)
        seen = in_the_open(self._mem, states, self._rules, self._seat)
        counted = [
            (seen, points),
            ((seen > 0).astype(float), (points > 0).astype(float)),
            (self._aim(seen), self._aim(points)),
        ]
        planned = [np.einsum("nkr,nr->nk", replies, each) for _, each in counted]
        return Figures(
            *(np.column_stack([alone[0], two]) for alone, two in zip(counted, planned, strict=True))
        )

    def _aim(self, values: Values) -> Values:
        return values if self._stakes is None else chances(values, self._stakes)

    def _ahead(self, states: States, firsts: e.Vector) -> tuple[Cells, Values]:
        shape = (len(states), len(firsts), N_CARDS)
        cells, replies = np.full((*shape, e.N_ACTIONS), BARRED, np.int8), np.zeros(shape)
        model, rules = self._model, self._rules
        look_ahead(
            self._mem,
            states,
            rules,
            self._seat,
            firsts,
            model.weights,
            model.epsilon,
            cells,
            replies,
        )
        sign = 1 if self._seat == Seat.S else -1
        return np.where(cells == BARRED, cells, sign * cells), replies
