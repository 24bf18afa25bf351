"""The types of the language, its pack as numbers, and its built-in functions and names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from trutdsl.language import mark, say
from trutdsl.variant import Pack

LEAST, MOST = -(2**31), 2**31 - 1  # of a `number`
MOST_WRITTEN = 10**10 - 1  # of a number in the rules
WIDEST = 2**62  # of a computed value
MOST_IN_SET = 64


class Kind(Enum):
    """The kinds of elements; each value is a small number (its index)."""

    SEAT = "seat"
    TEAM = "team"
    CARD = "card"
    SUIT = "suit"
    RANK = "rank"


@dataclass(frozen=True)
class YesNo:
    """`yes` or `no`."""

    def __str__(self) -> str:
        return "yes_no"


@dataclass(frozen=True)
class Number:
    """A whole number from `low` to `high`, both included.

    exact:   the bounds as expressions, if they depend on parameters; they lie within these.
    derived: computed from numbers none of which is declared beyond `number`.
    """

    low: int = LEAST
    high: int = MOST
    exact: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    derived: bool = field(default=False, compare=False, repr=False)

    @property
    def is_wide(self) -> bool:
        """Whether it can exceed a `number` because of a declaration."""
        return not self.derived and (self.low < LEAST or self.high > MOST)

    def __str__(self) -> str:
        return "number"


@dataclass(frozen=True)
class Element:
    """A seat, team, card, suit or rank; `optional`: it can be none."""

    kind: Kind
    optional: bool = False

    def __str__(self) -> str:
        return self.kind.value + ("?" if self.optional else "")


@dataclass(frozen=True)
class Hands:
    """All hands from a set, each a set of cards; only for iteration."""

    def __str__(self) -> str:
        return "hands"


@dataclass(frozen=True)
class OneOf:
    """One of some named values; a value is its index among the names; own_name: its own name."""

    names: tuple[str, ...]
    own_name: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.own_name or "one of " + " | ".join(self.names)


Among = Kind | OneOf | Number  # types of elements of sets, and of indices


@dataclass(frozen=True)
class SetOf:
    """A set of seats, teams, cards, suits or ranks; of named values, or of numbers from 0 to 63."""

    kind: Among

    def __str__(self) -> str:
        return (
            self.kind.value + "s" if isinstance(self.kind, Kind) else f"set of {among(self.kind)}"
        )


ChoiceType = Kind | OneOf | Hands  # types of choices in an option, besides numbers


def among(kind: Among) -> str:
    """Return the name of an element type: `seat`, `call`, `0 to 12`, the same in any language."""
    match kind:
        case Kind():
            return kind.value
        case Number(low, high):
            return f"{low} to {high}"
    return str(kind)


def element_words(kind: Among) -> str:
    """Return an element type in a message: a user's own name as code, others in words."""
    match kind:
        case OneOf():
            return f"`{kind}`"
        case Number(low, high):
            return say("{low} to {high}", low=low, high=high)
    return say(kind.value)


@dataclass(frozen=True)
class Probability:
    """A chance, in millionths; only `chance` can use it."""

    def __str__(self) -> str:
        return "probability"


@dataclass(frozen=True)
class Unknown:
    """The type of an erroneous expression; it fits everything, so an error is reported once."""

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True)
class Nobody:
    """The type of `none`: fits every optional element."""

    def __str__(self) -> str:
        return "none"


Type = YesNo | Number | Element | SetOf | Hands | OneOf | Probability | Unknown | Nobody

YES_NO = YesNo()
NUMBER = Number()
WIDE = Number(-MOST_WRITTEN, MOST_WRITTEN)
SEAT = Element(Kind.SEAT)
TEAM = Element(Kind.TEAM)
TO_TEAM = Element(Kind.TEAM, True)  # to a team or to none
CARD = Element(Kind.CARD)
SUIT = Element(Kind.SUIT)
RANK = Element(Kind.RANK)
CARDS = SetOf(Kind.CARD)
SEATS = SetOf(Kind.SEAT)
TEAMS = SetOf(Kind.TEAM)
UNKNOWN = Unknown()
NOBODY = Nobody()

NAMED_TYPES: dict[str, Type] = {
    "yes_no": YES_NO,
    "number": NUMBER,
    **{kind.value: Element(kind) for kind in Kind},
    **{kind.value + "s": SetOf(kind) for kind in Kind},
}


