"""Gives expressions their types, and names their meaning."""

from __future__ import annotations

from typing import assert_never

from trutdsl.ir import builtins, nodes
from trutdsl.ir.build.partners import build_partners
from trutdsl.ir.build.references import NameBuilder
from trutdsl.ir.build.suggestions import LONGEST_SHOWN, SETS_OF, gone_through
from trutdsl.ir.intervals import combine, hull, most_hands
from trutdsl.ir.types import (
    CARDS,
    NAMED_TYPES,
    NOBODY,
    NUMBER,
    SEAT,
    SEATS,
    UNKNOWN,
    WIDEST,
    YES_NO,
    Element,
    Kind,
    Nobody,
    Number,
    OneOf,
    Probability,
    SetOf,
    Type,
    Unknown,
    described,
    element_of,
    fits,
    set_of,
)
from trutdsl.source import Span
from trutdsl.syntax import ast


class ExpressionBuilder(NameBuilder):
    """Builds the expressions of one rule or function."""

    def partners(self, name: str, node: ast.Call) -> nodes.Expression:
        """Return the partners or opponents of a seat or team."""
        return build_partners(self, node, name)

    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return the expression; `wanted` settles what quoted texts and named values stand for."""
        match node:
            case ast.Number(span, value):
                if value > WIDEST // 2**8 or value >= 10**10:
                    self.errors.error("too-large", "this number is too large", span)
                    value = 0
                return nodes.Const(span, Number(value, value), value)
            case ast.Decimal(span, millionths):
                if millionths is None:
                    self.errors.error(
                        "type",
                        "a probability is from 0 to 1, with at most 6 places",
                        span,
                        help="a number is whole: write `1`, or `3 * x > 2 * y` for 1.5",
                    )
                    return nodes.Const(span, UNKNOWN, 0)
                return nodes.Const(span, Probability(), millionths)
            case ast.YesNo(span, value):
                return nodes.Const(span, YES_NO, value)
            case ast.Nothing(span):
                if isinstance(wanted, OneOf) and "none" in wanted.names:
                    return nodes.Const(span, wanted, wanted.names.index("none"))
                return nodes.Const(span, NOBODY, None)
            case ast.Text():
                return self._text(node, wanted)
            case ast.Name():
                return self._name(node, wanted)
            case ast.Call():
                return self._call(node)
            case ast.Base():
                return self._base(node)
            case ast.Index():
                return self._index(node)
            case ast.Not(span, value):
                return nodes.Not(span, YES_NO, self.yes_no(value))
            case ast.Negate(span, value):
                zero = nodes.Const(span, Number(0, 0), 0)
                return self.arithmetic(span, "-", zero, self.number(value))
            case ast.Binary():
                return self._binary(node, wanted)
            case ast.Choice():
                return self._choice(node, wanted)
            case ast.SetOf():
                return self._set_literal(node, wanted)
            case ast.Whole():
                return self._whole(node)
            case ast.Quantifier():
                return self._quantifier(node)
            case _:
                assert_never(node)

    # -------------------------------------------------------- operators

    def _binary(self, node: ast.Binary, wanted: Type | None) -> nodes.Expression:
        span, op = node.span, node.op
        match op:
            case "and" | "or":
                left, right = self.yes_no(node.left), self.yes_no(node.right)
                return nodes.Logic(span, YES_NO, op, left, right)
            case "in":
                return self._member(node)
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                return self._compare(node)
        left = self.build(node.left, wanted)
        if isinstance(left.type, SetOf):
            return self._set_operation(node, left, left.type)
        right = self.build(node.right, wanted)
        if isinstance(right.type, SetOf) and isinstance(left.type, Element):
            lifted = nodes.SetLiteral(left.span, right.type, (left,))
            return self._set_operation(node, lifted, right.type)
        left = self.as_type(left, NUMBER, f"the left side of '{op}'")
        right = self.as_type(right, NUMBER, f"the right side of '{op}'")
        return self.arithmetic(span, op, left, right)

    def arithmetic(
        self, span: Span, op: str, left: nodes.Expression, right: nodes.Expression
    ) -> nodes.Expression:
        """Return `left OP right` of two numbers."""
        if op == "&":
            self.errors.error("type", "'&' joins sets, not numbers", span, help="write `and`")
            return nodes.Const(span, UNKNOWN, 0)
        if not (isinstance(left.type, Number) and isinstance(right.type, Number)):
            return nodes.Const(span, UNKNOWN, 0)
        if op in ("div", "mod") and right.type.low < 1:
            self.errors.error(
                "type", "the divisor may be 0 or less", right.span, help="make sure: `max(1, ...)`"
            )
            return nodes.Const(span, UNKNOWN, 0)
        result = combine(op, left.type, right.type)
        if max(abs(result.low), abs(result.high)) > WIDEST:
            self.errors.error(
                "too-large", f"the result of '{op}' may be too large to be exact", span
            )
            return nodes.Const(span, UNKNOWN, 0)
        return nodes.Arithmetic(span, result, op, left, right)

    def _set_operation(
        self, node: ast.Binary, left: nodes.Expression, kind: SetOf
    ) -> nodes.Expression:
        if node.op not in ("+", "-", "&"):
            self.errors.error("type", f"'{node.op}' has no meaning for sets", node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        right = self.lifted(self.build(node.right, kind), kind)
        right = self.as_type(right, kind, f"the right side of '{node.op}'")
        if node.op == "+" and isinstance(right.type, SetOf):
            kind = _wider(kind, right.type)
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

    def _compare(self, node: ast.Binary) -> nodes.Expression:
        span, op = node.span, node.op
        if self._needs_other_side(node.left):
            right = self.build(node.right)
            left = self._beside(node.left, _bare(right.type))
        else:
            left = self.build(node.left)
            right = self._beside(node.right, _bare(left.type))
        a, b = _bare(left.type), _bare(right.type)
        same = fits(a, b) or (isinstance(a, Nobody) and isinstance(right.type, Element))
        same = same or (isinstance(b, Nobody) and isinstance(left.type, Element))
        if not same:
            message = f"{described(left.type)} is compared with {described(right.type)}"
            quoted = self.quoted(node.right, a) or self.quoted(node.left, b)
            self.errors.error("type", message, span, help=quoted)
        elif op not in ("==", "!=") and not isinstance(a, Number | Probability | Unknown):
            self.errors.error("type", f"'{op}' compares numbers, and this is {described(a)}", span)
        return nodes.Compare(span, YES_NO, op, left, right)

    def _beside(self, node: ast.Expr, other: Type) -> nodes.Expression:
        """Return one side of a comparison, which may lack the quotes of a card, rank or suit."""
        if isinstance(node, ast.Name) and self._needs_other_side(node):
            help_ = self.quoted(node, other)
            if help_ is not None:
                message = f"there is no name '{node.name}'"
                self.errors.error("unknown-name", message, node.span, help=help_)
                return nodes.Const(node.span, UNKNOWN, 0)
        return self.build(node, other)

    def _needs_other_side(self, node: ast.Expr) -> bool:
        if isinstance(node, ast.Name):
            bound = node.name in self.frame.bound or node.name in self.names.everything()
            return not bound and node.name not in builtins.VARIABLES
        return isinstance(node, ast.Text | ast.Nothing)

    def _choice(self, node: ast.Choice, wanted: Type | None) -> nodes.Expression:
        test = self.yes_no(node.test)
        yes = self.build(node.yes, wanted)
        no = self.build(node.no, wanted or _bare(yes.type))
        a, b = yes.type, no.type
        result: Type
        match a, b:
            case (Unknown(), _) | (_, Unknown()):
                result = UNKNOWN
            case Number(), Number():
                result = hull(a, b)
            case (Element(kind), Nobody()) | (Nobody(), Element(kind)):
                result = Element(kind, True)
            case (Element(kind), Element(other)) if kind == other:
                result = Element(kind, a.optional or b.optional)
            case SetOf(Number()), SetOf(Number()):
                result = _wider(a, b)
            case _ if a == b:
                result = a
            case _:
                self.errors.error(
                    "type", f"one side is {described(a)}, the other {described(b)}", node.span
                )
                result = UNKNOWN
        return nodes.Choice(node.span, result, test, yes, no)

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
            each = tuple(self.within(self.as_type(i, element, what), element) for i in items)
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

    # -------------------------------------------------------- going through sets

    def domain(self, node: ast.Domain, name: ast.Word) -> tuple[int, nodes.Domain]:
        """Return the slot bound to each element in turn, and the domain."""
        last = None
        element: Type = UNKNOWN
        if node.last is not None:
            assert not isinstance(node.items, ast.Hands)
            items, last = self.number(node.items), self.number(node.last)
            element = hull(items.type, last.type)
        elif isinstance(node.items, ast.Hands):
            items, element = self.hands(node.items), CARDS
        else:
            items = self.build(node.items)
            if isinstance(items.type, SetOf):
                element = element_of(items.type)
            elif not isinstance(items.type, Unknown):
                self.errors.error(
                    "type",
                    f"one can only go through a set or zone, not {described(items.type)}",
                    items.span,
                    help=gone_through(items),
                )
        start = None
        if node.start is not None:
            start = self.typed(node.start, SEAT, "where the turn starts")
            if items.type not in (SEATS, UNKNOWN) or last is not None:
                self.errors.error("type", "only seats have an order of play", node.start.span)
        slot = self.frame.bind(name, element)
        self.frame.fixed.add(slot)
        if isinstance(items, nodes.ZoneCards):
            self.frame.origins[slot] = items
        where = self.yes_no(node.where) if node.where is not None else None
        return slot, nodes.Domain(node.span, items, last, start, node.after, where)

    def hands(self, node: ast.Hands) -> nodes.Expression:
        """Return hands that are gone through, or report that only a strategy can do that."""
        self.errors.error(
            "misplaced",
            "only a strategy goes through hands that somebody could hold",
            node.span,
            help="write it in a strategy, or under `vocabulary`",
        )
        return nodes.Const(node.span, UNKNOWN, 0)

    def _most(self, items: nodes.Expression) -> int:
        """Return how many a quantifier goes through at most."""
        if isinstance(items, nodes.Hands):
            return most_hands(min(64, len(self.names.pack.cards)), items.size.type)
        return 64

    def _quantifier(self, node: ast.Quantifier) -> nodes.Expression:
        if self._reaches_too_far(node):
            return nodes.Const(node.span, UNKNOWN, 0)
        outer = self.frame.inner()
        slot, domain = self.domain(node.domain, node.name)
        element = self.frame.bound[node.name.text][1]
        value: nodes.Expression | None = None
        result: Type
        most = self._most(domain.items)
        match node.kind:
            case "count":
                result = Number(0, most)
            case "any" | "every":
                value = self.yes_no(node.value) if node.value is not None else None
                result = YES_NO
            case "first" | "those":
                result = UNKNOWN
                of = set_of(element)
                if isinstance(element, Element):
                    result = of if node.kind == "those" and of else Element(element.kind, True)
                elif of is not None and (node.kind == "those" or domain.last is None):
                    result = of if node.kind == "those" else element
                elif not isinstance(element, Unknown):
                    self.errors.error("type", f"'{node.kind}' is asked of a set", node.span)
                value = self.number(node.value) if node.value is not None else None
            case _:
                assert node.value is not None
                value = self.number(node.value)
                result = value.type
                if node.kind == "total" and isinstance(value.type, Number):
                    result = combine("*", value.type, Number(0, most))
                    if max(abs(result.low), abs(result.high)) > WIDEST:
                        self.errors.error("too-large", "this total may be too large", node.span)
        self.frame.leave(outer)
        if isinstance(domain.items, nodes.Hands) and node.kind == "count" and not domain.where:
            hands = domain.items
            size = nodes.Builtin(hands.cards.span, Number(0, 64), "size", (hands.cards,))
            return nodes.Builtin(node.span, result, "ways", (size, hands.size))
        made = nodes.Quantifier(node.span, result, node.kind, slot, domain, value, order=node.order)
        if node.kind == "first" and isinstance(result, OneOf | Number):
            return nodes.Unwrap(node.span, result, made)  # no type has a name for none of these
        return made

    def _reaches_too_far(self, node: ast.Quantifier) -> bool:
        """Report a quantifier that has swallowed the comparison or sum it was meant to stand in."""
        items = node.domain.items
        if not isinstance(items, ast.Binary) or items.op in ("and", "or", "in", "&"):
            return False
        if items.op in ("+", "-") and not isinstance(items.right, ast.Number):
            return False
        span = node.span
        head = Span(span.source, span.line, span.col, items.left.span.end_line,
                    items.left.span.end_col).text  # fmt: skip
        written = head if 0 < len(head) <= LONGEST_SHOWN else f"{node.kind} ..."
        self.errors.error(
            "type",
            f"the `{node.kind}` reaches too far: it goes through all that stands behind `in`",
            items.span,
            help=f"put the `{node.kind} ...` in brackets: `({written}) {items.op} ...`",
        )
        return True


def _is_number(item: nodes.Expression) -> bool:
    return isinstance(item.type, Number)


def _bare_set(items: nodes.Expression, item: nodes.Expression) -> Type:
    """Return the type of a set in which an element is looked for, which may be none."""
    assert isinstance(items.type, SetOf)
    maybe = isinstance(item.type, Element) and item.type.kind == items.type.kind
    return SetOf(item.type.kind) if maybe and isinstance(item.type, Element) else items.type


def _wider(left: SetOf, right: SetOf) -> SetOf:
    """Return the type of what is in either set."""
    both = isinstance(left.kind, Number) and isinstance(right.kind, Number)
    return SetOf(hull(left.kind, right.kind)) if both else left  # type: ignore[arg-type]


def _bare(type_: Type) -> Type:
    return Element(type_.kind) if isinstance(type_, Element) else type_
