"""Opponents who come back: the store keeps what their deals told, and each deal its prior."""

import json
import re
import sqlite3
from itertools import permutations
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


def in_other_suits(text: str, number: int) -> str:
    suits = list(permutations("CDHS"))[number]
    return re.sub("(?<=[9JQKTA])[CDHS]", lambda found: suits["CDHS".index(found[0])], text)


def finished(shelf: Store, **more: Any) -> Deal:
    """Enter a whole deal at once and confirm its result; each next one has other suits."""
    number = archive.count(shelf)
    record = json.loads(in_other_suits(json.dumps(RECORD), number))
    deal = shelf.replay(shelf.begin(record | more))
    deal = shelf.enter(deal.id, event(in_other_suits(" ".join(F1), number)), deal)
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
        "UPDATE held SET hands = '[[1]]'",
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
    assert meta(shelf, meta={"opponent": "ANN", "styles": own}) == ANN | {"styles": own}


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
    assert archive.names(shelf) == ["Cleo", "Ann", "Ben"]


def test_another_spelling_is_written_as_the_name_is_known(shelf: Store) -> None:
    finished(shelf, meta={"opponent": "José"})
    for spelling in ("josé ", "Jose\N{COMBINING ACUTE ACCENT}"):
        assert meta(shelf, meta={"opponent": spelling})["opponent"] == "José"
    assert [one.name for one in archive.opponents(shelf)] == ["José"]
    assert meta(shelf, meta={"opponent": "  "}) == {"opponent": "  "}


@pytest.mark.parametrize("name", ["Ben", ""])
def test_a_running_deal_that_was_another_ones_knows_him_and_not_her(
    name: str, shelf: Store
) -> None:
    finished(shelf, meta=ANN)
    finished(shelf, meta={"opponent": "Ben"})
    deal = shelf.replay(shelf.begin(RECORD | {"meta": ANN | {"place": "club"}}))
    archive.edit(shelf, deal.id, opponent=name)
    held, again = shelf.replay(deal.id, deal), shelf.replay(deal.id)
    expected = meta(shelf, meta={"opponent": name}) if name else {}
    assert held.session.record.meta == again.session.record.meta == expected | {"place": "club"}
    assert same(held.session, again.session)
    assert (person.NAME in held.session.log_evidences()) == bool(name)
    archive.edit(shelf, deal.id, opponent="Ann")
    assert same(
        shelf.replay(deal.id).session,
        shelf.replay(shelf.begin(RECORD | {"meta": ANN | {"place": "club"}})).session,
    )


def test_a_finished_deal_that_was_another_ones_says_nothing_of_her_play(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    deal = finished(shelf, meta=ANN)
    assert person.NAME in deal.session.log_evidences()
    archive.move(shelf, [deal.id], "Ben")
    moved = shelf.replay(deal.id)
    assert moved.session.record.meta == {"opponent": "Ben"}
    found = meta(shelf, meta={"opponent": "Ben"})
    assert list(found["styles"].values()) == pytest.approx(predicted(moved), abs=1e-5)
    assert found[person.KEY]["share"] == acquaintance.SHARE
    archive.edit(shelf, deal.id, opponent="ben")  # only spelt otherwise
    assert meta(shelf, meta={"opponent": "Ben"})["styles"] == found["styles"]


def test_deals_of_others_and_the_same_deal_again_do_not_count(shelf: Store) -> None:
    first = finished(shelf, meta=ANN)
    before = meta(shelf, meta=ANN)
    finished(shelf, meta=ANN | {"own": False})
    assert meta(shelf, meta=ANN) == before
    whole = shelf.replay(first.id).session.to_record()
    again = shelf.replay(shelf.begin(whole | {"meta": ANN}))
    assert first.result is not None
    shelf.enter(again.id, result(first.result), again)
    assert meta(shelf, meta=ANN) == before


def test_a_deal_that_cannot_be_read_or_tells_nothing_is_passed_over(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    before = meta(shelf, meta=ANN)
    broken, empty = finished(shelf, meta=ANN), shelf.replay(shelf.begin(RECORD | {"meta": ANN}))
    with sqlite3.connect(shelf.path) as db:
        db.execute("UPDATE deal SET record = '{}' WHERE id = ?", (broken.id,))
    empty = shelf.enter(empty.id, event("S:z"), empty)
    outcome = empty.session.tracker.view.public.outcome
    assert outcome is not None
    shelf.enter(empty.id, result(outcome), empty)
    assert meta(shelf, meta=ANN) == before


def test_whatever_somebody_noted_under_the_same_keys_stays(shelf: Store) -> None:
    finished(shelf, meta=ANN)
    noted = ANN | {"player": "Ann of the club"}
    found = meta(shelf, meta=noted)
    assert found["player"] == noted["player"]
    assert "styles" in found
    assert meta(shelf, meta=ANN | {"styles": "wild"}) == ANN | {"styles": "wild"}
