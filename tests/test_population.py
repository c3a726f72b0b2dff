"""The habits of simulated players: how they are counted, read, and when they are compared with."""

import json
from pathlib import Path

import pytest

from inference import paths
from inference.cli import study as command
from inference.dashboard import players
from inference.errors import ModelError
from inference.game.record import parse_record
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from inference.paths import model_file
from inference.study import follow, habits, population
from inference.study.habits import ENOUGH, NAMES, SIMULATED, STORE
from inference.study.report import opponent
from inference.workshop.manners import PLAYERS, manners

FILE = json.loads(model_file("habits.json").read_text(encoding="utf-8"))


def test_habits_are_counted_from_each_seat_of_a_complete_record() -> None:
    line = paths.data_file("f1.jsonl").read_text(encoding="utf-8")
    for seat in SEATS:
        own = habits.of_known_hand(parse_record(line), seat)
        assert own == habits.count(follow(line, str(seat)), seat)
    assert own["wins when able"][1] > 0


def test_the_file_follows_from_its_command() -> None:
    found = manners(2, 7)
    assert found == manners(2, 7)
    assert found["command"] == "sixtysix fit --habits --deals 2 --seed 7"
    assert found["counts"].keys() == PRESETS.keys()
    assert all(0 <= k <= n for table in found["counts"].values() for k, n in table.values())


def test_the_shipped_file_fits_and_has_chances_for_every_habit() -> None:
    assert FILE["players"] == list(PLAYERS)
    for rules, counts in population.shipped().items():
        for name, (_, n) in counts.items():
            may = PRESETS[rules].close or not name.startswith("closes")
            assert (n >= ENOUGH) == may, (rules, name)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 2}, "version 1"),
        ({"counts": {}}, "must be sixty-six"),
        ({"counts": FILE["counts"] | {"santase": {}}}, "habits of santase"),
        ({"counts": FILE["counts"] | {"whist": {}}}, "must be sixty-six"),
        *(
            ({"counts": FILE["counts"] | {"santase": dict.fromkeys(NAMES, pair)}}, "whole numbers")
            for pair in ([3, 2], [-1, 2], [1.5, 2], [True, 2], [1], 7, "12")
        ),
    ],
)
def test_an_unfit_file_is_refused_with_a_sentence(
    tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    path = tmp_path / "habits.json"
    path.write_text(json.dumps(FILE | change), encoding="utf-8")
    with pytest.raises(ModelError, match=sentence):
        population.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{", "\udcff"])
def test_what_is_no_file_of_habits_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "habits.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelError, match="is not a file of habits"):
        population.load(path)
    with pytest.raises(ModelError):
        population.load(tmp_path / "none.json")


def test_the_store_is_compared_with_once_it_has_seen_enough() -> None:
    own, simulated = {"leads trumps": (15.0, 30.0)}, {"leads trumps": (100.0, 1000.0)}
    for n, rate, compared in ((99.0, 0.1, SIMULATED), (100.0, 0.25, STORE)):
        told = habits.habits(own, {"leads trumps": (n / 4, n)}, simulated)
        one = told[NAMES.index("leads trumps")]
        assert (one.others, one.compared) == (rate, compared)


def report(n: int) -> dict[str, object]:
    """Make a report of a deal against somebody who closes whenever he may."""
    counts = {"mine": {"closes": [0, n]}, "his": {"closes": [n, n]}}
    return {
        "rules": "schnapsen",
        "outcome": None,
        "decisions": [],
        "his_decisions": None,
        "habits": counts,
        "reading": {"bits": [], "p": [], "held": []},
        "where": "a:1",
        "opponent": "Ada",
        "date": "",
        "styles": {},
    }


def test_page_and_report_say_who_the_others_are() -> None:
    k, n = population.shipped()["schnapsen"]["closes"]
    told = opponent([report(1)] * 25, [])
    assert told["habits"][0]["others"] == pytest.approx(k / n)
    assert told["habits"][0]["n_others"] == n
    enough = opponent([report(4)] * 25, [])
    assert (enough["habits"][0]["others"], enough["habits"][0]["compared"]) == (0.0, STORE)
    for found, simulated in ((told, True), (enough, False)):
        for text in (players._habits(found["habits"]), command._opponent("Ada", found)):
            assert (SIMULATED in text) == simulated
            assert ("%*" in text) == simulated
