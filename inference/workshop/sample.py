"""A session of whole matches between two simulated players, to have something to study at first.

Nobody has played it: Bert and Anna are two players of the pool with habits of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import numpy as np

from inference.cards import Seat
from inference.game.match import Match
from inference.game.record import Record
from inference.game.replay import positions
from inference.game.rules import Rules
from inference.game.scoring import Outcome
from inference.workshop.pool import Player, player
from inference.workshop.simulate import by_players, play_out


def _person(family: str) -> Player:
    one = player(family, 0, 0)
    assert isinstance(one, Player)
    return one


BERT = _person("careful")._replace(
    wobble=1.5, blunders=0.03, closes_at=78.0, high_leads=-0.5, exchanges=True, announces=True
)
ANNA = _person("closer")._replace(
    wobble=1.0, blunders=0.02, closes_at=62.0, high_leads=0.2, exchanges=True, announces=True
)
PLAYERS: tuple[Player, Player] = (BERT, ANNA)
DESCRIBED = {
    "S": "Bert (careful), simulated: closes with a strong hand only, keeps his trumps, leads low",
    "N": "Anna (bold), simulated: closes early, leads high",
}
OPPONENT = "Anna (bold, simulated)"
FIRST, APART = date(2026, 1, 9), timedelta(days=7)
"""A match an evening, every Friday."""


def session(rules: Rules, n_deals: int, seed: int) -> Iterator[Record]:
    """Yield complete records of whole matches, at least `n_deals` deals of them."""
    number, evening, match = 0, FIRST, Match(dealer=Seat.N)
    while number < n_deals or match.score != (0, 0):
        record, outcome = _deal(rules, match, seed, number)
        winner = None if outcome.winner is None else str(outcome.winner)
        told = outcome._asdict() | {"winner": winner}
        meta = {"opponent": OPPONENT, "date": evening.isoformat(), "own": False, "result": told}
        yield replace(record, meta={**meta, **record.meta}, match=match)
        number, match = number + 1, match.after(outcome, rules)
        if match.winner(rules) is not None:
            evening, match = evening + APART, Match(dealer=match.dealer)


def _deal(rules: Rules, match: Match, seed: int, number: int) -> tuple[Record, Outcome]:
    rng = np.random.default_rng([seed, number])
    meta = {"players": DESCRIBED, "seed": seed, "deal": number}
    record = play_out(rules, match.leader, partial(by_players, PLAYERS), rng, meta)
    *_, (_, last) = positions(record)
    assert last.public.outcome is not None
    return record, last.public.outcome
