"""Rank my actions: exact, over every world, or over worlds drawn from the belief.

| talon | method |
|---|---|
| empty, his hand certain | exact: the one world solved open |
| at most 4, or closed | every world (a sample if too many) solved open, weighed by belief |
| the lead at 2, or closed with at most 3 cards | then by an equilibrium (equilibrium.py) |
| 6 and more | sampled worlds, open to the end of the trick, then played out (playout.py) |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np

from inference.advice import equilibrium, playout, reasons
from inference.advice.option import Advice, Sample, Values, rank
from inference.advice.worlds import Worlds, enumerate_worlds, n_worlds, sample_worlds
from inference.belief import Belief
from inference.cards import Seat
from inference.game.events import Action
from inference.game.position import Position, View
from inference.game.rules import PRESETS
from inference.opponents import load
from inference.opponents.logit import Logit
from inference.solve import equilibrium as two_sided
from inference.solve import solver
from inference.solve.encode import action_column

MOST_ENUMERATED = 1000
"""Above this number of worlds a sample is drawn."""
OPEN_TALON = 4
"""Up to this talon every world is solved open to the end."""
FIRST, SLICE = 4, 0.04
"""Worlds in the first slice, and the seconds that a slice aims at."""
WHOLE = 64
"""Where every world is looked at, so many are judged at once: short lists are never cut off."""
FEWEST = 30
"""Where the budget would not reach so many worlds, each is judged with less care."""

Evaluate = Callable[[Worlds, int], tuple[Values, Values]]
Part = tuple[Values, Values, Values]


class Plan(NamedTuple):
    """Hold how a position is judged: where worlds come from and what each is worth.

    `n_whole` is the number of all worlds, None where a sample is drawn; `evaluate` takes worlds and
    a level of care up to `last_level`.
    """

    n_whole: int | None
    worlds: Callable[[int], Worlds]
    evaluate: Evaluate
    last_level: int


def advise(
    view: View, belief: Belief, budget: float = 1.0, worlds: int | None = None, seed: int = 0
) -> Advice:
    """Return the last word of `improve`."""
    *_, last = improve(view, belief, budget, worlds, seed)
    return last


def improve(
    view: View, belief: Belief, budget: float = 1.0, worlds: int | None = None, seed: int = 0
) -> Iterator[Advice]:
    """Yield advice that gets better, slice by slice, until the budget (in seconds) is spent.

    With `worlds` the number of worlds decides instead of the clock, and the answer follows from
    `seed` alone. It is my turn to act in `view`.
    """
    started = perf_counter()
    effects = {a: reasons.effect(view, belief, a) for a in view.legal_actions()}
    plan = _plan(view, belief, list(effects), seed)
    limit = min(x for x in (worlds, plan.n_whole, 10**6) if x is not None)
    parts: list[Part] = []
    done, size, level = 0, FIRST if plan.n_whole is None else WHOLE, 0
    while done < limit:
        part = plan.worlds(min(size, limit - done))
        seconds = -perf_counter()
        parts.append((*plan.evaluate(part, level), part.weights))
        seconds += perf_counter()
        done += len(part.weights)
        yield _advice(effects, plan, parts, done)
        if worlds is not None:
            continue
        left = budget - (perf_counter() - started)
        enough = FEWEST if len(parts) > 1 else FEWEST / 4  # the first slice also warms up
        if level < plan.last_level and done + len(part.weights) * left / seconds < enough:
            parts, done, level = [], 0, level + 1
        elif left < seconds:
            break
        else:
            size = max(1, int(size * min(4.0, SLICE / max(seconds, 1e-4))))
    if len(effects) > 1 and equilibrium.fits(view, belief):
        deadline = started + budget if worlds is None else None
        columns = [action_column(action) for action in effects]
        for sample in equilibrium.judge(view, belief, columns, deadline):
            options = rank(list(effects), sample)
            reasoned = reasons.explain(options, effects, "enumerated", len(belief.hands))
            yield Advice("enumerated", len(belief.hands), reasoned)


def warm_up() -> None:
    """Compile what is compiled at its first use, so that no advice has to wait for it."""
    solver.action_values(Position.deal(PRESETS["schnapsen"], Seat.S, Random(1)))
    two_sided.warm_up()


def _advice(effects: dict[Action, str], plan: Plan, parts: list[Part], done: int) -> Advice:
    values, wins, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    whole = done == plan.n_whole
    options = rank(list(effects), Sample(values, wins, weights, whole))
    method = "sampled" if not whole else "exact" if done == 1 else "enumerated"
    return Advice(method, done, reasons.explain(options, effects, method, done))


def _plan(view: View, belief: Belief, actions: list[Action], seed: int) -> Plan:
    rng, columns = np.random.default_rng(seed), [action_column(action) for action in actions]
    if view.public.talon > OPEN_TALON and view.public.closed is None:
        evaluate, last_level = _played_out(view, columns, seed), len(playout.CARE) - 1
        return Plan(None, lambda n: sample_worlds(view, belief, n, rng), evaluate, last_level)
    evaluate, whole = _open(view, columns), n_worlds(view, belief)
    if whole > MOST_ENUMERATED:
        return Plan(None, lambda n: sample_worlds(view, belief, n, rng), evaluate, 0)
    return Plan(whole, _one_after_another(enumerate_worlds(view, belief, rng)), evaluate, 0)


def _one_after_another(worlds: Worlds) -> Callable[[int], Worlds]:
    place = 0

    def following(n: int) -> Worlds:
        nonlocal place
        place += n
        return worlds.part(place - n, place)

    return following


def _played_out(view: View, columns: list[int], seed: int) -> Evaluate:
    """Search to the end of the trick, then let both sides follow the shipped logit."""
    model = load("logit")
    assert isinstance(model, Logit)
    return playout.evaluator(view, columns, model, seed)


def _open(view: View, columns: list[int]) -> Evaluate:
    """Solve worlds with all cards open, from my view."""
    mem = solver.memory()

    def evaluate(worlds: Worlds, _level: int) -> tuple[Values, Values]:
        table = solver.world_values(view.public.rules, worlds.states, view.seat, mem)
        values = table[:, columns].astype(float)
        return values, (values > 0).astype(float)

    return evaluate
