"""The figures of the report are right on cases that are known, and the page tells them all."""

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inference import belief as bayes
from inference import opponents
from inference.game.events import Action
from inference.game.rules import PRESETS
from inference.opponents import person
from inference.study.calibration import by_mass, ece, murphy
from inference.workshop import findings as f
from inference.workshop import pool_reading, value
from inference.workshop.findings import PURPOSEFUL
from inference.workshop.marks import marks
from inference.workshop.page import Report, page, write
from inference.workshop.pool import FAMILIES
from inference.workshop.pool_reading import Read
from inference.workshop.reading import BY_STYLES, EVENTS, Reading
from inference.workshop.statistics import bootstrap, by_group, holm
from inference.workshop.value import Value, Won


def reading(
    counting: float, fresh: float, carried: float, n: int = 2, chance: float = 0.0
) -> Reading:
    """Make up a deal of `n` decisions, each with four cards of which two are held.

    Weights of his own add a quarter of a bit; blind chance explains what is carried by `chance`.
    """
    p = np.tile([0.5, 0.8, 0.9], (4 * n, 1))
    p[1::2] = 1 - p[1::2]
    return Reading(
        np.tile([counting, fresh, carried, carried - 0.25], (n, 1)),
        np.arange(1, n + 1, dtype=np.int8),
        np.array([8, 6, 4, 2][:n], dtype=np.int8),
        np.full(n, 4, dtype=np.int8),
        p,
        np.tile([True, False], 2 * n),
        p > 0.5,
        np.zeros(n, dtype=np.int8),
        np.full(n, fresh - counting),
        np.array([[0.0, chance]]),
    )


def made_up() -> list[Read]:
    """Make up a session of ten deals for each family."""
    return [
        Read(
            family,
            soft=family != "greedy",
            cards=24 - 4 * (i % 2),
            session=i,
            number=k,
            reading=reading(-8, -7.5, -7),
            true_bits=-6.0 if k == 9 else np.nan,
        )
        for i, family in enumerate(FAMILIES)
        for k in range(10)
    ]


# -- statistics ------------------------------------------------------------------------------------


def test_holm_is_his_own_example() -> None:
    """Sorted p times n, n - 1, ..., made to rise, and never over 1."""
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.5, 0.001, 0.9]) == pytest.approx([1.0, 0.003, 1.0])
    assert holm([]) == []


def test_what_is_drawn_together_widens_the_interval() -> None:
    rng = np.random.default_rng(1)
    player = rng.normal(size=40).repeat(10)
    values = player + 0.1 * rng.normal(size=400)
    low, high = bootstrap(values, np.ones(400), np.random.default_rng(2))
    groups = by_group(values, np.arange(40).repeat(10).tolist())
    wide = bootstrap(*groups, np.random.default_rng(2))
    assert low < values.mean() < high
    assert wide[1] - wide[0] == pytest.approx((high - low) * np.sqrt(10), rel=0.25)
    assert groups[0].sum() / groups[1].sum() == pytest.approx(values.mean())


def test_the_brier_score_falls_into_its_parts() -> None:
    """Two kinds of cards: 0.2, kept; 0.8, of which 0.6 came true (worked out by hand)."""
    p = np.array([0.2] * 700 + [0.8] * 800)
    held = np.concatenate([np.arange(700) % 10 < 2, np.arange(800) % 10 < 6])
    found = murphy(p, held)
    rate = (140 + 480) / 1500
    assert found.uncertainty == pytest.approx(rate * (1 - rate))
    assert found.reliability == pytest.approx(8 / 15 * 0.2**2)
    resolution = (7 * (0.2 - rate) ** 2 + 8 * (0.6 - rate) ** 2) / 15
    assert found.resolution == pytest.approx(resolution)
    parts = found.reliability - found.resolution + found.uncertainty
    assert found.brier == pytest.approx(parts)
    assert ece(p, held) == pytest.approx(8 / 15 * 0.2)


def test_a_perfect_forecaster_has_the_error_that_chance_makes() -> None:
    """|binomial error| of a bin of 400 cards at one half: 0.5 sqrt(2 / pi / 400) = 0.0199."""
    p = np.full(6000, 0.5)
    rng = np.random.default_rng(1)
    errors = [ece(p, rng.random(len(p)) < p) for _ in range(20)]
    assert np.mean(errors) == pytest.approx(0.0199, rel=0.1)
    assert [n for n, _, _ in by_mass(p, p > 0)] == [400] * 15


# -- findings --------------------------------------------------------------------------------------


