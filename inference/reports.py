"""What a tracker knows as plain objects: the JSON that the command line prints."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from inference import belief as bayes
from inference import opponents
from inference.cards import MARRIAGES, SUIT_MASK, Card, Seat, Suit, cards, show
from inference.game.events import CLAIM, CLOSE, Action, Event, Kind, announce, play
from inference.game.state import SEATS
from inference.opponents import person
from inference.solve.encode import COLUMN_SILENCE, column_action
from inference.solve.legality import legal_matrix, other_matrix
from inference.tracker import Tracker
from inference.why import why

TALON = "talon"
FALSE_ALARM = 0.01
"""In at most so many deals of a player of the known styles he is said to fit none."""
ALARMING = -float(np.log(FALSE_ALARM))
"""The log of chance's Bayes factor from which on that is said."""


def to_act(tracker: Tracker) -> Seat | None:
    """Return the seat whose entry is awaited: the user while his draw is due, None at the end."""
    public = tracker.view.public
    if public.over:
        return None
    return tracker.view.seat if tracker.view.draw_due else public.to_act


def actions(tracker: Tracker) -> list[Action]:
    """List what the awaited seat may do: my legal actions, or all that some hand of his allows."""
    view = tracker.view
    if view.public.over:
        return []
    if view.draw_due:
        mine = view.public.leader == view.seat and len(view.public.to_draw) == len(SEATS)
        extra = [a for a in view.public.legal_actions(view.hand) if a in (CLOSE, CLAIM)]
        return [*_draws(tracker), *(extra if mine else [])]
    if view.public.to_act == view.seat:
        return view.legal_actions()
    return _possible(legal_matrix(view.public, tracker.belief.hands))


def other_actions(tracker: Tracker) -> list[Action]:
    """List what the seat whose entry is not awaited may do all the same."""
    view = tracker.view
    if view.public.over:
        return []
    if view.draw_due:
        his = view.public.leader == view.opponent and len(view.public.to_draw) == len(SEATS)
        choices = view.public.legal_actions(0)
        return [a for a in choices if a in (CLOSE, CLAIM)] if his else []
    if view.public.to_act != view.seat:
        return view.legal_actions()
    return _possible(other_matrix(view.public, tracker.belief.hands))


def _draws(tracker: Tracker) -> list[Action]:
    """List the cards that I may have drawn: unseen, and not in every hand of his."""
    up = tracker.view.public.upcard
    if tracker.view.takes_upcard and up is not None:
        return [Action(Kind.DRAW, up)]
    return [Action(Kind.DRAW, card) for card in cards(tracker.view.unseen & ~tracker.certain)]


def _possible(matrix: Any) -> list[Action]:
    """Translate the columns that some hand allows, in the order of docs/rules.md 8.2."""
    columns = [int(c) for c in np.flatnonzero(matrix.any(axis=0)) if c != COLUMN_SILENCE]
    return sorted((column_action(c) for c in columns), key=_order)


def _order(action: Action) -> tuple[int, int, int]:
    """Order cards by suit from the ace down, each before its announcement, then x, c and !."""
    if action.card is None:
        return (1, "xc!".index(action.kind.value), 0)
    place = 6 * action.card.suit + 5 - action.card.rank
    return (0, place, action.kind == Kind.ANNOUNCE)


# -- what a tap can mean ---------------------------------------------------------------------------


class Place(StrEnum):
    """Name where a card is, as far as this seat knows."""

    MINE = "mine"
    KNOWN = "known"
    UPCARD = "upcard"
    TABLE = "table"
    GONE = "gone"
    HIDDEN = "hidden"


def places(tracker: Tracker) -> dict[Card, Place]:
    """Say of each card of the pack where it is; KNOWN is a card that the opponent must hold."""
    pack = tracker.view.public.rules.pack
    return {card: _place(tracker, card, tracker.certain) for card in cards(pack)}


def _place(tracker: Tracker, card: Card, certain: int) -> Place:
    view = tracker.view
    if card == view.public.led:
        return Place.TABLE
    if card == view.public.upcard:
        return Place.UPCARD
    if view.public.played & card.mask:
        return Place.GONE
    if view.hand & card.mask:
        return Place.MINE
    return Place.KNOWN if certain & card.mask else Place.HIDDEN


def meanings(tracker: Tracker, announcing: bool = False) -> dict[Card, Event]:
    """Map each card that the awaited seat may mean to its event.

    A king or queen is announced if that is asked for, or if it cannot be led otherwise.
    """
    seat, allowed = to_act(tracker), actions(tracker)
    if seat is None:
        return {}
    shown = {a.card: a for a in allowed if a.kind == Kind.ANNOUNCE}
    laid = {a.card: a for a in allowed if a.kind in (Kind.PLAY, Kind.DRAW)}
    chosen = shown if announcing else shown | laid
    return {card: Event(seat, action) for card, action in chosen.items() if card is not None}


