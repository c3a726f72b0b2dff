"""A second engine for two-player Sixty-Six: sets and strings, written from docs/rules.md alone.

Slow and obvious on purpose, and sharing nothing with the product: it is what the product is
compared with. Numbers in comments are rule numbers.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

Rules = dict[str, Any]
Event = tuple[str, str]  # seat, text

SUITS, RANKS = "SHDC", "ATKQJ9"  # ranks high to low (1.3)
VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
OTHER = {"S": "N", "N": "S"}

NAMES = ("sixty-six", "sechsundsechzig", "santase", "schnapsen", "schnapsen-sharp", "bicycle")
TABLE: dict[str, tuple[list[Any], str]] = {  # allowed values; which of them, one a preset
    "cards": ([24, 20], "000110"),
    "hand": ([6, 5], "000110"),
    "next_dealer": (["alternate", "winner"], "011001"),
    "strict_head": ([True, False], "100000"),
    "strict_trump": ([True, False], "000000"),
    "marriage_first_lead": (["pending", "forbidden"], "001010"),
    "marriage_after_stock": (["allowed", "forbidden"], "010000"),
    "marriage_valid": ([1, 0], "000000"),
    "must_lead_king": ([True, False], "111101"),
    "announce": (["optional", "automatic"], "000000"),
    "xchg_card": ([9, "J"], "000110"),
    "xchg_needs_trick": ([True, False], "000100"),
    "xchg_when": (["turn", "lead"], "011110"),
    "xchg_min_stock": ([2, 4], "001010"),
    "xchg_on_opp_close": ([True, False], "101110"),
    "close": ([True, False], "100000"),
    "close_first_lead": ([True, False], "101000"),
    "close_before_draw": ([True, False], "101110"),
    "close_min_stock": ([2, 4], "001010"),
    "close_fail": (["2/3", 2, 3, "1/2/3"], "002000"),
    "close_ok_basis": (["final", "closing"], "000110"),
    "opp_out_after_close": (["2/3", 2, 3], "012001"),
    "last_trick_bonus": ([0, 10], "011001"),
    "nobody66": (["last_trick", "higher_total"], "011001"),
    "tie": (["draw", "carry"], "000001"),  # where it cannot arise: draw
    "claim": (["automatic", "declared"], "010111"),
    "false_claim": ([2, 3, "2/3"], "002220"),
    "gp_schedule": ([33, 30], "000000"),
    "target": (list(range(1, 22)), "66A666"),
}
PRESETS = {
    name: {key: allowed[int(row[i], 16)] for key, (allowed, row) in TABLE.items()}
    for i, name in enumerate(NAMES)
}


def rules_of(given: str | Rules) -> Rules:
    """Fill a preset's name or house rules (section 2) up to all cells."""
    changes = {"base": given} if isinstance(given, str) else dict(given)
    cells = dict(PRESETS[changes.pop("base")])
    for key, value in changes.items():
        if value not in TABLE[key][0]:
            raise ValueError(f"{key} cannot be {value}")
    return cells | changes


@dataclass(frozen=True)
class State:
    """All there is to a deal; never changed, only copied."""

    rules: Rules
    trump: str
    leader: str  # of the trick that lies or comes next
    hands: dict[str, frozenset[str]]
    talon: tuple[str, ...]  # draw order, upcard last
    won: dict[str, tuple[str, ...]]  # the cards of the tricks
    points: dict[str, int]  # counted
    pending: dict[str, int]
    led: str | None = None
    drawing: bool = False  # a round is due
    claimer: str | None = None  # whose claim moment it is (5.2)
    closed_by: str | None = None
    at_close: tuple[int, int] = (0, 0)  # tricks, points of the closer's opponent
    just_closed: bool = False  # the closer has not led since
    outcome: tuple[str | None, int] | None = None


