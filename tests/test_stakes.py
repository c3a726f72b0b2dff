"""Advice for the match: at 6:6 only winning the deal counts, and a risk for three points goes."""

import numpy as np
import pytest

from inference.advice.option import Sample, chances, rank
from inference.advice.stakes import stakes
from inference.cards import Card, Seat
from inference.game.equity import PAYOFFS
from inference.game.events import CLOSE, play
from inference.game.match import Match
from inference.game.rules import PRESETS
from inference.session import Session
from inference.workshop.endings import endings

RULES = PRESETS["schnapsen"]
ACTIONS = [CLOSE, play(Card.SA)]
BOLD = np.array([[3.0, 1.0]] * 7 + [[-2.0, 1.0]] * 3)
"""Closing wins three points in seven worlds of ten, and fails in three; the ace wins one in all."""

LATE = {
    "rules": "schnapsen",
    "seat": "S",
    "start": {
        "leader": "S",
        "hand": "AC TC QH",
        "unseen": "KC AH QS",
        "trump": "D",
        "talon": 0,
        "points": {"S": 38, "N": 40},
        "tricks": {"S": 3, "N": 4},
    },
}


def best(match: Match | None) -> str:
    aim = None if match is None else chances(BOLD, stakes(match, RULES, Seat.S))
    sample = Sample(BOLD, (BOLD > 0).astype(float), np.ones(10), True, aim)
    return str(rank(ACTIONS, sample.scores())[0].action)


def test_the_score_decides_between_three_points_at_a_risk_and_a_sure_one() -> None:
    assert best(None) == "c"
    assert best(Match((6, 6))) == "AS"
    assert best(Match((4, 6))) == "c"
    assert best(Match((0, 0))) == "c"


def test_margin_and_tie_speak_of_the_match() -> None:
    aim = chances(BOLD, stakes(Match((6, 6)), RULES, Seat.S))
    sample = Sample(BOLD, (BOLD > 0).astype(float), np.ones(10), True, aim)
    ace, close = rank(ACTIONS, sample.scores())
    assert (ace.p_match, close.p_match) == (1.0, pytest.approx(0.7))
    assert (ace.value, close.value) == (1.0, pytest.approx(1.5))
    assert ace.gap == "30.0 % of matches"


def test_advice_tells_the_match_only_with_a_score() -> None:
    plain = Session.from_record(LATE, model="counting").report("advise", worlds=10)
    score = {"score": {"S": 6, "N": 6}, "dealer": "N"}
    known = Session.from_record({**LATE, "match": score}, model="counting")
    told = known.report("advise", worlds=10)
    assert all("p_match" not in action for action in plain["actions"])
    assert [action["p_match"] for action in told["actions"]] == [
        action["p_win"] for action in told["actions"]
    ]
    assert told["best"] == plain["best"]
    assert "100.0 % of matches behind" in told["actions"][-1]["reason"]
    assert {a["action"]: a["value"] for a in told["actions"]} == {
        a["action"]: a["value"] for a in plain["actions"]
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_the_measured_endings_are_shares_and_more_is_better(preset: str) -> None:
    rules = PRESETS[preset]
    for score in ((0, 0), (rules.target - 1, 3), (2, rules.target - 2)):
        for dealer in (Seat.S, Seat.N):
            mine = stakes(Match(score, dealer), rules, Seat.S)
            his = stakes(Match(score, dealer), rules, Seat.N)
            assert len(mine) == len(PAYOFFS)
            kept = [p for n, p in zip(PAYOFFS, mine, strict=True) if n or rules.tie == "draw"]
            assert kept == sorted(kept)
            assert [1 - p for p in reversed(his)] == pytest.approx(mine)


def test_endings_are_counted_for_the_leader() -> None:
    found = endings(4, 1)
    assert found == endings(4, 1)
    assert found["command"] == "sixtysix fit --match --deals 4 --seed 1"
    assert set(found["shares"]) == set(PRESETS)
    for shares in found["shares"].values():
        assert list(shares) == ["-3", "-2", "-1", "+0", "+1", "+2", "+3"]
        assert sum(shares.values()) == 1
