"""The command line: the same answers as `Session`, one clear line for every mistake, status 2."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inference.cli import main
from inference.game.events import Kind
from inference.game.record import parse_record
from inference.opponents import load
from inference.paths import data_file
from inference.session import Session
from inference.workshop import pool_reading

ROOT = Path(__file__).resolve().parent.parent
F1 = str(data_file("f1.jsonl"))
PUBLISHED = [
    json.loads(line)
    for line in (ROOT / "tests/cases/published.jsonl").read_text(encoding="utf-8").splitlines()
]
QUIET = ("--worlds", "8", "--seed", "3")
LAID = (Kind.PLAY, Kind.ANNOUNCE)

Captured = pytest.CaptureFixture[str]


def asked(capsys: Captured, *arguments: str) -> str:
    """Run a command that must succeed; return what it prints."""
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return out


def refused(capsys: Captured, *arguments: str) -> str:
    """Run a command that must fail as bad input does; return its one line."""
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("sixtysix: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    return err.removeprefix("sixtysix: ").strip()


def typed(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    """Put a text on standard input."""
    data = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


# -- belief, legal, advise -------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["belief", "legal"])
@pytest.mark.parametrize("seat", ["S", "N"])
@pytest.mark.parametrize("model", ["counting", "logit"])
def test_json_is_the_report_at_every_event(
    question: str, seat: str, model: str, capsys: Captured
) -> None:
    record = Path(F1).read_text(encoding="utf-8")
    for at in range(0, 36, 5):
        options = ("--seat", seat, "--at", str(at), "--model", model, "--json")
        told = asked(capsys, question, F1, *options)
        session = Session.from_record(record, seat=seat, model=model, at=at)
        assert json.loads(told) == session.report(question)
        assert told.count("\n") == 1


@pytest.mark.parametrize("at", [0, 9, 26])
def test_advice_is_the_report_and_the_same_again(at: int, capsys: Captured) -> None:
    command = ("advise", F1, "--at", str(at), "--json", *QUIET)
    told = asked(capsys, *command)
    session = Session.from_record(Path(F1).read_text(encoding="utf-8"), at=at)
    assert json.loads(told) == session.report("advise", worlds=8, seed=3)
    assert told == asked(capsys, *command)


def numbers(value: Any) -> list[Any]:
    """List all numbers in a JSON value."""
    if isinstance(value, dict):
        return [n for one in value.values() for n in numbers(one)]
    if isinstance(value, list):
        return [n for one in value for n in numbers(one)]
    return [value] if isinstance(value, int | float) else []


@pytest.mark.parametrize("question", ["belief", "legal", "advise"])
def test_reports_hold_plain_numbers_only(question: str) -> None:
    session = Session.from_record(Path(F1).read_text(encoding="utf-8"), at=9)
    options = {"worlds": 8} if question == "advise" else {}
    found = numbers(session.report(question, **options))
    assert found
    assert {type(n) for n in found} <= {int, float, bool}


def test_the_default_seat_is_the_records_own_then_s(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = json.loads(Path(F1).read_text(encoding="utf-8")) | {"seat": "N"}
    typed(monkeypatch, json.dumps(deal))
    assert asked(capsys, "belief", "-", "--json") == asked(
        capsys, "belief", F1, "--seat", "N", "--json"
    )
    whole = asked(capsys, "belief", F1, "--json")
    assert whole == asked(capsys, "belief", F1, "--seat", "S", "--json")


def test_at_counts_the_events_as_written(capsys: Captured) -> None:
    record = parse_record(Path(F1).read_text(encoding="utf-8"))
    for at in (0, 3, 4, 13, 35):
        assert f"after {at} events" in asked(capsys, "legal", F1, "--at", str(at))
        report = json.loads(asked(capsys, "legal", F1, "--at", str(at), "--json"))
        laid = [event for event in record.events[:at] if event.action.kind in LAID]
        assert sum(report["tricks"].values()) == len(laid) // 2


def test_line_picks_the_record(capsys: Captured) -> None:
    path = data_file("schnapsen.jsonl")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        told = asked(capsys, "legal", str(path), "--line", str(number), "--json")
        assert json.loads(told) == Session.from_record(line).report("legal")


@pytest.mark.parametrize("style", ["lower", "signs", "emoji", "tens", "bom"])
def test_other_ways_to_write_cards_are_read(
    style: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats and marks stay as they are, cards may be written otherwise."""
    deal = {
        "rules": "sixty-six",
        "leader": "N",
        "hands": {"S": "AS KH QH 9C JD TD"},
        "upcard": "JH",
        "events": "N:TC S:9C S:+AC N:KD",
    }
    other = {
        "lower": "N:tc S:9c S:+ac N:kd",
        "signs": "N:T♣ S:9♣ S:+A♣ N:K♦",
        "emoji": "N:T♣\ufe0f S:9♣\ufe0f S:+A♣\ufe0e N:K♦\ufe0f",
        "tens": "N:10C S:9C S:+AC N:KD",
        "bom": deal["events"],
    }[style]
    typed(monkeypatch, json.dumps(deal))
    plain = asked(capsys, "belief", "-", "--json")
    written = json.dumps(deal | {"events": other}, ensure_ascii=False)
    typed(monkeypatch, ("\ufeff" if style == "bom" else "") + written)
    assert asked(capsys, "belief", "-", "--json") == plain


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: str(case["id"]))
def test_the_published_positions_are_answered(
    case: dict[str, Any], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, json.dumps(case["record"]))
    told = json.loads(asked(capsys, "advise", "-", "--worlds", "200", "--json"))
    assert [one["value"] for one in told["actions"]] == sorted(
        (one["value"] for one in told["actions"]), reverse=True
    )
    assert told["best"] == told["actions"][0]["action"]
    assert all(one["reason"] for one in told["actions"])
    if case["record"]["start"]["talon"] == 0:
        assert told["method"] == "exact"
        assert told["best"] in case["expect"]["computed_best"]
        assert told["actions"][0]["value"] == float(case["expect"]["computed_value"])


