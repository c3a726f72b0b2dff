"""The solver against its slow twins, and what holds of any exact value."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import inference.solve.layout as m
from inference.cards import Card, Seat, Suit, cards, mask_of, parse_hand
from inference.game.events import CLAIM, EXCHANGE, play
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules
from inference.game.scoring import Closed
from inference.game.state import PublicState, other
from inference.solve import kernel, solver
from tests.minimax import (
    alpha_beta,
    brute_force,
    main,
    minimax,
    of_solver,
    report,
    vectors,
)
from tests.positions import LARGE, any_rules, house_rules, moved, on_lead, random_positions

ROOT = Path(__file__).resolve().parent.parent


# -- the slow twins ------------------------------------


@pytest.mark.parametrize("batch", range(8))
def test_random_positions_have_the_value_of_plain_minimax(batch: int) -> None:
    mem = solver.memory(12)
    for position in random_positions(250, Random(f"minimax {batch}")):
        assert of_solver(position, mem) == minimax(position, {}), report(position)


def test_the_compiled_twin_is_plain_minimax(rng: np.random.Generator) -> None:
    for position in random_positions(200, Random(1)):
        expected = minimax(position, {})
        assert brute_force(*vectors(position)) == expected, report(position)
        assert alpha_beta(*vectors(position), -3, 3) == expected, report(position)


@pytest.mark.parametrize("hand", [5, 6])
def test_exhausted_endgames_have_the_value_of_brute_force(hand: int) -> None:
    rng, mem = Random(f"exhausted {hand}"), solver.memory(12)
    for _ in range(60):
        position = moved(on_lead(any_rules(rng), hand, 0, False, rng), rng.randrange(2), rng)
        assert of_solver(position, mem) == brute_force(*vectors(position)), report(position)


@pytest.mark.parametrize("batch", range(4))
def test_larger_positions_have_the_value_of_alpha_beta(batch: int) -> None:
    mem = solver.memory(14)
    for position in random_positions(200, Random(f"larger {batch}"), LARGE):
        assert of_solver(position, mem) == alpha_beta(*vectors(position), -3, 3), report(position)


def test_the_driver_compares_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--positions", "300", "--seed", "3"]) == 0
    assert capsys.readouterr().out == "300 positions, 0 differ\n"


def test_the_driver_reports_a_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.minimax.of_solver", lambda position, mem: 7)
    assert main(["--positions", "2", "--seed", "3"]) == 1
    assert "2 positions, 2 differ" in capsys.readouterr().out


# -- cases ------------------------------------


def ending(rules: Rules, s: str, n: str, **facts: object) -> Position:
    """Set up an endgame without a talon, S to lead, hearts trump."""
    hands = (parse_hand(s), parse_hand(n))
    held = hands[0].bit_count()
    played = rules.pack & ~(hands[0] | hands[1])
    public = PublicState(rules, Suit.H, None, 0, Seat.S, (held, held), played=played)
    return Position(public._replace(**facts), hands, ())


def test_a_forced_card_and_a_finished_deal_have_values() -> None:
    position = ending(PRESETS["sixty-six"], "AH", "9C", points=(40, 40), tricks=(6, 5))
    assert solver.action_values(position) == {play(Card.HA): 1}
    over = position.play(play(Card.HA)).play(play(Card.C9))
    assert over.public.over
    assert (solver.value(over), solver.action_values(over)) == (1, {})


def test_equal_cards_have_equal_values() -> None:
    position = ending(PRESETS["sixty-six"], "AH TH", "9C 9D", points=(50, 30), tricks=(5, 5))
    assert solver.action_values(position) == {play(Card.HA): 2, play(Card.HT): 2}


def test_two_nines_are_a_trick() -> None:
    """With 0 points but a trick N loses 2, without one 3 (3.2)."""
    facts = {"points": (57, 0), "tricks": (10, 1)}
    one_trick = ending(PRESETS["sixty-six"], "TH", "9C", **facts)
    none = ending(PRESETS["sixty-six"], "TH", "9C", points=(57, 0), tricks=(11, 0))
    assert (solver.value(one_trick), solver.value(none)) == (2, 3)


def test_an_announcement_that_reaches_66_wins_and_the_plain_lead_loses() -> None:
    position = ending(PRESETS["sixty-six"], "KS QS", "AS 9C", points=(46, 40), tricks=(5, 5))
    values = {str(action): worth for action, worth in solver.action_values(position).items()}
    assert values == {"KS": -1, "KS*": 1, "QS": -1, "QS*": 1}


def test_who_gains_more_from_a_failed_close_does_not_claim() -> None:
    """N closed when S had no trick: the claim is worth 2 (5.5), the failed close 3 (5.6)."""
    closed = Closed(Seat.N, 0, 0)
    facts = {"points": (70, 30), "tricks": (6, 5), "closed": closed, "talon": 0}
    position = ending(PRESETS["sechsundsechzig"], "9C", "AC", **facts)
    assert solver.action_values(position) == {CLAIM: 2, play(Card.C9): 3}
    last = ending(PRESETS["sechsundsechzig"], "AC", "9C", **facts)
    assert solver.action_values(last) == {CLAIM: 2, play(Card.CA): 2}


def test_the_closers_opponent_answers_first() -> None:
    """N, who closed, would win the last trick; S's exchange for the ace of trumps prevents it."""
    rules = PRESETS["sechsundsechzig"]
    hands, talon = (parse_hand("9H AS"), parse_hand("TH AC")), (Card.SJ, Card.HA)
    public = PublicState(
        rules,
        Suit.H,
        Card.HA,
        2,
        Seat.N,
        (2, 2),
        fresh_close=True,
        points=(20, 50),
        tricks=(4, 5),
        closed=Closed(Seat.N, 20, 4),
        played=rules.pack & ~(hands[0] | hands[1] | mask_of(talon)),
    )
    position = Position(public, hands, talon)
    assert position.other_actions() == [EXCHANGE]
    assert solver.value(position) < max(solver.action_values(position).values())


