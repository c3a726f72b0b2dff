"""docs/rules.md section 4, line by line: exchange, announce, close."""

from typing import Any

import pytest
from table import (
    NINES,
    N,
    S,
    beside,
    each_closing,
    each_preset,
    follow,
    hands,
    listed,
    midway,
    rules,
)

from inference.cards import Card, show
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.scoring import Closed


def low(name: str) -> str:
    """Return the low trump where hearts are trumps."""
    return "9H" if name in NINES else "JH"


def offered(position: Position, action: str) -> bool:
    return action in listed(position).split()


def with_low(name: str, talon: int = 6, **facts: Any) -> Position:
    """Set up a lead of S, who holds king and queen of spades and the low trump."""
    stock = " ".join(["AC TC KC QC AD TD KD", "AH"]).split()[-talon:]
    return midway(name, f"KS QS {low(name)}", "JD QD TH", " ".join(stock), **facts)


@each_closing
def test_4_1_exchange_then_close_then_card(name: str) -> None:
    start = with_low(name)
    assert {"x", "c", "KS"} <= set(listed(start).split())
    after = follow(start, "S:x")
    assert {"c", "KS"} <= set(listed(after).split())
    assert not offered(after, "x")
    assert not {"x", "c"} & set(listed(follow(after, "S:c")).split())
    assert listed(follow(after, "S:c S:KS")).split()[:3] == ["TH"]


@each_closing
def test_4_1_the_closer_cannot_exchange_any_more(name: str) -> None:
    closed = follow(with_low(name), "S:c")
    assert not offered(closed, "x")
    assert not offered(follow(closed, "S:KS"), "x")


@each_closing
def test_4_1_announce_after_the_close(name: str) -> None:
    assert offered(follow(with_low(name), "S:x S:c"), "KS*")


@each_preset
def test_4_2_exchange_swaps_the_low_trump_for_the_upcard(name: str) -> None:
    after = follow(with_low(name), "S:x")
    assert hands(after)[S] == "KS QS AH"
    assert (str(after.public.upcard), str(after.talon[-1])) == (low(name), low(name))
    assert (after.public.talon, after.public.held) == (6, (3, 3))
    assert after.public.to_act == S
    assert show(after.public.known[S]) == "AH"
    shown = follow(with_low(name), f"S:=QS{low(name)} S:x")
    assert show(shown.public.known[S]) == "QS AH"


@each_preset
def test_4_2_exchange_needs_the_low_trump(name: str) -> None:
    assert offered(with_low(name), "x")
    talon = "AC TC KC QC AD AH"
    assert not offered(midway(name, "KS QS TH", f"JD QD {low(name)}", talon), "x")
    other_nine = "9S" if name in NINES else "JS"
    assert not offered(midway(name, f"KS QS {other_nine}", "JD QD TH", talon), "x")


@each_preset
def test_4_2_the_low_trump_itself_cannot_be_exchanged_for(name: str) -> None:
    assert not offered(midway(name, "KS QS TH", "JD QD AH", f"AC TC KC QC AD {low(name)}"), "x")
    twice = follow(with_low(name), "S:x S:KS N:JD + S:QS N:QD +")
    assert not offered(twice, "x")


@each_preset
@pytest.mark.parametrize("talon", [2, 4, 6, 8])
def test_4_2_exchange_needs_talon_cards(name: str, talon: int) -> None:
    start = with_low(name, talon)
    assert offered(start, "x") == (talon >= PRESETS[name].xchg_min_stock)
    for least in (2, 4):
        house = start.public._replace(rules=rules(name, xchg_min_stock=least))
        assert offered(start._replace(public=house), "x") == (talon >= least)


@each_preset
def test_4_2_no_exchange_when_the_talon_is_gone(name: str) -> None:
    assert not offered(midway(name, f"KS {low(name)}", "JD QD"), "x")


@each_preset
@pytest.mark.parametrize("needs", [True, False])
def test_4_2_exchange_needs_a_trick(name: str, needs: bool) -> None:
    house = rules(name, xchg_needs_trick=needs)
    assert (
        offered(midway(house, f"KS {low(name)}", "JD QD", "AD TD KD AH", tricks=(0, 3)), "x")
        != needs
    )
    first = midway(house, f"KS {low(name)}", "JD QD", "AD TD KD AH", tricks=(0, 0))
    assert offered(first, "x") != needs
    assert offered(with_low(name, tricks=(0, 3)), "x") != PRESETS[name].xchg_needs_trick


