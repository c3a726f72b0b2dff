"""What was shown at the table: the belief and the advice after an entry, as they were then."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from typing import Any, NamedTuple

from inference import belief as bayes
from inference import reports
from inference.advice import Advice
from inference.cards import Card
from inference.game.fields import write_object
from inference.paths import version
from inference.store import Deal, Store, schema

N_HANDS = 10
_MARGINALS = struct.Struct("<24f")
_HAND = struct.Struct("<If")
_UNASKED = -1.0
"""Stands for the cards that were not hidden."""


class Shown(NamedTuple):
    """Hold the belief that was shown after an entry, with the engine that computed it.

    `entry` is the deal's revision, `n_events` how many events it had then. `marginals` are the
    probabilities that the opponent held each hidden card, `hands` his likeliest hands as masks,
    `styles` how likely each playing style was. `advice` is what was suggested, in the form of the
    report `advise` with the reason of the best action alone; None if nothing was.
    """

    entry: int
    n_events: int
    at: str
    engine: str
    n_layouts: int
    entropy_bits: float
    log_evidence: float
    marginals: dict[Card, float]
    hands: list[tuple[int, float]]
    styles: dict[str, float]
    advice: dict[str, Any] | None


def keep(store: Store, deal: Deal, advice: Advice | None = None) -> None:
    """Write down what is shown of a deal now; what was shown after this entry before, stays.

    It is quick (no wait for the disk): a power cut may lose it, but no entry.
    """
    tracker, at = deal.session.tracker, schema.now()
    n_events, engine = len(deal.session.events), f"{version()} {tracker.model.name}"
    stamp = (deal.id, deal.revision, n_events, at, engine)
    p, likeliest = reports.locations(tracker), reports.likeliest(tracker, N_HANDS)
    belief = (
        len(tracker.belief.hands),
        float(bayes.entropy_bits(tracker.belief)),
        bayes.log_evidence(tracker.belief),
        _MARGINALS.pack(*(p.get(card, _UNASKED) for card in Card)),
        b"".join(_HAND.pack(*one) for one in likeliest),
        json.dumps({style: round(q, 4) for style, q in reports.styles(tracker).items()}),
    )
    with schema.writing(store.path, synchronous="NORMAL") as db:
        db.execute(f"INSERT OR IGNORE INTO belief VALUES ({_marks(11)})", (*stamp, *belief))
        if advice is not None:
            row = (*stamp, write_object(_brief(advice)))
            db.execute(f"INSERT OR IGNORE INTO advice VALUES ({_marks(6)})", row)


def kept(store: Store, deal: str) -> list[Shown]:
    """Return what was shown of a deal, in the order of its entries."""
    query = (
        "SELECT entry, n_events, at, engine, n_layouts, entropy_bits, log_evidence, marginals,"
        " hands, styles, (SELECT report FROM advice WHERE deal = belief.deal"
        " AND entry = belief.entry) FROM belief WHERE deal = ? ORDER BY entry"
    )
    with schema.connected(store.path) as db:
        return [_shown(*row) for row in db.execute(query, (deal,))]


def as_shown(store: Store, deal: str) -> dict[int, Shown]:
    """Return what was shown by the number of events; where an entry was redone, the last one.

    What was shown before an entry or the set-up was put right is left out where it rested on what
    was wrong: it was about other cards than those that the deal has now.
    """
    shown = kept(store, deal)
    if not shown:
        return {}
    told = store.told(deal)
    now = told[max(told)]

    def stands(one: Shown) -> bool:
        return told.get(one.entry) == replace(now, events=now.events[: one.n_events])

    return {one.n_events: one for one in shown if stands(one)}


def _shown(*row: Any) -> Shown:
    *head, marginals, hands, styles, advice = row
    found = zip(Card, _MARGINALS.unpack(marginals), strict=True)
    told = (
        {card: p for card, p in found if p != _UNASKED},
        list(_HAND.iter_unpack(hands)),
        json.loads(styles),
        None if advice is None else json.loads(advice),
    )
    return Shown._make((*head, *told))


def _brief(advice: Advice) -> dict[str, Any]:
    """Return the report of some advice, rounded, with the reason of the best action alone."""
    found = advice.to_json()
    for n, action in enumerate(found["actions"]):
        for key in ("value", "p_win", "stderr"):
            action[key] = round(action[key], 4)
        if n:
            del action["reason"]
    return found


def _marks(n: int) -> str:
    return ", ".join("?" * n)
