"""A deal that is set up in the middle: the `start` of a record, and whether it can be true.

A start stands where `leader` is about to lead and all draws are done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from inference.cards import SUIT_LETTERS, Card, Seat, Suit, cards, points, show
from inference.errors import NotationError
from inference.game.fields import (
    as_object,
    card_of,
    count_of,
    counts_of,
    hand_of,
    hands_of,
    only,
    required,
    seat_of,
    text_of,
)
from inference.game.notation import parse_suit
from inference.game.rules import Rules
from inference.game.scoring import Closed
from inference.game.state import SEATS, PublicState, other

_KEYS = (
    "leader", "hand", "unseen", "known", "not", "trump", "upcard", "talon", "closed", "points",
    "pending", "tricks",
)  # fmt: skip
_NEEDED = ("leader", "hand", "unseen", "talon", "points", "tricks")


@dataclass(frozen=True, slots=True)
class Start:
    """Hold a position as `seat` sees it; pairs are indexed by seat, sets of cards are masks.

    `unseen` is the other hand and the face-down talon, `talon` counts the upcard, `known` are
    cards that everybody knows a seat to hold, `cannot` (the key `not`) unseen cards that it cannot
    hold, `closed` holds the state of the closer's opponent at the close.
    """

    seat: Seat
    leader: Seat
    hand: int
    unseen: int
    trump: Suit
    upcard: Card | None
    talon: int
    points: tuple[int, int]
    tricks: tuple[int, int]
    pending: tuple[int, int] = (0, 0)
    closed: Closed | None = None
    known: tuple[int, int] = (0, 0)
    cannot: tuple[int, int] = (0, 0)

    @property
    def n_held(self) -> int:
        """Return the number of cards that each player holds."""
        return self.hand.bit_count()

    @property
    def up(self) -> int:
        """Return the mask of the upcard, 0 where there is none."""
        return 0 if self.upcard is None else self.upcard.mask

    def flip(self) -> Start:
        """Return the position as the other seat sees it; only without a talon is it known."""
        assert self.talon == 0
        seen = replace(self, seat=other(self.seat), hand=self.unseen, unseen=self.hand)
        return replace(seen, cannot=(0, 0))

    def public(self, rules: Rules) -> PublicState:
        """Return what everybody sees of the position."""
        return PublicState(
            rules,
            self.trump,
            self.upcard,
            self.talon,
            self.leader,
            (self.n_held, self.n_held),
            fresh_close=_just_closed(self, rules),
            points=self.points,
            pending=self.pending,
            tricks=self.tricks,
            closed=self.closed,
            played=rules.pack & ~(self.hand | self.unseen | self.up),
            known=self.known,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the position."""
        return {
            "leader": str(self.leader),
            "hand": show(self.hand),
            "unseen": show(self.unseen),
            "known": _shown(self.known),
            "not": _shown(self.cannot),
            "trump": SUIT_LETTERS[self.trump],
            "upcard": None if self.upcard is None else str(self.upcard),
            "talon": self.talon,
            "closed": None if self.closed is None else _closing(self.closed),
            "points": per_seat(self.points),
            "pending": per_seat(self.pending),
            "tricks": per_seat(self.tricks),
        }


def per_seat(pair: tuple[Any, Any]) -> dict[str, Any]:
    """Return a pair that is indexed by seat as an object."""
    return {str(seat): pair[seat] for seat in SEATS}


def _shown(masks: tuple[int, int]) -> dict[str, str]:
    return {str(seat): show(masks[seat]) for seat in SEATS if masks[seat]}


def _closing(closed: Closed) -> dict[str, Any]:
    return {"by": str(closed.by), "points": closed.points, "tricks": closed.tricks}


def parse_start(value: Mapping[str, Any], rules: Rules, seat: Seat) -> Start:
    """Read a position and check that it can be true; raise NotationError where it cannot."""
    found = as_object(value, "the start")
    only(found, _KEYS, "the start")
    for key in _NEEDED:
        required(found, key, "the start")
    start = _read(found, rules, seat)
    for check in _CHECKS:
        check(start, rules)
    return start