def meaning(tracker: Tracker, card: Card, announcing: bool = False) -> Event | None:
    """Return the event that a tapped card stands for, possible or not; None at the end."""
    seat = to_act(tracker)
    if seat is None:
        return None
    if tracker.view.draw_due:
        return Event(seat, Action(Kind.DRAW, card))
    other_way = announce(card) if announcing else play(card)
    return meanings(tracker, announcing).get(card, Event(seat, other_way))


def may_be_held(tracker: Tracker, event: Event) -> bool:
    """Tell whether a seat may hold the card of its event, whatever the rules say of playing it."""
    view, card = tracker.view, event.action.card
    held = view.hand if event.seat == view.seat else view.unseen
    return card is not None and bool(held & card.mask)


def choices(tracker: Tracker) -> dict[Kind, Event]:
    """Map exchange, close and claim to the event of the seat that may do it now."""
    seat, view = to_act(tracker), tracker.view
    if seat is None:
        return {}
    outsider = view.opponent if seat == view.seat else view.seat
    both = ((seat, actions(tracker)), (outsider, other_actions(tracker)))
    return {a.kind: Event(who, a) for who, some in both for a in some if a.card is None}


# -- what threatens --------------------------------------------------------------------------------


class Marriage(NamedTuple):
    """Hold a marriage that the opponent may still show, and his points if he does."""

    suit: Suit
    p: float
    points: int


def marriages(tracker: Tracker) -> list[Marriage]:
    """List the marriages that the opponent may hold and announce at some later lead of his."""
    view = tracker.view
    lead = view.public._replace(
        led=None,
        leader=view.opponent,
        tricks=(1, 1),
        outcome=None,
        fresh_close=view.public.fresh_close and view.public.leader == view.opponent,
    )
    if not lead.may_announce(Card(6 * view.public.trump + 3)):
        return []
    p = bayes.mixture(tracker.belief)
    found = []
    for suit in Suit:
        both = np.uint32(MARRIAGES[suit])
        chance = float(p[(tracker.belief.hands & both) == both].sum())
        if chance > 0:
            found.append(Marriage(suit, chance, _shown_points(tracker, suit)))
    return found


def _shown_points(tracker: Tracker, suit: Suit) -> int:
    public, he = tracker.view.public, tracker.view.opponent
    return public.points[he] + public.pending[he] + (40 if suit == public.trump else 20)


def p_any_marriage(tracker: Tracker) -> float:
    """Return the probability that the opponent holds a marriage that he may still announce."""
    some = np.zeros(len(tracker.belief.hands), dtype=bool)
    for marriage in marriages(tracker):
        both = np.uint32(MARRIAGES[marriage.suit])
        some |= (tracker.belief.hands & both) == both
    return float(bayes.mixture(tracker.belief)[some].sum())


def p_low_trump(tracker: Tracker) -> float | None:
    """Return the probability that he holds a low trump to exchange; None if he cannot."""
    public = tracker.view.public
    gone = public.upcard is None or public.closed is not None or public.over
    if gone or public.talon < public.rules.xchg_min_stock or public.upcard == public.low_trump:
        return None
    return locations(tracker).get(public.low_trump)


def takes_out(tracker: Tracker) -> list[Action]:
    """List my announcements that bring me to 66 points at once."""
    view = tracker.view
    if to_act(tracker) != view.seat or view.draw_due:
        return []
    shown = [a for a in view.legal_actions() if a.kind == Kind.ANNOUNCE]
    return [a for a in shown if view.public.after(Event(view.seat, a)).points[view.seat] >= 66]


def may_claim(tracker: Tracker) -> bool:
    """Tell whether I have 66 points and may claim them now."""
    return choices(tracker).get(Kind.CLAIM) == Event(tracker.view.seat, CLAIM)


def needed(tracker: Tracker) -> tuple[int, int]:
    """Return the points that each seat still needs for 66; pending points do not count yet."""
    s, n = tracker.view.public.points
    return max(66 - s, 0), max(66 - n, 0)


def left_by_suit(tracker: Tracker) -> dict[Suit, tuple[int, int]]:
    """Return for each suit the masks of the unseen cards and of mine, trumps first."""
    view = tracker.view
    order = sorted(Suit, key=lambda suit: suit != view.public.trump)
    return {s: (view.unseen & SUIT_MASK[s], view.hand & SUIT_MASK[s]) for s in order}


# -- the belief ------------------------------------------------------------------------------------


def locations(tracker: Tracker) -> dict[Card, float]:
    """Return for each unseen card the probability that the opponent holds it."""
    p, certain = bayes.marginals(tracker.belief), tracker.certain
    return {
        card: 1.0 if certain & card.mask else min(1.0, float(p[card]))
        for card in cards(tracker.view.unseen)
    }


