"""The pages about past deals without a browser: what they show, and what their buttons do."""

import json
import sqlite3
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from inference import archive, dashboard
from inference.advice import advise
from inference.archive import Search
from inference.dashboard import past
from inference.dashboard.board import named
from inference.dashboard.deals import label
from inference.game.compact import format_compact
from inference.game.record import parse_record
from inference.paths import data_file
from inference.store import Store
from inference.study.judge import Effort
from tests.f1 import F1, written
from tests.pages import press, run, said

ROOM = Path(dashboard.__file__).parent
SKETCHY = Effort("sketchy", 4, 60)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("SIXTYSIX_DB", str(tmp_path / "deals.db"))
    monkeypatch.delenv("SIXTYSIX_TOKEN", raising=False)
    monkeypatch.setattr("inference.dashboard.past.QUICK", SKETCHY)
    monkeypatch.setattr("inference.dashboard.studies.QUICK", SKETCHY)
    monkeypatch.setattr("inference.dashboard.past.N_WORLDS", 4)
    monkeypatch.setattr("inference.paths.studies_file", lambda engine: tmp_path / f"{engine}.jsonl")
    return Store(tmp_path / "deals.db")


def opened(name: str, **params: str) -> AppTest:
    page = AppTest.from_file(str(ROOM / f"{name}.py"), default_timeout=120)
    for key, text in params.items():
        page.query_params[key] = text
    return run(page)


def at(page: AppTest) -> int:
    return int(page.slider(key="step").value)


# -- review ----------------------------------------------------------------------------------------


def test_a_deal_is_stepped_through_and_judged(shelf: Store) -> None:
    page = opened("review", g=written(shelf, *F1, meta={"opponent": "Ann"}).id, at="4")
    assert at(page) == 4
    assert "4/28" in said(page)
    assert "decisions right" in " ".join(str(one.value) for one in page.markdown)
    press(page, "go-Right", "go-Right", "go-Left")
    assert at(page) == 5
    press(page, "go-End")
    assert at(page) == 28
    assert page.button(key="go-Right").disabled
    assert "you win 1 game point" in said(page)
    assert "Luck of the cards" in said(page)
    press(page, "go-Home")
    assert at(page) == 0


def test_counting_belief_and_hindsight_are_told_apart(shelf: Store) -> None:
    page = opened("review", g=written(shelf, *F1).id, at="6")
    told = []
    for measure in ("then", "counted", "hindsight"):
        page.segmented_control(key="measure").set_value(measure)
        run(page)
        told.append(said(page))
    assert len(set(told)) == 3


def test_the_cards_that_he_really_held_are_marked_once_they_are_known(shelf: Store) -> None:
    page = opened("review", g=written(shelf, *F1).id, at="24")
    assert "held" in "\n".join(str(one.value) for one in page.get("html"))


def test_what_if_is_a_copy_and_notes_are_kept(shelf: Store) -> None:
    deal = written(shelf, *F1, meta={"opponent": "Ann"}).id
    page = opened("review", g=deal, at="4")
    page.text_input(key=f"remark-tags-{deal}").set_value("close, endgame")
    page.text_area(key=f"remark-note-{deal}").set_value("Too bold?")
    page.date_input(key=f"remark-date-{deal}").set_value(date(2025, 12, 24))
    press(page, "keep-remarks")
    row = archive.look_up(shelf, deal)
    assert (row.tags, row.note, row.opponent) == (("close", "endgame"), "Too bold?", "Ann")
    assert row.played == "2025-12-24"
    press(page, "delete")
    assert archive.look_up(shelf, deal).deleted
    press(page, "undelete")
    assert not archive.look_up(shelf, deal).deleted


def test_no_deal_and_an_unknown_deal_are_said(shelf: Store) -> None:
    page = opened("review", g="nothing")
    assert "no such deal" in page.error[0].value


def test_the_name_takes_the_place_of_the_seat() -> None:
    told = "N plays KH: N's trick, 8 points; N wins 1 game point (out)"
    assert named(told, "N", "Ann") == told.replace("N", "Ann")
    assert named("you play KH", "N", "Ann") == "you play KH"


