"""`play`: a deal typed at the terminal is the same session, and a mistyped line loses nothing."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from inference.cli import main
from inference.paths import data_file
from inference.session import Session

Play = Callable[..., list[str]]
CARDS = "AS KH QH 9C JD TD"
BEGIN = ("N", CARDS, "JH")
RECORD = {"rules": "sixty-six", "seat": "S", "leader": "N", "hands": {"S": CARDS}, "upcard": "JH"}


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Type lines at `play`; return each answer, the greeting first and the farewell last."""

    def typed(*lines: str, options: tuple[str, ...] = ()) -> list[str]:
        rest, answers = iter(lines), []

        def prompted(prompt: str) -> str:
            answers.append(capsys.readouterr().out)
            try:
                line = next(rest)
            except StopIteration:
                raise EOFError from None
            prompts.append(prompt)
            return line

        monkeypatch.setattr("builtins.input", prompted)
        assert main(("play", *options)) == 0
        answers.append(capsys.readouterr().out)
        return [answer.strip() for answer in answers]

    return typed


prompts: list[str] = []


@pytest.fixture(autouse=True)
def _fresh() -> None:
    prompts.clear()


def after(*events: str) -> Session:
    session = Session.from_record(RECORD)
    for event in events:
        session.observe(event)
    return session


def test_it_asks_for_leader_cards_and_upcard_and_says_what_is_awaited(play: Play) -> None:
    play(*BEGIN, "N:TC", "S:9C", "S:+AC", "quit")
    assert [prompt.split()[0] for prompt in prompts[:3]] == ["Who", "Your", "The"]
    assert prompts[3:] == [
        "1. N's lead> ",
        "2. your reply to TC> ",
        "3. your drawn card> ",
        "4. N's lead> ",
    ]


def test_the_answers_are_those_of_the_session(play: Play) -> None:
    answers = play(*BEGIN, "N:TC S:9C S:+AC", "belief", "legal", "record")
    belief, legal, record = answers[5:8]
    session = after("N:TC", "S:9C", "S:+AC")
    report = session.report("belief")
    assert f"{report['n_layouts']:,} possible hands" in belief
    assert f"{100 * report['hands']['N'][0][1]:.2f} %" in belief
    assert " ".join(session.report("legal")["actions"]) in legal
    assert json.loads(record) | {"match": None} == session.to_record() | {"match": None}


def test_advice_is_given_when_it_is_my_turn(play: Play) -> None:
    answers = play(*BEGIN, "advise", "N:TC", "advise")
    assert "awaited is N's lead" in answers[4]
    assert "Best: " in answers[6]
    assert "game points" in answers[6]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("S:9C", "awaited is N's lead"),
        ("N:KH", "in your own hand"),
        ("N:1C", "1C"),
        ("beleif", "'beleif'"),
        ("N:AC S:9C S:9C", "9C"),
        ("undo", "0 entries"),
        ("undo x", "'x'"),
        ("undo 99999999999", "9999"),
        ("correct", "correct 9 N:QD"),
        ("correct 1", "correct 9 N:QD"),
        ("correct 1 N:AC", "no entry 1"),
        ("correct N:AC 1", "correct 9 N:QD"),
        ("next", "the deal is not over"),
        ("save", "cannot be written"),
        ("save /nowhere/at/all", "cannot be written"),
        ("\0", "event"),
    ],
)
def test_a_mistyped_line_gets_one_sentence_and_changes_nothing(
    line: str, told: str, play: Play
) -> None:
    answers = play(*BEGIN, line, "events", "N:TC", "record")
    assert told in answers[4]
    assert answers[4].count("\n") == 0
    assert answers[5] == "Nothing is entered yet."
    assert json.loads(answers[7])["events"] == "N:TC"


def test_mistyped_beginnings_are_asked_again(play: Play) -> None:
    lines = ("W", "N", "AS KH", "AS AS KH QH 9C JD", CARDS, "XX", "undo", CARDS, "AS", CARDS, "jh")
    answers = play(*lines, "record")
    assert "must be S or N" in answers[1]
    assert "6 cards, not 2" in answers[3]
    assert "AS stands twice" in answers[4]
    assert "XX" in answers[6]
    assert "AS is in your hand already." in answers[9]
    assert json.loads(answers[12])["upcard"] == "JH"


