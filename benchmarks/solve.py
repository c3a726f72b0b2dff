"""The solver with all cards known: nodes and time of endgames, whole deals and sets of worlds."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from statistics import mean
from time import thread_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import inference.solve.encode as e
import inference.solve.layout as m
from benchmarks.row import Row
from inference.cards import Seat, cards, mask_of
from inference.game.position import Position, View
from inference.game.rules import PRESETS, Rules
from inference.solve import kernel, solver
from tests.minimax import alpha_beta, vectors
from tests.positions import on_lead

SEED = 66
SIXTY_SIX = PRESETS["sixty-six"]


class Run(NamedTuple):
    """Hold the nodes and the seconds (of this thread) of one search."""

    nodes: int
    seconds: float


def rows() -> list[Row]:
    """Measure each kind of search; a node is a position entered by an action."""
    rng = Random(SEED)
    exhausted = [fair(SIXTY_SIX, 0, rng) for _ in range(3000)]
    return [
        searched("solver: exhausted, 6 cards each", exhausted, "<= 200 nodes, <= 0.1 ms", 300),
        searched("solver: deal of 24, sixty-six", deals("sixty-six", 20)),
        searched("solver: deal of 24, bicycle", deals("bicycle", 20), "<= 800,000, <= 120 ms"),
        searched("solver: deal of 20, schnapsen", deals("schnapsen", 60), "<= 60,000, <= 10 ms"),
        worlds(4, 504, 20, "<= 120 ms"),
        worlds(6, 400, 8, ">= 400 layouts/s"),
        worlds(8, 60, 4, ""),
    ]


def fair(rules: Rules, talon: int, rng: Random) -> Position:
    """Make up an open position whose tricks are shared about evenly."""
    while True:
        position = on_lead(rules, rules.hand, talon, False, rng)
        s, n = position.public.tricks
        if abs(s - n) <= 3:
            return position


def deals(name: str, n: int) -> list[Position]:
    """Deal some whole deals."""
    rng = Random(SEED)
    return [Position.deal(PRESETS[name], Seat(i % 2), rng) for i in range(n)]


def searched(what: str, positions: list[Position], goal: str = "", n_twins: int = 0) -> Row:
    """Find the value of each position, and of some with plain alpha-beta, too."""
    mem = solver.memory()
    search(mem, positions[0])  # compiles
    runs = [search(mem, position) for position in positions]
    times = sorted(run.seconds for run in runs)
    nodes = f"{mean(run.nodes for run in runs):,.0f} nodes"
    late = f"99.9 % <= {1000 * times[int(0.999 * len(times))]:.2f} ms"
    mine, theirs = sum(run.seconds for run in runs[:n_twins]), twin(positions[:n_twins])
    ratio = f"{theirs / mine:,.0f} × alpha-beta" if n_twins else ""
    return Row(what, len(runs), f"{nodes}, {1000 * mean(times):.3f} ms, {late}", ratio, goal)


def search(mem: m.Memory, position: Position) -> Run:
    """Find the value of one position."""
    state, rules = vectors(position)
    nodes, started = mem[m.NODES], thread_time()
    kernel.load(mem, state, rules)
    kernel.value(mem, state, 1)
    return Run(int(mem[m.NODES] - nodes), thread_time() - started)


def twin(positions: list[Position]) -> float:
    """Time plain alpha-beta."""
    given = [vectors(position) for position in positions]
    started = thread_time()
    for state, rules in given:
        alpha_beta(state, rules, -3, 3)
    return thread_time() - started


def layouts(view: View) -> npt.NDArray[np.int64]:
    """List every layout of the hidden cards as a state."""
    states = []
    for hidden in combinations(cards(view.unseen), view.n_hidden):
        hand = view.unseen & ~mask_of(hidden)
        for talon in permutations(hidden):
            position = view.determine(hand, talon)
            states.append(e.encode(position.public, position.hands, position.talon))
    return np.array(states)


def worlds(talon: int, n: int, n_positions: int, goal: str) -> Row:
    """Solve all actions in n layouts of the hidden cards, in some positions."""
    rng, mem, runs = Random(SEED), solver.memory(), []
    for _ in range(n_positions):
        position = fair(SIXTY_SIX, talon, rng)
        seat = position.public.to_act
        states = some(position.view(seat), n, rng)
        nodes, started = mem[m.NODES], thread_time()
        solver.world_values(SIXTY_SIX, states, seat, mem)
        runs.append(Run(int(mem[m.NODES] - nodes), thread_time() - started))
    taken = mean(run.seconds for run in runs)
    figure = f"{n / taken:,.0f} layouts/s, {1000 * taken:.0f} ms for {n}"
    nodes = f"{mean(run.nodes for run in runs) / n:,.0f} nodes each"
    return Row(f"solver: talon {talon}, all actions", n_positions, figure, nodes, goal)


def some(view: View, n: int, rng: Random) -> npt.NDArray[np.int64]:
    """Take n layouts, all of them if there are no more."""
    if view.n_hidden <= 3:
        return layouts(view)
    states = []
    for _ in range(n):
        hidden = rng.sample(cards(view.unseen), view.n_hidden)
        position = view.determine(view.unseen & ~mask_of(hidden), hidden)
        states.append(e.encode(position.public, position.hands, position.talon))
    return np.array(states)
