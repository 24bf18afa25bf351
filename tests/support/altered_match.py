"""A match whose hidden cards and values differ, while one seat sees the same."""

from trutdsl.ir.types import Element, Kind, Number, OneOf, SetOf
from trutdsl.table.sight import sees


class AlteredMatch:
    """A match with random cards and values wherever a seat may not see.

    For this seat, it is indistinguishable from the original match.
    """

    def __init__(self, match, game, seat, random):
        self.match, self.game, self.seat, self.random = match, game, seat, random
        program, setting = game.program, game.setting
        places = [(z, i) for z in program.zones.values() for i in range(setting.count(z.index))]
        hidden = [(z, i) for z, i in places if not self.is_seen(z, i)]
        cards = [card for zone, i in hidden for card in match.cards(zone.name, i)]
        self.exchange = dict(zip(cards, random.sample(cards, len(cards)), strict=True))

    def __getattr__(self, name):
        return getattr(self.match, name)

    def is_seen(self, place, at):
        setting = self.game.setting
        return sees(place, at, self.seat, setting) or self.seat in self.match.may_see(
            place.name, at
        )

    def cards(self, zone, at):
        return [card for group in self.groups(zone, at) for card in group]

    def groups(self, zone, at):
        groups = self.match.groups(zone, at)
        return [sorted(self.exchange.get(card, card) for card in group) for group in groups]

    def values(self, name):
        variable = self.game.program.variables.get(name)
        actual = self.match.values(name)
        if variable is None:
            return actual
        seen = [self.is_seen(variable, at) for at in range(len(actual))]
        return [
            value if visible else self.random_value(variable.type, value)
            for value, visible in zip(actual, seen, strict=True)
        ]

    def random_value(self, type_, value):
        match type_:
            case Number(low, high):
                return self.random.randint(low, min(high, low + 5))
            case OneOf(names):
                return self.random.randrange(len(names))
            case Element(kind, _):
                return self.random.randrange(self.game.setting.count(kind))
            case SetOf(Kind() as kind):
                return frozenset(range(self.random.randrange(self.game.setting.count(kind))))
        return not value