def _read(found: Mapping[str, Any], rules: Rules, seat: Seat) -> Start:
    upcard = found.get("upcard")
    up = None if upcard is None else card_of(upcard, "the start's upcard", rules.pack)
    return Start(
        seat=seat,
        leader=seat_of(found["leader"], "the start's leader"),
        hand=hand_of(found["hand"], "the start's hand", rules.pack),
        unseen=hand_of(found["unseen"], "the start's unseen", rules.pack),
        trump=_read_trump(found.get("trump"), up),
        upcard=up,
        talon=count_of(found["talon"], "the start's talon"),
        points=counts_of(found["points"], "the start's points"),
        tricks=counts_of(found["tricks"], "the start's tricks"),
        pending=counts_of(found.get("pending"), "the start's pending", default=0),
        closed=_read_closed(found.get("closed")),
        known=hands_of(found.get("known"), "the start's known", rules.pack),
        cannot=hands_of(found.get("not"), "the start's not", rules.pack),
    )


def _read_trump(value: object, upcard: Card | None) -> Suit:
    if value is not None:
        return parse_suit(text_of(value, "the start's trump"))
    if upcard is None:
        raise NotationError("the start does not say 'trump', which is needed without an upcard.")
    return upcard.suit


def _read_closed(value: object) -> Closed | None:
    if value is None:
        return None
    found = as_object(value, "the start's closed")
    only(found, Closed._fields, "the start's closed")
    by, n_points, tricks = (required(found, key, "the start's closed") for key in Closed._fields)
    return Closed(
        seat_of(by, "the start's closed by"),
        count_of(n_points, "the start's closed points"),
        count_of(tricks, "the start's closed tricks"),
    )


def _just_closed(start: Start, rules: Rules) -> bool:
    """Tell whether surely no trick was played since the close: both hands are still full."""
    return start.closed is not None and start.n_held == rules.hand


# -- what cannot be true -------------------------------------------------------------------------


def _check_places(start: Start, rules: Rules) -> None:
    """Check that no card lies in two places."""
    for mine, his, where in (
        (start.hand, start.unseen, "in the start's hand and among its unseen cards"),
        (start.hand, start.up, "in the start's hand and as its upcard"),
        (start.unseen, start.up, "among the start's unseen cards and as its upcard"),
    ):
        if mine & his:
            raise NotationError(f"{cards(mine & his)[0]} stands {where}: a card exists only once.")


def _check_upcard(start: Start, rules: Rules) -> None:
    if start.talon and start.upcard is None:
        raise NotationError(
            f"the start has a talon of {start.talon}, which counts the upcard, but no 'upcard'."
        )
    if start.upcard is None:
        return
    if not start.talon:
        raise NotationError(f"the start has the upcard {start.upcard}, but a talon of 0.")
    if start.upcard.suit != start.trump:
        raise NotationError(
            f"the start's upcard {start.upcard} is not of the trump suit {start.trump.word}."
        )


def _check_counts(start: Start, rules: Rules) -> None:
    n, tricks = start.n_held, sum(start.tricks)
    if not 1 <= n <= rules.hand:
        raise NotationError(f"the start's hand has {n} cards: 1 to {rules.hand} are possible.")
    if 2 * n + start.talon + 2 * tricks != rules.cards:
        raise NotationError(
            f"two hands of {n}, a talon of {start.talon} and {tricks} tricks make "
            f"{2 * n + start.talon + 2 * tricks} cards, but the pack has {rules.cards}."
        )
    down = max(start.talon - 1, 0)
    if start.unseen.bit_count() != n + down:
        raise NotationError(
            f"the start's unseen has {start.unseen.bit_count()} cards, but the other hand has {n} "
            f"and {down} of the talon lie face down."
        )
    if start.talon and start.closed is None and n != rules.hand:
        raise NotationError(
            f"with a talon of {start.talon} that nobody closed each player holds {rules.hand} "
            f"cards, not {n}."
        )


