"""Goes through every node of a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from trutdsl.syntax.ast import Node


def walk(node: object) -> Iterator[Node]:
    """Yield the node and all nodes below it, outermost first."""
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack += reversed(item)
        elif isinstance(item, Node):
            yield item
            stack += [getattr(item, f.name) for f in reversed(fields(item)) if f.name != "span"]
