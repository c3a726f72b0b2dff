"""Rule sets as values: one frozen `Rules`, its presets, and house rules as text.

Every field is a parameter of docs/rules.md section 2; a variant is a value, never code.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inference.cards import Rank
from inference.errors import NotationError

REVOKE = 3
"""Game points for an established revoke (docs/rules.md 5.13)."""


def _one_of(default: Any, *others: Any) -> Any:
    """Declare a parameter by its default and its other allowed values."""
    return field(default=default, metadata={"allowed": (default, *others)})


@dataclass(frozen=True, slots=True)
class Rules:
    """Hold every parameter of a two-player rule set; the defaults are `sixty-six`.

    >>> PRESETS["schnapsen"].talon
    10
    """

    name: str = "sixty-six"
    cards: int = _one_of(24, 20)
    hand: int = _one_of(6, 5)
    next_dealer: str = _one_of("alternate", "winner")
    strict_head: bool = _one_of(False, True)
    strict_trump: bool = _one_of(True, False)
    marriage_first_lead: str = _one_of("pending", "forbidden")
    marriage_after_stock: str = _one_of("allowed", "forbidden")
    marriage_valid: int = _one_of(1, 0)
    must_lead_king: bool = _one_of(False, True)
    announce: str = _one_of("optional", "automatic")
    xchg_card: str = _one_of("9", "J")
    xchg_needs_trick: bool = _one_of(True, False)
    xchg_when: str = _one_of("turn", "lead")
    xchg_min_stock: int = _one_of(2, 4)
    xchg_on_opp_close: bool = _one_of(False, True)
    close: bool = _one_of(False, True)
    close_first_lead: bool = _one_of(False, True)
    close_before_draw: bool = _one_of(False, True)
    close_min_stock: int = _one_of(2, 4)
    close_fail: str = _one_of("2/3", "2", "3", "1/2/3")
    close_ok_basis: str = _one_of("final", "closing")
    opp_out_after_close: str = _one_of("2/3", "2", "3")
    last_trick_bonus: int = _one_of(0, 10)
    nobody66: str = _one_of("last_trick", "higher_total")
    tie: str = _one_of("draw", "carry")
    claim: str = _one_of("automatic", "declared")
    false_claim: str = _one_of("2", "3", "2/3")
    gp_schedule: int = _one_of(33, 30)
    target: int = _one_of(7, *(n for n in range(1, 22) if n != 7))

    @property
    def pack(self) -> int:
        """Return the mask of all cards in the game."""
        return sum(0b111110 << 6 * s for s in range(4)) if self.cards == 20 else (1 << 24) - 1

    @property
    def talon(self) -> int:
        """Return the number of talon cards after the deal, the upcard included."""
        return self.cards - 2 * self.hand

    @property
    def low_trump(self) -> Rank:
        """Return the rank whose trump is exchanged for the upcard."""
        return Rank.NINE if self.xchg_card == "9" else Rank.JACK

    def to_json(self) -> str | dict[str, Any]:
        """Return the preset's name, or the house rules as ``{"base": name, key: value, …}``."""
        base = PRESETS[self.name]
        changed = {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != getattr(base, f.name)
        }
        return {"base": self.name, **changed} if changed else self.name


SIXTY_SIX = Rules()

SECHSUNDSECHZIG = Rules(
    name="sechsundsechzig",
    next_dealer="winner",
    strict_head=True,
    marriage_after_stock="forbidden",
    xchg_when="lead",
    xchg_on_opp_close=True,
    close=True,
    close_first_lead=True,
    close_before_draw=True,
    opp_out_after_close="2",
    last_trick_bonus=10,
    nobody66="higher_total",
    claim="declared",
)

SANTASE = Rules(
    name="santase",
    next_dealer="winner",
    strict_head=True,
    marriage_first_lead="forbidden",
    xchg_when="lead",
    xchg_min_stock=4,
    close=True,
    close_min_stock=4,
    close_fail="3",
    opp_out_after_close="3",
    last_trick_bonus=10,
    nobody66="higher_total",
    false_claim="2/3",
    target=11,
)

SCHNAPSEN = Rules(
    name="schnapsen",
    cards=20,
    hand=5,
    strict_head=True,
    xchg_card="J",
    xchg_needs_trick=False,
    xchg_when="lead",
    close=True,
    close_first_lead=True,
    close_ok_basis="closing",
    claim="declared",
    false_claim="2/3",
)

SCHNAPSEN_SHARP = dataclasses.replace(
    SCHNAPSEN,
    name="schnapsen-sharp",
    marriage_first_lead="forbidden",
    must_lead_king=True,
    xchg_needs_trick=True,
    xchg_min_stock=4,
    close_min_stock=4,
)

BICYCLE = dataclasses.replace(
    SECHSUNDSECHZIG,
    name="bicycle",
    marriage_after_stock="allowed",
    xchg_when="turn",
    tie="carry",
)

PRESETS = {
    rules.name: rules
    for rules in (SIXTY_SIX, SECHSUNDSECHZIG, SANTASE, SCHNAPSEN, SCHNAPSEN_SHARP, BICYCLE)
}


def allowed(key: str) -> tuple[Any, ...]:
    """Return the allowed values of a parameter, the default of `sixty-six` first."""
    values: tuple[Any, ...] = Rules.__dataclass_fields__[key].metadata["allowed"]
    return values


PARAMETERS = tuple(f.name for f in dataclasses.fields(Rules) if f.metadata)


def parse_rules(value: str | Mapping[str, Any] | Rules) -> Rules:
    """Read a preset's name or house rules; raise NotationError for an unknown key or value.

    >>> parse_rules({"base": "sixty-six", "target": 11}).target
    11
    """
    if isinstance(value, Rules):
        return value
    if isinstance(value, str):
        return _preset(value)
    if not isinstance(value, Mapping):
        raise NotationError(f"{value!r} is no rule set: give a name or {{'base': name, …}}.")
    base = _preset(value.get("base", "sixty-six"))
    changes = {key: _checked(key, v) for key, v in value.items() if key != "base"}
    return _coherent(dataclasses.replace(base, **changes))


def _preset(name: object) -> Rules:
    if not isinstance(name, str) or name not in PRESETS:
        raise NotationError(f"{name!r} is no known rule set: choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]


def _checked(key: str, value: object) -> Any:
    """Return an allowed value of a parameter; whole numbers may stand for their text."""
    if key not in PARAMETERS:
        raise NotationError(f"{key!r} is no rule: the rules are {', '.join(PARAMETERS)}.")
    for choice in allowed(key):
        if type(value) is type(choice) and value == choice:
            return value
        if isinstance(choice, str) and type(value) is int and str(value) == choice:
            return choice
    choices = ", ".join(str(choice) for choice in allowed(key))
    raise NotationError(f"the rule {key!r} cannot be {value!r}: it may be {choices}.")


def _coherent(rules: Rules) -> Rules:
    if rules.cards == 20 and rules.xchg_card == "9":
        raise NotationError("a pack of 20 has no nines: set the rule 'xchg_card' to J.")
    return rules
