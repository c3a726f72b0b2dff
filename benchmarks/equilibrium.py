"""Two-sided equilibria: how soon they are good enough, and what advice loses to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import mean
from time import thread_time

import numpy as np

from benchmarks.row import Row, spread_ms
from inference.advice import advise
from inference.advice.ismcts import new_tree
from inference.advice.worlds import enumerate_worlds
from inference.belief import Belief, prior
from inference.cards import Seat
from inference.game.events import Action
from inference.game.position import View
from inference.game.rules import PRESETS, Rules
from inference.game.state import PublicState
from inference.solve import equilibrium, solver
from inference.solve.encode import action_column
from inference.solve.equilibrium import Game, Range
from tests.positions import on_lead

SEED = 66
GOOD = 1e-3
"""Exploitability, in game points, at which the clock stops."""
BEST = 3e-5
"""Exploitability of the equilibria that suggestions are judged by."""
Place = tuple[str, int, int]
"""Rules, cards each and talon; over two it was closed."""


def rows() -> list[Row]:
    """Measure the time to an equilibrium, then the loss."""
    return [
        tables(("sixty-six", 6, 2), 4),
        timed("equilibrium: last open trick, santase", ("santase", 6, 2), 6, "<= 600 ms"),
        timed("equilibrium: last open trick, sixty-six", ("sixty-six", 6, 2), 4),
        timed("equilibrium: last open trick, schnapsen", ("schnapsen", 5, 2), 6),
        timed("equilibrium: closed, 3 each, 9 hidden", ("bicycle", 3, 4), 20),
        timed("equilibrium: closed, 3 each, 11 hidden", ("bicycle", 3, 6), 20, "<= 150 ms"),
        timed("equilibrium: closed, 3 each, 13 hidden", ("bicycle", 3, 8), 6),
        lost("loss: closed, 3 each, 9 hidden", ("bicycle", 3, 4), 30, 4),
        lost("loss: closed, 3 each, 11 hidden", ("bicycle", 3, 6), 12, 4),
        lost("loss: last open trick, santase", ("santase", 6, 2), 4, 3),
        lost("loss: last open trick, schnapsen", ("schnapsen", 5, 2), 12, 3),
    ]


def positions(place: Place, n: int, rng: Random) -> Iterator[PublicState]:
    """Make up positions on lead that qualify, not decided by a claim.

    At the last open trick closing is left out: it is judged apart.
    """
    name, hand, talon = place
    rules: Rules = PRESETS[name] if talon > 2 else replace(PRESETS[name], close=False)
    while n:
        public = on_lead(rules, hand, talon, talon > 2, rng).public
        if equilibrium.qualifies(public) and max(public.points) < 66:
            n -= 1
            yield public


def even(public: PublicState) -> tuple[Range, Range]:
    """Return all hands that S and N may hold, each with the same weight."""
    up = 0 if public.upcard is None else public.upcard.mask
    pool = public.rules.pack & ~(public.played | up)
    found = []
    for seat in Seat.S, Seat.N:
        hands = prior(pool, public.held[seat], public.known[seat]).hands.astype(np.int32)
        found.append(Range(hands, np.ones(len(hands))))
    return found[0], found[1]


def tables(place: Place, n: int) -> Row:
    """Measure the largest game of some, and what the searches of one advice hold beside it."""
    games = [
        equilibrium.plant(public, *even(public)) for public in positions(place, n, Random(SEED))
    ]
    largest = max(sum(array.nbytes for array in (*game.tree, *game.work)) for game in games)
    beside = solver.memory().nbytes + sum(array.nbytes for array in new_tree())
    both = f"{beside / 2**20:.0f} MB solver's table and search tree"
    return Row(
        "equilibrium: largest game", n, f"{largest / 2**20:.0f} MB", both, "<= 256 MB together"
    )


def timed(what: str, place: Place, n: int, goal: str = "") -> Row:
    """Time the way from a position to a good equilibrium."""
    mem, times, gaps = solver.memory(), [], []
    equilibrium.warm_up()
    for public in positions(place, n, Random(SEED)):
        both, started = even(public), thread_time()
        _, bounds = equilibrium.solve(public, *both, target=GOOD, mem=mem)
        times.append(thread_time() - started)
        gaps.append(bounds.exploitability)
    return Row(what, n, spread_ms(times), f"exploitability {mean(gaps):.0e}", goal)


def lost(what: str, place: Place, n: int, n_hands: int) -> Row:
    """Compare what is suggested for random hands with the best against an equilibrium."""
    rng, mem = Random(SEED), solver.memory()
    losses: tuple[list[float], list[float]] = ([], [])
    for public in positions(place, n, rng):
        game, _ = equilibrium.solve(public, *even(public), target=BEST, mem=mem)
        seat = public.to_act
        for hand in rng.sample(even(public)[seat].hands.tolist(), n_hands):
            view = View(public, seat, hand)
            belief = prior(view.unseen, public.held[view.opponent])
            suggested = advise(view, belief, worlds=10**6).best.action
            for found, action in zip(losses, (open_best(view, belief), suggested), strict=True):
                found.append(loss(game, view, action))
    averaged, shipped = (mean(found) for found in losses)
    figure = f"{shipped:.4f} game points, worst {max(losses[1]):.3f}"
    return Row(what, n * n_hands, figure, f"{averaged:.4f} open-card average", "<= 0.002")


def loss(game: Game, view: View, action: Action) -> float:
    """Return the game points that an action gives away against the equilibrium's opponent."""
    worth = equilibrium.worth(game, view.seat, view.hand)
    return max(v for v, _ in worth.values()) - worth[action_column(action)][0]


def open_best(view: View, belief: Belief) -> Action:
    """Return the action with the highest open-card average."""
    worlds = enumerate_worlds(view, belief, np.random.default_rng(SEED))
    values = solver.world_values(view.public.rules, worlds.states, view.seat)
    actions = view.legal_actions()
    means = worlds.weights @ values[:, [action_column(action) for action in actions]]
    return actions[int(np.argmax(means))]
