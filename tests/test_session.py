"""The session: entries, undo, corrections, seats and reports, from the outside."""

import pytest

from inference.errors import (
    ContradictionError,
    IllegalActionError,
    InferenceError,
    ModelError,
    NotationError,
)
from inference.session import Session

F1 = {
    "rules": "sixty-six",
    "leader": "S",
    "upcard": "QH",
    "hands": {"S": "AH KC QC 9S AD JC", "N": "AC QS TC JS AS TS"},
    "talon": "JD JH KD 9H 9C 9D KH QD KS TD TH QH",
    "events": (
        "S:QC* N:AC N:+JD S:+JH N:JS S:9S N:+KD S:+9H N:KD S:JH S:+9C N:+9D "
        "S:x S:9C N:TC N:+KH S:+QD N:AS S:QH S:+KS N:+TD S:KS N:TS N:+TH S:+9H "
        "N:QS S:9H S:KC N:TH N:TD S:AD S:JC N:KH N:JD S:QD"
    ),
}
POINTS = [(0, 14), (0, 16), (26, 16), (26, 26), (40, 26), (40, 40), (43, 40), (43, 54)]
POINTS += [(64, 54), (64, 60), (69, 60)]
MINE = {"S": "AS KH QH 9C JD TD"}


def fresh(**more):
    return Session.new(hands=MINE, upcard="JH", leader="N", model="counting", **more)


def state(session):
    return session.tracker.view, session.tracker.belief.hands.tolist(), session.to_record()


def same_belief(one, other):
    a, b = one.report("belief"), other.report("belief")
    assert a["n_layouts"] == b["n_layouts"]
    assert a["log_evidence"] == pytest.approx(b["log_evidence"])
    assert a["marginals"].keys() == b["marginals"].keys()
    for card, where in a["marginals"].items():
        assert where == pytest.approx(b["marginals"][card])


def test_f1_shows_the_points_of_the_table_from_both_seats():
    for seat in "SN":
        session, shown = Session.from_record(F1, seat=seat, at=0), []
        for event in Session.from_record(F1, seat=seat).events:
            before = session.tracker.view.public.tricks
            session.observe(event)
            public = session.tracker.view.public
            if public.tricks != before:
                shown.append((public.points[0], public.points[1]))
        assert shown == POINTS
        report = session.report("legal")
        assert (report["over"], report["winner"], report["game_points"]) == (True, "S", 1)
        assert report["to_act"] is None


def test_the_start_knows_12376_hands_with_even_odds():
    report = fresh().report("belief")
    assert report["n_layouts"] == 12376
    assert report["log_evidence"] == 0
    assert len(report["marginals"]) == 17
    for where in report["marginals"].values():
        assert where["N"] == pytest.approx(6 / 17)
        assert where["N"] + where["talon"] == pytest.approx(1)
    assert len(report["hands"]["N"]) == 10
    assert report["styles"] == {}


def test_my_draw_stands_for_the_whole_round():
    short, long = fresh(), fresh()
    short.observe("N:TC S:9C S:+AD")
    long.observe("N:TC S:9C N:+ S:+AD")
    same_belief(short, long)


def test_a_complete_record_and_my_own_notes_give_the_same_belief():
    notes = {**F1, "seat": "S", "hands": {"S": F1["hands"]["S"]}}
    del notes["talon"]
    kept = [e for e in F1["events"].split() if not e.startswith("N:+")]
    full, mine = Session.from_record(F1), Session.from_record({**notes, "events": " ".join(kept)})
    same_belief(full, mine)


def test_the_face_up_trump_needs_no_entry_but_is_accepted():
    seen = F1["events"]
    head, tail = seen.rsplit("N:+TH S:+9H", 1)
    for draws in ("", "N:+", "N:+TH", "S:+9H", "S:+9H N:+TH", "N:+TH S:+9H"):
        session = Session.from_record({**F1, "events": head + draws + tail})
        assert session.report("legal") == Session.from_record(F1).report("legal")
        same_belief(session, Session.from_record(F1))


def test_undo_is_as_if_it_had_never_happened():
    session = fresh()
    states = [state(session)]
    for event in ("N:TC", "S:9C", "S:+AD", "N:KC*", "S:AS"):
        if event == "N:KC*":
            event = "N:KD"
        session.observe(event)
        states.append(state(session))
    for before in reversed(states[:-1]):
        session.undo()
        assert state(session) == before
    with pytest.raises(IllegalActionError, match="undo"):
        session.undo()


def test_a_refused_entry_changes_nothing():
    session = fresh()
    session.observe("N:TC")
    before = state(session)
    for bad, error in [
        ("S:AC", ContradictionError),
        ("N:KC", IllegalActionError),
        ("S:TC", ContradictionError),
        ("S:KH*", IllegalActionError),
        ("S:+AD", IllegalActionError),
        ("S:c", IllegalActionError),
        ("S:x", IllegalActionError),
        ("N:b2", IllegalActionError),
        ("W:AC", NotationError),
        ("S:9C N:9D", InferenceError),
        ("rubbish", NotationError),
    ]:
        with pytest.raises(error):
            session.observe(bad)
        assert state(session) == before


def test_an_illegal_follow_names_the_rule_and_the_legal_cards():
    session = Session.from_record(F1, at=F1["events"].split().index("N:QS") + 1)
    with pytest.raises(IllegalActionError, match=r"rule 3\.6") as caught:
        session.observe("S:KC")
    assert set(caught.value.legal) == {"AH", "9H", "QD"} & set(caught.value.legal)
    assert "9H" in caught.value.legal


