"""Set up positions in one line and play events on them, written as in the text form."""

from typing import Any

import pytest

from inference.cards import Card, Seat, Suit, mask_of, parse_card, parse_hand, show
from inference.errors import IllegalActionError
from inference.game.entries import check
from inference.game.events import Kind
from inference.game.notation import parse_action, parse_event
from inference.game.position import Position
from inference.game.rules import PRESETS, Rules, parse_rules
from inference.game.scoring import Closed
from inference.game.state import PublicState

S, N = Seat.S, Seat.N
NAMES = tuple(PRESETS)
NINES = tuple(name for name in NAMES if PRESETS[name].cards == 24)
CLOSING = tuple(name for name in NAMES if PRESETS[name].close)
DECLARED = tuple(name for name in NAMES if PRESETS[name].claim == "declared")
AUTOMATIC = tuple(name for name in NAMES if PRESETS[name].claim == "automatic")

each_preset = pytest.mark.parametrize("name", NAMES)
each_closing = pytest.mark.parametrize("name", CLOSING)

FREE = {Kind.CLAIM, Kind.GIVE_UP, Kind.ABANDON, Kind.REVOKE, Kind.KNOWN}
"""What the table accepts although no list of legal actions has it."""

TALON = "QC TC KC TH"
"""A talon that nobody looks at."""


def rules(base: str, **changes: Any) -> Rules:
    """Return a preset with some cells changed."""
    return parse_rules({"base": base, **changes})


def in_order(text: str) -> list[Card]:
    return [parse_card(piece) for piece in text.split()]


def fresh(what: Rules | str, leader: Seat, s: str, n: str, talon: str) -> Position:
    """Deal given cards: the hands of S and N, and the talon in draw order, upcard last."""
    return Position.of(parse_rules(what), leader, (in_order(s), in_order(n)), in_order(talon))


def midway(
    what: Rules | str,
    s: str,
    n: str,
    talon: str = "",
    leader: Seat = S,
    trump: str = "H",
    **facts: Any,
) -> Position:
    """Set up a lead in mid-deal; every card that nobody holds has been played.

    The talon (upcard last) may be empty. Both seats have a trick and no points unless `facts`,
    which are fields of `PublicState`, say otherwise.
    """
    mine, his, stock = parse_hand(s), parse_hand(n), tuple(in_order(talon))
    held = (mine.bit_count(), his.bit_count())
    left = mine | his | mask_of(stock)
    facts = {"tricks": (1, 1), **facts}
    upcard = stock[-1] if stock else None
    suit = Suit[trump] if upcard is None else upcard.suit
    value = parse_rules(what)
    played = value.pack & ~left
    public = PublicState(value, suit, upcard, len(stock), leader, held, played=played, **facts)
    return Position(public, (mine, his), stock)


def follow(position: Position, events: str) -> Position:
    """Play events such as `S:KH* N:9C +`; every one must be on the lists of legal actions."""
    for event in events.split():
        mine = ":" not in event
        seat, text = (position.public.to_act, event) if mine else (Seat[event[0]], event[2:])
        done = parse_action(text)
        options = listed(position) if seat == position.public.to_act else beside(position)
        assert done.kind in FREE or text in options.split(), f"{event} is not one of: {options}"
        position = position.play(done, seat)
    return position


def listed(position: Position) -> str:
    """Write the legal actions of the seat to act."""
    return " ".join(map(str, position.legal_actions()))


def beside(position: Position) -> str:
    """Write the actions of the seat that is not to act."""
    return " ".join(map(str, position.other_actions()))


def ends(position: Position) -> tuple[Seat | None, int]:
    """Return who won a finished deal and how many game points."""
    assert position.public.outcome is not None, "the deal is not over"
    return position.public.outcome[:2]


def refused(position: Position, event: str) -> str:
    """Return the line of the rule that an event breaks, nothing if it is accepted."""
    entry = parse_event(event)
    try:
        check(position.view(entry.seat), entry, {})
    except IllegalActionError as error:
        return error.line
    return ""


def hands(position: Position) -> tuple[str, str]:
    """Write the hands of S and N."""
    return show(position.hands[S]), show(position.hands[N])


def taking(
    what: Any, mine: int, his: int = 40, tricks: tuple[int, int] = (3, 3), **facts: Any
) -> Position:
    """Set up a trick of 13 points that S takes: he has `mine` after it, and cards are left."""
    talon = TALON if facts.get("closed") is None else "TC TH"
    facts = {"points": (mine - 13, his), "tricks": (tricks[0] - 1, tricks[1]), **facts}
    start = midway(what, "AS KD QD", "JS JD AD", talon, **facts)
    return follow(start, "S:AS N:JS")


def out(
    what: Any, mine: int, his: int = 40, tricks: tuple[int, int] = (3, 3), **facts: Any
) -> Position:
    """Let S go out after a trick, by a claim where it takes one."""
    position = taking(what, mine, his, tricks, **facts)
    return position if position.public.over else follow(position, "S:!")


def last(
    what: Any, mine: int, his: int, *, by: Seat = S, closed: Closed | None = None, **facts: Any
) -> Position:
    """Play the last trick, worth 5, to the seat `by`; the points given are those before it."""
    s, n = ("QD", "JD") if by == S else ("JD", "QD")
    facts = {"tricks": (5, 6), "points": (mine, his), "closed": closed, **facts}
    return follow(midway(what, s, n, "" if closed is None else "TC TH", **facts), f"S:{s} N:{n}")
