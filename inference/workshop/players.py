"""Players for the contest: each chooses from its own tracker, which holds its view and belief.

| name | how it plays |
|---|---|
| `random` | any legal action |
| `greedy` | most points now |
| `club` | a careful club player's rules of thumb (club.py) |
| `pimc` | open solver's mean over worlds that fit the cards counted |
| `logit` | draws from the opponent model `logit` |
| `advisor` | our advice on the belief of `logit` |
| `advisor-counting` | our advice on the belief of mere card counting |

`pimc`, `advisor` and `advisor-counting` take a number of worlds, as in `advisor:60`; where all
can be listed, advisors look at all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

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
from inference.solve.encode import action_column, column_action
from inference.tracker import Tracker
from inference.workshop import club

Choose = Callable[[Tracker, np.random.Generator], Action]

N_WORLDS = 30
MOST_NODES = 2_000_000
"""After so many positions searched `pimc` asks for no further world."""


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


def pick_open(tracker: Tracker, rng: np.random.Generator, n_worlds: int = N_WORLDS) -> Action:
    """Choose the best mean of open-card values over worlds drawn from the belief."""
    view, actions = tracker.view, choices(tracker.view)
    forced = _forced(actions)
    if forced is not None:
        return forced
    columns, mem = [action_column(action) for action in actions], solver.memory()
    total, done = np.zeros(len(columns)), 0
    while done < n_worlds and mem[m.NODES] < MOST_NODES:
        world = sample_worlds(view, tracker.belief, 1, rng).states
        total += solver.world_values(view.public.rules, world, view.seat, mem)[0, columns]
        done += 1
    return actions[int(total.argmax())]


def pick_advised(tracker: Tracker, rng: np.random.Generator, n_worlds: int = N_WORLDS) -> Action:
    """Follow our advice from a fixed number of worlds."""
    forced = _forced(choices(tracker.view))
    if forced is not None:
        return forced
    seed = int(rng.integers(2**31))
    return advise(tracker.view, tracker.belief, worlds=n_worlds, seed=seed).best.action


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
    "logit": Player("logit", pick_by_model),
    "advisor": Player("logit", pick_advised),
    "advisor-counting": Player("counting", pick_advised),
}
SAMPLING = (pick_open, pick_advised)


def load(name: str) -> Player:
    """Return a player by name, `NAME` or `NAME:WORLDS`; raise NotationError for another text.

    >>> load("advisor:60").model
    'logit'
    """
    bare, colon, worlds = name.partition(":")
    player = REGISTRY.get(bare)
    if player is None:
        raise NotationError(f"there is no player {bare!r}: choose one of {', '.join(REGISTRY)}.")
    opponents.load(player.model)
    if not colon:
        return player
    if player.choose not in SAMPLING or not _counts(worlds):
        raise NotationError(f"{name!r} is no player: only pimc and advisors take worlds, from 1.")
    return player._replace(choose=partial(player.choose, n_worlds=int(worlds)))


def _counts(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text) < 10**6
