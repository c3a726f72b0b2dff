"""The chain of styles over deals: against hmmlearn, against all paths, and on planted chains."""

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inference import opponents
from inference.errors import ModelError, NotationError
from inference.game.rules import PRESETS
from inference.opponents import by_manner, regime
from inference.opponents.regime import TRUST, Chain, Values
from inference.paths import model_file
from inference.reports import likeliest_style
from inference.session import Session
from inference.workshop.sessions import planted
from inference.workshop.simulate import simulate

SHIPPED: dict[str, Any] = json.loads(model_file("chain.json").read_text())
STYLES = opponents.load("styles")
HAND = {"hands": {"S": "AS KH QH JD TD"}, "upcard": "JH", "rules": "schnapsen", "leader": "N"}


def random_chain(rng: np.random.Generator, n_styles: int = 3) -> Chain:
    names = tuple("abcdef"[:n_styles])
    rows = rng.dirichlet(np.ones(n_styles), n_styles)
    return Chain(names, rng.dirichlet(np.ones(n_styles)), rows)


def joint(chain: Chain, path: tuple[int, ...], table: Values) -> float:
    p = math.log(chain.start[path[0]]) + TRUST * table[0, path[0]]
    for deal in range(1, len(path)):
        p += math.log(chain.transitions[path[deal - 1], path[deal]])
        p += TRUST * table[deal, path[deal]]
    return float(p)


def all_paths(chain: Chain, table: Values) -> dict[tuple[int, ...], float]:
    paths = itertools.product(range(len(chain.styles)), repeat=len(table))
    return {path: joint(chain, path, table) for path in paths}


# -- the chain -------------------------------------------------------------------------------------


def test_filter_prediction_path_and_score_are_those_of_all_paths(rng: np.random.Generator) -> None:
    for n_deals in (1, 2, 5):
        chain, table = random_chain(rng), rng.normal(-30, 2, (n_deals, 3))
        paths = all_paths(chain, table)
        whole = np.logaddexp.reduce(list(paths.values()))
        assert chain.score([table]) == pytest.approx(whole)
        last = [
            sum(math.exp(p - whole) for path, p in paths.items() if path[-1] == z) for z in range(3)
        ]
        assert chain.filter(table)[-1] == pytest.approx(last)
        assert chain.predict(table) == pytest.approx(last @ chain.transitions)
        best = max(paths, key=paths.__getitem__)
        assert chain.decode(table) == tuple(chain.styles[z] for z in best)


def test_before_the_first_deal_the_start_is_all_that_is_known(rng: np.random.Generator) -> None:
    chain = random_chain(rng)
    assert chain.predict([]) == pytest.approx(chain.start)
    assert chain.decode([]) == ()
    assert chain.filter([]).shape == (0, 3)


def test_a_refuted_style_breaks_nothing(rng: np.random.Generator) -> None:
    chain = random_chain(rng)
    table = np.array([[-30.0, -np.inf, -31.0], [-np.inf, -29.0, -30.0]])
    assert chain.filter(table)[:, :2].diagonal(1).tolist() == [0.0]
    assert np.isfinite(chain.predict(table)).all()
    assert len(chain.decode(table)) == 2


def sampled(chain: Chain, n_sessions: int, n_deals: int, rng: np.random.Generator) -> list[Values]:
    """Draw sessions in which the true style's evidence stands out."""
    found = []
    for _ in range(n_sessions):
        z, rows = int(rng.choice(3, p=chain.start)), []
        for _ in range(n_deals):
            row = rng.normal(-40, 1.5, 3)
            row[z] += 4
            rows.append(row)
            z = int(rng.choice(3, p=chain.transitions[z]))
        found.append(np.array(rows))
    return found


def test_a_planted_chain_is_learnt_and_no_style_takes_another_s_place(
    rng: np.random.Generator,
) -> None:
    true = Chain(
        ("a", "b", "c"),
        np.array([0.6, 0.3, 0.1]),
        np.array([[0.9, 0.1, 0.0], [0.0, 0.8, 0.2], [0.3, 0.0, 0.7]]),
    )
    learnt = regime.fit(true.styles, [1 / 3, 1 / 3, 1 / 3], sampled(true, 60, 15, rng), 1, 3)
    assert learnt.transitions == pytest.approx(true.transitions, abs=0.12)
    assert learnt.start == pytest.approx(true.start, abs=0.2)
    fresh = sampled(true, 30, 15, rng)
    apart = true._replace(transitions=np.tile(true.start, (3, 1)))
    assert learnt.score(fresh) > apart.score(fresh)
    assert learnt.score(fresh) > true.score(fresh) - 0.01 * 450


# -- files -----------------------------------------------------------------------------------------


