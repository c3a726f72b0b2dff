"""docs/rules.md section 5, line by line: out, claims, the last trick, game points."""

from typing import Any

import pytest
from table import (
    DECLARED,
    TALON,
    N,
    S,
    beside,
    each_closing,
    each_preset,
    ends,
    follow,
    last,
    listed,
    midway,
    out,
    refused,
    rules,
    taking,
)

from inference.cards import Seat
from inference.game.events import Event
from inference.game.notation import parse_action
from inference.game.rules import PRESETS
from inference.game.scoring import Closed

# -- 5.3 to 5.7: what it is worth -----------------------------------------------------------------

WORTH = [(33, 3, 1), (40, 5, 1), (32, 3, 2), (0, 1, 2), (0, 0, 3), (20, 1, 2)]


@each_preset
@pytest.mark.parametrize(("points", "tricks", "worth"), WORTH)
def test_5_3_going_out(name: str, points: int, tricks: int, worth: int) -> None:
    assert ends(out(name, 70, points, (3, tricks))) == (S, worth)


@each_preset
def test_5_3_schedule_of_30(name: str) -> None:
    house = rules(name, gp_schedule=30)
    assert [ends(out(house, 70, points))[1] for points in (29, 30, 32, 33)] == [2, 1, 1, 1]
    assert [ends(out(name, 70, points))[1] for points in (29, 30, 32, 33)] == [2, 2, 2, 1]


@each_closing
@pytest.mark.parametrize("basis", ["final", "closing"])
def test_5_4_the_closer_goes_out(name: str, basis: str) -> None:
    def worth(what: Any, at_close: Closed, points: int, tricks: int) -> int:
        return ends(out(what, 70, points, (3, tricks), closed=at_close))[1]

    house = rules(name, close_ok_basis=basis)
    assert worth(house, Closed(S, 20, 1), 40, 2) == (1 if basis == "final" else 2)
    assert worth(house, Closed(S, 0, 0), 40, 2) == (1 if basis == "final" else 3)
    assert worth(house, Closed(S, 0, 0), 20, 1) == (2 if basis == "final" else 3)
    assert worth(house, Closed(S, 33, 3), 33, 3) == 1
    assert worth(house, Closed(S, 0, 0), 0, 0) == 3
    assert worth(name, Closed(S, 20, 1), 40, 2) == (2 if "schnapsen" in name else 1)


@each_closing
def test_5_5_the_closers_opponent_goes_out(name: str) -> None:
    def worth(what: Any, tricks_at_close: int) -> int:
        return ends(out(what, 70, 5, closed=Closed(N, 0, tricks_at_close)))[1]

    preset = {"sechsundsechzig": (2, 2), "bicycle": (2, 2), "santase": (3, 3)}.get(name, (3, 2))
    assert (worth(name, 0), worth(name, 2)) == preset
    for cell, both in {"2": (2, 2), "3": (3, 3), "2/3": (3, 2)}.items():
        house = rules(name, opp_out_after_close=cell)
        assert (worth(house, 0), worth(house, 2)) == both


@each_closing
@pytest.mark.parametrize("by", [S, N])
def test_5_6_a_failed_close(name: str, by: Seat) -> None:
    def worth(what: Any, closer: int, tricks_at_close: int) -> int:
        end = last(what, 30, closer, by=by, closed=Closed(N, 0, tricks_at_close))
        assert ends(end)[0] == S
        return ends(end)[1]

    assert (worth(name, 60, 0), worth(name, 60, 1)) == ((3, 3) if name == "santase" else (3, 2))
    cells = {"2": (2, 2, 2), "3": (3, 3, 3), "2/3": (3, 2, 2), "1/2/3": (3, 1, 2)}
    for cell, three in cells.items():
        house = rules(name, close_fail=cell, gp_schedule=30)
        assert (worth(house, 50, 0), worth(house, 50, 1), worth(house, 25, 1)) == three
    house = rules(name, close_fail="1/2/3", gp_schedule=30)
    added = 0 if by == S else 5
    assert worth(house, 33 - added, 1) == 1
    assert worth(house, 32 - added, 1) == 2