def test_several_events_are_entered_together_or_not_at_all(play: Play) -> None:
    answers = play(*BEGIN, "N:TC S:9C S:+AC N:KD", "undo 2", "N:KD S:KH", "events")
    assert answers[7] == "1. N:TC   2. S:9C"


def test_the_seat_may_be_left_out(play: Play) -> None:
    answers = play(*BEGIN, "TC 9C +AC", "KD", "events")
    assert answers[6] == "1. N:TC   2. S:9C   3. S:+AC   4. N:KD"


def test_undo_and_correct(play: Play) -> None:
    answers = play(
        *BEGIN, "N:TC S:9C S:+AC N:KD", "correct 1 N:QC 4 N:9D", "events", "correct 4 -", "events"
    )
    assert answers[6] == "1. N:QC   2. S:9C   3. S:+AC   4. N:9D"
    assert answers[8] == "1. N:QC   2. S:9C   3. S:+AC"


def test_save_adds_a_line_that_can_be_read_back(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "my deals.jsonl"
    play(*BEGIN, "N:TC", f"save {path}", "S:9C", f"save {path}")
    first, second = path.read_text(encoding="utf-8").splitlines()
    assert Session.from_record(first).events == after("N:TC").events
    assert Session.from_record(second).events == after("N:TC", "S:9C").events


@pytest.mark.parametrize("last", [(), ("quit",)])
def test_leaving_tells_the_deal_so_that_nothing_is_lost(last: tuple[str, ...], play: Play) -> None:
    farewell = play(*BEGIN, "N:TC", *last)[-1]
    assert json.loads(farewell.splitlines()[-1])["events"] == "N:TC"
    assert play(*last) != []  # also before the first question is answered


def test_a_whole_deal_leads_to_the_next(play: Play) -> None:
    deal = json.loads(data_file("f1.jsonl").read_text(encoding="utf-8"))
    seen = [e if e[0] == "S" or "+" not in e else "N:+" for e in deal["events"].split()]
    answers = play(
        "S", deal["hands"]["S"], deal["upcard"], " ".join(seen), "next", CARDS, "JH", "record"
    )
    assert "S wins 1 game point." in answers[4]
    assert answers[5] == "Game points: S 1, N 0. N leads."
    record = json.loads(answers[8])
    assert record["leader"] == "N"
    assert record["match"] == {"score": {"S": 1, "N": 0}, "dealer": "S"}


def test_a_decided_match_begins_anew(play: Play) -> None:
    deal = ("N:r", "next", CARDS, "JH")
    answers = play(*BEGIN, *deal * 3, "record")
    assert "S wins the match: S 9, N 0." in answers[13]
    assert json.loads(answers[16])["match"]["score"] == {"S": 0, "N": 0}


def test_sixty_six_is_called_out(play: Play) -> None:
    begin = ("S", "KH QH AH TH AS", "JH")
    trick = "S:c S:AH N:QS S:TH N:JS"
    answers = play(*begin, trick, "S:KH*", options=("--rules", "schnapsen"))
    assert "claim" not in answers[4]
    assert answers[5].endswith("You have 66 points: claim with S:!")


def test_the_other_seat_and_house_rules_may_be_chosen(play: Play) -> None:
    house = {"base": "santase", "target": 7}
    answers = play(*BEGIN, "record", options=("--as", "N", "--rules", json.dumps(house)))
    record = json.loads(answers[4])
    assert (record["seat"], record["rules"]) == ("N", house)


def test_help_lists_every_command(play: Play) -> None:
    told = play("help", *BEGIN, "help")
    assert told[1] == told[5]
    for word in (
        "belief",
        "legal",
        "advise",
        "undo",
        "correct",
        "events",
        "record",
        "save",
        "next",
    ):
        assert word in told[1]
