"""Is this entry possible? Sentences for those that are not.

What a view alone can tell is checked here; whether the opponent can hold a card is a question
to the belief, whose answer `impossible` puts into words.
"""

from __future__ import annotations

from collections.abc import Mapping

from inference.cards import MARRIAGES, SUIT_MASK, Card, Seat, Suit, cards, show
from inference.errors import ContradictionError, IllegalActionError, InferenceError, NotationError
from inference.game.events import Event, Kind, announce, play
from inference.game.position import View

AUCTION = (Kind.BID, Kind.TRUMP, Kind.WIDOW)
ENDINGS = (Kind.GIVE_UP, Kind.REVOKE, Kind.ABANDON)
BEFORE_DRAWING = (Kind.CLOSE, Kind.CLAIM, Kind.KNOWN, *ENDINGS)
"""What may come between a trick and its round of drawing."""
Numbers = Mapping[Card, int]
"""Cards with the number of the entry that says something about them."""


def awaited(view: View) -> str:
    """Say whose entry is due.

    >>> from inference.game.rules import Rules
    >>> from inference.game.state import PublicState
    >>> awaited(View(PublicState.deal(Rules(), Seat.N, Card.HJ), Seat.S, 0))
    "N's lead"
    """
    public = view.public
    if public.over:
        return "nothing: the deal is over"
    if view.draw_due:
        return "your drawn card"
    whose = "your" if public.to_act == view.seat else f"{public.to_act}'s"
    return f"{whose} lead" if public.led is None else f"{whose} reply to {public.led}"


def check(view: View, event: Event, seen_at: Numbers) -> None:
    """Raise the error that an entry deserves by the public facts and my own hand; else nothing."""
    seat, action = event
    if seat not in (view.seat, view.opponent):
        raise NotationError(f"{event}: two players sit at S and N, there is no seat {seat}.")
    if action.kind in AUCTION:
        raise _illegal(f"{event}: there is no bidding and no widow with two players", "1.1")
    _check_cards(view, event, seen_at)
    if view.public.over:
        _check_after_end(view, event)
    elif action.kind not in (*ENDINGS, Kind.KNOWN):
        _check_due(view, event)
        _check_rules(view, event, seen_at)


def _illegal(sentence: str, line: str, legal: tuple[str, ...] = ()) -> IllegalActionError:
    choice = f" Possible here: {', '.join(legal)}." if legal else ""
    return IllegalActionError(f"{sentence} (rule {line}).{choice}", line, legal)


def _check_cards(view: View, event: Event, seen_at: Numbers) -> None:
    """Check the cards of an entry against those that were seen elsewhere."""
    kind, card = event.action.kind, event.action.card
    named = event.action.mask | (0 if card is None else card.mask)
    missing = named & ~view.public.rules.pack
    if missing:
        raise NotationError(f"{event}: {cards(missing)[0]} is not in a pack of 20 cards.")
    for card in cards(named):
        where = _elsewhere(view, event.seat, card, kind, seen_at)
        if where:
            raise ContradictionError(f"{event}: {card} {where}.")
    if kind == Kind.ANNOUNCE and card is not None:
        _check_mate(view, event, seen_at)


def _elsewhere(view: View, seat: Seat, card: Card, kind: Kind, seen_at: Numbers) -> str:
    """Say where a card is if it cannot be where an entry puts it, else nothing."""
    public, held = view.public, bool(view.hand & card.mask)
    if public.played & card.mask:
        return "" if kind == Kind.KNOWN else f"was already played{_since(seen_at, card)}"
    if card == public.upcard:
        return "lies face up under the talon"
    if seat != view.seat:
        return f"is in your own hand{_since(seen_at, card)}" if held else ""
    if kind != Kind.DRAW:
        return "" if held else "is not in your hand"
    if held:
        return f"is in your hand already{_since(seen_at, card)}"
    if public.known[view.opponent] & card.mask:
        return f"is known to be in {view.opponent}'s hand{_since(seen_at, card)}"
    return ""


def _since(numbers: Numbers, card: Card) -> str:
    return f" (entry {numbers[card]})" if numbers.get(card) else ""