@each_preset
@pytest.mark.parametrize("cell", ["2", "3", "2/3"])
def test_5_7_a_false_claim(name: str, cell: str) -> None:
    def worth(what: Any, tricks: int) -> tuple[Seat | None, int]:
        return ends(follow(taking(what, 65, 20 * (tricks > 0), (3, tricks)), "S:!"))

    house = rules(name, false_claim=cell)
    assert worth(house, 0) == (N, 2 if cell == "2" else 3)
    assert worth(house, 1) == (N, 3 if cell == "3" else 2)
    assert worth(name, 1) == (N, 2)
    flat = ("sixty-six", "sechsundsechzig", "bicycle")
    assert worth(name, 0) == (N, 2 if name in flat else 3)


@each_closing
def test_5_7_a_false_claim_of_the_closer_is_never_cheaper_than_a_failed_close(name: str) -> None:
    def worth(what: Any, by: Seat, tricks_at_close: int) -> int:
        return ends(follow(taking(what, 65, closed=Closed(by, 0, tricks_at_close)), "S:!"))[1]

    for cell, fail in (("2", "3"), ("3", "2"), ("2/3", "2/3")):
        house = rules(name, false_claim=cell, close_fail=fail)
        assert worth(house, S, 0) == 3
        assert worth(house, N, 0) == (3 if cell == "3" else 2)
    assert worth(name, S, 0) == 3
    assert worth(name, S, 1) == (3 if name == "santase" else 2)


# -- 5.8 to 5.11: the last trick ------------------------------------------------------------------


@each_preset
@pytest.mark.parametrize("by", [S, N])
def test_5_8_bonus_for_the_last_trick(name: str, by: Seat) -> None:
    plain = last(rules(name, last_trick_bonus=0), 40, 40, by=by)
    paid = last(rules(name, last_trick_bonus=10), 40, 40, by=by)
    assert paid.public.points[by] == plain.public.points[by] + 10
    assert paid.public.points[1 - by] == plain.public.points[1 - by]
    preset = last(name, 40, 40, by=by).public.points[by] - plain.public.points[by]
    assert preset == (10 if name in ("sechsundsechzig", "santase", "bicycle") else 0)


@each_closing
def test_5_8_no_bonus_after_a_close(name: str) -> None:
    closed = Closed(S, 20, 2)
    ten, none = (last(rules(name, last_trick_bonus=n), 40, 40, closed=closed) for n in (10, 0))
    assert ten.public.points == none.public.points


@each_preset
def test_5_8_no_bonus_before_the_last_trick(name: str) -> None:
    house = rules(name, last_trick_bonus=10)
    assert taking(house, 40).public.points[S] == 40
    assert follow(midway(house, "AS KD", "JS JD"), "S:AS N:JS").public.points == (13, 0)
    assert follow(midway(house, "AS", "JS", "KD TH"), "S:AS N:JS").public.points == (13, 0)


@each_preset
def test_5_9_out_by_the_last_trick_without_a_claim(name: str) -> None:
    assert ends(last(rules(name, last_trick_bonus=0), 61, 40)) == (S, 1)
    assert last(rules(name, last_trick_bonus=0), 60, 40).public.outcome != (S, 1, "out")
    assert last(rules(name, last_trick_bonus=10), 51, 20).public.outcome == (S, 2, "out")


@each_closing
def test_5_9_after_a_close(name: str) -> None:
    closed = Closed(S, 40, 5)
    assert last(name, 61, 40, closed=closed).public.outcome == (S, 1, "out")
    assert last(name, 60, 40, closed=closed).public.outcome == (N, *failed(name))


def failed(name: str) -> tuple[int, str]:
    return 3 if name == "santase" else 2, "close failed"


@pytest.mark.parametrize("name", DECLARED)
def test_5_9_only_the_winner_of_the_last_trick(name: str) -> None:
    """Who had 66 before and said nothing is not out by the other's last trick."""
    end = last(rules(name, nobody66="last_trick"), 66, 40, by=N)
    assert end.public.outcome == (N, 1, "last trick")


@each_preset
@pytest.mark.parametrize("by", [S, N])
def test_5_10_nobody_is_out(name: str, by: Seat) -> None:
    end = last(rules(name, nobody66="last_trick", last_trick_bonus=0), 60, 50, by=by)
    assert ends(end) == (by, 1)
    for mine, his, winner, worth in (
        (60, 50, S, 1),
        (60, 20, S, 2),
        (40, 60, N, 1),
        (25, 60, N, 2),
    ):
        house = rules(name, nobody66="higher_total", last_trick_bonus=0)
        assert ends(last(house, mine, his, by=by)) == (winner, worth)
    preset = last(name, 59, 45, by=S)
    basis = "last trick" if PRESETS[name].nobody66 == "last_trick" else "out"
    assert preset.public.outcome == (S, 1, basis)


