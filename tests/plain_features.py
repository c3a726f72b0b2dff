"""A plain twin of the compiled features: sets of cards, the rules' own words, no arrays."""

from collections.abc import Callable

from inference.cards import Card, Rank, Seat, Suit, cards
from inference.game.events import Action, Kind
from inference.game.state import PublicState, beats, other

PAIRS = {suit: {Card(6 * suit + Rank.QUEEN), Card(6 * suit + Rank.KING)} for suit in Suit}
TRIBUTE = 3.0

Features = dict[str, float]


class Eyes:
    """See the table as one seat does."""

    def __init__(self, public: PublicState, seat: Seat, hand: int) -> None:
        self.public, self.seat, self.he = public, seat, other(seat)
        self.rules, self.trump = public.rules, public.trump
        self.mine = set(cards(hand))
        gone = set(cards(public.played)) | ({public.upcard} if public.upcard is not None else set())
        self.unseen = set(cards(self.rules.pack)) - gone - self.mine
        self.theirs = set(cards(public.known[self.he])) & self.unseen
        self.hidden = self.unseen - self.theirs
        n_his = public.held[self.he] - len(self.theirs)
        self.p_his = min(1.0, max(0.0, n_his / len(self.hidden))) if self.hidden else 0.0
        self.to_66 = [66 - points for points in public.points]
        self.late = public.strict and not public.fresh_close
        self.marries = self.rules.marriage_after_stock == "allowed" or not self.late

    def suit(self, suit: int, of: set[Card]) -> set[Card]:
        return {card for card in of if card.suit == suit}

    def above(self, card: Card) -> set[Card]:
        return {c for c in self.unseen if c.suit == card.suit and c > card}

    def p_lacks(self, some: set[Card]) -> float:
        return 0.0 if some & self.theirs else (1 - self.p_his) ** len(some)

    def p_holds(self, card: Card) -> float:
        p = self.p_lacks(self.above(card))
        if card.suit == self.trump:
            return p
        p_trumps = 1 - self.p_lacks(self.suit(self.trump, self.unseen))
        if self.public.strict:
            return p - self.p_lacks(self.suit(card.suit, self.unseen)) * p_trumps
        return p * (1 - p_trumps * card.points / 11)

    def may_swap_later(self) -> bool:
        public, rules = self.public, self.rules
        open_ = public.talon > 0 and public.closed is None
        return (
            open_
            and public.upcard not in (None, public.low_trump)
            and public.talon - 2 >= rules.xchg_min_stock
        )


def features(public: PublicState, seat: Seat, hand: int) -> dict[str, Features]:
    """Return the features of each action that a seat may choose, by its text; silence is "-"."""
    eyes = Eyes(public, seat, hand)
    mine = seat == public.to_act
    actions = public.legal_actions(hand) if mine else public.other_actions(hand)
    found = {}
    for action in actions:
        if action.kind == Kind.DRAW:
            found["-"] = {"silence": 1.0}
        else:
            found[str(action)] = of_action(eyes, action, actions)
    if not mine and (actions or public.may_answer_close()):
        found["-"] = {"silence": 1.0}
    return found


def of_action(eyes: Eyes, action: Action, actions: list[Action]) -> Features:
    could_announce = float(any(a.kind == Kind.ANNOUNCE for a in actions))
    match action.kind:
        case Kind.EXCHANGE:
            return exchange(eyes) | {"before_announcing": could_announce}
        case Kind.CLOSE:
            return close(eyes) | {"before_announcing": could_announce}
        case Kind.CLAIM:
            return {"claim": 1.0}
    assert action.card is not None
    laid = {a.card for a in actions if a.card is not None}
    if eyes.public.led is not None:
        return follow(eyes, action.card) | follow_order(eyes, action.card, laid)
    led = lead(eyes, action.card, action.kind == Kind.ANNOUNCE)
    return led | lead_order(eyes, action.card, laid)


