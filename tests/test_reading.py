"""What a reading notes is what sessions of the models say, and the truth reads best."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from inference import belief as bayes
from inference import opponents
from inference.acquaintance import expected
from inference.belief import prior
from inference.cards import Seat
from inference.game.events import Kind
from inference.game.position import Position
from inference.game.record import Record, eyes
from inference.game.replay import opening, positions
from inference.game.rules import PRESETS
from inference.game.state import SEATS, other
from inference.opponents import person, regime
from inference.opponents.styles import Styles
from inference.session import Session
from inference.workshop.pool import player
from inference.workshop.pool_reading import N_DEALS, Read, n_sessions, pairing, play, session
from inference.workshop.reading import BY_STYLES, CARRIED, COUNTING, EVENTS, FRESH, follow, read
from inference.workshop.simulate import by_players, play_out, play_pool
from inference.workshop.truth import OPEN, Truth

SCHNAPSEN = (PRESETS["schnapsen"],)
RNG = np.random.default_rng(7)
N_FITTED = len(opponents.load("styles").styles) - 1
SHARES = (*[0.5 / N_FITTED] * N_FITTED, 0.5)


def deal(number: int, family: str = "greedy") -> Record:
    return play_pool(SCHNAPSEN, 4, (("soft",), (family,)), number)


def decisions(record: Record, seat: Seat, model: str) -> list[Session]:
    """Return a session of the model before each of the seat's decisions, the slow way."""
    found, seen = [], eyes(record, seat).events
    for i, event in enumerate(seen):
        if event.seat == seat and event.action.kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE):
            before = Session.from_record(record, str(seat), model, at=i)
            if len(before.belief().hands) > 1:
                found.append(before)
    return found


def hands(record: Record, seat: Seat) -> list[int]:
    truth, found = opening(record), []
    for event, after in positions(record):
        if event.seat == seat and event.action.kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE):
            found.append(truth.hands[other(seat)])
        truth = after
    return found


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("seat", SEATS)
def test_one_filter_says_what_two_sessions_say(number: int, seat: Seat) -> None:
    record = deal(number)
    found = follow(record, seat, opponents.load("styles"), RNG, SHARES).told()
    ends = np.cumsum(found.n_cards, dtype=int)
    for column, name in ((COUNTING, "counting"), (FRESH, "styles")):
        slow = decisions(record, seat, name)
        assert len(slow) == len(found.bits)
        for i, (one, hand) in enumerate(zip(slow, hands(record, seat), strict=False)):
            assert 2 ** found.bits[i, column] == pytest.approx(bayes.p_hand(one.belief(), hand))
            p = found.p[ends[i] - found.n_cards[i] : ends[i], column]
            assert sorted(p) == pytest.approx(uncertain(one))
    carried = [2**bits for bits in found.bits[:, CARRIED]]
    for one, hand, p in zip(
        decisions(record, seat, "styles"), hands(record, seat), carried, strict=False
    ):
        prior = np.array(SHARES) / one.tracker.model.shares
        mix = bayes.style_posterior(one.belief(), prior)
        assert p == pytest.approx(bayes.p_hand(one.belief(), hand, mix))


def uncertain(session: Session) -> list[float]:
    """List the marginals of cards that may be in the hand or not."""
    hands = session.belief().hands
    varying = int(np.bitwise_or.reduce(hands) & ~np.bitwise_and.reduce(hands))
    p = bayes.marginals(session.belief())
    return sorted(p[card] for card in range(24) if varying >> card & 1)


@cache
def one_session() -> list[Read]:
    return session(SCHNAPSEN, "styles", 2, 3)


def test_the_bits_of_an_event_are_those_of_its_likelihood() -> None:
    """Up to the first decision all that is known came from events, and their bits add up."""
    for number in range(6):
        record = deal(number)
        for seat in SEATS:
            found = read(record, seat, opponents.load("styles"), RNG)
            n = 1 if record.leader != seat else 0  # he leads, then I decide
            first = found.bits[0, FRESH] - found.bits[0, COUNTING]
            told = [e for e in record.events[:4] if e.seat != seat and e.action.kind != Kind.DRAW]
            if len(told) == n or record.leader == seat:
                assert found.gained[:n].sum() == pytest.approx(first, abs=1e-9)


def test_every_choice_of_his_is_an_event() -> None:
    for number in range(4):
        record = deal(number)
        for seat in SEATS:
            found = read(record, seat, opponents.load("uniform"), RNG)
            his = [e for e in record.events if e.seat != seat and e.action.kind != Kind.DRAW]
            assert sum(EVENTS[k] != "silence" for k in found.event) == len(his)


def test_each_family_sits_at_both_seats_once_a_round() -> None:
    n = n_sessions(20)
    assert n_sessions(21) == n_sessions(40) == 2 * n
    for round_ in range(n):
        pairs = [pairing(round_ * n + i) for i in range(n)]
        assert all(one != two for one, two in pairs)
        assert all(len({pair[seat] for pair in pairs}) == n for seat in SEATS)


def test_a_session_reads_ten_deals_of_both_players_and_the_last_with_the_truth() -> None:
    found = one_session()
    assert [(one.family, one.number) for one in found] == [
        (family, k) for family in reversed(pairing(3)) for k in range(N_DEALS)
    ]
    assert [one.number for one in found if one.true_bits < 0] == [N_DEALS - 1] * 2


