"""Why a card became likelier: what the opponent did, and what he left undone.

An entry is taken apart: first what he did not do (exchange, close, claim, announce), each given
that he had not done what stands before it, then the act itself. The factor of a part is
P(part | he holds the card) / P(part | he does not), in the belief before it (docs/math.md 8).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference import opponents
from inference.cards import Card, cards
from inference.game.events import Action, Kind, announce
from inference.solve import encode as e
from inference.solve.legality import legal_matrix, other_matrix
from inference.tracker import Choice, Tracker

Values = npt.NDArray[np.float64]

N_CARDS, N_PARTS = 6, 3
LEAST = 0.02
"""A card whose chance has moved less from card counting needs no reason."""
WORTH_TELLING = log(1.1)
_ANNOUNCE = tuple(range(e.COLUMN_ANNOUNCE, e.COLUMN_EXCHANGE))
_UNDONE = (
    ((e.COLUMN_EXCHANGE,), "did not exchange {low}"),
    ((e.COLUMN_CLOSE,), "did not close"),
    ((e.COLUMN_CLAIM,), "did not claim 66"),
    (_ANNOUNCE, "did not announce a marriage"),
)
_DONE = {
    Kind.EXCHANGE: "exchanged {low}",
    Kind.CLOSE: "closed",
    Kind.CLAIM: "claimed 66",
    Kind.ANNOUNCE: "announced with {card}",
}


class Reason(NamedTuple):
    """Hold one part of an entry and its factor on the odds of a card."""

    number: int
    trick: int
    event: str
    did: str
    factor: float

    def sentence(self) -> str:
        """Return it in words.

        >>> Reason(3, 2, "N:TC", "did not exchange 9H", 0.41).sentence()
        'did not exchange 9H at trick 2: × 0.41'
        """
        return f"{self.did} at trick {self.trick}: × {self.factor:.2g}"

    def to_json(self) -> dict[str, Any]:
        """Return it as the object of the report."""
        return self._asdict() | {"factor": round(self.factor, 4)}


def why(tracker: Tracker, n_cards: int = N_CARDS) -> dict[Card, list[Reason]]:
    """Return for the cards that moved most from card counting what moved them, strongest first.

    Nothing for the model `counting`, which reads nothing into a choice.
    """
    if tracker.model.name == "counting" or not tracker.choices:
        return {}
    chosen = moved(tracker)[:n_cards]
    parts = [part for choice in tracker.choices for part in _parts(tracker, choice)]
    found = {card: _strongest(card, parts) for card, _ in chosen}
    return {card: reasons for card, reasons in found.items() if reasons}


def moved(tracker: Tracker) -> list[tuple[Card, float]]:
    """List the cards whose chance differs from card counting, the most first, by how much."""
    counted = tracker.retold(opponents.load("counting"))
    change = bayes.marginals(tracker.belief) - bayes.marginals(counted.belief)
    some = [(card, float(change[card])) for card in cards(tracker.view.unseen)]
    return sorted((one for one in some if abs(one[1]) >= LEAST), key=lambda one: -abs(one[1]))


def _strongest(card: Card, parts: list[tuple[Reason, Values]]) -> list[Reason]:
    reasons = [reason._replace(factor=float(factor[card])) for reason, factor in parts]
    told = [one for one in reasons if _strength(one) >= WORTH_TELLING]
    return sorted(told, key=lambda one: -_strength(one))[:N_PARTS]


def _strength(reason: Reason) -> float:
    if not np.isfinite(reason.factor):
        return 0.0
    return abs(log(reason.factor)) if reason.factor > 0 else inf


def _parts(tracker: Tracker, choice: Choice) -> Iterator[tuple[Reason, Values]]:
    """Yield each part of a choice with its factor on every card."""
    before = choice.before
    weights = before.weights * bayes.style_posterior(before)
    trick, event = sum(choice.public.tricks) + 1, str(tracker.events[choice.number - 1])
    last = _odds(before.hands, weights)
    for did, p in _stages(tracker, choice):
        now = _odds(before.hands, weights * p)
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = now / last
        told = did.format(low=choice.public.low_trump)
        yield Reason(choice.number, trick, event, told, 1.0), factor
        last = now


def _stages(tracker: Tracker, choice: Choice) -> Iterator[tuple[str, Values]]:
    """Yield the parts of a choice, each with P(it and all parts before | hand, style)."""
    public, hands, he = choice.public, choice.before.hands, tracker.view.opponent
    legal = (legal_matrix if he == public.to_act else other_matrix)(public, hands)
    possible = set(np.flatnonzero(legal.any(axis=0)).tolist())
    action = e.column_action(choice.column)

    def p(column: int) -> Values:
        given = tracker.model.likelihood(public, he, hands, column)
        return given if given.ndim == 2 else given[:, None]

    shown = _shown(action, possible)
    left = np.ones_like(choice.before.weights)
    for columns, did in _UNDONE:
        if choice.column in columns:
            break  # what comes after it in a turn was not left undone
        undone = [p(column) for column in columns if column in possible and column != shown]
        if undone:
            left = np.maximum(left - sum(undone), 0)
            yield did, left
    if choice.column == e.COLUMN_SILENCE:
        return
    done = p(choice.column)
    if shown is not None:
        yield _act(choice), done + p(shown)
    yield _act(choice) if shown is None else "did not announce it", done


def _shown(action: Action, possible: set[int]) -> int | None:
    """Return the column in which a led king or queen would have been announced."""
    if action.kind != Kind.PLAY or action.card is None or not action.card.is_marriage:
        return None
    column = e.action_column(announce(action.card))
    return column if column in possible else None


def _act(choice: Choice) -> str:
    """Say what he did."""
    action = e.column_action(choice.column)
    if action.kind in _DONE:
        return _DONE[action.kind].format(card=action.card, low="{low}")
    return f"{'led' if choice.public.led is None else 'played'} {action.card}"


def _odds(hands: opponents.Hands, weights: Values) -> Values:
    """Return the odds of each of the 24 cards under weights [n, z] that need not sum to 1."""
    octets = hands.astype("<u4").view(np.uint8).reshape(-1, 4)
    bits = np.unpackbits(octets, axis=1, count=24, bitorder="little")
    row = weights.sum(axis=1)
    held = np.einsum("n,nc->c", row, bits)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(held / np.einsum("n,nc->c", row, 1 - bits))
