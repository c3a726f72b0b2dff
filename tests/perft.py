"""Count the lines of legal events from a position (docs/rules.md 8.6), and split by first event."""

from collections.abc import Iterator
from typing import Any

import reference
from perft_files import replay as replay_reference

from inference.cards import Seat, parse_card
from inference.game.events import Event, Kind
from inference.game.notation import parse_events
from inference.game.position import Position
from inference.game.rules import parse_rules
from inference.game.state import other


def events(position: Position) -> Iterator[Event]:
    """Yield every legal event: of the seat to act, then of the other (8.2 to 8.4)."""
    seat = position.public.to_act
    for action in position.legal_actions():
        yield Event(seat, action)
    for action in position.other_actions():
        yield Event(other(seat), action)


def perft(position: Position, depth: int) -> int:
    """Count the lines of `depth` events; a line that ends earlier is not one."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_actions()) + len(position.other_actions())
    return sum(perft(position.play(action, seat), depth - 1) for seat, action in events(position))


def split(position: Position, depth: int) -> dict[str, int]:
    """Count the lines of `depth` events behind every legal event."""
    return {
        f"{seat}:{action}": perft(position.play(action, seat), depth - 1)
        for seat, action in events(position)
    }


def replay(line: dict[str, Any]) -> Position:
    """Play the events of a line of a file in tests/perft/."""
    hands = [[parse_card(text) for text in line["hands"][seat].split()] for seat in "SN"]
    talon = [parse_card(text) for text in line["talon"].split()]
    rules, leader = parse_rules(line["rules"]), Seat[line["leader"]]
    position = Position.of(rules, leader, (hands[0], hands[1]), talon)
    for seat, action in parse_events(line["events"]):
        if action.kind == Kind.DRAW:
            assert action.card is not None
            position = position.play(action) if position.public.to_draw else position
            assert position.hands[seat] & action.card.mask
        else:
            position = position.play(action, seat)
    return position


def report(line: dict[str, Any], depth: int) -> str:
    """Show both engines' counts by first event, and follow the first difference to its place."""
    position, state = replay(line), replay_reference(line)
    said = [f"{line['rules']} {line['events']}"]
    while depth:
        mine, its = split(position, depth), reference.split(state, depth)
        names = [*mine, *(name for name in its if name not in mine)]
        wrong = [name for name in names if mine.get(name) != its.get(name)]
        said += [
            f"  depth {depth}: {name}  engine {mine.get(name)}  reference {its.get(name)}"
            for name in wrong
        ]
        if not wrong or wrong[0] not in mine or wrong[0] not in its:
            break
        ((seat, action),) = parse_events(wrong[0])
        position, state = position.play(action, seat), reference.step(state, seat.name, str(action))
        depth -= 1
    return "\n".join(said)
