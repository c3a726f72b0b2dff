"""`sixtysix store`: deals in and out, found, copied, checked; one clear line for every mistake."""

import json
from pathlib import Path

import pytest

from inference.cards import show
from inference.cli import main
from inference.game.compact import format_compact
from inference.game.record import parse_record
from inference.paths import data_file
from inference.store import Store
from tests.f1 import F1, written

SAMPLE = data_file("session.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def few(tmp_path: Path) -> str:
    """Write a file of three deals."""
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(SAMPLE[:3]) + "\n", encoding="utf-8")
    return str(path)


def told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, *arguments: str, status: int = 0
) -> str:
    """Run a part of the command on a store; return what it prints, on errors too."""
    assert main(["store", *arguments, "--db", str(tmp_path / "deals.db")]) == status
    out, err = capsys.readouterr()
    return out + err


def test_deals_go_in_once_and_come_out(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "3 new, 0 there already" in told(capsys, tmp_path, "import", few)
    assert "0 new, 3 there already" in told(capsys, tmp_path, "import", few)
    lines = told(capsys, tmp_path, "export").splitlines()
    assert [parse_record(line).events for line in lines] == [
        parse_record(line).events for line in SAMPLE[:3]
    ]
    second = json.loads(told(capsys, tmp_path, "list", "--json").splitlines()[1])["id"]
    match = told(capsys, tmp_path, "export", "--match", second).splitlines()
    assert match == lines  # the sample begins with a match
    short = told(capsys, tmp_path, "export", "--format", "text").splitlines()
    assert short == [format_compact(parse_record(line)) for line in SAMPLE[:3]]


def test_bad_lines_are_named_and_the_status_is_2(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open(few, "a", encoding="utf-8") as file:
        file.write("rubbish\n")
    said = told(capsys, tmp_path, "import", few, status=2)
    assert "3 new" in said
    assert f"line 4 of {few}: 'rubbish' is no known rule set" in said
    assert said.splitlines()[-1] == "sixtysix: 1 bad line; the others are kept."


def test_deals_are_listed_and_shown(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, tmp_path, "import", few)
    assert "No deal is found." in told(capsys, tmp_path, "list", "--opponent", "nobody")
    assert "1 of 3 deals" in told(capsys, tmp_path, "list", "-n", "1")
    rows = [json.loads(line) for line in told(capsys, tmp_path, "list", "--json").splitlines()]
    assert [row["played"] for row in rows] == ["2026-01-09"] * 3
    page = told(capsys, tmp_path, "export", "--format", "html", "--deal", rows[0]["id"])
    assert page.startswith("<!DOCTYPE html>")


def test_the_store_is_copied_checked_and_restored(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, tmp_path, "import", few)
    copy = str(tmp_path / "copy.db")
    assert told(capsys, tmp_path, "backup", "--out", copy).strip() == copy
    assert "is sound: 3 deals" in told(capsys, tmp_path, "check")
    (tmp_path / "deals.db").write_bytes(b"no database at all" * 100)
    assert "cannot be used" in told(capsys, tmp_path, "check", status=2)
    assert "is restored" in told(capsys, tmp_path, "restore", copy)
    assert "is sound: 3 deals" in told(capsys, tmp_path, "check")


def test_a_mistyped_deal_is_corrected_and_put_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(tmp_path / "deals.db")
    deal = written(store, *F1[:5]).id
    change = ("--hand", "AH KC QC TS AD JC", "--entry", "5", "S:TS", "--opponent", "Ann")
    assert "entry 5" in told(capsys, tmp_path, "correct", deal, *change[:2], status=2)
    assert store.revision(deal) == 5
    found = parse_record(told(capsys, tmp_path, "correct", deal, *change))
    assert (show(found.hand), str(found.events[4])) == ("TS AH AD KC QC JC", "S:TS")
    assert found.meta["opponent"] == "Ann"
    found = parse_record(told(capsys, tmp_path, "correct", deal, "--undo"))
    assert (show(found.hand), str(found.events[4])) == ("9S AH AD KC QC JC", "S:9S")
    house = '{"base":"sixty-six","target":11}'
    found = parse_record(told(capsys, tmp_path, "correct", deal, "--rules", house))
    assert found.rules.target == 11
    for wrong in ([], ["--undo", "--upcard", "KH"], ["--entry", "0", ""], ["--leader", "N"]):
        before = store.revision(deal)
        assert told(capsys, tmp_path, "correct", deal, *wrong, status=2).count("\n") == 1
        assert store.revision(deal) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["import"], "name the files"),
        (["import", "nowhere.jsonl"], "No such file"),
        (["export", "--format", "html"], "--deal ID"),
        (["export", "--format", "parquet"], "--out FILE"),
        (["export", "--deal", "nobody"], "no such deal"),
        (["list", "--since", "yesterday"], "no date"),
        (["list", "--rules", "poker"], "invalid choice"),
        (["restore", "nowhere.db"], "there is no store"),
        ([], "required"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["store", *arguments, *(["--db", str(tmp_path / "x.db")] if arguments else [])])
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
