"""Sessions of ten deals between two players of the pool, each read by a stranger at the table.

What the deals so far told of a player's style is carried into the next. The tenth deal may also be
read with the player's true policy, to see how much there was to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from inference import opponents
from inference.acquaintance import Told, expected
from inference.cards import Seat
from inference.game.record import Record
from inference.game.rules import Rules
from inference.game.state import SEATS, other
from inference.opponents import Model
from inference.opponents.styles import Styles
from inference.spread import spread
from inference.workshop.pool import FAMILIES, Stranger, player
from inference.workshop.reading import FRESH, Reading, follow, read
from inference.workshop.simulate import by_players, play_out
from inference.workshop.truth import OPEN, Truth

N_DEALS = 10
TRUTH_EVERY = 5
"""In one of so many rounds of sessions the last deal is read with the true policy as well; that of
a soft player, of which there is less to find, always."""
SOFT = 0.3
"""Wobble from which a player counts as soft."""


class Read(NamedTuple):
    """Hold how one deal of a session was read, and whose play it was.

    `number` is that of the deal in its session, from 0, `cards` the size of the pack, `true_bits`
    the mean log2 of the true hand's probability under the player's own policy, nan if not asked.
    """

    family: str
    soft: bool
    cards: int
    session: int
    number: int
    reading: Reading
    true_bits: float


def read_pool(
    rules: Sequence[Rules], n_deals: int, model: str, seed: int, jobs: int = 1
) -> Iterator[Read]:
    """Yield readings of at least `n_deals` deals of each family of the pool, in whole sessions."""
    work = partial(session, rules, model, seed)
    for some in spread(work, range(n_sessions(n_deals)), jobs, "sessions"):
        yield from some


def n_sessions(n_deals: int) -> int:
    """Return the sessions in which each family plays at least so many deals, at S and at N.

    >>> n_sessions(20) == len(FAMILIES)
    True
    """
    return len(FAMILIES) * -(-n_deals // (2 * N_DEALS))


def pairing(number: int) -> tuple[str, str]:
    """Return the families that sit at S and N: in a round each sits once at both.

    >>> sorted(pairing(k)[1] for k in range(len(FAMILIES))) == sorted(FAMILIES)
    True
    """
    n = len(FAMILIES)
    round_, i = divmod(number, n)
    return FAMILIES[i], FAMILIES[(i + 1 + round_ % (n - 1)) % n]


def play(
    rules: Sequence[Rules], seed: int, number: int
) -> tuple[tuple[Stranger, Stranger], list[Record]]:
    """Play session `number` of a seed; the rules change from session to session."""
    rng, (first, second) = np.random.default_rng([seed, number]), pairing(number)
    numbers = [int(k) for k in rng.integers(2**31, size=2)]
    players = player(first, numbers[0], seed), player(second, numbers[1], seed)
    one = rules[(number + number // len(FAMILIES)) % len(rules)]
    choice = partial(by_players, players)
    return players, [play_out(one, SEATS[k % 2], choice, rng, {}) for k in range(N_DEALS)]


def session(rules: Sequence[Rules], model: str, seed: int, number: int) -> list[Read]:
    """Play a session and read it from both seats."""
    (players, records), loaded = play(rules, seed, number), opponents.load(model)
    rng = np.random.default_rng([seed, number, 1])
    in_turn, found = number // len(FAMILIES) % TRUTH_EVERY == 0, []
    for seat in SEATS:
        he = players[other(seat)]
        soft = getattr(he, "wobble", 0.0) >= SOFT
        asked = he.family in OPEN and (soft or in_turn)
        for k, reading in enumerate(_in_turn(records, seat, loaded, rng)):
            ask = asked and k == N_DEALS - 1 and len(reading.bits)
            true = _true_bits(records[k], seat, he, len(reading.bits)) if ask else np.nan
            cards = records[k].rules.cards
            found.append(Read(he.family, soft, cards, number, k, reading, true))
    return found


def _in_turn(
    records: Sequence[Record], seat: Seat, model: Model, rng: np.random.Generator
) -> Iterator[Reading]:
    """Read deals one after the other, each with what those before told of the player."""
    deals = list[Told]()
    for record in records:
        if not isinstance(model, Styles):
            yield read(record, seat, model, rng)
            continue
        shares, person = expected(model, deals)
        reader = follow(record, seat, model, rng, tuple(shares.tolist()), person)
        deals.append(reader.acquainted())
        yield reader.told()


def _true_bits(record: Record, seat: Seat, he: Stranger, n_decisions: int) -> float:
    """Return the mean over counting's decisions; where the policy leaves one hand it is 0."""
    read_by_truth = read(record, seat, Truth(he), np.random.default_rng(0))
    return float(read_by_truth.bits[:, FRESH].sum() / n_decisions)
