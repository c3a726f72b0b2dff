"""The deal that is being set up: a handful of texts, mirrored in the address of the page.

A reload finds them there. What a browser sends with a tap may be an older address, so within one
visit the page's own copy counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date
from typing import Any

import streamlit as st

from inference import archive
from inference.cards import Card, Seat, Suit, cards, parse_hand, show
from inference.dashboard import door
from inference.dashboard.desk import Desk
from inference.errors import InferenceError, NotationError
from inference.game.fields import read_object, write_object
from inference.game.midway import complete
from inference.game.rules import PRESETS, Rules, parse_rules
from inference.game.state import other
from inference.opponents.person import MEMORY, memory

NEW, MIDWAY = "new", "midway"
SETS = ("mine", "upcard", "gone", "his")
"""The keys that hold cards."""
NOWHERE = "hidden"
KEYS = (
    *SETS, "of", "kind", "rules", "house", "lead", "name", "us", "them", "carry", "tapped",
    "trump", "points-S", "points-N", "tricks-S", "tricks-N", "pending-S", "pending-N", "closed",
    "closed-points", "closed-tricks", "styles",
)  # fmt: skip
CHOICES: dict[str, Collection[str]] = {
    "kind": (NEW, MIDWAY),
    "rules": PRESETS,
    "lead": ("S", "N"),
    "closed": ("S", "N"),
    "trump": Suit.__members__,
    "tapped": SETS,
}
"""The keys that have few values."""

_PAIRS = ("points", "tricks", "pending")

Draft = Mapping[str, str]


def load(desk: Desk) -> None:
    """Begin from the address, else like the last deal, if the page has no draft yet."""
    if desk.draft:
        return
    found = {key: text for key, text in st.query_params.items() if _makes_sense(key, text)}
    if not found:
        found = _like_the_last(desk)
    desk.draft = {"kind": NEW, **found}


def _like_the_last(desk: Desk) -> dict[str, str]:
    """Take over rules and name from the last deal, as they were put right."""
    for row in archive.recent(desk.store, 1):
        with suppress(InferenceError):  # a deal that cannot be read any more tells nothing
            record = desk.store.replay(row.id, model="counting").session.record
            # His style is left out: it was that of a player who may have gone.
            meta = {key: record.meta[key] for key in record.meta if key not in MEMORY}
            return _known({"rules": record.rules.to_json(), "meta": meta})
    return {}


def leave(desk: Desk) -> None:
    """Drop a correction of a set-up that was left without a word: the deal is shown again."""
    if "of" in desk.draft:
        desk.draft = {}


def _makes_sense(key: str, text: str) -> bool:
    """Tell whether an address may say this: anybody can write anything into it."""
    return key in KEYS and text in CHOICES.get(key, (text,))


def put(desk: Desk, key: str, text: str) -> None:
    """Change the draft; an empty text takes a key away, and other rules the cards they lack."""
    draft = {**desk.draft, key: text}
    if key in ("rules", "house"):
        pack = preset(draft).pack
        draft |= {name: show(mask(draft, name) & pack) for name in SETS}
    desk.draft = {key: text for key, text in draft.items() if text}
    desk.refusal = ""


def mirror(draft: Draft) -> None:
    """Write the draft into the address."""
    kept = {key: text for key, text in st.query_params.items() if key not in (*KEYS, "g")}
    if {**kept, **draft} != st.query_params.to_dict():
        st.query_params.from_dict({**kept, **draft})


def begin_from(desk: Desk, known: Mapping[str, Any]) -> None:
    """Begin a draft from what a record says, and turn to the set-up."""
    desk.draft = described(known)
    door.go()


def described(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the draft of a record, or of that part of one which is known."""
    start = record.get("start")
    return _known(record) | ({"kind": NEW} if start is None else _midway(record["rules"], start))


def _known(record: Mapping[str, Any]) -> dict[str, str]:
    """Take over rules, names, leader and score from a record."""
    rules, match = parse_rules(record["rules"]).to_json(), record.get("match") or {}
    meta = record.get("meta") or {}
    styles = memory(meta).get("styles")
    base, house = (rules, {}) if isinstance(rules, str) else (rules.pop("base"), rules)
    score, seat = match.get("score", {}), str(record.get("seat") or "S")
    found = {
        "mine": (record.get("hands") or {}).get(seat, ""),
        "upcard": record.get("upcard") or "",
        "rules": base,
        "house": write_object(house) if house else "",
        "lead": record.get("leader") or "",
        "name": str(meta.get("opponent", "")),
        "styles": write_object(styles) if styles else "",
        "us": str(score.get("S", 0) or ""),
        "them": str(score.get("N", 0) or ""),
        "carry": str(match.get("carry", 0) or ""),
    }
    return {key: text for key, text in found.items() if text}


