"""Rule sets as values: house rules in and out, and the tables of docs/rules.md against the code."""

import ast
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inference.errors import NotationError
from inference.game.rules import PARAMETERS, PRESETS, Rules, allowed, parse_rules

ROOT = Path(__file__).resolve().parent.parent
DOCS = (ROOT / "docs" / "rules.md").read_text()
MARKS = re.compile(r"\*chosen\*|ᵖ|`|\(.*?\)")


def table() -> tuple[list[str], dict[str, list[str]]]:
    """Return the presets and the rows of the table in section 2, without marks."""
    rows = [line for line in DOCS.splitlines() if line.startswith("|")]
    cells = [[MARKS.sub("", cell).strip() for cell in row.strip("|").split("|")] for row in rows]
    return cells[0][2:], {row[0]: row[1:] for row in cells[2:]}


COLUMNS, ROWS = table()


def written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def choices(cell: str) -> set[str]:
    """Return the allowed values of a row; `1 to 21` is a range."""
    if " to " in cell:
        low, high = map(int, cell.split(" to "))
        return {str(n) for n in range(low, high + 1)}
    return set(cell.split(", "))


def random_house(rng: random.Random, n_changes: int = 6) -> Rules:
    """Draw house rules: a preset with some cells redrawn, whatever they are."""
    base = rng.choice(list(PRESETS.values()))
    changes = {key: rng.choice(allowed(key)) for key in rng.sample(PARAMETERS, n_changes)}
    return replace(base, **changes)


def test_table_has_every_preset_and_parameter() -> None:
    assert tuple(COLUMNS) == tuple(PRESETS)
    assert tuple(ROWS) == PARAMETERS


@pytest.mark.parametrize("key", PARAMETERS)
def test_table_allows_what_the_code_allows(key: str) -> None:
    assert choices(ROWS[key][0]) == {written(value) for value in allowed(key)}


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("key", PARAMETERS)
def test_table_has_the_presets_cells(key: str, name: str) -> None:
    cell = ROWS[key][1:][COLUMNS.index(name)]
    rules = PRESETS[name]
    if cell == "–":  # no closing: the paragraph below the table says where house rules start
        assert not rules.close
        cell = NO_CLOSING[key]
    if cell == "cannot arise":
        assert rules.nobody66 == "last_trick"
    else:
        assert written(getattr(rules, key)) == cell


NO_CLOSING = {
    "close_fail": "2/3",
    "close_ok_basis": "final",
    "opp_out_after_close": "2/3",
    "close_first_lead": "false",
    "close_before_draw": "false",
    "close_min_stock": "2",
}


def test_docs_say_where_closing_starts_from() -> None:
    sentence = next(line for line in DOCS.splitlines() if line.startswith("`–`"))
    for phrase in (
        "`close_fail` 2/3",
        "basis final",
        "`opp_out_after_close` 2/3",
        "no close on the first lead or before drawing",
        "talon of 2 or more",
    ):
        assert phrase in sentence


def numbered_lines() -> list[str]:
    return re.findall(r"^\* (\d+\.\d+) ", DOCS, re.MULTILINE)


def numbers_in_test_names() -> set[str]:
    """Collect the numbers of `test_3_5_…` over all test files."""
    trees = (ast.parse(path.read_bytes()) for path in ROOT.glob("tests/test_*.py"))
    names = (node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef))
    found = (re.match(r"test_(\d+)_(\d+)_", name) for name in names)
    return {f"{match[1]}.{match[2]}" for match in found if match}


def test_every_numbered_line_has_a_test_and_every_test_a_line() -> None:
    lines = numbered_lines()
    assert len(lines) == len(set(lines)) >= 50
    assert set(lines) == numbers_in_test_names()


def cited() -> Iterator[tuple[str, str]]:
    """Yield the rule numbers that comments and docstrings of the rules' own room name."""
    for path in sorted((ROOT / "inference" / "game").glob("*.py")):
        told = re.sub(r"(?m)^ *>>>.*\n(?: *\(.*\n)?", "", path.read_text())  # examples cite nothing
        for number in re.findall(r"(?:\(|to |, |rules\.md |# )(\d\.\d\d?)\b", told):
            yield path.name, number


def test_code_cites_lines_that_exist() -> None:
    assert len(list(cited())) > 30
    assert [one for one in cited() if one[1] not in numbered_lines()] == []


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_read_and_written_by_name(name: str) -> None:
    assert parse_rules(name) is PRESETS[name]
    assert PRESETS[name].to_json() == name
    assert parse_rules({"base": name}) == PRESETS[name]
    assert parse_rules(PRESETS[name]) is PRESETS[name]


