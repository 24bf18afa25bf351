"""Parts of a view, by name: each entry is made when it is asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import ItemsView, Iterator, Mapping
from typing import Any, TypeVar

from trutdsl.game.legend import Legend, Part, shown_texts
from trutdsl.table.reading import PLAIN
from trutdsl.table.sight import HIDDEN, Hidden, Seen, count_cards

Entry = TypeVar("Entry")
Constant = TypeVar("Constant")
Cards = tuple[str, ...]


class _Read(Mapping[str, tuple[Entry, ...]]):
    """A part of a view by name, of which each entry is made when it is asked for."""

    __slots__ = ("_legend", "_seen")

    _legend: Legend
    _seen: Seen

    @property
    @abstractmethod
    def _names(self) -> tuple[str, ...]:
        """The names."""

    def get(self, name: str, default: Any = None) -> Any:
        """Return the entry of this name, or the default."""
        try:
            return self[name]
        except KeyError:
            return default

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Zones(_Read[Cards | Hidden]):
    """Zone -> its cards, place by place."""

    __slots__ = ()

    @property
    def _names(self) -> tuple[str, ...]:
        return self._legend.zones

    def __getitem__(self, name: str) -> tuple[Cards | Hidden, ...]:
        zones, _, places, pack = self._legend.at_zones
        try:
            first, beyond = places[zones.index(name)]
        except ValueError:
            raise KeyError(name) from None
        seen = self._seen[first:beyond]
        return tuple([shown_texts(cards, pack) for cards in seen])


class Sizes(_Read[int]):
    """Zone -> how many cards lie there, place by place."""

    __slots__ = ()

    @property
    def _names(self) -> tuple[str, ...]:
        return self._legend.zones

    def __getitem__(self, name: str) -> tuple[int, ...]:
        first, beyond, _ = _part(name, self._legend.zones, self._legend.zone_parts)
        return tuple(map(count_cards, self._seen[first:beyond]))


class Variables(_Read[Any]):
    """Variable -> its values, place by place."""

    __slots__ = ()

    @property
    def _names(self) -> tuple[str, ...]:
        return self._legend.variables

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        variables, places, readings = self._legend.at_variables
        try:
            number = variables.index(name)
        except ValueError:
            raise KeyError(name) from None
        first, beyond = places[number]
        seen, reading = self._seen[first:beyond], readings[number]
        if reading is PLAIN:
            return seen
        return tuple([HIDDEN if one is HIDDEN else reading.value(one) for one in seen])


class Counters(_Read[Any]):
    """Counter -> its value for each team."""

    __slots__ = ()

    @property
    def _names(self) -> tuple[str, ...]:
        return self._legend.counters

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        first, beyond, _ = _part(name, self._legend.counters, self._legend.counter_parts)
        return self._seen[first:beyond]


class Constants(Mapping[str, Constant]):
    """What is the same for the whole match, by name."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: tuple[str, ...], values: tuple[Constant, ...]) -> None:
        self._names, self._values = names, values

    def __getitem__(self, name: str) -> Constant:
        try:
            return self._values[self._names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self) -> ItemsView[str, Constant]:
        """Return the names with their values, not each looked for by its name."""
        return dict(zip(self._names, self._values, strict=True)).items()

    def __repr__(self) -> str:
        return repr(dict(self.items()))


def _part(name: str, names: tuple[str, ...], parts: tuple[Part, ...]) -> Part:
    """Return the part of this name; raises KeyError for none."""
    try:
        return parts[names.index(name)]
    except ValueError:
        raise KeyError(name) from None