# -- the list of deals -----------------------------------------------------------------------------


def test_deals_are_listed_searched_and_brought_in(shelf: Store) -> None:
    page = opened("deals")
    assert "No deals yet" in page.info[0].value
    press(page, "sample")
    assert archive.count(shelf, Search(own=False)) >= 40
    listed = [one.label for one in page.button if (one.key or "").startswith("deal-")]
    assert listed[0] == label(archive.search(shelf, n=1)[0])
    assert len(listed) == 20
    press(page, "deals-older")
    page.text_input(key="find-text").set_value("nobody of this name")
    run(page)
    assert not [one for one in page.button if (one.key or "").startswith("deal-")]


def test_bad_lines_of_an_import_are_named_and_good_ones_kept(shelf: Store) -> None:
    page = opened("deals")
    good = json.dumps(written(shelf, *F1).session.to_record() | {"meta": {"opponent": "Ann"}})
    page.file_uploader(key="import").upload(
        "deals.jsonl", f"{good}\nrubbish\n".encode(), "text/plain"
    )
    run(page)
    assert "1 bad" in page.success[0].value
    assert "Line 2" in page.error[0].value


def test_deals_are_pasted_in_the_short_form(shelf: Store) -> None:
    page = opened("deals")
    lines = data_file("session.jsonl").read_text(encoding="utf-8").splitlines()[:2]
    short = [format_compact(parse_record(line)) for line in lines]
    page.text_area(key="pasted-deals").set_value("\n".join([*short, "rubbish"]))
    press(page, "paste-deals")
    assert archive.count(shelf) == 2
    assert "2 new, 0 known already, 1 bad" in page.success[0].value
    assert "Line 3" in page.error[0].value


# -- players ---------------------------------------------------------------------------------------


def test_a_player_is_studied_on_request(shelf: Store) -> None:
    for _ in range(2):
        written(shelf, *F1, meta={"opponent": "Ann"})
    page = opened("players")
    press(page, "study")
    assert "Habits" in said(page)
    assert "fewer than 20" in said(page)
    page.selectbox(key="player").set_value("Myself")
    run(page)
    assert "mistakes cost" in " ".join(str(one.value) for one in page.markdown)
    today = archive.search(shelf)[0].played
    assert f"sessiondealspointslost a dealbest{today}1" in said(page)


def test_a_player_whose_hands_became_known_is_told_whole(shelf: Store) -> None:
    lines = data_file("session.jsonl").read_text(encoding="utf-8").splitlines()[:4]
    archive.import_lines(shelf, lines)
    page = press(opened("players"), "study")
    assert "bits a decision beyond counting cards" in said(page)
    assert "Chances of single cards were off by 0." in said(page)
    page.selectbox(key="player").set_value("Myself")
    assert "mistakes cost" not in said(run(page))  # a sample is nobody's own record


def test_judging_goes_on_after_a_run_that_was_cut_off(shelf: Store) -> None:
    deal = past.load(shelf, written(shelf, *F1).id, None)
    for _ in deal.work():
        break
    assert not deal.done
    for _ in deal.work():
        pass
    assert deal.done
    assert deal.parts is not None
    assert len(deal.line) == len(F1) + 1


def test_what_was_shown_at_the_table_stays_as_it_was(shelf: Store) -> None:
    deal = written(shelf, *F1[:4])
    before = past.load(shelf, deal.id, None)
    assert before.then(before.replay.step(4)) == before.replay.step(4).then
    view = deal.session.tracker.view
    archive.keep(shelf, deal, advise(view, deal.session.belief(), worlds=4))
    kept = past.load(shelf, deal.id, None)
    with sqlite3.connect(shelf.path) as db:
        db.execute("UPDATE belief SET entropy_bits = 1.5, engine = 'an older one'")
    older = past.load(shelf, deal.id, None)
    assert kept.then(kept.replay.step(4)).p == pytest.approx(kept.replay.step(4).then.p, abs=1e-6)
    assert older.then(older.replay.step(4)).entropy_bits == 1.5
    told = str(opened("review", g=deal.id, at="4").caption[0].value)
    assert "an older one" in told
    assert "suggested then: " in told
