"""Reports on many deals: kept studies, accuracy, habits, and the command line."""

import json
from functools import cache
from pathlib import Path

import pytest

from inference.cards import Seat
from inference.cli import main
from inference.cli.study import KEPT
from inference.game.record import parse_record
from inference.store import Store
from inference.study import batch, follow, habits, report
from inference.study.batch import Case, study
from inference.study.judge import Effort
from inference.study.keep import Kept
from inference.study.reading import reading

DATA = Path(__file__).resolve().parent.parent / "data"
TINY = Effort("tiny", 4, 12)
BLUNDER = {
    "rules": "sixty-six",
    "seat": "S",
    "start": {
        "leader": "S",
        "hand": "JD TC",
        "unseen": "TD QD",
        "trump": "S",
        "talon": 0,
        "points": {"S": 56, "N": 39},
        "tricks": {"S": 6, "N": 4},
    },
    "events": "S:JD N:TD N:QD S:TC",
    "meta": {"opponent": "Ada", "date": "2026-10-03"},
}
RIGHT = BLUNDER | {"events": "S:TC N:QD", "meta": {"opponent": "Bo", "date": "2026-11-30"}}
LATER = {"opponent": "Ada"}
CASES = [
    Case("a:1", parse_record(BLUNDER)),
    Case("a:2", parse_record(RIGHT)),
    Case("a:3", parse_record(BLUNDER | {"events": "S:JD N:QD", "meta": LATER}), "2026-11-02"),
]


def test_a_stopped_study_is_taken_up_again(tmp_path, monkeypatch):
    done = []

    def counted(record, *rest):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(record)
        return report.deal_report(record, *rest)

    monkeypatch.setattr(batch, "deal_report", counted)
    with pytest.raises(KeyboardInterrupt):
        study(CASES, Kept(tmp_path / "kept"))
    with (tmp_path / "kept").open("a") as file:
        file.write('{"key": "cut o')  # killed while it wrote
    monkeypatch.setattr(
        batch, "deal_report", lambda *given: done.append(1) or report.deal_report(*given)
    )
    found = study(CASES, Kept(tmp_path / "kept"))
    assert len(done) == 3
    assert study(CASES, Kept(tmp_path / "kept")) == found
    assert len(done) == 3
    fresh = study(CASES, Kept(tmp_path / "other"))
    assert fresh == found
    assert [one["where"] for one in found.reports] == ["a:1", "a:2", "a:3"]
    assert [one["date"] for one in found.reports] == ["2026-10-03", "2026-11-30", "2026-11-02"]


def test_an_interrupt_is_one_sentence(files, monkeypatch, capsys):
    def stopped(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("inference.cli.study.study", stopped)
    assert main(["study", str(files)]) == 130
    said = capsys.readouterr().err.split("\n")
    assert said[1:] == [f"sixtysix: {KEPT}", ""]


def test_deals_that_do_not_fit_are_left_out_and_named(tmp_path):
    wrong = Case("a:9", parse_record(BLUNDER | {"events": "S:AS"}))
    found = study([CASES[0], wrong], Kept(tmp_path / "kept"))
    assert len(found.reports) == 1
    assert found.left_out[0].startswith("a:9: entry 1, S:AS")


def test_the_summary_counts_mistakes(tmp_path):
    told = report.summary(study(CASES, Kept(tmp_path / "kept")).reports)
    assert (told["n_deals"], told["n_over"], told["n_decisions"]) == (3, 2, 3)
    assert told["game_points"] == -1 + 1
    assert (told["n_best"], told["share_best"]) == (1, None)  # too few for a rate
    many = report.accuracy(study(CASES, Kept(tmp_path / "kept")).reports * 7)
    assert (many["n_best"], many["share_best"]) == (7, pytest.approx(1 / 3))
    assert told["loss_per_deal"] == pytest.approx(4 / 3)
    assert [one["where"] for one in told["worst"]] == ["a:1", "a:3"]
    assert list(told["months"]) == ["2026-10", "2026-11"]
    assert list(told["days"]) == ["2026-10-03", "2026-11-02", "2026-11-30"]
    assert [one["date"] for one in told["opponents"]["Ada"]["styles"]] == [
        "2026-10-03",
        "2026-11-02",
    ]
    assert list(told["opponents"]) == ["Ada", "Bo"]
    ledger = told["ledger"]
    parts = ledger["start"] + ledger["luck"] - ledger["my_losses"] + ledger["his_losses"]
    assert parts + ledger["remainder"] == pytest.approx(ledger["result"])
    few = told["opponents"]["Ada"]
    assert all(habit["rate"] is None for habit in few["habits"])
    assert few["reading"]["gain_bits"] is None


# -- habits ----------------------------------------------------------------------------------------


@cache
def f1(seat="S"):
    return follow((DATA / "f1.jsonl").read_text(), seat)


def test_habits_of_a_known_hand_are_plain_counts():
    mine = habits.count(f1(), Seat.S)
    assert mine["announces when able"] == (1.0, 1.0)  # QC* at the first lead
    assert mine["exchanges at once"] == (1.0, 1.0)
    assert mine["closes"] == (0, 0)  # there is no closing in sixty-six
    his = habits.count(f1("N"), Seat.N)
    assert his["announces when able"][0] == 0


def test_habits_of_a_hidden_hand_weigh_chances_with_hindsight():
    own, seen = habits.count(f1("N"), Seat.N), habits.count(f1(), Seat.N)
    k, n = seen["wins when able"]
    assert own["wins when able"][0] <= own["wins when able"][1]
    assert 0 < k <= n + 1e-9
    assert abs(n - own["wins when able"][1]) < 1.5


def test_rates_are_silent_below_twenty():
    told = habits.habits({"closes": (5, 19)}, {"closes": (10, 40)}, {})
    assert (told[0].rate, told[0].others) == (None, 0.25)
    told = habits.habits({"closes": (5, 20)}, {"closes": (5, 19)}, {})
    assert (told[0].rate, told[0].others) == (0.25, None)
    assert told[0].low < 0.25 < told[0].high


def test_reading_compares_the_belief_with_the_truth():
    read = reading(f1())
    assert len(read.p) == len(read.held)
    assert 5 <= len(read.bits) <= 11
    assert all(counting <= 0 and model <= 0 for counting, model in read.bits)


# -- the command line ------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    name = tmp_path / "deals.jsonl"
    name.write_text("\n".join(map(json.dumps, (BLUNDER, RIGHT, {"rules": "whist"}))) + "\n")
    return name


def test_study_reports_on_files(files, capsys):
    assert main(["study", str(files), "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "2 deals, 2 decisions, quick analysis; +0 game points in 2 finished" in told
    assert "you led JD; TC was 2.00 game points better" in told
    assert f"{files}:3" in told
    assert main(["study", str(files), "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["decisions"][0]["loss"] for one in found["deals"]] == [2.0, 0.0]
    assert found["left_out"][0].startswith(f"{files}:3: ")


def test_study_reports_on_the_store(files, tmp_path, capsys):
    store = Store(tmp_path / "deals.db")
    for record in (BLUNDER, RIGHT):
        store.begin(record)
    assert main(["study", "--db", str(store.path), "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["n_deals"] == 2
    assert [one["opponent"] for one in found["deals"]] == ["Ada", "Bo"]


def test_study_says_what_is_missing(files, tmp_path, capsys):
    assert main(["study"]) == 2
    assert "--db" in capsys.readouterr().err
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert main(["study", str(empty)]) == 2
    assert "no deal to study" in capsys.readouterr().err