def test_the_shipped_chain_fits_the_shipped_styles_and_was_learnt_from_them() -> None:
    chain = regime.load(STYLES)
    assert chain.styles == STYLES.styles
    assert chain.start.tolist() == list(STYLES.shares)
    assert chain.transitions.sum(axis=1) == pytest.approx(1.0)
    assert SHIPPED["corpus"]["styles"] == opponents.digest("styles")
    scores = SHIPPED["scores"]
    assert scores["log-probability of a deal"] > scores["of deals that tell nothing of each other"]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("version", 2, "of version 1"),
        ("model", "styles", "of version 1"),
        ("colour", "red", "exactly these entries"),
        ("transitions", {"bold": {}}, "a row for each style"),
        ("transitions", {key: {} for key in STYLES.styles}, "one entry a style"),
        ("transitions", {z: dict.fromkeys(STYLES.styles, 0) for z in STYLES.styles}, "over 0"),
        ("transitions", {z: dict.fromkeys(STYLES.styles, "x") for z in STYLES.styles}, "number"),
    ],
)
def test_an_unfit_chain_is_refused(key: str, value: object, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        regime.build({**SHIPPED, key: value}, STYLES)


def test_a_chain_that_is_no_file_of_parameters_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chain.json").write_text("{")
    for name in ("chain.json", "none.json"):
        with pytest.raises(ModelError, match="no file of a style chain"):
            regime.load(STYLES, tmp_path / name)


# -- a deal of the chain ---------------------------------------------------------------------------


def prior(bold: float) -> dict[str, float]:
    rest = (1 - bold) / (len(STYLES.styles) - 1)
    return {style: bold if style == "bold" else rest for style in STYLES.styles}


def test_a_deal_begins_with_what_its_record_says_of_the_player() -> None:
    session = Session.new(**HAND, meta={"styles": prior(0.5)})
    told = by_manner(STYLES.styles, prior(0.5).values())
    assert session.report("belief")["styles"]["N"] == pytest.approx(told)
    assert session.to_record()["meta"]["styles"] == prior(0.5)
    other = Session.new(**HAND, meta={"styles": {"other": 0.5, "model": 0.5}})
    shares = by_manner(STYLES.styles, STYLES.shares)
    assert other.report("belief")["styles"]["N"] == pytest.approx(shares)


def test_the_style_of_a_known_player_is_named_from_the_first_card_on() -> None:
    known = Session.new(**HAND, meta={"styles": prior(0.5)})
    p = by_manner(STYLES.styles, prior(0.5).values())["bold"]
    assert likeliest_style(known.tracker) == ("bold", pytest.approx(p))
    assert likeliest_style(Session.new(**HAND).tracker) is None


def test_the_evidence_of_a_style_does_not_depend_on_the_prior() -> None:
    record = next(simulate(PRESETS["schnapsen"], 1, 4)).to_json()
    plain = Session.from_record(record, "S")
    told = Session.from_record({**record, "meta": {"styles": prior(0.9)}}, "S")
    assert told.log_evidences() == pytest.approx(plain.log_evidences())
    found, before = told.report("belief"), np.log(list(prior(0.9).values()))
    by_styles = np.logaddexp.reduce(before + np.array(list(plain.log_evidences().values())))
    assert found["log_evidence"] == pytest.approx(by_styles)
    assert found["styles"]["N"]["bold"] > plain.report("belief")["styles"]["N"]["bold"]


def test_what_is_said_of_n_is_not_taken_for_s() -> None:
    record = next(simulate(PRESETS["schnapsen"], 1, 4)).to_json() | {"meta": {"styles": prior(0.9)}}
    session = Session.from_record(record, "N")
    plain = Session.from_record(record | {"meta": {}}, "N")
    assert session.report("belief") == plain.report("belief")


@pytest.mark.parametrize("styles", [{"bold": "much"}, {"bold": 0.0}, {"bold": True}])
def test_a_misfit_prior_is_refused(styles: object) -> None:
    with pytest.raises(NotationError, match="probabilities"):
        Session.new(**HAND, meta={"styles": styles})


@pytest.mark.parametrize("note", [["bold"], 3, "bold when ahead"])
def test_a_note_under_the_same_key_is_no_prior(note: object) -> None:
    session = Session.new(**HAND, meta={"styles": note})
    assert session.report("belief") == Session.new(**HAND).report("belief")
    assert session.to_record()["meta"]["styles"] == note


# -- planted styles --------------------------------------------------------------------------------


def test_planted_styles_are_found_and_a_switch_is_seen() -> None:
    found = planted([PRESETS["schnapsen"]], len(STYLES.styles), seed=3, n_deals=8)
    assert [one.styles[0] for one in found] == list(STYLES.styles)
    assert sum(one.n_to_find is not None for one in found) >= len(found) * 2 / 3
    assert sum(one.n_to_switch is not None for one in found) >= len(found) / 2