def likeliest(tracker: Tracker, n: int = 10) -> list[tuple[int, float]]:
    """Return the opponent's `n` likeliest hands with their probabilities."""
    return [(int(hand), float(p)) for hand, p in bayes.top(tracker.belief, n)]


def styles(tracker: Tracker) -> dict[str, float]:
    """Return how likely each manner of playing is his; empty for models without styles."""
    if not tracker.model.styles:
        return {}
    return opponents.by_manner(tracker.model.styles, bayes.style_posterior(tracker.belief))


def log_evidences(tracker: Tracker) -> dict[str, float]:
    """Return log P(all that was seen) under each style alone; empty for models without."""
    return dict(zip(tracker.model.styles, alone(tracker).tolist(), strict=False))


def alone(tracker: Tracker) -> npt.NDArray[np.float64]:
    """Return log P(all that was seen) under each column of the belief, whatever its prior [z]."""
    return np.asarray(tracker.belief.log_evidence - np.log(tracker.model.shares))


EVIDENT = 3.0
"""So many times likelier than before a player must have become random to be called so."""


def likeliest_style(tracker: Tracker, own: bool = True) -> tuple[str, float] | None:
    """Return the style that he most likely plays in, with its probability.

    None until his play, in this deal or in earlier ones, has made a style the likeliest. The random
    player is that before anybody has played a card, so he must have become clearly likelier. His
    own earlier play is named where it foretells him better than all styles, and `own` is true.
    """
    found, model = styles(tracker), tracker.model
    if not own or found.get(person.NAME, 0.0) <= 0.5:
        found.pop(person.NAME, None)
    if not found:
        return None
    best = max(found, key=lambda style: found[style])
    learnt = model.chance is not None and best != model.styles[model.chance]
    before = opponents.by_manner(model.styles, model.shares)
    p, share = (some[best] / sum(map(some.__getitem__, found)) for some in (found, before))
    gained = p * (1 - share) > EVIDENT * share * (1 - p)
    return (best, found[best]) if learnt or gained else None


def alarm(tracker: Tracker, name: str = "") -> str | None:
    """Return a sentence if chance explains his choices far better than all the other styles do.

    The random player's evidence over that of the styles together is a fair bet against them: if
    they are true it reaches 1 / FALSE_ALARM in at most that share of the deals (Ville).
    """
    chance = tracker.model.chance
    if chance is None:
        return None
    factor = bayes.log_bayes_factor(alone(tracker), tracker.model.shares, chance)
    if factor < ALARMING:
        return None
    return (
        f"{name or tracker.view.opponent}'s play fits no known style: blind chance explains it "
        f"{np.exp(min(factor, 16)):,.0f} times better, so little is read into it."
    )


def belief_report(tracker: Tracker) -> dict[str, Any]:
    """Report the belief: layouts, evidence, entropy, marginals, likeliest hands, styles."""
    he = str(tracker.view.opponent)
    return {
        "n_layouts": len(tracker.belief.hands),
        "log_evidence": bayes.log_evidence(tracker.belief),
        "entropy_bits": float(bayes.entropy_bits(tracker.belief)),
        "marginals": {str(card): {he: p, TALON: 1.0 - p} for card, p in locations(tracker).items()},
        "hands": {he: [[show(hand), p] for hand, p in likeliest(tracker)]},
        "styles": {he: styles(tracker)} if tracker.model.styles else {},
        "alarm": alarm(tracker),
        "why": {
            str(card): [reason.to_json() for reason in reasons]
            for card, reasons in why(tracker).items()
        },
    }


def legal_report(tracker: Tracker) -> dict[str, Any]:
    """Report whose entry is awaited, what he may do, and the score of the deal."""
    public, awaited = tracker.view.public, to_act(tracker)
    beside = other_actions(tracker)
    outsider = tracker.view.opponent if awaited == tracker.view.seat else tracker.view.seat
    outcome = public.outcome
    return {
        "to_act": None if awaited is None else str(awaited),
        "actions": [str(action) for action in actions(tracker)],
        **({"others": {str(outsider): [str(action) for action in beside]}} if beside else {}),
        "points": by_seat(public.points),
        "pending": by_seat(public.pending),
        "tricks": by_seat(public.tricks),
        "over": public.over,
        "winner": None if outcome is None or outcome.winner is None else str(outcome.winner),
        "game_points": 0 if outcome is None else outcome.game_points,
    }


def by_seat(pair: tuple[int, int]) -> dict[str, int]:
    """Return a pair of numbers under the names of the seats."""
    return {str(seat): pair[seat] for seat in SEATS}


REPORTS: dict[str, Callable[[Tracker], dict[str, Any]]] = {
    "belief": belief_report,
    "legal": legal_report,
}
