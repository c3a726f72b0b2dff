"""Long talons: what the tree search on the belief finds, and what the close is worth beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

import inference.solve.encode as e
from inference import belief as bayes
from inference.advice import chance, ismcts
from inference.advice.closing import N_PLANNED, Closing, Figures, in_the_open
from inference.advice.decider import Dealt, Masks, dealt, deciders
from inference.advice.ismcts import Guide, Root
from inference.advice.option import UNKNOWN, Sample, Scores, Stakes, Values, chances
from inference.advice.reasons import stake
from inference.advice.worlds import Worlds, sample_worlds
from inference.belief import Belief
from inference.game.equity import PAYOFFS
from inference.game.events import CLOSE, Action
from inference.game.position import View
from inference.opponents.logit import Logit
from inference.solve import solver
from inference.solve.encode import action_column
from inference.solve.rules_kernel import actor

SHARPNESS = 3.0
"""Factor of the policy's utilities: a plan against careless replies counts on mistakes."""
DOUBT = 2.0
"""Added to the squared deviations of an action's walks, as a few alike prove nothing."""
CAUTION, WIDTH = 1.0, 1.96
GLANCE = 12
"""Worlds in which closing is looked at with open cards first: mostly that settles it."""
MOST_CLOSED = 240
"""Worlds in which closing is judged at most."""
CLEAR = 2.0
"""By so many standard errors closing must lag behind to be looked at no more."""


def root_of(view: View, belief: Belief, columns: list[int], worth: Values) -> Root:
    """Return what the search needs; what the other seat might do first, it has left.

    `worth` [7] says what game points from -3 to 3 are worth to me, in any unit.
    """
    hands = (view.hand, 0) if view.seat == 0 else (0, view.hand)
    state, p = e.encode(view.public, hands), bayes.mixture(belief).astype(float)
    if actor(state) != view.seat:
        for place in (e.ANNOUNCED, e.FRESH_CLOSE):
            state[place] = min(1, state[place])
    rules, his = e.encode_rules(view.public.rules), belief.hands.astype(np.int64)
    bits = sum(1 << column for column in columns)
    middle, half = (worth.max() + worth.min()) / 2.0, max(1e-9, np.ptp(worth) / 2.0)
    utility = (worth - middle) / half
    return Root(
        state, rules, int(view.seat), his, np.cumsum(p / p.sum()), view.unseen, bits, utility
    )


