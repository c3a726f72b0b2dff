"""The short form of a deal: what is written can be read again, and a slip is one sentence."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from fuzz import Deal
from hypothesis import given
from hypothesis import strategies as st

from inference.cards import Seat
from inference.errors import NotationError
from inference.game.compact import format_compact, parse_compact
from inference.game.match import Match
from inference.game.record import Record, parse_record
from inference.game.rules import parse_rules
from inference.paths import data_file

HOUSE = {"base": "bicycle", "target": 11, "close": False, "close_fail": "1/2/3"}
NAMES = st.from_regex(r"[^|\s]{1,8}( [^|\s]{1,8}){0,2}", fullmatch=True)
LINE = "schnapsen | S sees | N leads | S AS KH QH JD TD | up JH | N:TC S:JD"


def record_of(number: int) -> Record:
    """Return a random legal deal, whole or as one seat saw it, cut anywhere."""
    rng = random.Random(f"compact, {number}")
    deal = Deal(rng)
    if "start" in deal.record or rng.random() < 0.5:
        return parse_record(deal.whole)
    events = " ".join(map(str, deal.events[: rng.randrange(len(deal.events) + 1)]))
    return parse_record(deal.record | {"events": events})


@given(
    number=st.integers(0, 10**6),
    name=st.none() | NAMES,
    match=st.none() | st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 2)),
)
def test_what_is_written_can_be_read(
    number: int, name: str | None, match: tuple[int, int, int] | None
) -> None:
    record = record_of(number)
    if name is not None:
        record = replace(record, meta={"opponent": name, "date": "2026-11-30"})
    if match is not None:
        s, n, carry = match
        record = replace(record, match=Match((s, n), Seat(1 - record.leader), carry))
    line = format_compact(record)
    assert len(line.splitlines()) == 1
    assert parse_compact(line) == record


def test_house_rules_are_kept() -> None:
    record = replace(parse_compact(LINE.replace("JH", "JC")), rules=parse_rules(HOUSE))
    record = replace(record, hands=(parse_compact(LINE).hand | 1, None))
    line = format_compact(record)
    assert line.startswith("bicycle close=False close_fail=1/2/3 target=11 | ")
    assert parse_compact(line) == record


def test_the_sample_session_fits_the_short_form() -> None:
    for line in data_file("session.jsonl").read_text(encoding="utf-8").splitlines():
        record = parse_record(line)
        kept = {key: record.meta[key] for key in ("opponent", "date")}
        assert parse_compact(format_compact(record)) == replace(record, meta=kept)


def test_people_may_write_it_as_they_write_cards() -> None:
    loose = "  schnapsen|S sees |N leads|S  a♠ K♥ Q♥ J♦ 10♦|up J♥||N:10C  S:jd "
    assert parse_compact(loose) == parse_compact(LINE)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "no known rule set"),
        ("poker | S sees", "no known rule set"),
        ("schnapsen target", "no house rule"),
        ("schnapsen target=99 | S sees", "target"),
        (LINE.replace("up JH", "up AS"), "AS stands"),
        (LINE.replace("up JH", "on top JH"), "upcard"),
        (LINE.replace("| up", "| trump"), "no part of a deal"),
        (LINE + " | N:TC", "twice"),
        (LINE + " | S AS KH QH JD TD", "twice"),
        (LINE.replace("N leads", "E leads"), "must be S or N"),
        (LINE.replace("S:JD", "S:JX"), "event 2"),
        (LINE + " | score 5-6", "no score"),
        (LINE + " | score 9:6 S deals", "that match is over"),
    ],
)
def test_a_slip_is_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=re.escape(sentence)):
        parse_compact(line)


def test_what_the_short_form_cannot_hold_is_said() -> None:
    cases = Path(__file__).parent / "cases" / "published.jsonl"
    midway = next(one for one in map(json.loads, cases.open()) if "start" in one.get("record", one))
    with pytest.raises(NotationError, match="begins in the middle"):
        format_compact(parse_record(midway.get("record", midway)))
    for name in ("a | b", "two\nlines", " ", 7):
        with pytest.raises(NotationError, match="does not fit"):
            format_compact(replace(parse_compact(LINE), meta={"opponent": name}))
