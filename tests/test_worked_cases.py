"""Worked cases, computed by hand from the sources of the rules, and two whole deals."""

from typing import Any

import pytest
from table import (
    AUTOMATIC,
    DECLARED,
    NAMES,
    NINES,
    TALON,
    N,
    S,
    each_closing,
    each_preset,
    ends,
    follow,
    fresh,
    hands,
    listed,
    midway,
)

from inference.cards import Seat
from inference.game.match import Match
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.scoring import Closed

FIRST_MARRIAGE = [name for name in NAMES if PRESETS[name].marriage_first_lead == "pending"]


@pytest.mark.parametrize("name", NINES)
@pytest.mark.parametrize(
    ("lead", "reply", "winner", "points"),
    [("9C", "AS", S, 11), ("AS", "9H", N, 11), ("KD", "TD", N, 14)],
    ids=["W1", "W2", "W3"],
)
def test_w1_to_w3_who_wins(name: str, lead: str, reply: str, winner: Seat, points: int) -> None:
    after = follow(midway(name, lead, reply, "JD TC KC TH"), f"S:{lead} N:{reply}")
    assert after.public.points[winner] == sum(after.public.points) == points
    assert after.public.to_draw[0] == after.public.to_act == winner
    assert hands(follow(after, "+"))[winner] == "JD"


REPLIES = [
    # lead, hand, allowed in `sixty-six`, allowed where the follower must head
    ("TD", "AD 9D KH JC", {"AD", "9D"}, {"AD"}),
    ("KC", "9H QH AS", {"9H", "QH"}, {"9H", "QH"}),
    ("KC", "AS TD", {"AS", "TD"}, {"AS", "TD"}),
    ("QH", "9H JH AS", {"9H", "JH"}, {"9H", "JH"}),
    ("QH", "TH JH AS", {"TH", "JH"}, {"TH"}),
]


@pytest.mark.parametrize("name", NINES)
@pytest.mark.parametrize(
    ("lead", "hand", "free", "heading"), REPLIES, ids=["W4", "W5a", "W5b", "W6a", "W6b"]
)
def test_w4_to_w6_strict_replies(
    name: str, lead: str, hand: str, free: set[str], heading: set[str]
) -> None:
    led = follow(midway(name, f"{lead} KS", hand), f"S:{lead}")
    assert set(listed(led).split()) == (free if name == "sixty-six" else heading)


@pytest.mark.parametrize("name", NINES)
def test_w7_open_replies(name: str) -> None:
    led = follow(midway(name, "KC KS", "9H QH AS", TALON.replace("KC", "AD")), "S:KC")
    assert [card for card in listed(led).split() if card != "x"] == ["AS", "QH", "9H"]


def eight(name: str, lead: str) -> Position:
    """Lead a queen from a first-lead marriage, lose the trick, win the next with KD on JH."""
    start = midway(name, "KC QC JH", "AC KD TS", "AS TD JS AH", tricks=(0, 0))
    return follow(start, f"S:{lead} N:AC")


@pytest.mark.parametrize("name", FIRST_MARRIAGE)
def test_w8_pending_points(name: str) -> None:
    after = eight(name, "QC*")
    assert (after.public.points[S], after.public.pending[S]) == (0, 20)
    after = follow(after, "+ N:KD S:JH")
    assert (after.public.points[S], after.public.pending[S]) == (26, 0)


@pytest.mark.parametrize("name", ["santase", "schnapsen-sharp"])
def test_w8_no_announcement_on_the_first_lead(name: str) -> None:
    start = midway(name, "KC QC JH", "AC KD TS", "AS TD JS AH", tricks=(0, 0))
    assert "*" not in listed(start)
    after = follow(eight(name, "QC"), "+ N:KD S:JH")
    assert (after.public.points[S], after.public.pending[S]) == (6, 0)