def test_text_says_what_json_says(capsys: Captured) -> None:
    report = json.loads(asked(capsys, "belief", F1, "--at", "9", "--json"))
    text = asked(capsys, "belief", F1, "--at", "9")
    assert f"{report['n_layouts']:,} possible hands" in text
    assert all(hand in text for hand, _ in report["hands"]["N"])
    row = next(line for line in text.splitlines() if line.startswith("spades")).split("  ")
    cells = [cell.strip() for cell in row if cell.strip()][1:]
    for rank, cell in zip("ATKQ", cells, strict=False):
        assert cell == f"{100 * report['marginals'][f'{rank}S']['N']:.0f} %"
    assert cells[4:] == ["gone", "gone"]


def test_text_of_advice_and_of_an_end(capsys: Captured) -> None:
    text = asked(capsys, "advise", F1, "--at", "26", *QUIET)
    report = json.loads(asked(capsys, "advise", F1, "--at", "26", "--json", *QUIET))
    assert f"Best: {report['best']} (" in text
    assert report["method"] in text
    assert all(one["reason"] in text for one in report["actions"])
    over = asked(capsys, "legal", F1)
    assert "S wins 1 game point." in over
    assert over.splitlines()[-3].split() == ["points", "69", "60"]


def test_a_pack_of_twenty_has_no_nines(capsys: Captured) -> None:
    text = asked(capsys, "belief", str(data_file("schnapsen.jsonl")), "--at", "0")
    assert next(line for line in text.splitlines() if "A" in line and "T " in line).split() == [
        *"ATKQJ"
    ]


# -- mistakes --------------------------------------------------------------------------------------