def exchange(eyes: Eyes) -> Features:
    up, low = eyes.public.upcard, eyes.public.low_trump
    assert up is not None
    return {
        "exchange": 1.0,
        "exchange.points": (up.points - low.points) / 10,
        "exchange.marriage": float(up.is_marriage and up.mate in eyes.mine),
        "exchange.reply": float(eyes.public.led is not None),
    }


def lead(eyes: Eyes, card: Card, announced: bool) -> Features:
    p, trump = eyes.p_holds(card), card.suit == eyes.trump
    shown = (40 if trump else 20) if announced else 0
    found = {
        "lead.risks": (1 - p) * card.points / 10,
        "lead.cashes": p * card.points / 10,
        "lead.holds": p,
        "lead.trump": float(trump),
        "lead.length": 0.0 if trump else len(eyes.suit(card.suit, eyes.mine)) - 1,
    }
    if announced:
        counts = eyes.public.tricks[eyes.seat] >= eyes.rules.marriage_valid
        found["announce"] = 1.0
        found["announce.trump"] = float(trump)
        found["announce.out"] = float(counts and eyes.public.points[eyes.seat] + shown >= 66)
    return found | goals(eyes, p, card.points, shown) | parting(eyes, card, announced)


def follow(eyes: Eyes, card: Card) -> Features:
    led = eyes.public.led
    assert led is not None
    wins = beats(card, led, eyes.trump)
    left = eyes.mine - {card}
    found = goals(eyes, float(wins), led.points + card.points, 0) | parting(eyes, card, False)
    if not wins:
        return found | {"follow.gives": card.points / 10}
    pairs = [1 + (suit == eyes.trump) for suit, pair in PAIRS.items() if pair <= left]
    return found | {
        "follow.wins": 1.0,
        "follow.captures": led.points / 10,
        "follow.catches": float(led.rank in (Rank.TEN, Rank.ACE)),
        "follow.saves": card.points / 10,
        "goal.to_announce": float(sum(pairs)) if eyes.marries else 0.0,
        "goal.to_exchange": float(eyes.may_swap_later() and eyes.public.low_trump in left),
    }


def ranked(some: set[Card], best: Callable[[list[Rank]], Rank]) -> set[Card]:
    """Return the cards of the lowest or highest rank in a set."""
    return {c for c in some if c.rank == best([other.rank for other in some])}


def plain(eyes: Eyes, some: set[Card]) -> set[Card]:
    """Return the cards that are no trumps, all of them if there are none."""
    return some - eyes.suit(eyes.trump, some) or some


def lead_order(eyes: Eyes, card: Card, laid: set[Card]) -> Features:
    side = plain(eyes, laid)
    lengths = {c: len(eyes.suit(c.suit, side)) for c in side}
    return {
        "lead.lowest": float(card in ranked(laid, min)),
        "lead.highest": float(card in ranked(laid, max)),
        "lead.lowest_plain": float(card in ranked(side, min)),
        "lead.highest_plain": float(card in ranked(side, max)),
        "lead.longest": float(lengths.get(card) == max(lengths.values())),
        "lead.ace": float(card.rank == Rank.ACE),
        "card.place": place(eyes, card, laid),
    }


def follow_order(eyes: Eyes, card: Card, laid: set[Card]) -> Features:
    led = eyes.public.led
    assert led is not None
    winners = {c for c in laid if beats(c, led, eyes.trump)}
    same = eyes.suit(led.suit, winners)
    losers = laid - winners
    return {
        "follow.cheapest": float(card in ranked(same or winners, min)),
        "follow.dearest": float(card in ranked(winners, max)),
        "follow.lowest_loser": float(card in ranked(plain(eyes, losers), min)),
        "follow.lowest": float(card in ranked(laid, min)),
        "follow.single": float(
            card.suit != eyes.trump and eyes.suit(card.suit, eyes.mine) == {card}
        ),
        "card.place": place(eyes, card, laid),
    }


def place(eyes: Eyes, card: Card, laid: set[Card]) -> float:
    if card.suit == eyes.trump:
        return 0.0
    equals = {c for c in laid if c.rank == card.rank and c.suit != eyes.trump}
    return sum((c < card) - (c > card) for c in equals) / 3


