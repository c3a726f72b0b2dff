"""Opponents who come back: the store keeps what their deals told, and each deal its prior."""

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inference import acquaintance, archive, opponents
from inference.belief import style_posterior
from inference.opponents import person, regime
from inference.opponents.regime import Values
from inference.session import Session
from inference.store import Deal, Store, correct, event, next_deal, result, undo
from tests.f1 import F1, RECORD, same

ANN = {"opponent": "Ann"}


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


def finished(shelf: Store, **more: Any) -> Deal:
    """Enter a whole deal at once and confirm its result."""
    deal = shelf.replay(shelf.begin(RECORD | more))
    deal = shelf.enter(deal.id, event(" ".join(F1)), deal)
    outcome = deal.session.tracker.view.public.outcome
    assert outcome is not None
    return shelf.enter(deal.id, result(outcome), deal)


def meta(shelf: Store, **more: Any) -> dict[str, Any]:
    """Return the meta of a deal that is begun now."""
    found: dict[str, Any] = shelf.replay(shelf.begin(RECORD | more)).session.to_record()["meta"]
    return found


def predicted(*deals: Deal) -> list[float]:
    styles = opponents.load().styles
    seen = [[deal.session.log_evidences()[style] for style in styles] for deal in deals]
    return regime.load(opponents.load()).predict(seen).tolist()


def test_the_next_deal_with_a_player_begins_from_his_earlier_ones(shelf: Store) -> None:
    assert meta(shelf, meta=ANN) == ANN  # nothing is known of her yet
    first = finished(shelf, meta=ANN)
    second = finished(shelf, meta=ANN)
    assert list(second.session.record.meta["styles"].values()) == pytest.approx(
        predicted(first), abs=1e-5
    )
    found = meta(shelf, meta={"opponent": " ann "})
    assert list(found["styles"].values()) == pytest.approx(predicted(first, second), abs=1e-5)
    assert style_posterior(second.session.tracker.belief) != pytest.approx(
        style_posterior(first.session.tracker.belief), abs=1e-3
    )


def test_other_players_and_unfinished_deals_say_nothing_of_her(shelf: Store) -> None:
    finished(shelf, meta={"opponent": "Ben"})
    shelf.enter(shelf.begin(RECORD | {"meta": ANN}), event(" ".join(F1)))
    assert meta(shelf, meta=ANN) == ANN


def test_a_replay_shows_the_same_belief_whatever_came_later(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    second = finished(shelf, meta=ANN)
    finished(shelf, meta=ANN)
    assert same(Store(shelf.path).replay(second.id).session, second.session)
    again = Session.from_record(archive.export_line(shelf, second.id)).belief()
    assert all(map(np.array_equal, again, second.session.belief()))


def test_a_corrected_deal_counts_only_as_it_is_confirmed_again(shelf: Store) -> None:
    first = finished(shelf, meta=ANN)
    before = meta(shelf, meta=ANN)
    shelf.enter(first.id, undo())
    assert meta(shelf, meta=ANN) == ANN
    last = len(F1)
    deal = shelf.enter(first.id, event(F1[last - 1]))
    outcome = deal.session.tracker.view.public.outcome
    assert outcome is not None
    shelf.enter(first.id, result(outcome), deal)
    assert meta(shelf, meta=ANN) == before
    deal = shelf.enter(first.id, correct({2: "N:TC", 12: "N:AC"}))
    deal = shelf.enter(first.id, result(outcome), deal)
    found = meta(shelf, meta=ANN)
    assert found != before
    assert list(found["styles"].values()) == pytest.approx(predicted(deal), abs=1e-5)


def test_lost_or_foreign_evidence_is_computed_anew(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    before = meta(shelf, meta=ANN)
    for change in (
        "DELETE FROM evidence",
        "UPDATE evidence SET model = 'older', log_evidence = 0",
        "DELETE FROM held",
        "UPDATE held SET revision = 0, hands = '[]'",
    ):
        with sqlite3.connect(shelf.path) as db:
            db.execute(change)
        assert meta(shelf, meta=ANN) == before
    with sqlite3.connect(shelf.path) as db:
        models = db.execute("SELECT DISTINCT model FROM evidence").fetchall()
    assert models == [(opponents.digest(),)]


def test_each_deal_with_a_player_teaches_weights_of_his_own(shelf: Store) -> None:
    first, second = (finished(shelf, meta=ANN) for _ in range(2))
    assert person.KEY not in first.session.record.meta
    known = second.session.record.meta[person.KEY]
    assert known["share"] == acquaintance.SHARE  # the weights have foretold nothing yet
    assert second.session.log_evidences().keys() - first.session.log_evidences() == {person.NAME}
    after = meta(shelf, meta=ANN)[person.KEY]
    assert after["weights"] != known["weights"]
    found = second.session.log_evidences()
    own, shares = found.pop(person.NAME), predicted(first)
    styles = np.logaddexp.reduce(np.log(shares) + list(found.values()))
    odds = acquaintance.SHARE / (1 - acquaintance.SHARE) * np.exp(regime.TRUST * (own - styles))
    assert after["share"] == pytest.approx(odds / (1 + odds), abs=1e-3)


def test_a_prior_that_a_record_brings_along_stays(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    own = dict.fromkeys(opponents.load().styles, 1 / len(opponents.load().styles))
    assert meta(shelf, meta=ANN | {"styles": own})["styles"] == own


def learnt(session: Session) -> Values:
    """Weigh the styles that a deal began with by what it told, as far as that counts."""
    told = regime.TRUST * np.array(list(session.log_evidences().values()))
    p = np.array(session.tracker.model.shares) * np.exp(told - told.max())
    return np.asarray(p / p.sum())


def test_without_a_name_the_next_deal_goes_on_from_this_one(shelf: Store) -> None:
    deal = finished(shelf)
    known = next_deal(deal)["meta"]["styles"]
    chain = regime.load(opponents.load())
    told = learnt(deal.session) @ chain.transitions
    assert list(known.values()) == pytest.approx(told.tolist(), abs=1e-5)
    second = finished(shelf, meta={"styles": known})
    after = learnt(second.session) @ chain.transitions
    assert list(next_deal(second)["meta"]["styles"].values()) == pytest.approx(
        after.tolist(), abs=1e-5
    )


def test_a_player_whose_name_was_struck_out_goes_on_by_his_styles(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    known = meta(shelf, meta=ANN)
    deal = finished(shelf, meta=known | {"opponent": ""})
    assert person.NAME in deal.session.log_evidences()
    assert next_deal(deal)["meta"]["styles"].keys() == set(opponents.load().styles)


def test_the_next_deal_with_a_named_player_is_left_to_the_store(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    assert next_deal(finished(shelf, meta=ANN))["meta"] == ANN


def test_names_are_listed_once_the_last_first(shelf: Store) -> None:
    for name in ("Ann", "Ben", "ANN", "", "Cleo"):
        shelf.begin(RECORD | {"meta": {"opponent": name}})
    assert archive.names(shelf) == ["Cleo", "ANN", "Ben"]
