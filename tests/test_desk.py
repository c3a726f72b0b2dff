"""Two windows on one deal: no tap is lost, and none changes its meaning without a word."""

from pathlib import Path

import pytest

from inference import archive
from inference.advice import advise
from inference.cards import Card
from inference.dashboard.desk import Desk
from inference.errors import InferenceError
from inference.store import Store

DEAL = {
    "rules": "sixty-six",
    "seat": "S",
    "leader": "N",
    "hands": {"S": "AS KH QH 9C JD TD"},
    "upcard": "JH",
}


def test_a_tap_of_a_window_that_lags_behind_is_kept_and_told(tmp_path: Path) -> None:
    store = Store(tmp_path / "deals.db")
    deal = store.begin(DEAL)
    ahead, behind = Desk(store), Desk(store)
    for desk in (ahead, behind):
        desk.replay(deal)
    ahead.tap(deal, Card.CT, "card-C-T")
    ahead.tap(deal, Card.C9, "card-C-9")
    assert ahead.problem is None
    behind.tap(deal, Card.SQ, "card-S-Q")  # painted when N's lead was due
    assert [str(event) for event in store.replay(deal).session.events][-1] == "S:+QS"
    assert behind.problem is not None
    assert "S:+QS" in behind.problem.sentence
    label, entry = behind.problem.instead[0]
    assert label == "Undo it"
    behind.enter(deal, entry)
    assert behind.problem is None
    assert [str(event) for event in store.replay(deal).session.events] == ["N:TC", "S:9C"]


def test_fast_taps_of_one_window_are_its_own(tmp_path: Path) -> None:
    store = Store(tmp_path / "deals.db")
    deal = store.begin(DEAL)
    desk = Desk(store)
    desk.replay(deal)
    for card in (Card.CT, Card.C9, Card.SQ):
        desk.tap(deal, card, f"card-{card}")
        assert desk.problem is None


def test_what_a_page_shows_is_kept_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "deals.db")
    desk = Desk(store)
    now = desk.replay(store.begin(DEAL | {"events": "N:TC"}))
    desk.keep(now)
    assert [one.advice for one in archive.kept(store, now.id)] == [None]
    view = now.session.tracker.view
    desk.thought = (now.id, now.revision), advise(view, now.session.belief(), worlds=4)
    desk.keep(now)
    (shown,) = archive.kept(store, now.id)
    assert shown.advice is not None
    desk.thought = None
    desk.keep(now)
    assert archive.kept(store, now.id) == [shown]


def test_a_page_goes_on_where_nothing_can_be_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "deals.db")
    desk = Desk(store)
    now = desk.replay(store.begin(DEAL))
    store.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(InferenceError):
        archive.keep(store, now)
    desk.keep(now)
    assert desk.copy is now