@pytest.mark.parametrize("name", FIRST_MARRIAGE)
def test_w9_pending_points_of_the_trickless_are_void(name: str) -> None:
    start = midway(name, "KH QH JC", "AH AC AD", "TC TD KC JH", tricks=(0, 0))
    after = follow(start, "S:KH* N:AH +")
    rich = after._replace(public=after.public._replace(points=(0, 60)))
    end = follow(rich, "N:AC S:JC")
    end = end if end.public.over else follow(end, "N:!")
    assert (end.public.points, end.public.pending) == ((0, 73), (40, 0))
    assert ends(end) == (N, 3)


@each_preset
def test_w10_out_by_a_marriage(name: str) -> None:
    def shown(points: int) -> Position:
        start = midway(name, "KS QS", "JS JD", TALON, points=(points, 40))
        return follow(start, "S:KS*")

    assert shown(45).public.points[S] == 65
    assert not shown(45).public.over
    assert not shown(45).public.may_claim(S)
    end = shown(46) if name in AUTOMATIC else follow(shown(46), "S:!")
    assert (end.public.points[S], ends(end)) == (66, (S, 1))


@each_preset
@pytest.mark.parametrize(
    ("points", "tricks", "worth"), [(33, 2, 1), (32, 2, 2), (0, 1, 2), (0, 0, 3)]
)
def test_w11_game_points(name: str, points: int, tricks: int, worth: int) -> None:
    start = midway(name, "AS KD", "JS JD", TALON, points=(53, points), tricks=(3, tricks))
    end = follow(start, "S:AS N:JS")
    end = end if end.public.over else follow(end, "S:!")
    assert (end.public.points[S], ends(end)) == (66, (S, worth))


@pytest.mark.parametrize("name", NINES)
def test_w12_nobody_has_66(name: str) -> None:
    """S has 55 and N 65 in cards after twelve tricks; either may have taken the last."""

    def end(s: str, n: str, points: tuple[int, int]) -> Position:
        return follow(midway(name, s, n, points=points, tricks=(6, 5)), f"S:{s} N:{n}")

    by_s, by_n = end("AD", "JD", (42, 65)), end("JD", "AD", (55, 52))
    bonus = PRESETS[name].last_trick_bonus
    assert (by_s.public.points, by_n.public.points) == ((55 + bonus, 65), (55, 65 + bonus))
    if name == "sixty-six":
        assert (ends(by_s), ends(by_n)) == ((S, 1), (N, 1))
    else:
        assert (ends(by_s), ends(by_n)) == ((None, 0), (N, 1))


@pytest.mark.parametrize("name", ["schnapsen", "schnapsen-sharp"])
def test_w12_where_the_last_trick_wins(name: str) -> None:
    by_s = follow(midway(name, "AD", "JD", points=(42, 65), tricks=(5, 4)), "S:AD N:JD")
    assert ends(by_s) == (S, 1)


def exchange(name: str, talon: str, *, leader: Seat = S, **facts: Any) -> bool:
    """Tell whether S, who has the low trump, may exchange on lead or in reply to a lead of N."""
    low = "9H" if name in NINES else "JH"
    at = midway(name, f"KS {low}", "JS JD", talon, leader=leader, **facts)
    at = follow(at, "N:JS") if leader == N else at
    return "x" in listed(at).split()


SIX = "AC TC KC QC AD QH"


@each_preset
def test_w13_exchange(name: str) -> None:
    sharp = name in ("santase", "schnapsen-sharp")
    assert exchange(name, SIX)
    assert exchange(name, SIX, tricks=(0, 0)) == (name == "schnapsen")
    assert exchange(name, SIX, leader=N) == (name in ("sixty-six", "bicycle"))
    assert exchange(name, "AC QH") == (not sharp)
    assert not exchange(name, "")


@pytest.mark.parametrize("name", NINES)
def test_w14_the_last_round_of_drawing(name: str) -> None:
    sixth = midway(name, "AS KD QC", "JS 9D TC", "TD 9H", tricks=(2, 3))
    after = follow(sixth, "S:AS N:JS +")
    assert hands(after) == ("TD KD QC", "9H 9D TC")
    assert (after.public.talon, after.public.upcard, after.public.strict) == (0, None, True)
    assert listed(follow(after, "S:QC")) == "TC"


