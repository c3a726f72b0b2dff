"""The rules against the reference, event by event: `python -m tests.twin --deals 100000 --seed 1`.

The reference was written from docs/rules.md alone; where the two engines differ, one is wrong.
"""

import argparse
import random
import sys
from typing import Any, NamedTuple

from inference.cards import Card, Seat, parse_card, show
from inference.errors import NotationError
from inference.game.notation import parse_action
from inference.game.position import Position
from inference.game.rules import Rules, parse_rules
from inference.game.state import SEATS, other
from tests import reference

Facts = dict[str, Any]


def pairs(values: tuple[Any, ...]) -> Facts:
    return {seat.name: value for seat, value in zip(SEATS, values, strict=True)}


def of_engine(position: Position) -> Facts:
    """Say what the engine thinks of a position."""
    public, beside = position.public, [str(one) for one in position.other_actions()]
    outcome = public.outcome
    winner = None if outcome is None or outcome.winner is None else outcome.winner.name
    return {
        "to act": None if public.over else public.to_act.name,
        "legal": [str(one) for one in position.legal_actions()],
        "others": {other(public.to_act).name: beside} if beside else {},
        "points": pairs(public.points),
        "pending": pairs(public.pending),
        "tricks": pairs(public.tricks),
        "result": (winner, 0 if outcome is None else outcome.game_points),
        "over": public.over,
        "hands": pairs(tuple(map(show, position.hands))),
        "held": pairs(public.held),
        "talon": tuple(map(str, position.talon)),
    }


def of_reference(state: reference.State) -> Facts:
    """Say what the reference thinks of it, in the same words."""
    return {
        "to act": reference.to_act(state),
        "legal": reference.legal(state),
        "others": reference.others(state),
        "points": reference.points(state),
        "pending": reference.pending(state),
        "tricks": reference.tricks(state),
        "result": reference.result(state),
        "over": reference.over(state),
        "hands": {seat: " ".join(reference.in_order(state.hands[seat])) for seat in "SN"},
        "held": {seat: len(state.hands[seat]) for seat in "SN"},
        "talon": state.talon,
    }


def difference(position: Position, state: reference.State) -> str | None:
    """Name the first fact about which the engines differ, None if there is none."""
    mine, its = of_engine(position), of_reference(state)
    for fact, value in mine.items():
        if value != its[fact]:
            return f"{fact}: {value}, by the reference {its[fact]}"
    return views(position)


def views(position: Position) -> str | None:
    """Say where a seat's own view lists other actions than the position, None if nowhere."""
    to_act = position.public.to_act
    listed = {to_act: position.legal_actions(), other(to_act): position.other_actions()}
    for seat in SEATS:
        own = position.view(seat).legal_actions()
        if own != listed[seat]:
            return f"{seat}'s own view lists {list(map(str, own))}"
    return None


def choose(state: reference.State, rng: random.Random) -> reference.Event:
    """Draw an event: mostly one that is listed, at times a false claim or what ends the deal."""
    if rng.random() < 0.005:
        return rng.choice("SN"), rng.choice("/zr")
    if state.claimer is not None and rng.random() < 0.02:
        return state.claimer, "!"  # rightful or not
    some = reference.events(state)
    quiet = [event for event in some if event[1] not in ("c", "!")]
    return rng.choice(some if rng.random() < 0.4 or not quiet else quiet)


def rules_of(rng: random.Random) -> reference.Rules:
    """Draw a preset or house rules, whatever the code accepts."""
    while True:
        given = reference.random_rules(rng, rng.choice((0, 0, 1, 3, 8, 20)))
        try:
            parse_rules(given)
        except NotationError:
            continue
        return given


def start(given: reference.Rules, rng: random.Random) -> tuple[Position, reference.State]:
    """Deal the same cards to both engines."""
    deal = reference.random_deal(given, rng)
    _, leader, hands, talon = deal
    rules: Rules = parse_rules(given)
    mine = (cards(hands["S"]), cards(hands["N"]))
    return Position.of(rules, Seat[leader], mine, cards(talon)), reference.new(*deal)


def cards(texts: Any) -> list[Card]:
    return [parse_card(text) for text in texts]


class Run(NamedTuple):
    """How one random deal went on both engines, up to its end or to the first difference."""

    rules: reference.Rules
    events: list[str]
    position: Position
    found: str | None


def run(seed: int) -> Run:
    """Play one random deal on both engines, seeded."""
    rng = random.Random(seed)
    given = rules_of(rng)
    position, state = start(given, rng)
    done: list[str] = []
    found = difference(position, state)
    while found is None and not reference.over(state):
        seat, text = choose(state, rng)
        done.append(f"{seat}:{text}")
        position = position.play(parse_action(text), Seat[seat])
        state = reference.step(state, seat, text)
        found = difference(position, state)
    return Run(given, done, position, found)


def compare(seed: int) -> str | None:
    """Play one random deal on both engines; return how they differ, None if they agree."""
    deal = run(seed)
    if deal.found is None:
        return None
    return f"seed {seed}, {deal.rules}: {' '.join(deal.events)}\n  {deal.found}"


def main(arguments: list[str]) -> int:
    """Compare many deals and print how far it is; the status is 1 if the engines differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    n_different = 0
    for n in range(options.deals):
        found = compare(options.seed + n)
        if found is not None:
            n_different += 1
            print(found, flush=True)
        if (n + 1) % max(options.deals // 20, 1) == 0:
            print(f"{n + 1} of {options.deals} deals, {n_different} differ", flush=True)
    return int(n_different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
