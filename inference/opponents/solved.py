"""Late in a deal: what an action is worth to a player who solves all that may be hidden from him.

He spreads the cards that he has not seen over the opponent's hand and the talon, each way as likely
as any other, and solves each layout with open cards; what an action brings on average is its value.
Earlier, where there are too many layouts, nothing is told. Only what he can see is used.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

import inference.solve.encode as e
from inference.cards import cards
from inference.game.rules import Rules
from inference.opponents import Hands
from inference.opponents.sight import sight_of
from inference.solve.kernel import ILLEGAL
from inference.solve.solver import memory, world_values

Values = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

SOLVED = ("solved.loss", "solved.best")
"""Game points that the action costs against the best one, and whether it is (one of) the best."""
MOST_LAYOUTS = 36
"""With more he is not taken to see through the deal: 7 at a talon of 2, 35 or 36 after closes."""
TABLE_BITS = 12
SLACK = 1e-9


def utility(state: e.Vector, rules: Rules, hands: Hands, weights: Values) -> Values:
    """Return what SOLVED adds to the utilities of each hand, float64[n, N_ACTIONS, ...].

    `weights` [2, 2, ...] are those of SOLVED by phase; n is 0 where they or the layouts tell
    nothing.
    """
    told = look(state, rules, hands) if weights.any() else None
    if told is None:
        return np.zeros((0, e.N_ACTIONS, *weights.shape[2:]))
    strict = sight_of(state, e.encode_rules(rules)).strict
    return np.ascontiguousarray(np.tensordot(told, weights[strict], 1))


def n_layouts(state: e.Vector, rules: Rules) -> int:
    """Return how many layouts the actor of a state must think possible, 0 if they are too many.

    The order of the talon counts too, so there are too many while more than one hidden card is to
    be drawn.
    """
    sight = sight_of(state, e.encode_rules(rules))
    if sight.talon > 2:
        return 0
    n = comb(*_spread(state, sight.rest, sight.theirs, sight.seat))
    return n if n <= MOST_LAYOUTS else 0


def look(state: e.Vector, rules: Rules, hands: Hands) -> Values | None:
    """Return SOLVED of each action of the actor with each hand, float64[n, N_ACTIONS, 2].

    What is illegal holds zeros. None where the layouts are too many.
    """
    if not n_layouts(state, rules):
        return None
    worlds, n = _layouts(state, rules, hands), len(hands)
    seat = sight_of(state, e.encode_rules(rules)).seat
    values = world_values(rules, worlds, seat, memory(TABLE_BITS)).reshape(n, -1, e.N_ACTIONS)
    means = np.where(values[:, 0] > ILLEGAL, values.mean(axis=1), -np.inf)
    gaps = means - means.max(axis=1, keepdims=True)
    told = np.stack([gaps, gaps > -SLACK], axis=2)
    return np.asarray(np.where(np.isfinite(gaps)[:, :, None], told, 0.0))


def _spread(state: e.Vector, rest: int, theirs: int, seat: int) -> tuple[int, int]:
    """Return how many cards are hidden from the actor, and how many of them the opponent holds."""
    n_theirs = theirs.bit_count()
    n_hidden = rest.bit_count() - int(state[e.HELD + seat]) - n_theirs
    return n_hidden, int(state[e.HELD + 1 - seat]) - n_theirs


def _layouts(state: e.Vector, rules: Rules, hands: Hands) -> npt.NDArray[np.int64]:
    """Return every layout of every hand, int64[n * layouts, STATE_SIZE], hand by hand."""
    sight = sight_of(state, e.encode_rules(rules))
    own, others = _ways(*_spread(state, sight.rest, sight.theirs, sight.seat))
    hidden = np.array([cards(sight.rest & ~sight.theirs & ~hand) for hand in hands.tolist()])
    hidden = hidden.reshape(len(hands), -1).astype(np.int64)
    worlds = np.repeat(state[None], len(hands) * len(own), axis=0)
    worlds[:, e.HANDS + sight.seat] = np.repeat(hands, len(own))
    his = (np.int64(1) << hidden)[:, own].sum(axis=2) | sight.theirs
    worlds[:, e.HANDS + 1 - sight.seat] = his.ravel()
    if sight.talon:
        drawn = hidden[:, others[:, 0]].ravel()
        worlds[:, e.STACK] = drawn | sight.upcard << 5
    return worlds


@cache
def _ways(n: int, k: int) -> tuple[Places, Places]:
    """Return all ways to take k of n places, [ways, k], and what each leaves, [ways, n - k]."""
    own = np.array(list(combinations(range(n), k)), dtype=np.intp).reshape(comb(n, k), k)
    left = np.array([[i for i in range(n) if i not in set(way)] for way in own.tolist()])
    return own, left.reshape(len(own), n - k).astype(np.intp)
