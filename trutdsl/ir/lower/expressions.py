"""Lowers expressions and quantifiers: gives each its type and its node."""

from __future__ import annotations

from typing import assert_never

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS, combine, hull, joined, most_hands
from trutdsl.ir.lower.references import SetBuilder
from trutdsl.ir.lower.scope import LONGEST_SHOWN, gone_through, mistake, of_other_kind
from trutdsl.ir.lower.values import ValueBuilder
from trutdsl.ir.types import (
    CARDS,
    MOST_IN_SET,
    MOST_WRITTEN,
    NOBODY,
    NUMBER,
    SEAT,
    SEATS,
    UNKNOWN,
    WIDEST,
    YES_NO,
    Element,
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
from trutdsl.syntax import ast

# Quantifiers, and the domains that they and loops go through: types and bounds.


class QuantifierBuilder(ValueBuilder):
    """Builds quantifiers, and what loops go through."""

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
                message = f"one can only go through a set or zone, not {described(items.type)}"
                self.errors.error("type", message, items.span, help=gone_through(items))
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
        message = "only a strategy goes through hands that somebody could hold"
        help_ = "write it in a strategy, or under `vocabulary`"
        return mistake(self.errors, message, node.span, help=help_, code="misplaced")

    def _most(self, domain: nodes.Domain) -> int:
        """Return how many a quantifier goes through at most."""
        first, last = domain.items.type, domain.last.type if domain.last is not None else None
        if isinstance(domain.items, nodes.Hands):
            return most_hands(min(64, len(self.names.pack.cards)), domain.items.size.type)
        if isinstance(first, Number) and isinstance(last, Number):
            return min(max(0, last.high - first.low + 1), MOST_TURNS + 1)
        return MOST_IN_SET

    def _quantifier(self, node: ast.Quantifier) -> nodes.Expression:
        if self._reaches_too_far(node):
            return nodes.Const(node.span, UNKNOWN, 0)
        outer = self.frame.inner()
        slot, domain = self.domain(node.domain, node.name)
        element = self.frame.bound[node.name.text][1]
        value: nodes.Expression | None = None
        result: Type
        most = self._most(domain)
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
        message = f"the `{node.kind}` reaches too far: it goes through all that stands behind `in`"
        help_ = f"put the `{node.kind} ...` in brackets: `({written}) {items.op} ...`"
        self.errors.error("type", message, items.span, help=help_)
        return True


# Expressions: gives each its type, and its place among the nodes of meaning.


class ExpressionBuilder(SetBuilder, QuantifierBuilder):
    """Builds the expressions of one rule or function."""

    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return the expression; `wanted` settles what quoted texts and named values stand for."""
        match node:
            case ast.Number(span, value):
                if value > MOST_WRITTEN:
                    self.errors.error("too-large", "this number is too large", span)
                    value = 0
                return nodes.Const(span, Number(value, value), value)
            case ast.Decimal(span, millionths):
                if millionths is None:
                    message = "a probability is from 0 to 1, with at most 6 places"
                    help_ = "a number is whole: write `1`, or `3 * x > 2 * y` for 1.5"
                    return mistake(self.errors, message, span, help=help_)
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
        if op == "&":
            return mistake(self.errors, "'&' joins sets, not numbers", span, help="write `and`")
        if not (isinstance(left.type, Number) and isinstance(right.type, Number)):
            return nodes.Const(span, UNKNOWN, 0)
        if op in ("div", "mod") and right.type.low < 1:
            help_ = "make sure: `max(1, ...)`"
            if isinstance(right, nodes.Local) and right.type.low == NUMBER.low:
                least, bounds = f"`max(1, {right.name})`", f"`let {right.name}: 1 to 9 = ...`"
                help_ = f"make sure here: {least}; or say what it can be where it begins: {bounds}"
            return mistake(self.errors, "the divisor may be 0 or less", right.span, help=help_)
        result = combine(op, left.type, right.type)
        if max(abs(result.low), abs(result.high)) > WIDEST:
            message = f"the result of '{op}' may be too large to be exact"
            return mistake(self.errors, message, span, code="too-large")
        return nodes.Arithmetic(span, result, op, left, right)

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
            whole = of_other_kind(*((right, a) if b == SEAT else (left, b)))
            self.errors.error("type", message, span, help=quoted or whole)
        elif op not in ("==", "!=") and not isinstance(a, Number | Probability | Unknown):
            self.errors.error("type", f"'{op}' compares numbers, and this is {described(a)}", span)
        return nodes.Compare(span, YES_NO, op, left, right)

    def _choice(self, node: ast.Choice, wanted: Type | None) -> nodes.Expression:
        test = self.yes_no(node.test)
        yes = self.build(node.yes, wanted)
        no = self.build(node.no, wanted or _bare(yes.type))
        a, b = yes.type, no.type
        result = joined(a, b)
        if result is None:
            self.errors.error(
                "type", f"one side is {described(a)}, the other {described(b)}", node.span
            )
        return nodes.Choice(node.span, result or UNKNOWN, test, yes, no)


def _bare(type_: Type) -> Type:
    return Element(type_.kind) if isinstance(type_, Element) else type_
