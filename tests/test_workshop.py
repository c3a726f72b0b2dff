"""Simulated deals are whole deals, the sample data is what its command makes, figures are right."""

import json
from itertools import count

import numpy as np
import pytest

from inference import belief as bayes
from inference.cards import Seat, points
from inference.errors import ModelError, NotationError
from inference.game.events import EXCHANGE, Event, Kind
from inference.game.record import Record, eyes, format_record, parse_record
from inference.game.rules import PRESETS
from inference.game.state import SEATS
from inference.paths import data_file
from inference.session import Session
from inference.study.calibration import by_tenths, ece, slope
from inference.workshop.evaluate import evaluate, score, summary
from inference.workshop.sample import session
from inference.workshop.simulate import simulate

SEED, N_DEALS = 66, 12
UNIFORM = ("uniform", "uniform")
FILES = sorted(path.stem for path in data_file("").glob("*.jsonl"))


def lines(name: str) -> list[str]:
    return data_file(f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


# -- the sample data -------------------------------------------------------------------------------


def test_there_is_data_for_every_preset_and_the_worked_deals() -> None:
    assert {"f1", "f2", *PRESETS} <= set(FILES)


@pytest.mark.parametrize("name", PRESETS)
def test_the_sample_deals_are_made_by_their_command(name: str) -> None:
    made = simulate(PRESETS[name], N_DEALS, SEED)
    assert [format_record(record) for record in made] == lines(name)


@pytest.mark.parametrize("name", PRESETS)
def test_the_command_stands_beside_the_data(name: str) -> None:
    command = f"sixtysix simulate --rules {name} --deals {N_DEALS} --seed {SEED}"
    assert f"{command} --out data/{name}.jsonl\n" in data_file("README.md").read_text("utf-8")


def test_the_sample_session_is_made_by_its_command() -> None:
    made = session(PRESETS["sechsundsechzig"], 44, SEED)
    assert [format_record(record) for record in made] == lines("session")
    command = f"sixtysix simulate --session --rules sechsundsechzig --deals 44 --seed {SEED}"
    assert f"{command} --out data/session.jsonl\n" in data_file("README.md").read_text("utf-8")


def follow(record: Record, seat: Seat) -> Session:
    """Replay a record from a seat; check at every step that cards and points add up."""
    session = Session.from_record(record, str(seat), model="counting", at=0)
    check_sums(session, announced=0)
    announced = 0
    for event in eyes(record, seat).events:
        if event.action.kind == Kind.ANNOUNCE:
            assert event.action.card is not None
            trump = session.tracker.view.public.trump
            announced += 40 if event.action.card.suit == trump else 20
        session.observe(event)
        check_sums(session, announced)
    return session


def check_sums(session: Session, announced: int) -> None:
    view, belief = session.tracker.view, session.belief()
    public = view.public
    n_held = public.held[view.opponent]
    assert view.hand.bit_count() == public.held[view.seat]
    assert sum(public.held) + public.talon + public.played.bit_count() == public.rules.cards
    assert view.unseen.bit_count() == n_held + view.n_hidden
    assert (np.bitwise_count(belief.hands) == n_held).all()
    assert bayes.marginals(belief).sum() == pytest.approx(n_held, abs=1e-9)
    in_tricks = points(public.played) - (0 if public.led is None else public.led.points)
    assert in_tricks + public.unplayed_points == 120
    bonus = sum(public.points) + sum(public.pending) - in_tricks - announced
    allowed = {0, public.rules.last_trick_bonus} if public.held == (0, 0) else {0}
    assert bonus in allowed


@pytest.mark.parametrize("name", FILES)
def test_every_step_of_the_data_adds_up_for_both_seats(name: str) -> None:
    for line in lines(name)[:N_DEALS]:
        record = parse_record(line)
        ends = [follow(record, seat).tracker.view.public for seat in SEATS]
        assert ends[0].over
        assert ends[0].outcome == ends[1].outcome
        assert ends[0].points == ends[1].points


def test_the_worked_deals_end_as_worked_out() -> None:
    ends = [Session.from_record(lines(name)[0]).report("legal") for name in ("f1", "f2")]
    assert [(end["winner"], end["game_points"]) for end in ends] == [("S", 1), ("N", 1)]
    assert [end["points"] for end in ends] == [{"S": 69, "N": 60}, {"S": 65, "N": 55}]


# -- simulated deals -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_records_are_complete_and_list_both_draws_winner_first(name: str) -> None:
    n_drawn = 0
    for record in simulate(PRESETS[name], 5, 1, UNIFORM):
        assert record.seat is None
        assert record.talon is not None
        assert parse_record(format_record(record)) == record
        order = iter(record.talon)
        draws = [event for event in record.events if event.action.kind == Kind.DRAW]
        drawn = [event.action.card for event in draws]
        exchanged = any(event.action.kind == Kind.EXCHANGE for event in record.events)
        expected = [next(order) for _ in drawn]
        assert drawn[:-1] == expected[:-1] if exchanged else drawn == expected
        assert all(a.seat != b.seat for a, b in zip(draws[::2], draws[1::2], strict=True))
        n_drawn += len(drawn)
    assert n_drawn > 10


def test_the_leaders_take_turns_and_the_players_are_named() -> None:
    records = list(simulate(PRESETS["santase"], 4, 1, ("logit", "uniform")))
    assert [record.leader for record in records] == [Seat.S, Seat.N, Seat.S, Seat.N]
    assert records[3].meta == {"players": {"S": "logit", "N": "uniform"}, "seed": 1, "deal": 3}


def test_the_same_seed_gives_the_same_deals_whatever_the_number_of_jobs() -> None:
    one, two = (list(simulate(PRESETS["schnapsen"], 9, 5, jobs=jobs)) for jobs in (1, 2))
    assert one == two
    assert one != list(simulate(PRESETS["schnapsen"], 9, 6))
    assert one[:4] == list(simulate(PRESETS["schnapsen"], 4, 5))


def test_an_unknown_player_is_named() -> None:
    with pytest.raises(ModelError, match="expert"):
        next(simulate(PRESETS["santase"], 1, 1, ("uniform", "expert")))


# -- the figures -----------------------------------------------------------------------------------


def test_the_bits_are_those_of_the_true_hand() -> None:
    record = parse_record(lines("f1")[0])
    mine, his = (found.bits for found in score(record, "counting", np.random.default_rng(1)))
    assert mine[0, 0] == pytest.approx(-np.log2(12376))  # S leads, nothing seen
    # N replies to QC*: S holds the king, and 4 of the other 15 unseen cards.
    assert his[0, 0] == pytest.approx(-np.log2(1365))
    for bits in (mine, his):
        assert (bits[:, 0] == bits[:, 1]).all()
        assert (bits[:, 0] == bits[:, 2]).all()
        assert (bits[:, 0] < 0).all()  # where counting leaves one hand there is nothing to read
    assert len(mine) < 13  # eleven cards and an exchange


def test_an_exchange_is_a_decision() -> None:
    record = parse_record(lines("f1")[0])
    seen = Session.from_record(record, "S", "counting", at=0)
    decided = 0
    for event in eyes(record, Seat.S).events:
        laid = event.action.kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE)
        decided += event.seat == Seat.S and laid and len(seen.belief().hands) > 1
        seen.observe(event)
    assert len(score(record, "counting", np.random.default_rng(1))[Seat.S].bits) == decided
    assert any(event == Event(Seat.S, EXCHANGE) for event in record.events)