def _midway(rules: Any, start: Mapping[str, Any]) -> dict[str, str]:
    """Take over a position in the middle of a deal: the inverse of `_start`."""
    hand, unseen, up = (parse_hand(start[key] or "") for key in ("hand", "unseen", "upcard"))
    closed = start["closed"] or {}
    found = {
        "mine": start["hand"],
        "gone": show(parse_rules(rules).pack & ~(hand | unseen | up)),
        "upcard": start["upcard"] or "",
        "his": start["known"].get("N", ""),
        "lead": start["leader"],
        "trump": start["trump"],
        "closed": closed.get("by", ""),
        "closed-points": str(closed.get("points", "")),
        "closed-tricks": str(closed.get("tricks", "")),
        **{f"{key}-{seat}": str(start[key][seat]) for key in _PAIRS for seat in ("S", "N")},
    }
    return {"kind": MIDWAY} | {key: text for key, text in found.items() if text}


def rules_of(draft: Draft) -> Rules:
    """Return the rules of a draft; raise NotationError if its house rules cannot be read."""
    base = draft.get("rules", "sixty-six")
    house = draft.get("house", "").strip()
    return parse_rules({"base": base, **(read_object(house) if house else {})})


def preset(draft: Draft) -> Rules:
    """Return the rules, or only their base while the house rules cannot be read."""
    try:
        return rules_of(draft)
    except InferenceError:
        return PRESETS.get(draft.get("rules", ""), PRESETS["sixty-six"])


def mask(draft: Draft, key: str) -> int:
    """Return the cards that a draft has under a key."""
    try:
        return parse_hand(draft.get(key, ""))
    except NotationError:
        return 0


def upcard(draft: Draft) -> Card | None:
    """Return the upcard that was tapped."""
    return next(iter(cards(mask(draft, "upcard"))), None)


def tap(desk: Desk, card: Card, button: str) -> None:
    """Put a tapped card where there is room for it, or take it out of its place."""
    if not desk.once(button):
        return
    place, midway = place_of(desk.draft, card), desk.draft.get("kind") == MIDWAY
    goal, limit = target(desk.draft)
    if place != NOWHERE:
        put(desk, place, show(mask(desk.draft, place) & ~card.mask))
    if goal is None or place == goal or (place != NOWHERE and not midway):
        return
    there = 0 if limit == 1 else mask(desk.draft, goal)
    if there.bit_count() < limit:
        put(desk, goal, show(there | card.mask))


def place_of(draft: Draft, card: Card) -> str:
    """Return the key under which a draft has a card."""
    return next((key for key in SETS if mask(draft, key) & card.mask), NOWHERE)


def target(draft: Draft) -> tuple[str | None, int]:
    """Return the set that the next tap fills, and how many cards it holds."""
    rules = preset(draft)
    if draft.get("kind") == MIDWAY:
        chosen = draft.get("tapped", "mine")
        return chosen, {"upcard": 1, "gone": rules.cards}.get(chosen, rules.hand)
    if mask(draft, "mine").bit_count() < rules.hand:
        return "mine", rules.hand
    return ("upcard", 1) if upcard(draft) is None else (None, 0)


def filled(draft: Draft) -> bool:
    """Tell whether no card is missing any more that a deal must have."""
    return draft.get("kind") == MIDWAY or target(draft)[0] is None


def record(draft: Draft) -> dict[str, Any]:
    """Return the record that a draft describes; raise an InferenceError for what cannot be."""
    if not filled(draft):
        raise NotationError("Tap your cards and the upcard first.")
    rules = rules_of(draft)
    found = {
        "rules": rules.to_json(),
        "seat": str(Seat.S),
        "meta": {"date": date.today().isoformat()} | _opponent(draft),
    }
    if draft.get("kind") == MIDWAY:
        return found | {"start": _start(draft, rules)}
    leader = Seat[draft.get("lead", "N")]
    match = {
        "score": {"S": _int(draft, "us"), "N": _int(draft, "them")},
        "dealer": str(other(leader)),
        "carry": _int(draft, "carry"),
    }
    up = upcard(draft)
    hand = {"S": show(mask(draft, "mine"))}
    return found | {
        "leader": str(leader),
        "hands": hand,
        "upcard": None if up is None else str(up),
        "match": match,
    }


def _opponent(draft: Draft) -> dict[str, Any]:
    """Say who sits there, else what the last deal showed of him; the store knows named ones."""
    if draft.get("name"):
        return {"opponent": draft["name"]}
    return {"styles": read_object(draft["styles"])} if draft.get("styles") else {}


def _start(draft: Draft, rules: Rules) -> dict[str, Any]:
    known = {"N": draft["his"]} if draft.get("his") else {}
    by = draft.get("closed")
    points, tricks = _int(draft, "closed-points"), _int(draft, "closed-tricks")
    closed = {"by": by, "points": points, "tricks": tricks}
    trump = Suit[draft.get("trump", "S")]
    return complete(rules, mask(draft, "mine"), mask(draft, "gone"), upcard(draft), trump) | {
        "leader": draft.get("lead", "N"),
        "known": known,
        "closed": closed if by else None,
        **{key: _pair(draft, key) for key in _PAIRS},
    }


def _pair(draft: Draft, key: str) -> dict[str, int]:
    return {seat: _int(draft, f"{key}-{seat}") for seat in ("S", "N")}


def _int(draft: Draft, key: str) -> int:
    text = draft.get(key, "")
    return int(text) if text.isdecimal() and len(text) < 4 else 0
