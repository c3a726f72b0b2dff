"""`play`: live deals in the terminal, entered event by event."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from inference.cards import Card, Seat, show
from inference.cli import options, tables
from inference.errors import IllegalActionError, InferenceError, NotationError
from inference.game.fields import card_of, hand_of, seat_of, write_object
from inference.game.match import Match
from inference.game.rules import PRESETS, Rules
from inference.game.start import per_seat
from inference.game.state import SEATS, other
from inference.reports import to_act
from inference.session import Session

with suppress(ImportError):  # not on Windows; it gives the prompt its arrow keys
    import readline  # noqa: F401

HELP = """\
Enter what you see, one or more events in a line: N:TC S:9C S:+AC
  N:KH plays    N:KH* announces   N:x exchanges   N:c closes     N:! claims
  S:+AS drew    N:=ASKH shown     N:/ gives up    N:r revoked    S:z deal abandoned
  N:9C~ played against the rules
The seat may be left out while it is the awaited one: TC 9C +AC
  belief, legal, advise   ask
  undo [N]                take back the last entries
  correct 9 N:QD          replace entry 9 and keep the later ones; correct 9 - strikes it out
  events                  the entries with their numbers
  record                  the deal as text
  save FILE               add that text to a file
  next                    the next deal of the match
  help, quit"""


RULES = f"{', '.join(PRESETS)}, or house rules as JSON"


def add_to(commands: options.Commands[Any]) -> None:
    """Add the command."""
    told = "follow live deals in the terminal"
    command = commands.add_parser("play", help=told, description=told, allow_abbrev=False)
    command.add_argument("--rules", default="sixty-six", metavar="NAME", help=RULES)
    seats = [str(seat) for seat in SEATS]
    command.add_argument("--as", dest="seat", choices=seats, default="S", help="your seat (S)")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Follow deals until the user quits or the input ends."""
    rules, seat = options.rules(given.rules), Seat[given.seat]
    print(f"{rules.name}, and you are {seat}. `help` lists the commands, `quit` ends.")
    with suppress(EOFError):
        leader = ask(
            "Who leads to the first trick, S or N?", lambda text: seat_of(text, "the leader")
        )
        match = Match(dealer=other(leader))
        while True:
            match = follow(begin(rules, seat, match), match)
    return 0


# -- before the first lead -------------------------------------------------------------------------


def ask(question: str, read: Callable[[str], Any]) -> Any:
    """Ask until the answer can be read; raise EOFError at `quit` or where the input ends."""
    while True:
        answer = _line(f"{question} ")
        if answer == "help":
            print(HELP)
            continue
        try:
            return read(answer)
        except InferenceError as error:
            print(error)


def _line(prompt: str) -> str:
    line = input(prompt).strip()
    if line == "quit":
        raise EOFError
    return line


def begin(rules: Rules, seat: Seat, match: Match) -> Session:
    """Ask for my cards and the upcard and begin the deal."""

    def hand(text: str) -> int:
        found = hand_of(text, "your hand", rules.pack)
        if found.bit_count() != rules.hand:
            raise NotationError(f"you hold {rules.hand} cards, not {found.bit_count()}.")
        return found

    def upcard(text: str) -> Card | None:
        return None if text == "undo" else card_of(text, "the upcard", rules.pack)

    while True:
        mine = ask(f"Your {rules.hand} cards, like AS KH QH:", hand)
        up = ask("The upcard (`undo` asks for your cards again):", upcard)
        if up is not None and mine & up.mask:
            print(f"{up} is in your hand already.")
        elif up is not None:
            return _session(rules, seat, match, mine, up)


def _session(rules: Rules, seat: Seat, match: Match, hand: int, up: Card) -> Session:
    carry = {"carry": match.carry} if match.carry else {}
    score = {"score": per_seat(match.score), "dealer": str(match.dealer), **carry}
    hands, leader = {str(seat): show(hand)}, str(match.leader)
    return Session.new(rules, str(seat), leader, hands, str(up), match=score)


# -- the deal --------------------------------------------------------------------------------------


def follow(session: Session, match: Match) -> Match:
    """Take entries and commands until the next deal; return the match it belongs to."""
    try:
        while True:
            line = _line(prompt(session))
            try:
                if line == "next":
                    return following(session, match)
                print(obey(session, line))
            except InferenceError as error:
                print(error)
    except (EOFError, KeyboardInterrupt):
        if session.events:
            print(f"\nThe deal as text:\n{record(session)}")
        raise


