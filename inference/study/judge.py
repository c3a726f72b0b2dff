"""What each decision cost, by what its player could know when he made it.

The loss of a decision is value(best) − value(played) in game points, both by the adviser from the
view and the belief of that moment; nothing that came later is used. Closing, exchanging, announcing
and claiming, done or left undone, are decisions like cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inference.advice import Advice, Option, advise
from inference.advice.advisor import OPEN_TALON
from inference.advice.reasons import spoken
from inference.cards import Seat
from inference.game.events import UNSEEN_DRAW, Action, Event, Kind
from inference.game.position import View
from inference.study.replay import LAID
from inference.tracker import Tracker

OMISSIONS = {
    Kind.CLAIM: "claim",
    Kind.ANNOUNCE: "announcement",
    Kind.EXCHANGE: "exchange",
    Kind.CLOSE: "close",
}
"""What can be left undone, as it is named."""


class Effort(NamedTuple):
    """Hold how many worlds a decision is judged over.

    `searched` counts where a tree is searched, `solved` where worlds are solved to their end. The
    same effort and seed give the same figures on every machine.
    """

    name: str
    searched: int
    solved: int

    def worlds(self, view: View) -> int:
        """Return the number of worlds for a decision."""
        public = view.public
        lasts = public.closed is None and public.talon > OPEN_TALON
        return self.searched if lasts else self.solved


QUICK = Effort("quick", 30, 80)
"""About 0.1 s a decision or less on one core."""
FULL = Effort("full", 400, 1000)
"""About ten times as much."""


class Judged(NamedTuple):
    """Hold a decision: made after `number` events by `seat`, with its loss and standard error.

    `played` and `best` are actions; `+` stands for saying nothing. `loss` is in game points, 0 for
    the best; `stderr` is the standard error of the loss, 0 where all worlds were solved. `tied`
    tells that 0 is in the loss's 95 % interval. `missed` names what was left undone: "claim",
    "announcement", "exchange" or "close", else "". `text` is a sentence for a player.
    """

    number: int
    seat: Seat
    played: Action
    best: Action
    loss: float
    stderr: float
    tied: bool
    value: float
    p_win: float
    missed: str
    text: str
    advice: Advice

    @property
    def charged(self) -> float:
        """Return the loss, 0 where it is within the noise: what cannot be told is no mistake."""
        return 0.0 if self.tied else self.loss


def judge(
    trackers: Sequence[Tracker], effort: Effort = QUICK, seed: int = 0, who: str = "you"
) -> list[Judged]:
    """Judge all decisions of the seat whose session went through these states (`who` in the text).

    Decisions with a single legal action are left out: nobody could do otherwise.
    """
    return list(judging(trackers, effort, seed, who))


def judging(
    trackers: Sequence[Tracker], effort: Effort = QUICK, seed: int = 0, who: str = "you"
) -> Iterator[Judged]:
    """Yield what `judge` lists, one decision after the other, for those who cannot wait."""
    for number, played in decisions(trackers):
        yield judge_one(trackers[number], number, played, effort, seed, who)


def decisions(trackers: Sequence[Tracker]) -> Iterator[tuple[int, Action]]:
    """Yield the number of events before each decision of a seat, and what it chose."""
    for number, event in enumerate(trackers[-1].events):
        view = trackers[number].view
        played = _played(view, event)
        if played is not None and set(choices(view)) != {played}:
            yield number, played


def choices(view: View) -> list[Action]:
    """List what a seat may choose now; beside the seat to act it may also say nothing (`+`)."""
    public = view.public
    if public.over:
        return []
    if public.to_act == view.seat:  # while cards are drawn, `+` is one of the legal actions
        return public.legal_actions(view.hand)
    if public.to_draw:
        return []
    beside = public.other_actions(view.hand)
    return [*beside, UNSEEN_DRAW] if beside else []


def _played(view: View, event: Event) -> Action | None:
    """Return what a seat chose when an event followed: its own action, or silence; else None."""
    public, action = view.public, event.action
    if public.over:
        return None
    if event.seat == view.seat and action.kind in (*LAID, *OMISSIONS, Kind.GIVE_UP):
        if action.kind == Kind.AGAINST or (public.to_draw and action.kind in LAID):
            return None
        return action
    if public.to_act == view.seat:
        return UNSEEN_DRAW if public.to_draw and action.kind == Kind.DRAW else None
    silent = event.seat != view.seat and action.kind in LAID and not public.to_draw
    return UNSEEN_DRAW if silent and choices(view) else None


def judge_one(
    tracker: Tracker,
    number: int,
    played: Action,
    effort: Effort = QUICK,
    seed: int = 0,
    who: str = "you",
) -> Judged:
    """Judge one of the `decisions`: made after `number` events, in the state of `tracker`."""
    view = tracker.view
    options, n = choices(view) or [UNSEEN_DRAW], effort.worlds(view)
    advice = advise(view, tracker.belief, worlds=n, seed=1000 * seed + number, actions=options)
    found = _compared(view, advice, played)
    judged = Judged(
        number,
        view.seat,
        played,
        found.best.action,
        found.loss,
        found.stderr,
        found.tied,
        found.best.value,
        found.best.p_win,
        _missed(found, played),
        "",
        advice,
    )
    return judged._replace(text=_sentence(judged, view, who, found.best.reason))


class _Compared(NamedTuple):
    best: Option
    loss: float
    stderr: float
    tied: bool


def _compared(view: View, advice: Advice, played: Action) -> _Compared:
    """Compare what was played with the best; what ends the deal by law is worth its score."""
    best = advice.best
    for option in advice.options[1:]:
        if option.action == played:
            return _Compared(best, option.margin, option.noise, option.tied)
    if best.action == played:
        return _Compared(best, 0.0, 0.0, True)
    worth = float(view.public.after(Event(view.seat, played)).payoff[view.seat])
    if worth >= best.value:
        same = Option(played, worth, float(worth > 0), 0.0, 0.0, True)
        return _Compared(same, 0.0, 0.0, True)
    loss = best.value - worth
    return _Compared(best, loss, best.stderr, loss <= 2 * best.stderr)


def _missed(found: _Compared, played: Action) -> str:
    """Name what was left undone; a sure claim counts even where waiting cost nothing."""
    kind = found.best.action.kind
    if kind not in OMISSIONS or kind == played.kind:
        return ""
    return OMISSIONS[kind] if kind == Kind.CLAIM or not found.tied else ""


def _sentence(judged: Judged, view: View, who: str, reason: str) -> str:
    """Say what was done, what was better, by how much, and why."""
    draws = judged.best == UNSEEN_DRAW and view.public.to_draw
    done, better = _done(judged.played, view, who), "drawing" if draws else spoken(judged.best)
    if judged.best == judged.played:
        return f"{done}: nothing was better."
    claim = f" ({view.public.points[judged.seat]} points: a missed claim)"
    noted = claim if judged.missed == "claim" else f" (a missed {judged.missed})"
    note = noted if judged.missed else ""
    if judged.tied:
        return f"{done}: as good as {better}, as far as can be told{note}."
    error = f" ± {judged.stderr:.2f}" if judged.stderr else ""
    why = reason.rpartition("; ")[0]
    told = f": {why}" if why and who == "you" else ""
    return f"{done}; {better} was {judged.loss:.2f}{error} game points better{note}{told}."


def _done(played: Action, view: View, who: str) -> str:
    """Say what was played.

    >>> from inference.game.rules import Rules
    >>> from inference.game.state import PublicState
    >>> from inference.cards import Card
    >>> view = View(PublicState.deal(Rules(), Seat.S, Card.HJ), Seat.S, 0)
    >>> _done(Action(Kind.PLAY, Card.HK), view, "you")
    'you led KH'
    """
    match played.kind:
        case Kind.PLAY:
            verb = "led" if view.public.led is None else "played"
            return f"{who} {verb} {played.card}"
        case Kind.ANNOUNCE:
            return f"{who} announced with {played.card}"
    deeds = {
        Kind.EXCHANGE: "exchanged",
        Kind.CLOSE: "closed",
        Kind.CLAIM: "claimed 66",
        Kind.GIVE_UP: "gave up",
    }
    silent = "drew" if view.public.to_draw else "said nothing"
    return f"{who} {deeds.get(played.kind, silent)}"
