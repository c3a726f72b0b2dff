"""Entries, records and values that slipped through once: each ends in one sentence."""

import random

import numpy as np
import pytest

from inference import opponents
from inference.advice import advise
from inference.belief import prior
from inference.cards import Seat, parse_hand
from inference.errors import ContradictionError, InferenceError, NotationError
from inference.game.position import Position, View
from inference.game.rules import PRESETS
from inference.reports import p_any_marriage
from inference.session import Session

MINE = {"S": "AS KH QH 9C JD TD"}
BOTH = {**MINE, "N": "KS QS TC AD KC 9D"}
DEAL = {"rules": "sixty-six", "leader": "N", "upcard": "JH"}


def test_another_hands_draw_cannot_have_been_seen():
    record = {**DEAL, "seat": "S", "hands": MINE, "events": "N:TC S:9C N:+AC S:+KD"}
    with pytest.raises(NotationError, match="hidden"):
        Session.from_record(record)


@pytest.mark.parametrize("events", ["N:AC", "N:TC S:9C N:+ S:+KS"])
def test_both_hands_of_a_record_are_held_to(events):
    with pytest.raises(InferenceError):
        Session.from_record({**DEAL, "hands": BOTH, "events": events})
    assert Session.from_record({**DEAL, "hands": BOTH, "events": "N:TC S:9C"}).events


def test_events_given_with_a_new_deal_are_entered():
    session = Session.new(hands=MINE, upcard="JH", leader="N", events="N:TC S:9C")
    assert session.to_record()["events"] == "N:TC S:9C"


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.undo("1"),
        lambda s: s.undo(0),
        lambda s: s.undo(1.5),
        lambda s: s.correct(None),
        lambda s: s.correct({"1": "N:AC"}),
        lambda s: s.report([]),
        lambda s: s.report("belief", worlds=4),
        lambda s: Session.from_record(s.to_record(), at="1"),
        lambda s: Session.from_record(s.to_record(), model=None),
        lambda s: Session.from_record(s.to_record(), model="x" * 5000),
    ],
)
def test_values_of_the_wrong_type_are_named(call):
    session = Session.new(hands=MINE, upcard="JH", leader="N", events="N:TC")
    with pytest.raises(InferenceError):
        call(session)
    assert session.to_record()["events"] == "N:TC"


@pytest.mark.parametrize(
    "options",
    [
        {"worlds": 1.5},
        {"budget": float("nan")},
        {"budget": float("inf")},
        {"budget": "1"},
        {"budget": -1.0},
        {"seed": -1},
        {"seed": 1 << 63},
        {"seed": 0.5},
    ],
)
def test_advice_refuses_odd_options(options):
    session = Session.new(hands=MINE, upcard="JH", leader="S")
    with pytest.raises(NotationError):
        session.advice(**options)


@pytest.mark.parametrize("text", ["[" * 5000, '{"model": ' + "9" * 5000 + "}", "\ufeff{}", "[]"])
def test_a_file_that_is_no_model_is_refused(text, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InferenceError):
        opponents.load(str(path))


def last_round(rules):
    """Set up talon 2 with N about to win his way to 66 points with the reply to my lead."""
    start = {
        "leader": "S",
        "hand": "9S JS 9D JD 9C JC",
        "unseen": "AS AD AC AH KS QS TS",
        "upcard": "TH",
        "talon": 2,
        "points": {"S": 2, "N": 61},
        "tricks": {"S": 1, "N": 4},
    }
    return {"rules": rules, "seat": "S", "start": start}


def test_a_claim_before_the_last_draw_counts_no_silence_and_no_draw():
    """N may claim while I would take the upcard: only then has he not been silent (5.2)."""
    record = last_round("sechsundsechzig")
    session = Session.from_record(record, model="uniform")
    session.observe("S:JS N:AS")
    assert session.report("legal")["others"] == {"N": ["!"]}
    assert session.report("legal")["actions"] == ["+TH"]
    before = session.belief()
    session.observe("N:!")
    assert session.tracker.view.public.over
    assert session.report("belief")["n_layouts"] <= len(before.hands)
    claimed = session.report("belief")["log_evidence"]
    session.undo()
    session.observe("N:AD")
    assert session.tracker.view.hand & parse_hand("TH")
    assert session.report("belief")["log_evidence"] < claimed


def test_silence_after_an_announcement_that_could_be_claimed_is_evidence():
    claim, silent = (
        Session.new(rules="schnapsen", hands={"S": "JS QS JD QD JC"}, upcard="JH", leader="N")
        for _ in range(2)
    )
    for session in (claim, silent):
        session.observe("N:AS S:JS S:+KS N:AD S:JD S:+KD")
        if session.tracker.view.public.points[Seat.N] < 26:
            session.observe("N:AC S:JC S:+QC")
        session.observe("N:KH*")
    assert silent.tracker.view.public.may_claim(Seat.N)
    before = silent.report("belief")["log_evidence"]
    claim.observe("N:!")
    silent.observe("S:QS")
    assert claim.report("belief")["log_evidence"] > silent.report("belief")["log_evidence"]
    assert silent.report("belief")["log_evidence"] < before


def test_a_card_that_he_must_hold_cannot_be_mine():
    start = last_round("sixty-six")["start"] | {
        "hand": "9S JS 9D JD 9C AC",
        "unseen": "AS AD JC AH KS QS TS",
        "not": {"N": "QS"},
    }
    session = Session.from_record({"rules": "sixty-six", "seat": "S", "start": start})
    session.observe("S:AC N:JC")
    assert session.report("legal")["actions"] == ["+QS"]
    with pytest.raises(ContradictionError, match=r"S:\+KS: N must hold KS"):
        session.observe("S:+KS")
    session.observe("S:+QS")


def test_a_known_hand_allows_no_other_card_even_against_the_rules():
    session = Session.new(rules="schnapsen", hands={"S": "JS QS JD QD JC"}, upcard="JH", leader="N")
    session.observe("N:=ASTSKSADTD")
    with pytest.raises(ContradictionError, match="N:TC~"):
        session.observe("N:TC~")


def test_no_marriage_threatens_after_my_own_close_where_that_ends_announcing():
    session = Session.new(rules="sechsundsechzig", hands=MINE, upcard="JH", leader="S")
    assert p_any_marriage(session.tracker) > 0
    session.observe("S:c")
    assert p_any_marriage(session.tracker) == 0


def test_both_seats_have_the_same_chance_to_win():
    """Swap the seats: draws are no wins for either (bicycle has 65 to 65)."""
    position = Position.deal(PRESETS["bicycle"], Seat.S, random.Random(7))
    view = position.view(Seat.S)
    public = view.public
    twin = View(public._replace(leader=Seat.N), Seat.N, view.hand)
    belief = prior(view.unseen, public.held[Seat.N])
    one, two = (advise(v, belief, worlds=40, seed=3) for v in (view, twin))
    for option in one.options:
        other = next(o for o in two.options if o.action == option.action)
        assert other.value == pytest.approx(option.value)
        assert other.p_win == pytest.approx(option.p_win)
        assert 0 <= option.p_win <= 1
    assert np.isfinite([o.value for o in one.options]).all()
