"""How well the belief foresaw the opponent's hand in one deal, against counting alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from inference import belief as bayes
from inference.cards import cards
from inference.game.events import Kind
from inference.study.replay import Replay

DECISIONS = (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE)


class Reading(NamedTuple):
    """Hold what was thought of his true hand before each of my decisions.

    `bits` holds log2 of its probability by counting and by the model at each decision; `p` and
    `held` tell of each card that counting does not place how likely he seemed to hold it, and
    whether he did. Decisions whose truth never became known are left out.
    """

    bits: list[tuple[float, float]]
    p: list[float]
    held: list[bool]


def reading(replay: Replay) -> Reading:
    """Compare the belief of each moment with the truth."""
    found = Reading([], [], [])
    for number, event in enumerate(replay.events):
        truth, counting = replay.truths[number], replay.counting[number]
        mine = event.seat == replay.seat and event.action.kind in DECISIONS
        if truth is None or not mine or len(counting.belief.hands) == 1:
            continue
        belief = replay.trackers[number].belief
        chances = [float(bayes.p_hand(b, truth)) for b in (counting.belief, belief)]
        if min(chances) <= 0:
            continue  # he broke a rule, and what was thought possible was not all that was
        found.bits.append((float(np.log2(chances[0])), float(np.log2(chances[1]))))
        possible, marginals = (
            int(np.bitwise_or.reduce(counting.belief.hands)),
            bayes.marginals(belief),
        )
        for card in cards(possible & ~counting.certain):
            found.p.append(round(min(1.0, float(marginals[card])), 4))
            found.held.append(bool(truth >> card & 1))
    return found
