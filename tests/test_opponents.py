"""Opponent models: the contract that all of them keep, and what their files must hold."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plays import choices

import inference.solve.encode as e
from inference import belief, opponents
from inference.cards import FULL, Card, Seat, parse_hand
from inference.errors import ModelError
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules
from inference.game.state import PublicState, other
from inference.opponents.features import FEATURES
from inference.paths import model_file

MODELS = {name: opponents.load(name) for name in opponents.REGISTRY}
S, N = Seat.S, Seat.N

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
every_preset = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)


# -- the contract -----------------------------------------------------------------------------


def legal_columns(public: PublicState, seat: Seat, hand: int) -> set[int]:
    """List a seat's choices from the rules themselves; silence where it is one."""
    if seat == public.to_act:
        actions = public.legal_actions(hand)
        return {e.action_column(action) for action in actions}
    columns = {e.action_column(action) for action in public.other_actions(hand)}
    return columns | ({e.COLUMN_SILENCE} if columns or public.may_answer_close() else set())


def possible_hands(position: Position, seat: Seat, rng: np.random.Generator) -> Any:
    """Draw hands that a seat may have by all that is public, its true hand first."""
    public = position.public
    upcard = 0 if public.upcard is None else public.upcard.mask
    known = public.known[seat]
    taken = public.played | upcard | known | public.known[other(seat)]
    free = [card for card in range(24) if (public.rules.pack & ~taken) >> card & 1]
    n = public.held[seat] - known.bit_count()
    drawn = [rng.choice(free, n, replace=False) if n else [] for _ in range(12)]
    hands = {known | sum(1 << int(card) for card in cards) for cards in drawn}
    mine = position.hands[seat]
    return np.array([mine, *sorted(hands - {mine})], dtype=np.uint32)


@every_model
@every_preset
def test_a_policy_is_a_distribution_over_the_legal_actions(
    model: opponents.Model, rules: Rules, rng: np.random.Generator
) -> None:
    for position, seat in choices(rules, rng, n_deals=5):
        hands = possible_hands(position, seat, rng)
        policy = model.policy(position.public, seat, hands)
        assert policy.shape == (len(hands), e.N_ACTIONS)
        assert policy.dtype == np.float64
        for hand, row in zip(hands.tolist(), policy, strict=True):
            legal = legal_columns(position.public, seat, hand)
            assert set(np.flatnonzero(row > 0)) == legal
            assert np.all(row >= 0)
            if model.name == "counting":
                assert set(row) <= {0.0, 1.0}
            else:
                assert row.sum() == pytest.approx(1.0 if legal else 0.0, abs=1e-12)


@every_model
@every_preset
def test_each_row_depends_on_its_hand_alone(
    model: opponents.Model, rules: Rules, rng: np.random.Generator
) -> None:
    for position, seat in islice(choices(rules, rng, n_deals=3), 0, None, 2):
        public, hands = position.public, possible_hands(position, seat, rng)
        policy, order = model.policy(public, seat, hands), rng.permutation(len(hands))
        assert (model.policy(public, seat, hands[order]) == policy[order]).all()
        for i in range(len(hands)):
            assert (model.policy(public, seat, hands[i : i + 1])[0] == policy[i]).all()


def averaged(
    model: opponents.Model, public: PublicState, seat: Seat, hands: Any, column: int
) -> Any:
    """Return the likelihood of a column, averaged over the styles where there are some."""
    given = model.likelihood(public, seat, hands, column)
    if model.styles:
        assert given.shape == (len(hands), len(model.styles))
        return given @ np.array(model.shares)
    assert (given.shape, model.shares) == ((len(hands),), (1.0,))
    return given


@every_model
@every_preset
def test_a_likelihood_is_a_column_of_the_policy(
    model: opponents.Model, rules: Rules, rng: np.random.Generator
) -> None:
    for position, seat in islice(choices(rules, rng, n_deals=3), 0, None, 3):
        hands = possible_hands(position, seat, rng)
        policy = model.policy(position.public, seat, hands)
        for column in range(e.N_ACTIONS):
            column_alone = averaged(model, position.public, seat, hands, column)
            assert column_alone == pytest.approx(policy[:, column], abs=1e-15)


@every_model
def test_a_belief_that_cannot_be_written_to_is_read(model: opponents.Model) -> None:
    public = PublicState.deal(PRESETS["sixty-six"], N, Card.HJ)
    prior = belief.prior(FULL & ~parse_hand("AS TS KH QH 9C JD JH"), 6)
    assert not prior.hands.flags.writeable
    given = averaged(model, public, N, prior.hands, Card.D9)
    assert set(np.flatnonzero(given)) == set(np.flatnonzero(prior.hands & Card.D9.mask))


@every_model
def test_one_legal_action_is_certain(model: opponents.Model) -> None:
    public = PublicState.deal(PRESETS["schnapsen"], N, Card.HJ)._replace(
        talon=0, upcard=None, held=(1, 1), tricks=(4, 4)
    )
    hand = np.array([Card.SA.mask], dtype=np.uint32)
    certain = [float(c == Card.SA) for c in range(36)]
    assert model.policy(public, N, hand)[0].tolist() == pytest.approx(certain)


def test_who_has_no_choice_does_nothing() -> None:
    public = PublicState.deal(PRESETS["sixty-six"], N, Card.HJ)
    hand = np.array([parse_hand("AS TS KH QH 9C JD")], dtype=np.uint32)
    assert not any(model.policy(public, S, hand).any() for model in MODELS.values())