@each_preset
def test_5_10_the_trickless_loses_three(name: str) -> None:
    house = rules(name, nobody66="higher_total", last_trick_bonus=0)
    assert ends(last(house, 20, 0, tricks=(9, 0))) == (S, 3)


@each_preset
@pytest.mark.parametrize("tie", ["draw", "carry"])
def test_5_11_equal_totals(name: str, tie: str) -> None:
    house = rules(name, nobody66="higher_total", last_trick_bonus=0, tie=tie)
    end = last(house, 45, 50)
    assert end.public.points == (50, 50)
    assert end.public.outcome == (None, 0, "draw")
    assert end.public.payoff == (0, 0)


# -- 5.12 to 5.15: other endings ------------------------------------------------------------------


@each_preset
@pytest.mark.parametrize(("points", "tricks", "worth"), WORTH)
def test_5_12_giving_up(name: str, points: int, tricks: int, worth: int) -> None:
    start = midway(name, "KS QS", "JS JD", TALON, points=(10, points), tricks=(1, tricks))
    assert ends(follow(start, "N:/")) == (S, worth)
    assert ends(follow(start, "S:/")) == (N, 2)


@each_closing
def test_5_12_giving_up_after_a_close(name: str) -> None:
    closed = Closed(S, 20, 1)
    start = midway(name, "KS QS", "JS JD", TALON, points=(10, 40), tricks=(1, 2), closed=closed)
    assert follow(start, "S:/").public.outcome == (N, *failed(name))
    assert ends(follow(start, "N:/")) == (S, 2 if "schnapsen" in name else 1)


@each_preset
def test_5_12_in_the_middle_of_a_trick(name: str) -> None:
    start = midway(name, "KS QS", "JS JD", TALON, points=(40, 40))
    assert ends(follow(start, "S:KS S:/")) == (N, 1)
    assert ends(follow(start, "S:KS N:/")) == (S, 1)
    assert ends(follow(start, "S:KS N:JS N:/")) == (S, 1)


@each_preset
def test_5_13_an_established_revoke(name: str) -> None:
    start = midway(name, "KS QS", "JS JD", TALON, points=(40, 40))
    assert ends(follow(start, "N:r")) == (S, 3)
    assert ends(follow(start, "S:KS S:r")) == (N, 3)
    assert ends(follow(out(name, 70), "S:r")) == (N, 3)
    assert ends(follow(last(name, 40, 40), "N:r")) == (S, 3)


@each_preset
def test_5_14_abandoned(name: str) -> None:
    start = midway(name, "KS QS", "JS JD", TALON, points=(40, 40))
    for events in ("S:z", "N:z", "S:KS N:JS S:z"):
        end = follow(start, events)
        assert (ends(end), end.public.payoff) == ((None, 0), (0, 0))


@each_preset
def test_5_15_after_the_end(name: str) -> None:
    end = out(name, 70)
    assert end.public.over
    assert (listed(end), beside(end)) == ("", "")
    for event in ("S:KD", "N:JD", "S:c", "S:/", "N:z", "N:!"):
        assert refused(end, event) == "5.15", event
    for event in ("S:=KDQD", "N:=ADJD", "S:r", "N:r", "S:!"):
        assert refused(end, event) == "", event
    for seat in (S, N):
        shown = end.public.after(Event(seat, parse_action("=ADJD")))
        assert shown.outcome == end.public.outcome
    assert end.public.after(Event(S, parse_action("!"))) == end.public


@each_preset
def test_5_15_who_may_claim_after_the_end(name: str) -> None:
    """Only a winner who has 66 may still say so, and it changes nothing."""
    poor = follow(midway(name, "KS QS", "JS JD", TALON, points=(40, 40)), "N:/")
    assert (ends(poor)[0], refused(poor, "S:!")) == (S, "5.15")
    tie = last(rules(name, nobody66="higher_total", last_trick_bonus=0), 45, 50)
    abandoned = follow(midway(name, "KS QS", "JS JD", TALON, points=(70, 40)), "S:z")
    for end in (tie, abandoned):
        assert [refused(end, event) for event in ("S:!", "N:!")] == ["5.15", "5.15"]


@each_preset
def test_5_15_nothing_is_possible_after_the_end(name: str) -> None:
    public = out(name, 70).public
    assert public.to_draw == ()
    claims = [public.is_claimant(S), public.is_claimant(N)]
    assert not any([*claims, public.may_close(), public.may_exchange(), public.may_answer_close()])
