"""Nodes of trees: data classes that compare and hash by their values, soon defined, soon made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T", bound="Tree")


class Tree:
    """What all nodes have: two are equal if they are of the same class and have the same values."""

    _values: ClassVar[attrgetter[Any]]

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return bool(self._values(self) == self._values(other))

    def __hash__(self) -> int:
        return hash(self._values(self))

    def __repr__(self) -> str:
        given = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({', '.join(given)})"


@dataclass_transform(frozen_default=True)
def node(cls: type[T]) -> type[T]:
    """Make a data class of a kind of node; that nobody writes into one is for the types to check.

    Without methods of its own for what `Tree` does for all it takes a third of the time to define,
    and most commands define a hundred and fifty.
    """
    made = dataclass(eq=False, repr=False)(cls)
    made._values = attrgetter(*(one.name for one in fields(made)))  # type: ignore[arg-type]
    return made
