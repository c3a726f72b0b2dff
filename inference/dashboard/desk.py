"""What one open page remembers, and what its taps do: the log alone is the truth.

A callback that touches Streamlit's own state can be cut off there by the next tap, and its tap
would be lost; so callbacks get the desk handed in and touch nothing else before the log is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

from inference import archive, reports
from inference.advice import Advice
from inference.cards import Card
from inference.dashboard.past import Past
from inference.errors import InferenceError
from inference.game.events import Action, Event, Kind
from inference.store import Deal, Entry, Store, correct, event, revert, undo

Callback = Callable[..., None]

DOUBLE = 0.4
"""Seconds within which a second tap on the same button is the second half of a double tap."""


class Problem(NamedTuple):
    """Hold why an entry was refused, and what may be entered instead (label and entry)."""

    sentence: str
    instead: tuple[tuple[str, Entry], ...] = ()


@dataclass
class Desk:
    """Hold a replayed deal to save time, the modes of the page, and the deal being set up."""

    store: Store
    copy: Deal | None = None
    announcing: bool = False
    picked: int | None = None
    unpick: bool = False
    problem: Problem | None = None
    thought: tuple[tuple[str, int], Advice] | None = None
    kept: tuple[str, int, bool] | None = None
    draft: dict[str, str] = field(default_factory=dict)
    refusal: str = ""
    unread: str = ""
    heard: bool = False
    tapped: str = ""
    n_taps: int = 0
    tapped_at: float = -DOUBLE
    past: Past | None = None
    imported: archive.Imported | None = None

    def replay(self, deal: str) -> Deal:
        """Return a deal as its log tells it now; raise InferenceError if there is none."""
        held, self.copy = self.copy, None
        self.copy = self.store.replay(deal, held)
        return self.copy

    def enter(self, deal: str, entry: Entry, instead: tuple[tuple[str, Entry], ...] = ()) -> None:
        """Write an entry into the log; if it is refused remember the sentence."""
        self.forget()
        held, self.copy = self.copy, None
        try:
            self.copy = self.store.enter(deal, entry, held)
        except InferenceError as error:
            self.problem = Problem(str(error), instead)

    def keep(self, deal: Deal) -> None:
        """Write down what the page has just shown: the belief, and the advice when it is there."""
        thought, now = self.thought, (deal.id, deal.revision)
        advice = thought[1] if thought is not None and thought[0] == now else None
        stamp = (*now, advice is not None)
        if self.kept != stamp:
            with suppress(InferenceError):  # the page is not worth less without it
                archive.keep(self.store, deal, advice)
            self.kept = stamp

    def forget(self) -> None:
        """Leave every mode, and drop the last sentence."""
        self.problem, self.announcing = None, False
        self.refusal, self.unread = "", ""
        self.picked, self.unpick = None, True

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except InferenceError as error:
            self.problem = Problem(str(error))

    def once(self, button: str) -> bool:
        """Tell whether a tap on a button counts: the second half of a double tap does not."""
        now = monotonic()
        double = button == self.tapped and now - self.tapped_at < DOUBLE
        if not double:
            self.tapped, self.tapped_at, self.n_taps = button, now, self.n_taps + 1
        return not double

    def settled(self) -> bool:
        """Tell whether the last tap is long enough ago that another one is meant."""
        return monotonic() - self.tapped_at >= DOUBLE

    # -- what the buttons do ---------------------------------------------------------------------

    def tap(self, deal: str, card: Card, button: str) -> None:
        """Do what a tapped card means now: the next entry, or the right card for a wrong one."""
        if not self.once(button):
            return
        seen = self.copy.revision if self.copy is not None and self.copy.id == deal else None
        with self._refusals():
            now = self.replay(deal)
            moved_on = seen is not None and seen != now.revision
            wrong = self.correcting(now)
            if wrong is not None:
                self.mend(deal, wrong[0], str(_with_card(wrong[1], card)))
                return
            one = reports.meaning(now.session.tracker, card, self.announcing)
            if one is not None:
                self.enter(deal, event(str(one)), _all_the_same(now, one))
                if moved_on and self.problem is None:
                    self.problem = _taken_for(one)

    def do(self, deal: str, kind: Kind) -> None:
        """Exchange, close or claim for whoever may do it now."""
        with self._refusals():
            one = reports.choices(self.replay(deal).session.tracker).get(kind)
            if one is not None:
                self.enter(deal, event(str(one)))

    def say(self, deal: str, text: str) -> None:
        """Enter an event by its text."""
        self.enter(deal, event(text))

    def announce(self, deal: str) -> None:
        """Switch the mode in which a tapped king or queen is announced."""
        on = not self.announcing
        self.forget()
        self.announcing = on

    def take_back(self, deal: str) -> None:
        """Undo the last change: an entry, or a correction as a whole."""
        if self.once("do-undo"):
            self.enter(deal, revert())

    def mend(self, deal: str, number: int, text: str) -> None:
        """Correct an entry; where its new card stands in another entry, offer to swap the two."""
        with self._refusals():
            swaps = _swaps(number, text, self.replay(deal).session.events)
            self.enter(deal, correct({number: text}), swaps)
            if self.problem is not None:
                self.picked, self.unpick = number, False

    def correcting(self, deal: Deal) -> tuple[int, Event] | None:
        """Return the entry that is being corrected, with its number."""
        events = deal.session.events
        if self.picked is None or not 1 <= self.picked <= len(events):
            return None
        return self.picked, events[self.picked - 1]


def _taken_for(one: Event) -> Problem:
    """Tell what a tap came to mean because another window had gone on with the deal."""
    told = f"Another window had gone on with this deal: your tap was entered as {one}."
    return Problem(told, (("Undo it", undo()),))


def _all_the_same(deal: Deal, one: Event) -> tuple[tuple[str, Entry], ...]:
    """Offer to enter a card that was played although the rules forbid it."""
    card = one.action.card
    laid = one.action.kind in (Kind.PLAY, Kind.ANNOUNCE)
    if card is None or not laid or not reports.may_be_held(deal.session.tracker, one):
        return ()
    against = event(str(one._replace(action=Action(Kind.AGAINST, card))))
    return ((f"It was played: enter {card.sign} all the same", against),)


def _with_card(one: Event, card: Card) -> Event:
    return one._replace(action=one.action._replace(card=card))


def _swaps(number: int, text: str, events: tuple[Event, ...]) -> tuple[tuple[str, Entry], ...]:
    """Offer to exchange the cards of two entries, the commonest slip."""
    old = events[number - 1]
    found = []
    for other, one in enumerate(events, start=1):
        card = one.action.card
        if other == number or card is None or old.action.card is None:
            continue
        if str(_with_card(old, card)) == text:
            changes = {number: text, other: str(_with_card(one, old.action.card))}
            found.append((f"Swap the cards of entries {number} and {other}", correct(changes)))
    return tuple(found)
