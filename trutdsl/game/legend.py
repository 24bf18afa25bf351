"""The meaning of a seat's sight: names and texts for its numbers, all immutable."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, TypeVar

from trutdsl.diagnostics import BadName
from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Kind
from trutdsl.table.match import SightValues
from trutdsl.table.setting import Setting
from trutdsl.table.sight import (
    FIRST_PLACE,
    HIDDEN,
    PLAIN,
    Hidden,
    Reading,
    bits_in,
    count_cards,
    is_hidden,
    reading_of,
    variables_of,
)

MOST_KEPT = 32768


class SightPart(NamedTuple):
    """A zone or variable: its places are `Sight.seen[first:beyond]`.

    reading: how its numbers are read; not used for cards.
    """

    first: int
    end: int
    reading: Reading
    name: str


class Legend(NamedTuple):
    """The meaning of a table's sights for one seat.

    at_zones:   the most used data together: the names of the zones, the index of the seat's own
                cards (or its team's, or all), the bounds of each zone, and `pack`.
    at_variables: the same of variables: names, bounds, readings.
    teams:      of each seat.
    pack:       the texts of all cards, with spaces between them.
    cards:      the single texts, and the strength of each card.
    values:     the names of the values on cards, each with its value for every card.
    parameters: names, and values as a person writes them.
    """

    at_zones: tuple[tuple[str, ...], tuple[int, ...], tuple[tuple[int, int], ...], str]
    at_variables: tuple[tuple[str, ...], tuple[tuple[int, int], ...], tuple[Reading, ...]]
    seat: int
    teams: tuple[int, ...]
    pack: str
    zones: tuple[SightPart, ...]
    variables: tuple[SightPart, ...]
    counters: tuple[SightPart, ...]
    cards: tuple[str, ...]
    strengths: tuple[int, ...]
    values: tuple[str, ...]
    amounts: tuple[tuple[int, ...], ...]
    parameters: tuple[str, ...]
    parameter_values: tuple[int | bool | str, ...]


def make_legend(
    program: Program, setting: Setting, parameters: Mapping[str, int | bool | str], seat: int
) -> Legend:
    """Return the meaning of a seat's sights."""
    zones = _parts(list(program.zones.values()), setting, FIRST_PLACE)
    end = max((part.end for part in zones.values()), default=FIRST_PLACE)
    values = _parts(variables_of(program), setting, end)
    places = {Kind.SEAT: seat, Kind.TEAM: setting.team(seat), None: 0}
    counters = {name: part for name, part in values.items() if program.variables[name].counter}
    variables = {name: part for name, part in values.items() if name not in counters}
    pack = " ".join(setting.deck.texts)
    own = tuple(zones[z.name].first + places[z.index] for z in program.zones.values())
    readings = tuple(part.reading for part in variables.values())
    return Legend(
        at_zones=(tuple(zones), own, tuple(part[:2] for part in zones.values()), pack),
        at_variables=(tuple(variables), tuple(part[:2] for part in variables.values()), readings),
        seat=seat,
        teams=tuple(setting.team(seat) for seat in range(setting.players)),
        pack=pack,
        zones=tuple(zones.values()),
        variables=tuple(variables.values()),
        counters=tuple(counters.values()),
        cards=setting.deck.texts,
        strengths=setting.deck.strength,
        values=tuple(setting.deck.values),
        amounts=tuple(setting.deck.values.values()),
        parameters=tuple(parameters),
        parameter_values=tuple(parameters.values()),
    )


@lru_cache(maxsize=MOST_KEPT)
def card_texts(cards: int | bytes, pack: str) -> tuple[str, ...]:
    """Return the texts of the visible cards at a place, see `Sight`, of this pack."""
    if is_hidden(cards):
        return ()
    texts = _split(pack)
    return tuple([texts[card] for card in (bits_in(cards) if isinstance(cards, int) else cards)])


@lru_cache(maxsize=64)
def _split(pack: str) -> list[str]:
    return pack.split(" ")


@lru_cache(maxsize=MOST_KEPT)
def visible_texts(cards: int | bytes, pack: str) -> tuple[str, ...] | Hidden:
    """Return the same, or HIDDEN if the seat may not look."""
    return HIDDEN if is_hidden(cards) else card_texts(cards, pack)


@lru_cache(maxsize=MOST_KEPT)
def placed_texts(places: tuple[int | bytes, ...], pack: str) -> tuple[tuple[int, str], ...]:
    """Return the texts of the visible cards at these places, each with its place."""
    each = enumerate(card_texts(cards, pack) for cards in places)
    return tuple((place, text) for place, texts in each for text in texts)


def _parts(
    declarations: list[nodes.Zone] | list[nodes.Variable], setting: Setting, first: int
) -> dict[str, SightPart]:
    result = {}
    for one in declarations:
        end = first + setting.count(one.index)
        reading = reading_of(one.type, setting) if isinstance(one, nodes.Variable) else PLAIN
        result[one.name], first = SightPart(first, end, reading, one.name), end
    return result


Entry = TypeVar("Entry")
Constant = TypeVar("Constant")
Cards = tuple[str, ...]


class _Read(Mapping[str, tuple[Entry, ...]]):
    """A part of a view by name; each entry is created on demand."""

    __slots__ = ("_legend", "_values")

    _legend: Legend
    _values: SightValues
    _parts: ClassVar[str]  # its field of the legend

    def get(self, name: str, default: Any = None) -> Any:
        """Return the entry of this name, or the default."""
        try:
            return self[name]
        except KeyError:
            return default

    def __iter__(self) -> Iterator[str]:
        return (part.name for part in getattr(self._legend, self._parts))

    def __len__(self) -> int:
        return len(getattr(self._legend, self._parts))

    def __repr__(self) -> str:
        return repr(dict(self))


class Zones(_Read[Cards | Hidden]):
    """Zone -> its cards, place by place."""

    __slots__ = ()
    _parts = "zones"

    def __getitem__(self, name: str) -> tuple[Cards | Hidden, ...]:
        zones, _, places, pack = self._legend.at_zones
        try:
            first, end = places[zones.index(name)]
        except ValueError:
            raise BadName("zone", name, zones) from None
        seen = self._values[first:end]
        return tuple([visible_texts(cards, pack) for cards in seen])


class Sizes(_Read[int]):
    """Zone -> the number of its cards, place by place."""

    __slots__ = ()
    _parts = "zones"

    def __getitem__(self, name: str) -> tuple[int, ...]:
        part = part_of(self._legend.zones, "zone", name)
        return tuple(map(count_cards, self._values[part.first : part.end]))


class Variables(_Read[Any]):
    """Variable -> its values, place by place."""

    __slots__ = ()
    _parts = "variables"

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        variables, places, readings = self._legend.at_variables
        try:
            number = variables.index(name)
        except ValueError:
            raise BadName("variable", name, variables) from None
        first, end = places[number]
        seen, reading = self._values[first:end], readings[number]
        if reading is PLAIN:
            return seen
        return tuple([HIDDEN if one is HIDDEN else reading.value(one) for one in seen])


class Counters(_Read[Any]):
    """Counter -> its value for each team."""

    __slots__ = ()
    _parts = "counters"

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        part = part_of(self._legend.counters, "counter", name)
        return self._values[part.first : part.end]


class Constants(Mapping[str, Constant]):
    """The constants of a match, by name."""

    __slots__ = ("_names", "_values", "_what")

    def __init__(self, what: str, names: tuple[str, ...], values: tuple[Constant, ...]) -> None:
        self._what, self._names, self._values = what, names, values

    def __getitem__(self, name: str) -> Constant:
        try:
            return self._values[self._names.index(name)]
        except ValueError:
            raise BadName(self._what, name, self._names) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self) -> ItemsView[str, Constant]:
        """Return names with values, without a lookup for each name."""
        return dict(zip(self._names, self._values, strict=True)).items()

    def __repr__(self) -> str:
        return repr(dict(self.items()))


def part_of(parts: tuple[SightPart, ...], what: str, name: str) -> SightPart:
    """Return the part of this name; raises `BadName` for none."""
    for part in parts:
        if part.name == name:
            return part
    raise BadName(what, name, [part.name for part in parts])
