"""The match: game points up to the target, and who deals next (docs/rules.md section 6)."""

from __future__ import annotations

from typing import NamedTuple

from inference.cards import Seat
from inference.game.rules import Rules
from inference.game.scoring import Outcome
from inference.game.state import SEATS, other

MOST_GAME_POINTS = 3
"""No deal counts more, ties carried over apart (docs/rules.md section 5)."""


class Match(NamedTuple):
    """Hold the game points won by each seat before a deal, and who deals it.

    `carry` counts the ties since the last winner, where ties carry over (5.11).

    >>> Match((5, 6), Seat.N).after(Outcome(Seat.S, 2, "out"), Rules())
    Match(score=(7, 6), dealer=<Seat.S: 0>, carry=0)
    """

    score: tuple[int, int] = (0, 0)
    dealer: Seat = Seat.N
    carry: int = 0

    @property
    def leader(self) -> Seat:
        """Return the seat that leads to trick 1: the one that did not deal (1.5)."""
        return other(self.dealer)

    def after(self, outcome: Outcome, rules: Rules) -> Match:
        """Return the match after a deal: the score and the next dealer (6.1, 6.2)."""
        winner = outcome.winner
        if winner is None:
            tied = rules.tie == "carry" and outcome.reason != "abandoned"
            return self._replace(carry=self.carry + tied)
        won = outcome.game_points + self.carry
        s, n = (self.score[seat] + won * (seat == winner) for seat in SEATS)
        return Match((s, n), winner if rules.next_dealer == "winner" else other(self.dealer))

    def may_end(self, rules: Rules) -> bool:
        """Tell whether the match can be won in the next deal."""
        return max(self.score) + MOST_GAME_POINTS + self.carry >= rules.target

    def winner(self, rules: Rules) -> Seat | None:
        """Return who has reached the target, None while nobody has."""
        return next((seat for seat in SEATS if self.score[seat] >= rules.target), None)
