"""Whatever is typed, a session answers with an event or an `InferenceError`, and loses nothing."""

import random

from fuzz import Deal, run

from inference.game.rules import PRESETS
from inference.session import Session

CASES, SEED = 10_000, 66


def test_nothing_but_inference_errors_comes_out_of_a_session() -> None:
    seen = run(CASES, SEED)
    assert seen.total() >= CASES
    for outcome in ("accepted", "NotationError", "IllegalActionError", "ContradictionError"):
        assert seen[outcome] > CASES / 100
    assert seen["record: accepted"] < seen["record: NotationError"]


def test_the_deals_are_of_all_kinds() -> None:
    deals = [Deal(random.Random(f"{SEED}, {number}")) for number in range(200)]
    assert {deal.record["rules"] for deal in deals} == set(PRESETS)
    assert {deal.record["seat"] for deal in deals} == {"S", "N"}
    midway = [deal for deal in deals if "start" in deal.record]
    assert 20 < len(midway) < 180
    actions = {str(event.action)[-1:] for deal in deals for event in deal.events}
    assert set("xc!*+") <= actions


def test_the_legal_deals_are_accepted_as_written() -> None:
    for number in range(40):
        deal = Deal(random.Random(f"{SEED}, {number}"))
        session = Session.from_record(deal.record, model="counting")
        session.observe(" ".join(map(str, deal.events)))
        assert list(session.events) == deal.events
        assert session.tracker.view.public.over
        whole = Session.from_record(deal.whole, seat=deal.record["seat"], model="counting")
        assert whole.tracker.view.public.outcome == session.tracker.view.public.outcome