def test_correct_replaces_earlier_entries_and_keeps_the_later_ones():
    session = fresh()
    session.observe("N:TC S:9C S:+AD N:QD S:JD S:+KC N:JS")
    session.correct({1: "N:TS", 4: "N:KD"})
    assert session.to_record()["events"] == "N:TS S:9C S:+AD N:KD S:JD S:+KC N:JS"
    with pytest.raises(ContradictionError, match=r"entry 5 \(S:JD\)"):
        session.correct({2: "S:JD"})
    assert session.to_record()["events"] == "N:TS S:9C S:+AD N:KD S:JD S:+KC N:JS"


def test_two_swapped_cards_are_corrected_together():
    session = fresh()
    session.observe("N:TC S:9C S:+AD N:QD S:JD S:+KC N:JS")
    with pytest.raises(InferenceError):
        session.correct({1: "N:QD"})
    session.correct({1: "N:QD", 4: "N:TC"})
    assert session.to_record()["events"].startswith("N:QD S:9C S:+AD N:TC")


def test_an_entry_can_be_struck_out_or_put_in():
    session = fresh()
    session.observe("N:TC S:9C S:+AD N:9D S:JD")
    session.correct({5: ""})
    assert session.to_record()["events"] == "N:TC S:9C S:+AD N:9D"
    session.correct({4: "N:9D S:TD"})
    assert session.to_record()["events"] == "N:TC S:9C S:+AD N:9D S:TD"
    with pytest.raises(NotationError, match="entry 9"):
        session.correct({9: "N:QD"})


def test_revert_takes_back_a_correction_as_a_whole_and_otherwise_an_entry():
    session = fresh()
    session.observe("N:TC S:9C S:+AD N:9D S:JD")
    told = [session.to_record()]
    for change in ({5: ""}, {4: "N:9D S:TD"}, {2: "S:JD"}):
        session.correct(change)
        told.append(session.to_record())
    session.observe("S:+KC")
    session.revert()
    for known in reversed(told[:-1]):
        session.revert()
        assert session.to_record() == known
    session.revert()
    assert session.to_record()["events"] == "N:TC S:9C S:+AD N:9D"


def test_a_correction_that_was_undone_is_not_taken_back_again():
    session = fresh()
    session.observe("N:TC S:9C S:+AD N:9D S:JD")
    session.correct({4: "N:KD"})
    session.undo(3)
    session.observe("S:+AD N:QD S:JD")
    session.revert()
    assert session.to_record()["events"] == "N:TC S:9C S:+AD N:QD"


def test_a_void_that_was_denied_is_named_and_can_be_overruled():
    session = Session.new(
        rules={"base": "sechsundsechzig"},
        hands={"S": "AS KS QS AH TD 9D"},
        upcard="TH",
        leader="S",
        model="counting",
    )
    session.observe("S:c S:AS N:9C")
    with pytest.raises(ContradictionError, match=r"entry 3.*N:TS~"):
        session.observe("S:KS N:TS")
    session.observe("S:KS N:TS~")
    assert session.tracker.view.public.tricks == (1, 1)
    assert session.report("belief")["n_layouts"] > 0


def test_no_follow_excludes_the_suit():
    session = Session.new(
        rules="schnapsen", hands={"S": "AS KS QS AH TD"}, upcard="TH", leader="S", model="counting"
    )
    session.observe("S:c S:AS N:JC")
    marginals = session.report("belief")["marginals"]
    for card in ("TS", "JS", "KH", "QH", "JH"):
        assert marginals[card]["N"] == 0
        assert marginals[card]["talon"] == 1


def test_exchange_and_marriage_pin_the_cards_until_they_are_played():
    session = fresh()
    session.observe("N:AC S:9C S:+AD N:x N:QC* S:JD")
    marginals = session.report("belief")["marginals"]
    assert marginals["JH"]["N"] == 1
    assert marginals["KC"]["N"] == 1
    assert "9H" not in marginals
    session.undo()
    session.observe("S:JD S:+9D N:KC")
    assert "KC" not in session.report("belief")["marginals"]
    again = Session.from_record(session.to_record(), model="counting")
    assert again.report("belief") == session.report("belief")


def test_advice_says_what_is_awaited_when_no_move_is_due():
    session = fresh()
    with pytest.raises(IllegalActionError, match="N's lead"):
        session.advice()
    session.observe("N:TC S:9C")
    with pytest.raises(IllegalActionError, match="your drawn card"):
        session.advice()


def test_unknown_things_are_named():
    with pytest.raises(ModelError, match="clairvoyant"):
        Session.new(hands=MINE, upcard="JH", model="clairvoyant")
    with pytest.raises(NotationError, match="skat"):
        Session.new(rules="skat", hands=MINE, upcard="JH")
    with pytest.raises(NotationError, match="world"):
        Session.new(hands=MINE, upcard="JH", leader="S").advice(worlds=0)
    with pytest.raises(NotationError, match="prophecy"):
        fresh().report("prophecy")
    with pytest.raises(NotationError, match="99"):
        Session.from_record(F1, at=99)


def test_p_hand_is_the_probability_of_a_whole_hand():
    session = fresh()
    assert session.p_hand("N", "AC TC KD QD JS 9H") == pytest.approx(1 / 12376)
    assert session.p_hand("N", "AS TC KD QD JS 9H") == 0
    assert session.p_hand("S", MINE["S"]) == 1