def _check_mate(view: View, event: Event, seen_at: Numbers) -> None:
    card = event.action.card
    assert card is not None
    if not card.is_marriage:
        raise _illegal(f"{event}: only a king or a queen can be announced", "4.4")
    where = _elsewhere(view, event.seat, card.mate, Kind.PLAY, seen_at)
    if where:
        raise ContradictionError(f"{event}: its mate {card.mate} {where}.")


def _check_after_end(view: View, event: Event) -> None:
    outcome, kind = view.public.outcome, event.action.kind
    assert outcome is not None
    if kind in (Kind.KNOWN, Kind.REVOKE):
        return
    right = event.seat == outcome.winner and view.public.points[event.seat] >= 66
    if not (kind == Kind.CLAIM and right):
        raise _illegal(f"{event}: the deal is over ({outcome.reason})", "5.15")


def _check_due(view: View, event: Event) -> None:
    """Check that an entry of this kind and seat is due now."""
    public, (seat, action) = view.public, event
    if action.kind == Kind.DRAW:
        _check_draw(view, event)
    elif public.to_draw and action.kind not in (Kind.CLOSE, Kind.CLAIM):
        raise _illegal(f"{event}: enter your drawn card first", "3.3", ("+AS …",))
    elif action.kind == Kind.CLAIM:
        if not public.is_claimant(seat):
            raise _illegal(
                f"{event}: a claim follows the claimer's own trick or announcement, "
                "before the next card",
                "5.2",
            )
    elif seat != public.to_act and not (action.kind == Kind.EXCHANGE and public.fresh_close):
        raise _illegal(f"{event}: awaited is {awaited(view)}", "8.1")


def _check_draw(view: View, event: Event) -> None:
    due = view.public.to_draw
    if event.seat not in due:
        raise _illegal(f"{event}: nothing is to be drawn now; awaited is {awaited(view)}", "3.3")
    if event.seat == view.seat:
        if event.action.card is None:
            raise NotationError(f"{event}: name the card that you drew, like {event.seat}:+AS.")
    elif event.action.card is not None:
        raise NotationError(f"{event}: {event.seat}'s drawn card is hidden: write {event.seat}:+.")
    elif event.seat != due[0]:
        raise _illegal(f"{event}: enter your drawn card first", "3.3")


def _check_rules(view: View, event: Event, seen_at: Numbers) -> None:
    kind = event.action.kind
    if kind == Kind.EXCHANGE:
        _check_exchange(view, event, seen_at)
    elif kind == Kind.CLOSE and not (view.public.may_close() and event.seat == view.public.leader):
        raise _illegal(f"{event}: {_why_no_close(view)}", "4.9")
    elif kind == Kind.ANNOUNCE:
        _check_announcement(view, event)
    elif kind == Kind.PLAY:
        _check_play(view, event)


def _check_exchange(view: View, event: Event, seen_at: Numbers) -> None:
    public, seat = view.public, event.seat
    answering = seat != public.to_act
    allowed = public.may_answer_close() if answering else public.may_exchange()
    if not allowed:
        raise _illegal(f"{event}: {_why_no_exchange(view, seat)}", "4.3" if answering else "4.2")
    low = public.low_trump
    where = _elsewhere(view, seat, low, Kind.PLAY, seen_at)
    if where:
        raise ContradictionError(f"{event}: the low trump {low} {where}.")


def _why_no_exchange(view: View, seat: Seat) -> str:
    public = view.public
    if public.upcard is None:
        return "there is no upcard any more to exchange for"
    if public.upcard == public.low_trump:
        return f"the upcard is the low trump {public.low_trump} itself"
    if public.closed is not None:
        return "the talon is closed"
    if public.talon < public.rules.xchg_min_stock:
        return f"only {public.talon} talon cards are left"
    if public.rules.xchg_needs_trick and public.tricks[seat] == 0:
        return f"{seat} has won no trick yet"
    return "the exchange is made on lead only"