def test_where_the_true_policy_leaves_one_hand_its_bits_are_0() -> None:
    """It rules out more hands than the rules do, so counting has decisions where it has none."""
    he = player("greedy", 3, seed=1)._replace(wobble=0.0, blunders=0.0)
    fewer = 0
    for number in range(8):
        rng = np.random.default_rng(number)
        record = play_out(SCHNAPSEN[0], SEATS[number % 2], partial(by_players, (he, he)), rng, {})
        true = read(record, Seat.S, Truth(he), RNG)
        counted = read(record, Seat.S, opponents.load("counting"), RNG)
        fewer += len(counted.bits) - len(true.bits)
        assert len(counted.bits) >= len(true.bits)
        assert true.bits[:, FRESH].sum() >= counted.bits[:, FRESH].sum()
    assert fewer > 0


def test_what_a_deal_taught_is_carried_into_the_next() -> None:
    first, second = (one.reading for one in one_session()[:2])
    assert first.bits[:, CARRIED] == pytest.approx(first.bits[:, FRESH])
    model, record = opponents.load("styles"), play(SCHNAPSEN, 2, 3)[1][1]
    assert isinstance(model, Styles)
    told = follow(play(SCHNAPSEN, 2, 3)[1][0], Seat.S, model, RNG).acquainted()
    shares, known = expected(model, [told])
    assert shares == pytest.approx(regime.load(model).predict([told.log_evidence]))
    again = follow(record, Seat.S, model, RNG, tuple(shares.tolist()), known).told()
    assert second.bits == pytest.approx(again.bits)
    assert (second.bits[:, CARRIED] != second.bits[:, FRESH]).any()


def test_what_is_carried_is_what_a_session_says_that_knows_the_player() -> None:
    model, (before, record) = opponents.load("styles"), play(SCHNAPSEN, 2, 3)[1][:2]
    assert isinstance(model, Styles)
    shares, known = expected(model, [follow(before, Seat.S, model, RNG).acquainted()])
    assert known is not None
    meta = {
        "styles": dict(zip(model.styles, shares.tolist(), strict=True)),
        person.KEY: person.to_json(known),
    }
    same = person.of_meta(meta)
    found = follow(record, Seat.S, model, RNG, tuple(shares.tolist()), same).told()
    slow = decisions(replace(record, meta=meta), Seat.S, "styles")
    for one, hand, bits in zip(slow, hands(record, Seat.S), found.bits, strict=False):
        assert one.tracker.model.styles[-1] == person.NAME
        assert 2 ** bits[CARRIED] == pytest.approx(bayes.p_hand(one.belief(), hand))
    by_itself = read(record, Seat.S, model, RNG)
    assert found.bits[:, :CARRIED] == pytest.approx(by_itself.bits[:, :CARRIED])
    by_styles = follow(record, Seat.S, model, RNG, tuple(shares.tolist())).told()
    assert found.bits[:, BY_STYLES] == pytest.approx(by_styles.bits[:, CARRIED])


@pytest.mark.parametrize("seat", SEATS)
def test_chance_is_weighed_as_the_page_weighs_it_at_its_best_moment(seat: Seat) -> None:
    record, model = deal(1, "random"), opponents.load("styles")
    assert model.chance is not None
    odds, one = [], Session.from_record(record, str(seat), at=0)
    for event in (None, *eyes(record, seat).events):
        if event is not None:
            one.observe(event)
        p = bayes.style_posterior(one.belief())[model.chance]
        odds.append(p / (1 - p))
    prior_odds = model.shares[model.chance] / (1 - model.shares[model.chance])
    found = read(record, seat, model, RNG)
    assert np.exp(found.chance) == pytest.approx(np.full((1, 2), max(odds) / prior_odds))
    assert (read(record, seat, opponents.load("counting"), RNG).chance == -np.inf).all()


def test_nobody_reads_a_player_better_than_the_truth() -> None:
    """The mean log-probability of the truth is greatest under the policy that made the deals."""
    he = player("greedy", 3, seed=1)
    found = {"truth": 0.0, "styles": 0.0, "counting": 0.0}
    for number in range(8):
        rng = np.random.default_rng(number)
        record = play_out(SCHNAPSEN[0], SEATS[number % 2], partial(by_players, (he, he)), rng, {})
        for model in (Truth(he), opponents.load("styles"), opponents.load("counting")):
            bits = read(record, Seat.S, model, RNG).bits
            assert np.isfinite(bits).all()
            found[model.name] += bits[:, FRESH].mean()
    assert found["truth"] > found["styles"]
    assert found["truth"] > found["counting"] + 4


@pytest.mark.parametrize("family", OPEN)
def test_the_truth_is_a_policy(family: str) -> None:
    he = player(family, 1, seed=2)
    position = Position.deal(SCHNAPSEN[0], Seat.N, np.random.default_rng(5))
    some = prior(position.view(Seat.S).unseen, 5).hands[::100]
    p = Truth(he).policy(position.public, Seat.N, some)
    assert p.sum(axis=1) == pytest.approx(1)
    legal = opponents.load("counting").policy(position.public, Seat.N, some)
    assert (p[legal == 0] == 0).all()
    for column in np.flatnonzero(p.any(axis=0)):
        assert (Truth(he).likelihood(position.public, Seat.N, some, column) == p[:, column]).all()
