"""Traverses all nodes below a node, and all questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from trutdsl.ir.nodes import Ask, Do, Node, Program, parts_of


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


def rules_of_match(program: Program) -> list[str]:
    """Return the rules that the rule `match` leads to, itself too, in the order of the program."""
    found, left = {"match"}, ["match"]
    while left:
        for node in walk(program.rules[left.pop()].body):
            if isinstance(node, Do) and node.rule not in found:
                found.add(node.rule)
                left.append(node.rule)
    return [name for name in program.rules if name in found]


# Rebuilds a program bottom up; what stays as it is, is not made again.

Change = Callable[[Node, Node], Node]
AnyNode = TypeVar("AnyNode", bound=Node)


def rebuild_program(program: Program, change: Change) -> Program:
    """Return a program with every node changed, those below it first.

    change: is given a node whose parts are changed already, and the one that it was.
    """

    def each(named: Mapping[str, AnyNode]) -> dict[str, AnyNode]:
        return {name: cast(AnyNode, rebuild(node, change)) for name, node in named.items()}

    return replace(
        program,
        zones=each(program.zones),
        variables=each(program.variables),
        functions=each(program.functions),
        rules=each(program.rules),
        policies=each(program.policies),
    )


def rebuild(node: Node, change: Change) -> Node:
    """Return a node with every node below it and then itself changed."""
    changed = {}
    for name in parts_of(type(node)):
        part = getattr(node, name)
        if part and isinstance(part, Node | tuple):
            new = _rebuilt(part, change)
            if new is not part:
                changed[name] = new
    return change(replace(node, **changed) if changed else node, node)


def _rebuilt(part: Any, change: Change) -> Any:
    if isinstance(part, Node):
        return rebuild(part, change)
    if isinstance(part, tuple):
        items = tuple([_rebuilt(item, change) for item in part])
        same = all(new is old for new, old in zip(items, part, strict=True))
        return part if same else items
    return part
