"""Players for the contest: each chooses from its own tracker, which holds its view and belief.

| name | how it plays |
|---|---|
| `random` | any legal action |
| `greedy` | most points now |
| `club` | a careful club player's rules of thumb (club.py) |
| `pimc` | open solver's mean over worlds that fit the cards counted |
| `ismcts` | information-set Monte Carlo tree search on the cards counted (ismcts.py) |
| `logit` | draws from the opponent model `logit` |
| `advisor` | our advice on the belief of `styles`, as it is given at a table |
| `advisor-counting` | our advice on the belief of mere card counting |

Those that search take a number of worlds (`ismcts`: of walks), as in `advisor:60`, or the time
for each action, as in `advisor:50ms`. A time lets unlike players meet on equal terms, but only a
number gives the same deals again. Where all worlds can be listed, advisors look at all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import inference.solve.layout as m
from inference import opponents
from inference.advice import advise
from inference.advice.worlds import sample_worlds
from inference.cards import Card
from inference.errors import NotationError
from inference.game.events import CLAIM, EXCHANGE, UNSEEN_DRAW, Action, Kind
from inference.game.position import View
from inference.game.state import beats
from inference.solve import solver
from inference.solve.encode import N_ACTIONS, Vector, action_column, column_action
from inference.solve.kernel import UNSOLVED
from inference.tracker import Tracker
from inference.workshop import club, ismcts
from inference.workshop.effort import Effort, parse

Choose = Callable[[Tracker, np.random.Generator], Action]

N_WORLDS, N_WALKS = Effort(30), Effort(10_000)
"""What is thought about an action where nothing is said: worlds, and walks of the tree search."""
MOST_NODES = 2_000_000
"""After so many positions searched `pimc` asks for no further world, unless it has a time."""
NODES_A_LOOK = 100_000
"""Positions between two looks at the clock."""


class Player(NamedTuple):
    """Hold a player: the model that its tracker uses, and how it chooses."""

    model: str
    choose: Choose


def choices(view: View) -> list[Action]:
    """List what a seat may do; where it stands beside, silence (written `+`) is a choice too."""
    actions = view.legal_actions()
    return actions if view.public.to_act == view.seat else [*actions, UNSEEN_DRAW]


def pick_random(tracker: Tracker, rng: np.random.Generator) -> Action:
    """Choose any legal action."""
    actions = choices(tracker.view)
    return actions[int(rng.integers(len(actions)))]


def pick_greedy(tracker: Tracker, rng: np.random.Generator) -> Action:
    """Claim, announce, exchange; else take most points, lead high, throw the cheapest card."""
    view, actions = tracker.view, choices(tracker.view)
    shown = [action for action in actions if action.kind == Kind.ANNOUNCE]
    if shown:
        return max(shown, key=lambda a: (_of(a).suit == view.public.trump, _of(a)))
    for urgent in (CLAIM, EXCHANGE, UNSEEN_DRAW):
        if urgent in actions:
            return urgent
    plays = [_of(action) for action in actions if action.kind == Kind.PLAY]
    return Action(Kind.PLAY, max(plays, key=partial(_greed, view)))


def _of(action: Action) -> Card:
    assert action.card is not None
    return action.card


def _greed(view: View, card: Card) -> tuple[bool, int, int]:
    led = view.public.led
    wins = led is None or beats(card, led, view.public.trump)
    return wins, card.points if wins else -card.points, -card


def pick_by_model(tracker: Tracker, rng: np.random.Generator) -> Action:
    """Draw an action from the tracker's model with my own hand."""
    view = tracker.view
    hand = np.array([view.hand], dtype=np.uint32)
    p = tracker.model.policy(view.public, view.seat, hand)[0]
    return column_action(int(rng.choice(len(p), p=p / p.sum())))


