"""Nodes of trees: data classes with equality and hash by value, fast to define and to create."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T", bound="Tree")


class Tree:
    """The base of all nodes: two nodes are equal if they have the same class and values.

    plain: the types of fields that contain no nodes.
    parts: the other fields, which can contain nodes.
    field_types: the types of all fields, as they are written.
    """

    plain: ClassVar[tuple[str, ...]] = ("str", "int", "bool", "Span")
    parts: ClassVar[tuple[str, ...]]
    field_types: ClassVar[tuple[str, ...]]
    _values: ClassVar[attrgetter[Any]]

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return bool(self._values(self) == self._values(other))

    def __hash__(self) -> int:
        return hash(self._values(self))

    def __repr__(self) -> str:
        texts = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({', '.join(texts)})"


@dataclass_transform(frozen_default=True)
def node(cls: type[T]) -> type[T]:
    """Make a node class a data class; only the type checker forbids assignment to its fields.

    `Tree` has the common methods. Without them a class takes a third of the time to define, and
    most commands define a hundred and fifty.
    """
    node_class = dataclass(eq=False, repr=False)(cls)
    members = fields(node_class)  # type: ignore[arg-type]
    node_class._values = attrgetter(*(one.name for one in members))
    node_class.parts = tuple(one.name for one in members if one.type not in cls.plain)
    node_class.field_types = tuple(str(one.type) for one in members)
    return node_class
