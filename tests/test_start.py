"""A deal set up in the middle: it reads, writes, and says what cannot be true."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import is_a_lead, random_deal, rule_sets, shufflers

from inference.cards import Card, Seat, Suit, cards, mask_of, parse_hand, show
from inference.errors import NotationError
from inference.game.position import Position
from inference.game.record import Record, eyes, format_record, parse_record, public
from inference.game.rules import PRESETS, Rules
from inference.game.scoring import Closed
from inference.game.start import Start

PUBLISHED = [json.loads(line) for line in (Path(__file__).parent / "cases/published.jsonl").open()]
INFERRED: dict[str, Any] = {
    "leader": "N",
    "hand": "AC KC AD TD QD",
    "unseen": "QS TH QH TC QC JD",
    "known": {"N": "QS"},
    "not": {},
    "trump": "D",
    "upcard": "KD",
    "talon": 2,
    "closed": None,
    "points": {"S": 16, "N": 30},
    "pending": {"S": 0, "N": 0},
    "tricks": {"S": 1, "N": 3},
}
EXHAUSTED = INFERRED | {
    "hand": "AC KC AD TD QD",
    "unseen": "QS TH QH TC QC",
    "upcard": None,
    "talon": 0,
    "points": {"S": 16, "N": 36},
    "tricks": {"S": 1, "N": 4},
}


def record(start: dict[str, Any], rules: Any = "schnapsen", **more: Any) -> Record:
    return parse_record({"rules": rules, "start": start, **more})


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_the_published_positions_load_and_come_back(case: dict[str, Any]) -> None:
    given_record = case["record"]
    read = parse_record(given_record)
    line = format_record(read)
    assert parse_record(line) == read
    assert format_record(parse_record(line)) == line
    start, written = given_record["start"], read.to_json()["start"]
    hands = {"hand", "unseen"}
    assert {k: parse_hand(written[k]) for k in hands} == {k: parse_hand(start[k]) for k in hands}
    assert {k: v for k, v in start.items() if k not in hands}.items() <= written.items()


def test_all_eight_are_there() -> None:
    assert len(PUBLISHED) == 8


def test_a_position_has_values() -> None:
    start = record(INFERRED).start
    assert start == Start(
        seat=Seat.S,
        leader=Seat.N,
        hand=parse_hand("AC KC AD TD QD"),
        unseen=parse_hand("QS TH QH TC QC JD"),
        trump=Suit.D,
        upcard=Card.DK,
        talon=2,
        points=(16, 30),
        tricks=(1, 3),
        known=(0, Card.SQ.mask),
    )


def test_what_may_be_left_out() -> None:
    spare = ("known", "not", "closed", "pending", "trump")
    short = {key: value for key, value in INFERRED.items() if key not in spare}
    bare = record(short).start
    assert bare == record(INFERRED | {"known": {}}).start
    assert record(short | {"pending": {"S": 0}, "known": None}).start == bare
    assert record(EXHAUSTED | {"trump": "♦\ufe0f"}).start == record(EXHAUSTED).start


@pytest.mark.parametrize("key", ["leader", "hand", "unseen", "talon", "points", "tricks"])
def test_what_must_be_there(key: str) -> None:
    for start in (
        {k: v for k, v in INFERRED.items() if k != key},
        INFERRED | {key: None},
    ):
        with pytest.raises(NotationError, match=f"the start does not say '{key}'"):
            record(start)


def test_the_seat_of_a_position_is_s_unless_it_is_given() -> None:
    assert record(INFERRED).seat == Seat.S
    mine = record(INFERRED | {"known": {"S": "QS"}}, seat="N")
    assert mine.seat == Seat.N
    assert mine.start is not None
    assert mine.start.seat == Seat.N
    assert mine.hand == parse_hand(INFERRED["hand"])


CLOSED = {"by": "N", "points": 16, "tricks": 1}
ONE_CARD_LESS = {
    "hand": "AC KC AD TD",
    "unseen": "TH QH TC QC JD",
    "points": {"S": 16, "N": 36},
    "tricks": {"S": 1, "N": 4},
    "known": {},
}
MISFITS: list[tuple[dict[str, Any], str]] = [
    ({"unseen": "QS TH QH TC QC AD"}, "AD stands in the start's hand and among its unseen"),
    ({"hand": "AC KC AD TD KD"}, "KD stands in the start's hand and as its upcard"),
    ({"unseen": "QS TH QH TC QC KD"}, "KD stands among the start's unseen cards and as"),
    ({"hand": "AC KC AD TD TD"}, "the start's hand: TD stands twice"),
    ({"hand": "AC KC AD TD 9D"}, "the start's hand: 9D is not in a pack of 20 cards"),
    ({"hand": "AC KC AD TD XD"}, "the start's hand: 'XD' is not a card"),
    ({"hand": ["AC", "KC"]}, "the start's hand must be text, not a list"),
    ({"hand": 5}, "the start's hand must be text, not a number"),
    ({"hand": ""}, "hand has 0 cards: 1 to 5"),
    ({"hand": "AC KC AD TD QD KS"}, "hand has 6 cards: 1 to 5"),
    ({"talon": 4}, "two hands of 5, a talon of 4 and 4 tricks make 22 cards, but the pack has 20"),
    ({"tricks": {"S": 1, "N": 2}}, "make 18 cards"),
    ({"unseen": "QS TH QH TC QC"}, "unseen has 5 cards, but the other hand has 5 and 1 of"),
    (ONE_CARD_LESS, "a talon of 2 that nobody closed each player holds 5 cards, not 4"),
    ({"points": {"S": 16, "N": 31}}, "points 16 and 31, less the 46 .* leave 1:"),
    ({"points": {"S": 15, "N": 11}}, "leave -20"),
    ({"points": {"S": 106, "N": 60}}, "leave 120"),
    ({"points": {"S": 16}}, "the start's points must be given for both seats; N is missing"),
    ({"points": {"S": 16, "N": "30"}}, "points of N must be a whole number from 0 to 999"),
    ({"points": {"S": 16, "N": 30.0}}, "points of N must be a whole number"),
    ({"points": {"S": 16, "N": True}}, "points of N must be a whole number"),
    ({"points": {"S": 46, "N": -2}}, "not -2"),
    ({"points": {"S": 16, "W": 30}}, "a key of the start's points must be S or N"),
    ({"points": [16, 30]}, "the start's points must be an object by seat"),
    ({"pending": {"S": 20, "N": 0}}, "S has a trick, so the 20 pending points already count"),
    ({"pending": {"S": 10}}, "pending points of S are 0, 20 or 40, not 10"),
    ({"tricks": {"S": 4, "N": 0}}, "N leads, so the last trick is his, but he has none"),
    ({"leader": "S", "tricks": {"S": 4, "N": 0}}, "N has 30 points, but no trick"),
    ({"upcard": "KH", "unseen": "QS TH QH TC QC KD"}, "upcard KH is not of the trump suit diamon"),
    ({"upcard": None}, "has a talon of 2, which counts the upcard, but no 'upcard'"),
    ({"upcard": "KD QH"}, "the start's upcard must be one card, not 2"),
    ({"trump": "X"}, "'X' is no suit"),
    ({"trump": 2}, "the start's trump must be text"),
    ({"leader": "E"}, "the start's leader must be S or N, where two players sit, not 'E'"),
    ({"known": {"N": "AS"}}, "AS is known to be N's, but is not among the unseen cards"),
    ({"known": {"S": "QS"}}, "QS is known to be S's, but is not in that hand"),
    ({"known": {"N": INFERRED["unseen"]}}, "6 cards are known to be N's, who holds 5"),
    ({"not": {"N": "QS"}}, "QS is known to be N's and ruled out for N"),
    ({"not": {"N": "AS"}}, "AS is ruled out for N, but is not an unseen card"),
    ({"not": {"N": "TH QH"}}, "only 4 unseen cards are not ruled out for N, who holds 5"),
    ({"not": {"N": ["TH"]}}, "the start's not of N must be text, not a list"),
    ({"closed": CLOSED | {"points": 18}}, "S had 18 points at the close, but has only 16 now"),
    ({"closed": CLOSED | {"tricks": 2}}, "S had 2 tricks at the close, but has only 1 now"),
    ({"closed": CLOSED | {"by": "S", "tricks": 3}}, "no trick was played since S closed"),
    ({"closed": CLOSED | {"points": 0}}, "no trick was played since N closed"),
    ({"closed": {"by": "N", "points": 0}}, "the start's closed does not say 'tricks'"),
    ({"closed": CLOSED | {"when": 3}}, "the start's closed has no key 'when'"),
    ({"closed": True}, "the start's closed must be an object in braces, not true or false"),
    ({"talk": 2}, "the start has no key 'talk': the keys are leader, hand"),
]


@pytest.mark.parametrize(("edit", "sentence"), MISFITS, ids=[s for _, s in MISFITS])
def test_what_does_not_fit_has_its_own_sentence(edit: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        record(INFERRED | edit)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        ({"trump": None}, "does not say 'trump', which is needed without an upcard"),
        ({"upcard": "KD"}, "the start has the upcard KD, but a talon of 0"),
        ({"closed": CLOSED}, "closed over a talon of 0: it takes 2"),
        ({"not": {"N": "TC"}}, "only 4 unseen cards are not ruled out for N, who holds 5"),
    ],
)
def test_what_does_not_fit_without_a_talon(edit: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        record(EXHAUSTED | edit)


@pytest.mark.parametrize(
    ("rules", "edit", "sentence"),
    [
        ("schnapsen-sharp", {}, "closed over a talon of 2: it takes 4"),
        ({"base": "schnapsen", "close": False}, {}, "there is no closing in schnapsen"),
        (
            {"base": "schnapsen", "claim": "automatic"},
            {"closed": None, "points": {"S": 16, "N": 70}},
            "N has 70 points: with 66 the deal is over",
        ),
    ],
)
def test_what_does_not_fit_the_rules(rules: Any, edit: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        record(INFERRED | {"closed": CLOSED} | edit, rules)


BEFORE_THE_FIRST_LEAD = {
    "leader": "S",
    "hand": "AC KC AD TD QD",
    "unseen": "AS TS KS QS JS AH TH KH QH JH TC QC JC JD",
    "upcard": "KD",
    "talon": 10,
    "points": {"S": 0, "N": 0},
    "tricks": {"S": 0, "N": 0},
}


def test_a_position_may_be_the_deal_itself() -> None:
    deal = {"leader": "S", "hands": {"S": BEFORE_THE_FIRST_LEAD["hand"]}, "upcard": "KD"}
    assert public(record(BEFORE_THE_FIRST_LEAD)) == public(
        parse_record(deal | {"rules": "schnapsen"})
    )


def test_nothing_is_pending_before_the_first_lead() -> None:
    with pytest.raises(NotationError, match="S has 20 pending points, but nobody has led"):
        record(BEFORE_THE_FIRST_LEAD | {"pending": {"S": 20}})


def test_a_close_that_is_surely_fresh_is_fresh() -> None:
    assert public(record(INFERRED | {"closed": CLOSED})).fresh_close
    later = record(INFERRED | ONE_CARD_LESS | {"closed": CLOSED})
    assert not public(later).fresh_close
    assert public(later).closed == Closed(Seat.N, 16, 1)


def as_start(position: Position, seat: Seat, rng: Random) -> Start:
    """Write down what a seat sees, with some cards that the other does not hold ruled out."""
    state, hand, his = position.public, position.hands[seat], position.hands[1 - seat]
    unseen = his | mask_of(position.talon[:-1])
    cannot = mask_of(card for card in cards(unseen & ~his) if rng.random() < 0.3)
    return Start(
        seat,
        state.leader,
        hand,
        unseen,
        Suit(state.trump),
        state.upcard,
        state.talon,
        state.points,
        state.tricks,
        state.pending,
        state.closed,
        state.known,
        (0, cannot) if seat == Seat.S else (cannot, 0),
    )


@given(rule_sets, shufflers, st.sampled_from([Seat.S, Seat.N]))
def test_each_lead_of_a_deal_can_be_set_up(rules: Rules, rng: Random, seat: Seat) -> None:
    leads = [position for position, _ in random_deal(rules, rng) if is_a_lead(position)]
    for position in leads:
        written = Record(rules, seat, start=as_start(position, seat, rng))
        read = parse_record(format_record(written))
        assert read == written
        state, found = position.public, public(read)
        full = state.held[seat] == rules.hand
        assert found == state._replace(fresh_close=state.fresh_close and full)


@pytest.mark.parametrize("name", PRESETS)
def test_house_rules_of_a_position_come_back(name: str) -> None:
    changed = {"base": name, "target": 5, "gp_schedule": 30}
    start = as_start(Position.deal(PRESETS[name], Seat.N, Random(3)), Seat.S, Random(3))
    line = format_record(record(start.to_json(), changed))
    assert json.loads(line)["rules"] == changed


def test_a_position_without_a_talon_can_be_seen_from_both_sides() -> None:
    mine = record(EXHAUSTED | {"not": {}}, events="N:QS")
    assert eyes(mine, Seat.S) == mine
    his = eyes(mine, Seat.N)
    assert show(his.hand) == "QS TH QH TC QC"
    assert public(his) == public(mine)
    assert parse_record(format_record(his)) == his
    assert eyes(his, Seat.S) == mine


def test_a_position_with_a_talon_is_seen_from_one_side() -> None:
    with pytest.raises(NotationError, match="set up by S: it lacks the hand of N"):
        eyes(record(INFERRED), Seat.N)