def prompt(session: Session) -> str:
    """Say whose entry is awaited, with the number that it will have."""
    if session.tracker.view.public.over:
        return "next, save FILE or quit> "
    return f"{len(session.events) + 1}. {session.awaited()}> "


def obey(session: Session, line: str) -> str:
    """Carry out a command or enter events; return what is to be said."""
    word, _, rest = line.partition(" ")
    if word in COMMANDS:
        return COMMANDS[word](session, rest.strip())
    enter(session, line)
    return status(session)


def enter(session: Session, line: str) -> None:
    """Enter the events of a line, all or none; one without a seat is the awaited seat's."""
    before = len(session.events)
    try:
        for word in line.split():
            due = to_act(session.tracker)
            session.observe(word if ":" in word or due is None else f"{due}:{word}")
    except InferenceError:
        if len(session.events) > before:
            session.undo(len(session.events) - before)
        raise


def status(session: Session) -> str:
    """Write the score, the talon and my hand on one line, and what must not be overlooked."""
    view = session.tracker.view
    public = view.public
    counts = [f"{seat} {public.points[seat]}{_pending(public.pending[seat])}" for seat in SEATS]
    talon = f"talon {public.talon}" + (f" under {public.upcard}" if public.upcard else "")
    closed = f", closed by {public.closed.by}" if public.closed else ""
    line = f"{', '.join(counts)}; {talon}{closed}; you hold {show(view.hand) or 'no card'}"
    if public.over:
        return f"{line}\n{tables.outcome_text(session)}"
    if public.may_claim(view.seat):
        return f"{line}\nYou have {public.points[view.seat]} points: claim with {view.seat}:!"
    return line


def _pending(points: int) -> str:
    return f" (+{points} with the first trick)" if points else ""


def following(session: Session, match: Match) -> Match:
    """Return the match after the finished deal; a new one if that decided it."""
    public = session.tracker.view.public
    if public.outcome is None:
        raise IllegalActionError(
            f"the deal is not over: awaited is {session.awaited()}; S:z abandons it."
        )
    after = match.after(public.outcome, public.rules)
    s, n = after.score
    winner = after.winner(public.rules)
    if winner is None:
        print(f"Game points: S {s}, N {n}. {after.leader} leads.")
        return after
    print(f"{winner} wins the match: S {s}, N {n}. {after.leader} leads in the next one.")
    return Match(dealer=after.dealer)


# -- commands --------------------------------------------------------------------------------------


def undo(session: Session, rest: str) -> str:
    """Take back one entry, or as many as are named."""
    session.undo(_number(rest) if rest else 1)
    return status(session)


def correct(session: Session, rest: str) -> str:
    """Replace entries: each number is followed by its new events, or by - to strike it out."""
    changes: dict[int, list[str]] = {}
    words: list[str] | None = None
    for word in rest.split():
        if word.isdigit():
            words = changes[_number(word)] = []
        elif words is None:
            break
        else:
            words.append(word)
    if not changes or not all(changes.values()):
        raise NotationError("write the entry's number and what it should be: correct 9 N:QD.")
    session.correct({n: " ".join(new).replace("-", "") for n, new in changes.items()})
    return status(session)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise NotationError(f"{text[:20]!r} is not the number of an entry.")
    return int(text)


def events(session: Session, rest: str) -> str:
    """List the entries with their numbers."""
    numbered = (f"{n}. {event}" for n, event in enumerate(session.events, start=1))
    return "   ".join(numbered) or "Nothing is entered yet."


def record(session: Session, rest: str = "") -> str:
    """Write the deal as one line of a file of records."""
    return write_object(session.to_record())


def save(session: Session, rest: str) -> str:
    """Add the deal to a file of records."""
    try:
        with open(rest, "a", encoding="utf-8") as file:
            file.write(record(session) + "\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NotationError(f"save FILE: {rest!r} cannot be written ({reason}).") from error
    return f"Added to {rest}."


COMMANDS: dict[str, Callable[[Session, str], str]] = {
    "belief": lambda session, rest: tables.belief_text(session),
    "legal": lambda session, rest: tables.legal_text(session),
    "advise": lambda session, rest: tables.advice_text(session),
    "undo": undo,
    "correct": correct,
    "events": events,
    "record": record,
    "save": save,
    "help": lambda session, rest: HELP,
}
