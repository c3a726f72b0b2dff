"""Read finished deals through one seat's eyes: what a model thought of the truth, step by step.

A *decision* is a card that a seat lays, or an exchange, while counting leaves more than one hand.
Counting runs beside the styles of the model in the same filter, as one column more, so the two see
exactly the same. A style's weights do not depend on how common it was thought beforehand; so one
run also tells what the model would have thought with other shares: those that deals before taught,
with the player's own weights and without, which count for nothing in a deal read by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference.acquaintance import Told, learnt
from inference.belief import Belief
from inference.cards import Seat, cards
from inference.game.events import Event, Kind
from inference.game.position import Position, View
from inference.game.record import Record, eyes, public
from inference.game.replay import opening, positions
from inference.game.state import PublicState, other
from inference.opponents import Hands, Model, Probabilities
from inference.opponents.person import Person, with_person
from inference.tracker import Tracker

Values = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int8]
Held = npt.NDArray[np.bool_]

LAID = (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE)
EVENTS = ("lead", "announcement", "reply", "exchange", "close", "claim", "silence")
"""What an opponent does, or leaves undone while it is my turn."""
COUNTING, FRESH, CARRIED, BY_STYLES = 0, 1, 2, 3
"""Columns: counting; the model by this deal alone; with what deals before taught; with the styles
that these taught, but without weights of the player's own."""


class Beside(NamedTuple):
    """Hold a model with counting as one more column behind its styles; none is preferred."""

    model: Model
    name: str = "beside"

    @property
    def chance(self) -> int | None:
        """Return which column is the random player."""
        return self.model.chance

    @property
    def styles(self) -> tuple[str, ...]:
        """Name the columns."""
        return (*(self.model.styles or (self.model.name,)), "counting")

    @property
    def shares(self) -> tuple[float, ...]:
        """Give every column the prior 1, so that log-evidences are the columns' own."""
        return (1.0,) * len(self.styles)

    def policy(self, public: PublicState, seat: Seat, hands: Hands) -> Probabilities:
        """Return the policy of the model."""
        return self.model.policy(public, seat, hands)

    def likelihood(
        self, public: PublicState, seat: Seat, hands: Hands, column: int
    ) -> Probabilities:
        """Return P(one action | hand, style) and, last, whether the hand allows it."""
        given = self.model.likelihood(public, seat, hands, column).reshape(len(hands), -1)
        return np.column_stack([given, given.max(axis=1) > 0])


class Reading(NamedTuple):
    """Hold what one deal showed to one seat.

    `bits` [n, 4] is log2 of the probability of the true hand at each decision (columns COUNTING,
    FRESH, CARRIED, BY_STYLES), with the `trick`, from 1, and the `talon`. `n_cards` [n] tells how
    many cards counting does not place; their rows in `p` [k, 3] say how likely each was thought in
    the opponent's hand, `held` [k] whether it was, `drawn` [k, 3] whether it is in a whole hand
    drawn by what was thought: the truth as a perfect forecaster would have it. `event` [m] is an
    index of EVENTS and `gained` [m] the bits that this event told the model beyond counting.
    `chance` [1, 2] is the log of how many times better, at its best moment, blind chance explained
    the play than all other styles did, fresh and carried; -inf where the model has no such style.
    """

    bits: Values
    trick: Indices
    talon: Indices
    n_cards: Indices
    p: Values
    held: Held
    drawn: Held
    event: Indices
    gained: Values
    chance: Values

    @property
    def gain(self) -> Values:
        """Return the mean bits over counting [2] of the deal: fresh and carried."""
        read, counted = self.bits[:, [FRESH, CARRIED]], self.bits[:, [COUNTING]]
        return np.asarray((read - counted).mean(axis=0))


def joined(readings: Sequence[Reading]) -> Reading:
    """Put readings one behind the other."""
    return Reading(*map(np.concatenate, zip(*readings, strict=True)))


def read(record: Record, seat: Seat, model: Model, rng: np.random.Generator) -> Reading:
    """Follow a complete deal from a seat, by itself."""
    return follow(record, seat, model, rng).told()


def follow(
    record: Record,
    seat: Seat,
    model: Model,
    rng: np.random.Generator,
    shares: Sequence[float] | None = None,
    person: Person | None = None,
) -> Reader:
    """Follow a complete deal from a seat.

    What is carried starts from the styles' `shares` [z], else the model's, and what is known of
    the `person`.
    """
    view = View(public(record), seat, eyes(record, seat).hand)
    tracker = Tracker.start(view, Beside(with_person(model, person)))
    fresh, by_styles = model.shares, tuple(shares or model.shares)
    carried = by_styles
    if person is not None:
        fresh, carried, by_styles = (*fresh, 0.0), person.beside(by_styles), (*by_styles, 0.0)
    reader = Reader(tracker, len(model.shares), np.array([fresh, carried, by_styles]), rng)
    truth = opening(record)
    for (event, after), seen in zip(positions(record), eyes(record, seat).events, strict=True):
        reader.see(event, seen, truth)
        truth = after
    return reader


