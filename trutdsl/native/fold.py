"""Works out, before anything is compiled, what is fixed for a table."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.setting import Setting
from trutdsl.ir.types import OneOf


def fold(node: nodes.Expression, setting: Setting) -> int:
    """Return the value of an expression made of numbers, parameters and the number of players."""
    match node:
        case nodes.Const(_, _, value):
            return int(value or 0)
        case nodes.Parameter(_, type_, name):
            value = setting.parameters[name]
            return type_.names.index(str(value)) if isinstance(type_, OneOf) else int(value)
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
            one, two = fold(left, setting), fold(right, setting)
            return int({
                "==": one == two, "!=": one != two, "<": one < two,
                "<=": one <= two, ">": one > two, ">=": one >= two,
            }[op])  # fmt: skip
        case nodes.Arithmetic(_, _, op, left, right):
            one, two = fold(left, setting), fold(right, setting)
            match op:
                case "+":
                    return one + two
                case "-":
                    return one - two
                case "*":
                    return one * two
                case "div":
                    return one // two
                case "mod":
                    return one % two
    raise AssertionError(f"{type(node).__name__} is not fixed before a match")
