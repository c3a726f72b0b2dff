"""Play whole deals by the models' own policies; the same seed gives the same records."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from inference import opponents
from inference.cards import Seat
from inference.game.events import UNSEEN_DRAW, Event
from inference.game.position import Position
from inference.game.record import Record
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents import Model
from inference.solve.encode import COLUMN_SILENCE, column_action
from inference.workshop.spread import spread

Players = tuple[str, str]
"""The names of the models that sit at S and N."""


def simulate(
    rules: Rules, n_deals: int, seed: int, players: Players = ("logit", "logit"), jobs: int = 1
) -> Iterator[Record]:
    """Yield complete records of `n_deals` deals, whose leaders take turns.

    Raise ModelError for an unknown model. The number of `jobs` changes nothing but the time.
    """
    for name in players:
        opponents.load(name)
    work = partial(play_deal, rules, seed, players)
    yield from spread(work, range(n_deals), jobs, "deals")


def play_deal(rules: Rules, seed: int, players: Players, number: int) -> Record:
    """Play deal `number` of a seed to its end."""
    rng = np.random.default_rng([seed, number])
    models = tuple(opponents.load(name) for name in players)
    first = position = Position.deal(rules, SEATS[number % 2], rng)
    events: list[Event] = []
    while not position.public.over:
        event = choose(position, models, rng)
        drawing = event.action == UNSEEN_DRAW
        events += position.drawn() if drawing else (event,)
        position = position.play(event.action, event.seat)
    return Record(
        rules,
        leader=first.public.leader,
        hands=first.hands,
        upcard=first.public.upcard,
        talon=first.talon,
        events=tuple(events),
        meta={"players": dict(zip("SN", players, strict=True)), "seed": seed, "deal": number},
    )


def choose(position: Position, models: tuple[Model, ...], rng: np.random.Generator) -> Event:
    """Draw the next event: the seat beside may speak first, then the seat to act."""
    public = position.public
    beside, to_act = other(public.to_act), public.to_act
    if position.other_actions():
        column = _column(position, models, beside, rng)
        if column != COLUMN_SILENCE:
            return Event(beside, column_action(column))
    return Event(to_act, column_action(_column(position, models, to_act, rng)))


def _column(
    position: Position, models: tuple[Model, ...], seat: Seat, rng: np.random.Generator
) -> int:
    hand = np.array([position.hands[seat]], dtype=np.uint32)
    p = models[seat].policy(position.public, seat, hand)[0]
    return int(rng.choice(len(p), p=p / p.sum()))
