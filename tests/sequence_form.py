"""Equilibria by linear programming: the slow twin of `inference.solve.equilibrium`.

The sequence form (von Stengel 1996; Koller, Megiddo and von Stengel 1996) of a position in which
both hands are hidden, written over `PublicState` alone and solved by HiGHS.
`python -m tests.sequence_form --states 100 --hidden 11 --seed 1` compares closed positions with
three cards each and so many hidden cards.
"""

import argparse
from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_matrix

from inference.cards import MARRIAGES, Seat, cards, mask_of
from inference.game.events import Action, Event, Kind
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.state import PublicState, other
from inference.solve import equilibrium, solver
from inference.solve.equilibrium import Range
from tests.positions import any_rules, moved, on_lead

Held = dict[int, tuple[int, int]]
"""First hand -> hand now, number of the last sequence."""


class Program:
    """Collect the sequences, the constraints of both seats and the payoffs to S."""

    def __init__(self, weights: tuple[dict[int, float], dict[int, float]]) -> None:
        self.weights = weights
        self.n_sequences = [1, 1]
        self.rows: list[list[tuple[int, list[int]]]] = [[], []]
        self.payoffs: dict[tuple[int, int], float] = {}

    def pairs(self, held: tuple[Held, Held]) -> Iterator[tuple[int, int, float]]:
        for s in held[0]:
            for n in held[1]:
                if not s & n:
                    yield s, n, self.weights[0][s] * self.weights[1][n]

    def pay(self, held: tuple[Held, Held], s: int, n: int, worth: float) -> None:
        key = held[0][s][1], held[1][n][1]
        self.payoffs[key] = self.payoffs.get(key, 0.0) + worth

    def visit(self, public: PublicState, held: tuple[Held, Held], asked: bool = False) -> None:
        """Follow every action of the seat that decides; who may act beside the turn is first."""
        if public.over:
            for s, n, weight in self.pairs(held):
                self.pay(held, s, n, weight * public.payoff[Seat.S])
        elif public.to_draw:
            for s, n, weight in self.pairs(held):
                worth = drawn(public, held[0][s][0], held[1][n][0])
                self.pay(held, s, n, weight * worth)
        else:
            aside = other(public.to_act)
            silent = public.may_answer_close() or (
                public.led is not None and public.may_claim(public.leader)
            )
            if silent and not asked:
                self.choose(public, held, aside, aside=True)
            else:
                self.choose(public, held, public.to_act, aside=False)

    def choose(self, public: PublicState, held: tuple[Held, Held], seat: Seat, aside: bool) -> None:
        following: dict[Action | None, Held] = {}
        for first, (hand, last) in held[seat].items():
            actions: list[Action | None] = [
                *(public.other_actions(hand) if aside else public.legal_actions(hand))
            ]
            if aside:
                actions.append(None)
            numbers = [self.n_sequences[seat] + i for i in range(len(actions))]
            self.n_sequences[seat] += len(actions)
            self.rows[seat].append((last, numbers))
            for action, number in zip(actions, numbers, strict=True):
                after = hand if action is None else left(public, action, hand)
                following.setdefault(action, {})[first] = after, number
        for action, mine in following.items():
            shown = 0 if action is None else shown_by(public, action)
            theirs = {h: x for h, x in held[other(seat)].items() if not x[0] & shown}
            if theirs:
                both = (mine, theirs) if seat == Seat.S else (theirs, mine)
                after = public if action is None else public.after(Event(seat, action))
                self.visit(after, both, asked=action is None)

    def constraints(self, seat: int) -> coo_matrix:
        """Return the matrix whose product with a realisation plan is (1, 0, 0, …)."""
        entries = [(0, 0, 1.0)]
        for row, (last, numbers) in enumerate(self.rows[seat], 1):
            entries.append((row, last, -1.0))
            entries += [(row, number, 1.0) for number in numbers]
        row, column, x = zip(*entries, strict=True)
        return coo_matrix((x, (row, column)), (len(self.rows[seat]) + 1, self.n_sequences[seat]))

    def value(self) -> float:
        """Return what S wins: max q[0] such that F'q <= A'x, Ex = e and x >= 0."""
        own, his = self.constraints(0), self.constraints(1)
        keys, x = list(self.payoffs), list(self.payoffs.values())
        payoff = coo_matrix((x, tuple(zip(*keys, strict=True))), tuple(self.n_sequences))
        n, m = self.n_sequences[0], his.shape[0]
        cost, start = np.zeros(n + m), np.zeros(own.shape[0])
        cost[n], start[0] = -1.0, 1.0
        found = linprog(
            cost,
            A_ub=bmat([[-payoff.T, his.T]]).tocsr(),
            b_ub=np.zeros(self.n_sequences[1]),
            A_eq=bmat([[own, coo_matrix((own.shape[0], m))]]).tocsr(),
            b_eq=start,
            bounds=[(0, None)] * n + [(None, None)] * m,
            method="highs",
        )
        assert found.success, found.message
        return -float(found.fun)


