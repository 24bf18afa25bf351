"""A seat's sight of a match, in plain numbers, and its observations of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Among, Element, Kind, Number, OneOf, SetOf, Type, YesNo
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import Hearers, HistoryEntry, SightValues
from trutdsl.table.setting import Setting


class Hidden(Enum):
    """The mark for a value that a seat may not see."""

    HIDDEN = "hidden"


HIDDEN = Hidden.HIDDEN

# Indices in `Sight.seen`, and the first one of places.
DEAL, DEALER, LEADER, FIRST_PLACE = range(4)


class Sight(NamedTuple):
    """Everything that a seat may see at one moment.

    values:  the index of the deal in the match (-1 before the first), the dealer, the leader. Then
           each place of a zone, and each place of a variable or counter, in the order in which the
           program declares them. A place is one of a seat, team, ...
           - The place of a pile has the indices of its cards from the lowest up, as bytes. That of
             another zone has a mask. If the seat may not look, it is a negative number: ~ the
             number of cards.
           - The place of a variable or counter has a number. A seat, card, ... is its index and -1
             for none, a set its mask, yes is 1. HIDDEN where the seat may not look.
    history: the entries of this deal's history that the seat noticed, oldest first.
    """

    values: SightValues
    history: tuple[HistoryEntry, ...]


def is_hidden(cards: int | bytes) -> bool:
    """Tell whether the cards of a place are hidden from a seat, see `Sight`."""
    return isinstance(cards, int) and cards < 0


def count_cards(cards: int | bytes) -> int:
    """Return the number of cards at a place, visible or not, see `Sight`."""
    if isinstance(cards, bytes):
        return len(cards)
    return ~cards if cards < 0 else cards.bit_count()


def variables_of(program: Program) -> list[nodes.Variable]:
    """Return the variables and counters of a view: not those only for scripts."""
    return [one for one in program.variables.values() if ":" not in one.name]


def sees(declaration: nodes.Zone | nodes.Variable, at: int, seat: int, setting: Setting) -> bool:
    """Tell whether a seat always sees a place."""
    match declaration.audience:
        case Audience.ALL:
            return True
        case Audience.NOBODY:
            return False
        case audience:
            if declaration.index is Kind.TEAM:
                return at == setting.team(seat)
            if audience is Audience.OWNER:
                return at == seat
            return setting.team(at) == setting.team(seat)


def notices(entry: HistoryEntry, audience: Hearers, seat: int, setting: Setting) -> bool:
    if isinstance(audience, frozenset):
        return seat in audience
    if audience is Audience.ALL or entry.seat == seat:
        return True
    return audience is Audience.TEAM and setting.team(entry.seat) == setting.team(seat)


def number_of(value: Any) -> int:
    """Return the number that encodes a variable's value, see `Sight.seen`."""
    if value is None:
        return -1
    if isinstance(value, frozenset):
        return sum(1 << element for element in value)
    return int(value)


def bits_in(mask: int) -> list[int]:
    """Return the indices of the set bits, ascending."""
    result = []
    while mask:
        low = mask & -mask
        result.append(low.bit_length() - 1)
        mask ^= low
    return result


# The meaning of a match's numbers, as plain values and as texts.

AS_IT_IS, TRUTH, NAMED, ONE, SET = "as it is", "truth", "named", "one", "set"


class Reading(NamedTuple):
    """How a variable's number is read.

    how:   `AS_IT_IS`; `TRUTH`, yes or no; `NAMED`, one of the names; `ONE`, one of the names, or of
           the numbers if there are none, or None; `SET`, a set of these.
    size:  the number of elements that a set can hold, else 1.
    """

    how: str
    names: tuple[str, ...] = ()
    size: int = 1

    def value(self, number: int) -> Any:
        """Return the meaning of a number."""
        how, names, _ = self
        if how == AS_IT_IS:
            return number
        if how == TRUTH:
            return number != 0
        if how == NAMED:
            return names[number]
        if how == ONE:
            return None if number < 0 else names[number] if names else number
        return frozenset(self.elements(number))

    def elements(self, number: int) -> list[Any]:
        """Return the elements of a set, in its order."""
        return [self.names[i] if self.names else i for i in bits_in(number)]

    def plain(self, number: int) -> Any:
        """Return the meaning of a number as JSON: a set is a list, in its order."""
        if self.how == AS_IT_IS:
            return number
        return self.elements(number) if self.how == SET else self.value(number)

    def number(self, text: str) -> int:
        """Return the number of a text, the inverse of `text`."""
        if self.how == AS_IT_IS:
            return int(text)
        if self.how == TRUTH:
            return int(text == "yes")
        if text == "none" and self.how != NAMED:
            return 0 if self.how == SET else -1
        numbers = [self.names.index(one) if self.names else int(one) for one in text.split()]
        return sum(1 << n for n in numbers) if self.how == SET else numbers[0]

    def text(self, number: int) -> str:
        plain = self.plain(number)
        if plain is None or plain == []:
            return "none"
        if self.how == TRUTH:
            return "yes" if plain else "no"
        return " ".join(map(str, plain)) if isinstance(plain, list) else str(plain)


