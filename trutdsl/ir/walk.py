"""Goes through every node below a node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from trutdsl.ir.nodes import Node


def walk(node: object) -> Iterator[Node]:
    """Yield the node and all nodes below it, outermost first, in the order of the text."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            yield item
            stack += reversed(children(item))
        elif isinstance(item, tuple | list):
            stack += reversed(item)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below a node, in the order of the text; worked out once a node."""
    known: tuple[Node, ...] | None = node.__dict__.get(CHILDREN)
    if known is None:
        found: list[Node] = []
        for name in _fields(type(node)):
            stack = [getattr(node, name)]
            while stack:
                item = stack.pop()
                if isinstance(item, Node):
                    found.append(item)
                elif isinstance(item, tuple):
                    stack += reversed(item)
        known = node.__dict__[CHILDREN] = tuple(found)
    return known


CHILDREN = "_children"
_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def _fields(kind: type[Node]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(kind) if f.name not in ("span", "type"))
    return _FIELDS[kind]
