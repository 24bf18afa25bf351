"""What each expression means: a function of the match and of the names bound in its rule."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from trutdsl.interp.compile_builtins import compile_builtin, compile_quantifier
from trutdsl.interp.machine import CompiledProgram, Evaluate, Machine, Slots
from trutdsl.ir import nodes
from trutdsl.ir.types import NUMBER, Number, OneOf, SetOf

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}
SETS: dict[str, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    "+": operator.or_,
    "-": operator.sub,
    "&": operator.and_,
}


def compile_expression(node: nodes.Expression, code: CompiledProgram) -> Evaluate:
    """Return the function that works the expression out.

    Numbers and indices are ints, yes/no bools, sets frozensets of indices, nobody None.
    """
    match node:
        case nodes.Const(_, _, value):
            return lambda _m, _f: value
        case nodes.PackText(_, _, kind, text):
            index = code.setting.deck.index_of(kind, text)
            return lambda _m, _f: index
        case nodes.Parameter(_, type_, name):
            fixed = code.setting.parameters[name]
            if isinstance(type_, OneOf):
                fixed = type_.names.index(str(fixed))
            return lambda _m, _f: fixed
        case nodes.Local(_, _, slot):
            return lambda _m, f: f[slot]
        case nodes.Var(_, _, name, None):
            return lambda m, _f: m.variables[name][0]
        case nodes.Var(_, _, name, index_node) if index_node is not None:
            at = compile_expression(index_node, code)
            return lambda m, f: m.variables[name][at(m, f)]
        case nodes.ZoneCards(_, _, name, _):
            where = code.place(node)
            return lambda m, f: frozenset(m.zones[name][where(m, f)].cards())
        case nodes.Builtin():
            return compile_builtin(node, code)
        case nodes.CardValue(_, _, name, card):
            amounts = code.setting.deck.values.get(name)
            of = compile_expression(card, code)
            return (lambda m, f: amounts[of(m, f)]) if amounts else (lambda _m, _f: 0)
        case nodes.Call(_, _, name, args):
            given = [compile_expression(a, code) for a in args]
            function = code.function(name)
            cost = code.cost(node)
            if not cost:
                return lambda m, f: function(m, [g(m, f) for g in given])

            def counted(m: Machine, f: Slots) -> Any:
                m.step(node.span, cost)
                return function(m, [g(m, f) for g in given])

            return counted
        case nodes.Arithmetic(_, _, op, left, right):
            a, b, work = (
                compile_expression(left, code),
                compile_expression(right, code),
                ARITHMETIC[op],
            )
            return lambda m, f: work(a(m, f), b(m, f))
        case nodes.Compare(_, _, op, nodes.PackText() as text, _) if is_missing(text, code):
            return lambda _m, _f: op == "!="
        case nodes.Compare(_, _, op, _, nodes.PackText() as text) if is_missing(text, code):
            return lambda _m, _f: op == "!="
        case nodes.Compare(_, _, op, left, right):
            a, b, test = (
                compile_expression(left, code),
                compile_expression(right, code),
                COMPARE[op],
            )
            return lambda m, f: test(a(m, f), b(m, f))
        case nodes.Logic(_, _, op, left, right):
            a, b = compile_expression(left, code), compile_expression(right, code)
            if op == "and":
                return lambda m, f: a(m, f) and b(m, f)
            return lambda m, f: a(m, f) or b(m, f)
        case nodes.Not(_, _, inner):
            a = compile_expression(inner, code)
            return lambda m, f: not a(m, f)
        case nodes.Choice(_, _, test_node, yes, no):
            t = compile_expression(test_node, code)
            a, b = compile_expression(yes, code), compile_expression(no, code)
            return lambda m, f: a(m, f) if t(m, f) else b(m, f)
        case nodes.Unwrap(_, type_, inner):
            return _compile_unwrap(node, compile_expression(inner, code))
        case nodes.Within(_, _, inner):
            return _compile_within(node, compile_expression(inner, code), code)
        case nodes.Member(_, _, item, items):
            a, b = compile_expression(item, code), compile_expression(items, code)
            return lambda m, f: a(m, f) in b(m, f)
        case nodes.SetLiteral(_, _, item_nodes):
            each = [compile_expression(i, code) for i in item_nodes]
            return lambda m, f: frozenset(i for e in each if (i := e(m, f)) is not None)
        case nodes.SetOperation(_, _, op, left, right):
            a, b, join = compile_expression(left, code), compile_expression(right, code), SETS[op]
            return lambda m, f: join(a(m, f), b(m, f))
        case nodes.Selection():
            return _compile_selection(node, code)
        case nodes.Image():
            return _compile_image(node, code)
        case nodes.Quantifier():
            return compile_quantifier(node, code)
        case nodes.Legal() | nodes.LegalAt() | nodes.Remembered():
            return code.policy_value(node)
        case _:
            raise AssertionError(f"{type(node).__name__} is no plain expression")


def is_missing(node: nodes.PackText, code: CompiledProgram) -> bool:
    """Tell whether this pack does not have what a text names."""
    return code.setting.deck.index_of(node.kind, node.text) is None


def _compile_selection(node: nodes.Selection, code: CompiledProgram) -> Evaluate:
    of_cards = list(enumerate(code.setting.deck.attribute(node.attribute)))
    if isinstance(node.key, nodes.PackText) and is_missing(node.key, code):
        selected = frozenset(card for card, _ in of_cards if node.op == "!=")
        return lambda _m, _f: selected
    key, test = compile_expression(node.key, code), COMPARE[node.op]

    def select(m: Machine, f: Slots) -> frozenset[int]:
        wanted = key(m, f)
        return frozenset(card for card, has in of_cards if test(has, wanted))

    return select


def _compile_image(node: nodes.Image, code: CompiledProgram) -> Evaluate:
    deck, cards = code.setting.deck, compile_expression(node.cards, code)
    holds = [
        (deck.attribute(r.attribute), COMPARE[r.op], deck.attribute(r.other))
        for r in node.relations
    ]

    def image(m: Machine, f: Slots) -> frozenset[int]:
        among = cards(m, f)
        return frozenset(
            card
            for card in range(len(deck.texts))
            if any(all(test(has[c], wanted[card]) for has, test, wanted in holds) for c in among)
        )

    return image


def _compile_unwrap(node: nodes.Unwrap, inner: Evaluate) -> Evaluate:
    def unwrap(m: Machine, f: Slots) -> Any:
        value = inner(m, f)
        if value is None:
            raise m.error("nobody", f"there is no {node.type} here", node.span)
        return value

    return unwrap


def _compile_within(node: nodes.Within, inner: Evaluate, code: CompiledProgram) -> Evaluate:
    kind = node.type
    if isinstance(kind, SetOf):
        kind = kind.kind  # type: ignore[assignment]
    assert isinstance(kind, Number)
    least = compile_expression(node.low or nodes.Const(node.span, kind, kind.low), code)
    most = compile_expression(node.high or nodes.Const(node.span, kind, kind.high), code)

    def within(m: Machine, f: Slots) -> int:
        value, low, high = int(inner(m, f)), least(m, f), most(m, f)
        if not low <= value <= high:
            message = f"{value} is not from {low} to {high}"
            if node.type == NUMBER:
                message = f"{value} is too {'small' if value < low else 'large'} a number"
            raise m.error("out-of-range", message, node.span)
        return value

    def all_within(m: Machine, f: Slots) -> frozenset[int]:
        values, low, high = inner(m, f), least(m, f), most(m, f)
        for value in sorted(values):
            if not low <= value <= high:
                message = f"{value} is not from {low} to {high}"
                raise m.error("out-of-range", message, node.span)
        return frozenset(values)

    return all_within if isinstance(node.type, SetOf) else within
