"""Rank my actions: exact, over every world, or over worlds drawn from the belief.

| talon | method |
|---|---|
| empty, his hand certain | exact: the one world solved open |
| at most 4, or closed | every world (a sample if too many) solved open, weighed by belief |
| the lead at 2, or closed with at most 3 cards | then by an equilibrium (equilibrium.py) |
| 6 and more | sampled worlds, he replies by the policy, then solved open (playout.py) |

What closing is worth is judged apart, by the lowest of three figures (closing.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np

import inference.solve.encode as e
from inference.advice import equilibrium, playout, reasons
from inference.advice.closing import N_PLANNED, Closing, Figures
from inference.advice.decider import Masks, deciders
from inference.advice.option import Advice, Sample, Stakes, Values, chances, rank
from inference.advice.stakes import stakes
from inference.advice.worlds import (
    Worlds,
    enumerate_worlds,
    n_worlds,
    sample_worlds,
    tempered,
)
from inference.belief import Belief
from inference.cards import Seat
from inference.game.events import CLOSE, Action
from inference.game.match import Match
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
ALPHA = 0.2
"""Share of card counting in the worlds that are drawn with a longer talon."""
FIRST, SLICE = 1, 0.04
"""Worlds in the first slice, and the seconds that a slice aims at."""
RESERVE = 0.8
"""Share of the time left that a slice may take, as worlds differ."""
WHOLE = 64
"""Where every world is looked at, so many are judged at once: short lists are never cut off."""
STEADY = 256
"""Worlds in a slice where no clock runs."""
FEWEST = 12
"""Where the budget would not reach so many worlds, each is judged with less care."""
SETTLED = 60
"""After so many sampled worlds a lead that is clear ends the search early."""

Evaluate = Callable[[Worlds, int], tuple[Values, Values]]


class Plan(NamedTuple):
    """Hold how a position is judged: where worlds come from and what each is worth.

    `n_whole` is the number of all worlds, None where a sample is drawn; `evaluate` takes worlds and
    a level of care up to `last_level` and judges `actions`; `closing` judges the close, where it is
    legal, and comes after them. `stakes` are there if the match counts and values are whole.
    """

    n_whole: int | None
    worlds: Callable[[int], Worlds]
    actions: list[Action]
    evaluate: Evaluate
    last_level: int
    closing: Closing | None
    stakes: Stakes | None


class Part(NamedTuple):
    """Hold what a slice of worlds is worth."""

    values: Values
    wins: Values
    worlds: Worlds
    close: Figures | None


def advise(
    view: View,
    belief: Belief,
    budget: float = 1.0,
    worlds: int | None = None,
    seed: int = 0,
    actions: Sequence[Action] | None = None,
    match: Match | None = None,
) -> Advice:
    """Return the last word of `improve`."""
    *_, last = improve(view, belief, budget, worlds, seed, actions, match)
    return last


def improve(
    view: View,
    belief: Belief,
    budget: float = 1.0,
    worlds: int | None = None,
    seed: int = 0,
    actions: Sequence[Action] | None = None,
    match: Match | None = None,
) -> Iterator[Advice]:
    """Yield advice that gets better, slice by slice, until the budget (in seconds) is spent.

    With `worlds` the number of worlds decides instead of the clock, and the answer follows from
    `seed` alone; where all worlds can be listed, all are judged. It is my turn to act in `view`;
    where I may only speak beside the seat to act, or before the drawing, `actions` says among what
    I choose, silence (`+`) included. With the `match` before the deal, if it can be won now,
    actions are ranked by the probability to win it wherever worlds are solved to the end; with a
    longer talon values are means, of which the match cannot be told, and game points decide.
    """
    started = perf_counter()
    choices = view.legal_actions() if actions is None else list(actions)
    plan = _plan(view, belief, choices, seed, match)
    effects = {a: reasons.effect(view, belief, a) for a in choices}
    deadline = started + budget if worlds is None else None
    yield from _world_by_world(view, belief, plan, effects, worlds, deadline, budget)
    # An equilibrium in game points says nothing of a score at which they are not worth alike.
    if plan.stakes is None and len(effects) > 1 and equilibrium.fits(view, belief):
        yield from _two_sided(view, belief, effects, deadline)


def _world_by_world(
    view: View,
    belief: Belief,
    plan: Plan,
    effects: dict[Action, str],
    worlds: int | None,
    deadline: float | None,
    budget: float,
) -> Iterator[Advice]:
    limit = plan.n_whole or worlds or 10**6
    parts: list[Part] = []
    done, level = 0, 0
    size = STEADY if worlds is not None else FIRST if plan.n_whole is None else WHOLE
    while done < limit:
        seconds = -perf_counter()
        parts.append(_judge(plan, plan.worlds(min(size, limit - done)), level))
        seconds += perf_counter()
        n = len(parts[-1].values)
        done += n
        sample = _sample(plan, parts, done)
        yield _advice(belief, effects, plan, sample, _hands(view, parts))
        if deadline is None:
            continue
        left = deadline - perf_counter()
        within = n * left / seconds
        enough = FEWEST if len(parts) > 1 else FEWEST / 4  # the first slice also warms up
        if level < plan.last_level and done + within < enough and 2 * left > budget:
            parts, done, level = [], 0, level + 1
        elif within < 1 / RESERVE or (
            plan.n_whole is None and done >= SETTLED and sample.settled()
        ):
            return
        else:
            aim = n * min(SLICE, budget / 6) / seconds
            size = max(1, int(min(4 * size, aim, RESERVE * within)))


def _two_sided(
    view: View, belief: Belief, effects: dict[Action, str], deadline: float | None
) -> Iterator[Advice]:
    columns, n = [action_column(action) for action in effects], len(belief.hands)
    for sample in equilibrium.judge(view, belief, columns, deadline):
        options = rank(list(effects), sample)
        told = dict.fromkeys(effects, "")
        yield Advice("enumerated", n, reasons.explain(options, effects, told, "enumerated"))


def warm_up() -> None:
    """Compile what is compiled at its first use, so that no advice has to wait for it."""
    solver.action_values(Position.deal(PRESETS["schnapsen"], Seat.S, Random(1)))
    two_sided.warm_up()


def _judge(plan: Plan, worlds: Worlds, level: int) -> Part:
    close = None if plan.closing is None else plan.closing.figures(worlds)
    return Part(*plan.evaluate(worlds, level), worlds, close)


def _sample(plan: Plan, parts: list[Part], done: int) -> Sample:
    """Join the slices; of the figures of the close the lowest counts."""
    values, wins = (np.concatenate(x) for x in zip(*(part[:2] for part in parts), strict=True))
    weights = np.concatenate([part.worlds.weights for part in parts])
    aim = None if plan.stakes is None else chances(values, plan.stakes)
    if plan.closing is not None:
        close = [part.close for part in parts if part.close is not None]
        points, won, match = (np.concatenate(x) for x in zip(*close, strict=True))
        lowest = int((weights @ (points if aim is None else match)).argmin())
        values = np.column_stack([values, points[:, lowest]])
        wins = np.column_stack([wins, won[:, lowest]])
        aim = None if aim is None else np.column_stack([aim, match[:, lowest]])
    return Sample(values, wins, weights, done == plan.n_whole, aim)


def _hands(view: View, parts: list[Part]) -> Masks:
    """Return his hand in every world that was judged."""
    return np.concatenate([part.worlds.states[:, e.HANDS + view.opponent] for part in parts])


def _advice(
    belief: Belief, effects: dict[Action, str], plan: Plan, sample: Sample, hands: Masks
) -> Advice:
    actions = [*plan.actions, CLOSE] if plan.closing else plan.actions
    options, done = rank(actions, sample), len(sample.values)
    method = "sampled" if not sample.whole else "exact" if done == 1 else "enumerated"
    told = dict(zip(actions, deciders(belief, hands, sample), strict=True))
    if plan.closing is not None and not told[CLOSE]:
        told[CLOSE] = reasons.stake(sample.values[:, -1], sample.wins[:, -1], sample.weights)
    return Advice(method, done, reasons.explain(options, effects, told, method))


def _plan(
    view: View, belief: Belief, choices: list[Action], seed: int, match: Match | None
) -> Plan:
    rng, model = np.random.default_rng(seed), load("logit")
    assert isinstance(model, Logit)
    solved = view.public.talon <= OPEN_TALON or view.public.closed is not None
    counts = match is not None and match.may_end(view.public.rules) and solved
    aim = stakes(match, view.public.rules, view.seat) if match is not None and counts else None
    apart = CLOSE in choices and not view.public.to_draw
    actions = [action for action in choices if action != CLOSE or not apart]
    columns = [action_column(action) for action in actions]
    closing = None
    if apart:
        closing = Closing(view, sample_worlds(view, belief, N_PLANNED, rng), model, aim)
    whole: int | None = n_worlds(view, belief)
    if not solved:
        evaluate, last_level = playout.evaluator(view, columns, model, seed)
        whole, belief = None, tempered(belief, ALPHA)
    else:
        evaluate, last_level = _open(view, columns), 0
    if whole is None or whole > MOST_ENUMERATED:
        draw = partial(sample_worlds, view, belief, rng=rng)
        return Plan(None, draw, actions, evaluate, last_level, closing, aim)
    listed = _one_after_another(enumerate_worlds(view, belief, rng))
    return Plan(whole, listed, actions, evaluate, last_level, closing, aim)


def _one_after_another(worlds: Worlds) -> Callable[[int], Worlds]:
    place = 0

    def following(n: int) -> Worlds:
        nonlocal place
        place += n
        return worlds.part(place - n, place)

    return following


def _open(view: View, columns: list[int]) -> Evaluate:
    """Solve worlds with all cards open, from my view."""
    mem = solver.memory()

    def evaluate(worlds: Worlds, _level: int) -> tuple[Values, Values]:
        table = np.full((len(worlds.states), e.N_ACTIONS), solver.ILLEGAL, np.int8)
        table[:, columns] = solver.UNSOLVED
        solver.world_values(view.public.rules, worlds.states, view.seat, mem, out=table)
        values = table[:, columns].astype(float)
        return values, (values > 0).astype(float)

    return evaluate
