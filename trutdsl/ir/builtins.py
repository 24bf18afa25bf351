"""The built-in functions and names of the language, each with its types and one line of help."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.ir.types import (
    CARD,
    CARDS,
    NUMBER,
    RANK,
    SEAT,
    SEATS,
    SUIT,
    TEAM,
    TEAMS,
    YES_NO,
    Element,
    Kind,
    Number,
    SetOf,
    Type,
)


@dataclass(frozen=True)
class Signature:
    """A built-in function. A parameter of type None takes any set (or zone)."""

    params: tuple[Type | None, ...]
    result: Type
    help: str


SHOW = "draw the card to a zone, and write `reveal ZONE to SEAT` for those who may see it"
PRINTED = Number(-1_000_000, 1_000_000)  # what can be printed on a card

FUNCTIONS: dict[str, Signature] = {
    "team": Signature((SEAT,), TEAM, "the team of a seat"),
    "seats_of": Signature((TEAM,), SEATS, "the seats of a team"),
    "next_seat": Signature((SEAT,), SEAT, "the seat that plays after it"),
    "previous_seat": Signature((SEAT,), SEAT, "the seat that plays before it"),
    "strength": Signature((CARD,), PRINTED, "rank as a number, the weakest 1"),
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

# Short for what can be said with the others; a variant may define them otherwise.
PARTNERS: dict[str, dict[str, str]] = {  # by what they are asked of
    "partner": {"seat": "the next seat of its team after it, or none"},
    "partners": {"seat": "the other seats of its team"},
    "opponents": {"seat": "the seats of the other teams", "team": "the other teams"},
}

NAMES: dict[str, tuple[Type, str]] = {
    "players": (Number(1, 16), "how many play"),
    "seats": (SEATS, "all seats"),
    "teams": (TEAMS, "all teams"),
    "suits": (SetOf(Kind.SUIT), "the suits of the pack"),
    "ranks": (SetOf(Kind.RANK), "the ranks of the pack"),
    "pack_cards": (CARDS, "the regular cards"),
    "special_pack": (CARDS, "the special cards"),
}

VARIABLES: dict[str, tuple[Type, str]] = {
    "dealer": (SEAT, "the seat that deals"),
    "on_lead": (SEAT, "the seat that leads to the next trick"),
}

__all__ = ["FUNCTIONS", "NAMES", "PARTNERS", "SUIT", "TEAMS", "VARIABLES", "Signature"]
