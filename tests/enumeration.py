"""Slow truth for the belief: every (hand, talon order) world, followed one by one in Fractions.

Shares no code with `inference.belief`: cards are numbers in sets and tuples, and a world that
does not fit what was seen is thrown away. It also plays random deals of a small pack, against an
opponent who picks among his actions by odds that depend on his whole hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

Cards = frozenset[int]
Odds = tuple[Fraction, ...]  # one for each style


class World(NamedTuple):
    """One way the hidden cards may lie: the hands so far, and the talon, top first."""

    p: Fraction | int
    path: tuple[Cards, ...]
    talon: tuple[int, ...]

    @property
    def hand(self) -> Cards:
        return self.path[-1]


class Event(NamedTuple):
    """One thing that happens, with the cards that leave and enter the hidden hand.

    `kind` acts: what he does, with `odds` by hand. he_draws: unseen, from `pool`. i_draw: the card
    `out`, of `n_hidden` that lay face down. he_takes: the face-up card `into`. shows: `out` become
    known. `name` says which event of the game it stands for.
    """

    kind: str
    name: str
    out: Cards = frozenset()
    into: Cards = frozenset()
    odds: Callable[[Cards], Odds] = lambda hand: ()
    pool: Cards = frozenset()
    n_hidden: int = 0


def deal(unseen: Iterable[int], size: int) -> list[World]:
    """List all worlds, equally likely; probabilities here are up to a common factor."""
    cards = sorted(unseen)
    return [
        World(1, (frozenset(hand),), talon)
        for hand in combinations(cards, size)
        for talon in permutations([card for card in cards if card not in hand])
    ]


def follow(worlds: list[World], event: Event, style: int = 0) -> list[World]:
    """Let the event happen in every world; worlds where it cannot are gone."""
    return [after for world in worlds for after in _after(world, event, style)]


def _after(world: World, event: Event, style: int) -> Iterator[World]:
    p, path, talon = world
    hand = path[-1]
    if event.kind == "acts" and (odds := event.odds(hand)[style]):
        yield World(p * odds, (*path, hand - event.out | event.into), talon)
    if event.kind == "he_draws":
        yield World(p, (*path, hand | {talon[0]}), talon[1:])
    if event.kind == "i_draw" and {talon[0]} == event.out:
        yield World(p, (*path, hand), talon[1:])
    if event.kind == "he_takes":
        yield World(p, (*path, hand | event.into), talon)
    if event.kind == "shows" and event.out <= hand:
        yield World(p, (*path, hand), talon)


def tally(worlds: Iterable[World], what: Callable[[World], Any]) -> dict[Any, Fraction | int]:
    """Add up the worlds by some property; the sums of all tell how likely what was seen is."""
    sums: dict[Any, Fraction | int] = {}
    for world in worlds:
        value = what(world)
        sums[value] = sums[value] + world.p if value in sums else world.p
    return sums


def normalised(sums: Mapping[Any, Fraction | int]) -> dict[Any, Fraction]:
    """Scale to probabilities."""
    every = sum(sums.values())
    return {value: Fraction(p, every) for value, p in sums.items()}


class Script(NamedTuple):
    """The hidden cards of a small deal and what happened in it."""

    unseen: Cards
    size: int
    events: tuple[Event, ...]


@dataclass
class Decision:
    """What he may do at one moment, and how he would choose with every hand he might have."""

    salt: float
    low_trump: int
    is_open: bool
    done: tuple[str, ...]
    n_styles: int
    known: dict[Cards, dict[str, Odds]] = field(default_factory=dict)

    def actions(self, hand: Cards) -> list[str]:
        """List what a hand allows: play a card, alone or showing its mate, exchange, close."""
        plays = [f"play {card}" for card in sorted(hand)]
        plays += [f"show {card}" for card in sorted(hand) if card ^ 1 in hand]
        others = ["exchange"] * (self.low_trump in hand) + ["close"]
        return plays + [a for a in others if self.is_open and a not in self.done]

    def odds(self, hand: Cards, action: str) -> Odds:
        """Return P(action | hand) for every style; 0 if the hand does not allow it."""
        if hand not in self.known:
            rng = random.Random(f"{self.salt} {sorted(hand)}")
            actions = self.actions(hand)
            parts = [[rng.randint(1, 9) for _ in actions] for _ in range(self.n_styles)]
            self.known[hand] = {
                action: tuple(Fraction(part[i], sum(part)) for part in parts)
                for i, action in enumerate(actions)
            }
        return self.known[hand].get(action, (Fraction(),) * self.n_styles)


def script(seed: int, n_unseen: int = 8, size: int = 3, n_styles: int = 1) -> Script:
    """Play a random deal of a small pack; the same seed gives the same deal."""
    return _Deal(random.Random(seed), n_unseen, size, n_styles).play()


class _Deal:
    """Play one deal: the truth, and what I get to see of it."""

    def __init__(self, rng: random.Random, n_unseen: int, size: int, n_styles: int) -> None:
        pack = rng.sample(range(24), n_unseen + size + 1)
        self.rng, self.size, self.n_styles = rng, size, n_styles
        self.unseen, self.pool = frozenset(pack[:n_unseen]), set(pack[:n_unseen])
        self.his, self.talon = set(pack[:size]), pack[size:n_unseen]
        self.mine, self.upcard = set(pack[n_unseen:-1]), pack[-1]
        self.low_trump = rng.choice(pack[:-1])
        self.closed = False
        self.events: list[Event] = []

    @property
    def is_open(self) -> bool:
        return bool(self.talon) and not self.closed

    def play(self) -> Script:
        while self.his:
            self._he_acts()
            self._i_act()
            if self.is_open:
                self._both_draw()
            if self.his and self.rng.random() < 0.1:
                self._show()
        return Script(self.unseen, self.size, tuple(self.events))

    def _he_acts(self) -> None:
        action = ""
        done: tuple[str, ...] = ()
        while action[:4] not in ("play", "show"):
            moment = Decision(self.rng.random(), self.low_trump, self.is_open, done, self.n_styles)
            hand = frozenset(self.his)
            actions = moment.actions(hand)
            chances = [float(moment.odds(hand, action)[0]) for action in actions]
            action = self.rng.choices(actions, chances)[0]
            self._he_does(action, moment)
            done = (*done, action)

    def _he_does(self, action: str, moment: Decision) -> None:
        out: set[int] = set()
        into: set[int] = set()
        if action == "exchange":
            out, into, self.upcard = {self.low_trump}, {self.upcard}, self.low_trump
        elif action == "close":
            self.closed = True
        else:
            out = {int(action.split()[1])}
        self.his = self.his - out | into
        self.pool -= out
        name, sides = action.split()[0], (frozenset(out), frozenset(into))
        self.events.append(Event("acts", name, *sides, lambda hand: moment.odds(hand, action)))

    def _i_act(self) -> None:
        if self.is_open:
            if self.low_trump in self.mine and self.rng.random() < 0.5:
                self.mine ^= {self.low_trump, self.upcard}
                self.upcard = self.low_trump
            self.closed = self.rng.random() < 0.05
        self.mine.remove(self.rng.choice(sorted(self.mine)))

    def _both_draw(self) -> None:
        for draws in self.rng.sample([self._he_draws, self._i_draw], 2):
            draws()

    def _he_draws(self) -> None:
        if self.talon:
            self.his.add(self.talon.pop(0))
            self.events.append(Event("he_draws", "his draw", pool=frozenset(self.pool)))
        else:
            self.his.add(self.upcard)
            self.events.append(Event("he_takes", "upcard", into=frozenset({self.upcard})))

    def _i_draw(self) -> None:
        n_hidden = len(self.talon)
        card = self.talon.pop(0) if self.talon else self.upcard
        self.mine.add(card)
        if n_hidden:
            self.pool.remove(card)
            seen = frozenset({card})
            self.events.append(Event("i_draw", "my draw", out=seen, n_hidden=n_hidden))

    def _show(self) -> None:
        shown = frozenset(self.rng.sample(sorted(self.his), self.rng.randint(1, len(self.his))))
        self.events.append(Event("shows", "shown", out=shown))
