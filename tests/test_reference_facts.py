"""The facts of docs/rules.md section 7 on random deals of the reference, and its perft files."""

import json
import random
from collections.abc import Iterator
from typing import Any

import perft_files
import pytest
import reference
from reference import NAMES, PRESETS, VALUE, Event, Rules, State, others, step


def wander(rules: str | Rules, seed: int, shun: str) -> Iterator[tuple[Event, State]]:
    """Play a random deal, without the events that end with a character of `shun` if possible."""
    rng = random.Random(seed)
    state = reference.new(*reference.random_deal(rules, rng))
    while not reference.over(state):
        every = reference.events(state)
        event = rng.choice([e for e in every if e[1][-1] not in shun] or every)
        state = step(state, *event)
        yield event, state


def check_the_sum(rules: str | Rules, seed: int) -> None:
    """Check 7.1, 7.4 and 7.5 at every moment of a random deal."""
    announced, pack = 0, sorted(reference.pack(reference.rules_of(rules)))
    for (_, text), state in wander(rules, seed, random.Random(seed).choice(["", "c", "!", "c!"])):
        cards = [c for held in (*state.hands.values(), *state.won.values()) for c in held]
        assert sorted([*cards, *state.talon, *filter(None, [state.led])]) == pack
        announced += (40 if text[1] == state.trump else 20) if text[-1] == "*" else 0
        in_tricks = sum(VALUE[card[0]] for won in state.won.values() for card in won)
        open_end = not any(state.hands.values()) and state.closed_by is None
        bonus = state.rules["last_trick_bonus"] if open_end else 0
        counted = sum(state.points.values())
        assert counted + sum(state.pending.values()) == in_tricks + announced + bonus
        assert counted <= 220 + bonus
        assert not open_end or in_tricks == 120
        assert all(not state.pending[seat] or not state.won[seat] for seat in "SN")


@pytest.mark.parametrize("rules", NAMES)
def test_cards_and_points_add_up(rules: str) -> None:
    for seed in range(60):
        check_the_sum(rules, seed)


def test_cards_and_points_add_up_under_house_rules() -> None:
    for seed in range(200):
        check_the_sum(reference.random_rules(random.Random(seed), 8), seed)


def ends_without_66(rules: str | Rules, shun: str, n: int) -> list[tuple[State, bool]]:
    """List the deals played to the end in which nobody has 66, and whether anybody announced."""
    found = []
    for seed in range(n):
        path = list(wander(rules, seed, shun))
        end = path[-1][1]
        if not any(end.hands.values()) and max(end.points.values()) < 66:
            found.append((end, any(text[-1] == "*" for (_, text), _ in path)))
    return found


def test_nobody_has_66_only_without_marriages_and_the_last_trick_scores_1() -> None:
    ends = ends_without_66("sixty-six", "", 300) + ends_without_66("sixty-six", "*", 300)
    assert len(ends) > 20
    for end, announced in ends:
        assert not announced
        assert min(end.points.values()) >= 55
        assert reference.result(end) == (end.leader, 1)


@pytest.mark.parametrize("rules", ["santase", "sechsundsechzig", "bicycle"])
def test_with_the_bonus_only_65_to_65_leaves_nobody_with_66(rules: str) -> None:
    ends = ends_without_66(rules, "*c!", 600)
    assert ends
    assert {tuple(end.points.values()) for end, _ in ends} == {(65, 65)}
    assert {reference.result(end) for end, _ in ends} == {(None, 0)}


LINES: dict[str, dict[str, Any]] = {
    f"{path.stem}-{number}": json.loads(line)
    for path in sorted(perft_files.FOLDER.glob("*.perft"))
    for number, line in enumerate(path.read_text().splitlines(), 1)
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_the_files_hold_the_counts(line: dict[str, Any]) -> None:
    state = perft_files.replay(line)
    small = [n for n in line["counts"] if n <= 1000]
    assert [reference.perft(state, depth) for depth in range(1, len(small) + 1)] == small
    assert sum(reference.split(state, 2).values()) == line["counts"][1]


def test_the_files_reach_every_kind_of_event() -> None:
    roots = [(line["rules"], perft_files.replay(line)) for line in LINES.values()]
    seen = {(str(rules), text[-1]) for rules, state in roots for _, text in reference.events(state)}
    for rules in NAMES:
        kinds = {"+", "x", "*"} | ({"c"} if PRESETS[rules]["close"] else set())
        assert {
            (rules, kind)
            for kind in kinds | ({"!"} if PRESETS[rules]["claim"] == "declared" else set())
        } <= seen
    answers = {
        str(rules) for rules, state in roots for texts in others(state).values() if "x" in texts
    }
    assert {"sechsundsechzig", "bicycle"} <= answers