def _why_no_close(view: View) -> str:
    public = view.public
    if not public.rules.close:
        return f"there is no closing in {public.rules.name}"
    if public.closed is not None:
        return f"{public.closed.by} has closed already"
    if public.talon == 0:
        return "the talon is empty"
    if public.to_draw:
        if public.rules.close_before_draw and len(public.to_draw) == len(public.held):
            return f"only {public.talon} talon cards are left"
        return "enter your drawn card first: it is too late to close before drawing, or not allowed"
    if public.led is not None:
        return "only the player on lead may close, before he leads"
    if public.talon < public.rules.close_min_stock:
        return f"only {public.talon} talon cards are left"
    return "nobody may close before the first lead"


def _check_announcement(view: View, event: Event) -> None:
    public, card = view.public, event.action.card
    assert card is not None
    if public.led is not None:
        raise _illegal(f"{event}: marriages are announced on lead only", "4.4")
    if public.may_announce(card):
        return
    if public.rules.must_lead_king and card.rank.letter == "Q":
        raise _illegal(f"{event}: the king must be led from a marriage", "4.4")
    if public.first_lead and public.rules.marriage_first_lead == "forbidden":
        raise _illegal(f"{event}: no marriage may be announced on the first lead", "4.5")
    raise _illegal(f"{event}: no marriage may be announced once the talon is gone or closed", "4.6")


def _check_play(view: View, event: Event) -> None:
    """Check my own card in full, and the opponent's against what everybody knows he holds."""
    public, card = view.public, event.action.card
    assert card is not None
    hand = view.hand if event.seat == view.seat else public.known[event.seat] | card.mask
    if public.led is None:
        if announce(card) in public.legal_actions(hand) and play(card) not in public.legal_actions(
            hand
        ):
            raise _illegal(f"{event}: leading from a marriage announces it, write {card}*", "4.8")
    elif not public.followers(hand) & card.mask:
        raise _must_follow(view, event, hand)


def _must_follow(view: View, event: Event, hand: int) -> IllegalActionError:
    public = view.public
    assert public.led is not None
    allowed = public.followers(hand)
    who = "you" if event.seat == view.seat else str(event.seat)
    duty = f"follow {public.led.suit.word}"
    if hand & SUIT_MASK[public.led.suit] == 0:
        duty = f"trump with {Suit(public.trump).word}"
    elif event.action.card in cards(hand & SUIT_MASK[public.led.suit]):
        duty = f"beat {public.led}"
    line = "3.6" if duty.startswith("trump") else "3.5"
    legal = tuple(str(c) for c in cards(allowed))
    return _illegal(f"{event}: {who} must {duty} and could with {show(allowed)}", line, legal)


def impossible(view: View, event: Event, ruled_out: Numbers, certain: int) -> InferenceError:
    """Return the error for an entry that no hand of the opponent allows any more.

    `ruled_out` maps cards to the entry since which he cannot hold them, `certain` is the mask of
    the cards in all of his possible hands.
    """
    kind, card = event.action.kind, event.action.card
    needed = event.action.mask | (0 if card is None else card.mask)
    if kind == Kind.ANNOUNCE and card is not None:
        needed = MARRIAGES[card.suit]
    if kind == Kind.EXCHANGE:
        needed = view.public.low_trump.mask
    for card in cards(needed):
        if card in ruled_out:
            return _ruled_out(event, card, ruled_out[card])
    public = view.public
    bound = public.followers(certain) if public.led is not None else 0
    if bound and kind == Kind.PLAY and not bound & needed:
        return _must_follow(view, event, certain)
    if kind == Kind.KNOWN:
        n = public.held[event.seat]
        return ContradictionError(
            f"{event}: {event.seat} holds {n} cards, and these cannot all be among them."
        )
    return ContradictionError(
        f"{event}: whatever {event.seat} may still hold does not allow it: this entry or an "
        f"earlier one is wrong. If he broke a rule, enter {event.seat}:{show(needed)[:2]}~ instead."
    )


def _ruled_out(event: Event, card: Card, number: int) -> ContradictionError:
    since = f"since entry {number}" if number else "by the position as it was set up"
    played = event.action.kind == Kind.PLAY
    instead = f" If he broke a rule, enter {event.seat}:{card}~ instead." if played else ""
    fact = f"{event.seat} cannot hold {card} {since}"
    return ContradictionError(f"{event}: {fact}: that entry or this one is wrong.{instead}")
