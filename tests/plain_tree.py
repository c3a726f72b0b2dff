"""The tree search written down plainly, on positions instead of state vectors.

It follows the papers and docs/advice.md, and takes its random numbers in the order of the search.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from inference.advice.ismcts import EVENLY, EXPLORATION, OPENNESS, TRUST, UNTRIED
from inference.advice.thumb import CARELESS, DEAR
from inference.cards import Card, Seat, cards
from inference.game.events import Action, Kind
from inference.game.position import Position, View
from inference.game.state import beats, other
from inference.opponents.logit import Logit
from inference.solve.encode import action_column, column_action

T = TypeVar("T")
SILENCE = action_column(Action(Kind.DRAW))
WORD = (1 << 64) - 1
URGENT = [action_column(Action(kind)) for kind in (Kind.CLAIM, Kind.EXCHANGE)] + [SILENCE]


class Stream:
    """Random numbers by G. Marsaglia's xorshift, 64 bits, steps 13, 7, 17."""

    def __init__(self, seed: int) -> None:
        self.x = 2 * seed + 1

    def uniform(self) -> float:
        self.x ^= self.x << 13 & WORD
        self.x ^= self.x >> 7
        self.x ^= self.x << 17 & WORD
        return (self.x >> 11) / (1 << 53)

    def one_of(self, some: Sequence[T]) -> T:
        return some[int(self.uniform() * len(some))]


@dataclass
class Node:
    visits: int = 0
    available: int = 1
    gained: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)
    drawn: dict[int, Node] = field(default_factory=dict)


@dataclass
class Turn:
    """A position and whether the seat beside has just chosen to say nothing."""

    position: Position
    silent: bool = False

    @property
    def over(self) -> bool:
        return self.position.public.over

    @property
    def beside(self) -> bool:
        """Tell whether the other seat is asked first; who cannot answer a close says nothing."""
        asked = self.position.public.may_answer_close() or self.position.other_actions()
        return bool(asked) and not self.silent

    @property
    def seat(self) -> Seat:
        to_act = self.position.public.to_act
        return other(to_act) if self.beside else to_act

    def columns(self) -> list[int]:
        if self.over:
            return []
        if self.beside:
            return sorted([*map(action_column, self.position.other_actions()), SILENCE])
        return sorted(map(action_column, self.position.legal_actions()))

    def do(self, column: int) -> Turn:
        if self.beside and column == SILENCE:
            return Turn(self.position, silent=True)
        return Turn(self.position.play(column_action(column), self.seat))