def _check_points(start: Start, rules: Rules) -> None:
    gone = 120 - points(start.hand | start.unseen | start.up)
    extra = sum(start.points) - gone
    if not (0 <= extra <= 100 - sum(start.pending) and extra % 20 == 0):
        raise NotationError(
            f"the start's points {start.points[Seat.S]} and {start.points[Seat.N]}, less the "
            f"{gone} of the cards gone, leave {extra}: marriages make it 0, 20 … 100."
        )


def _check_pending(start: Start, rules: Rules) -> None:
    for seat in SEATS:
        pending = start.pending[seat]
        if pending not in (0, 20, 40):
            raise NotationError(f"the pending points of {seat} are 0, 20 or 40, not {pending}.")
        if pending and start.tricks[seat]:
            raise NotationError(
                f"{seat} has a trick, so the {pending} pending points already count."
            )
        if pending and not sum(start.tricks):
            raise NotationError(
                f"{seat} has {pending} pending points, but nobody has led to a trick yet."
            )


def _check_tricks(start: Start, rules: Rules) -> None:
    """Check points and lead against who has won a trick."""
    if sum(start.tricks) and not start.tricks[start.leader]:
        raise NotationError(f"{start.leader} leads, so the last trick is his, but he has none.")
    for seat in SEATS:
        bare = start.tricks[seat] < rules.marriage_valid
        if bare and start.points[seat]:
            raise NotationError(f"{seat} has {start.points[seat]} points, but no trick.")
        if rules.claim == "automatic" and start.points[seat] >= 66:
            raise NotationError(
                f"{seat} has {start.points[seat]} points: with 66 the deal is over in {rules.name}."
            )


def _check_closed(start: Start, rules: Rules) -> None:
    closed = start.closed
    if closed is None:
        return
    if not rules.close:
        raise NotationError(f"the start is closed, but there is no closing in {rules.name}.")
    if start.talon < rules.close_min_stock:
        raise NotationError(
            f"the start is closed over a talon of {start.talon}: it takes {rules.close_min_stock}."
        )
    he = other(closed.by)
    for name, then, now in (
        ("points", closed.points, start.points[he]),
        ("tricks", closed.tricks, start.tricks[he]),
    ):
        if then > now:
            raise NotationError(f"{he} had {then} {name} at the close, but has only {now} now.")
    fresh = Closed(start.leader, start.points[he], start.tricks[he])
    if _just_closed(start, rules) and closed != fresh:
        raise NotationError(
            f"no trick was played since {closed.by} closed, so {closed.by} leads, and the points "
            f"and tricks of {he} are still those at the close."
        )


def _check_known(start: Start, rules: Rules) -> None:
    """Check that the cards known to be somewhere can be there."""
    for seat in SEATS:
        known, mine = start.known[seat], seat == start.seat
        elsewhere = cards(known & ~(start.hand if mine else start.unseen))
        if elsewhere:
            where = "in that hand" if mine else "among the unseen cards"
            raise NotationError(f"{elsewhere[0]} is known to be {seat}'s, but is not {where}.")
        if known.bit_count() > start.n_held:
            raise NotationError(
                f"{known.bit_count()} cards are known to be {seat}'s, who holds {start.n_held}."
            )


def _check_cannot(start: Start, rules: Rules) -> None:
    """Check that the cards ruled out leave a hand that can be held."""
    for seat in SEATS:
        cannot = start.cannot[seat]
        for card in cards(cannot):
            if not card.mask & start.unseen:
                raise NotationError(f"{card} is ruled out for {seat}, but is not an unseen card.")
            if card.mask & start.known[seat]:
                raise NotationError(f"{card} is known to be {seat}'s and ruled out for {seat}.")
        left = (start.unseen & ~cannot).bit_count()
        if seat != start.seat and left < start.n_held:
            raise NotationError(
                f"only {left} unseen cards are not ruled out for {seat}, who holds {start.n_held}."
            )


_CHECKS: tuple[Callable[[Start, Rules], None], ...] = (
    _check_places,
    _check_upcard,
    _check_counts,
    _check_points,
    _check_pending,
    _check_tricks,
    _check_closed,
    _check_known,
    _check_cannot,
)
