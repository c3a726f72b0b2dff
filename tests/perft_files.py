"""Move counts of seeded deals by the reference: `python tests/perft_files.py` writes tests/perft/.

A line is one JSON object: the deal, the events that lead to a place in it, and the number of lines
of 1, 2, 3 ... legal events from there (8.5; a round of drawing is one event, written as two draws).
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reference
from reference import Event, Rules, State

FOLDER = Path(__file__).parent / "perft"
MOST_LEAVES, MOST_DEPTH = 50_000, 9
HOUSES: list[Rules] = [  # the cells in which no preset differs, and mixtures
    {"base": "sixty-six", "close": True, "claim": "declared"},
    {"base": "bicycle", "announce": "automatic", "strict_trump": False},
    {"base": "schnapsen-sharp", "announce": "automatic", "xchg_on_opp_close": True},
    {"base": "santase", "marriage_valid": 0, "close_before_draw": True, "hand": 5},
    {"base": "sechsundsechzig", "cards": 20, "xchg_card": "J", "xchg_needs_trick": False},
    {"base": "schnapsen", "cards": 24, "strict_head": False, "xchg_when": "turn"},
]


def on_lead(state: State) -> bool:
    return state.led is None and not state.drawing


def cards_left(state: State) -> int:
    return len(state.hands[state.leader])


def here(state: State, text: str) -> bool:
    return text in reference.legal(state)


def there(state: State, text: str) -> bool:
    return any(text in texts for texts in reference.others(state).values())


PLACES: dict[str, Callable[[State], bool]] = {
    "start": lambda state: True,
    "a marriage": lambda state: "*" in "".join(reference.legal(state)),
    "exchange on lead": lambda state: here(state, "x") and on_lead(state),
    "exchange by the follower": lambda state: here(state, "x") and not on_lead(state),
    "a close before drawing": lambda state: here(state, "c") and state.drawing,
    "just closed": lambda state: state.just_closed,
    "an answer to a close": lambda state: there(state, "x"),
    "the last round of drawing": lambda state: state.drawing and len(state.talon) == 2,
    "talon exhausted": lambda state: not state.talon and on_lead(state),
    "late after a close": lambda state: state.closed_by is not None and cards_left(state) == 4,
    "a marriage in the strict phase": lambda state: (
        reference.strict(state) and not state.just_closed and "*" in "".join(reference.legal(state))
    ),
    "a claim after a trick": lambda state: here(state, "!"),
    "a claim after an announcement": lambda state: there(state, "!"),
}


def spelled(state: State, event: Event) -> list[str]:
    """Write an event, a round of drawing as two draws."""
    seat, text = event
    if text != "+":
        return [f"{seat}:{text}"]
    return [f"{seat}:+{state.talon[0]}", f"{reference.OTHER[seat]}:+{state.talon[1]}"]


def replay(line: dict[str, Any]) -> State:
    """Play a line's events to its place."""
    hands = {seat: cards.split() for seat, cards in line["hands"].items()}
    state = reference.new(line["rules"], line["leader"], hands, line["talon"].split())
    for seat, text in (written.split(":") for written in line["events"].split()):
        if not text.startswith("+"):
            state = reference.step(state, seat, text)
        elif state.drawing and text[1:] == state.talon[0]:
            state = reference.step(state, seat, "+")
        elif text[1:] not in state.hands[seat]:
            raise ValueError(f"{seat} does not draw {text[1:]}")
    return state


def wander(rules: str | Rules, rng: random.Random, place: str) -> dict[str, Any] | None:
    """Play a random deal until it comes to the place; None if it does not."""
    deal = reference.random_deal(rules, rng)
    state, written = reference.new(*deal), list[str]()
    while not PLACES[place](state):
        # Few closes, or no deal would come to its end; no claims, which end it.
        few = [
            e for e in reference.events(state) if e[1] not in ("c!" if rng.random() < 0.9 else "!")
        ]
        if not few:
            return None
        event = rng.choice(few)
        written += spelled(state, event)
        state = reference.step(state, *event)
    hands = {seat: " ".join(reference.in_order(cards)) for seat, cards in deal[2].items()}
    talon, events = " ".join(deal[3]), " ".join(written)
    return {"rules": rules, "leader": deal[1], "hands": hands, "talon": talon, "events": events}


def counts(state: State) -> list[int]:
    """Count deeper and deeper, to the end of all lines (a 0) or to the most leaves."""
    found = [1, reference.perft(state, 1)]
    while found[-1] and len(found) <= MOST_DEPTH:
        if found[-1] ** 2 / found[-2] > MOST_LEAVES:
            break
        found.append(reference.perft(state, len(found)))
    return found[1:]


def lines(rules: str | Rules, seed: str) -> list[dict[str, Any]]:
    """Find every place that the rules know, each in the first of 400 random deals that has it."""
    found = []
    for place in PLACES:
        rng = random.Random(f"{seed}, {place}")
        tried = (wander(rules, rng, place) for _ in range(400))
        line = next((one for one in tried if one is not None), None)
        if line is not None:
            found.append(line | {"counts": counts(replay(line))})
    return found


def write(name: str, found: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in found)
    (FOLDER / f"{name}.perft").write_text(text)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for preset in reference.NAMES:
        write(preset, lines(preset, preset))
    write("house", [line for i, house in enumerate(HOUSES) for line in lines(house, f"house {i}")])