@each_preset
def test_4_2_two_nines_are_a_trick_that_entitles(name: str) -> None:
    assert offered(with_low(name, tricks=(1, 0), points=(0, 0)), "x")


@each_preset
@pytest.mark.parametrize("when", ["turn", "lead"])
def test_4_2_exchange_by_the_follower(name: str, when: str) -> None:
    house = rules(name, xchg_when=when)
    start = midway(house, f"KS {low(name)}", "JD QD", "AD TD KD AH", leader=N)
    assert offered(follow(start, "N:JD"), "x") == (when == "turn")
    if PRESETS[name].xchg_when == "turn":
        after = follow(
            midway(name, f"KS {low(name)}", "JD QD", "AD TD KD AH", leader=N), "N:JD S:x"
        )
        assert (after.public.to_act, hands(after)[S]) == (S, "KS AH")
        assert follow(after, "S:AH").public.leader == S


@each_preset
def test_4_2_no_exchange_while_drawing_is_due(name: str) -> None:
    start = with_low(name)
    assert not offered(follow(start, "S:KS N:JD"), "x")
    assert offered(follow(start, "S:KS N:JD +"), "x")


@each_preset
def test_4_2_the_other_cannot_exchange_on_my_turn(name: str) -> None:
    assert beside(midway(name, "KS QS", f"JD {low(name)}", "AD TD KD AH")) == ""


@each_closing
@pytest.mark.parametrize("on_close", [True, False])
def test_4_3_exchange_as_the_answer_to_a_close(name: str, on_close: bool) -> None:
    house = rules(name, xchg_on_opp_close=on_close)
    facts: dict[str, Any] = {"tricks": (2, 0)}
    closed = follow(midway(house, "KS QS", f"JD {low(name)}", "AD TD KD AH", **facts), "S:c")
    assert beside(closed) == ("x" if on_close else "")
    assert closed.public.to_act == S
    assert beside(follow(closed, "S:KS")) == ""
    if on_close:
        after = follow(closed, "N:x")
        assert hands(after) == ("KS QS", "AH JD")
        assert (after.public.to_act, beside(after), str(after.public.upcard)) == (S, "", low(name))
        assert listed(after) == listed(closed)


@each_closing
def test_4_3_presets(name: str) -> None:
    closed = follow(midway(name, "KS QS", f"JD {low(name)}", "AD TD KD AH"), "S:c")
    assert (beside(closed) == "x") == (name in ("sechsundsechzig", "bicycle"))


@pytest.mark.parametrize("name", ["sechsundsechzig", "bicycle"])
def test_4_3_the_answer_has_the_same_conditions(name: str) -> None:
    nobody = follow(midway(name, "KS QS", "JD TH", "AD TD KD AH"), "S:c")
    assert beside(nobody) == ""
    itself = follow(midway(name, "KS QS", "JD AH", "AD TD KD 9H"), "S:c")
    assert beside(itself) == ""
    few = follow(midway(rules(name, xchg_min_stock=4), "KS QS", "JD 9H", "AD AH"), "S:c")
    assert beside(few) == ""
    before_drawing = follow(midway(name, "KS QS", "JD 9H", "AD TD KD AH"), "S:KS N:JD S:c")
    assert beside(before_drawing) == "x"


@each_preset
def test_4_4_announcing_on_lead(name: str) -> None:
    start = midway(name, "KS QS KH QH KD", "JD QD TH AS AD", "QC TC KC AH")
    cards = [action for action in listed(start).split() if action[-1] != "c"]
    king_only = ["KS", "KS*", "QS", "KH", "KH*", "QH", "KD"]
    either = ["KS", "KS*", "QS", "QS*", "KH", "KH*", "QH", "QH*", "KD"]
    assert cards == (king_only if name == "schnapsen-sharp" else either)
    assert (PRESETS[name].must_lead_king) == (name == "schnapsen-sharp")
    assert follow(start, "S:KS*").public.points == (20, 0)
    assert follow(start, "S:KH*").public.points == (40, 0)
    assert follow(start, "S:KS").public.points == (0, 0)
    assert [show(mask) for mask in follow(start, "S:KH*").public.known] == ["QH", ""]


@each_preset
def test_4_4_must_lead_king(name: str) -> None:
    for must in (True, False):
        start = midway(rules(name, must_lead_king=must), "KS QS", "JD QD", "AC TC KC TH")
        assert offered(start, "KS*")
        assert offered(start, "QS*") != must