def closed_on_trick_2(name: str, tricks: tuple[int, int]) -> Position:
    """Close on the lead to trick 2 and play the rest so that S ends with 60 points."""
    start = midway(name, "AS KD", "JS AD", SIX, tricks=tricks, points=(47, 20))
    return follow(start, "S:c S:AS N:JS S:KD N:AD")


@each_closing
def test_w15_a_failed_close(name: str) -> None:
    for tricks, worth in (((1, 0), 3), ((1, 1), 2)):
        end = closed_on_trick_2(name, tricks)
        assert end.public.points[S] == 60
        assert ends(end) == (N, 3 if name == "santase" else worth)


def test_w15_no_closing_in_sixty_six() -> None:
    start = midway("sixty-six", "AS KD", "JS AD", SIX)
    assert "c" not in listed(start).split()
    assert not start.public.may_close()


@each_closing
def test_w16_a_close_is_judged_by_its_basis(name: str) -> None:
    """S closes when N has 20 and a trick; N comes to 35, then S goes out with 67."""
    start = midway(name, "JD AS", "TD JS", SIX, points=(41, 20), tricks=(2, 1))
    taken = follow(start, "S:c S:JD N:TD")
    more = taken._replace(public=taken.public._replace(points=(54, 35), leader=S))
    end = follow(more, "S:AS N:JS")
    end = end if end.public.over else follow(end, "S:!")
    assert (end.public.points, end.public.closed) == ((67, 35), Closed(S, 20, 1))
    assert ends(end) == (S, 2 if "schnapsen" in name else 1)


@each_preset
def test_w17_a_false_claim(name: str) -> None:
    def claimed(tricks: int) -> tuple[Seat | None, int]:
        start = midway(name, "AS KD", "JS JD", TALON, points=(52, 0), tricks=(2, tricks))
        return ends(follow(start, "S:AS N:JS S:!"))

    dear = name in ("santase", "schnapsen", "schnapsen-sharp")
    assert claimed(1) == (N, 2)
    assert claimed(0) == (N, 3 if dear else 2)


def fifth(name: str) -> Position:
    start = midway(name, "AS KC JC", "JS AC JD", SIX, points=(53, 51), tricks=(2, 2))
    return follow(start, "S:AS N:JS")


@pytest.mark.parametrize("name", DECLARED)
def test_w18_a_claim_missed(name: str) -> None:
    won = fifth(name)
    assert (won.public.points[S], won.public.over) == (66, False)
    after = follow(won, "+ S:KC N:AC")
    assert after.public.points[N] == 66
    assert ends(follow(after, "N:!")) == (N, 1)


@pytest.mark.parametrize("name", AUTOMATIC)
def test_w18_where_66_wins_by_itself(name: str) -> None:
    assert ends(fifth(name)) == (S, 1)


# -- two whole deals: forehand S, dealer N --------------------------------------------------------

