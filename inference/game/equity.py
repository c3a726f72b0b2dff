"""Match equity: the probability to win the match from a score, by backward induction.

How deals end is taken as known and the same whatever the score: a share for each payoff of the
leader to trick 1, from 3 lost to 3 won. Who deals next, ties that carry over and the target follow
the rules (docs/rules.md section 6), through `Match` itself.
"""

from __future__ import annotations

from functools import cache

from inference.cards import Seat
from inference.game.match import Match
from inference.game.rules import Rules
from inference.game.scoring import Outcome

PAYOFFS = range(-3, 4)

Shares = tuple[float, ...]
"""The shares of deals that end in each of PAYOFFS for the leader to trick 1; their sum is 1."""


@cache
def p_match(match: Match, rules: Rules, shares: Shares) -> float:
    """Return the probability that S wins the match before a deal of which nothing is known.

    >>> even = (0.1, 0.1, 0.3, 0.0, 0.3, 0.1, 0.1)
    >>> p_match(Match((6, 6)), Rules(), even), round(p_match(Match((6, 5)), Rules(), even), 3)
    (0.5, 0.65)
    """
    won = match.winner(rules)
    if won is not None:
        return float(won == Seat.S)
    p = sum(
        share * p_match(_after(match, rules, payoff), rules, shares)
        for payoff, share in zip(PAYOFFS, shares, strict=True)
        if payoff and share
    )
    tied, draws = _after(match, rules, 0), shares[-PAYOFFS[0]]
    if tied == match or match.carry >= rules.target:  # then the deal after is like this one
        return p / (1 - draws)
    return p + draws * p_match(tied, rules, shares)


def _after(match: Match, rules: Rules, payoff: int) -> Match:
    """Return the match after a deal in which the leader to trick 1 won `payoff`."""
    if payoff == 0:
        return match.after(Outcome(None, 0, "draw"), rules)
    winner = match.leader if payoff > 0 else match.dealer
    return match.after(Outcome(winner, abs(payoff), "out"), rules)


def stakes(match: Match, rules: Rules, shares: Shares, seat: Seat) -> tuple[float, ...]:
    """Return a seat's probability to win the match after each of its PAYOFFS of this deal.

    It does not fall as the payoff grows, so a deal with open cards that is played for game points
    is played for the match as well: the utility of the minimax value is the minimax of the utility.
    One exception: who needs only one point may lose more by a tie that carries over than by a loss.

    >>> even = (0.1, 0.1, 0.3, 0.0, 0.3, 0.1, 0.1)
    >>> stakes(Match((6, 6)), Rules(), even, Seat.N)
    (0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0)
    """
    sign = 1 if match.leader == seat else -1
    chances = [p_match(_after(match, rules, sign * payoff), rules, shares) for payoff in PAYOFFS]
    return tuple(p if seat == Seat.S else 1 - p for p in chances)