def goals(eyes: Eyes, p: float, trick: int, shown: int) -> Features:
    public, me, he = eyes.public, eyes.seat, eyes.he
    mine, his = public.points[me], public.points[he]
    gain, loss = trick + public.pending[me], trick + public.pending[he]
    if public.tricks[me] >= eyes.rules.marriage_valid:
        mine += shown
    else:
        gain += shown
    safe = eyes.rules.gp_schedule
    return {
        "goal.nearer": p * min(1, gain / max(1, 66 - mine)),
        "goal.his_nearer": (1 - p) * min(1, loss / max(1, 66 - his)),
        "goal.out": p * (mine + gain >= 66),
        "goal.his_out": (1 - p) * (his + loss >= 66),
        "goal.safe": p * (mine < safe <= mine + gain),
        "goal.his_safe": (1 - p) * (his < safe <= his + loss),
        "goal.first_trick": p * (public.tricks[me] == 0),
        "goal.last_draw": p * (public.talon == 2 and public.closed is None),
    }


def parting(eyes: Eyes, card: Card, announced: bool) -> Features:
    trump = card.suit == eyes.trump
    ten, ace = Card(6 * card.suit + Rank.TEN), Card(6 * card.suit + Rank.ACE)
    found = {
        "card.trump": float(trump),
        "card.trump_rank": card.rank / 5 if trump else 0.0,
        "card.ace_before_ten": float(card == ace and ten in eyes.hidden),
        "card.bares_ten": float(
            ace in eyes.hidden and card != ten and eyes.suit(card.suit, eyes.mine) == {card, ten}
        ),
        "card.low_trump": float(card == eyes.public.low_trump and eyes.may_swap_later()),
    }
    if card.is_marriage and not announced and eyes.marries:
        worth = 1.0 + trump
        open_ = eyes.public.talon > 2 and eyes.public.closed is None
        if card.mate in eyes.mine:
            found["card.breaks_marriage"] = worth
        elif card.mate in eyes.hidden and open_:
            found["card.breaks_hope"] = worth
    return found


def close(eyes: Eyes) -> Features:
    public, me = eyes.public, eyes.seat
    pairs = [40 if suit == eyes.trump else 20 for suit, pair in PAIRS.items() if pair <= eyes.mine]
    need = 66 - public.points[me] - public.pending[me] - max(pairs, default=0)
    expected, certain = promise(eyes)
    return {
        "close": 1.0,
        "close.margin": min(2, max(-3, (expected - need) / 10)),
        "close.sure": float(certain >= need),
        "close.trumps": float(len(eyes.suit(eyes.trump, eyes.mine))),
    }


def promise(eyes: Eyes) -> tuple[float, int]:
    """Return the points that the hand may expect after closing, and those that are certain."""
    trumps, his = eyes.suit(eyes.trump, eyes.mine), eyes.suit(eyes.trump, eyes.unseen)
    masters = {card for card in trumps if not eyes.above(card)}
    drained = len(his) <= len(masters)
    n_his = len(his & eyes.theirs) + eyes.p_his * len(his & eyes.hidden)
    p_ruffs = min(1, max(0, n_his - len(masters)))
    expected, certain = 0.0, 0
    for card in eyes.mine:
        p, master = eyes.p_lacks(eyes.above(card)), not eyes.above(card)
        if card in trumps:
            sure = master or drained
        else:
            sure = master and drained
            n_led = len([c for c in eyes.suit(card.suit, eyes.mine) if c > card])
            p = max(0, p - p_void(eyes, card.suit, n_led) * p_ruffs)
        expected += p * (card.points + TRIBUTE)
        certain += card.points if sure else 0
    return expected, certain


def p_void(eyes: Eyes, suit: int, n_led: int) -> float:
    held = eyes.suit(suit, eyes.unseen)
    if len(held & eyes.theirs) > n_led:
        return 0.0
    return (1 - eyes.p_his) ** max(0, len(held) - n_led)
