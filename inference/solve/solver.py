"""Exact values of positions in which all cards are known, one at a time or world by world."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import inference.solve.encode as e
import inference.solve.layout as m
from inference.game.events import Action
from inference.game.position import Position
from inference.game.rules import Rules
from inference.solve import kernel
from inference.solve.kernel import ILLEGAL, UNSOLVED, Values
from inference.solve.rules_kernel import draw

__all__ = ["ILLEGAL", "UNSOLVED", "action_values", "memory", "value", "world_values"]

BITS = 18
"""log2 of the number of buckets of two entries in the table: 8 MB."""
UNLIMITED = 1 << 62


def memory(bits: int = BITS) -> m.Memory:
    """Return a fresh workspace for searches, with a table of 2**bits buckets of 32 bytes.

    It may serve any positions one after another, but one thread at a time.
    """
    mem = np.zeros(m.TABLE + (4 << bits), dtype=np.int64)
    mem[m.MASK], mem[m.BUDGET] = (1 << bits) - 1, UNLIMITED
    return mem


def world_values(
    rules: Rules,
    states: npt.NDArray[np.int64],
    seat: int,
    mem: m.Memory | None = None,
    nodes: int | None = None,
    out: Values | None = None,
) -> Values:
    """Return the game points of `seat` after each action in each world, int8[n, N_ACTIONS].

    `states` [n, STATE_SIZE] are fully known (`encode`), and `seat` has a choice in them; where the
    other seat might do something first, it has left it. Columns without a legal action hold
    ILLEGAL. Worlds that follow each other share what was found out, so keep similar ones together.

    With `nodes` the work stops after about so many nodes (some 6 million a second) and leaves
    UNSOLVED cells; hand the same `mem` and `out` in again to go on.
    """
    table = memory() if mem is None else mem
    values = np.full((len(states), e.N_ACTIONS), UNSOLVED, np.int8) if out is None else out
    table[m.BUDGET] = UNLIMITED if nodes is None else table[m.NODES] + nodes
    if table[m.PAUSED] == 0:
        table[m.AGE] = (table[m.AGE] + 1) & 15
    kernel.solve_worlds(table, np.ascontiguousarray(states), e.encode_rules(rules), seat, values)
    return values


def action_values(position: Position, mem: m.Memory | None = None) -> dict[Action, int]:
    """Return what each legal action of the seat to act is worth to it with best play after it.

    Values are game points won minus lost. What the other seat might do first, it has left.

    >>> import random
    >>> from inference.cards import Card, Seat
    >>> from inference.game.rules import PRESETS
    >>> deal = Position.deal(PRESETS["schnapsen"], Seat.S, random.Random(2))
    >>> {str(action): worth for action, worth in action_values(deal).items()}
    {'TH': -2, 'KH': -2, 'KH*': -2, 'QH': -2, 'QH*': -2, 'KC': -2, 'JC': -2, 'c': -3}
    """
    public = position.public
    state = e.encode(public, position.hands, position.talon)
    values = world_values(public.rules, state[None], public.to_act, mem)[0]
    return {a: int(values[e.action_column(a)]) for a in position.legal_actions()}


def value(position: Position, mem: m.Memory | None = None) -> int:
    """Return the game points that the seat to act wins with best play by both."""
    public = position.public
    if public.over:
        return public.payoff[public.to_act]
    table = memory() if mem is None else mem
    state, rules = e.encode(public, position.hands, position.talon), e.encode_rules(public.rules)
    if state[e.TO_DRAW] == 1:
        draw(state)
    kernel.load(table, state, rules)
    table[m.BUDGET] = UNLIMITED
    worth = int(kernel.value(table, state, 1))
    return worth if public.to_act == 0 else -worth
