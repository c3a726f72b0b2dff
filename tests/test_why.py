"""Why a card became likelier, and the alarm when a player fits no style."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from inference import belief as bayes
from inference import opponents, reports
from inference.cards import Card, Seat, cards
from inference.cli.tables import belief_text
from inference.dashboard import panels
from inference.game.record import eyes
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from inference.session import Session
from inference.why import N_CARDS, _parts, moved, why
from inference.workshop.simulate import by_models, play_out, simulate

STYLES: Any = opponents.load("styles")
LEAD = {"hands": {"S": "AS KH QH 9C JD TD"}, "upcard": "JH", "leader": "N"}


def odds(belief: bayes.Belief, card: Card) -> float:
    p = float(bayes.marginals(belief)[card])
    return p / (1 - p) if p < 1 - 1e-12 else math.inf


@pytest.mark.parametrize("model", ["styles", "logit", "uniform"])
@pytest.mark.parametrize("rules", ["schnapsen", "sechsundsechzig"])
def test_the_parts_of_a_choice_multiply_to_what_it_did(rules: str, model: str) -> None:
    record = next(simulate(PRESETS[rules], 1, 11))
    session, n = Session.from_record(record, "S", model, at=0), 0
    for one in eyes(record, Seat.S).events:
        session.observe(one)
        for choice in session.tracker.choices[n:]:
            n += 1
            parts = [factor for _, factor in _parts(session.tracker, choice)]
            likelihood = session.tracker.model.likelihood(
                choice.public, Seat.N, choice.before.hands, choice.column
            )
            after = bayes.condition(choice.before, likelihood)
            for card in cards(session.tracker.view.unseen):
                before, now = odds(choice.before, card), odds(after, card)
                if 0 < before < math.inf and 1e-9 < now < math.inf:
                    assert math.prod(float(part[card]) for part in parts) == pytest.approx(
                        now / before, rel=1e-6
                    )
    assert n > 3


def test_what_is_left_undone_is_parted_from_the_card() -> None:
    session = Session.new(**LEAD)
    session.observe("N:TC S:9C S:+AC N:KD")
    did = [r.did for choice in session.tracker.choices for r, _ in _parts(session.tracker, choice)]
    assert did == [
        *("did not announce a marriage", "led TC", "did not exchange 9H"),
        *("did not announce a marriage", "led KD", "did not announce it"),
    ]
    found = session.report("belief")["why"]
    assert len(found) == N_CARDS
    queen = next(r for r in found["QD"] if r["did"] == "did not announce it")
    assert (queen["event"], queen["number"], queen["trick"]) == ("N:KD", 4, 2)
    assert queen["factor"] < 0.5
    nine = next(r for r in found["9H"] if r["did"] == "did not exchange 9H")
    assert nine["factor"] < 0.75
    assert "did not exchange 9H" in belief_text(session)
    assert "did not exchange" in panels.why(session.tracker, "Ann")


def test_the_cards_told_are_those_that_moved_most_from_counting() -> None:
    session = Session.new(**LEAD)
    session.observe("N:TC S:9C S:+AC N:KD")
    counted = Session.from_record(session.to_record(), model="counting").report("belief")
    report = session.report("belief")
    change = {c: report["marginals"][c]["N"] - p["N"] for c, p in counted["marginals"].items()}
    order = sorted(change, key=lambda card: -abs(change[card]))
    assert [str(card) for card, _ in moved(session.tracker)][:N_CARDS] == order[:N_CARDS]


def test_there_is_nothing_to_tell_before_he_did_anything_and_by_counting() -> None:
    assert why(Session.new(**LEAD).tracker) == {}
    session = Session.new(**LEAD, model="counting")
    session.observe("N:TC S:9C S:+AC")
    assert session.report("belief")["why"] == {}


def test_a_play_against_the_rules_begins_the_reasons_anew() -> None:
    session = Session.new(**LEAD)
    session.observe("N:TC S:9C S:+AC N:KD S:JD S:+9D N:9H~")
    assert why(session.tracker) == {}


# -- the alarm -------------------------------------------------------------------------------------


def alarms(member: Any, n_deals: int) -> int:
    """Count the deals of a player in which the alarm stood at the end."""
    rng, rules, n = np.random.default_rng(5), PRESETS["schnapsen"], 0
    for deal in range(n_deals):
        choice = partial(by_models, [STYLES.members[0], member])
        record = play_out(rules, SEATS[deal % 2], choice, rng, {})
        n += reports.alarm(Session.from_record(record, "S").tracker) is not None
    return n


class Contrary:
    """Do what all styles together think least likely."""

    def policy(self, public: Any, seat: Any, hands: Any) -> Any:
        p = STYLES.policy(public, seat, hands)
        least = np.where(p > 0, p, np.inf).argmin(axis=1)
        return np.eye(p.shape[1])[least]


def test_known_styles_raise_no_alarm_and_a_player_against_all_of_them_does() -> None:
    assert sum(alarms(member, 8) for member in STYLES.members[:5]) <= 1
    assert alarms(Contrary(), 16) >= 3


def test_the_alarm_is_a_sentence_in_every_door() -> None:
    session = Session.new(**LEAD)
    assert session.report("belief")["alarm"] is None
    assert panels.alarm(session.tracker, "Ann") == ""
    sure = dict.fromkeys(STYLES.styles, 1e-06) | {"careful": 0.9}
    session = Session.new(**LEAD, meta={"styles": sure})
    session.observe("N:AC S:9C S:+KC N:AD S:JD S:+QC N:AH S:QH S:+9H N:TH S:KH S:+KD")
    told = session.report("belief")["alarm"]
    assert told.startswith("N's play fits no known style: blind chance explains it ")
    assert told in belief_text(session)
    assert "Ann&#x27;s play fits" in panels.alarm(session.tracker, "Ann")
    for model in ("logit", "counting"):
        other = Session.from_record(session.to_record(), model=model)
        assert other.report("belief")["alarm"] is None
