"""docs/rules.md section 8, line by line: who acts, and the lists of legal actions in order."""

import random

from table import (
    NINES,
    TALON,
    N,
    S,
    beside,
    each_closing,
    each_preset,
    ends,
    follow,
    listed,
    midway,
    refused,
    rules,
)

from inference.cards import Card, cards
from inference.errors import InferenceError
from inference.game.entries import check
from inference.game.events import CLAIM, CLOSE, EXCHANGE, UNSEEN_DRAW, Event, Kind, announce, play
from inference.game.position import Position, View
from inference.game.rules import PRESETS, parse_rules
from inference.game.state import SEATS
from tests.twin import rules_of


@each_preset
def test_8_1_the_seat_to_act(name: str) -> None:
    start = midway(name, "KS QD", "AS JC", TALON)
    led = follow(start, "S:KS")
    assert (start.public.to_act, led.public.to_act) == (S, N)
    taken = follow(led, "N:AS")
    assert (taken.public.to_draw, taken.public.to_act) == ((N, S), N)
    begun = taken.public.after(taken.drawn()[0])
    assert (begun.to_draw, begun.to_act) == ((S,), N)
    assert follow(taken, "+").public.to_act == N


@each_preset
def test_8_2_a_leaders_list(name: str) -> None:
    low = "9H" if name in NINES else "JH"
    house = rules(name, claim="declared", close=True, must_lead_king=False, close_min_stock=2)
    hand = f"KC QC AD {low} TS JS"
    start = midway(house, hand, "KS QS TH AS TD KD", "AC TC JC KH", points=(70, 0))
    assert listed(start) == f"TS JS {low} AD KC KC* QC QC* x c !"
    preset = listed(start._replace(public=start.public._replace(rules=PRESETS[name]))).split()
    assert [action for action in listed(start).split() if action in preset] == preset


@each_preset
def test_8_2_a_followers_list(name: str) -> None:
    low = "9H" if name in NINES else "JH"
    start = midway(rules(name, xchg_when="turn"), "KS QS JC", f"AD {low} AS TS", TALON)
    assert listed(follow(start, "S:KS")) == f"AS TS {low} AD x"
    strict = midway(name, "KS QS JC", f"AD {low} AS TS")
    assert listed(follow(strict, "S:KS")) in ("AS TS", f"AS TS {low} AD")
    assert listed(follow(strict, "S:JC")) == low


@each_closing
def test_8_3_while_a_round_of_drawing_is_due(name: str) -> None:
    start = midway(name, "AS QD", "KS JC", TALON, points=(50, 20))
    house = rules(name, close_before_draw=True, claim="declared", close_min_stock=2)
    open_house = start._replace(public=start.public._replace(rules=house))
    assert listed(follow(open_house, "S:AS N:KS")) == "+ c"
    rich = open_house._replace(public=open_house.public._replace(points=(51, 20)))
    assert listed(follow(rich, "S:AS N:KS")) == "+ c !"
    before = name in ("sechsundsechzig", "bicycle")
    assert listed(follow(start, "S:AS N:KS")) == ("+ c" if before else "+")


@each_preset
def test_8_4_the_other_has_actions_at_two_moments_only(name: str) -> None:
    low = "9H" if name in NINES else "JH"
    start = midway(
        rules(name, claim="declared"), "KS QS JC", f"AD {low} TS", TALON, points=(50, 80)
    )
    assert beside(start) == ""
    assert beside(follow(start, "S:KS")) == ""
    assert beside(follow(start, "S:KS N:AD")) == ""
    assert beside(follow(start, "S:KS*")) == "!"
    closing = rules(name, close=True, xchg_on_opp_close=True, xchg_min_stock=2, close_min_stock=2)
    closed = follow(start._replace(public=start.public._replace(rules=closing)), "S:c")
    assert beside(closed) == "x"


LISTED = {Kind.PLAY, Kind.ANNOUNCE, Kind.EXCHANGE, Kind.CLOSE, Kind.CLAIM, Kind.DRAW}


@each_preset
def test_8_5_endings_are_entries_that_no_list_has(name: str) -> None:
    """At every moment of random deals either seat may enter them; a list has none of them."""
    rng = random.Random(name)
    for _ in range(20):
        position = Position.deal(rules(name, claim="declared"), rng.choice(SEATS), rng)
        while not position.public.over:
            some = [*position.legal_actions(), *position.other_actions()]
            assert {action.kind for action in some} <= LISTED
            for seat in SEATS:
                shown = [f"={card}" for card in cards(position.hands[seat])]
                for ending in ("/", "r", "z", *shown):
                    assert refused(position, f"{seat}:{ending}") == ""
            quiet = [a for a in position.legal_actions() if a.kind != Kind.CLAIM]
            position = position.play(rng.choice(quiet))


@each_preset
def test_8_5_a_false_claim_is_not_listed_but_accepted(name: str) -> None:
    after = follow(midway(name, "AS QD", "KS JC", TALON), "S:AS N:KS")
    assert "!" not in listed(after).split()
    assert refused(after, "S:!") == ""
    assert ends(follow(after, "S:!"))[0] == N


EVERYTHING = [*map(play, Card), *(announce(card) for card in Card if card.is_marriage)]
EVERYTHING += [EXCHANGE, CLOSE, CLAIM]


def accepts(view: View, event: Event) -> bool:
    try:
        check(view, event, {})
    except InferenceError:
        return False
    return True


@each_preset
def test_8_4_an_entry_is_accepted_where_the_lists_have_it(name: str) -> None:
    """My own entries are accepted exactly then; the other's must be, as his hand is hidden."""
    rng = random.Random(name)
    houses = [parse_rules(rules_of(rng)) for _ in range(10)]
    for what in [*(rules(name, claim="declared") for _ in range(5)), *houses]:
        position = Position.deal(what, rng.choice(SEATS), rng)
        while not position.public.over:
            for seat in SEATS:
                mine, his = position.view(seat), position.view(SEATS[1 - seat])
                listed = set(mine.legal_actions())
                listed |= {CLAIM} if position.public.is_claimant(seat) else set()
                events = [Event(seat, action) for action in EVERYTHING]
                assert {e.action for e in events if accepts(mine, e)} == listed - {UNSEEN_DRAW}
                assert {e.action for e in events if accepts(his, e)} >= listed - {UNSEEN_DRAW}
            quiet = [a for a in position.legal_actions() if a.kind != Kind.CLAIM]
            position = position.play(rng.choice(quiet))