def new(
    rules: str | Rules, leader: str, hands: dict[str, Iterable[str]], talon: Iterable[str]
) -> State:
    """Deal: `talon` in draw order, the upcard last."""
    cells, talon = rules_of(rules), tuple(talon)
    held = {seat: frozenset(hands[seat]) for seat in "SN"}
    if {*held["S"], *held["N"], *talon} != set(pack(cells)) or len(talon) != len(set(talon)):
        raise ValueError("these cards are not the pack")
    if {len(hand) for hand in held.values()} != {cells["hand"]}:
        raise ValueError("a hand is too long or too short")
    nothing = {"S": 0, "N": 0}
    return State(cells, talon[-1][1], leader, held, talon, {"S": (), "N": ()}, nothing, nothing)


def pack(cells: Rules) -> list[str]:
    return [r + s for s in SUITS for r in RANKS if cells["cards"] == 24 or r != "9"]  # 1.2


def random_deal(
    rules: str | Rules, rng: random.Random
) -> tuple[str | Rules, str, dict[str, Iterable[str]], list[str]]:
    """Shuffle and deal; returns the arguments of `new`."""
    cells = rules_of(rules)
    cards, n = rng.sample(pack(cells), cells["cards"]), cells["hand"]
    return rules, rng.choice("SN"), {"S": cards[:n], "N": cards[n : 2 * n]}, cards[2 * n :]


def random_rules(rng: random.Random, n_changes: int = 6) -> Rules:
    """Draw house rules: a preset with some cells redrawn."""
    keys = rng.sample(sorted(TABLE), n_changes)
    return {"base": rng.choice(NAMES)} | {key: rng.choice(TABLE[key][0]) for key in keys}


def points(state: State) -> dict[str, int]:
    return dict(state.points)


def pending(state: State) -> dict[str, int]:
    return dict(state.pending)


