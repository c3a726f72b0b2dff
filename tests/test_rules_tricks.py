"""docs/rules.md sections 1 and 3, line by line: pack, deal, tricks, open and strict phase."""

import random
from itertools import permutations

import pytest
from table import NINES, N, S, each_closing, each_preset, follow, hands, listed, midway, rules

from inference.cards import Card, Seat, Suit, cards, show
from inference.cards import points as points_of
from inference.game.position import Position
from inference.game.rules import PRESETS
from inference.game.scoring import Closed
from inference.game.state import SEATS, beats, other


def dealt(name: str, leader: Seat = S) -> Position:
    return Position.deal(PRESETS[name], leader, random.Random(name))


@each_preset
def test_1_1_two_players(name: str) -> None:
    assert SEATS == (Seat.S, Seat.N)
    assert [other(seat) for seat in SEATS] == [N, S]
    assert len(dealt(name).hands) == 2


@each_preset
def test_1_2_pack(name: str) -> None:
    pack = cards(PRESETS[name].pack)
    ranks = "AKQJT" if "schnapsen" in name else "AKQJT9"
    assert {str(card) for card in pack} == {rank + suit for rank in ranks for suit in "SHDC"}
    assert len(pack) == PRESETS[name].cards


def test_1_3_order_and_points() -> None:
    ordered = ["AC", "TC", "KC", "QC", "JC", "9C"]
    clubs = [card for card in Card if card.suit == Suit.C]
    assert [str(card) for card in sorted(clubs, reverse=True)] == ordered
    assert [card.points for card in sorted(clubs, reverse=True)] == [11, 10, 4, 3, 2, 0]
    assert {points_of(rules.pack) for rules in PRESETS.values()} == {120}


@each_preset
def test_1_4_deal(name: str) -> None:
    rules, position = PRESETS[name], dealt(name)
    public = position.public
    assert [hand.bit_count() for hand in position.hands] == [rules.hand] * 2 == [*public.held]
    assert len(position.talon) == public.talon == rules.talon == rules.cards - 2 * rules.hand
    assert public.upcard == position.talon[-1]
    assert public.trump == position.talon[-1].suit
    assert rules.talon == (10 if "schnapsen" in name else 12)


@each_preset
@pytest.mark.parametrize("leader", SEATS)
def test_1_5_forehand_leads_to_trick_1(name: str, leader: Seat) -> None:
    position = dealt(name, leader)
    assert position.public.to_act == leader
    lead = position.legal_actions()[0]
    assert position.play(lead).public.to_act == other(leader)


def winner_by_words(led: str, reply: str, trump: str) -> str:
    if led[1] == reply[1]:
        return max(led, reply, key=lambda card: "9JQKTA".index(card[0]))
    if (led[1] == trump) != (reply[1] == trump):
        return led if led[1] == trump else reply
    return led


@pytest.mark.parametrize("trump", Suit)
def test_3_1_who_wins_a_trick(trump: Suit) -> None:
    for led, reply in permutations(Card, 2):
        winner = winner_by_words(str(led), str(reply), trump.name)
        assert beats(reply, led, trump) == (winner == str(reply)), (led, reply)


@each_preset
def test_3_2_winner_counts_both_cards_and_leads(name: str) -> None:
    start = midway(name, "KS QD", "AS JC", "AC TD KD JH")
    public = follow(start, "S:KS N:AS").public
    assert (public.points, public.tricks) == ((0, 15), (1, 2))
    assert follow(start, "S:KS N:AS +").public.to_act == N
    public = follow(start, "S:KS N:JC").public
    assert (public.points, public.tricks) == ((6, 0), (2, 1))
    assert follow(start, "S:KS N:JC +").public.to_act == S


@pytest.mark.parametrize("name", NINES)
def test_3_2_two_nines_are_a_trick_worth_nothing(name: str) -> None:
    start = midway(name, "9S QD", "9C JC", "AC TD KD JH", tricks=(0, 0))
    public = follow(start, "S:9S N:9C").public
    assert (public.points, public.tricks) == ((0, 0), (1, 0))


@each_preset
def test_3_3_round_of_drawing(name: str) -> None:
    start = midway(name, "KS QD", "AS JC", "AC TD KD JH")
    due = follow(start, "S:KS N:AS")
    assert (due.public.to_draw, due.public.to_act) == ((N, S), N)
    assert listed(due).split()[0] == "+"
    after = follow(due, "+")
    assert hands(after) == ("TD QD", "AC JC")
    assert [str(card) for card in after.talon] == ["KD", "JH"]
    assert (after.public.talon, after.public.held, after.public.to_draw) == (2, (2, 2), ())
    assert str(after.public.upcard) == "JH"


@each_preset
def test_3_3_the_other_takes_the_upcard(name: str) -> None:
    last = follow(midway(name, "KS QD", "AS JC", "KD QH"), "S:KS N:AS +")
    assert hands(last) == ("QH QD", "KD JC")
    assert (last.public.talon, last.public.upcard, last.talon) == (0, None, ())
    assert last.public.strict
    assert [show(mask) for mask in last.public.known] == ["QH", ""]


