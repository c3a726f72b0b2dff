"""A player who is met again: his own weights come from his choices, and foretell the next ones."""

from typing import Any

import numpy as np
import pytest

from inference import opponents
from inference.acquaintance import N_HANDS, SHARE, Told, expected, hands_of, rows_of
from inference.belief import marginals, smooth, style_posterior
from inference.cards import Seat
from inference.cli.tables import belief_text
from inference.dashboard.panels import style_line
from inference.errors import NotationError
from inference.game.record import Record
from inference.game.rules import PRESETS
from inference.opponents import person, regime
from inference.opponents.choices import collect, log_p, loss
from inference.opponents.features import FEATURES, N_FEATURES
from inference.opponents.person import DEVIATION, EPSILON, Person
from inference.opponents.styles import Styles
from inference.session import Session
from inference.workshop import fit
from inference.workshop.pool_reading import pairing, play
from inference.workshop.reading import follow
from inference.workshop.simulate import simulate

LOADED = opponents.load()
assert isinstance(LOADED, Styles)
MODEL: Styles = LOADED
P = np.array(MODEL.shares)
DEALS = [next(simulate(PRESETS[name], 1, 12)) for name in ("sixty-six", "schnapsen", "bicycle")]


@pytest.fixture(params=DEALS, ids=lambda record: record.rules.name)
def record(request: pytest.FixtureRequest) -> Record:
    found: Record = request.param
    return found


def ended(record: Record) -> Session:
    return Session.from_record(record, "S")


# -- his choices -----------------------------------------------------------------------------------


def test_with_his_true_hands_the_rows_are_those_of_the_whole_record(record: Record) -> None:
    true = {
        (position.public.talon, position.public.played, column): position.hands[Seat.N]
        for position, seat, column in fit.decisions(record)
        if seat == Seat.N
    }
    choices = ended(record).tracker.choices
    hands = [(true[one.public.talon, one.public.played, one.column],) for one in choices]
    found = rows_of(choices, Seat.N, tuple(hands))
    slow = [row for row in fit.rows(record) if row.unit == Seat.N]
    assert len(found) == len(slow) > 3
    for mine, his in zip(found, slow, strict=True):
        assert (mine.strict, mine.chosen) == (his.strict, his.chosen)
        assert mine.x == pytest.approx(his.x)


def test_the_hands_are_spread_as_the_look_back_spreads_them(record: Record) -> None:
    tracker = ended(record).tracker
    p = style_posterior(tracker.belief)
    smoothed = smooth([step for _, step in tracker.steps])
    beliefs = [id(step.belief) for _, step in tracker.steps]
    at = [beliefs.index(id(choice.before)) for choice in tracker.choices]
    found = hands_of(tracker, p)
    assert len(found) == len(at) == len(tracker.choices)
    for hands, step in zip(found, at, strict=True):
        possible = set(smoothed[step].hands.tolist())
        assert len(hands) == N_HANDS
        assert set(hands) <= possible
        shown = np.mean([[hand >> card & 1 for card in range(24)] for hand in hands], axis=0)
        likely = marginals(smoothed[step], p)
        assert (shown[likely > 1 - 1e-9] == 1).all()
        assert (shown[likely < 1e-9] == 0).all()
        for card in np.flatnonzero((likely > 1e-9) & (likely < 1 - 1e-9))[-1:]:
            # It parts the hands, which are in order, into those without it and those with it.
            assert abs(shown[card] - likely[card]) <= 1 / N_HANDS


def test_the_same_deal_tells_the_same(record: Record) -> None:
    once, again = (hands_of(ended(record).tracker, P) for _ in range(2))
    assert once == again


# -- his weights -----------------------------------------------------------------------------------


def test_the_weights_are_the_likeliest_under_their_prior() -> None:
    choices = collect([row for deal in DEALS for row in fit.rows(deal) if row.unit == Seat.N])
    r = np.ones(len(choices.starts))
    weights = person.fit(MODEL, P, choices, r).ravel()
    fitted = [z for z, name in enumerate(MODEL.styles) if name != "random"]
    of_style = [np.asarray(MODEL.weights[:, :, z]).ravel() for z in fitted]
    mean = np.average(of_style, axis=0, weights=P[fitted])
    best, slope = loss(np.append(weights, EPSILON), choices, r, mean, DEVIATION)
    assert np.abs(slope[:-1]).max() < 0.1
    assert best < loss(np.append(mean, EPSILON), choices, r, mean, DEVIATION)[0]
    assert log_p(choices, weights, EPSILON).sum() > log_p(choices, mean, EPSILON).sum()


def test_choices_that_count_for_nothing_leave_the_mean_of_the_styles() -> None:
    choices = collect(fit.rows(DEALS[0]))
    one = np.zeros(len(MODEL.styles))
    one[3] = 1.0
    weights = person.fit(MODEL, one, choices, np.zeros(len(choices.starts)))
    assert weights == pytest.approx(MODEL.weights[:, :, 3])


def session_with(family: str) -> list[Told]:
    """Let S meet a player of a family in ten deals, reading him as the evaluation does."""
    number = next(k for k in range(99) if pairing(k)[1] == family)
    records, deals = play([PRESETS["schnapsen"]], 5, number)[1], list[Told]()
    for deal in records:
        shares, known = expected(MODEL, deals)
        reader = follow(deal, Seat.S, MODEL, np.random.default_rng(1), shares.tolist(), known)
        deals.append(reader.acquainted())
    return deals