def pick_open(tracker: Tracker, rng: np.random.Generator, effort: Effort = N_WORLDS) -> Action:
    """Choose the best mean of open-card values over worlds drawn from the belief.

    One world is solved in any case; one that the time cuts off is left out.
    """
    view, actions, started = tracker.view, choices(tracker.view), perf_counter()
    forced = _forced(actions)
    if forced is not None:
        return forced
    columns, mem = [action_column(action) for action in actions], solver.memory()
    total, done = np.zeros(len(columns)), 0
    while done == 0 or not (effort.spent(done, started) or _too_much(effort, mem)):
        world = sample_worlds(view, tracker.belief, 1, rng).states
        values = _solved(view, world, mem, effort if done else Effort(), started)[columns]
        if UNSOLVED in values:
            break
        total, done = total + values, done + 1
    return actions[int(total.argmax())]


def _too_much(effort: Effort, mem: m.Memory) -> bool:
    return effort.seconds is None and mem[m.NODES] >= MOST_NODES


def _solved(
    view: View, world: Vector, mem: m.Memory, effort: Effort, started: float
) -> npt.NDArray[np.int8]:
    """Solve a world, looking at the clock now and then if the time is limited."""
    rules, out = view.public.rules, np.full((1, N_ACTIONS), UNSOLVED, np.int8)
    while True:
        solver.world_values(rules, world, view.seat, mem, NODES_A_LOOK, out)
        late = effort.seconds is not None and effort.spent(0, started)
        if late or UNSOLVED not in out:
            return out.reshape(-1)


def pick_by_tree(tracker: Tracker, rng: np.random.Generator, effort: Effort = N_WALKS) -> Action:
    """Choose what the information-set tree search visits most."""
    actions = choices(tracker.view)
    forced = _forced(actions)
    if forced is not None:
        return forced
    return ismcts.best(tracker.view, tracker.belief, actions, rng, effort)


def pick_advised(tracker: Tracker, rng: np.random.Generator, effort: Effort = N_WORLDS) -> Action:
    """Follow our advice from a fixed number of worlds, or within a time."""
    forced = _forced(choices(tracker.view))
    if forced is not None:
        return forced
    seed, view, belief = int(rng.integers(2**31)), tracker.view, tracker.belief
    if effort.seconds is not None:
        return advise(view, belief, budget=effort.seconds, seed=seed).best.action
    return advise(view, belief, worlds=effort.worlds, seed=seed).best.action


def _forced(actions: list[Action]) -> Action | None:
    """Return what needs no thought: claim, answer a close, draw, the only action."""
    if CLAIM in actions:
        return CLAIM
    if UNSEEN_DRAW in actions:
        return EXCHANGE if EXCHANGE in actions else UNSEEN_DRAW
    return actions[0] if len(actions) == 1 else None


REGISTRY = {
    "random": Player("counting", pick_random),
    "greedy": Player("counting", pick_greedy),
    "club": Player("counting", club.pick),
    "pimc": Player("counting", pick_open),
    "ismcts": Player("counting", pick_by_tree),
    "logit": Player("logit", pick_by_model),
    "advisor": Player("styles", pick_advised),
    "advisor-counting": Player("counting", pick_advised),
}
SEARCHING = (pick_open, pick_by_tree, pick_advised)


def load(name: str) -> Player:
    """Return a player by name, `NAME`, `NAME:60` or `NAME:50ms`; raise NotationError.

    >>> load("advisor:60").model
    'styles'
    """
    bare, colon, text = name.partition(":")
    player = REGISTRY.get(bare)
    if player is None:
        raise NotationError(f"there is no player {bare!r}: choose one of {', '.join(REGISTRY)}.")
    opponents.load(player.model)
    if not colon:
        return player
    effort = parse(text)
    if player.choose not in SEARCHING or effort is None:
        raise NotationError(
            f"{name!r} is no player: after pimc, ismcts and the advisors may stand a number of "
            "worlds, as in pimc:60, or the time for each action, as in pimc:50ms."
        )
    return player._replace(choose=partial(player.choose, effort=effort))