PLAIN = Reading(AS_IT_IS)


def reading_of(type_: Type, setting: Setting) -> Reading:
    """Return the reading of a type at a table."""
    match type_:
        case YesNo():
            return Reading(TRUTH)
        case OneOf(names):
            return Reading(NAMED, names)
        case Element(kind):
            return Reading(ONE, _texts(kind, setting))
        case SetOf(kind):
            return Reading(SET, _texts(kind, setting), setting.count(kind))
    return PLAIN


def _texts(kind: Among, setting: Setting) -> tuple[str, ...]:
    """Return the texts of a kind's elements; seats, teams and numbers have none."""
    if kind in (Kind.SEAT, Kind.TEAM) or isinstance(kind, Number):
        return ()
    return tuple(setting.text_of(kind, i) for i in range(setting.count(kind)))


# Marks: the observation history of one seat in a deal, in the order of events. A search for the
# seat knows the deal only by its marks: a world is a course of the deal with the same marks, see
# `trutdsl.strategy.worlds`.

DRAWN, LAY, SAID, ASKED = range(4)
MOST_STEPS = 512  # limit of a world
MOST_EXCHANGES = 256  # interchangeable cards before a world is started again
UNGUIDED = 8  # one course in so many is drawn as likely as by the rules
LEAST_LIKELY = 1e-300  # added to the probability of a course, so that no weight is infinite
LEVEL_BITS = 16  # bits of a level, below the pile's number


class Mark(NamedTuple):
    """An observation of a seat; `kind` gives the meaning of the numbers.

    DRAWN: a visible draw: the target place, the card, the number of candidates, the level of the
           pile (see `DrawCount`).
    LAY:   a card lies here at the answer that makes it visible: the place, the card, the number of
           draws to the place before, the level of the last such draw.
    SAID:  another seat's answer: the seat, the question's number, the action's number.
    ASKED: a question to the seat itself: its index in the deal, and the action's number, -1 while
           it is open.
    """

    kind: int
    one: int
    two: int
    three: int = 0
    level: int = 0


class Places:
    """All places for cards at a table, numbered zone by zone, place by place.

    zones: each place's zone name and index there. first: each zone's first place.
    """

    def __init__(self, program: Program, setting: Setting) -> None:
        self.zones = [
            (zone.name, at)
            for zone in program.zones.values()
            for at in range(setting.count(zone.index))
        ]
        self.first = {name: place for place, (name, at) in enumerate(self.zones) if at == 0}

    def of(self, zone: str, at: int) -> int:
        return self.first[zone] + at


class DrawCount:
    """Counts the draws of a deal: to each place, and from each place.

    levels: each place's level of the pile at the last draw to it, -1 before the first one. A level
            consists of the pile's number, the number of candidates, and the draws from it before.
            So it stays the same as long as no card comes back.
    """

    def __init__(self, places: int) -> None:
        self.to, self.off, self.levels = [0] * places, [0] * places, [-1] * places

    def level(self, origin: int, size: int) -> int:
        """Return the level of a pile before a draw of one of so many cards."""
        return (origin << LEVEL_BITS) + size + self.off[origin]

    def add(self, origin: int, target: int, size: int) -> None:
        """Count a draw between two places, of one of so many cards."""
        self.levels[target] = self.level(origin, size)
        self.to[target] += 1
        self.off[origin] += 1


def noticed_before(marks: Sequence[Mark], seen: int) -> list[int]:
    """Return for each mark the mask of the cards that the seat noticed in the deal before it.

    seen: the visible cards at the start of the deal.
    """
    result = []
    for mark in marks:
        result.append(seen)
        if mark.kind in (DRAWN, LAY):
            seen |= 1 << mark.two
    return result
