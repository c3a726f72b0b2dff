"""What the logit reads into a play, and that it plays like somebody who knows the game."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import inference.solve.encode as e
from inference import belief, opponents
from inference.cards import Card, Seat, parse_card, parse_hand
from inference.game.events import CLOSE, Event
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules, parse_rules
from inference.game.scoring import Closed
from inference.game.state import PublicState, other

LOGIT, COUNTING, UNIFORM = (opponents.load(name) for name in ("logit", "counting", "uniform"))
S, N = Seat.S, Seat.N
CLOSING = [name for name, rules in PRESETS.items() if rules.close]

Holds = Callable[[int], bool]


# -- what a play tells ----------------------------------------------------------------------------


def lead(rules: Rules, leader: Seat, gone: str, **facts: Any) -> PublicState:
    """Return a lead after some tricks; the jack of hearts is turned up."""
    played = parse_hand(gone)
    n = played.bit_count()
    start = PublicState.deal(rules, leader, Card.HJ)
    return start._replace(**{"played": played, "talon": rules.talon - n, **facts})


def odds(model: opponents.Model, public: PublicState, column: int, holds: Holds) -> float:
    """Return the odds that N's hand is of some kind after what he did, seen from S."""
    mine = parse_hand("AS TS KH QH JC JD" if public.rules.hand == 6 else "AS TS KH QH JC")
    unseen = public.rules.pack & ~(mine | Card.HJ.mask | public.played)
    prior = belief.prior(unseen, public.held[N], public.known[N])
    after = belief.condition(prior, model.likelihood(public, N, prior.hands, column))
    kind = np.array([holds(hand) for hand in after.hands.tolist()])
    p = float(after.weights[kind, 0].sum())
    return p / (1 - p)


def lowered(public: PublicState, column: int, holds: Holds) -> float:
    """Return by which factor the logit lowers those odds, against card counting."""
    return odds(COUNTING, public, column, holds) / odds(LOGIT, public, column, holds)


def all_of(text: str) -> Holds:
    mask = parse_hand(text)
    return lambda hand: hand & mask == mask


SECOND = {"gone": "JS KS", "tricks": (0, 1), "points": (0, 6)}
"""N took the first trick."""


@pytest.mark.parametrize("card", ["9C", "9S", "TC", "QD"])
def test_a_lead_without_the_exchange_speaks_against_the_low_trump(card: str) -> None:
    public = lead(PRESETS["sixty-six"], N, **SECOND)
    assert lowered(public, parse_card(card), all_of("9H")) >= 5
    trickless = public._replace(tricks=(1, 0))  # then he may not exchange
    assert lowered(trickless, parse_card(card), all_of("9H")) < 1.5


def test_a_reply_without_the_exchange_speaks_against_the_low_trump() -> None:
    facts = {"gone": "JS KS QC 9C", "tricks": (1, 1), "points": (3, 6)}
    public = lead(PRESETS["sixty-six"], S, **facts).after(Event(S, e.column_action(Card.DJ)))
    assert lowered(public, Card.D9, all_of("9H")) >= 1.5
    only_on_lead = parse_rules({"base": "sixty-six", "xchg_when": "lead"})
    assert lowered(public._replace(rules=only_on_lead), Card.D9, all_of("9H")) < 1.5


def test_a_close_left_unanswered_speaks_against_the_low_trump() -> None:
    public = lead(PRESETS["sechsundsechzig"], S, "").after(Event(S, CLOSE))
    assert lowered(public, e.COLUMN_SILENCE, all_of("9H")) >= 5


@pytest.mark.parametrize("name", PRESETS)
def test_a_king_led_unannounced_speaks_against_its_queen(name: str) -> None:
    assert lowered(lead(PRESETS[name], N, **SECOND), Card.DK, all_of("QD")) >= 5


STRONG = all_of("AH TH AD")
AHEAD = {
    "gone": "KD JS TC QS",
    "known": (0, Card.DQ.mask),
    "tricks": (0, 2),
    "points": (0, 39),
}
"""N led the king of diamonds with 20, then the ten of clubs; both held."""


@pytest.mark.parametrize("name", CLOSING)
def test_not_closing_speaks_against_a_hand_that_wins_outright(name: str) -> None:
    public = lead(PRESETS[name], N, **AHEAD)
    no_closing = public._replace(rules=parse_rules({"base": name, "close": False}))
    assert lowered(public, Card.CQ, STRONG) >= 1.5
    assert odds(LOGIT, no_closing, Card.CQ, STRONG) / odds(LOGIT, public, Card.CQ, STRONG) >= 1.5


def test_drawing_without_closing_speaks_against_a_hand_that_wins_outright() -> None:
    facts = {**AHEAD, "held": (5, 5), "to_draw": (N, S)}
    public = lead(PRESETS["bicycle"], N, **facts)._replace(talon=10)
    assert lowered(public, e.COLUMN_SILENCE, STRONG) >= 1.5


def test_a_card_that_any_hand_would_play_says_little() -> None:
    public = lead(PRESETS["schnapsen"], N, "")
    last = public._replace(talon=0, upcard=None, held=(1, 1), tricks=(5, 4))
    hands = np.array([Card.SA.mask, Card.S9.mask], dtype=np.uint32)
    assert LOGIT.likelihood(last, N, hands, Card.SA).tolist() == [1.0, 0.0]