def tricks(state: State) -> dict[str, int]:
    return {seat: len(state.won[seat]) // 2 for seat in "SN"}  # 3.2: tricks, never points


def over(state: State) -> bool:
    return state.outcome is not None


def result(state: State) -> tuple[str | None, int]:
    return state.outcome or (None, 0)


def to_act(state: State) -> str | None:
    """Return the seat to act (8.1), None after the end."""
    if over(state):
        return None
    return state.leader if state.led is None else OTHER[state.leader]


def strict(state: State) -> bool:
    return not state.talon or state.closed_by is not None


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


def beats(card: str, led: str, trump: str) -> bool:
    if card[1] == led[1]:  # 3.1
        return RANKS.index(card[0]) < RANKS.index(led[0])
    return card[1] == trump


def first_lead(state: State) -> bool:
    return not state.won["S"] and not state.won["N"] and state.led is None


def may_announce(state: State, card: str) -> bool:
    if card[0] not in ("K" if state.rules["must_lead_king"] else "KQ"):  # 4.4
        return False
    if not {"K" + card[1], "Q" + card[1]} <= state.hands[state.leader]:
        return False
    if first_lead(state) and state.rules["marriage_first_lead"] == "forbidden":
        return False  # 4.5
    if strict(state) and state.rules["marriage_after_stock"] == "forbidden":
        return state.just_closed  # 4.6: also after a close before drawing (4.10)
    return True


def may_exchange(state: State, seat: str) -> bool:
    cells = state.rules
    if str(cells["xchg_card"]) + state.trump not in state.hands[seat]:  # so it is not the upcard
        return False
    if len(state.talon) < cells["xchg_min_stock"]:
        return False
    if state.closed_by is not None:
        # 4.3: nothing more of 4.2 is asked for, neither a turn nor `xchg_when`
        return bool(cells["xchg_on_opp_close"]) and state.just_closed and seat != state.closed_by
    if seat != to_act(state) or state.drawing:  # 4.2
        return False
    if state.led is not None and cells["xchg_when"] == "lead":
        return False
    return tricks(state)[seat] > 0 or not cells["xchg_needs_trick"]


def may_close(state: State) -> bool:
    cells = state.rules
    if not cells["close"] or state.closed_by is not None or state.led is not None:
        return False
    if state.drawing:  # 4.10
        left = len(state.talon) - 2
        return bool(cells["close_before_draw"] and left >= cells["close_min_stock"])
    if first_lead(state) and not cells["close_first_lead"]:  # 4.9
        return False
    return len(state.talon) >= int(cells["close_min_stock"])


def rightful(state: State, seat: str) -> bool:
    return state.claimer == seat and state.points[seat] >= 66  # 5.2


def leads(state: State) -> list[str]:
    texts = []
    for card in in_order(state.hands[state.leader]):
        announced = may_announce(state, card)
        if not (announced and state.rules["announce"] == "automatic"):  # 4.8
            texts.append(card)
        if announced:
            texts.append(card + "*")
    return texts


def follows(state: State) -> list[str]:
    hand, led = in_order(state.hands[OTHER[state.leader]]), str(state.led)
    if not strict(state):
        return hand  # 3.4
    of_suit = [card for card in hand if card[1] == led[1]]
    higher = [card for card in of_suit if beats(card, led, state.trump)]
    trumps = [card for card in hand if card[1] == state.trump]
    if of_suit:
        return higher if higher and state.rules["strict_head"] else of_suit  # 3.5
    return trumps if trumps and state.rules["strict_trump"] else hand  # 3.6


def legal(state: State) -> list[str]:
    """List the actions of the seat to act, in the order of 8.2 and 8.3."""
    seat = to_act(state)
    if seat is None:
        return []
    first = ["+"] if state.drawing else leads(state) if state.led is None else follows(state)
    exchange = ["x"] if may_exchange(state, seat) else []
    close = ["c"] if may_close(state) else []
    return first + exchange + close + (["!"] if rightful(state, seat) else [])


def others(state: State) -> dict[str, list[str]]:
    """List what the other seat may do all the same (8.4); empty mostly."""
    seat = to_act(state)
    if seat is None:
        return {}
    exchange = ["x"] if may_exchange(state, OTHER[seat]) else []
    claim = ["!"] if rightful(state, OTHER[seat]) else []
    return {OTHER[seat]: exchange + claim} if exchange or claim else {}


def events(state: State) -> list[Event]:
    """List every legal event (8.5)."""
    here = [(str(to_act(state)), text) for text in legal(state)]
    return here + [(seat, text) for seat, texts in others(state).items() for text in texts]


def two_or_three(cell: Any, no_trick: bool) -> int:
    return (3 if no_trick else 2) if cell == "2/3" else int(cell)


def close_fail(state: State) -> int:
    cell, no_trick = state.rules["close_fail"], state.at_close[0] == 0
    if cell == "1/2/3" and not no_trick:
        return 2 if state.points[str(state.closed_by)] < 33 else 1  # 33 here whatever gp_schedule
    return 3 if cell == "1/2/3" else two_or_three(cell, no_trick)


def end(state: State, winner: str | None, game_points: int) -> State:
    return replace(state, outcome=(winner, game_points))


def go_out(state: State, winner: str) -> State:
    loser, cells = OTHER[winner], state.rules
    if state.closed_by == loser:  # 5.5
        return end(state, winner, two_or_three(cells["opp_out_after_close"], not state.at_close[0]))
    n_tricks, n_points = tricks(state)[loser], state.points[loser]
    if state.closed_by == winner and cells["close_ok_basis"] == "closing":
        n_tricks, n_points = state.at_close  # 5.4
    worth = 3 if n_tricks == 0 else 2 if n_points < cells["gp_schedule"] else 1  # 5.3
    return end(state, winner, worth)


def claim(state: State, seat: str) -> State:
    if state.claimer != seat:
        raise ValueError(f"{seat} cannot claim now")
    if state.points[seat] >= 66:
        return go_out(state, seat)
    worth = two_or_three(state.rules["false_claim"], tricks(state)[OTHER[seat]] == 0)
    if state.closed_by == seat:  # 5.7
        worth = max(worth, close_fail(state))
    return end(state, OTHER[seat], worth)


def exchange(state: State, seat: str) -> State:
    low = str(state.rules["xchg_card"]) + state.trump
    hand = state.hands[seat] - {low} | {state.talon[-1]}
    return replace(state, hands=state.hands | {seat: hand}, talon=(*state.talon[:-1], low))


def close(state: State, seat: str) -> State:
    then = tricks(state)[OTHER[seat]], state.points[OTHER[seat]]
    return replace(state, closed_by=seat, at_close=then, just_closed=True, drawing=False)


def draw(state: State, winner: str) -> State:
    first, second, *rest = state.talon  # 3.3
    loser = OTHER[winner]
    hands = {winner: state.hands[winner] | {first}, loser: state.hands[loser] | {second}}
    return replace(state, hands=hands, talon=tuple(rest), drawing=False)


def lead(state: State, seat: str, card: str, announced: bool) -> State:
    if announced:
        worth = 40 if card[1] == state.trump else 20
        if tricks(state)[seat] >= state.rules["marriage_valid"]:  # 4.7
            state = replace(state, points=state.points | {seat: state.points[seat] + worth})
            if state.rules["claim"] == "automatic" and state.points[seat] >= 66:
                return go_out(state, seat)  # 5.1: no card is laid
        else:
            state = replace(state, pending=state.pending | {seat: state.pending[seat] + worth})
    hands = state.hands | {seat: state.hands[seat] - {card}}
    claimer = seat if announced else None
    return replace(state, hands=hands, led=card, claimer=claimer, just_closed=False)


def reply(state: State, seat: str, card: str) -> State:
    """Lay the second card and settle the trick (3.2, 4.7, 5.8)."""
    led = str(state.led)
    winner = seat if beats(card, led, state.trump) else state.leader
    hands = state.hands | {seat: state.hands[seat] - {card}}
    last = not hands["S"] and not hands["N"]
    gain = VALUE[led[0]] + VALUE[card[0]] + state.pending[winner]
    if last and state.closed_by is None:  # 5.8
        gain += state.rules["last_trick_bonus"]
    state = replace(
        state,
        hands=hands,
        led=None,
        leader=winner,
        claimer=winner,
        won=state.won | {winner: (*state.won[winner], led, card)},
        points=state.points | {winner: state.points[winner] + gain},
        pending=state.pending | {winner: 0},
    )
    if state.points[winner] >= 66 and (last or state.rules["claim"] == "automatic"):
        return go_out(state, winner)  # 5.1, 5.9
    if last:
        return played_out(state)
    return replace(state, drawing=bool(state.talon) and state.closed_by is None)


def played_out(state: State) -> State:
    if state.closed_by is not None:
        return end(state, OTHER[state.closed_by], close_fail(state))  # 5.6
    if state.rules["nobody66"] == "last_trick":
        return end(state, state.leader, 1)  # 5.10, even if the other passed 66 and kept silent
    if state.points["S"] == state.points["N"]:
        return end(state, None, 0)  # 5.11
    return go_out(state, max("SN", key=lambda seat: state.points[seat]))


def step(state: State, seat: str, text: str) -> State:
    """Return the state after one event; ValueError where the rules refuse it."""
    if text == "r":
        return end(state, OTHER[seat], 3)  # 5.13
    if over(state):
        if text.startswith("=") or (text == "!" and result(state)[0] == seat):
            return state  # 5.15
        raise ValueError("the deal is over")
    if text == "z":
        return end(state, None, 0)  # 5.14
    if text == "/":
        # 5.12 names 5.5 too, but it can never apply: the closer who gives up has failed (5.6)
        failed = state.closed_by == seat
        return end(state, OTHER[seat], close_fail(state)) if failed else go_out(state, OTHER[seat])
    if text == "!":
        return claim(state, seat)
    if (seat, text) not in events(state):
        raise ValueError(f"{seat}:{text} is not legal here: {events(state)}")
    if text in "xc+":
        return {"x": exchange, "c": close, "+": draw}[text](state, seat)
    if state.led is None:
        return lead(state, seat, text[:2], text.endswith("*"))
    return reply(state, seat, text)


def split(state: State, depth: int) -> dict[str, int]:
    """Count the lines of `depth` events behind every legal event, as `S:KH`."""
    return {f"{seat}:{x}": perft(step(state, seat, x), depth - 1) for seat, x in events(state)}


def perft(state: State, depth: int) -> int:
    """Count the lines of `depth` events; a line that ends earlier is not one."""
    return sum(split(state, depth).values()) if depth > 1 else len(events(state)) if depth else 1
