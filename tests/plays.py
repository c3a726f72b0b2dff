"""Random play: every choice of every seat on the way through some deals."""

from collections.abc import Iterator

import numpy as np

from inference.cards import Seat
from inference.game.position import Position
from inference.game.rules import Rules
from inference.game.state import other


def choices(
    rules: Rules, rng: np.random.Generator, n_deals: int
) -> Iterator[tuple[Position, Seat]]:
    """Walk through random deals and yield each position with each seat that has a choice there."""
    for i in range(n_deals):
        position = Position.deal(rules, Seat(i % 2), rng)
        while not position.public.over:
            public = position.public
            aside = other(public.to_act)
            beside = position.other_actions()
            if beside or public.may_answer_close():
                yield position, aside
            yield position, public.to_act
            seat, actions = public.to_act, position.legal_actions()
            if beside and rng.random() < 0.5:
                seat, actions = aside, beside
            position = position.play(actions[rng.integers(len(actions))], seat)