@pytest.mark.parametrize("key", PARAMETERS)
def test_every_allowed_value_is_read(key: str) -> None:
    for value in allowed(key):
        pack = {"cards": 24} if key == "xchg_card" else {}
        pack = {"xchg_card": "J"} if key == "cards" else pack
        rules = parse_rules({"base": "schnapsen", **pack, key: value})
        assert getattr(rules, key) == value
        assert type(getattr(rules, key)) is type(value)


def test_house_rules_change_only_their_cells() -> None:
    rules = parse_rules({"base": "sixty-six", "target": 11, "close": True})
    assert rules == replace(PRESETS["sixty-six"], target=11, close=True)
    assert rules.to_json() == {"base": "sixty-six", "target": 11, "close": True}


def test_house_rules_start_from_sixty_six() -> None:
    assert parse_rules({}) == PRESETS["sixty-six"]
    assert parse_rules({"target": 11}).name == "sixty-six"


def test_whole_numbers_may_stand_for_their_text() -> None:
    rules = parse_rules(
        {"close_fail": 3, "false_claim": 2, "opp_out_after_close": 2, "xchg_card": 9}
    )
    assert (rules.close_fail, rules.false_claim, rules.opp_out_after_close) == ("3", "2", "2")
    assert rules.xchg_card == "9"


def test_a_cell_set_back_to_the_presets_value_is_no_change() -> None:
    assert parse_rules({"base": "santase", "target": 11}).to_json() == "santase"


REFUSED: list[tuple[Any, str]] = [
    ("whist", "whist"),
    ("", "''"),
    ("Sixty-Six", "Sixty-Six"),
    ({"base": "whist"}, "whist"),
    ({"base": None}, "None"),
    ({"base": ["sixty-six"]}, "sixty-six"),
    ({"colour": "red"}, "colour"),
    ({"name": "mine"}, "name"),
    ({"": 1}, "''"),
    ({3: 1}, "3"),
    ({"target": 0}, "target"),
    ({"target": 22}, "target"),
    ({"target": "7"}, "target"),
    ({"target": 7.0}, "target"),
    ({"target": True}, "target"),
    ({"target": None}, "target"),
    ({"target": [7]}, "target"),
    ({"cards": 32}, "cards"),
    ({"cards": "24"}, "cards"),
    ({"hand": 7}, "hand"),
    ({"close": 1}, "close"),
    ({"close": "true"}, "close"),
    ({"strict_head": 0}, "strict_head"),
    ({"marriage_valid": True}, "marriage_valid"),
    ({"close_fail": "4"}, "close_fail"),
    ({"close_fail": 1}, "close_fail"),
    ({"xchg_card": "A"}, "xchg_card"),
    ({"announce": "never"}, "announce"),
    (None, "None"),
    (66, "66"),
    (["sixty-six"], "sixty-six"),
    ({"cards": 20}, "nines"),
    ({"base": "schnapsen", "xchg_card": "9"}, "nines"),
]


@pytest.mark.parametrize(("given", "named"), REFUSED, ids=str)
def test_what_is_no_rule_set_is_refused_with_a_sentence_that_names_it(
    given: Any, named: str
) -> None:
    with pytest.raises(NotationError) as error:
        parse_rules(given)
    sentence = str(error.value)
    assert named in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_refusals_name_the_choices() -> None:
    with pytest.raises(NotationError, match=r"it may be 33, 30\."):
        parse_rules({"gp_schedule": 66})
    with pytest.raises(NotationError, match="choose one of sixty-six, sechsundsechzig"):
        parse_rules("whist")


def test_house_rules_round_trip_through_json() -> None:
    rng = random.Random(66)
    for _ in range(2000):
        rules = random_house(rng, n_changes=rng.randrange(len(PARAMETERS)))
        if rules.cards == 20 and rules.xchg_card == "9":
            with pytest.raises(NotationError):
                parse_rules(rules.to_json())
        else:
            assert parse_rules(json.loads(json.dumps(rules.to_json()))) == rules
            assert parse_rules(rules.to_json()).to_json() == rules.to_json()


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        PRESETS["sixty-six"].target = 11  # type: ignore[misc]
    assert hash(parse_rules({"target": 11})) == hash(parse_rules({"target": 11}))
