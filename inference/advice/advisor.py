"""Rank my actions: exact, over every world, or by a search through worlds that the belief deals.

| talon | method |
|---|---|
| empty, his hand certain | exact: the one world solved open |
| 2, or closed | every world (a sample if too many) solved open, weighed by belief |
| the lead at 2, or closed with at most 3 cards | then by an equilibrium (equilibrium.py) |
| 4 and more | tree search over what I can see, he plays by the policy (ismcts.py) |

What closing is worth is judged apart, by the lowest of three figures (closing.py).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np

import inference.solve.encode as e
from inference.advice import equilibrium, reasons
from inference.advice.closing import N_PLANNED, Closing, Figures
from inference.advice.decider import Masks, dealt, deciders
from inference.advice.ismcts import Guide
from inference.advice.option import (
    Advice,
    Sample,
    Scores,
    Stakes,
    Values,
    chances,
    rank,
)
from inference.advice.searched import SHARPNESS, Search, Watch, close_apart, close_told, lowest
from inference.advice.stakes import stakes
from inference.advice.worlds import Worlds, enumerate_worlds, n_worlds, sample_worlds, tempered
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
OPEN_TALON = 2
"""Up to this talon every world is solved open to the end."""
ALPHA = 0.2
"""Share of card counting in the worlds that are drawn with a longer talon."""
WALKS = 50
"""Walks through the tree that stand for one world, where a number of worlds decides."""
FIRST, SLICE = 100, 0.04
"""Walks in the first slice, and the seconds that a slice aims at."""
RESERVE = 0.8
"""Share of the time left that a slice may take, as worlds differ."""
WHOLE = 64
"""Where every world is looked at, so many are judged at once: short lists are never cut off."""
STEADY = 256
"""Worlds in a slice where no clock runs."""
SETTLED = 3000
"""After so many walks a lead that is clear ends the search early."""

Effects = dict[Action, str]


class Plan(NamedTuple):
    """Hold how a position is judged in the open: where worlds come from, what each is worth.

    `n_whole` is the number of all worlds, None where a sample is drawn; `evaluate` judges
    `actions` in worlds; `closing` judges the close, where it is legal, and comes after them.
    """

    n_whole: int | None
    worlds: Callable[[int], Worlds]
    actions: list[Action]
    evaluate: Callable[[Worlds], Values]
    closing: Closing | None
    stakes: Stakes | None


class Apart(NamedTuple):
    """Hold what closing is worth, and which card or which stake decides it."""

    scores: Scores
    told: str


class Part(NamedTuple):
    """Hold what a slice of worlds is worth."""

    values: Values
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

    With `worlds` their number decides instead of the clock, and the answer follows from `seed`
    alone; where all worlds can be listed, all are judged, and where a tree is searched each stands
    for `WALKS` walks with a world of their own. It is my turn to act in `view`; where I may only
    speak beside the seat to act, or before the drawing, `actions` says among what I choose, silence
    (`+`) included. With the `match` before the deal, if it can be won now, actions are ranked by
    the probability to win it.
    """
    deadline = perf_counter() + budget if worlds is None else None
    choices = view.legal_actions() if actions is None else list(actions)
    rules = view.public.rules
    counts = match is not None and match.may_end(rules)
    aim = stakes(match, rules, view.seat) if match is not None and counts else None
    effects = {a: reasons.effect(view, belief, a) for a in choices}
    if view.public.talon > OPEN_TALON and view.public.closed is None:
        yield from _by_tree(view, belief, effects, worlds, deadline, seed, aim)
        return
    plan = _plan(view, belief, choices, seed, aim)
    close = yield from _world_by_world(view, belief, plan, effects, worlds, deadline, budget)
    # An equilibrium in game points says nothing of a score at which they are not worth alike.
    if aim is None and len(effects) > 1 and equilibrium.fits(view, belief):
        yield from _two_sided(view, belief, effects, close, deadline)


def _by_tree(
    view: View,
    belief: Belief,
    effects: Effects,
    worlds: int | None,
    deadline: float | None,
    seed: int,
    aim: Stakes | None,
) -> Iterator[Advice]:
    """Search a tree, and judge the close apart while it may be the best."""
    model, rng, hands = _policy(), np.random.default_rng(seed), tempered(belief, ALPHA)
    actions, apart = close_apart(view, list(effects))
    guide = Guide(SHARPNESS * model.weights, model.epsilon, 1)
    search = Search(view, hands, actions, guide, seed, aim)
    watch = Watch(view, belief, model, rng, aim) if apart else None
    most = 10**9 if worlds is None else max(WALKS * worlds, len(actions))
    size = STEADY * WALKS if worlds is not None else FIRST
    while True:
        seconds = -perf_counter()
        search.walk(min(size, most - search.n))
        seconds += perf_counter()
        scores = search.scores()
        told = dict(zip(actions, deciders(belief, search.dealt()), strict=True))
        if watch is not None:
            more = watch.look(scores.aims.max())
            while more and worlds is not None and watch.n < worlds:
                more = watch.look(scores.aims.max())
            scores = scores.beside(watch.scores())
            told[CLOSE] = watch.told(belief)
        options = rank([*actions, CLOSE] if apart else actions, scores)
        yield Advice("sampled", search.n, reasons.explain(options, effects, told, "sampled"))
        if search.n >= most or (deadline is not None and search.n >= SETTLED and scores.settled()):
            return
        if deadline is not None:
            left = deadline - perf_counter()
            size = int(min(4 * size, size * min(SLICE, RESERVE * left) / seconds))
            if size < FIRST / 4:
                return