def test_a_player_unlike_the_styles_is_foretold_by_what_he_did_before() -> None:
    deals, chain = session_with("crude"), regime.load(MODEL)
    assert deals[0].own is None
    gains = []
    for k, deal in enumerate(deals[5:], start=5):
        shares = chain.predict([one.log_evidence for one in deals[:k]])
        assert deal.own is not None
        gains.append(deal.own - np.logaddexp.reduce(np.log(shares) + deal.log_evidence))
    assert np.mean(gains) > 0
    _, known = expected(MODEL, deals)
    assert known is not None
    assert known.share > SHARE


def test_a_random_player_stays_one() -> None:
    _, known = expected(MODEL, session_with("random"))
    assert known is not None
    assert known.share < 0.1


def test_of_a_stranger_nothing_is_known() -> None:
    shares, known = expected(MODEL, [])
    assert shares == pytest.approx(P)
    assert known is None


# -- one style more --------------------------------------------------------------------------------

SOMEBODY = Person(np.random.default_rng(3).normal(0, 1, (2, N_FEATURES)).round(2), 0.25)


def test_he_is_one_style_more(record: Record) -> None:
    with_him = person.with_person(MODEL, SOMEBODY)
    assert with_him.styles == (*MODEL.styles, person.NAME)
    assert with_him.shares == pytest.approx([*(0.75 * P), 0.25])
    for choice in ended(record).tracker.choices:
        asked = (choice.public, Seat.N, choice.before.hands[:50], choice.column)
        found = with_him.likelihood(*asked)
        assert found[:, :-1] == pytest.approx(MODEL.likelihood(*asked))
        assert isinstance(with_him, Styles)
        assert found[:, -1] == pytest.approx(with_him.members[-1].likelihood(*asked))
    alone = person.without_person(with_him)
    assert isinstance(alone, Styles)
    assert alone.shares == pytest.approx(MODEL.shares)
    assert alone._replace(shares=()).weights.tolist() == MODEL.weights.tolist()


def test_models_without_styles_know_nobody() -> None:
    counting = opponents.load("counting")
    assert person.with_person(counting, SOMEBODY) is counting
    assert person.without_person(counting) is counting
    assert person.with_person(MODEL, None) is MODEL
    assert person.without_person(MODEL) is MODEL


def test_he_stands_in_the_record_and_is_read_from_it(record: Record) -> None:
    meta = {person.KEY: person.to_json(SOMEBODY)}
    found = person.of_meta(meta)
    assert found is not None
    assert found.share == SOMEBODY.share
    assert found.weights.tolist() == SOMEBODY.weights.tolist()
    session = Session.from_record(record.to_json() | {"meta": meta}, "S")
    assert session.tracker.model.styles[-1] == person.NAME
    assert session.report("belief")["styles"]["N"][person.NAME] > 0
    assert Session.from_record(session.to_record()).tracker.model.styles[-1] == person.NAME
    other = Session.from_record(record.to_json() | {"meta": meta}, "N")
    assert person.NAME not in other.tracker.model.styles


def test_weights_of_another_version_and_notes_are_left_aside() -> None:
    known = person.to_json(SOMEBODY)
    known["weights"].pop(FEATURES[0])
    for other in (known, 7, "Ann of the club", {}, {"share": 0.5}):
        assert person.of_meta({person.KEY: other}) is None


@pytest.mark.parametrize(
    "known",
    [
        {"share": 1, "weights": {}},
        {"share": 0.9999, "weights": {}},
        {"share": True, "weights": {}},
        {"share": 0.5, "weights": []},
        {"share": 0.5, "weights": {FEATURES[0]: [1]}},
        {"share": 0.5, "weights": {FEATURES[0]: [1, "2"]}},
        {"share": 0.5, "weights": {FEATURES[0]: [1, 1e9]}},
    ],
)
def test_what_is_no_person_is_refused_in_one_sentence(known: Any, record: Record) -> None:
    with pytest.raises(NotationError, match="player in meta"):
        Session.from_record(record.to_json() | {"meta": {person.KEY: known}}, "S")


def test_the_page_and_the_table_say_that_he_plays_as_before(record: Record) -> None:
    sure = Person(SOMEBODY.weights, 0.999)
    meta: dict[str, Any] = {person.KEY: person.to_json(sure)}
    session = Session.from_record(record.to_json() | {"meta": meta}, "S", at=0)
    # Nothing has shown yet which of the styles he is like.
    assert style_line(session.tracker, "Ann") == ["Ann plays as before, <b>>99 %</b>"]
    assert f"N plays like: {person.NAME} >99" in belief_text(session)
    meta["styles"] = {style: 0.9 if style == "bold" else 0.01 for style in MODEL.styles}
    session = Session.from_record(record.to_json() | {"meta": meta}, "S", at=0)
    said = "Ann plays as before, <b>>99 %</b>, most like a bold player"
    assert style_line(session.tracker, "Ann") == [said]


def test_what_foretold_nothing_yet_is_not_named(record: Record) -> None:
    shares = {style: 0.5 if style == "random" else 0.01 for style in MODEL.styles}
    likely = Person(SOMEBODY.weights, 0.49)
    meta = {"styles": shares, person.KEY: person.to_json(likely)}
    session = Session.from_record(record.to_json() | {"meta": meta}, "S", at=0)
    found = session.report("belief")["styles"]["N"]
    assert max(found, key=lambda style: found[style]) == person.NAME
    assert style_line(session.tracker, "Ann") == []


def test_the_rarest_style_is_still_possible(record: Record) -> None:
    rare = {style: 5e-324 if style == "random" else 1.0 for style in MODEL.styles}
    meta = {"styles": rare, person.KEY: person.to_json(Person(SOMEBODY.weights, 0.999))}
    session = Session.from_record(record.to_json() | {"meta": meta}, "S")
    assert np.isfinite(list(session.log_evidences().values())).all()