@each_preset
def test_4_4_a_follower_cannot_announce(name: str) -> None:
    start = midway(name, "KS QS", "JD JS", "AC TC KC TH", leader=N)
    assert not {"KS*", "QS*"} & set(listed(follow(start, "N:JS")).split())


@each_preset
@pytest.mark.parametrize("first", ["pending", "forbidden"])
def test_4_5_marriage_on_the_first_lead(name: str, first: str) -> None:
    def at_trick_1(value: Any) -> Position:
        return midway(value, "KS QS", "JD QD", "AC TC KC TH", tricks=(0, 0))

    assert offered(at_trick_1(rules(name, marriage_first_lead=first)), "KS*") == (
        first == "pending"
    )
    assert offered(at_trick_1(name), "KS*") == (name not in ("santase", "schnapsen-sharp"))
    forbidden = rules(name, marriage_first_lead="forbidden")
    assert offered(midway(forbidden, "KS QS", "JD QD", "AC TC KC TH", tricks=(0, 1)), "KS*")


@each_preset
@pytest.mark.parametrize("late", ["allowed", "forbidden"])
def test_4_6_marriage_when_the_talon_is_gone(name: str, late: str) -> None:
    house = rules(name, marriage_after_stock=late)
    assert offered(midway(house, "KS QS", "JD QD"), "KS*") == (late == "allowed")
    assert offered(midway(house, "KS QS", "JD QD", "AC TH"), "KS*")
    assert offered(midway(name, "KS QS", "JD QD"), "KS*") == (name != "sechsundsechzig")


@each_closing
@pytest.mark.parametrize("late", ["allowed", "forbidden"])
def test_4_6_marriage_after_a_close(name: str, late: str) -> None:
    house = rules(name, marriage_after_stock=late, close_before_draw=True, close_min_stock=2)
    start = midway(house, "AS KS QS", "JS JD QD", "AC TC KC TH")
    assert offered(follow(start, "S:c"), "KS*")
    assert offered(follow(start, "S:c S:AS N:JS"), "KS*") == (late == "allowed")
    assert offered(follow(start, "S:AS N:JS S:c"), "KS*")
    his = midway(house, "AS KS QS", "JS JD QD", "AC TC KC TH", leader=N)
    taken = follow(his, "N:c N:JS S:AS")
    assert offered(taken, "KS*") == (late == "allowed")


@each_closing
def test_4_6_the_answer_to_a_close_takes_no_marriage_away(name: str) -> None:
    house = rules(name, marriage_after_stock="forbidden", xchg_on_opp_close=True)
    start = midway(house, "KS QS", f"JD {low(name)}", "AD TD KD AH")
    assert offered(follow(start, "S:c N:x"), "KS*")


@each_preset
def test_4_7_pending_until_the_first_trick(name: str) -> None:
    house = rules(name, marriage_first_lead="pending")
    start = midway(house, "KS QS AD", "AS JC JD", "AC TC KC QC TD TH", tricks=(0, 0))
    announced = follow(start, "S:KS* N:AS")
    assert (announced.public.points, announced.public.pending) == ((0, 15), (20, 0))
    taken = follow(announced, "+ N:JD S:AD")
    assert (taken.public.points, taken.public.pending) == ((33, 15), (0, 0))


@each_preset
def test_4_7_pending_points_of_several_marriages_add_up(name: str) -> None:
    facts: dict[str, Any] = {"tricks": (0, 3), "pending": (20, 0)}
    if not PRESETS[name].must_lead_king:
        announced = follow(midway(name, "QH KH", "AS JC", "AC TC KC TH", **facts), "S:QH*")
        assert announced.public.pending == (60, 0)


@each_preset
def test_4_7_pending_points_count_before_the_test_for_66(name: str) -> None:
    house = rules(name, claim="automatic")
    facts: dict[str, Any] = {"tricks": (0, 3), "pending": (40, 0)}
    assert not follow(
        midway(house, "AS QD", "TS JC", "AC TC KC TH", **facts), "S:AS N:TS"
    ).public.over
    facts["pending"] = (60, 0)
    won = follow(midway(house, "KS QD", "JS JC", "AC TC KC TH", **facts), "S:KS N:JS")
    assert (won.public.points[S], won.public.over) == (66, True)


@each_preset
def test_4_7_pending_points_without_a_trick_are_void(name: str) -> None:
    facts: dict[str, Any] = {"tricks": (0, 9), "pending": (40, 0), "points": (0, 60)}
    lost = follow(midway(name, "JC", "AC", **facts), "S:JC N:AC")
    assert lost.public.points[S] == 0
    assert lost.public.outcome is not None
    assert lost.public.outcome[:2] == (N, 3)


