"""A pool of players to fit and to measure on, each with random habits of its own.

They know nothing of the opponent models: what they like is said here in their own terms, from the
cards and the tricks. Whole families are never fitted on (`HELD_OUT`), to see how strangers fare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from inference.cards import MARRIAGES, SUIT_MASK, Card, cards, points
from inference.game.events import UNSEEN_DRAW, Action, Kind
from inference.game.position import View
from inference.game.state import beats
from inference.workshop.club import by_thumb
from inference.workshop.reckoner import reckoner
from inference.workshop.rulebook import crude, rulebook
from inference.workshop.sampler import sampler
from inference.workshop.search import searched
from inference.workshop.thinkers import solver_of, walker

FAMILIES = (
    *("random", "careless", "greedy", "hoarder", "puller", "closer", "careful"),
    *("ducker", "soft", "searcher"),
    *("rulebook", "sampler", "club", "reckoner"),
    *("solver", "walker", "crude"),
)
HELD_OUT = ("ducker", "soft", "searcher", "club")
"""Two by rules, one by a softmax of what a trick brings, one by search."""


class Stranger(Protocol):
    """Say how likely each action is: what every player of the pool can do."""

    @property
    def family(self) -> str:
        """The name of its family."""

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""


class Player(NamedTuple):
    """Hold the habits of one player; `wobble` is the spread of chance in what he likes."""

    family: str
    wobble: float
    """Scale of the noise on every like, in card points: 0 always does what it likes best."""
    blunders: float
    """Share of choices made at random."""
    takes_from: float
    """Points of a led card from which it is worth winning the trick."""
    trumps_from: float
    """The same for winning it with a trump."""
    mate: float
    """What a king or queen of a marriage in hand is worth beyond its points."""
    trump: float
    """What a trump is worth beyond its points while the talon lasts."""
    high_leads: float
    """How much rather high than low cards are led, -1 to 1."""
    trump_leads: float
    """How gladly trumps are led."""
    closes_at: float
    """Strength of a hand from which the talon is closed."""
    exchanges: bool
    announces: bool

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""
        actions = view.legal_actions()
        if view.public.to_act != view.seat:
            actions.append(UNSEEN_DRAW)  # the sign of silence
        if self.family == "random" or len(actions) == 1:
            return dict.fromkeys(actions, 1 / len(actions))
        likes = np.array(LIKES[self.family](self, view, actions, rng))
        p = np.exp((likes - likes.max()) / max(self.wobble, 1e-3))
        p = (1 - self.blunders) * p / p.sum() + self.blunders / len(actions)
        return dict(zip(actions, p.tolist(), strict=True))


Likes = Callable[[Player, View, list[Action], np.random.Generator], list[float]]


def player(family: str, number: int, seed: int) -> Stranger:
    """Return a player of a family: the same numbers give the same player.

    >>> player("greedy", 3, seed=1) == player("greedy", 3, seed=1)
    True
    """
    rng = np.random.default_rng([seed, FAMILIES.index(family), number])
    if family in PROGRAMS:
        return PROGRAMS[family](family, rng)
    one = Player(
        family,
        wobble=float(rng.choice([0.0, rng.uniform(0.3, 3.0)])),
        blunders=float(rng.choice([0.0, rng.uniform(0.0, 0.15)])),
        takes_from=float(rng.uniform(-1, 9)),
        trumps_from=float(rng.uniform(3, 11)),
        mate=float(rng.uniform(0, 8)),
        trump=float(rng.uniform(2, 9)),
        high_leads=float(rng.uniform(-1, 0.3)),
        trump_leads=float(rng.uniform(-8, 2)),
        closes_at=float(rng.uniform(55, 80)),
        exchanges=bool(rng.random() < 0.92),
        announces=bool(rng.random() < 0.95),
    )
    drawn = HABITS[family](rng) if family in HABITS else {}
    habits: dict[str, Any] = {name: float(value) for name, value in drawn.items()}
    return one._replace(**habits)


HABITS: dict[str, Callable[[np.random.Generator], dict[str, float]]] = {
    "careless": lambda rng: {"blunders": rng.uniform(0.3, 0.75), "wobble": rng.uniform(1, 6)},
    "greedy": lambda rng: {"takes_from": -1.0, "high_leads": rng.uniform(-1, 1)},
    "hoarder": lambda rng: {"mate": rng.uniform(10, 25), "takes_from": rng.uniform(3, 11)},
    "puller": lambda rng: {"trump_leads": rng.uniform(8, 20), "high_leads": rng.uniform(0, 1)},
    "closer": lambda rng: {"closes_at": rng.uniform(25, 50), "high_leads": rng.uniform(-0.3, 1)},
    "careful": lambda rng: {"closes_at": 1e3, "trump": rng.uniform(6, 12), "high_leads": -1.0},
    "ducker": lambda rng: {"takes_from": rng.uniform(10, 11), "trumps_from": 12.0, "mate": 0.0},
    "soft": lambda rng: {"wobble": rng.uniform(1.0, 5.0), "blunders": 0.0},
    "searcher": lambda rng: {"wobble": rng.choice([0.02, 0.3, 0.6]), "blunders": 0.0},
}


class Thumb(NamedTuple):
    """Hold a club player of the laboratory, who slips now and then."""

    family: str
    slips: float

    def chances(self, view: View, rng: np.random.Generator) -> dict[Action, float]:
        """Return the probability of each legal action of the seat of a view."""
        actions = view.legal_actions()
        if view.public.to_act != view.seat:
            actions.append(UNSEEN_DRAW)
        p = dict.fromkeys(actions, self.slips / len(actions))
        p[by_thumb(view)] += 1 - self.slips
        return p


def thumb(family: str, rng: np.random.Generator) -> Thumb:
    """Draw a club player."""
    return Thumb(family, float(rng.uniform(0.0, 0.1)))


PROGRAMS: dict[str, Callable[[str, np.random.Generator], Stranger]] = {
    "rulebook": rulebook,
    "sampler": sampler,
    "club": thumb,
    "reckoner": reckoner,
    "solver": solver_of,
    "walker": walker,
    "crude": crude,
}
"""The families that are programs of their own."""


# -- likes by rules --------------------------------------------------------------------------------


def by_rules(
    who: Player, view: View, actions: list[Action], rng: np.random.Generator
) -> list[float]:
    """Say how much each action is liked, in card points."""
    return [_like(who, view, action) for action in actions]


def _like(who: Player, view: View, action: Action) -> float:
    match action.kind:
        case Kind.CLAIM:
            return 200.0
        case Kind.EXCHANGE:
            return 60.0 if who.exchanges else -60.0
        case Kind.CLOSE:
            return 50.0 if strength(view) >= who.closes_at else -50.0
        case Kind.ANNOUNCE:
            return 40.0 if who.announces else -5.0
    if action.card is None:
        return 0.0
    if view.public.led is None:
        return _lead(who, view, action.card)
    return _reply(who, view, action.card, view.public.led)


def strength(view: View) -> float:
    """Return roughly the points that a hand brings in if it closes, with those it has."""
    trumps = view.hand & SUIT_MASK[view.public.trump]
    aces = sum(1 for card in cards(view.hand & ~trumps) if card.points == 11)
    shown = sum(
        40 if suit == view.public.trump else 20
        for suit, both in enumerate(MARRIAGES)
        if view.hand & both == both
    )
    have = view.public.points[view.seat] + view.public.pending[view.seat]
    return have + shown + points(trumps) + 5 * trumps.bit_count() + 14 * aces


def _worth(who: Player, view: View, card: Card) -> float:
    """Return what it costs to part with a card: its points and what else it is kept for."""
    worth = float(card.points)
    if card.is_marriage and view.hand & card.mate.mask:
        worth += who.mate
    if card.suit == view.public.trump and not view.public.strict:
        worth += who.trump
    return worth


def _lead(who: Player, view: View, card: Card) -> float:
    public = view.public
    trump = card.suit == public.trump
    if public.strict:
        above = view.unseen & SUIT_MASK[card.suit] & ~(2 * card.mask - 1)
        return (10.0 if not above else 0.0) + who.trump_leads * trump - 0.3 * card.points
    length = (view.hand & SUIT_MASK[card.suit]).bit_count()
    kept = _worth(who, view, card) - card.points
    return who.high_leads * card.points - kept + who.trump_leads * trump + 0.2 * length


def _reply(who: Player, view: View, card: Card, led: Card) -> float:
    worth = _worth(who, view, card)
    if not beats(card, led, view.public.trump):
        return -worth
    by_trump = card.suit == view.public.trump != led.suit
    wanted = led.points >= (who.trumps_from if by_trump else who.takes_from)
    if not wanted and not view.public.strict:
        return -worth - 6.0
    return 25.0 - worth if by_trump else 25.0 + 0.3 * card.points - (worth - card.points)


# -- likes by the next trick -----------------------------------------------------------------------


def by_the_trick(
    who: Player, view: View, actions: list[Action], rng: np.random.Generator
) -> list[float]:
    """Like an action for the points that the trick brings on average, whatever he may reply."""
    return [_brings(who, view, action) for action in actions]


def _brings(who: Player, view: View, action: Action) -> float:
    card, led, trump = action.card, view.public.led, view.public.trump
    if card is None:
        return _like(who, view, action)
    shown = 15.0 * (action.kind == Kind.ANNOUNCE)
    kept = 3.0 * (card.suit == trump and not view.public.strict)
    if led is not None:
        brings = led.points + card.points
        return (brings if beats(card, led, trump) else -brings) - kept
    replies = cards(view.unseen)
    lost = [_eagerness(reply, card, trump) for reply in replies]
    sums = [
        (1 - p) * (card.points + min(reply.points, 4)) - p * (card.points + reply.points)
        for p, reply in zip(lost, replies, strict=True)
    ]
    return shown - kept + 2.0 * sum(sums) / max(1, len(sums))


def _eagerness(reply: Card, led: Card, trump: int) -> float:
    """Return how likely an opponent who holds a card would take the trick with it."""
    if not beats(reply, led, trump):
        return 0.0
    return 0.9 if reply.suit == led.suit else 0.2 + 0.05 * led.points


# -- likes by search -------------------------------------------------------------------------------

SEARCHED = 5
"""Cards in hand from which on search is quick enough."""


def by_search(
    who: Player, view: View, actions: list[Action], rng: np.random.Generator
) -> list[float]:
    """Like an action for the game points it wins in some worlds, once few cards are hidden."""
    public = view.public
    if public.to_act != view.seat:
        return by_rules(who, view, actions, rng)
    if not public.strict or max(public.held) > SEARCHED:
        scale = who.wobble / 2.0  # the trick is in card points, and a wobble in game points
        return [scale * like for like in by_the_trick(who, view, actions, rng)]
    return searched(view, actions, rng)


LIKES: dict[str, Likes] = {
    **dict.fromkeys(FAMILIES, by_rules),
    "soft": by_the_trick,
    "searcher": by_search,
}