class PlainTree:
    """Search for the seat of a view; without a model the search is the published one."""

    def __init__(
        self,
        view: View,
        hands: Sequence[tuple[int, float]],
        columns: list[int],
        model: Logit | None,
        seed: int,
    ) -> None:
        self.view, self.columns, self.model = view, columns, model
        self.hands, self.chance, self.root = hands, Stream(seed), Node()

    def walk(self) -> None:
        turn, path = Turn(self.world()), [self.root]
        columns, new = sorted(self.columns), False
        while columns and not new:
            column = self.choose(turn, path[-1], columns)
            new = column not in path[-1].children and len(columns) > 1
            turn = self.step(turn, column, path)
            columns = turn.columns()
        while not turn.over:
            turn = turn.do(self.thumb(turn))
        for node in path:
            node.visits += 1
            node.gained += turn.position.public.payoff[self.view.seat] / 3

    def world(self) -> Position:
        sums = np.cumsum([p for _, p in self.hands]).tolist()
        hand = self.hands[min(bisect_left(sums, self.chance.uniform()), len(sums) - 1)][0]
        rest, talon = sorted(cards(self.view.unseen & ~hand)), []
        while rest:
            talon.append(self.chance.one_of(rest))
            rest.remove(talon[-1])
        return self.view.determine(hand, talon)

    def choose(self, turn: Turn, node: Node, columns: list[int]) -> int:
        if self.model is None or len(columns) == 1:
            return self.by_bounds(turn, node, columns)
        if turn.seat != self.view.seat:
            return self.drawn(self.expected(turn, self.model), columns)
        if node is self.root and self.chance.uniform() < EVENLY:
            return self.chance.one_of(columns)
        p = self.expected(turn, self.model._replace(epsilon=OPENNESS))
        return max(columns, key=lambda column: (self.bound(node, column, p[column]), -column))

    def bound(self, node: Node, column: int, p: float) -> float:
        child = node.children.get(column, Node())
        mean = node.gained / node.visits - UNTRIED if node.visits else 0.0
        mean = child.gained / child.visits if child.visits else mean
        return mean + TRUST * p * math.sqrt(max(1, node.visits)) / (1 + child.visits)

    def by_bounds(self, turn: Turn, node: Node, columns: list[int]) -> int:
        untried = [column for column in columns if column not in node.children]
        sign = 1 if turn.seat == self.view.seat else -1
        tried = {column: node.children[column] for column in columns if column in node.children}
        for child in tried.values():
            child.available += 1
        if untried:
            return self.chance.one_of(untried)

        def bound(column: int) -> float:
            child = tried[column]
            more = math.sqrt(math.log(child.available) / child.visits)
            return sign * child.gained / child.visits + EXPLORATION * more

        return max(columns, key=lambda column: (bound(column), -column))

    def expected(self, turn: Turn, model: Logit) -> list[float]:
        hand = np.array([turn.position.hands[turn.seat]], dtype=np.uint32)
        return [float(x) for x in model.policy(turn.position.public, turn.seat, hand)[0]]

    def drawn(self, p: list[float], columns: list[int]) -> int:
        left = self.chance.uniform()
        for column in columns:
            left -= p[column]
            if left < 0:
                break
        return column

    def step(self, turn: Turn, column: int, path: list[Node]) -> Turn:
        before, drawing = turn.position.hands[self.view.seat], turn.position.public.to_draw
        path.append(path[-1].children.setdefault(column, Node()))
        after = turn.do(column)
        if drawing and column == SILENCE:
            card = after.position.hands[self.view.seat] & ~before
            path.append(path[-1].drawn.setdefault(card, Node()))
        return after

    def thumb(self, turn: Turn) -> int:
        """Claim, exchange, say nothing, announce; else a card by rules of thumb."""
        columns, public = turn.columns(), turn.position.public
        for column in URGENT:
            if column in columns:
                return column
        shown = [c for c in columns if column_action(c).kind == Kind.ANNOUNCE]
        trumps = [c for c in shown if suit_of(c) == public.trump]
        if shown:
            return (trumps or shown)[0]
        plays = [Card(c) for c in columns if c < len(Card)]
        if self.chance.uniform() < CARELESS:
            return int(self.chance.one_of(plays))
        if public.led is not None:
            return int(answer(plays, public.led, public.trump, public.strict))
        return int(dearest(plays) if public.strict else cheapest(plays, public.trump))


def suit_of(column: int) -> int:
    card = column_action(column).card
    assert card is not None
    return card.suit


def dearest(plays: Sequence[Card]) -> Card:
    return max(plays, key=lambda card: (card.points, -card))


def cheapest(plays: Sequence[Card], trump: int | None) -> Card:
    return min(plays, key=lambda card: (card.points + 8 * (card.suit == trump), card))


def answer(plays: Sequence[Card], led: Card, trump: int, strict: bool) -> Card:
    winners = [card for card in plays if beats(card, led, trump)]
    same = [card for card in winners if card.suit == led.suit]
    if same and (led.suit != trump or strict or led.points >= DEAR):
        return dearest(same)
    ruffs = [card for card in plays if card.suit == trump]
    if ruffs and led.suit != trump and (strict or led.points >= DEAR):
        return cheapest(ruffs, None)
    return cheapest(plays, trump)