def test_gains_and_shares_are_those_put_in() -> None:
    reads = made_up()
    whole = f.gain(reads)
    assert whole is not None
    assert whole.n_deals == 10 * len(FAMILIES)
    assert whole.gain == pytest.approx(0.5)
    assert whole.interval == pytest.approx((0.5, 0.5))
    carried = f.by_family(reads, f.CARRIED)
    assert {one.gain for one in carried.values() if one is not None} == {1.0}
    own = f.by_family(reads, f.CARRIED, over=BY_STYLES)
    assert {one.gain for one in own.values() if one is not None} == {0.25}
    found = f.share(reads)
    assert found is not None
    assert found.n_deals == len(FAMILIES)
    assert (found.true, found.fresh, found.carried) == pytest.approx((2.0, 0.25, 0.5))
    assert f.share([one for one in reads if one.number < 9]) is None


def test_events_tricks_and_cards_are_told_apart() -> None:
    reads = made_up()
    (only,) = f.by_event(reads)
    assert (only.label, only.n, only.bits, only.a_deal) == (EVENTS[0], 2 * len(reads), 0.5, 1.0)
    found = f.by_decision(reads, "talon")
    assert [(k, n, bits.tolist()) for k, n, bits in found] == [
        (6, len(reads), [-8, -7.5, -7]),
        (8, len(reads), [-8, -7.5, -7]),
    ]
    n, scores = f.briers(reads, (8,))
    assert n == 4 * len(reads)
    assert scores == pytest.approx([0.25, 0.04, 0.01])
    assert [trick for trick, *_ in f.slopes(reads)] == [1, 2]


def test_deals_that_the_page_would_have_warned_of_are_counted() -> None:
    reads = made_up()
    for k, times in enumerate((99.0, 101.0, 5e4)):
        assert reads[k].family == "random"
        reads[k] = reads[k]._replace(reading=reading(-8, -7, -6, chance=np.log(times)))
    assert f.warned(reads) == (0, 2)
    told = page(Report(reads, [], "", "styles"))
    assert "| random | 10 | 0 | 2 |" in told
    assert f"| **all but random** | {10 * len(PURPOSEFUL)} | 0 | 0 |" in told


# -- value -----------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value, "N_WORLDS", 1)
    monkeypatch.setattr(value, "IN_TURN", 2)
    monkeypatch.setattr(value, "FAMILIES", ("random", "greedy"))


@pytest.mark.usefixtures("quick")
def test_an_advisor_is_worth_nothing_over_itself() -> None:
    for k in (0, 2):
        won = value.session((PRESETS["schnapsen"],), "counting", 3, ("greedy", k))
        assert won.with_ == won.without
        assert abs(won.with_) <= 3


@pytest.mark.usefixtures("quick")
def test_some_rounds_are_also_played_with_his_hand_laid_open() -> None:
    rules = (PRESETS["schnapsen"],)
    asked, not_asked = (value.session(rules, "counting", 3, ("greedy", k)) for k in (0, 1))
    assert abs(asked.laid_open) <= 3
    assert np.isnan(not_asked.laid_open)
    assert all(value.OPEN_EVERY % n for n in range(2, len(PRESETS) + 1))


@pytest.mark.usefixtures("quick")
def test_who_sees_his_hand_believes_it_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    believed: list[bool] = []
    choose = value.Mind.choose

    def noted(mind: value.Mind) -> Action:
        if isinstance(mind, value.Seer):
            belief, he = mind.tracker.belief, mind.tracker.view.opponent
            believed.append(bayes.p_hand(belief, mind.truth.hands[he]) > 0.9999)
            assert mind.truth.public == mind.tracker.view.public
        return choose(mind)

    monkeypatch.setattr(value.Mind, "choose", noted)
    for k in (0, 7):
        value.session(tuple(PRESETS.values()), "counting", 3, ("greedy", k))
    assert len(believed) > 40
    assert all(believed)


@pytest.mark.usefixtures("quick")
def test_pairs_are_played_against_each_family_in_whole_sessions() -> None:
    found = value.in_play((PRESETS["schnapsen"],), 3, "styles", 3)
    assert [(one.family, one.n_pairs) for one in found] == [("random", 4), ("greedy", 4)]
    pieces = [("random", 0), ("random", 1)]
    won = np.array([value.session((PRESETS["schnapsen"],), "styles", 3, one) for one in pieces])
    assert found[0].without == pytest.approx(won[:, 1].mean())
    assert found[0].value == pytest.approx((won[:, 0] - won[:, 1]).mean())
    assert found[0].n_open == value.IN_TURN
    assert found[0].laid_open == pytest.approx(won[0, 2] - won[0, 1])


