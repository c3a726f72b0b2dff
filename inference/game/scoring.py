"""What a finished deal is worth (docs/rules.md section 5)."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from inference.cards import Seat
from inference.game.rules import Rules


class Closed(NamedTuple):
    """Hold who closed and the other side's points and tricks at that moment."""

    by: Seat
    points: int
    tricks: int


class Outcome(NamedTuple):
    """Hold how a deal ended: the winner (None for a draw), his game points, and why."""

    winner: Seat | None
    game_points: int
    reason: str


class Standing(Protocol):
    """Name the public facts that scoring needs; `PublicState` has them."""

    @property
    def rules(self) -> Rules: ...  # noqa: D102
    @property
    def leader(self) -> Seat: ...  # noqa: D102
    @property
    def points(self) -> tuple[int, int]: ...  # noqa: D102
    @property
    def tricks(self) -> tuple[int, int]: ...  # noqa: D102
    @property
    def closed(self) -> Closed | None: ...  # noqa: D102


def schedule(state: Standing, points: int, tricks: int) -> int:
    """Return 3, 2 or 1 game points by the loser's tricks and points (5.3)."""
    if tricks == 0:
        return 3
    return 2 if points < state.rules.gp_schedule else 1


def out(state: Standing, winner: Seat) -> Outcome:
    """Return the outcome when a seat goes out rightly (5.3 to 5.5)."""
    loser, closed = Seat(1 - winner), state.closed
    if closed is not None and closed.by == loser:
        worth = _flat(state.rules.opp_out_after_close, closed)
        return Outcome(winner, worth, "out against the close")
    if closed is not None and state.rules.close_ok_basis == "closing":
        return Outcome(winner, schedule(state, closed.points, closed.tricks), "out")
    return Outcome(winner, schedule(state, state.points[loser], state.tricks[loser]), "out")


def close_failed(state: Standing) -> Outcome:
    """Return the outcome when the closer is not out at the end (5.6)."""
    assert state.closed is not None
    return Outcome(Seat(1 - state.closed.by), close_penalty(state), "close failed")


def close_penalty(state: Standing) -> int:
    """Return the game points that a failed close costs (5.6)."""
    assert state.closed is not None
    rule = state.rules.close_fail
    if rule == "1/2/3" and state.closed.tricks and state.points[state.closed.by] >= 33:
        return 1
    return _flat("2/3" if rule == "1/2/3" else rule, state.closed)


def _flat(rule: str, closed: Closed) -> int:
    if rule == "2/3":
        return 3 if closed.tricks == 0 else 2
    return int(rule)


def false_claim(state: Standing, claimer: Seat) -> Outcome:
    """Return the outcome of a claim with too few points (5.7)."""
    winner, rule = Seat(1 - claimer), state.rules.false_claim
    worth = int(rule) if rule != "2/3" else 3 if state.tricks[winner] == 0 else 2
    if state.closed is not None and state.closed.by == claimer:
        worth = max(worth, close_penalty(state))
    return Outcome(winner, worth, "false claim")


def nobody_out(state: Standing) -> Outcome:
    """Return the outcome of an exhausted deal in which nobody is out (5.10, 5.11)."""
    if state.rules.nobody66 == "last_trick":
        return Outcome(state.leader, 1, "last trick")
    mine, his = state.points
    if mine == his:
        return Outcome(None, 0, "draw")
    winner = Seat.S if mine > his else Seat.N
    loser = Seat(1 - winner)
    worth = schedule(state, state.points[loser], state.tricks[loser])
    return Outcome(winner, worth, "higher total")
