"""Inline expansion and loop unrolling: parts of rules with values in place of names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Expression, Node, Program, children, rebuild, walk
from trutdsl.ir.types import YES_NO, Among, Kind, SetOf, element_of
from trutdsl.table.setting import Setting


def expand_define(
    node: Expression, program: Program, is_safe: Callable[[Expression], bool]
) -> Expression:
    """Return the body of a `define` for a use of it, if it is one expression; else the node.

    is_safe: whether an argument can be evaluated as often as the `define` reads it.
    """
    while isinstance(node, nodes.Call) and not node.steps and all(map(is_safe, node.args)):
        args, body = node.args, program.functions[node.function].body
        if not isinstance(body, Expression) or any(
            isinstance(part, nodes.Quantifier) for part in walk(body)
        ):
            break  # it binds names of its own

        def argument(part: Node, _: Node, args: tuple[Expression, ...] = args) -> Node:
            return args[part.slot] if isinstance(part, nodes.Local) else part

        node = rebuild(body, argument)
    return node


def is_same(one: Node, two: Node) -> bool:
    """Return whether two nodes are equal, except for their positions."""
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
    pairs = list(zip(children(one), children(two), strict=False))
    same_number = len(children(one)) == len(children(two))
    return parts and same_number and all(is_same(a, b) for a, b in pairs)


FEW = 8  # elements at most
ALL: dict[Among, str] = {
    Kind.SEAT: "seats",
    Kind.TEAM: "teams",
    Kind.SUIT: "suits",
    Kind.RANK: "ranks",
}


@dataclass(frozen=True)
class Turns:
    """A quantifier, element by element.

    conditions: the condition on each element; the first element that satisfies it decides.
    broken:     whether the quantifier is then false, as `every`; otherwise it is true, as `any`.
    """

    broken: bool
    conditions: list[list[Expression]]


def unroll(
    node: Expression, program: Program, setting: Setting, is_safe: Callable[[Expression], bool]
) -> Turns | None:
    """Return an `any` or `every` over a few elements with each of them in place of its name.

    node:    the quantifier, or a use of a `define` that is one and contains no other.
    is_safe: whether an expression can be evaluated at any time, any number of times.
    None for another kind of quantifier, too many elements, or one that can fail before it begins.
    """
    args: dict[int, Expression] = {}
    if isinstance(node, nodes.Call) and not node.steps and all(map(is_safe, node.args)):
        body = program.functions[node.function].body
        if sum(isinstance(part, nodes.Quantifier) for part in walk(body)) != 1:
            return None
        args, node = dict(enumerate(node.args)), cast(Expression, body)
    match node:
        case nodes.Quantifier(_, _, "any" | "every", _, nodes.Domain(last=None)):
            return None if node.steps else _turns(node, args, setting, is_safe)
    return None


def _turns(
    node: nodes.Quantifier,
    args: Mapping[int, Expression],
    setting: Setting,
    is_safe: Callable[[Expression], bool],
) -> Turns | None:
    domain, span = node.domain, node.span
    kind = domain.items.type.kind if isinstance(domain.items.type, SetOf) else Kind.CARD
    count = setting.count(kind)
    inputs = [part for part in (domain.items, domain.start) if part is not None]
    if kind is Kind.CARD or count > FEW or not all(map(is_safe, inputs)):
        return None
    result = []
    for number in range(count):
        element = nodes.Const(span, element_of(domain.items.type), number)
        conditions: list[Expression] = []
        if not (isinstance(domain.items, nodes.Builtin) and domain.items.name == ALL.get(kind)):
            conditions.append(nodes.Member(span, YES_NO, element, domain.items))
        if domain.after and domain.start is not None:
            conditions.append(nodes.Compare(span, YES_NO, "!=", element, domain.start))
        if domain.where is not None:
            conditions.append(domain.where)
        if node.value is not None:
            negation = nodes.Not(span, YES_NO, node.value)
            conditions.append(node.value if node.kind == "any" else negation)
        result.append([_with(part, {**args, node.slot: element}) for part in conditions])
    return Turns(node.kind == "every", result)


def _with(part: Expression, bound: Mapping[int, Expression]) -> Expression:

    def value(node: Node, _: Node) -> Node:
        return bound.get(node.slot, node) if isinstance(node, nodes.Local) else node

    return rebuild(part, value)
