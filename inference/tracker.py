"""Fold events into a view and a belief: from what did he choose, and what was it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from inference import belief as bayes
from inference.belief import Belief, Step
from inference.cards import Card, cards, show
from inference.errors import ContradictionError
from inference.game import entries
from inference.game.events import UNSEEN_DRAW, Action, Event, Kind
from inference.game.position import View
from inference.game.state import PublicState
from inference.opponents import Model, Probabilities
from inference.solve.encode import COLUMN_SILENCE, action_column


class Choice(NamedTuple):
    """Hold a choice of the opponent: what was known before it, and what he did.

    `number` is that of the entry by which it was made (silence is made by one of mine), `column`
    the column of `solve.encode`.
    """

    number: int
    column: int
    public: PublicState
    before: Belief


@dataclass(frozen=True)
class Tracker:
    """Hold what one seat knows and believes after some events.

    `events` are the entries so far, `steps` the belief's history for the smoother with the number
    of entries at each step, `choices` what he did and left undone, `first` the tracker before all
    entries, `ruled_out` maps a card to the number of the entry since which he cannot hold it,
    `redundant` lists draws that are already done but may still be entered.
    """

    view: View
    belief: Belief
    model: Model
    events: tuple[Event, ...] = ()
    steps: tuple[tuple[int, Step], ...] = ()
    ruled_out: dict[Card, int] = field(default_factory=dict)
    seen_at: dict[Card, int] = field(default_factory=dict)
    redundant: tuple[Event, ...] = ()
    choices: tuple[Choice, ...] = ()
    first: Tracker | None = None

    @classmethod
    def start(cls, view: View, model: Model, excluded: int = 0) -> Tracker:
        """Begin from a view; `excluded` are unseen cards that the opponent cannot hold."""
        known, size = view.public.known[view.opponent], view.public.held[view.opponent]
        belief = bayes.prior(view.unseen, size, known, excluded, style_prior=model.shares)
        ruled_out = dict.fromkeys(cards(view.unseen & excluded), 0)
        return cls(view, belief, model, steps=((0, Step(belief)),), ruled_out=ruled_out)

    def retold(self, model: Model) -> Tracker:
        """Return the tracker of another model, begun like this one and told the same entries."""
        first = self.first or self
        view, excluded = first.view, sum(card.mask for card in first.ruled_out)
        other = Tracker.start(view, model, excluded)
        for event in self.events:
            other = other.observe(event)
        return other

    @property
    def certain(self) -> int:
        """Return the mask of the cards that every possible hand of the opponent holds."""
        return int(np.bitwise_and.reduce(self.belief.hands))

    def observe(self, event: Event) -> Tracker:
        """Return the tracker after one entry.

        Raise IllegalActionError if the rules forbid it, ContradictionError if it does not fit the
        facts, NotationError if it says what this seat cannot know. This tracker never changes.
        """
        if self.view.takes_upcard and event.action.kind not in entries.BEFORE_DRAWING:
            return self._settle().observe(event)
        if event in self.redundant:
            left = tuple(e for e in self.redundant if e.seat != event.seat)
            return replace(self, events=(*self.events, event), redundant=left)
        entries.check(self.view, event, self.seen_at)
        if self.view.draw_due and event.action.kind == Kind.DRAW:
            after = self._drawn(event)
        elif event.seat == self.view.seat:
            after = self._mine(event)
        else:
            after = self._his(event)
        noted = after._settle_unless_claimed()._noted(event)
        return replace(noted, first=self.first or self)

    # -- my own entries and the talon ------------------------------------------------------------

    def _mine(self, event: Event) -> Tracker:
        laid = event.action.kind in (Kind.PLAY, Kind.ANNOUNCE, Kind.AGAINST)
        return (self._silent() if laid else self)._moved(event)

    def _drawn(self, event: Event) -> Tracker:
        """Do a round of drawing; my own entry does what is left of it (docs/rules.md 3.3)."""
        start = self._silent()
        if event.seat != self.view.seat:
            return start._he_draws()
        after = start._i_draw(event.action.card)
        return after._he_draws()._spare() if after.view.public.to_draw else after

    def _i_draw(self, card: Card | None) -> Tracker:
        assert card is not None
        belief, event = self.belief, Event(self.view.seat, Action(Kind.DRAW, card))
        if self.certain & card.mask:
            raise ContradictionError(
                f"{event}: {self.view.opponent} must hold {card}: this entry or an earlier one is "
                "wrong."
            )
        if self.view.unseen & card.mask:
            belief = bayes.exclude(belief, card.mask, self.view.n_hidden)
        return self._with(belief)._moved(event)

    def _he_draws(self) -> Tracker:
        view, event = self.view, Event(self.view.opponent, UNSEEN_DRAW)
        if view.public.talon == 1 and view.public.upcard is not None:
            up = view.public.upcard.mask
            return self._with(bayes.replace(self.belief, 0, up), into=up)._moved(event)
        belief = bayes.draw(self.belief, view.unseen)
        return self._with(belief, pool=view.unseen)._moved(event)

    def _settle_unless_claimed(self) -> Tracker:
        """Do the last round of drawing by itself if the upcard is mine and he may not claim."""
        claimable = self.view.public.may_claim(self.view.opponent)
        return self._settle() if self.view.takes_upcard and not claimable else self

    def _settle(self) -> Tracker:
        """Do the round of drawing in which I take the upcard: all of it is known."""
        up = self.view.public.upcard
        settled = self._silent()._he_draws()._i_draw(up)
        mine = Event(self.view.seat, Action(Kind.DRAW, up))
        return replace(settled._spare(), redundant=(*settled._spare().redundant, mine))

    def _spare(self) -> Tracker:
        """Accept the opponent's draw, which is done, once more as an entry."""
        he, known = self.view.opponent, self.view.public.known[self.view.opponent]
        draws = (UNSEEN_DRAW, *(Action(Kind.DRAW, card) for card in cards(known)))
        return replace(self, redundant=tuple(Event(he, draw) for draw in draws))

    # -- the opponent's entries ------------------------------------------------------------------

    def _his(self, event: Event) -> Tracker:
        kind, card = event.action.kind, event.action.card
        if kind == Kind.KNOWN:
            return self._shown(event)
        if kind in (Kind.GIVE_UP, Kind.REVOKE, Kind.ABANDON) or self.view.public.over:
            return self._moved(event)
        if kind == Kind.CLAIM and not self.view.public.may_claim(event.seat):
            return self._moved(event)  # a false claim is a slip, not a choice
        if kind == Kind.AGAINST:
            assert card is not None
            return self._against(card)._gone(card)._moved(event)
        tracker = self._chosen(event, action_column(event.action))
        if kind == Kind.EXCHANGE:
            return tracker._swapped()._moved(event)
        if card is None:
            return tracker._moved(event)
        if kind == Kind.ANNOUNCE:
            moved = tracker._moved(event)  # a marriage shown to go out stays in the hand
            return moved._gone(card) if moved.view.public.played & card.mask else moved
        return tracker._gone(card)._moved(event)

    def _chosen(self, event: Event, column: int) -> Tracker:
        """Weigh each hand by how likely it would have made this choice (the emission)."""
        given = self.model.likelihood(self.view.public, event.seat, self.belief.hands, column)
        if not np.any(given > 0):
            raise entries.impossible(self.view, event, self.ruled_out, self.certain)
        return self._given(given, column)

    def _given(self, likelihood: Probabilities, column: int) -> Tracker:
        choice = Choice(len(self.events) + 1, column, self.view.public, self.belief)
        after = self._with(bayes.condition(self.belief, likelihood))
        return replace(after, choices=(*self.choices, choice))

    def _silent(self) -> Tracker:
        """Weigh what he did not do: answer my close, claim his announcement, stop the drawing."""
        public, he = self.view.public, self.view.opponent
        answer = public.to_act != he and (
            public.may_answer_close() or (public.led is not None and public.may_claim(he))
        )
        before_drawing = (
            len(public.to_draw) == 2
            and public.leader == he
            and (public.may_close() or public.may_claim(he))
        )
        if not (answer or before_drawing):
            return self
        given = self.model.likelihood(public, he, self.belief.hands, COLUMN_SILENCE)
        return self._given(given, COLUMN_SILENCE)

    def _shown(self, event: Event) -> Tracker:
        mask = event.action.mask & ~self.view.public.played
        if not np.any((self.belief.hands & np.uint32(mask)) == mask):
            raise entries.impossible(self.view, event, self.ruled_out, self.certain)
        return self._with(bayes.contain(self.belief, mask))._moved(event)

    def _against(self, card: Card) -> Tracker:
        """Start the belief anew from bare facts: what he denied before may be untrue as well."""
        public = self.view.public
        he, size = self.view.opponent, public.held[self.view.opponent]
        known = public.known[he]
        if (known | card.mask).bit_count() > size:
            raise ContradictionError(
                f"{he}:{card}~: {he} is known to hold {show(known)} and nothing else."
            )
        fresh = bayes.prior(
            self.view.unseen, size, known | card.mask, style_prior=self.model.shares
        )
        fresh = fresh._replace(log_evidence=self.belief.log_evidence)
        steps = ((len(self.events) + 1, Step(fresh)),)
        return replace(self, belief=fresh, ruled_out={}, steps=steps, choices=())

    def _gone(self, card: Card) -> Tracker:
        return self._with(bayes.replace(self.belief, card.mask, 0), out=card.mask)

    def _swapped(self) -> Tracker:
        public = self.view.public
        assert public.upcard is not None
        out, into = public.low_trump.mask, public.upcard.mask
        return self._with(bayes.replace(self.belief, out, into), out=out, into=into)

    # -- bookkeeping -----------------------------------------------------------------------------

    def _with(self, belief: Belief, out: int = 0, into: int = 0, pool: int = 0) -> Tracker:
        step = Step(belief, out=out, into=into, pool=pool)
        return replace(self, belief=belief)._record(step)

    def _record(self, step: Step) -> Tracker:
        return replace(self, steps=(*self.steps, (len(self.events) + 1, step)))

    def _moved(self, event: Event) -> Tracker:
        return replace(self, view=self.view.after(event), redundant=())

    def _noted(self, event: Event) -> Tracker:
        """Remember at which entry a card was seen or ruled out, for sentences about mistakes."""
        number, card = len(self.events) + 1, event.action.card
        possible = int(np.bitwise_or.reduce(self.belief.hands))
        seen_at = dict(self.seen_at) if card is None else {**self.seen_at, card: number}
        ruled_out = {c: self.ruled_out.get(c, number) for c in cards(self.view.unseen & ~possible)}
        events = (*self.events, event)
        return replace(self, events=events, seen_at=seen_at, ruled_out=ruled_out)
