"""The reference itself: the worked cases, two whole deals, the rules that they pass by."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import perft_files
import pytest
import reference
from reference import NAMES, PRESETS, Rules, State, legal, others, step

DOCS = Path(__file__).resolve().parent.parent / "docs" / "rules.md"
NINES = [name for name in NAMES if PRESETS[name]["cards"] == 24]
DECLARED = [name for name in NAMES if PRESETS[name]["claim"] == "declared"]
SIX = "AD TD KD QD JD QH"  # a talon that nobody looks at


def at(
    rules: str | Rules,
    south: str,
    north: str,
    talon: str = "",
    points: tuple[int, int] = (0, 0),
    tricks: tuple[int, int] = (1, 1),
    **more: Any,
) -> State:
    """Set up a place in a deal, hearts trump; numbers are of S, N; S leads."""
    won = {"S": ("9S", "9D") * tricks[0], "N": ("9S", "9D") * tricks[1]}
    hands = {"S": frozenset(south.split()), "N": frozenset(north.split())}
    totals, none = {"S": points[0], "N": points[1]}, {"S": 0, "N": 0}
    cells, cards = reference.rules_of(rules), tuple(talon.split())
    return State(cells, "H", "S", hands, cards, won, totals, none, **more)


def play(state: State, text: str) -> State:
    for event in text.split():
        state = step(state, *event.split(":"))
    return state


def allowed(state: State, hand: str) -> str:
    return " ".join(legal(replace(state, hands=state.hands | {"N": frozenset(hand.split())})))


def test_the_presets_are_those_of_the_document() -> None:
    rows = [line.split("|")[1:-1] for line in DOCS.read_text().splitlines() if line[:3] == "| `"]
    empty: dict[str, set[Any]] = {"–": {False, 2, "2/3", "final"}, "cannot arise": {"draw"}}
    for key, _, *cells in rows:
        for name, cell in zip(NAMES, cells, strict=True):
            text = cell.replace("*chosen*", "").replace("ᵖ", "").strip()
            ours = PRESETS[name][key.strip(" `")]
            assert ours in empty.get(text, set()) or str(ours).lower() == text.lower()
    assert [key.strip(" `") for key, *_ in rows] == list(reference.TABLE)


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize(
    ("lead", "reply", "winner", "points"),
    [("9C", "AS", "S", 11), ("AS", "9H", "N", 11), ("KD", "TD", "N", 14)],
    ids=["W1", "W2", "W3"],
)
def test_w1_to_w3_tricks(rules: str, lead: str, reply: str, winner: str, points: int) -> None:
    state = play(at(rules, lead, reply + " AC", SIX), f"S:{lead} N:{reply}")
    assert reference.points(state)[winner] == points
    assert reference.to_act(state) == winner
    assert legal(state)[0] == "+"
    state = step(state, winner, "+")
    assert "AD" in state.hands[winner]
    assert state.leader == winner


@pytest.mark.parametrize("rules", NAMES)
def test_w4_to_w7_replies(rules: str) -> None:
    free = rules == "sixty-six"
    strict = at(rules, "TD KC QH", "9S")
    assert allowed(step(strict, "S", "TD"), "AD 9D KH JC") == ("AD 9D" if free else "AD")
    assert allowed(step(strict, "S", "KC"), "9H QH AS") == "QH 9H"
    assert allowed(step(strict, "S", "KC"), "AS TD") == "AS TD"
    assert allowed(step(strict, "S", "QH"), "9H JH AS") == "JH 9H"
    assert allowed(step(strict, "S", "QH"), "TH JH AS") == ("TH JH" if free else "TH")
    assert allowed(step(at(rules, "KC", "9S", SIX), "S", "KC"), "9H QH AS")[:8] == "AS QH 9H"


def test_w8_pending_points() -> None:
    state = play(at("sixty-six", "KC QC JH", "AC KD", SIX, tricks=(0, 0)), "S:KC* N:AC N:+")
    assert (reference.points(state)["S"], reference.pending(state)["S"]) == (0, 20)
    state = play(state, "N:KD S:JH")
    assert (reference.points(state)["S"], reference.pending(state)["S"]) == (26, 0)
    for rules in ("santase", "schnapsen-sharp"):
        first = at(rules, "KC QC JH", "AC KD", SIX, tricks=(0, 0))
        assert "KC*" not in legal(first)
        state = play(first, "S:KC N:AC N:+ N:KD S:JH")
        assert reference.points(state)["S"] == 6


@pytest.mark.parametrize(
    "rules", [name for name in NAMES if name not in ("santase", "schnapsen-sharp")]
)
def test_w9_pending_points_of_the_trickless_are_void(rules: str) -> None:
    state = play(at(rules, "KH QH 9C", "AH AC", SIX, tricks=(0, 0)), "S:KH* N:AH N:+")
    state = replace(state, points={"S": 0, "N": 60})
    state = play(state, "N:AC S:9C")
    state = state if reference.over(state) else step(state, "N", "!")
    assert reference.pending(state)["S"] == 40
    assert reference.result(state) == ("N", 3)


@pytest.mark.parametrize("rules", NAMES)
def test_w10_sixty_six_by_announcing(rules: str) -> None:
    out, short = (step(at(rules, "KC QC", "9C", SIX, (n, 40)), "S", "KC*") for n in (46, 45))
    assert not reference.over(short)
    assert reference.points(short)["S"] == 65
    assert others(short) == {}
    if rules in DECLARED:
        assert others(out) == {"S": ["!"]}
        assert reference.result(step(short, "S", "!")) == ("N", 2)
        out = step(out, "S", "!")
    assert reference.result(out) == ("S", 1)
    assert ("KC" in out.hands["S"]) == (rules not in DECLARED)


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize(
    ("lost", "n_tricks", "worth"), [(33, 1, 1), (32, 1, 2), (0, 1, 2), (0, 0, 3)]
)
def test_w11_what_going_out_is_worth(rules: str, lost: int, n_tricks: int, worth: int) -> None:
    state = play(at(rules, "AS KS", "9C JC", SIX, (55, lost), (1, n_tricks)), "S:AS N:9C")
    state = step(state, "S", "!")  # accepted after the end too (5.15)
    assert reference.result(state) == ("S", worth)


@pytest.mark.parametrize("rules", NAMES)
def test_w12_nobody_has_66(rules: str) -> None:
    by_total = PRESETS[rules]["nobody66"] == "higher_total"
    south = play(at(rules, "AS", "9C", "", (44, 65)), "S:AS N:9C")
    north = play(at(rules, "9C", "AC", "", (55, 54)), "S:9C N:AC")
    assert reference.result(south) == ((None, 0) if by_total else ("S", 1))
    assert reference.result(north) == ("N", 1)
    assert reference.points(north)["N"] == (75 if by_total else 65)


@pytest.mark.parametrize("rules", NAMES)
def test_w13_moments_of_the_exchange(rules: str) -> None:
    low = str(PRESETS[rules]["xchg_card"]) + "H"
    hand = f"{low} AC"
    assert "x" in legal(at(rules, hand, "9C", SIX))
    assert ("x" in legal(at(rules, hand, "9C", SIX, tricks=(0, 0)))) == (rules == "schnapsen")
    follower = step(at(rules, "9C", hand, SIX), "S", "9C")
    assert ("x" in legal(follower)) == (rules in ("sixty-six", "bicycle"))
    assert ("x" in legal(at(rules, hand, "9C", "AD QH"))) == (
        rules not in ("santase", "schnapsen-sharp")
    )
    assert "x" not in legal(at(rules, hand, "9C"))


CLOSING = [name for name in NAMES if PRESETS[name]["close"]]


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize("n_tricks", [0, 1])
def test_w15_a_failed_close(rules: str, n_tricks: int) -> None:
    state = at(rules, "AS KS", "9C JC", SIX, tricks=(1, n_tricks))
    if rules not in CLOSING:
        with pytest.raises(ValueError, match="not legal"):
            step(state, "S", "c")
        return
    state = step(state, "S", "c")
    last = {"S": frozenset({"AS"}), "N": frozenset({"9C"})}
    state = play(replace(state, hands=last, points={"S": 49, "N": 30}), "S:AS N:9C")
    assert reference.result(state) == ("N", 2 if n_tricks and rules != "santase" else 3)
    gave_up = play(at(rules, "AS KS", "9C JC", SIX, tricks=(1, n_tricks)), "S:c S:/")
    assert reference.result(gave_up) == reference.result(state)


@pytest.mark.parametrize("rules", CLOSING)
def test_w16_a_close_is_judged_by_its_basis(rules: str) -> None:
    state = step(at(rules, "AS KS", "9C JC", SIX, (20, 20)), "S", "c")
    state = play(replace(state, points={"S": 56, "N": 35}), "S:AS N:9C S:!")
    assert reference.result(state) == ("S", 2 if "schnapsen" in rules else 1)


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize("n_tricks", [0, 1])
def test_w17_a_false_claim(rules: str, n_tricks: int) -> None:
    state = play(at(rules, "AS KS", "9C JC", SIX, (54, 0), (1, n_tricks)), "S:AS N:9C")
    assert "!" not in legal(state)
    dear = not n_tricks and rules in ("santase", "schnapsen", "schnapsen-sharp")
    assert reference.result(step(state, "S", "!")) == ("N", 3 if dear else 2)


@pytest.mark.parametrize("rules", NAMES)
def test_w18_a_chance_that_was_missed(rules: str) -> None:
    state = at(rules, "AS KC JC", "9S AC JD", SIX, (55, 51))
    state = play(state, "S:AS N:9S")
    if rules not in DECLARED:
        assert reference.result(state) == ("S", 1)
        return
    assert "!" in legal(state)
    state = play(state, "S:+ S:KC N:AC")
    assert others(state) == {}
    assert reference.result(step(state, "N", "!")) == ("N", 1)


def test_giving_up_revokes_and_what_comes_after_the_end() -> None:
    state = at("schnapsen", "AS KS", "TC JC", SIX, (20, 20))
    assert reference.result(step(state, "S", "/")) == ("N", 2)
    assert reference.result(step(state, "S", "z")) == (None, 0)
    ended = play(state, "S:c N:/")
    assert reference.result(ended) == ("S", 2)
    assert play(ended, "S:! N:=TCJC") == ended
    assert reference.result(step(ended, "S", "r")) == ("N", 3)
    for text in ("N:!", "S:AS", "S:z", "S:/"):
        with pytest.raises(ValueError, match="over"):
            play(ended, text)
    with pytest.raises(ValueError, match="cannot claim"):
        step(state, "S", "!")


def test_the_last_trick_takes_a_player_out_unclaimed() -> None:
    state = at("schnapsen", "AS", "9C", "AD QH", (55, 70), closed_by="N", at_close=(1, 20))
    assert reference.result(play(state, "S:AS N:9C")) == ("S", 2)
    silent = at("schnapsen", "AS", "9C", "", (50, 70))
    assert reference.result(play(silent, "S:AS N:9C")) == ("S", 1)


F1: dict[str, Any] = {
    "leader": "S",
    "hands": {"S": "AH KC QC 9S AD JC", "N": "AC QS TC JS AS TS"},
    "talon": "JD JH KD 9H 9C 9D KH QD KS TD TH QH",
    "events": """S:QC* N:AC N:+JD S:+JH N:JS S:9S N:+KD S:+9H N:KD S:JH S:+9C N:+9D S:x S:9C N:TC
        N:+KH S:+QD N:AS S:QH S:+KS N:+TD S:KS N:TS N:+TH S:+9H N:QS S:9H S:KC N:TH N:TD S:AD S:JC
        N:KH N:JD S:QD""",
}
F1_TOTALS = "14:0 16:0 16:26 26:26 26:40 40:40 40:43 54:43 54:64 60:64 60:69"
F2: dict[str, Any] = {
    "leader": "S",
    "hands": {"S": "KH 9S JD JS TH AS", "N": "9C TS JC KS 9H TC"},
    "talon": "AH AC QC KD 9D QH AD TD KC QS QD JH",
    "events": """S:JS N:9C S:+AH N:+AC S:AH N:TC S:+QC N:+KD S:KH N:9H S:+9D N:+QH S:9S N:TS
        N:+AD S:+TD N:JC S:QC S:+KC N:+QS S:JD N:QS S:+QD N:+JH S:KC N:AC N:QH S:TH S:QD N:KD
        N:KS S:AS S:9D N:AD N:JH S:TD""",
}
F2_TOTALS = "0:2 0:23 0:27 10:27 10:32 10:37 25:37 25:50 32:50 32:65 43:65 "


def totals(line: dict[str, Any]) -> str:
    """Write the points of N and S after each trick."""
    written, found, n_won = line["events"].split(), [], 0
    for n in range(1, len(written) + 1):
        state = perft_files.replay(line | {"events": " ".join(written[:n])})
        if sum(reference.tricks(state).values()) > n_won:
            n_won += 1
            found.append("{N}:{S}".format(**reference.points(state)))
    return " ".join(found)


@pytest.mark.parametrize("rules", ["sixty-six", "sechsundsechzig", "bicycle"])
def test_f1_with_w14(rules: str) -> None:
    line = F1 | {"rules": rules}
    assert totals(line) == F1_TOTALS
    state = perft_files.replay(line)
    assert reference.over(state) == (rules == "sixty-six")
    assert reference.result(step(state, "S", "!")) == ("S", 1)
    last_open = F1["events"].split("N:+TH")[0]
    state = perft_files.replay(line | {"events": last_open})
    assert state.talon == ("TH", "9H")
    state = step(state, "N", "+")
    assert "TH" in state.hands["N"]
    assert "9H" in state.hands["S"]
    assert reference.strict(state)


def test_f1_without_the_first_marriage() -> None:
    with pytest.raises(ValueError, match="not legal"):
        perft_files.replay(F1 | {"rules": "santase"})
    plain = F1["events"].replace("QC*", "QC")
    state = perft_files.replay(F1 | {"rules": "santase", "events": plain})
    assert reference.points(state) == {"S": 49, "N": 60}
    state = play(state, "S:AH N:9D")
    assert reference.points(state) == {"S": 70, "N": 60}
    assert reference.result(state) == ("S", 1)


@pytest.mark.parametrize("rules", NINES)
def test_f2(rules: str) -> None:
    bonus = PRESETS[rules]["last_trick_bonus"]
    line = F2 | {"rules": rules}
    assert totals(line) == f"{F2_TOTALS}{55 + bonus}:65"
    assert reference.result(perft_files.replay(line)) == ((None, 0) if bonus else ("N", 1))


def test_the_answer_to_a_close() -> None:
    closed = step(at("sechsundsechzig", "AS KS", "9H JC", SIX, tricks=(1, 0)), "S", "c")
    assert others(closed) == {"N": ["x"]}
    answered = step(closed, "N", "x")
    assert answered.hands["N"] == {"QH", "JC"}
    assert answered.talon[-1] == "9H"
    assert others(answered) == {}
    assert "x" not in legal(step(closed, "S", "AS"))
    assert others(step(at("schnapsen", "AS KS", "JH JC", SIX), "S", "c")) == {}


def test_announcing_after_the_stock_only_with_the_close() -> None:
    state = at("sechsundsechzig", "KC QC KD QD", "9C JC 9S JS", SIX)
    assert "KC*" in legal(state)
    state = step(state, "S", "c")
    assert "KC*" in legal(state)
    assert "KD*" not in legal(play(state, "S:KC* N:9C"))
    assert "KC*" not in legal(at("sechsundsechzig", "KC QC", "9C JC"))
    assert "KC*" in legal(at("bicycle", "KC QC", "9C JC"))


def test_moments_of_closing() -> None:
    def closable(rules: str, **more: Any) -> bool:
        return "c" in legal(at(rules, "AS KS", "9C JC", **more))

    first = {name for name in NAMES if closable(name, talon=SIX, tricks=(0, 0))}
    assert first == set(CLOSING) - {"santase"}
    assert {name for name in NAMES if closable(name, talon="AD QH")} == {
        "sechsundsechzig", "schnapsen", "bicycle"
    }  # fmt: skip
    due = {name for name in NAMES if closable(name, talon="AD TD KD QH", drawing=True)}
    assert due == {"sechsundsechzig", "bicycle"}
    assert not closable("bicycle", talon="AD QH", drawing=True)
    before = at("bicycle", "AS KS", "9C JC", SIX, drawing=True)
    assert "+" not in legal(step(before, "S", "c"))


@pytest.mark.parametrize(
    ("cell", "by_tricks"), [(2, [2, 2]), (3, [3, 3]), ("2/3", [3, 2]), ("1/2/3", [3, 1])]
)
def test_what_a_close_costs(cell: int | str, by_tricks: list[int]) -> None:
    house = {"base": "schnapsen", "close_fail": cell}
    if cell != "1/2/3":
        house["opp_out_after_close"] = cell
    for n_tricks, worth in enumerate(by_tricks):
        closed: dict[str, Any] = {"closed_by": "S", "at_close": (n_tricks, 20)}
        lost = play(at(house, "AS", "9C", SIX, (22, 40), **closed), "S:AS N:9C")
        assert reference.result(lost) == ("N", worth)
        poor = play(at(house, "AS", "9C", SIX, (21, 40), **closed), "S:AS N:9C")
        assert reference.result(poor) == ("N", 2 if (cell, n_tricks) == ("1/2/3", 1) else worth)
        out = play(at(house, "9C", "AC", SIX, (40, 55), **closed), "S:9C N:AC")
        assert reference.result(out) == ("N", worth if cell != "1/2/3" else 3 - n_tricks)


def test_a_closer_never_saves_by_a_false_claim() -> None:
    house = {"base": "schnapsen", "false_claim": 2}
    state = at(house, "AS KS", "9C JC", SIX, closed_by="S", at_close=(0, 0))
    assert reference.result(play(state, "S:AS N:9C S:!")) == ("N", 3)
    state = at(house, "AS KS", "9C JC", SIX, tricks=(1, 0), closed_by="N", at_close=(1, 9))
    assert reference.result(play(state, "S:AS N:9C S:!")) == ("N", 2)