@pytest.mark.usefixtures("quick")
def test_what_was_learnt_of_a_player_is_kept_for_the_next_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[tuple[float, ...]] = []
    named: list[str] = []
    styles = opponents.load("styles")

    class Noted(value.Mind):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            if self.tracker.model.styles:
                begun.append(self.tracker.model.shares)
                named.append(self.tracker.model.styles[-1])

    monkeypatch.setattr(value, "Mind", Noted)
    value.session((PRESETS["schnapsen"],), "styles", 3, ("random", 1))
    assert len(begun) == 4
    assert begun[0] == pytest.approx(styles.shares)
    assert styles.chance is not None
    assert begun[3][styles.chance] > 0.6 > begun[0][styles.chance]
    assert [name == person.NAME for name in named] == [False, True, True, True]


def test_a_gain_against_one_family_shows_in_spite_of_the_others() -> None:
    rng = np.random.default_rng(1)
    pairs = {}
    for family in FAMILIES:
        for k in range(100):
            without, luck = rng.normal(size=2)
            pairs[family, k] = Won(without + luck + (family == "soft"), without, np.nan)
    found = {one.family: one for one in value.summary(pairs)}
    assert found["soft"].value == pytest.approx(1, abs=0.3)
    assert found["soft"].p_value < 0.001
    assert found["soft"].stderr == pytest.approx(0.1, rel=0.3)
    assert found["soft"].n_pairs == 100 * value.IN_TURN
    assert min(one.p_value for name, one in found.items() if name != "soft") > 0.05
    assert found["soft"].n_open == 0


# -- the page --------------------------------------------------------------------------------------


def worth(family: str, gain: float) -> Value:
    return Value(family, 10, 0.5, gain, 0.01, 0.001, n_open=4, laid_open=0.3, open_stderr=0.04)


def test_the_page_tells_all_and_its_diagrams_lie_beside_it(tmp_path: Path) -> None:
    values = [worth(family, 0.1) for family in FAMILIES]
    report = Report(made_up(), values, "sixtysix evaluate --inference", "styles")
    write(report, tmp_path / "inference.md")
    told = (tmp_path / "inference.md").read_text()
    assert all(f"| {family}" in told for family in FAMILIES)
    assert "+0.500 (+0.50 to +0.50)" in told
    assert "brings +0.300 (standard error 0.010) over 64 pairs" in told
    assert f"| greedy | {' | '.join(['+0.250 (+0.25 to +0.25)'] * 4)} |" in told
    drawings = sorted(tmp_path.glob("*.svg"))
    assert [one.name for one in drawings] == ["inference-bits.svg", "inference-reliability.svg"]
    for one in drawings:
        assert f"]({one.name})" in told
        assert len(list(ET.parse(one).getroot())) > 10
    assert ".svg" not in page(report)


def test_marks_are_missed_where_figures_are_bad() -> None:
    good = Report(made_up(), [worth(name, 0.1) for name in FAMILIES], "", "styles")
    met = {mark.what: mark.met for mark in marks(good)}
    assert met["bits > 0 against every family but random"]
    assert met["nowhere significantly below 0 (Holm)"]
    shares = {what.split(", ", 1)[1]: kept for what, kept in met.items() if "policy" in what}
    assert shares == {  # half of the bits are found
        "soft, fitted players": False,
        "soft, held out players": False,
        "sure players": True,
    }
    worst = [
        one._replace(reading=reading(-7, -8, -8)) if one.family in ("random", "soft") else one
        for one in made_up()
    ]
    values = [one._replace(value=-0.1) for one in good.values]
    missed = {
        mark.what for mark in marks(good._replace(reads=worst, values=values)) if not mark.met
    }
    assert "bits > 0 against every family but random" in missed
    assert "bits >= -0.05 against random players" in missed
    assert "nowhere significantly below 0 (Holm)" in missed
    assert "soft" in PURPOSEFUL


def test_sessions_become_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_reading, "FAMILIES", ("random", "greedy"))
    monkeypatch.setattr(pool_reading, "N_DEALS", 1)
    reads = list(pool_reading.read_pool((PRESETS["schnapsen"],), 1, "uniform", 1))
    assert sorted(one.family for one in reads) == ["greedy", "greedy", "random", "random"]
    assert "| greedy | 2 |" in page(Report(reads, [], "", "uniform"))