F1_HANDS = ("AH KC QC 9S AD JC", "AC QS TC JS AS TS", "JD JH KD 9H 9C 9D KH QD KS TD TH QH")
F1 = [
    # a trick, the points of N and S after it, what S and N draw then
    ("S:QC* N:AC", 14, 0, "JH JD"),
    ("N:JS S:9S", 16, 0, "9H KD"),
    ("N:KD S:JH", 16, 26, "9C 9D"),
    ("S:x S:9C N:TC", 26, 26, "QD KH"),
    ("N:AS S:QH", 26, 40, "KS TD"),
    ("S:KS N:TS", 40, 40, "9H TH"),
    ("N:QS S:9H", 40, 43, ""),
    ("S:KC N:TH", 54, 43, ""),
    ("N:TD S:AD", 54, 64, ""),
    ("S:JC N:KH", 60, 64, ""),
    ("N:JD S:QD", 60, 69, ""),
]
F2_HANDS = ("KH 9S JD JS TH AS", "9C TS JC KS 9H TC", "AH AC QC KD 9D QH AD TD KC QS QD JH")
F2 = [
    ("S:JS N:9C", 0, 2, "AH AC"),
    ("S:AH N:TC", 0, 23, "QC KD"),
    ("S:KH N:9H", 0, 27, "9D QH"),
    ("S:9S N:TS", 10, 27, "TD AD"),
    ("N:JC S:QC", 10, 32, "KC QS"),
    ("S:JD N:QS", 10, 37, "QD JH"),
    ("S:KC N:AC", 25, 37, ""),
    ("N:QH S:TH", 25, 50, ""),
    ("S:QD N:KD", 32, 50, ""),
    ("N:KS S:AS", 32, 65, ""),
    ("S:9D N:AD", 43, 65, ""),
    ("N:JH S:TD", 55, 65, ""),
]
Trick = tuple[str, int, int, str]


def through(start: Position, tricks: list[Trick]) -> Position:
    """Play trick by trick; compare both totals after each, and the cards that are drawn."""
    position = start
    for events, of_n, of_s, drawn in tricks:
        position = follow(position, events)
        assert position.public.points == (of_s, of_n), events
        due = {event.seat: str(event.action.card) for event in position.drawn()}
        assert " ".join(due[seat] for seat in sorted(due)) == drawn
        position = follow(position, "+") if due else position
    return position


@pytest.mark.parametrize("name", ["sixty-six", "sechsundsechzig", "bicycle"])
def test_f1_with_the_points_after_every_trick(name: str) -> None:
    start = fresh(name, S, *F1_HANDS)
    assert follow(start, F1[0][0]).public.pending == (20, 0)
    end = through(start, F1)
    assert sum(end.public.tricks) == len(F1)
    assert end.public.over == (name == "sixty-six")
    end = end if end.public.over else follow(end, "S:!")
    assert ends(end) == (S, 1)


@pytest.mark.parametrize("name", ["sixty-six", "sechsundsechzig", "bicycle"])
def test_f1_what_was_forced(name: str) -> None:
    def in_trick(n: int, events: str = "") -> list[str]:
        return listed(follow(through(fresh(name, S, *F1_HANDS), F1[: n - 1]), events)).split()

    assert "x" in in_trick(4)
    assert in_trick(7, "N:QS") == ["AH", "9H"]
    assert in_trick(8, "S:KC") == ["TH", "KH"]
    assert in_trick(9, "N:TD") == (["AD", "QD"] if name == "sixty-six" else ["AD"])


def test_f1_without_the_first_marriage() -> None:
    """In `santase` the same cards go on to trick 12, whose winner has 70."""
    start = fresh("santase", S, *F1_HANDS)
    assert "QC*" not in listed(start)
    (_, *totals), *rest = F1
    late = [(events, of_n, of_s - 20 * (of_s > 0), drawn) for events, of_n, of_s, drawn in rest]
    end = through(start, [("S:QC N:AC", *totals), *late])
    assert (end.public.points, end.public.over) == ((49, 60), False)
    end = follow(end, "S:AH N:9D")
    assert (end.public.points, ends(end)) == ((70, 60), (S, 1))


@pytest.mark.parametrize("name", NINES)
def test_f2_nobody_reaches_66(name: str) -> None:
    *most, (events, of_n, of_s, drawn) = F2
    of_n += PRESETS[name].last_trick_bonus
    end = through(fresh(name, S, *F2_HANDS), [*most, (events, of_n, of_s, drawn)])
    assert ends(end) == ((N, 1) if name == "sixty-six" else (None, 0))
    match = Match((2, 3), N).after(end.public.outcome, PRESETS[name])
    if name == "sixty-six":
        assert match == Match((2, 4), S)
    else:
        assert match == Match((2, 3), N, carry=int(name == "bicycle"))
