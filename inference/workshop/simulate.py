"""Play whole deals by the models' own policies; the same seed gives the same records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from inference import opponents
from inference.cards import Seat
from inference.game.events import UNSEEN_DRAW, Event
from inference.game.position import Position
from inference.game.record import Record
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents import Model
from inference.solve.encode import COLUMN_SILENCE, action_column, column_action
from inference.spread import spread
from inference.workshop.pool import Stranger, player

N_PLAYERS = 1000
"""How many players of the pool there are in each family: so many that few are met twice."""

Seats = tuple[Sequence[str], Sequence[str]]
"""The families of the pool that may sit at S and N."""

Players = tuple[str, str]
"""The names of the models that sit at S and N."""

Choose = Callable[[Position, Seat, np.random.Generator], int]
"""Draw the column of what a seat that has a choice does."""


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
    models = [opponents.load(name) for name in players]
    meta = {"players": dict(zip("SN", players, strict=True)), "seed": seed, "deal": number}
    return play_out(rules, SEATS[number % 2], partial(by_models, models), rng, meta)


def play_pool(rules: Sequence[Rules], seed: int, seats: Seats, number: int) -> Record:
    """Play deal `number` of a seed under one of some rule sets, by players of the pool.

    Each seat is taken by a player of one of the families named for it, drawn anew for each deal.
    """
    rng = np.random.default_rng([seed, number])
    chosen = [(str(rng.choice(some)), int(rng.integers(N_PLAYERS))) for some in seats]
    players = [player(family, k, seed) for family, k in chosen]
    names = [f"{family} {k}" for family, k in chosen]
    meta = {"players": dict(zip("SN", names, strict=True)), "seed": seed, "deal": number}
    one = rules[int(rng.integers(len(rules)))]
    return play_out(one, SEATS[number % 2], partial(by_players, players), rng, meta)


def play_out(
    rules: Rules, leader: Seat, choice: Choose, rng: np.random.Generator, meta: dict[str, Any]
) -> Record:
    """Deal the cards and play them to the end."""
    first = position = Position.deal(rules, leader, rng)
    events: list[Event] = []
    while not position.public.over:
        event = choose(position, choice, rng)
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
        meta=meta,
    )


def choose(position: Position, choice: Choose, rng: np.random.Generator) -> Event:
    """Draw the next event: the seat beside may speak first, then the seat to act."""
    public = position.public
    beside, to_act = other(public.to_act), public.to_act
    if position.other_actions():
        column = choice(position, beside, rng)
        if column != COLUMN_SILENCE:
            return Event(beside, column_action(column))
    return Event(to_act, column_action(choice(position, to_act, rng)))


def by_models(
    models: Sequence[Model], position: Position, seat: Seat, rng: np.random.Generator
) -> int:
    """Let models choose."""
    hand = np.array([position.hands[seat]], dtype=np.uint32)
    p = models[seat].policy(position.public, seat, hand)[0]
    return int(rng.choice(len(p), p=p / p.sum()))


def by_players(
    players: Sequence[Stranger], position: Position, seat: Seat, rng: np.random.Generator
) -> int:
    """Let players of the pool choose."""
    chances = players[seat].chances(position.view(seat), rng)
    actions, p = list(chances), np.array(list(chances.values()))
    return action_column(actions[int(rng.choice(len(p), p=p / p.sum()))])
