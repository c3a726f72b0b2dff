"""The compiled tree search against the one written down plainly, walk by walk."""

from __future__ import annotations

import random

import pytest

import inference.solve.encode as e
from inference import opponents
from inference.advice import chance
from inference.advice.ismcts import Guide, Tree
from inference.advice.searched import Search
from inference.belief import prior
from inference.cards import Seat
from inference.game.position import Position, View
from inference.game.rules import PRESETS
from inference.opponents.logit import Logit
from inference.solve.encode import action_column
from tests.plain_tree import Node, PlainTree, Stream

MODEL = opponents.load("logit")
assert isinstance(MODEL, Logit)
N_WALKS = 120


def test_chance_is_the_same_stream() -> None:
    plain, compiled = Stream(7), chance.stream(7)
    assert [plain.uniform() for _ in range(1000)] == [chance.uniform(compiled) for _ in range(1000)]


def my_turn(preset: str, seed: int) -> View:
    """Play random cards until S has a choice with four cards and more in the talon."""
    rng = random.Random(f"{preset} {seed}")
    while True:
        position = Position.deal(PRESETS[preset], rng.choice((Seat.S, Seat.N)), rng)
        for _ in range(rng.randrange(12)):
            if position.public.over or position.public.closed:
                break
            position = position.play(rng.choice(position.legal_actions()))
        public = position.public
        if public.over or public.closed or public.talon < 4 or public.to_draw:
            continue
        if public.to_act == Seat.S and not position.other_actions():
            return position.view(Seat.S)


def compiled(tree: Tree, node: int, plain: Node) -> int:
    """Compare a node with its twin and all below; return their number."""
    assert tree.visits[node] == plain.visits
    assert tree.gained[node] == pytest.approx(plain.gained)
    found = {int(edge): int(child) for edge, child in enumerate(tree.children[node]) if child}
    edges = plain.children | {
        e.N_ACTIONS + card.bit_length() - 1: child for card, child in plain.drawn.items()
    }
    assert found.keys() == edges.keys()
    return 1 + sum(compiled(tree, found[edge], edges[edge]) for edge in found)


@pytest.mark.parametrize("guided", [True, False], ids=["guided", "published"])
@pytest.mark.parametrize("preset", PRESETS)
def test_compiled_and_plain_search_grow_the_same_tree(preset: str, guided: bool) -> None:
    for seed in range(2):
        view = my_turn(preset, seed)
        belief = prior(
            view.unseen, view.public.held[view.opponent], view.public.known[view.opponent]
        )
        actions, guide = view.legal_actions(), Guide(MODEL.weights, MODEL.epsilon, int(guided))
        search = Search(view, belief, actions, guide, seed)
        search.walk(N_WALKS)
        hands = [(int(hand), 1 / len(belief.hands)) for hand in belief.hands]
        columns = [action_column(action) for action in actions]
        plain = PlainTree(view, hands, columns, MODEL if guided else None, seed)
        for _ in range(N_WALKS):
            plain.walk()
        assert compiled(search.tree, 0, plain.root) == search.tree.size[0] > 40