# -- what holds of every value ------------------------------------


def mirrored(position: Position) -> Position:
    """Swap the seats and move every suit to the next one."""
    public = position.public

    def card(old: Card) -> Card:
        return Card((old + 6) % 24)

    def mask(old: int) -> int:
        return mask_of(card(one) for one in cards(old))

    closed = public.closed
    moved_on = public._replace(
        trump=Suit((public.trump + 1) % 4),
        upcard=None if public.upcard is None else card(public.upcard),
        led=None if public.led is None else card(public.led),
        leader=other(public.leader),
        played=mask(public.played),
        closed=None if closed is None else closed._replace(by=other(closed.by)),
        to_draw=tuple(other(seat) for seat in public.to_draw),
        known=(mask(public.known[1]), mask(public.known[0])),
        points=public.points[::-1],
        pending=public.pending[::-1],
        tricks=public.tricks[::-1],
    )
    hands = (mask(position.hands[1]), mask(position.hands[0]))
    return Position(moved_on, hands, tuple(card(one) for one in position.talon))


def test_neither_seats_nor_suits_matter() -> None:
    rng, mem = Random("mirror"), solver.memory(14)
    for position in random_positions(300, rng):
        turned = position
        for _ in range(3):
            turned = mirrored(turned)
            assert solver.value(turned, mem) == solver.value(position, mem), report(position)


def test_the_value_is_that_of_the_best_action() -> None:
    mem = solver.memory(14)
    for position in random_positions(300, Random("best")):
        values = solver.action_values(position, mem)
        assert list(values) == position.legal_actions()
        if not position.other_actions():
            assert max(values.values()) == solver.value(position, mem), report(position)