def test_uniform_counts_the_choices() -> None:
    public = PublicState.deal(PRESETS["sixty-six"], N, Card.HJ)
    hands = np.array([parse_hand("AS TS KS QS 9C JD"), parse_hand("AS TS KS JS 9C JD")], np.uint32)
    assert MODELS["uniform"].likelihood(public, N, hands, Card.SA) == pytest.approx([1 / 8, 1 / 6])


# -- files of parameters --------------------------------------------------------------------------

SHIPPED = json.loads(model_file("logit.json").read_text())


def changed(path: tuple[str, ...], value: object) -> dict[str, Any]:
    """Return the shipped parameters with one entry set, or taken out where the value is None."""
    parameters: dict[str, Any] = json.loads(json.dumps(SHIPPED))
    place = parameters
    for key in path[:-1]:
        place = place[key]
    place.pop(path[-1]) if value is None else place.update({path[-1]: value})
    return parameters


UNFIT = {
    "no model": (("model",), None, "'model' is None"),
    "unknown model": (("model",), "oracle", "'oracle', but the models are counting, uniform"),
    "strange model": (("model",), ["logit"], "the models are counting"),
    "no version": (("version",), None, "lack 'version'"),
    "other version": (("version",), 2, "not of version 1"),
    "no epsilon": (("epsilon",), None, "lack 'epsilon'"),
    "no noise": (("epsilon",), 0, "epsilon between 0 and 1"),
    "text for a number": (("epsilon",), "0.02", "epsilon of 'logit' must be a number"),
    "yes for a number": (("temperature",), True, "temperature of 'logit' must be a number"),
    "endless": (("temperature",), float("inf"), "temperature of 'logit' must be a number"),
    "freezing": (("temperature",), 0.0, "temperature of 'logit' must be at least"),
    "unknown key": (("colour",), "red", "'colour' is no parameter"),
    "no weights": (("weights",), None, "lack 'weights'"),
    "weights in a list": (("weights",), [1.0], "must be an object"),
    "missing feature": (("weights", "claim"), None, "lack the feature 'claim'"),
    "unknown feature": (("weights", "luck"), SHIPPED["weights"]["claim"], "'luck' is no feature"),
    "no phase": (("weights", "claim", "strict"), None, "'claim' of 'logit' needs open, strict"),
    "bare weight": (("weights", "claim"), 1.0, "'claim' of 'logit' needs open, strict"),
    "no number": (("weights", "claim", "open"), None, "'claim' of 'logit' needs open, strict"),
    "not a number": (("weights", "claim", "open"), [1], r"claim \(open\) of 'logit' must be"),
}


@pytest.mark.parametrize(("path", "value", "sentence"), UNFIT.values(), ids=UNFIT)
def test_an_unfit_file_is_refused(
    path: tuple[str, ...], value: object, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(changed(path, value)))
    with pytest.raises(ModelError, match=sentence) as error:
        opponents.load(file)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "\xff"], ids=["empty", "broken", "list", "bytes"])
def test_what_is_no_file_of_parameters_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelError, match="not a file of model parameters"):
        opponents.load(str(file))


@pytest.mark.parametrize("name", ["oracle", "", "models/none.json", "."])
def test_an_unknown_model_is_refused_with_the_names(name: str) -> None:
    with pytest.raises(ModelError, match="counting, uniform, logit"):
        opponents.load(name)


@pytest.mark.parametrize("name", ["counting", "uniform"])
def test_models_without_parameters_accept_none(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"model": name}))
    assert opponents.load(file) == MODELS[name]
    file.write_text(json.dumps({"model": name, "epsilon": 0.1}))
    with pytest.raises(ModelError, match="no parameters"):
        opponents.load(file)


def test_the_default_is_shipped_and_its_file_loads_by_path_too() -> None:
    shipped, by_path = opponents.load(), opponents.load(model_file("styles.json"))
    assert shipped.name == by_path.name == opponents.DEFAULT == "styles"
    public = PublicState.deal(PRESETS["sixty-six"], N, Card.HJ)
    hand = np.array([parse_hand("AS TS KS QS 9C JD")], dtype=np.uint32)
    assert (shipped.policy(public, N, hand) == by_path.policy(public, N, hand)).all()


def test_each_weight_is_explained() -> None:
    assert list(SHIPPED["weights"]) == list(FEATURES)
    meanings = [weight["meaning"] for weight in SHIPPED["weights"].values()]
    assert all(len(meaning.split()) >= 2 or meaning == "closes" for meaning in meanings)
    assert len(set(meanings)) == len(FEATURES)


def test_the_temperature_divides_the_weights(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(changed(("temperature",), 2 * SHIPPED["temperature"])))
    public = PublicState.deal(PRESETS["sixty-six"], N, Card.HJ)
    hand = np.array([parse_hand("AS TS KS QS 9C JD")], dtype=np.uint32)
    sharp, soft = (
        opponents.load("logit").policy(public, N, hand),
        opponents.load(file).policy(public, N, hand),
    )
    legal, floor = sharp[0] > 0, SHIPPED["epsilon"] / 8
    sharp, soft = np.log(sharp[0, legal] - floor), np.log(soft[0, legal] - floor)
    assert soft - soft[0] == pytest.approx((sharp - sharp[0]) / 2)


def test_a_file_that_was_changed_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    for epsilon in (0.02, 0.125):
        file.write_text(json.dumps(changed(("epsilon",), epsilon)))
        assert opponents.load(file).epsilon == epsilon  # type: ignore[attr-defined]
