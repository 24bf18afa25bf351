"""What a seat sees where it is asked: the cards, and the values that tell its questions apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from trutdsl.ir.nodes import Variable, Zone
from trutdsl.ir.types import Among, Element, Kind, OneOf, SetOf, Type, YesNo
from trutdsl.language import say
from trutdsl.solve.classes import common_start
from trutdsl.solve.lasting import lasting_variables
from trutdsl.solve.positions import Masks, Numbers, Positions, Stepper, hash_rows
from trutdsl.table.sight import bits_in, sees, variables_of
from trutdsl.variant.words import Words


@dataclass(frozen=True)
class PlaceSeen:
    """What a seat sees in one place of a zone or variable.

    is_own: whether it is the seat's own place; None if there is only one. texts: the cards, each as
    the first one of its class, or the value. holds_cards: whether the name is that of a zone.
    """

    name: str
    is_own: bool | None
    texts: tuple[str, ...]
    holds_cards: bool

    def text(self, alike: Alike, words: Words | None) -> str:
        """Return it as a text; words: of a variant, instead of the names of the rules."""
        name = self.name
        if words:
            name = words.zone(name) if self.holds_cards else words.state(name)
        if self.is_own is not None:
            name += say(" (own)") if self.is_own else say(" (other)")
        texts = [name_card(text, alike, words) for text in self.texts]
        return " ".join([name, *([] if self.holds_cards else ["="]), *texts])


# The names of all cards of a class, by the first of them.
Alike = Mapping[str, tuple[str, ...]]


def name_card(text: str, alike: Alike, words: Words | None) -> str:
    """Return the common start of the names of a card's class, and any other text as it is."""
    if words is None:
        return common_start(alike.get(text, (text,)))
    return common_start([words.card(name) for name in alike.get(text, (text,))])


class SeatSight:
    """The places that a seat sees in a deal, without what lasts from deal to deal.

    alike: the names of the cards of each class, by the first of them.
    """

    def __init__(self, stepper: Stepper, seat: int) -> None:
        self.stepper, self.seat, self._classes = stepper, seat, stepper.classes
        names = stepper.classes.names(stepper.setting.deck.texts)
        self.alike = {cards[0]: cards for cards in names}
        self._first_names = list(self.alike)
        self._firsts = {card: cards[0] for cards in names for card in cards}
        program, lasting = stepper.program, lasting_variables(stepper.program)
        self._zones = [(z, place) for z in program.zones.values() for place in self._seen(z)]
        self._variables = [
            (variable, place)
            for variable in variables_of(program)
            if variable.name not in lasting
            for place in self._seen(variable)
        ]

    def _seen(self, one: Zone | Variable) -> Iterator[int]:
        """Yield the places that the seat sees."""
        setting = self.stepper.setting
        return (at for at in range(setting.count(one.index)) if sees(one, at, self.seat, setting))

    def keys(self, positions: Positions) -> Masks:
        """Return a hash of the question and the cards that the seat sees, uint64 (n, 2)."""
        memory, masks = positions.memory, self.stepper.classes.masks
        columns = [self.stepper.masks(memory, "#decision")]
        for zone, place in self._zones:
            cards = self.stepper.cards_in(memory, zone)[:, place, None]
            columns.append(np.bitwise_count(cards & masks).astype(np.uint64))
        return hash_rows(columns)

    def values(self, positions: Positions) -> Numbers:
        """Return what the seat sees in variables, int64 (n, places)."""
        memory = positions.memory
        columns = [self.stepper.values(memory, v.name)[:, place] for v, place in self._variables]
        return np.stack(columns, axis=1) if columns else np.empty((len(positions), 0), np.int64)

    def describe(self, position: Positions, told: Numbers) -> tuple[PlaceSeen, ...]:
        """Return what the seat sees in a position: its cards, and some places of variables.

        told: int64, the columns of `values`.
        """
        result = []
        for zone, place in self._zones:
            mask = int(self.stepper.cards_in(position.memory, zone)[0, place])
            cards = sorted(self._classes.of[card] for card in bits_in(mask))
            if cards:
                texts = tuple(self._first_names[number] for number in cards)
                result.append(PlaceSeen(zone.name, self._is_own(zone.index, place), texts, True))
        values = self.values(position)[0].tolist()
        for column in told.tolist():
            variable, place = self._variables[column]
            text = self._text(variable.type, values[column])
            is_own = self._is_own(variable.index, place)
            which = (
                ()
                if variable.index is None or is_own is not None
                else (self._element(variable.index, place),)
            )
            result.append(PlaceSeen(variable.name, is_own, (*which, text), False))
        return tuple(result)

    def action_text(self, text: str) -> str:
        """Return the text of an action, with each card as the first one of its class."""
        return " ".join(self._firsts.get(word, word) for word in text.split())

    def _is_own(self, kind: Among | None, number: int) -> bool | None:
        """Tell whether a seat or team is the seat's own; None for all other kinds."""
        match kind:
            case Kind.SEAT:
                return number == self.seat
            case Kind.TEAM:
                return number == self.stepper.setting.team(self.seat)
        return None

    def _element(self, kind: Among, number: int) -> str:
        is_own, setting = self._is_own(kind, number), self.stepper.setting
        if is_own is not None:
            return say("own side") if is_own else say("other side")
        if kind is Kind.CARD:
            return self._first_names[self._classes.of[number]]
        return setting.text_of(kind, number)

    def _text(self, type_: Type, number: int) -> str:
        """Return a value of a variable."""
        match type_:
            case YesNo():
                return say("yes") if number else say("no")
            case OneOf(names):
                return names[number]
            case Element(kind):
                return say("none") if number < 0 else self._element(kind, number)
            case SetOf(kind):
                texts = [self._element(kind, one) for one in bits_in(number)]
                return ", ".join(texts) or say("nothing")
        return str(number)
