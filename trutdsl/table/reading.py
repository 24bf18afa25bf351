"""What the numbers of a match stand for, in plain values and as texts."""

from __future__ import annotations

from typing import Any, NamedTuple

from trutdsl.ir.types import Among, Element, Kind, Number, OneOf, SetOf, Type, YesNo
from trutdsl.table.setting import Setting
from trutdsl.table.sight import bits_in

AS_IT_IS, TRUTH, NAMED, ONE, SET = "as it is", "truth", "named", "one", "set"


class Reading(NamedTuple):
    """How a variable's number is read.

    how:   `AS_IT_IS`; `TRUTH`, yes or no; `NAMED`, one of the names; `ONE`, one of the names, or of
           the numbers if there are none, or None; `SET`, a set of these.
    """

    how: str
    names: tuple[str, ...] = ()

    def value(self, number: int) -> Any:
        """Return what a number stands for."""
        how, names = self
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
        """Return what is in a set, in its order."""
        return [self.names[i] if self.names else i for i in bits_in(number)]

    def plain(self, number: int) -> Any:
        """Return what a number stands for as JSON has it: a set is a list, in its order."""
        if self.how == AS_IT_IS:
            return number
        return self.elements(number) if self.how == SET else self.value(number)

    def number(self, text: str) -> int:
        """Return the number that is written so, the contrary of `text`."""
        if self.how == AS_IT_IS:
            return int(text)
        if self.how == TRUTH:
            return int(text == "yes")
        if text == "none" and self.how != NAMED:
            return 0 if self.how == SET else -1
        numbers = [self.names.index(one) if self.names else int(one) for one in text.split()]
        return sum(1 << n for n in numbers) if self.how == SET else numbers[0]

    def text(self, number: int) -> str:
        """Return how what a number stands for is written, as in an action."""
        plain = self.plain(number)
        if plain is None or plain == []:
            return "none"
        if self.how == TRUTH:
            return "yes" if plain else "no"
        return " ".join(map(str, plain)) if isinstance(plain, list) else str(plain)


PLAIN = Reading(AS_IT_IS)


def reading_of(type_: Type, setting: Setting) -> Reading:
    """Return how the numbers of a type are read at a table."""
    match type_:
        case YesNo():
            return Reading(TRUTH)
        case OneOf(names):
            return Reading(NAMED, names)
        case Element(kind):
            return Reading(ONE, _texts(kind, setting))
        case SetOf(kind):
            return Reading(SET, _texts(kind, setting))
    return PLAIN


def _texts(kind: Among, setting: Setting) -> tuple[str, ...]:
    """Return how the elements of a kind are written; of seats, teams and numbers nothing."""
    if kind in (Kind.SEAT, Kind.TEAM) or isinstance(kind, Number):
        return ()
    ranks = (*setting.deck.ranks, *setting.deck.texts[setting.deck.regular :])
    count = len(ranks) if kind is Kind.RANK else setting.count(kind)
    return tuple(setting.text_of(kind, i) for i in range(count))