BAD_USAGE = {
    "no command": ((), "COMMAND"),
    "an unknown command": (("guess",), "guess"),
    "no file": (("belief",), "FILE"),
    "two files": (("belief", F1, F1), "unrecognized arguments"),
    "no such file": (("legal", "nowhere.jsonl"), "nowhere.jsonl: No such file"),
    "a folder": (("legal", str(ROOT)), "Is a directory"),
    "no such line": (("legal", F1, "--line", "2"), "no line 2"),
    "line 0": (("legal", F1, "--line", "0"), "--line: '0'"),
    "a negative place": (("legal", F1, "--at", "-1"), "--at"),
    "a place that is no number": (("legal", F1, "--at", "x"), "--at: 'x'"),
    "a place with foreign digits": (("legal", F1, "--at", "²"), "--at: '²'"),
    "a place beyond the end": (("legal", F1, "--at", "36"), "35 events, not 36"),
    "a seat that nobody has": (("legal", F1, "--seat", "W"), "'W'"),
    "an unknown model": (("belief", F1, "--model", "guru"), "'guru'"),
    "a model that is none": (("belief", F1, "--model", F1), "model"),
    "no time": (("advise", F1, "--budget", "0"), "--budget: '0'"),
    "endless time": (("advise", F1, "--budget", "inf"), "--budget: 'inf'"),
    "no worlds": (("advise", F1, "--worlds", "0"), "--worlds: '0'"),
    "time and worlds": (("advise", F1, "--worlds", "5", "--budget", "1"), "not allowed with"),
    "advice when he is to act": (("advise", F1, "--at", "1"), "N's reply to QC"),
    "advice when a draw is due": (("advise", F1, "--at", "2"), "your drawn card"),
    "advice after the end": (("advise", F1), "the deal is over"),
    "unknown rules": (("play", "--rules", "whist"), "'whist'"),
    "an unknown player": (("simulate", "--players", "logit", "guru"), "'guru'"),
    "no deals": (("simulate", "--deals", "0"), "--deals: '0'"),
    "a place that cannot be written": (
        ("simulate", "--deals", "1", "--jobs", "1", "--out", str(ROOT / "nowhere" / "x.jsonl")),
        "No such file",
    ),
    "nothing to evaluate": (("evaluate", os.devnull, "--jobs", "1"), "no decision"),
    "a port that is none": (("app", "--port", "70000"), "70000"),
    "a half option": (("belief", F1, "--js"), "--js"),
}


@pytest.mark.parametrize("name", BAD_USAGE)
def test_bad_usage_is_one_line_and_status_2(name: str, capsys: Captured) -> None:
    arguments, told = BAD_USAGE[name]
    assert told in refused(capsys, *arguments)


F1_DEAL = json.loads(Path(F1).read_text(encoding="utf-8"))
BAD_RECORDS = {
    "nothing": ("", "no line 1"),
    "an empty line": ("\n", "JSON"),
    "no JSON": ("hello\n", "JSON"),
    "half a record": ('{"rules": "sixty-six",\n', "JSON"),
    "a list": ("[]\n", "object"),
    "no text": (b"\xff\xfe{}\n", "UTF-8"),
    "no end": ("x" * (2 << 20), "too long"),
    "no rules": (json.dumps({k: v for k, v in F1_DEAL.items() if k != "rules"}), "rules"),
    "unknown rules": (json.dumps(F1_DEAL | {"rules": "whist"}), "whist"),
    "a wrong talon": (json.dumps(F1_DEAL | {"talon": "JD JH"}), "talon"),
    "a card seen twice": (json.dumps(F1_DEAL | {"events": "S:QC* N:AC N:+ S:+AC"}), "entry 4"),
    "not his turn": (json.dumps(F1_DEAL | {"events": "N:AC"}), "entry 1"),
    "an impossible announcement": (json.dumps(F1_DEAL | {"events": "S:AH*"}), "entry 1"),
    "an event that is none": (json.dumps(F1_DEAL | {"events": "S:QC* N:1C"}), "event 2"),
    "a line break inside": (json.dumps(F1_DEAL | {"events": "S:Q\nC"}), "event"),
    "a missed card": (json.dumps(F1_DEAL | {"events": "S:?"}), "reserved"),
}


