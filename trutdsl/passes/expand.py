"""Inline expansion: replaces a use of a short `define` by its body."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Expression, Node, Program
from trutdsl.ir.walk import children, rebuild, walk


def expanded(
    node: Expression, program: Program, is_safe: Callable[[Expression], bool]
) -> Expression:
    """Return what a use of a `define` is made of, if that is one expression; else the node.

    is_safe: tells whether an argument can be worked out as often as the `define` looks at it.
    """
    while isinstance(node, nodes.Call) and not node.steps and all(map(is_safe, node.args)):
        args, body = node.args, program.functions[node.function].body
        if not isinstance(body, Expression) or any(
            isinstance(part, nodes.Quantifier) for part in walk(body)
        ):
            break  # it binds names of its own

        def argument(part: Node, _: Node, args: tuple[Expression, ...] = args) -> Node:
            return args[part.slot] if isinstance(part, nodes.Local) else part

        node = cast(Expression, rebuild(body, argument))
    return node


def is_same(one: Node, two: Node) -> bool:
    """Tell whether two nodes say the same, wherever they stand."""
    match one, two:
        case nodes.Local(_, _, a), nodes.Local(_, _, b):
            return a == b
        case nodes.Builtin(_, _, a), nodes.Builtin(_, _, b):
            parts = a == b
        case nodes.ZoneCards(_, _, a), nodes.ZoneCards(_, _, b):
            parts = a == b
        case nodes.Const(_, _, a), nodes.Const(_, _, b):
            parts = a == b and type(a) is type(b)
        case nodes.Var(_, _, a), nodes.Var(_, _, b):
            parts = a == b
        case _:
            return False
    below = list(zip(children(one), children(two), strict=False))
    same_number = len(children(one)) == len(children(two))
    return parts and same_number and all(is_same(a, b) for a, b in below)
