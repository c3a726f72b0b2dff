"""What hypothesis draws: rule sets, events, random deals at a lead, arbitrary JSON."""

from random import Random

from hypothesis import strategies as st

from inference.cards import Card, Seat, Suit
from inference.game.events import MOON, Action, Event, Kind
from inference.game.position import Position
from inference.game.rules import PARAMETERS, PRESETS, Rules, allowed, parse_rules

cards = st.sampled_from(Card)
suits = st.sampled_from(Suit)
two_seats = st.sampled_from([Seat.S, Seat.N])
masks = st.sets(cards, min_size=1).map(lambda some: sum(card.mask for card in some))
bare = st.sampled_from(list("xc!/zr+")).map(lambda mark: Action(Kind(mark)))
laid_or_drawn = st.sampled_from([Kind.PLAY, Kind.ANNOUNCE, Kind.AGAINST, Kind.DRAW])
with_a_card = st.tuples(laid_or_drawn, cards).map(lambda pair: Action(*pair))
with_cards = st.tuples(st.sampled_from([Kind.KNOWN, Kind.WIDOW]), masks).map(
    lambda pair: Action(pair[0], mask=pair[1])
)
bids = st.sampled_from([MOON, *range(10)]).map(lambda number: Action(Kind.BID, number=number))
trumps = suits.map(lambda suit: Action(Kind.TRUMP, number=int(suit)))
actions = st.one_of(bare, with_a_card, with_cards, bids, trumps)


def events(seats: st.SearchStrategy[Seat]) -> st.SearchStrategy[Event]:
    return st.tuples(seats, actions).map(lambda pair: Event(*pair))


def _house(base: str, changes: dict[str, object]) -> Rules:
    """Make house rules; a pack of 20 exchanges the jack."""
    if changes.get("cards", PRESETS[base].cards) == 20:
        changes = changes | {"xchg_card": "J"}
    return parse_rules({"base": base, **changes})


rule_sets = st.builds(
    _house,
    st.sampled_from(sorted(PRESETS)),
    st.fixed_dictionaries({}, optional={k: st.sampled_from(allowed(k)) for k in PARAMETERS}),
)
shufflers = st.integers(0, 2**32 - 1).map(Random)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


def random_deal(rules: Rules, rng: Random) -> list[tuple[Position, Event]]:
    """Play a deal at random: each position with the event that follows it."""
    position = Position.deal(rules, rng.choice([Seat.S, Seat.N]), rng)
    played = []
    while not position.public.over:
        seat, action = position.public.to_act, rng.choice(position.legal_actions())
        if answers := position.other_actions():
            seat, action = rng.choice([(seat, action), (Seat(1 - seat), rng.choice(answers))])
        played.append((position, Event(seat, action)))
        position = position.play(action, seat)
    return played


def is_a_lead(position: Position) -> bool:
    return position.public.led is None and not position.public.to_draw


def written(played: list[tuple[Position, Event]]) -> tuple[Event, ...]:
    """List the events of a complete record, both draws of a round of drawing included."""
    found: list[Event] = []
    for position, event in played:
        found += position.drawn() if event.action.kind == Kind.DRAW else [event]
    return tuple(found)
