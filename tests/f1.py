"""A whole deal of `sixty-six` from the non-dealer's seat: a first-lead marriage, an exchange."""

import numpy as np

from inference.session import Session
from inference.store import Deal, Store, event

RECORD = {
    "rules": "sixty-six",
    "seat": "S",
    "leader": "S",
    "hands": {"S": "AH KC QC 9S AD JC"},
    "upcard": "QH",
}
F1 = [
    *("S:QC*", "N:AC", "S:+JH", "N:JS", "S:9S", "S:+9H", "N:KD", "S:JH", "S:+9C", "S:x", "S:9C"),
    *("N:TC", "S:+QD", "N:AS", "S:QH", "S:+KS", "S:KS", "N:TS", "N:QS", "S:9H", "S:KC", "N:TH"),
    *("N:TD", "S:AD", "S:JC", "N:KH", "N:JD", "S:QD"),
]
MIDWAY = {
    "leader": "N",
    "hand": "AD TD QD AC KC",
    "unseen": "QS TH QH JD TC QC",
    "known": {"N": "QS"},
    "upcard": "KD",
    "talon": 2,
    "points": {"S": 16, "N": 30},
    "tricks": {"S": 1, "N": 3},
}
"""A published position: two cards in the talon, N to lead."""


def written(shelf: Store, *texts: str, **more: object) -> Deal:
    """Begin the deal and enter some events of it."""
    deal = shelf.replay(shelf.begin(RECORD | more))
    for text in texts:
        deal = shelf.enter(deal.id, event(text), deal)
    return deal


def same(one: Session, other: Session) -> bool:
    """Tell whether two sessions hold the same entries and the same belief, to the bit."""
    beliefs = (one.tracker.belief, other.tracker.belief)
    return one.to_record() == other.to_record() and all(
        np.array_equal(a, b) for a, b in zip(*beliefs, strict=True)
    )