@each_preset
@pytest.mark.parametrize("order", [(N, S), (S, N)])
def test_3_3_the_upcard_goes_to_the_loser_in_whatever_order_draws_are_entered(
    name: str, order: tuple[Seat, Seat]
) -> None:
    due = follow(midway(name, "KS QD", "AS JC", "KD QH"), "S:KS N:AS")
    public, draws = due.public, {event.seat: event for event in due.drawn()}
    for seat in order:
        public = public.after(draws[seat])
    assert [show(mask) for mask in public.known] == ["QH", ""]


@each_closing
def test_3_3_nobody_draws_after_a_close(name: str) -> None:
    start = midway(name, "KS QD", "AS JC", "AC TD KD JH")
    after = follow(start, "S:c S:KS N:AS")
    assert (after.public.to_draw, after.public.held, after.public.talon) == ((), (1, 1), 4)
    assert listed(after) == "JC"


@each_preset
def test_3_4_open_phase_any_card_may_answer(name: str) -> None:
    start = midway(name, "TD KC QH", "AD TS KH JH JC", "AC TC KD AH")
    for lead in ("TD", "KC", "QH"):
        assert listed(follow(start, f"S:{lead}")).split() == ["TS", "KH", "JH", "AD", "JC"]


STRICT = [
    # led, hand, allowed where the follower must head, allowed where he need not
    ("TD", "AD JD KH JC", "AD", "AD JD"),
    ("AD", "TD JD KH JC", "TD JD", "TD JD"),
    ("QD", "AD TD JD KH", "AD TD", "AD TD JD"),
    ("QH", "TH JH AS JC", "TH", "TH JH"),
    ("KH", "QH JH AS JC", "QH JH", "QH JH"),
    ("KC", "AC TC QC QH", "AC TC", "AC TC QC"),
]


def answers(position: Position, lead: str) -> str:
    return listed(follow(position, f"S:{lead}")).removesuffix(" x")


@each_preset
@pytest.mark.parametrize(("led", "hand", "heading", "free"), STRICT)
def test_3_5_strict_phase_follow_suit(
    name: str, led: str, hand: str, heading: str, free: str
) -> None:
    allowed = heading if PRESETS[name].strict_head else free
    lead = f"{led} AS" if "AS" not in hand else f"{led} KS"
    assert sorted(answers(midway(name, lead, hand), led).split()) == sorted(allowed.split())
    closed = {"closed": Closed(S, 0, 1), "talon": 4, "upcard": Card.HJ}
    position = midway(name, lead, hand)
    bound = position._replace(public=position.public._replace(**closed))
    assert sorted(answers(bound, led).split()) == sorted(allowed.split())


@pytest.mark.parametrize("head", [False, True])
@each_preset
def test_3_5_heading_is_a_parameter(name: str, head: bool) -> None:
    position = midway(rules(name, strict_head=head), "QD JS", "AD JD")
    assert answers(position, "QD") == ("AD" if head else "AD JD")


VOID = [
    # led, hand, allowed where the follower must trump
    ("KC", "QH JH AS", "QH JH"),
    ("KC", "AS TD QS", "AS QS TD"),
    ("AS", "JH KC TD", "JH"),
    ("JH", "AS KC TD", "AS TD KC"),
]


@each_preset
@pytest.mark.parametrize("must", [True, False])
@pytest.mark.parametrize(("led", "hand", "trumping"), VOID)
def test_3_6_strict_phase_void(name: str, must: bool, led: str, hand: str, trumping: str) -> None:
    position = midway(rules(name, strict_trump=must), f"{led} JD QC", hand)
    allowed = trumping if must else hand
    assert sorted(answers(position, led).split()) == sorted(allowed.split())
    if PRESETS[name].strict_trump == must:
        assert answers(midway(name, f"{led} JD QC", hand), led) == answers(position, led)


@each_preset
def test_3_7_ends_when_the_talon_is_gone_and_all_cards_are_played(name: str) -> None:
    before = follow(midway(name, "KS QD", "AD JS", tricks=(4, 4)), "S:KS N:JS S:QD")
    assert not before.public.over
    assert follow(before, "N:AD").public.over


@each_closing
def test_3_7_ends_when_the_talon_is_closed_and_all_cards_are_played(name: str) -> None:
    start = midway(name, "KS QD", "AD JS", "AC TC KD AH")
    before = follow(start, "S:c S:KS N:JS S:QD")
    assert not before.public.over
    assert follow(before, "N:AD").public.over


@each_preset
def test_3_7_does_not_end_while_cards_are_left_to_draw(name: str) -> None:
    after = follow(midway(name, "KS", "JS", "TC AH"), "S:KS N:JS")
    assert not after.public.over
    assert follow(after, "+").public.to_act == S
    assert hands(follow(after, "+")) == ("TC", "AH")
