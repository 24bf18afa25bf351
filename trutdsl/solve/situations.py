"""What a seat sees where it is asked: the cards, and the values that tell its questions apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.ir.types import Among, Element, Kind, OneOf, SetOf, Type, YesNo
from trutdsl.language import say
from trutdsl.native.play.observation import Observation
from trutdsl.solve.classes import class_names
from trutdsl.solve.lasting import lasting_variables
from trutdsl.solve.positions import Masks, Numbers, Positions, Stepper, hash_rows
from trutdsl.syntax.ast import Audience
from trutdsl.table.sight import bits_in, variables_of
from trutdsl.variant.words import Words

UNSEEN = np.iinfo(np.int64).min


class Item(NamedTuple):
    """An element or a value in the names of the rules; a card is the first one of its class."""

    text: str
    kind: Among | None = None

    def name(self, alike: Alike, words: Words | None) -> str:
        """Return it as a text; words: of a variant, instead of the names of the rules."""
        match self.kind:
            case Kind.CARD:
                return name_card(self.text, alike, words)
            case Kind.SUIT if words:
                return words.suit(self.text)
            case Kind.RANK if words:
                return words.rank(self.text)
        return self.text


@dataclass(frozen=True)
class PlaceSeen:
    """What a seat sees in one place of a zone or variable.

    is_own: whether it is the seat's own place, None if it is the place of no seat or team. element:
    the card, number and so on whose place it is then, if any. items: the cards, or the value.
    is_zone: whether the name is that of a zone.
    """

    name: str
    is_own: bool | None
    element: Item | None
    items: tuple[Item, ...]
    is_zone: bool

    def text(self, alike: Alike, words: Words | None) -> str:
        """Return it as a text; words: of a variant, instead of the names of the rules."""
        name = self.name
        if words:
            name = words.zone(name) if self.is_zone else words.state(name)
        if self.is_own is not None:
            name += say(" (own)") if self.is_own else say(" (other)")
        if self.element is not None:
            name += f" {self.element.name(alike, words)}"
        texts = [one.name(alike, words) for one in self.items]
        return f"{name} {' '.join(texts)}" if self.is_zone else f"{name} = {', '.join(texts)}"


# The names of all cards of a class, by the first of them.
Alike = Mapping[str, tuple[str, ...]]


def name_card(text: str, alike: Alike, words: Words | None) -> str:
    """Return the name of a card's class."""
    classes = [[words.card(name) if words else name for name in names] for names in alike.values()]
    return class_names(classes)[list(alike).index(text)]


