"""Constant folding: works out, before anything is compiled, what is fixed for a table."""

from __future__ import annotations

import operator
from collections.abc import Callable

from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.types import Number, OneOf, SetOf
from trutdsl.table.setting import Setting

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "div": operator.floordiv, "mod": operator.mod,
}  # fmt: skip


class NotFixedError(Exception):
    """An expression has no value before a match."""


def settled(node: nodes.Expression | None, setting: Setting, effects: Effects) -> bool | None:
    """Return a condition that is the same whatever happens; None if it is not; none is yes.

    Of a `define` what it is given must not run into a mistake, either.
    """
    if node is None:
        return True
    if isinstance(node, nodes.Call):
        body = effects.program.functions[node.function].body
        if not isinstance(body, nodes.Expression) or any(map(effects.can_fail, node.args)):
            return None
        return settled(body, setting, effects)
    try:
        return bool(fold(node, setting))
    except NotFixedError:
        return None


def bounds_within(node: nodes.Within, setting: Setting) -> tuple[int, int]:
    """Return within which bounds a number must lie at a table."""
    kind = node.type.kind if isinstance(node.type, SetOf) else node.type
    assert isinstance(kind, Number)
    low, high = node.low, node.high
    return (
        kind.low if low is None else fold(low, setting),
        kind.high if high is None else fold(high, setting),
    )


def fold(node: nodes.Expression, setting: Setting) -> int:
    """Return the value of an expression made of numbers, parameters and the number of players.

    Raises `NotFixedError` for any other.
    """
    match node:
        case nodes.Const(_, _, value):
            return int(value or 0)
        case nodes.Parameter(_, type_, name) if not isinstance(
            fixed := setting.parameters[name], frozenset
        ):
            return type_.names.index(str(fixed)) if isinstance(type_, OneOf) else int(fixed)
        case nodes.Builtin(_, _, "players"):
            return setting.players
        case nodes.Builtin(_, _, "min", (one, two)):
            return min(fold(one, setting), fold(two, setting))
        case nodes.Builtin(_, _, "max", (one, two)):
            return max(fold(one, setting), fold(two, setting))
        case nodes.Choice(_, _, test, yes, no):
            return fold(yes if fold(test, setting) else no, setting)
        case nodes.Logic(_, _, op, left, right):
            first = fold(left, setting)
            return fold(right, setting) if bool(first) == (op == "and") else first
        case nodes.Not(_, _, inner):
            return int(not fold(inner, setting))
        case nodes.Compare(_, _, op, left, right):
            return int(COMPARE[op](fold(left, setting), fold(right, setting)))
        case nodes.Arithmetic(_, _, op, left, right):
            return ARITHMETIC[op](fold(left, setting), fold(right, setting))
    raise NotFixedError(node)