class Search:
    """Keep a tree that grows with every walk, and say what it holds of my actions.

    With `stakes` it seeks the match and not the game points.
    """

    def __init__(
        self,
        view: View,
        belief: Belief,
        actions: Sequence[Action],
        guide: Guide,
        seed: int,
        stakes: Stakes | None = None,
    ) -> None:
        self._columns, self._guide = [action_column(action) for action in actions], guide
        self._match = stakes is not None
        self._worth = np.array(PAYOFFS if stakes is None else stakes, dtype=float)
        self._root = root_of(view, belief, self._columns, self._worth)
        self._chance, self.tree = chance.stream(seed), ismcts.new_tree()

    @property
    def n(self) -> int:
        """Return the number of walks."""
        return int(self.tree.visits[0])

    def walk(self, n: int) -> None:
        """Make `n` more walks, each through a world of its own."""
        ismcts.walk(self.tree, self._root, self._guide, self._chance, n)

    def scores(self) -> Scores:
        """Return what my actions are worth by the walks that began with each."""
        counts = self.tree.payoffs[self._columns].astype(float)
        n = counts.sum(axis=1)
        points = np.array(PAYOFFS, dtype=float)
        found = (_moments(counts, n, by) for by in (points, self._worth))
        (values, stderr), (aims, errors) = found
        wins = counts[:, points > 0].sum(axis=1) / np.maximum(1.0, n)
        cov = np.diag(errors**2)
        return Scores(aims, values, wins, stderr, cov, WIDTH, self._match, CAUTION)

    def dealt(self) -> Dealt:
        """Return how often he held each card in the walks of each action, and I won."""
        n = self.tree.payoffs[self._columns].sum(axis=1).astype(float)
        met, won = (x[self._columns].T / np.maximum(1.0, n) for x in self.tree[-2:])
        wins = self.tree.payoffs[self._columns][:, len(PAYOFFS) // 2 + 1 :].sum(axis=1)
        return Dealt(met, won, wins / np.maximum(1.0, n), n)


def _moments(counts: Values, n: Values, worth: Values) -> tuple[Values, Values]:
    """Return means and standard errors [a] of what is worth so much [7] and was counted [a, 7]."""
    some = np.maximum(1.0, n)
    means = np.where(n > 0, counts @ worth / some, worth.min())
    scale = np.ptp(worth) / (2.0 * UNKNOWN)
    squares = (counts * (worth - means[:, None]) ** 2).sum(axis=1) + DOUBT * scale**2
    return means, np.where(n > 0, np.sqrt(squares) / some, UNKNOWN * scale)


class Watch:
    """Judge the close as long as it may be best: in the open at first, then by three figures."""

    def __init__(
        self,
        view: View,
        belief: Belief,
        model: Logit,
        rng: np.random.Generator,
        stakes: Stakes | None,
    ) -> None:
        self._view, self._model, self._stakes = view, model, stakes
        self._draw = partial(sample_worlds, view, belief, rng=rng)
        self._closing: Closing | None = None
        self._figures: list[Figures] = []
        self._hands: list[Masks] = []
        self.sample = self._glance(self._draw(GLANCE))

    @property
    def n(self) -> int:
        """Return the number of worlds in which closing was judged."""
        return len(self.sample.values)

    def look(self, best: float) -> bool:
        """Judge more worlds unless closing is clearly worth less than `best`; tell whether so."""
        scores = self.scores()
        hopeless = scores.aims[0] + CLEAR * float(np.sqrt(scores.cov[0, 0])) < best
        if hopeless or self.n >= MOST_CLOSED:
            return False
        if self._closing is None:
            likely = self._draw(N_PLANNED)
            self._closing = Closing(self._view, likely, self._model, self._stakes)
        worlds = self._draw(N_PLANNED)
        self._figures.append(self._closing.figures(worlds))
        self._hands.append(worlds.states[:, e.HANDS + self._view.opponent])
        self.sample = self._lowest()
        return True

    def scores(self) -> Scores:
        """Return what closing is worth, as doubtful as it would be after so many walks."""
        found, doubt = self.sample.scores(), DOUBT / len(self.sample.values) ** 2
        scale = 1.0 if self._stakes is None else np.ptp(self._stakes) / (2.0 * UNKNOWN)
        return found._replace(
            stderr=np.sqrt(found.stderr**2 + doubt), cov=found.cov + doubt * scale**2
        )

    def told(self, belief: Belief) -> str:
        """Say by which card closing wins or loses, else what it wins and risks."""
        if self._hands:
            return close_told(belief, np.concatenate(self._hands), self.sample)
        return stake(self.sample)

    def _glance(self, worlds: Worlds) -> Sample:
        rules = e.encode_rules(self._view.public.rules)
        found = in_the_open(solver.memory(), worlds.states, rules, int(self._view.seat))[:, None]
        match = None if self._stakes is None else chances(found, self._stakes)
        return Sample(found, (found > 0).astype(float), worlds.weights, False, match)

    def _lowest(self) -> Sample:
        even = np.ones(sum(len(part.values) for part in self._figures))
        points, won, aims = (column[:, None] for column in lowest(self._figures, even))
        return Sample(points, won, even, False, None if self._stakes is None else aims)


def close_told(belief: Belief, hands: Masks, close: Sample) -> str:
    """Say by which card closing, the only action of a sample, wins; else what it risks."""
    return deciders(belief, dealt(hands, close))[0] or stake(close)


def lowest(parts: Sequence[Figures], weights: Values) -> tuple[Values, Values, Values]:
    """Return the figure that is lowest on average: my game points, wins and what counts [n]."""
    points, won, aims = (np.concatenate(x) for x in zip(*parts, strict=True))
    found = int((weights @ aims).argmin())
    return points[:, found], won[:, found], aims[:, found]


def close_apart(view: View, choices: Sequence[Action]) -> tuple[list[Action], bool]:
    """Return the actions without the close, if that is to be judged apart, and whether it is.

    Before the drawing it stands among the others.
    """
    apart = CLOSE in choices and not view.public.to_draw
    return [action for action in choices if action != CLOSE or not apart], apart
