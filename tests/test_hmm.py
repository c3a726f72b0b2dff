"""The card filter is a hidden Markov model: hmmlearn's forward algorithm gives the same numbers.

A small deck, written out as a plain HMM: a state is (step, hand, the card he is about to play);
what he plays and what I draw are the likelihoods of a frame, his hidden draw is the transition.
"""

from itertools import combinations

import numpy as np
import pytest
from hmmlearn.base import BaseHMM

from inference import belief as bayes
from inference.cards import mask_of

DECK, SIZE, STEPS = 9, 3, 3


class CardHMM(BaseHMM):
    """Take the log-likelihoods of the frames as they are given."""

    def __init__(self, frames, start, transitions):
        super().__init__(n_components=len(start))
        self.frames, self.startprob_, self.transmat_ = frames, start, transitions

    def _check(self):
        """Rows of the last step have nowhere to go, so they need not sum to 1."""

    def _compute_log_likelihood(self, X):  # noqa: N803
        return self.frames[: len(X)]


class Deal:
    """Hold a random deal of a small deck: a policy for every hand, his plays and my draws."""

    def __init__(self, rng):
        self.policy = {
            (step, hand): dict(zip(hand, rng.dirichlet(np.ones(SIZE)), strict=True))
            for step in range(STEPS)
            for hand in combinations(range(DECK), SIZE)
        }
        order = [int(card) for card in rng.permutation(DECK)]
        hand, talon = set(order[:SIZE]), order[SIZE:]
        self.seen = []
        for step in range(STEPS):
            odds = self.policy[step, tuple(sorted(hand))]
            played = int(rng.choice(list(odds), p=list(odds.values())))
            mine, his, *talon = talon
            self.seen.append((played, mine))
            hand = hand - {played} | {his}


def unseen_at(deal, step):
    """Return the cards that are nowhere to be seen before a step."""
    gone = {card for played, mine in deal.seen[:step] for card in (played, mine)}
    return [card for card in range(DECK) if card not in gone]


def plain(deal):
    """Write the deal out as an HMM: its states, start, transitions and frames."""
    states = [
        (step, hand, card)
        for step in range(STEPS)
        for hand in combinations(unseen_at(deal, step), SIZE)
        for card in hand
    ]
    hands = list(combinations(range(DECK), SIZE))
    start = np.array([deal.policy[0, h][c] / len(hands) if t == 0 else 0 for t, h, c in states])
    transitions = np.array([[follow(deal, a, b) for b in states] for a in states])
    with np.errstate(divide="ignore"):
        frames = np.log([[emit(deal, step, state) for state in states] for step in range(STEPS)])
    return states, CardHMM(frames, start, transitions)


def follow(deal, now, then):
    """Return P(then | now): he draws one of the cards that neither he nor I hold."""
    (step, hand, card), (after, new, chosen) = now, then
    played, mine = deal.seen[step]
    if after != step + 1 or card != played or mine in hand:
        return 0.0
    kept = set(hand) - {card}
    if not kept < set(new):
        return 0.0
    pool = set(unseen_at(deal, after)) - kept
    return deal.policy[after, new][chosen] / len(pool)


def emit(deal, step, state):
    """Return P(his play and my draw | state): my draw is any card of the talon alike."""
    at, hand, card = state
    played, mine = deal.seen[step]
    n_talon = len(unseen_at(deal, step)) - SIZE
    return float(at == step and card == played and mine not in hand) / n_talon


def filtered(deal):
    """Run our filter; return its beliefs after what was seen in each step, and its steps."""
    belief = bayes.prior((1 << DECK) - 1, SIZE)
    steps, beliefs = [bayes.Step(belief)], []
    for step, (played, mine) in enumerate(deal.seen):
        odds = [deal.policy[step, bits(hand)].get(played, 0.0) for hand in belief.hands]
        n_talon = len(unseen_at(deal, step)) - SIZE
        seen = bayes.exclude(bayes.condition(belief, odds), 1 << mine, n_talon)
        steps.append(bayes.Step(seen))
        beliefs.append(seen)
        gone = bayes.replace(seen, 1 << played, 0)
        pool = mask_of(unseen_at(deal, step + 1))
        belief = bayes.draw(gone, pool)
        steps += [bayes.Step(gone, out=1 << played), bayes.Step(belief, pool=pool)]
    return beliefs, steps


def bits(hand):
    return tuple(card for card in range(DECK) if int(hand) >> card & 1)


def over_hands(states, p, step):
    """Add a distribution over states up to one over the hands of a step."""
    total = {}
    for (at, hand, _), weight in zip(states, p, strict=True):
        if at == step and weight > 0:
            total[mask_of(hand)] = total.get(mask_of(hand), 0.0) + weight
    return total


@pytest.mark.parametrize("seed", range(5))
def test_hmmlearn_filters_and_smooths_the_same(seed):
    deal = Deal(np.random.default_rng(seed))
    states, model = plain(deal)
    beliefs, steps = filtered(deal)
    for step, belief in enumerate(beliefs):
        frames = np.arange(step + 1)[:, None]
        log_evidence, posterior = model.score_samples(frames)
        assert log_evidence == pytest.approx(belief.log_evidence[0])
        ours = dict(zip(belief.hands.tolist(), belief.weights[:, 0], strict=True))
        assert over_hands(states, posterior[-1], step) == pytest.approx(ours)
    smoothed = bayes.smooth(steps[: 3 * STEPS - 1])
    _, posterior = model.score_samples(np.arange(STEPS)[:, None])
    for step in range(STEPS):
        looked_back = smoothed[3 * step + 1]
        ours = dict(zip(looked_back.hands.tolist(), looked_back.weights[:, 0], strict=True))
        theirs = over_hands(states, posterior[step], step)
        assert theirs == pytest.approx({hand: p for hand, p in ours.items() if p > 0})
