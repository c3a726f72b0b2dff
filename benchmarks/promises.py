"""What the tree search promises, against what comes: chances to win and game points."""

from __future__ import annotations

from statistics import mean

import numpy as np

from benchmarks.row import Row
from inference.advice import advise
from inference.cards import Seat
from inference.game.events import Action
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from inference.tracker import Tracker
from inference.workshop import players
from inference.workshop.contest import play_out
from inference.workshop.players import Player

SEED = 9
N_DEALS = 60
N_WORLDS = 30
OPPONENTS = ("club", "ismcts:600", "pimc:4")


def rows() -> list[Row]:
    """Let the advisor meet other players, and ask at each searched decision what it expects."""
    return [row(rules, name) for rules in ("sixty-six", "schnapsen") for name in OPPONENTS]


def row(rules: str, name: str) -> Row:
    """Compare the means over deals; a deal without a searched decision tells nothing."""
    found = [deal for k in range(N_DEALS) if (deal := promised(rules, name, k)) is not None]
    said, came, value, points = np.array(found).T
    off = 1.96 * (value - points).std(ddof=1) / np.sqrt(len(found))
    figure = f"win {mean(said):.2f} said, {mean(came):.2f} came"
    more = f"game points {mean(value):+.2f} said, {mean(points):+.2f} came (± {off:.2f})"
    return Row(f"promises, {rules}, against {name}", len(found), figure, more)


def promised(rules: str, name: str, number: int) -> tuple[float, float, float, float] | None:
    """Play a deal; return the mean chance to win, the win, the mean value and the points."""
    said: list[tuple[float, float]] = []

    def choose(tracker: Tracker, rng: np.random.Generator) -> Action:
        actions, seed = players.choices(tracker.view), int(rng.integers(2**31))
        if len(actions) == 1:
            return actions[0]
        advice = advise(tracker.view, tracker.belief, worlds=N_WORLDS, seed=seed, actions=actions)
        if advice.method == "sampled":
            said.append((advice.best.p_win, advice.best.value))
        return advice.best.action

    start = Position.deal(PRESETS[rules], SEATS[number % 2], np.random.default_rng([SEED, number]))
    points = play_out(start, (Player("logit", choose), players.load(name)), [SEED, number])[Seat.S]
    if not said:
        return None
    p_win, value = (mean(column) for column in zip(*said, strict=True))
    return p_win, float(points > 0), value, float(points)
