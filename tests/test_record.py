"""Deal records as lines of JSON, both ways, and what one seat sees of them."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import events, json_values, random_deal, rule_sets, shufflers, two_seats, written

from inference.cards import Card, Seat, parse_hand
from inference.errors import InferenceError, NotationError
from inference.game.events import Kind
from inference.game.match import Match
from inference.game.notation import format_events, parse_events
from inference.game.position import Position
from inference.game.record import Record, eyes, format_record, parse_record, public
from inference.game.rules import PRESETS, Rules
from inference.game.state import PublicState

SHORT: dict[str, Any] = {
    "rules": "sixty-six",
    "seat": "S",
    "leader": "N",
    "hands": {"S": "AS KH QH 9C JD TD"},
    "upcard": "JH",
    "events": "N:TC S:9C S:+AC",
}
WHOLE: dict[str, Any] = {
    "rules": "sixty-six",
    "leader": "N",
    "hands": {"S": "AS KH QH 9C JD TD", "N": "KS QS TC AD KC 9D"},
    "upcard": "JH",
    "talon": "AC 9S TS JS AH TH 9H KD QD QC JC JH",
    "events": "N:TC S:9C N:+AC S:+9S",
}


def edited(base: dict[str, Any], **changes: Any) -> Record:
    return parse_record(base | changes)


# -- both ways -------------------------------------------------------------------------------------


def test_a_record_has_values() -> None:
    assert edited(SHORT, match={"score": {"S": 5, "N": 6}}, meta={"place": "Café"}, table=[1]) == (
        Record(
            rules=PRESETS["sixty-six"],
            seat=Seat.S,
            leader=Seat.N,
            hands=(parse_hand("AS KH QH 9C JD TD"), None),
            upcard=Card.HJ,
            events=parse_events("N:TC S:9C S:+AC"),
            match=Match((5, 6), Seat.S),
            meta={"place": "Café"},
            extra={"table": [1]},
        )
    )


def as_record(rules: Rules, rng: Random, **more: Any) -> Record:
    """Write down a random deal with all that is known of it."""
    played = random_deal(rules, rng)
    first = played[0][0]
    state = first.public
    return Record(
        rules,
        None,
        state.leader,
        first.hands,
        state.upcard,
        first.talon,
        None,
        written(played),
        **more,
    )


@given(rule_sets, shufflers, st.data())
def test_what_is_written_reads_back(rules: Rules, rng: Random, data: st.DataObject) -> None:
    whole = as_record(
        rules,
        rng,
        meta=data.draw(st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2)),
        extra=data.draw(st.dictionaries(st.text("xyz", min_size=1), st.text(), max_size=3)),
    )
    score = st.integers(0, rules.target - 1)
    dealer = Seat(1 - whole.leader)
    match = Match((data.draw(score), data.draw(score)), dealer, data.draw(st.integers(0, 3)))
    for record in (
        whole,
        Record(**{name: getattr(whole, name) for name in whole.__slots__} | {"match": match}),
        eyes(whole, Seat.S),
        eyes(whole, Seat.N),
    ):
        line = format_record(record)
        assert parse_record(line) == record
        assert parse_record(record.to_json()) == record
        assert format_record(parse_record(line)) == line
        assert line.splitlines() == [line]


@given(st.lists(events(two_seats), max_size=5))
def test_events_are_kept_as_written(some: list[Any]) -> None:
    assert edited(SHORT, events=format_events(some)).events == tuple(some)


def test_unknown_keys_are_kept_in_their_order() -> None:
    more = {"zeta": None, "alpha": [1, {"b": 2.5}], "id": "F1"}
    line = format_record(edited(more | WHOLE))
    assert line.endswith('"zeta": null, "alpha": [1, {"b": 2.5}], "id": "F1"}')


def test_a_record_holds_its_own_copy() -> None:
    meta = {"players": ["Ann"]}
    record = edited(SHORT, meta=meta)
    meta["players"].append("Bo")
    assert record.meta == {"players": ["Ann"]}


def test_null_and_an_empty_text_are_as_good_as_nothing() -> None:
    bare = {key: value for key, value in SHORT.items() if key != "events"}
    names = ("start", "talon", "match", "meta", "events")
    assert parse_record(bare | dict.fromkeys(names)) == edited(SHORT, events="") == edited(bare)


def test_a_byte_order_mark_and_a_line_end_do_no_harm() -> None:
    assert parse_record("\ufeff" + json.dumps(SHORT) + "\r\n") == edited(SHORT)


def test_line_breaks_in_notes_stay_on_the_line() -> None:
    record = edited(SHORT, meta={"note": "a\nb\u2028c\x85d — ♠"})
    line = format_record(record)
    assert line.splitlines() == [line]
    assert "— ♠" in line
    assert parse_record(line) == record


# -- what is wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        ({"rules": None}, "the record does not say 'rules'"),
        ({"rules": "whist"}, "'whist' is no known rule set"),
        ({"rules": {"base": "sixty-six", "colour": 3}}, "'colour' is no rule"),
        ({"rules": {"base": "sixty-six", "target": 99}}, "'target' cannot be 99"),
        ({"rules": ["sixty-six"]}, "is no rule set"),
        ({"seat": "E"}, "the record's seat must be S or N, where two players sit, not 'E'"),
        ({"seat": "s"}, "the record's seat must be S or N"),
        ({"seat": "N"}, "the record is seen by N, but that hand is not given"),
        ({"leader": None}, "the record does not say 'leader'"),
        ({"leader": 0}, "the record's leader must be S or N, where two players sit, not 0"),
        ({"upcard": None}, "the record does not say 'upcard'"),
        ({"upcard": ""}, "the record's upcard must be one card, not 0"),
        ({"upcard": 11}, "the record's upcard must be text, not a number"),
        ({"upcard": "AS"}, "AS stands in the hand of S and once more"),
        ({"hands": None}, "the record does not say 'hands'"),
        ({"hands": {}}, "the record gives no hand"),
        ({"hands": {"S": None}}, "the record gives no hand"),
        ({"hands": "AS KH QH 9C JD TD"}, "the record's hands must be an object by seat"),
        ({"hands": {"W": "AS"}}, "a key of the record's hands must be S or N"),
        ({"hands": {"S": 5}}, "the hand of S must be text, not a number"),
        ({"hands": {"S": "AS KH QH 9C JD"}}, "the hand of S has 5 cards, not 6"),
        ({"hands": {"S": ""}}, "the hand of S has 0 cards, not 6"),
        ({"hands": {"S": "AS KH QH 9C JD JD"}}, "the hand of S: JD stands twice"),
        ({"hands": {"S": "AS KH QH 9C JD 1D"}}, "the hand of S: '1D' is not a card"),
        ({"hands": {"S": "AS " * 101}}, "the hand of S: 'AS AS .*…' is too long"),
        ({"talon": "AC JH"}, "the record gives the talon, but not both hands"),
        ({"events": 7}, "the record's events must be text, not a number"),
        ({"events": ["N:TC"]}, "the record's events must be text, not a list"),
        ({"events": "N:TC S:KX"}, "event 2, 'S:KX'"),
        ({"events": "N:TC W:9C"}, "event 2, 'W:9C': two players sit at S and N"),
        ({"events": "N:?"}, "reserved"),
        ({"meta": "at home"}, "the record's meta must be an object in braces, not text"),
        ({"meta": {"n": float("nan")}}, "must be finite"),
        ({"meta": {"n": 10**5000}}, "at most 2\\*\\*53"),
        ({"meta": {"n": {1, 2}}}, "JSON cannot hold a value of type set"),
        ({"meta": {1: 2}}, "the keys of a record are text, not a number"),
        ({"meta": {"n": "\ud800"}}, "half a letter"),
        ({"start": {}}, "a record with a 'start' has no 'leader'"),
        ({"start": []}, "a record with a 'start' has no 'leader'"),
        ({"match": 3}, "the record's match must be an object"),
        ({"match": {}}, "the record's match does not say 'score'"),
        ({"match": {"score": {"S": 5}}}, "the match's score must be given for both seats"),
        ({"match": {"score": {"S": 5, "N": 7}}}, "N has 7 game points of 7: that match is over"),
        ({"match": {"score": {"S": 5, "N": 0}, "dealer": "N"}}, "N cannot deal and lead"),
        ({"match": {"score": {"S": 5, "N": 0}, "carry": -1}}, "carry must be a whole number"),
        ({"match": {"score": {"S": 5, "N": 0}, "down": 2}}, "match has no key 'down'"),
    ],
)
def test_what_is_wrong_has_its_own_sentence(edit: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence) as caught:
        parse_record(SHORT | edit)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        ({"talon": "AC JH"}, "talon has 2 cards: with the upcard it has 12 after the deal"),
        ({"talon": "JH " + WHOLE["talon"][:-3]}, "talon ends with JC: its last card is the upcard"),
        ({"talon": "AS" + WHOLE["talon"][2:]}, "AS stands in the talon and once more"),
        ({"talon": "AC" + WHOLE["talon"][2:-2] + "AC"}, "the record's talon: AC stands twice"),
        (
            {"hands": {"S": "AS KH QH 9C JD TD", "N": "AS QS TC AD KC 9D"}},
            "AS stands in the hand of N",
        ),
        ({"rules": "schnapsen"}, "the hand of S: 9C is not in a pack of 20 cards"),
        ({"hands": {"S": "AS KH QH 9C JD TD"}}, "but not both hands: give all or neither"),
    ],
)
def test_what_is_wrong_with_a_whole_deal(edit: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        parse_record(WHOLE | edit)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "this is not one JSON object on one line"),
        ("{", "this is not one JSON object on one line"),
        ("{} {}", "at character 4"),
        ("null", "a record must be an object in braces, not null"),
        ("[]", "not a list"),
        ('"KH"', "not text"),
        ("true", "not true or false"),
        ("NaN", "not a number"),
        ('{"seat": "S", "seat": "N"}', "the key 'seat' stands twice"),
        ('{"x": NaN}', "must be finite"),
        ('{"x": 1e999}', "must be finite"),
        ('{"x": ' + "9" * 5000 + "}", "a number too long"),
        ("[" * 100_000, "lists too deep"),
        ('{"x": ' + "[" * 40 + "]" * 40 + "}", "nested at most 32 deep"),
    ],
)
def test_wrong_json_has_its_own_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        parse_record(text)


@pytest.mark.parametrize("value", [None, 3, b"{}", [SHORT], object()])
def test_a_record_is_text_or_an_object(value: Any) -> None:
    with pytest.raises(NotationError, match="a record must be an object in braces"):
        parse_record(value)


def test_an_object_that_holds_itself_is_refused() -> None:
    meta: dict[str, Any] = {}
    meta["meta"] = meta
    with pytest.raises(NotationError, match="nested at most 32 deep"):
        parse_record(SHORT | {"meta": meta})


def read_or_refuse(value: Any) -> None:
    """Let only our own errors out; what is read must come back, and be seen or refused."""
    try:
        record = parse_record(value)
    except InferenceError:
        return
    assert parse_record(format_record(record)) == record
    assert isinstance(public(record), PublicState)
    for seat in (Seat.S, Seat.N):
        try:
            assert eyes(record, seat).hand
        except InferenceError:
            assert seat != record.seat


START = {
    "leader": "N", "hand": "AC KC AD TD QD", "unseen": "QS TH QH TC QC JD", "known": {"N": "QS"},
    "trump": "D", "upcard": "KD", "talon": 2, "closed": {"by": "N", "points": 16, "tricks": 1},
    "points": {"S": 16, "N": 30}, "tricks": {"S": 1, "N": 3},
}  # fmt: skip
MIDWAY = {"rules": "schnapsen", "seat": "S", "start": START, "events": "N:QS"}
KEYS = sorted({*SHORT, *WHOLE, *MIDWAY, *START, "score", "dealer", "S", "N", "by", "base", "not"})
scraps = st.one_of(
    json_values,
    st.sampled_from(["S", "N", "W", "AS", "9S KD", "JH", "N:TC", "schnapsen", 0, 2, 20, 10**400]),
    st.dictionaries(st.sampled_from(KEYS), json_values, max_size=3),
)


@given(json_values | st.dictionaries(st.sampled_from(KEYS), scraps))
def test_any_json_is_read_or_refused(value: Any) -> None:
    read_or_refuse(value)
    read_or_refuse(json.dumps(value))


@settings(max_examples=200)
@given(st.sampled_from([SHORT, WHOLE, MIDWAY]), st.data())
def test_a_record_with_one_value_changed_is_read_or_refused(
    base: dict[str, Any], data: st.DataObject
) -> None:
    changed = json.loads(json.dumps(base))
    place = changed
    key = data.draw(st.sampled_from(sorted(place)))
    while isinstance(place[key], dict) and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place)))
    if data.draw(st.booleans()):
        place[key] = data.draw(scraps)
    else:
        del place[key]
    read_or_refuse(changed)


@settings(max_examples=300)
@given(st.sampled_from([SHORT, WHOLE, MIDWAY]), st.data())
def test_a_line_with_one_letter_changed_is_read_or_refused(
    base: dict[str, Any], data: st.DataObject
) -> None:
    line = json.dumps(base)
    at = data.draw(st.integers(0, len(line) - 1))
    skip = data.draw(st.integers(0, 2))
    likely = st.sampled_from('AKQJT9SHDC10:"{}[],*+!-xc ~?=')
    new = data.draw(likely | st.characters() | st.just(""))
    read_or_refuse(line[:at] + new + line[at + skip :])


# -- what one seat sees ----------------------------------------------------------------------------


def test_the_public_beginning_is_the_deal() -> None:
    assert public(edited(SHORT)) == PublicState.deal(PRESETS["sixty-six"], Seat.N, Card.HJ)


@given(rule_sets, shufflers)
def test_eyes_see_their_own_cards_only(rules: Rules, rng: Random) -> None:
    whole = as_record(rules, rng)
    for seat in (Seat.S, Seat.N):
        seen = eyes(whole, seat)
        assert seen.seat == seat
        assert seen.hand == whole.hands[seat]
        assert (seen.hands[1 - seat], seen.talon) == (None, None)
        assert eyes(seen, seat) == seen
        drawn = [e for e in seen.events if e.action.kind == Kind.DRAW]
        assert all((e.action.card is not None) == (e.seat == seat) for e in drawn)
        others = [e for e in whole.events if e.action.kind != Kind.DRAW]
        assert [e for e in seen.events if e.action.kind != Kind.DRAW] == others


@given(rule_sets, shufflers, two_seats)
def test_eyes_do_not_change_with_what_they_cannot_see(
    rules: Rules, rng: Random, seat: Seat
) -> None:
    first = Position.deal(rules, Seat.N, rng)
    pool = [*first.talon[:-1], *(c for c in Card if first.hands[1 - seat] >> c & 1)]
    rng.shuffle(pool)
    his = sum(card.mask for card in pool[: rules.hand])
    hands = (first.hands[0], his) if seat == Seat.S else (his, first.hands[1])
    talon = (*pool[rules.hand :], first.talon[-1])
    up = first.public.upcard
    truth = Record(rules, None, Seat.N, first.hands, up, first.talon)
    other = Record(rules, None, Seat.N, hands, up, talon)
    assert eyes(truth, seat) == eyes(other, seat)


def test_only_the_seat_whose_draws_are_listed_can_look() -> None:
    mine = edited(WHOLE, events="N:TC S:9C S:+9S N:AD S:JD")
    assert eyes(mine, Seat.S).events == mine.events
    with pytest.raises(
        NotationError, match="not list what N drew after trick 1, so it can be seen"
    ):
        eyes(mine, Seat.N)
    with pytest.raises(NotationError, match="the record does not hold the cards of N"):
        eyes(edited(SHORT), Seat.N)


def test_the_last_round_of_drawing_may_leave_out_the_upcard() -> None:
    rounds = [f"S:AS N:AH S:+{card} N:+{card}" for card in ("9S", "TS", "JS", "TH", "9H")]
    events = " ".join([*rounds, "S:AS N:AH S:+QD S:9S"])
    assert eyes(edited(WHOLE, events=events), Seat.N).events[-2:] == parse_events("S:+ S:9S")