def test_each_action_is_worth_the_position_after_it() -> None:
    mem = solver.memory(14)
    for position in random_positions(200, Random("after")):
        for action, worth in solver.action_values(position, mem).items():
            following, same = position.play(action), position.public.to_act
            sign = 1 if following.public.to_act == same else -1
            assert worth == sign * solver.value(following, mem), report(position)


def test_what_one_side_wins_the_other_loses_whatever_the_search_knew_before() -> None:
    fresh, used = solver.memory(6), solver.memory(14)
    for position in random_positions(300, Random("memory")):
        state, rules = vectors(position)
        found = set()
        for mem, guess in ((fresh, -3), (used, 1), (used, 3)):
            kernel.load(mem, state, rules)
            found.add(kernel.value(mem, state, guess))
        assert len(found) == 1


# -- worlds and slices ------------------------------------


def worlds(rng: Random, n: int = 12) -> tuple[Rules, np.ndarray, Seat]:
    """Return worlds that the seat to act cannot tell apart."""
    rules = house_rules(rng)
    position = on_lead(rules, 4, 4, False, rng)
    seat = position.public.to_act
    view = position.view(seat)
    states = []
    for _ in range(n):
        unseen = cards(view.unseen)
        rng.shuffle(unseen)
        one = view.determine(mask_of(unseen[view.n_hidden :]), unseen[: view.n_hidden])
        states.append(vectors(one)[0])
    return rules, np.array(states), seat


def test_worlds_are_solved_one_by_one_with_a_shared_table() -> None:
    rng = Random("worlds")
    for _ in range(10):
        rules, states, seat = worlds(rng)
        values = solver.world_values(rules, states, seat)
        alone = [solver.world_values(rules, state[None], seat)[0] for state in states]
        assert np.array_equal(values, alone)
        assert {*np.unique(values)} <= {*range(-3, 4), solver.ILLEGAL}


def test_a_search_in_slices_finds_the_same_and_does_no_work_twice() -> None:
    rng = Random("slices")
    whole, sliced = solver.memory(14), solver.memory(14)
    for _ in range(5):
        rules, states, seat = worlds(rng)
        expected = solver.world_values(rules, states, seat, whole)
        values, n = None, 0
        while values is None or (values == solver.UNSOLVED).any():
            before = sliced[m.NODES]
            values = solver.world_values(rules, states, seat, sliced, nodes=50, out=values)
            assert sliced[m.NODES] - before <= 50
            n += 1
        assert n > 1
        assert np.array_equal(values, expected)
    assert sliced[m.NODES] == whole[m.NODES]


def test_a_paused_search_does_not_disturb_another_question() -> None:
    mem, rng = solver.memory(14), Random("paused")
    rules, states, seat = worlds(rng)
    cut = solver.world_values(rules, states, seat, mem, nodes=20)
    assert (cut == solver.UNSOLVED).any()
    for position in random_positions(20, rng):
        assert of_solver(position, mem) == minimax(position, {})
    assert np.array_equal(
        solver.world_values(rules, states, seat, mem, out=cut),
        solver.world_values(rules, states, seat),
    )


# -- the compiled code ------------------------------------

PROGRAM = """
import sys, types
package = types.ModuleType("inference")  # without its doors, which compile more than the solver
package.__path__ = [sys.argv[1]]
sys.modules["inference"] = package
from random import Random
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.cards import Seat
from inference.solve import solver
deal = Position.deal(PRESETS["schnapsen"], Seat.S, Random(2))
print(solver.value(deal), *(f"{a}:{v}" for a, v in solver.action_values(deal).items()))
"""


def test_compiled_code_is_kept_and_runs_in_a_second_process(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    answers, kept = [], []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(ROOT / "inference")],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(done.stdout)
        kept.append({path.name for path in tmp_path.rglob("*.nbc")})
    assert answers[0] == answers[1] != ""
    assert kept[0] == kept[1]
    assert any("solve_worlds" in name for name in kept[0])
