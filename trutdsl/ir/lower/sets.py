"""Lowers operations on whole sets."""

from __future__ import annotations

from functools import reduce

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import common_type, hull
from trutdsl.ir.lower.named_values import NameBuilder
from trutdsl.ir.lower.quantifiers import large_numbers
from trutdsl.ir.lower.scope import help_for_no_set, mistake
from trutdsl.ir.types import (
    NAMED_TYPES,
    NUMBER,
    UNKNOWN,
    YES_NO,
    Element,
    Kind,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    describe_type,
    element_of,
    fits,
    set_of,
)
from trutdsl.language import say
from trutdsl.syntax import ast


class SetBuilder(NameBuilder):
    """Builds operations on whole sets."""

    def _set_operation(
        self, node: ast.Binary, left: nodes.Expression, kind: SetOf
    ) -> nodes.Expression:
        if node.op not in ("+", "-", "&"):
            return mistake(
                self.errors, say("'{op}' has no meaning for sets", op=node.op), node.span
            )
        right = self.lift(self.build(node.right, kind), kind)
        right = self.as_type(right, kind, say("the right side of '{op}'", op=node.op))
        if node.op == "+" and isinstance(right.type, SetOf):
            kind = common_type(kind, right.type)  # type: ignore[assignment]
        return nodes.SetOperation(node.span, kind, node.op, left, right)

    def lift(self, value: nodes.Expression, kind: SetOf) -> nodes.Expression:
        """Return an element as a set of its own; any other value as it is."""
        if isinstance(value.type, Unknown | SetOf) or not fits(value.type, element_of(kind)):
            return value
        own = set_of(value.type) if isinstance(value.type, Number) else None
        if isinstance(value.type, Number) and own is None:
            value = self.within(value, element_of(kind))
        return nodes.SetLiteral(
            value.span, own or kind, (self.item(value, kind.kind, say("this")),)
        )

    def _member(self, node: ast.Binary) -> nodes.Expression:
        if numbers := large_numbers(node.right):
            return self._one_of_numbers(self.number(node.left), numbers, node.span)
        if self._needs_other_side(node.left):
            items = self.build(node.right)
            item = self.build(node.left, element_of(items.type))
        else:
            item = self.build(node.left)
            items = self.build(
                node.right, None if isinstance(item.type, Number) else set_of(item.type)
            )
        if isinstance(items.type, SetOf) and fits(item.type, element_of(items.type)):
            item = self.item(item, items.type.kind, say("this"))
        elif not isinstance(item.type, Unknown) and not isinstance(items.type, Unknown):
            element, set_ = describe_type(item.type), describe_type(items.type)
            message = say("{element} cannot be in {set}", element=element, set=set_)
            self.errors.error("type", message, node.span)
        return nodes.Member(node.span, YES_NO, item, items)

    def _one_of_numbers(
        self, value: nodes.Expression, numbers: tuple[int, ...], span: Span
    ) -> nodes.Expression:
        """Return whether a number is one of those that no set can hold."""
        tests: list[nodes.Expression] = [
            nodes.Compare(span, YES_NO, "==", value, nodes.number(span, number))
            for number in sorted({*numbers})
        ]
        return reduce(lambda one, other: nodes.Logic(span, YES_NO, "or", one, other), tests)

    def _set_literal(self, node: ast.SetOf, wanted: Type | None) -> nodes.Expression:
        of = element_of(wanted) if isinstance(wanted, SetOf) else None
        items: list[nodes.Expression] = []
        for written in node.items:
            items.append(self._beside(written, of) if of else self.build(written))
            of = items[-1].type if of is None and isinstance(items[-1].type, OneOf) else of
        known = [i.type.kind for i in items if isinstance(i.type, Element)]
        found = SetOf(known[0]) if known else set_of(of) if of else None
        numbers = bool(items) and all(isinstance(i.type, Number) for i in items)
        if found is None and numbers:
            widest = items[0].type
            for i in items[1:]:
                widest = hull(widest, i.type)
            found = set_of(widest)
        if found is None and any(isinstance(i.type, Unknown) for i in items):
            return nodes.Const(node.span, UNKNOWN, 0)
        if found is None and numbers:
            message = say("a set of numbers holds only 0 to 63, but this value may lie outside")
            return mistake(self.errors, message, node.span, help=_help_for_no_set(items))
        if found is None:
            return mistake(self.errors, say("the element type of this set is unknown"), node.span)
        if not isinstance(found.kind, Kind):
            element, what = element_of(found), say("this")
            each = tuple(self.convert(i, element, what) for i in items)
            return nodes.SetLiteral(node.span, found, each)
        kind = found.kind
        for item, built in zip(node.items, items, strict=True):
            help_ = self.help_for_quotes(item, Element(kind))
            if help_ is not None and isinstance(built.type, Number):
                message = say(
                    "this must be {described}, but is a number",
                    described=describe_type(Element(kind)),
                )
                return mistake(self.errors, message, item.span, help=help_)
        checked = tuple(self.item(i, kind, say("this")) for i in items)
        return nodes.SetLiteral(node.span, SetOf(kind), checked)

    def _whole(self, node: ast.Whole) -> nodes.Expression:
        name, span = node.name.text, node.span
        kind = self.names.types.get(name)
        self.names.typed.add(name)
        of = set_of(kind) if kind is not None else None
        ends: tuple[nodes.Expression, ...] = ()
        match kind:
            case OneOf(names):
                ends = nodes.Const(span, NUMBER, 0), nodes.Const(span, NUMBER, len(names) - 1)
            case Number(low, high, exact):
                ends = exact or (nodes.Const(span, NUMBER, low), nodes.Const(span, NUMBER, high))
        if of is not None:
            return nodes.Builtin(span, of, "whole", ends)
        if kind is None and name in NAMED_TYPES:
            message = say("`all of {name}` is not written so", name=name)
            help_ = say("write `seats`, `suits`, `ranks` ...")
            return mistake(self.errors, message, span, help=help_)
        if kind is None:
            return self.names.unknown("type", name, node.name.span, self.names.types)
        message = say("there is no set of these")
        return mistake(self.errors, message, span, help=help_for_no_set(kind))


def _help_for_no_set(items: list[nodes.Expression]) -> str:
    """Return the help for a set of numbers that no set can hold."""
    numbers = [int(i.value) for i in items if isinstance(i, nodes.Const) and i.value is not None]
    if len(numbers) == len(items):
        written = "{" + ", ".join(map(str, numbers)) + "}"
        return say("write such a set where it is used: `x in {set}`", set=written)
    return say(
        "compare, as in `x == 1 or x == 2`; to keep them in a set, number them, as in "
        "`(x - 80) div 10`"
    )
