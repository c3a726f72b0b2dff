"""The number of lines from seeded places, counted by the rules and by the reference."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from perft import perft, replay, report, split
from table import NAMES, midway

FILES = sorted((Path(__file__).parent / "perft").glob("*.perft"))
MOST_LEAVES = 12_000
LINES = [
    pytest.param(json.loads(line), id=f"{file.stem}-{n}")
    for file in FILES
    for n, line in enumerate(file.read_text().splitlines(), start=1)
]


def test_there_is_a_file_for_every_preset_and_one_for_house_rules() -> None:
    assert {file.stem for file in FILES} == {*NAMES, "house"}
    assert len(LINES) >= 100


@pytest.mark.parametrize("line", LINES)
def test_8_6_counts_are_the_references(line: dict[str, Any]) -> None:
    position = replay(line)
    for depth, count in enumerate(line["counts"], start=1):
        if count <= MOST_LEAVES:
            assert perft(position, depth) == count, report(line, depth)


def test_8_6_by_hand() -> None:
    """Two leads, one reply each, then all is forced; the second trick ends it."""
    strict = midway("sixty-six", "AS KD", "JS QD")
    assert [perft(strict, depth) for depth in range(6)] == [1, 2, 2, 2, 2, 0]
    # Two cards or the close to lead, two replies, then the draw or a close before it.
    opened = midway("bicycle", "AS KD", "JS QD", "AC TC KC TH")
    assert split(opened, 2) == {"S:AS": 2, "S:KD": 2, "S:c": 2}
    assert split(opened, 3) == {"S:AS": 4, "S:KD": 4, "S:c": 2}
    # Whoever may claim beside the seat to act is counted, and a claim has no line behind it.
    shown = midway("schnapsen", "KS QS", "JS JD", "AC TC KC TH", points=(46, 0))
    assert split(shown.play(shown.legal_actions()[1]), 1) == {"N:JS": 1, "N:JD": 1, "S:!": 1}
    assert split(shown.play(shown.legal_actions()[1]), 2)["S:!"] == 0


def test_a_mismatch_is_followed_to_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.loads((FILES[0].parent / "sixty-six.perft").read_text().splitlines()[0])
    assert report(line, 4).splitlines() == [f"sixty-six {line['events']}"]
    monkeypatch.setattr("inference.game.state.PublicState.may_announce", lambda *_: False)
    *_, deeper, last = report(line, 4).splitlines()
    assert "depth 2" in deeper or "depth 1" in deeper
    assert re.search(r"depth 1: [SN]:[KQ][SHDC]\*  engine None  reference 1$", last)