def test_the_marginals_belong_to_the_model_and_count_the_cards_held() -> None:
    record = parse_record(lines("f1")[0])
    found = score(record, "uniform", np.random.default_rng(1))[Seat.S]
    session = Session.from_record(record, "S", "uniform", at=0)
    n_hidden = session.tracker.view.unseen.bit_count()
    assert found.n_cards[0] == n_hidden
    assert found.p[:n_hidden] == pytest.approx(6 / 17)
    assert found.held[:n_hidden].sum() == 6
    assert ((found.p > 0) & (found.p < 1)).all()  # cards that counting places are left out
    for sums in found.p.T:
        assert sums.sum() == pytest.approx(found.held.sum())  # all hold the rest of a hand


@pytest.mark.parametrize("name", ["uniform", "logit"])
def test_a_model_knows_most_about_its_own_kind(name: str) -> None:
    """The mean log-probability of the truth is greatest under the policy that made the deals."""
    deals = list(simulate(PRESETS["schnapsen"], 60, 3, (name, name)))
    found = {model: evaluate(deals, model, seed=1) for model in ("uniform", "logit")}
    own = found.pop(name)
    assert own.gain > max(other.gain for other in found.values())
    assert own.bits[1] - own.bits[0] == pytest.approx(own.gain)
    assert own.interval[0] < own.gain < own.interval[1]


def test_logit_reads_its_own_kind_better_than_counting_cards() -> None:
    deals = [parse_record(line) for name in PRESETS for line in lines(name)[:6]]
    assert evaluate(deals, "logit").interval[0] > 0


def test_counting_gains_nothing_over_itself() -> None:
    found = evaluate([parse_record(line) for line in lines("schnapsen")[:3]], "counting")
    assert found.gain == 0
    assert found.interval == (0, 0)


def test_the_interval_is_over_deals() -> None:
    record = parse_record(lines("f1")[0])
    one = score(record, "counting", np.random.default_rng(1))[Seat.S]
    bits = [np.array([[0.0, gain, 0.0]]).repeat(n, axis=0) for gain, n in ((1.0, 1), (0.0, 3))]
    found = summary([[one._replace(bits=each)] for each in bits], np.random.default_rng(1))
    assert found.gain == 0.5  # each deal counts once, however long
    assert found.interval == (0, 1)  # a resample may be the same deal twice


def test_calibration_counts_every_card_once(rng: np.random.Generator) -> None:
    p = rng.random(20_000)
    table = by_tenths(p, rng.random(20_000) < p)
    assert [n for n, _, _ in table] == np.histogram(p, bins=10, range=(0, 1))[0].tolist()
    for low, (_, mean, held) in zip(count(0.0, 0.1), table, strict=False):
        assert low < mean < low + 0.1
        assert held == pytest.approx(mean, abs=0.05)
    assert by_tenths(np.array([1.0, 0.0]), np.array([True, False]))[9] == (1, 1.0, 1.0)


def test_probabilities_that_are_too_sure_are_found_out(rng: np.random.Generator) -> None:
    p = rng.uniform(0.1, 0.9, 20_000)
    held = rng.random(20_000) < p
    sure = p**2 / (p**2 + (1 - p) ** 2)  # twice the log-odds
    assert slope(p, held) == pytest.approx(1.0, abs=0.05)
    assert slope(sure, held) == pytest.approx(0.5, abs=0.03)
    assert ece(p, held) < 0.02 < ece(sure, held)


def test_only_complete_deals_are_evaluated() -> None:
    deal = json.loads(lines("f1")[0])
    del deal["talon"]
    with pytest.raises(NotationError, match="the talon"):
        evaluate([parse_record(deal)])
    with pytest.raises(NotationError, match="no decision"):
        evaluate([])