# -- how it plays ---------------------------------------------------------------------------------


def chance(public: PublicState, hand: str, actions: str) -> float:
    """Return the probability that N does one of some actions with a hand."""
    policy = LOGIT.policy(public, N, np.array([parse_hand(hand)], dtype=np.uint32))[0]
    signs = {"x": e.COLUMN_EXCHANGE, "c": e.COLUMN_CLOSE, "!": e.COLUMN_CLAIM}
    return float(sum(policy[signs.get(a) or column(a)] for a in actions.split()))


def column(text: str) -> int:
    card = parse_card(text.removesuffix("*"))
    return e.COLUMN_ANNOUNCE + 2 * card.suit + card.rank - 2 if "*" in text else int(card)


def asked(rules: Rules, card: Card) -> PublicState:
    """Return the state in which N answers a lead to trick 3."""
    facts = {"gone": "JS KS JC 9C", "tricks": (1, 1), "points": (2, 6)}
    return lead(rules, S, **facts).after(Event(S, e.column_action(card)))


IN_66, IN_SCHNAPSEN = PRESETS["sixty-six"], PRESETS["schnapsen"]


def test_it_exchanges_and_announces_nearly_always() -> None:
    public = lead(IN_66, N, **SECOND)
    assert chance(public, "9H AS KD 9D TC JC", "x") > 0.9
    assert chance(public, "9H AS KD QD TC JC", "x") > 0.85
    assert chance(public, "AH AS KD QD TC JC", "KD* QD*") > 0.9
    assert chance(public, "AH AS KD QD TC JC", "KD QD") < 0.01


def test_it_claims_what_it_has() -> None:
    public = lead(IN_SCHNAPSEN, N, "JS KS TC TS", tricks=(0, 2), points=(0, 70))
    assert chance(public, "AS KD QD TD AC", "!") > 0.975
    drawing = public._replace(to_draw=(N, S), held=(4, 4))
    assert chance(drawing, "AS KD QD TD", "!") > 0.975


def test_it_closes_with_strong_hands_only() -> None:
    behind = lead(IN_SCHNAPSEN, N, **SECOND)
    assert chance(behind, "QH AS JD QD TC", "c") < 0.01
    ahead = lead(IN_SCHNAPSEN, N, **AHEAD)
    assert chance(ahead, "AH TH AD QD AC", "c") > 0.8
    assert chance(ahead, "KC QH QD QC AC", "c") < 0.2


def test_it_takes_tens_with_aces_and_trumps() -> None:
    assert chance(asked(IN_66, Card.DT), "AD QC KS QH JD TS", "AD QH") > 0.95
    assert chance(asked(IN_66, Card.DT), "AC QC KS QH 9S TS", "QH") > 0.8


def test_it_throws_low_cards_on_worthless_leads() -> None:
    low = chance(asked(IN_66, Card.D9), "AC QC QS AH 9S TS", "9S QC QS")
    assert low > 0.85
    assert chance(asked(IN_66, Card.D9), "AC QC QS AH 9S TS", "9S") > 0.5
    assert chance(asked(IN_66, Card.D9), "AC KC QC AH 9S TS", "KC QC") < 0.1


def test_it_keeps_trumps_aces_and_tens_on_lead_while_the_talon_lasts() -> None:
    public = lead(IN_66, N, "JS KS", tricks=(1, 0), points=(6, 0))
    assert chance(public, "AC TD QS AH QH 9D", "AC TD AH QH") < 0.15


def test_it_leads_from_the_top_after_closing() -> None:
    public = lead(IN_SCHNAPSEN, N, **AHEAD)._replace(closed=Closed(N, 0, 0))
    assert chance(public, "AH TH AD QD QC", "AH TH AD") > 0.9


def play_out(position: Position, players: tuple[Any, Any], rng: np.random.Generator) -> int:
    """Let two models play a deal; return the game points of S."""
    while not position.public.over:
        public = position.public
        seat = public.to_act
        if public.may_answer_close() or position.other_actions():
            position = beside(position, players, rng)
            public = position.public
            if public.over:
                break
        action = pick(position, seat, players[seat], rng)
        position = position.play(action, seat)
    return position.public.payoff[S]


def beside(position: Position, players: tuple[Any, Any], rng: np.random.Generator) -> Position:
    seat = other(position.public.to_act)
    action = pick(position, seat, players[seat], rng)
    silent = action == e.column_action(e.COLUMN_SILENCE)
    return position if silent else position.play(action, seat)


def pick(position: Position, seat: Seat, model: Any, rng: np.random.Generator) -> Any:
    hand = np.array([position.hands[seat]], dtype=np.uint32)
    p = model.policy(position.public, seat, hand)[0]
    return e.column_action(int(rng.choice(e.N_ACTIONS, p=p / p.sum())))


@pytest.mark.parametrize("name", ["sixty-six", "sechsundsechzig", "schnapsen"])
def test_it_beats_the_random_player(name: str, rng: np.random.Generator) -> None:
    gains = []
    for i in range(40):
        position = Position.deal(PRESETS[name], Seat(i % 2), rng)
        gains.append(play_out(position, (LOGIT, UNIFORM), rng))
        gains.append(-play_out(position, (UNIFORM, LOGIT), rng))
    assert np.mean(gains) > 0.8
