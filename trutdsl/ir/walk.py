"""Goes through every node below a node, and through all questions."""

from __future__ import annotations

from collections.abc import Iterator

from trutdsl.ir.nodes import Ask, Node, Program


def walk(node: object) -> Iterator[Node]:
    """Yield the node and all nodes below it, outermost first, in the order of the text."""
    if isinstance(node, Node):
        stack = [node]
        while stack:
            item = stack.pop()
            yield item
            stack += item.children[::-1]
    elif isinstance(node, tuple | list):
        for one in node:
            yield from walk(one)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below a node, in the order of the text."""
    return node.children


def questions_of(program: Program) -> list[Ask]:
    """Return every question of the rules in the order of their text."""
    return [
        node for rule in program.rules.values() for node in walk(rule.body) if isinstance(node, Ask)
    ]
