"""Sets: written out, joined, and looked into."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.build.references import NameBuilder
from trutdsl.ir.build.suggestions import SETS_OF
from trutdsl.ir.intervals import hull, joined
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
    described,
    element_of,
    fits,
    set_of,
)
from trutdsl.syntax import ast


class SetBuilder(NameBuilder):
    """Builds what is said of whole sets."""

    def _set_operation(
        self, node: ast.Binary, left: nodes.Expression, kind: SetOf
    ) -> nodes.Expression:
        if node.op not in ("+", "-", "&"):
            self.errors.error("type", f"'{node.op}' has no meaning for sets", node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        right = self.lifted(self.build(node.right, kind), kind)
        right = self.as_type(right, kind, f"the right side of '{node.op}'")
        if node.op == "+" and isinstance(right.type, SetOf):
            kind = joined(kind, right.type)  # type: ignore[assignment]
        return nodes.SetOperation(node.span, kind, node.op, left, right)

    def lifted(self, value: nodes.Expression, kind: SetOf) -> nodes.Expression:
        """Return one that could be in a set as a set of its own; else the value as it is."""
        if isinstance(value.type, Unknown | SetOf) or not fits(value.type, element_of(kind)):
            return value
        own = set_of(value.type) if isinstance(value.type, Number) else None
        if isinstance(value.type, Number) and own is None:
            value = self.within(value, element_of(kind))
        return nodes.SetLiteral(value.span, own or kind, (self.item(value, kind.kind, "this"),))

    def _member(self, node: ast.Binary) -> nodes.Expression:
        if self._needs_other_side(node.left):
            items = self.build(node.right)
            item = self.build(node.left, element_of(items.type))
        else:
            item = self.build(node.left)
            items = self.build(node.right, None if _is_number(item) else set_of(item.type))
        if isinstance(items.type, SetOf) and fits(item.type, element_of(_bare_set(items, item))):
            item = self.item(item, items.type.kind, "this")
        elif not isinstance(item.type, Unknown) and not isinstance(items.type, Unknown):
            self.errors.error(
                "type", f"{described(item.type)} cannot be in {described(items.type)}", node.span
            )
        return nodes.Member(node.span, YES_NO, item, items)

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
        if found is None:
            if not any(isinstance(i.type, Unknown) for i in items):
                self.errors.error(
                    "type",
                    "a set of numbers holds those from 0 to 63, and here may be others"
                    if numbers
                    else "it is not clear what this set holds",
                    node.span,
                    help="write `x == 1 or x == 2`, or `x >= 1 and x <= 2`" if numbers else None,
                )
            return nodes.Const(node.span, UNKNOWN, 0)
        if not isinstance(found.kind, Kind):
            element, what = element_of(found), "this"
            each = tuple(self.converted(i, element, what) for i in items)
            return nodes.SetLiteral(node.span, found, each)
        kind = found.kind
        for item, built in zip(node.items, items, strict=True):
            help_ = self.quoted(item, Element(kind))
            if help_ is not None and isinstance(built.type, Number):
                message = f"this must be {described(Element(kind))}, but is a number"
                self.errors.error("type", message, item.span, help=help_)
                return nodes.Const(node.span, UNKNOWN, 0)
        checked = tuple(self.item(i, kind, "this") for i in items)
        return nodes.SetLiteral(node.span, SetOf(kind), checked)

    def _whole(self, node: ast.Whole) -> nodes.Expression:
        """Return all values of a named type."""
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
            message, help_ = (
                f"`all of {name}` is not written so",
                "write `seats`, `suits`, `ranks` ...",
            )
            self.errors.error("type", message, span, help=help_)
        elif kind is None:
            self.names.unknown("type", name, node.name.span, self.names.types)
        else:
            self.errors.error("type", "there is no set of these", span, help=SETS_OF)
        return nodes.Const(span, UNKNOWN, 0)


def _is_number(item: nodes.Expression) -> bool:
    return isinstance(item.type, Number)


def _bare_set(items: nodes.Expression, item: nodes.Expression) -> Type:
    """Return the type of a set in which an element is looked for, which may be none."""
    assert isinstance(items.type, SetOf)
    maybe = isinstance(item.type, Element) and item.type.kind == items.type.kind
    return SetOf(item.type.kind) if maybe and isinstance(item.type, Element) else items.type