@pytest.mark.parametrize("name", BAD_RECORDS)
@pytest.mark.parametrize("question", ["belief", "legal", "advise"])
def test_a_broken_record_is_one_line_and_status_2(
    question: str, name: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, told = BAD_RECORDS[name]
    typed(monkeypatch, text)
    assert told in refused(capsys, question, "-")


def test_a_bad_line_of_many_is_named(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_text(json.dumps(F1_DEAL) + "\n{}\n", encoding="utf-8")
    assert "line 2 of" in refused(capsys, "evaluate", str(path), "--jobs", "1")


# -- making and measuring --------------------------------------------------------------------------


def test_simulate_writes_the_same_bytes_whatever_the_jobs(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    common = ("simulate", "--rules", "schnapsen", "--deals", "6", "--seed", "66")
    assert asked(capsys, *common, "--jobs", "2", "--out", str(path)) == ""
    told = asked(capsys, *common, "--jobs", "1")
    assert path.read_text(encoding="utf-8") == told
    assert data_file("schnapsen.jsonl").read_text(encoding="utf-8").startswith(told)


def test_evaluate_tells_bits_interval_sizes_and_seed(capsys: Captured) -> None:
    path = str(data_file("schnapsen.jsonl"))
    few = asked(capsys, "evaluate", path, "--jobs", "1", "--seed", "4")
    assert few.startswith("12 deals, ")
    assert "seed 4" in few
    assert "counting" in few
    assert "interval" not in few  # too few deals to speak of one
    many = asked(capsys, "evaluate", path, str(data_file("schnapsen-sharp.jsonl")), "--jobs", "1")
    assert "24 deals" in many
    assert "95 % interval" in many
    assert many == asked(
        capsys, "evaluate", path, str(data_file("schnapsen-sharp.jsonl")), "--jobs", "1"
    )


def test_evaluate_writes_the_report_of_the_pool(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_reading, "FAMILIES", ("random", "greedy"))
    monkeypatch.setattr(pool_reading, "N_DEALS", 1)
    line = "evaluate --inference --deals 2 --rules schnapsen --model uniform --jobs 1 --seed 3"
    told = asked(capsys, *line.split())
    assert "made by" in told.lower()
    assert "`sixtysix evaluate --inference --deals 2 --rules 'schnapsen' --model uniform" in told
    path = tmp_path / "page.md"
    assert asked(capsys, *line.split(), "--out", str(path)) == ""
    assert "![" in path.read_text()
    assert (tmp_path / "page-bits.svg").is_file()


def test_the_report_makes_its_own_deals(capsys: Captured) -> None:
    path = str(data_file("schnapsen.jsonl"))
    assert "its own deals" in refused(capsys, "evaluate", path, "--value", "2")


def test_fit_writes_a_file_that_loads(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    assert asked(capsys, "fit", "--deals", "20", "--styles", "1", "--out", str(path)) == ""
    assert len(load(path).styles) == 3  # one for all kinds, one for simple programs, the random one


# -- as a process ----------------------------------------------------------------------------------


def command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    line = [sys.executable, "-m", "inference", *arguments]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, **options)


def test_the_process_has_the_status_and_tells_its_version() -> None:
    done = command("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("sixtysix ")
    assert done.stderr == ""
    failed = command("legal", "nowhere")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "sixtysix: nowhere: No such file or directory.\n"


def test_every_command_helps_itself() -> None:
    told = command("--help").stdout
    for name in (
        "belief",
        "legal",
        "advise",
        "play",
        "app",
        "simulate",
        "fit",
        "evaluate",
        "bench",
    ):
        assert f"    {name} " in told


def test_a_closed_pipe_ends_quietly() -> None:
    line = [sys.executable, "-m", "inference", "belief", F1]
    with subprocess.Popen(
        line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device to write to")
def test_a_full_disk_is_one_line_and_status_2() -> None:
    with open("/dev/full", "w") as full:
        line = [sys.executable, "-m", "inference", "belief", F1]
        done = subprocess.run(line, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "sixtysix: the output: No space left on device.\n"


def test_output_that_knows_no_umlauts_does_not_stop_it() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = command("legal", "fü.jsonl", env=environment)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
