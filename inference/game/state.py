"""What everybody sees of a two-player deal, and all of its rules.

`PublicState` answers the questions both kinds of game answer: who acts (`to_act`), what a hand
may do (`legal_actions`), what an action changes (`after`), what the deal is worth (`payoff`).
Numbers in comments are lines of docs/rules.md.
"""

from __future__ import annotations

from typing import NamedTuple

from inference.cards import HIGHER, MARRIAGES, SUIT_MASK, Card, Rank, Seat, cards, points
from inference.game.events import (
    CLAIM,
    CLOSE,
    EXCHANGE,
    UNSEEN_DRAW,
    Action,
    Event,
    Kind,
    announce,
    play,
)
from inference.game.rules import REVOKE, Rules
from inference.game.scoring import (
    Closed,
    Outcome,
    close_failed,
    false_claim,
    nobody_out,
    out,
)

SEATS = (Seat.S, Seat.N)


def other(seat: Seat) -> Seat:
    """Return the opponent of a seat."""
    return SEATS[1 - seat]


class PublicState(NamedTuple):
    """Hold the public facts of a deal; tuples are indexed by seat.

    `talon` counts the upcard, `played` is the mask of all cards laid on the table, `known` the
    masks of cards that everybody knows a seat to hold, `to_draw` the seats still to draw after
    a trick (its winner first), `fresh_close` is true from a close to the closer's next lead.
    """

    rules: Rules
    trump: int
    upcard: Card | None
    talon: int
    leader: Seat
    held: tuple[int, int]
    led: Card | None = None
    announced: bool = False
    fresh_close: bool = False
    points: tuple[int, int] = (0, 0)
    pending: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] = (0, 0)
    closed: Closed | None = None
    to_draw: tuple[Seat, ...] = ()
    played: int = 0
    known: tuple[int, int] = (0, 0)
    outcome: Outcome | None = None

    @classmethod
    def deal(cls, rules: Rules, leader: Seat, upcard: Card) -> PublicState:
        """Return the state after the deal, before the first lead (1.4, 1.5)."""
        return cls(rules, upcard.suit, upcard, rules.talon, leader, (rules.hand, rules.hand))

    @property
    def over(self) -> bool:
        """Tell whether the deal has ended."""
        return self.outcome is not None

    @property
    def to_act(self) -> Seat:
        """Return the seat whose action is due; the trick's winner while cards are drawn."""
        return self.leader if self.led is None else other(self.leader)

    @property
    def strict(self) -> bool:
        """Tell whether followers are bound (3.5)."""
        return self.talon == 0 or self.closed is not None

    @property
    def first_lead(self) -> bool:
        """Tell whether the lead to trick 1 is due."""
        return self.led is None and self.tricks == (0, 0)

    @property
    def low_trump(self) -> Card:
        """Return the card that may be exchanged for the upcard."""
        return Card(6 * self.trump + self.rules.low_trump)

    @property
    def payoff(self) -> tuple[int, int]:
        """Return the game points won minus lost by each seat; zeros while the deal runs."""
        if self.outcome is None or self.outcome.winner is None:
            return (0, 0)
        n = self.outcome.game_points
        return (n, -n) if self.outcome.winner == Seat.S else (-n, n)

    # -- what a hand may do -----------------------------------------------------------------

    def legal_actions(self, hand: int) -> list[Action]:
        """List what the seat to act may do with a hand: cards, then x, c, ! (docs/rules.md 8).

        While a round of drawing is due the round itself (`+`) is one of the actions.
        """
        if self.over:
            return []
        if self.to_draw:
            return [UNSEEN_DRAW, *self._before_drawing()]
        actions = self._leads(hand) if self.led is None else self._replies(hand)
        if self.may_exchange() and hand & self.low_trump.mask:
            actions.append(EXCHANGE)
        if self.may_close():
            actions.append(CLOSE)
        if self.led is None and self.may_claim(self.leader):
            actions.append(CLAIM)
        return actions

    def other_actions(self, hand: int) -> list[Action]:
        """List what the seat that is not to act may do with its hand (4.3, 5.2)."""
        if self.over:
            return []
        actions = []
        if self.may_answer_close() and hand & self.low_trump.mask:
            actions.append(EXCHANGE)
        if self.led is not None and self.may_claim(self.leader):
            actions.append(CLAIM)
        return actions

    def _before_drawing(self) -> list[Action]:
        actions = [CLOSE] if self.may_close() else []
        return [*actions, CLAIM] if self.may_claim(self.leader) else actions

    def _leads(self, hand: int) -> list[Action]:
        actions = []
        for card in cards(hand):
            shown = self.may_announce(card) and bool(hand & card.mate.mask)
            if not (shown and self.rules.announce == "automatic"):
                actions.append(play(card))
            if shown:
                actions.append(announce(card))
        return actions

    def _replies(self, hand: int) -> list[Action]:
        return [play(card) for card in cards(self.followers(hand))]

    def followers(self, hand: int) -> int:
        """Return the mask of cards that may answer the led card (3.4 to 3.6)."""
        assert self.led is not None
        if not self.strict:
            return hand
        same = hand & SUIT_MASK[self.led.suit]
        if same:
            higher = same & HIGHER[self.led]
            return higher if higher and self.rules.strict_head else same
        trumps = hand & SUIT_MASK[self.trump]
        return trumps if trumps and self.rules.strict_trump else hand

    def may_announce(self, card: Card) -> bool:
        """Tell whether the leader may announce with a card, if he has its mate (4.4 to 4.6)."""
        if not card.is_marriage or (self.rules.must_lead_king and card.rank != Rank.KING):
            return False
        if self.first_lead and self.rules.marriage_first_lead == "forbidden":
            return False
        late = self.strict and not self.fresh_close
        return not (late and self.rules.marriage_after_stock == "forbidden")

    def may_exchange(self) -> bool:
        """Tell whether the seat to act may exchange, if it has the low trump (4.2)."""
        return (
            self._exchangeable()
            and self.closed is None
            and not self.to_draw
            and (self.led is None or self.rules.xchg_when == "turn")
            and not (self.rules.xchg_needs_trick and self.tricks[self.to_act] == 0)
        )

    def may_answer_close(self) -> bool:
        """Tell whether the closer's opponent may exchange now, if he has the low trump (4.3)."""
        return self.fresh_close and self.rules.xchg_on_opp_close and self._exchangeable()

    def _exchangeable(self) -> bool:
        enough = self.talon >= self.rules.xchg_min_stock
        return enough and self.upcard not in (None, self.low_trump) and not self.over

    def may_close(self) -> bool:
        """Tell whether the seat on lead may close (4.9, 4.10)."""
        if not self.rules.close or self.closed is not None or self.led is not None or self.over:
            return False
        if self.to_draw:
            whole_round = len(self.to_draw) == len(SEATS)
            enough = self.talon - len(SEATS) >= self.rules.close_min_stock
            return self.rules.close_before_draw and whole_round and enough
        enough = self.talon >= self.rules.close_min_stock
        return enough and (self.rules.close_first_lead or not self.first_lead)

    def is_claimant(self, seat: Seat) -> bool:
        """Tell whether this is a moment at which a seat may claim, rightly or not (5.2)."""
        if seat != self.leader or self.over:
            return False
        return self.announced if self.led is not None else self.tricks[seat] > 0

    def may_claim(self, seat: Seat) -> bool:
        """Tell whether a seat may claim now and has 66 points (5.2)."""
        return self.is_claimant(seat) and self.points[seat] >= 66

    # -- what an action changes ---------------------------------------------------------------

    def after(self, event: Event) -> PublicState:
        """Return the state after an event that is known to be legal."""
        seat, action = event
        match action.kind:
            case Kind.PLAY | Kind.ANNOUNCE | Kind.AGAINST:
                assert action.card is not None
                return self._after_card(seat, action.card, action.kind == Kind.ANNOUNCE)
            case Kind.EXCHANGE:
                return self._after_exchange(seat)
            case Kind.CLOSE:
                closed = Closed(seat, self.points[other(seat)], self.tricks[other(seat)])
                return self._replace(closed=closed, fresh_close=True, to_draw=())
            case Kind.DRAW:
                return self._after_draw(seat)
            case Kind.KNOWN:
                held = self.known[seat] | action.mask & ~self.played
                return self._replace(known=_with(self.known, seat, held))
            case Kind.CLAIM:
                return self._after_claim(seat)
        return self._after_ending(seat, action.kind)

    def _after_card(self, seat: Seat, card: Card, announced: bool) -> PublicState:
        if not announced:
            return self._lay(seat, card) if self.led is None else self._resolve(seat, card)
        worth = 40 if card.suit == self.trump else 20
        shown = self._replace(
            known=_with(self.known, seat, self.known[seat] | MARRIAGES[card.suit])
        )._credit(seat, worth)
        if shown.over:  # 5.1: shown to go out, no card need be led
            return shown
        return shown._lay(seat, card)._replace(announced=True)

    def _credit(self, seat: Seat, worth: int) -> PublicState:
        """Count announced points, or keep them pending until the first trick (4.7)."""
        if self.tricks[seat] < self.rules.marriage_valid:
            return self._replace(pending=_with(self.pending, seat, self.pending[seat] + worth))
        counted = _with(self.points, seat, self.points[seat] + worth)
        return self._replace(points=counted)._out_if_automatic(seat)

    def _lay(self, seat: Seat, card: Card) -> PublicState:
        return self._gone(seat, card)._replace(led=card, announced=False, fresh_close=False)

    def _gone(self, seat: Seat, card: Card) -> PublicState:
        return self._replace(
            played=self.played | card.mask,
            known=_with(self.known, seat, self.known[seat] & ~card.mask),
            held=_with(self.held, seat, self.held[seat] - 1),
        )

    def _resolve(self, seat: Seat, card: Card) -> PublicState:
        """Give the trick to its winner, with what becomes due (3.1 to 3.3, 4.7, 5.8)."""
        assert self.led is not None
        winner = seat if beats(card, self.led, self.trump) else self.leader
        state = self._gone(seat, card)
        bonus = self.rules.last_trick_bonus if state._played_out and self.closed is None else 0
        total = self.points[winner] + self.pending[winner] + bonus
        drawing = self.talon > 0 and self.closed is None
        state = state._replace(
            led=None,
            announced=False,
            leader=winner,
            points=_with(self.points, winner, total + self.led.points + card.points),
            pending=_with(self.pending, winner, 0),
            tricks=_with(self.tricks, winner, self.tricks[winner] + 1),
            to_draw=(winner, other(winner)) if drawing else (),
        )._out_if_automatic(winner)
        return state._at_the_end() if state._played_out and not state.over else state

    @property
    def _played_out(self) -> bool:
        return self.held == (0, 0) and (self.talon == 0 or self.closed is not None)

    def _out_if_automatic(self, seat: Seat) -> PublicState:
        if self.rules.claim == "automatic" and self.points[seat] >= 66:
            return self._ended(out(self, seat))
        return self

    def _at_the_end(self) -> PublicState:
        """Judge a deal whose cards are all played; `leader` won the last trick (5.6 to 5.10)."""
        if self.points[self.leader] >= 66:
            return self._ended(out(self, self.leader))
        if self.closed is not None:
            return self._ended(close_failed(self))
        return self._ended(nobody_out(self))

    def _ended(self, outcome: Outcome) -> PublicState:
        return self._replace(outcome=outcome, to_draw=())

    def _after_exchange(self, seat: Seat) -> PublicState:
        assert self.upcard is not None
        held = self.known[seat] & ~self.low_trump.mask | self.upcard.mask
        return self._replace(upcard=self.low_trump, known=_with(self.known, seat, held))

    def _after_draw(self, seat: Seat) -> PublicState:
        """Take one card from the talon; the trick's loser gets the upcard (3.3)."""
        state = self._replace(
            talon=self.talon - 1,
            to_draw=tuple(s for s in self.to_draw if s != seat),
            held=_with(self.held, seat, self.held[seat] + 1),
        )
        if state.talon or self.upcard is None:
            return state
        loser = other(self.leader)
        held = self.known[loser] | self.upcard.mask
        return state._replace(upcard=None, known=_with(self.known, loser, held))

    def _after_claim(self, seat: Seat) -> PublicState:
        if self.over:
            return self
        if self.points[seat] >= 66:
            return self._ended(out(self, seat))
        return self._ended(false_claim(self, seat))

    def _after_ending(self, seat: Seat, kind: Kind) -> PublicState:
        if kind == Kind.GIVE_UP:
            if self.closed is not None and self.closed.by == seat:
                return self._ended(close_failed(self))
            return self._ended(out(self, other(seat))._replace(reason="given up"))
        if kind == Kind.REVOKE:
            return self._ended(Outcome(other(seat), REVOKE, "revoke"))
        assert kind == Kind.ABANDON
        return self._ended(Outcome(None, 0, "abandoned"))

    @property
    def unplayed_points(self) -> int:
        """Return the card points that nobody has won yet."""
        return points(self.rules.pack & ~self.played) + (self.led.points if self.led else 0)


def beats(card: Card, led: Card, trump: int) -> bool:
    """Tell whether a reply wins the trick (3.1).

    >>> beats(Card.ST, Card.SK, trump=1), beats(Card.H9, Card.SA, trump=1)
    (True, True)
    """
    return card > led if card.suit == led.suit else card.suit == trump


def _with(pair: tuple[int, int], seat: Seat, value: int) -> tuple[int, int]:
    return (value, pair[1]) if seat == Seat.S else (pair[0], value)
