"""The styles: one filter each, weighed by what they explain; a careless player is recognised."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inference import belief as bayes
from inference import opponents
from inference.cards import Seat
from inference.cli.tables import belief_text
from inference.dashboard.charts import style_area
from inference.dashboard.panels import style_line
from inference.errors import ModelError
from inference.game.record import eyes
from inference.game.rules import PRESETS
from inference.opponents import by_manner
from inference.paths import model_file
from inference.reports import EVIDENT, likeliest_style
from inference.session import Session
from inference.workshop.evaluate import evaluate
from inference.workshop.simulate import simulate

SHIPPED: dict[str, Any] = json.loads(model_file("styles.json").read_text())
STYLES = opponents.load("styles")
RANDOM = STYLES.styles.index("random")


def style_file(path: Path, name: str) -> Path:
    """Write a file in which a style of the shipped model stands alone."""
    entry = {key: value for key, value in SHIPPED["styles"][name].items() if key != "share"}
    path.write_text(json.dumps(entry))
    return path


def test_each_manner_has_a_colour_of_its_own() -> None:
    chart = style_area([by_manner(STYLES.styles, STYLES.shares)]).to_dict()
    scale = chart["encoding"]["color"]["scale"]
    assert scale["scheme"] == "tableau20"
    assert len(scale["domain"]) == len(set(scale["domain"])) <= 20


# -- the belief ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["sixty-six", "schnapsen", "bicycle"])
def test_every_style_is_a_filter_of_its_own_and_their_evidence_decides(
    rules: str, tmp_path: Path
) -> None:
    alone = [style_file(tmp_path / f"{name}.json", name) for name in STYLES.styles]
    record = next(simulate(PRESETS[rules], 1, 8))
    whole = Session.from_record(record, "S", "styles", at=0)
    parts = [Session.from_record(record, "S", str(path), at=0) for path in alone]
    for event in eyes(record, Seat.S).events:
        for session in (whole, *parts):
            session.observe(event)
        check_mixture(whole, parts)


def check_mixture(whole: Session, parts: list[Session]) -> None:
    joint = [
        math.log(share) + bayes.log_evidence(part.belief())
        for share, part in zip(STYLES.shares, parts, strict=True)
    ]
    report = whole.report("belief")
    assert report["log_evidence"] == pytest.approx(np.logaddexp.reduce(joint))
    posterior = np.exp(np.array(joint) - report["log_evidence"])
    assert report["styles"]["N"] == pytest.approx(by_manner(STYLES.styles, posterior))
    assert sum(report["styles"]["N"].values()) == pytest.approx(1.0)
    for column, part in zip(whole.belief().weights.T, parts, strict=True):
        assert column == pytest.approx(part.belief().weights[:, 0])
    marginals = [bayes.marginals(part.belief()) for part in parts]
    assert bayes.marginals(whole.belief()) == pytest.approx(posterior @ np.array(marginals))


def test_a_deal_begins_with_the_shares_of_the_styles() -> None:
    session = Session.new(hands={"S": "AS KH QH 9C JD TD"}, upcard="JH", model="styles")
    report = session.report("belief")
    assert report["styles"]["N"] == pytest.approx(by_manner(STYLES.styles, STYLES.shares))
    assert report["log_evidence"] == pytest.approx(0.0)
    assert "N plays like: " in belief_text(session)
    assert likeliest_style(session.tracker) is None  # nothing is known of him yet


def test_a_style_is_named_once_it_is_clearly_likelier_than_before_the_deal() -> None:
    named = set()
    for record in simulate(PRESETS["sixty-six"], 12, 5):
        session = Session.from_record(record, "S", "styles")
        found = session.report("belief")["styles"]["N"]
        style = likeliest_style(session.tracker)
        best = max(found, key=found.__getitem__)
        p, share = found[best], by_manner(STYLES.styles, STYLES.shares)[best]
        gained = p / (1 - p) > EVIDENT * share / (1 - share)
        assert style == ((best, found[best]) if gained else None)
        line = style_line(session.tracker, "Anna")
        assert (f"Anna plays like a {best} player" in "".join(line)) == gained
        named.add(best)
    assert len(named) > 1


def test_models_without_styles_report_none() -> None:
    session = Session.new(hands={"S": "AS KH QH 9C JD TD"}, upcard="JH", model="logit")
    assert session.report("belief")["styles"] == {}
    assert "plays like" not in belief_text(session)


# -- recognition -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def careless() -> list[Any]:
    return list(simulate(PRESETS["sixty-six"], 40, 5, ("uniform", "uniform")))


def test_the_random_player_is_recognised(careless: list[Any]) -> None:
    p = [style_posterior(record)[RANDOM] for record in careless]
    assert np.mean(p) > 0.7
    purposeful = simulate(PRESETS["sixty-six"], 30, 5)
    assert np.mean([style_posterior(record)[RANDOM] for record in purposeful]) < 0.35


def style_posterior(record: Any) -> Any:
    return bayes.style_posterior(Session.from_record(record, "S", "styles").belief())


def test_the_random_player_is_not_misread(careless: list[Any]) -> None:
    found = {model: evaluate(careless, model).gain for model in ("styles", "logit")}
    assert found["styles"] > -0.1
    assert found["styles"] > found["logit"] + 0.3


# -- files -----------------------------------------------------------------------------------------

UNFIT = {
    "no styles": (("styles",), None, "lack 'styles'"),
    "unknown key": (("colour",), "red", "'colour' is no parameter"),
    "other version": (("version",), 2, "not of version 1"),
    "styles in a list": (("styles",), [], "must be an object"),
    "no style": (("styles",), {}, "must be an object"),
    "no share": (("styles", "random", "share"), None, "'random' needs a 'share'"),
    "no part": (("styles", "random", "share"), 0.0, "'random' must be over 0"),
    "text for a share": (("styles", "random", "share"), "0.1", "must be a number"),
    "style of styles": (("styles", "random", "model"), "styles", "of the model 'styles'"),
    "unfit style": (("styles", "random", "epsilon"), 0.1, "style 'random': .*no parameters"),
}


@pytest.mark.parametrize(("path", "value", "sentence"), UNFIT.values(), ids=UNFIT)
def test_an_unfit_file_is_refused(
    path: tuple[str, ...], value: object, sentence: str, tmp_path: Path
) -> None:
    parameters = json.loads(json.dumps(SHIPPED))
    place = parameters
    for key in path[:-1]:
        place = place[key]
    place.pop(path[-1]) if value is None else place.update({path[-1]: value})
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(parameters))
    with pytest.raises(ModelError, match=sentence):
        opponents.load(file)