# Each kind with its article, and in the plural.
A_KIND = {
    Kind.SEAT: (mark("a seat"), mark("seats")),
    Kind.TEAM: (mark("a team"), mark("teams")),
    Kind.CARD: (mark("a card"), mark("cards")),
    Kind.SUIT: (mark("a suit"), mark("suits")),
    Kind.RANK: (mark("a rank"), mark("ranks")),
}


def describe_type(type_: Type) -> str:
    """Return a type in words, with its article."""
    match type_:
        case YesNo():
            return say("a yes or no")
        case Nobody():
            return "`none`"
        case Number():
            return say("a number")
        case Element(kind, optional):
            one = say(A_KIND[kind][0])
            return say("{one} or none", one=one) if optional else one
        case SetOf(Kind() as kind):
            return say("a set of {many}", many=say(A_KIND[kind][1]))
        case OneOf(_, None):
            return str(type_)
        case SetOf(kind):
            return say("a set of {many}", many=element_words(kind))
        case _:
            return say("a {type}", type=type_)


def element_of(items: Type) -> Type:
    """Return the element type of a set; unknown for other types."""
    if not isinstance(items, SetOf):
        return UNKNOWN
    return Element(items.kind) if isinstance(items.kind, Kind) else items.kind


def without_none(type_: Type) -> Type:
    """Return the type of a value that is not none."""
    return Element(type_.kind) if isinstance(type_, Element) else type_


def set_of(element: Type) -> SetOf | None:
    """Return the set type of an element type, None without one."""
    match element:
        case Element(kind):
            return SetOf(kind)
        case OneOf(names) if len(names) <= MOST_IN_SET:
            return SetOf(element)
        case Number(low, high) if 0 <= low <= high < MOST_IN_SET:
            return SetOf(element)
    return None


def fits(value: Type, expected: Type) -> bool:
    """Return whether a value of one type can be used for another type.

    An optional element fits a required one: play checks it.
    """
    match value, expected:
        case (Unknown(), _) | (_, Unknown()):
            return True
        case (Number(), Number()) | (SetOf(Number()), SetOf(Number())):
            return True
        case Element(a), Element(b):
            return a == b
        case Nobody(), Element(_, optional):
            return optional
        case _:
            return value == expected


# The pack as numbers: every card an index; its rank, suit, strength and values in tables.


@dataclass(frozen=True)
class Deck:
    """A pack in the order of `Pack.cards`: suit by suit, strongest rank first, then special cards.

    regular:  how many of the cards are regular; the special ones follow.
    rank:     index among `ranks`; special card i has the rank len(ranks) + i, shared with none.
    suit:     index among `suits`, None for a special card.
    strength: the value of this name; else weakest rank 1, next 2, ..., and a special card 0.
    values:   value name -> amount of each card.
    """

    texts: tuple[str, ...]
    regular: int
    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    suit_names: tuple[str, ...]
    rank: tuple[int, ...]
    suit: tuple[int | None, ...]
    strength: tuple[int, ...]
    values: Mapping[str, tuple[int, ...]]

    def attribute(self, name: str) -> tuple[int | None, ...]:
        """Return the suit, rank, strength or printed number of each card."""
        match name:
            case "suit":
                return self.suit
            case "rank":
                return self.rank
            case "strength":
                return self.strength
        return self.values.get(name, (0,) * len(self.texts))

    def beside(self, above: bool) -> tuple[int | None, ...]:
        """Return for each rank the next stronger or weaker one; None for that of a special card."""
        last = len(self.ranks) - 1
        regular = [r - 1 if r else None for r in range(last + 1)]
        if not above:
            regular = [r + 1 if r < last else None for r in range(last + 1)]
        return (*regular, *[None] * (len(self.texts) - self.regular))

    def index_of(self, kind: Kind, text: str) -> int | None:
        """Return the index of a card, rank or suit by its text, or None without one."""
        if kind is Kind.RANK and text in self.texts[self.regular :]:
            return len(self.ranks) + self.texts[self.regular :].index(text)
        known = {Kind.CARD: self.texts, Kind.RANK: self.ranks, Kind.SUIT: self.suits}[kind]
        return known.index(text) if text in known else None


