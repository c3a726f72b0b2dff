"""Cards, seats and hands as masks: the words that every room shares.

A hand is a plain `int` mask: bit `i` stands for `Card(i)`. Within a suit the larger card wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from inference.errors import NotationError


class Suit(IntEnum):
    """Name the four suits, in the order of the text form."""

    S = 0
    H = 1
    D = 2
    C = 3

    @property
    def sign(self) -> str:
        """Return the suit's sign, with the selector that keeps phones from drawing an emoji."""
        return "♠♥♦♣"[self] + "\ufe0e"

    @property
    def word(self) -> str:
        """Return the suit's English name."""
        return ("spades", "hearts", "diamonds", "clubs")[self]


class Rank(IntEnum):
    """Name the six ranks in trick order."""

    NINE = 0
    JACK = 1
    QUEEN = 2
    KING = 3
    TEN = 4
    ACE = 5

    @property
    def letter(self) -> str:
        """Return the rank's letter in the text form."""
        return RANK_LETTERS[self]


RANK_LETTERS = "9JQKTA"
SUIT_LETTERS = "SHDC"
POINTS = (0, 2, 3, 4, 10, 11)
"""Card points by rank (docs/rules.md 1.3)."""


class Card(IntEnum):
    """Name the 24 cards; the value is ``6 * suit + rank``."""

    S9, SJ, SQ, SK, ST, SA = range(6)
    H9, HJ, HQ, HK, HT, HA = range(6, 12)
    D9, DJ, DQ, DK, DT, DA = range(12, 18)
    C9, CJ, CQ, CK, CT, CA = range(18, 24)

    @property
    def suit(self) -> Suit:
        """Return the card's suit."""
        return Suit(self // 6)

    @property
    def rank(self) -> Rank:
        """Return the card's rank."""
        return Rank(self % 6)

    @property
    def points(self) -> int:
        """Return the card's points in a trick."""
        return POINTS[self % 6]

    @property
    def mask(self) -> int:
        """Return the hand that holds only this card."""
        return 1 << self

    @property
    def is_marriage(self) -> bool:
        """Tell whether the card is a king or a queen."""
        return self % 6 in (Rank.QUEEN, Rank.KING)

    @property
    def mate(self) -> Card:
        """Return the queen of a king and the king of a queen."""
        assert self.is_marriage
        return Card(self + 1 if self.rank == Rank.QUEEN else self - 1)

    @property
    def word(self) -> str:
        """Return the card's English name.

        >>> Card.HT.word
        'ten of hearts'
        """
        return f"{self.rank.name.lower()} of {self.suit.word}"

    @property
    def sign(self) -> str:
        """Return suit sign and rank as a table shows them."""
        return f"{self.suit.sign}{'10' if self.rank == Rank.TEN else self.rank.letter}"

    def __str__(self) -> str:
        return RANK_LETTERS[self % 6] + SUIT_LETTERS[self // 6]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class Seat(IntEnum):
    """Name the seats; two players use `S` (by convention the user) and `N`."""

    S = 0
    N = 1
    W = 2
    E = 3

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


FULL = (1 << 24) - 1
SUIT_MASK = tuple(0b111111 << 6 * suit for suit in range(4))
HIGHER = tuple(SUIT_MASK[card // 6] & ~((2 << card) - 1) for card in range(24))
"""HIGHER[card]: the cards of the same suit that beat it."""
LOWER = tuple(SUIT_MASK[card // 6] & ((1 << card) - 1) for card in range(24))
MARRIAGES = tuple(0b1100 << 6 * suit for suit in range(4))
"""MARRIAGES[suit]: its queen and king."""

_RANKS = {"A": 5, "T": 4, "10": 4, "K": 3, "Q": 2, "J": 1, "9": 0}
_SUITS = {
    "S": 0,
    "H": 1,
    "D": 2,
    "C": 3,
    "♠": 0,
    "♥": 1,
    "♦": 2,
    "♣": 3,
    "♤": 0,
    "♡": 1,
    "♢": 2,
    "♧": 3,
}


def parse_card(text: str) -> Card:
    """Read one card; raise NotationError if it is none.

    >>> [str(parse_card(t)) for t in ("AS", "10s", "kh", "9♣\ufe0f")]
    ['AS', 'TS', 'KH', '9C']
    """
    plain = text.strip().replace("\ufe0f", "").replace("\ufe0e", "").upper()
    rank, suit = _RANKS.get(plain[:-1]), _SUITS.get(plain[-1:])
    if rank is None or suit is None:
        raise NotationError(
            f"{text!r} is not a card: write rank (A T K Q J 9), then suit (S H D C)."
        )
    return Card(6 * suit + rank)


def parse_hand(text: str) -> int:
    """Read cards, with or without blanks between them, as a mask; raise NotationError.

    >>> show(parse_hand("kh 10s AS"))
    'AS TS KH'
    """
    return mask_of(parse_cards(text))


def parse_cards(text: str) -> list[Card]:
    """Read cards in the order in which they stand; raise NotationError, also for one that repeats.

    >>> [str(card) for card in parse_cards("kh10sAS")]
    ['KH', 'TS', 'AS']
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is not a list of cards: write them as text, like 'AS KH'.")
    found: list[Card] = []
    for piece in _pieces(text):
        card = parse_card(piece)
        if card in found:
            raise NotationError(f"{card} stands twice in {text!r}: a card exists only once.")
        found.append(card)
    return found


def _pieces(text: str) -> Iterator[str]:
    """Split run-together cards: each ends with its suit."""
    plain = text.replace("\ufe0f", "").replace("\ufe0e", "").replace(",", " ")
    piece = ""
    for letter in plain:
        if letter.isspace():
            if piece:
                yield piece
            piece = ""
        elif piece and letter.upper() in _SUITS:
            yield piece + letter
            piece = ""
        else:
            piece += letter
    if piece:
        yield piece


def cards(mask: int) -> list[Card]:
    """List the cards of a mask in text order: suits S H D C, each from the ace down."""
    return [c for c in TEXT_ORDER if mask >> c & 1]


TEXT_ORDER = tuple(Card(6 * suit + rank) for suit in range(4) for rank in range(5, -1, -1))


def show(mask: int) -> str:
    """Write a mask as text: the inverse of `parse_hand`."""
    return " ".join(str(card) for card in cards(mask))


def mask_of(some: Iterable[Card]) -> int:
    """Return the mask of some cards."""
    mask = 0
    for card in some:
        mask |= 1 << card
    return mask


def points(mask: int) -> int:
    """Return the card points of a mask.

    >>> points(FULL)
    120
    """
    return sum(POINTS[card % 6] for card in range(24) if mask >> card & 1)