def left(public: PublicState, action: Action, hand: int) -> int:
    """Return a hand after an action of its own."""
    if action.kind == Kind.EXCHANGE:
        assert public.upcard is not None
        return hand & ~public.low_trump.mask | public.upcard.mask
    return hand & ~action.card.mask if action.card is not None else hand


def shown_by(public: PublicState, action: Action) -> int:
    """Return cards that the other seat cannot hold, since the actor had them."""
    if action.kind == Kind.EXCHANGE:
        return public.low_trump.mask
    if action.kind == Kind.ANNOUNCE:
        assert action.card is not None
        return MARRIAGES[action.card.suit]
    return action.card.mask if action.card is not None else 0


def drawn(public: PublicState, s: int, n: int) -> float:
    """Return what S wins after the last round of drawing, on average over the talon's order."""
    assert public.upcard is not None
    hidden = cards(public.rules.pack & ~(public.played | public.upcard.mask | s | n))
    worths = []
    for order in permutations(hidden):
        position = Position(public, (s, n), (*order, public.upcard))
        position = position.play(position.legal_actions()[0])
        worth = solver.value(position, MEMORY)
        worths.append(worth if position.public.to_act == Seat.S else -worth)
    return float(np.mean(worths))


MEMORY = solver.memory(14)


def by_program(public: PublicState, s: Range, n: Range) -> float:
    """Return the value to S, by linear programming."""
    weights = [dict(zip(r.hands.tolist(), r.weights.tolist(), strict=True)) for r in (s, n)]
    program = Program((weights[0], weights[1]))
    held: list[Held] = [{hand: (hand, 0) for hand in side} for side in weights]
    program.visit(public, (held[0], held[1]))
    return program.value() / sum(w for _, _, w in program.pairs((held[0], held[1])))


def ranges(public: PublicState, rng: Random, most: int | None = None) -> tuple[Range, Range]:
    """Return all hands that S and N may hold, or some, with weights that are even or random."""
    up = 0 if public.upcard is None else public.upcard.mask
    pool = cards(public.rules.pack & ~(public.played | up))
    found = []
    for seat in Seat.S, Seat.N:
        hands = [mask_of(hand) for hand in combinations(pool, public.held[seat])]
        hands = [hand for hand in hands if hand & public.known[seat] == public.known[seat]]
        if most is not None and len(hands) > most:
            hands = rng.sample(hands, most)
        even = rng.random() < 0.3
        weights = [1.0 if even else rng.random() for _ in hands]
        found.append(Range(np.array(sorted(hands), dtype=np.int32), np.array(weights)))
    return found[0], found[1]


def states(
    n: int, hand: int, talon: int, rng: Random, presets: bool = False
) -> Iterator[PublicState]:
    """Yield positions that qualify, closed if the talon is over two."""
    while n:
        rules = PRESETS[rng.choice(list(PRESETS))] if presets else any_rules(rng)
        position = on_lead(rules, hand, talon, talon > 2, rng)
        public = moved(position, rng.choice((0, 0, 0, 1, 2)), rng).public
        if equilibrium.qualifies(public) and max(public.held) > 1:
            n -= 1
            yield public


def main(arguments: list[str] | None = None) -> int:
    """Compare on many positions; print those that differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.sequence_form")
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--hidden", type=int, default=11, help="cards hidden at three cards each")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    rng, n_bad, worst = Random(given.seed), 0, 0.0
    for public in states(given.states, 3, given.hidden - 5, rng, presets=True):
        both = ranges(public, rng)
        _, bounds = equilibrium.solve(public, *both, target=2e-5)
        apart = abs(bounds.value - by_program(public, *both))
        worst = max(worst, apart)
        if not apart <= 1e-4:
            n_bad += 1
            print(apart, bounds, public)
    print(f"{given.states} positions, {n_bad} differ by over 1e-4, at most by {worst:.1e}")
    return 1 if n_bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