def make_deck(pack: Pack) -> Deck:
    """Return the tables of a pack."""
    special = [card.name for card in pack.special_cards]
    suits, ranks = len(pack.suits), len(pack.ranks)
    by_rank = (*[ranks - r for r in range(ranks)] * suits, *[0] * len(special))
    strengths = [pack.declared_amount("strength", card) for card in pack.cards]
    return Deck(
        texts=pack.cards,
        regular=suits * ranks,
        ranks=tuple(rank.text for rank in pack.ranks),
        suits=tuple(suit.letter for suit in pack.suits),
        suit_names=tuple(suit.name for suit in pack.suits),
        rank=(*list(range(ranks)) * suits, *(ranks + i for i in range(len(special)))),
        suit=(*(s for s in range(suits) for _ in range(ranks)), *[None] * len(special)),
        strength=tuple(
            rank if own is None else own for own, rank in zip(strengths, by_rank, strict=True)
        ),
        values={name: tuple(pack.value(name, card) for card in pack.cards) for name in pack.values},
    )


@dataclass(frozen=True)
class Signature:
    """A built-in function. A parameter of type None takes any set (or zone)."""

    params: tuple[Type | None, ...]
    result: Type
    help: str


SHOW = "to show a card to one seat, write `look at CARD by SEAT`; a zone, `reveal ZONE to SEATS`"
PRINTED_NUMBER = Number(-1_000_000, 1_000_000)  # numbers printed on cards

FUNCTIONS: dict[str, Signature] = {
    "team": Signature((SEAT,), TEAM, "the team of a seat"),
    "seats_of": Signature((TEAM,), SEATS, "the seats of a team"),
    "next_seat": Signature((SEAT,), SEAT, "the seat that plays after it"),
    "previous_seat": Signature((SEAT,), SEAT, "the seat that plays before it"),
    "strength": Signature((CARD,), PRINTED_NUMBER, "rank as a number, the weakest 1"),
    "rank": Signature((CARD,), RANK, "its rank; a special card has one of its own"),
    "suit": Signature((CARD,), Element(Kind.SUIT, True), "its suit; a special card has none"),
    "special": Signature((CARD,), YES_NO, "whether it is a special card"),
    "size": Signature((None,), Number(0, 64), "how many there are"),
    "empty": Signature((None,), YES_NO, "whether there are none"),
    "top": Signature((CARDS,), CARD, "the uppermost card of a pile, the only one of another zone"),
    "bottom": Signature((CARDS,), CARD, "the lowest card of a pile, the only one of another zone"),
    "min": Signature((NUMBER, NUMBER), NUMBER, "the smaller number"),
    "max": Signature((NUMBER, NUMBER), NUMBER, "the greater number"),
}  # fmt: skip

# Abbreviations for expressions with the others; a variant may define them differently.
PARTNERS: dict[str, dict[str, str]] = {  # by name and type of the argument
    "partner": {"seat": "the next seat of its team after it, or none"},
    "partners": {"seat": "the other seats of its team"},
    "abs": {"number": "how far it is from 0"},
    "other": {"team": "the other team, where there are two"},
    "rank_above": {"rank": "the next stronger rank, or none"},
    "rank_below": {"rank": "the next weaker rank, or none"},
    "opponents": {"seat": "the seats of the other teams", "team": "the other teams"},
}
# What only scripts have: values, of which some have an index, and functions.
SCRIPT_VALUES = ("me", "shown")
SCRIPT_FUNCTIONS = ("said", "announced", "heard", "in_sight")

NAMES: dict[str, tuple[Type, str]] = {
    "players": (Number(1, 16), "how many play"),
    "seats": (SEATS, "all seats"),
    "teams": (TEAMS, "all teams"),
    "suits": (SetOf(Kind.SUIT), "the suits of the pack"),
    "ranks": (SetOf(Kind.RANK), "the ranks of the pack"),
    "pack_cards": (CARDS, "the regular cards"),
    "special_pack": (CARDS, "the special cards"),
}

# Variables of the language; rules that name one count it. A variant may declare the name itself.
NUMBERS_OF: dict[str, str] = {
    "deal_number": "the number of the current or latest deal, from 1",
    "trick_number": "the number of the current or latest trick of the deal, from 1",
}

NATURAL = Number(0, MOST)

VARIABLES: dict[str, tuple[Type, str]] = {
    "dealer": (SEAT, "the seat that deals"),
    "on_lead": (SEAT, "the seat that leads to the next trick"),
}

# The function of a program that gives the strength of a seat's hand: how many of a thousand
# possible hands it beats.
STRENGTH = "measure:strength"
WHOLE = 1000  # of which such strengths and rates are parts