def _world_by_world(
    view: View,
    belief: Belief,
    plan: Plan,
    effects: Effects,
    worlds: int | None,
    deadline: float | None,
    budget: float,
) -> Generator[Advice, None, Apart | None]:
    """Judge worlds until all are, or the time is over; return what was found of the close."""
    limit = plan.n_whole or worlds or 10**6
    parts: list[Part] = []
    done, size = 0, STEADY if worlds is not None else WHOLE if plan.n_whole is not None else 1
    while done < limit:
        seconds = -perf_counter()
        parts.append(_judge(plan, plan.worlds(min(size, limit - done))))
        seconds += perf_counter()
        n = len(parts[-1].values)
        done += n
        sample, hands = _sample(plan, parts, done), _hands(view, parts)
        yield _advice(belief, effects, plan, sample, hands)
        if deadline is None:
            continue
        within = n * (deadline - perf_counter()) / seconds
        if within < 1 / RESERVE:
            break
        size = max(1, int(min(4 * size, n * min(SLICE, budget / 6) / seconds, RESERVE * within)))
    if plan.closing is None:
        return None
    close = sample.only(-1)
    return Apart(close.scores(), close_told(belief, hands, close))


def _two_sided(
    view: View, belief: Belief, effects: Effects, close: Apart | None, deadline: float | None
) -> Iterator[Advice]:
    actions, _ = close_apart(view, list(effects))
    columns, n = [action_column(action) for action in actions], len(belief.hands)
    told = dict.fromkeys(effects, "") | ({} if close is None else {CLOSE: close.told})
    for sample in equilibrium.judge(view, belief, columns, deadline):
        scores = sample.scores()
        if close is not None:
            scores = scores.beside(close.scores)
        options = rank(actions if close is None else [*actions, CLOSE], scores)
        yield Advice("enumerated", n, reasons.explain(options, effects, told, "enumerated"))


def warm_up() -> None:
    """Compile what is compiled at its first use, so that no advice has to wait for it."""
    solver.action_values(Position.deal(PRESETS["schnapsen"], Seat.S, Random(1)))
    two_sided.warm_up()


def _policy() -> Logit:
    model = load("logit")
    assert isinstance(model, Logit)
    return model


def _judge(plan: Plan, worlds: Worlds) -> Part:
    close = None if plan.closing is None else plan.closing.figures(worlds)
    return Part(plan.evaluate(worlds), worlds, close)


def _sample(plan: Plan, parts: list[Part], done: int) -> Sample:
    """Join the slices; of the figures of the close the lowest counts."""
    values = np.concatenate([part.values for part in parts])
    weights, wins = np.concatenate([part.worlds.weights for part in parts]), values > 0
    aim = None if plan.stakes is None else chances(values, plan.stakes)
    if plan.closing is not None:
        close = [part.close for part in parts if part.close is not None]
        points, won, match = lowest(close, weights)
        values, wins = np.column_stack([values, points]), np.column_stack([wins, won])
        aim = None if aim is None else np.column_stack([aim, match])
    return Sample(values, wins.astype(float), weights, done == plan.n_whole, aim)


def _hands(view: View, parts: list[Part]) -> Masks:
    """Return his hand in every world that was judged."""
    return np.concatenate([part.worlds.states[:, e.HANDS + view.opponent] for part in parts])


def _advice(belief: Belief, effects: Effects, plan: Plan, sample: Sample, hands: Masks) -> Advice:
    actions = [*plan.actions, CLOSE] if plan.closing else plan.actions
    options, done = rank(actions, sample.scores()), len(sample.values)
    method = "sampled" if not sample.whole else "exact" if done == 1 else "enumerated"
    told = dict(zip(actions, deciders(belief, dealt(hands, sample)), strict=True))
    if plan.closing is not None:
        told[CLOSE] = close_told(belief, hands, sample.only(-1))
    return Advice(method, done, reasons.explain(options, effects, told, method))


def _plan(view: View, belief: Belief, choices: list[Action], seed: int, aim: Stakes | None) -> Plan:
    rng, closing = np.random.default_rng(seed), None
    actions, apart = close_apart(view, choices)
    if apart:
        closing = Closing(view, sample_worlds(view, belief, N_PLANNED, rng), _policy(), aim)
    evaluate = _open(view, [action_column(action) for action in actions])
    n = n_worlds(view, belief)
    if n > MOST_ENUMERATED:
        draw = partial(sample_worlds, view, belief, rng=rng)
        return Plan(None, draw, actions, evaluate, closing, aim)
    listed = _one_after_another(enumerate_worlds(view, belief, rng))
    return Plan(n, listed, actions, evaluate, closing, aim)


def _one_after_another(worlds: Worlds) -> Callable[[int], Worlds]:
    place = 0

    def following(n: int) -> Worlds:
        nonlocal place
        place += n
        return worlds.part(place - n, place)

    return following


def _open(view: View, columns: list[int]) -> Callable[[Worlds], Values]:
    """Solve worlds with all cards open, from my view."""
    mem = solver.memory()

    def evaluate(worlds: Worlds) -> Values:
        table = np.full((len(worlds.states), e.N_ACTIONS), solver.ILLEGAL, np.int8)
        table[:, columns] = solver.UNSOLVED
        solver.world_values(view.public.rules, worlds.states, view.seat, mem, out=table)
        return table[:, columns].astype(float)

    return evaluate
