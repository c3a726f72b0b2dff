"""Minimax without cleverness: the slow twins of the solver, in Python and compiled.

`python -m tests.minimax --positions 100000 --seed 1` compares the solver with the compiled one.
"""

import argparse
from random import Random

import numpy as np
import numpy.typing as npt
from numba import njit

import inference.solve.encode as e
from inference.cards import Seat, show
from inference.game.position import Position
from inference.game.state import other
from inference.solve import solver
from inference.solve.rules_kernel import actor, apply, legal_bits, payoff
from tests.positions import LARGE, SMALL, random_positions

Memo = dict[Position, int]


def minimax(position: Position, memo: Memo) -> int:
    """Return the game points of S with best play; who may act beside the turn decides first."""
    if position.public.over:
        return position.public.payoff[Seat.S]
    if position not in memo:
        aside = other(position.public.to_act)
        values = [minimax(position.play(a, aside), memo) for a in position.other_actions()]
        memo[position] = best(aside, [*values, turn(position, memo)])
    return memo[position]


def turn(position: Position, memo: Memo) -> int:
    seat = position.public.to_act
    values = [minimax(position.play(action), memo) for action in position.legal_actions()]
    return best(seat, values)


def best(seat: Seat, values: list[int]) -> int:
    return max(values) if seat == Seat.S else min(values)


@njit("int64(int64[::1], int64[::1])")
def brute_force(s: e.Vector, rules: e.Vector) -> int:
    """Return the same on state vectors, trying every action of every position."""
    if s[e.WINNER] != e.RUNNING:
        return payoff(s)
    bits, sign = legal_bits(s, rules), 1 - 2 * actor(s)
    highest = -9
    for column in range(e.N_ACTIONS):
        if bits >> column & 1:
            child = s.copy()
            apply(child, rules, column)
            highest = max(highest, sign * brute_force(child, rules))
    return sign * highest


@njit("int64(int64[::1], int64[::1], int64, int64)")
def alpha_beta(s: e.Vector, rules: e.Vector, alpha: int, beta: int) -> int:
    """Return the same within a window, leaving out only what cannot matter."""
    if s[e.WINNER] != e.RUNNING:
        return payoff(s)
    bits, seat = legal_bits(s, rules), actor(s)
    for column in range(e.N_ACTIONS):
        if alpha < beta and bits >> column & 1:
            child = s.copy()
            apply(child, rules, column)
            v = alpha_beta(child, rules, alpha, beta)
            if seat == 0:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
    return alpha if seat == 0 else beta


def vectors(position: Position) -> tuple[e.Vector, e.Vector]:
    """Return state and rules as vectors."""
    public = position.public
    return e.encode(public, position.hands, position.talon), e.encode_rules(public.rules)


def of_solver(position: Position, mem: npt.NDArray[np.int64]) -> int:
    """Return the solver's value from the view of S."""
    worth = solver.value(position, mem)
    return worth if position.public.to_act == Seat.S else -worth


def report(position: Position) -> str:
    hands = [show(hand) for hand in position.hands]
    return f"{position.public} {hands} {list(map(str, position.talon))}"


def main(arguments: list[str] | None = None) -> int:
    """Compare on many positions; print those that differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.minimax")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    mem, n_bad = solver.memory(16), 0
    for position in random_positions(given.positions, Random(given.seed), SMALL + LARGE):
        if alpha_beta(*vectors(position), -3, 3) != of_solver(position, mem):
            n_bad += 1
            print(report(position))
    print(f"{given.positions} positions, {n_bad} differ")
    return 1 if n_bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