@each_preset
def test_4_7_marriage_valid_0_counts_at_once(name: str) -> None:
    start = midway(rules(name, marriage_valid=0), "KS QS", "JD QD", "AC TC KC TH", tricks=(0, 2))
    announced = follow(start, "S:KS*")
    assert (announced.public.points, announced.public.pending) == ((20, 0), (0, 0))
    start = midway(rules(name, marriage_valid=1), "KS QS", "JD QD", "AC TC KC TH", tricks=(0, 2))
    assert follow(start, "S:KS*").public.pending == (20, 0)
    assert PRESETS[name].marriage_valid == 1


@each_preset
def test_4_8_automatic_announcement(name: str) -> None:
    for king_only in (False, True):
        house = rules(name, announce="automatic", must_lead_king=king_only)
        start = midway(house, "KS QS KD", "JD QD TD", "AC TC KC QC")
        cards = [action for action in listed(start).split() if action != "c"]
        assert cards == (["KS*", "QS", "KD"] if king_only else ["KS*", "QS*", "KD"])
    late = rules(name, announce="automatic", marriage_after_stock="forbidden")
    assert listed(midway(late, "KS QS", "JD QD")) == "KS QS"


@each_preset
@pytest.mark.parametrize("talon", [2, 4, 6])
def test_4_9_closing_needs_talon_cards(name: str, talon: int) -> None:
    start, preset = with_low(name, talon), PRESETS[name]
    assert offered(start, "c") == (preset.close and talon >= preset.close_min_stock)
    for least in (2, 4):
        house = start.public._replace(rules=rules(name, close=True, close_min_stock=least))
        assert offered(start._replace(public=house), "c") == (talon >= least)


@each_preset
def test_4_9_closing_on_the_first_lead(name: str) -> None:
    first = with_low(name, tricks=(0, 0))
    allowed = {"sechsundsechzig", "schnapsen", "schnapsen-sharp", "bicycle"}
    assert offered(first, "c") == (name in allowed)
    for ok in (True, False):
        house = first.public._replace(rules=rules(name, close=True, close_first_lead=ok))
        assert offered(first._replace(public=house), "c") == ok


@each_closing
def test_4_9_what_a_close_changes(name: str) -> None:
    start = with_low(name, points=(10, 25), tricks=(2, 3))
    closed = follow(start, "S:c")
    assert closed.public.closed == Closed(S, 25, 3)
    assert (closed.public.talon, closed.talon, closed.hands) == (6, start.talon, start.hands)
    assert (closed.public.upcard, closed.public.to_act, closed.public.strict) == (Card.HA, S, True)
    assert not offered(closed, "c")
    assert not offered(follow(closed, "S:KS N:TH"), "c")


@each_closing
def test_4_9_only_on_lead(name: str) -> None:
    start = with_low(name)
    assert not offered(follow(start, "S:KS"), "c")
    assert offered(follow(start, "S:x"), "c")


@each_closing
@pytest.mark.parametrize("talon", [2, 4, 6, 8])
def test_4_10_close_before_drawing(name: str, talon: int) -> None:
    due = follow(with_low(name, talon), "S:KS N:JD")
    left = talon - 2
    before = name in ("sechsundsechzig", "bicycle")
    assert offered(due, "c") == (before and left >= 2)
    for ok in (True, False):
        for least in (2, 4):
            house = rules(name, close_before_draw=ok, close_min_stock=least)
            public = due.public._replace(rules=house)
            assert offered(due._replace(public=public), "c") == (ok and left >= least)


@each_closing
def test_4_10_nobody_draws_after_it(name: str) -> None:
    start = with_low(name)
    house = start.public._replace(rules=rules(name, close_before_draw=True))
    closed = follow(start._replace(public=house), "S:KS N:JD S:c")
    assert (closed.public.to_draw, closed.public.held, closed.public.talon) == ((), (2, 2), 6)
    assert (closed.public.closed, closed.public.to_act) == (Closed(S, 0, 1), S)
    assert "QS" in listed(closed).split()


def test_4_10_only_while_the_round_is_untouched() -> None:
    due = follow(with_low("bicycle"), "S:KS N:JD")
    assert due.public.may_close()
    begun = due.public.after(due.drawn()[0])
    assert begun.to_draw == (N,)
    assert not begun.may_close()