class SeatSight:
    """What a seat sees in a deal where it is asked, without what lasts from deal to deal.

    alike: the names of the cards of each class, by the first of them.
    """

    def __init__(self, stepper: Stepper, seat: int) -> None:
        self.stepper, self.seat, self._classes = stepper, seat, stepper.classes
        names = stepper.classes.names(stepper.setting.deck.texts)
        self.alike = {cards[0]: cards for cards in names}
        self._first_names = list(self.alike)
        self._firsts = {card: cards[0] for cards in names for card in cards}
        program, lasting = stepper.program, lasting_variables(stepper.program)
        self._zones = [zone for zone in program.zones.values() if self._may_be_seen(zone)]
        self._variables = [
            variable
            for variable in variables_of(program)
            if variable.name not in lasting and self._may_be_seen(variable)
        ]
        self._names = [zone.name for zone in self._zones] + [v.name for v in self._variables]

    def _may_be_seen(self, one: Zone | Variable) -> bool:
        is_shown = f"{one.name}.shown" in self.stepper.layout.fields  # by a `reveal`
        return is_shown or one.audience is not Audience.NOBODY

    def keys_and_values(self, positions: Positions) -> tuple[Masks, Numbers]:
        """Return a hash of the question and the cards seen, and the values of variables.

        They are uint64 (n, 2), and int64 (n, places) with `UNSEEN` where the seat may not look.
        """
        seen = self.stepper.observe(positions.memory, self._names)
        columns = [seen.decision.view(np.uint64)[:, None]]
        for zone in self._zones:
            counts = np.bitwise_count(seen.zones[zone.name][:, :, None] & self._classes.masks)
            columns.append(counts.reshape(len(positions), -1).astype(np.uint64))
        return hash_rows(columns), self._values(seen)

    def _values(self, seen: Observation) -> Numbers:
        names = [variable.name for variable in self._variables]
        columns = [
            np.where(seen.seen[name], seen.variables[name].view(np.int64), UNSEEN) for name in names
        ]
        return np.concatenate([np.empty((len(seen.seat), 0), np.int64), *columns], axis=1)

    def describe(self, position: Positions, columns: Numbers) -> tuple[PlaceSeen, ...]:
        """Return what the seat sees in a position: its cards, and some places of variables.

        Cards are sorted by class, except those of piles: these stand from the lowest up. Of places
        of seats or teams, its own stands first.

        columns: int64, those of the values.
        """
        result = []
        seen = self.stepper.observe(position.memory, self._names)
        for zone in self._zones:
            masks = seen.zones[zone.name][0].tolist()
            for place in self._places(zone):
                if zone.ordered:
                    order = seen.orders[zone.name][0, place].tolist()
                    cards = [self._classes.of[card] for card in order if card >= 0]
                else:
                    cards = sorted(self._classes.of[card] for card in bits_in(masks[place]))
                if cards:
                    items = tuple(Item(self._first_names[card], Kind.CARD) for card in cards)
                    is_own = self._is_own(zone.index, place)
                    result.append(PlaceSeen(zone.name, is_own, None, items, True))
        values, first = self._values(seen)[0].tolist(), 0
        for variable in self._variables:
            index = variable.index
            for place in self._places(variable):
                if first + place not in columns:
                    continue
                element, is_own = None, self._is_own(index, place)
                if index is not None and is_own is None:
                    element = self._element(index, place + variable.first)
                value = self._value(variable.type, values[first + place])
                result.append(PlaceSeen(variable.name, is_own, element, value, False))
            first += self.stepper.setting.count(index)
        return tuple(result)

    def action_text(self, text: str) -> str:
        """Return the text of an action, with each card as the first one of its class."""
        return " ".join(self._firsts.get(word, word) for word in text.split())

    def _places(self, one: Zone | Variable) -> list[int]:
        """Return the places of a zone or variable, the seat's own one first."""
        places = range(self.stepper.setting.count(one.index))
        return sorted(places, key=lambda place: self._is_own(one.index, place) is not True)

    def _is_own(self, kind: Among | None, number: int) -> bool | None:
        """Tell whether a seat or team is the seat's own; None for all other kinds."""
        match kind:
            case Kind.SEAT:
                return number == self.seat
            case Kind.TEAM:
                return number == self.stepper.setting.team(self.seat)
        return None

    def _element(self, kind: Among, number: int) -> Item:
        is_own, setting = self._is_own(kind, number), self.stepper.setting
        if is_own is not None:
            return Item(say("own side") if is_own else say("other side"))
        if kind is Kind.CARD:
            return Item(self._first_names[self._classes.of[number]], kind)
        return Item(setting.text_of(kind, number), kind)

    def _value(self, type_: Type, number: int) -> tuple[Item, ...]:
        """Return a value of a variable; sets in an order that does not depend on the seat."""
        if number == UNSEEN:
            return (Item(say("hidden")),)
        match type_:
            case YesNo():
                return (Item(say("yes") if number else say("no")),)
            case OneOf(names):
                return (Item(names[number]),)
            case Element(kind):
                return (Item(say("none")) if number < 0 else self._element(kind, number),)
            case SetOf(kind):
                elements = sorted(bits_in(number), key=lambda one: self._order(kind, one))
                items = tuple(self._element(kind, one) for one in elements)
                return items or (Item(say("nothing")),)
        return (Item(str(number)),)

    def _order(self, kind: Among, number: int) -> int:
        """Return the place of an element in a set: the own one first, alike cards together."""
        if kind is Kind.CARD:
            return self._classes.of[number]
        return -1 if self._is_own(kind, number) else number