class Reader:
    """Follow one deal and take notes."""

    def __init__(
        self, tracker: Tracker, n_styles: int, shares: Values, rng: np.random.Generator
    ) -> None:
        """Begin with `n_styles` of the model; `shares` [3, z] are those from FRESH on."""
        self.tracker, self.n_styles, self.rng = tracker, n_styles, rng
        self.shares, self.chance = shares, [np.full(2, -np.inf)]
        with np.errstate(divide="ignore"):  # a person is nobody in a deal by itself
            self.log_shares = np.log(shares)
        self.decisions: list[tuple[Values, int, int]] = []
        self.cards: list[tuple[Values, Held, Held]] = []
        self.events: list[tuple[int, float]] = []

    def see(self, event: Event, seen: Event, truth: Position) -> None:
        """Note what was thought before an event, and what the event told."""
        before, his = self.tracker, truth.hands[other(self.tracker.view.seat)]
        mine = event.seat == before.view.seat
        if mine and event.action.kind in LAID and len(before.belief.hands) > 1:
            self._decide(his)
        self.tracker = before.observe(seen)
        self._compare()
        kind = _kind(before, event)
        step = [step for _, step in self.tracker.steps[len(before.steps) :]][:1]
        if kind is not None and step and not (mine and (step[0].pool or step[0].into)):
            told = self._log2(step[0].belief, his) - self._log2(before.belief, his)
            self.events.append((EVENTS.index(kind), float(told[FRESH] - told[COUNTING])))

    def _compare(self) -> None:
        """Note how much better chance explains the play than all other styles."""
        chance, alone = self.tracker.model.chance, self.tracker.belief.log_evidence[:-1]
        if chance is not None:
            fresh_and_carried = self.shares[:2]
            factors = [bayes.log_bayes_factor(alone, some, chance) for some in fresh_and_carried]
            self.chance.append(np.array(factors))

    def _mixes(self, belief: Belief) -> Values:
        """Return the weight of each column [4, z + 1] of the belief for each column of `bits`."""
        found = np.zeros((1 + len(self.shares), len(belief.log_evidence)))
        found[COUNTING, -1] = 1
        log_joint = belief.log_evidence[:-1] + self.log_shares
        joint = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
        found[FRESH:, :-1] = joint / joint.sum(axis=1, keepdims=True)
        return found

    def _log2(self, belief: Belief, hand: int) -> Values:
        row = belief.weights[np.searchsorted(belief.hands, np.uint32(hand))]
        return np.asarray(np.log2(self._mixes(belief) @ row))

    def _decide(self, hand: int) -> None:
        tracker, state = self.tracker, self.tracker.view.public
        belief = tracker.belief
        trick = (state.played.bit_count() - (state.led is not None)) // 2 + 1
        self.decisions.append((self._log2(belief, hand), trick, state.talon))
        possible = int(np.bitwise_or.reduce(belief.hands))
        hidden = cards(possible & ~tracker.certain)
        mixes = self._mixes(belief)[: CARRIED + 1]
        p = np.array([bayes.marginals(belief, mix)[hidden] for mix in mixes])
        drawn = [int(bayes.sample(belief, 1, self.rng, mix)[0]) for mix in mixes]
        held = np.array([[one >> card & 1 for card in hidden] for one in (hand, *drawn)]) > 0
        self.cards.append((p.T, held[0], held[1:].T))

    def told(self) -> Reading:
        """Return the notes as arrays."""
        none = (np.empty((0, 3)), np.empty(0, dtype=bool), np.empty((0, 3), dtype=bool))
        p, held, drawn = map(np.concatenate, zip(none, *self.cards, strict=True))
        return Reading(
            np.array([bits for bits, _, _ in self.decisions]).reshape(-1, 1 + len(self.shares)),
            np.array([trick for _, trick, _ in self.decisions], dtype=np.int8),
            np.array([talon for _, _, talon in self.decisions], dtype=np.int8),
            np.array([len(some) for _, some, _ in self.cards], dtype=np.int8),
            *(p, held, drawn),
            np.array([kind for kind, _ in self.events], dtype=np.int8),
            np.array([told for _, told in self.events]),
            np.max(self.chance, axis=0, keepdims=True),
        )

    def acquainted(self) -> Told:
        """Return what the deal told of the player, as it was carried."""
        belief = self.tracker.belief
        p = self._mixes(belief)[CARRIED]
        return learnt(self.tracker, belief.log_evidence[:-1], p, self.n_styles)


def _kind(before: Tracker, event: Event) -> str | None:
    """Name what an event tells of the opponent; None for draws and my own exchange or close."""
    kind = event.action.kind
    if event.seat == before.view.seat:
        return "silence" if kind in (Kind.PLAY, Kind.ANNOUNCE) else None
    if kind == Kind.PLAY:
        return "lead" if before.view.public.led is None else "reply"
    told = {
        Kind.ANNOUNCE: "announcement",
        Kind.EXCHANGE: "exchange",
        Kind.CLOSE: "close",
        Kind.CLAIM: "claim",
    }
    return told.get(kind)
