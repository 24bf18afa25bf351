"""Lowers quantifiers, and the domains that they and loops go through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS, combine, hull, most_hands
from trutdsl.ir.lower.scope import (
    LONGEST_SHOWN,
    help_for_range,
    mistake,
)
from trutdsl.ir.lower.values import ValueBuilder
from trutdsl.ir.types import (
    CARDS,
    MOST_IN_SET,
    SEAT,
    SEATS,
    UNKNOWN,
    WIDEST,
    YES_NO,
    Element,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    describe_type,
    element_of,
    set_of,
)
from trutdsl.language import say
from trutdsl.syntax import ast


def large_numbers(node: ast.Expr) -> tuple[int, ...]:
    """Return the written numbers of a set that no set of 64 can hold; else nothing.

    Where such a set is only gone through or looked into, comparisons take its place.
    """
    if not isinstance(node, ast.SetOf):
        return ()
    numbers = tuple(one.value for one in node.items if isinstance(one, ast.Number))
    whole = len(numbers) == len(node.items)
    return numbers if whole and max(numbers, default=0) >= MOST_IN_SET else ()


def one_of(name: ast.Word, numbers: Sequence[int]) -> ast.Expr:
    """Return the condition that a name is one of these numbers."""
    span, value = name.span, ast.Name(name.span, name.text)
    tests: list[ast.Expr] = [
        ast.Binary(span, "==", value, ast.Number(span, number)) for number in sorted({*numbers})
    ]
    return reduce(lambda one, other: ast.Binary(span, "or", one, other), tests)


class QuantifierBuilder(ValueBuilder):
    """Builds quantifiers and their domains, also for loops."""

    def domain(self, node: ast.Domain, name: ast.Word) -> tuple[int, nodes.Domain]:
        """Return the slot bound to each element in turn, and the domain."""
        if isinstance(node.items, ast.SetOf) and (numbers := large_numbers(node.items)):
            span, among = node.items.span, one_of(name, numbers)
            if node.where is not None:
                among = ast.Binary(span, "and", among, node.where)
            low, high = (ast.Number(span, end(numbers)) for end in (min, max))
            node = replace(node, items=low, last=high, where=among)
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
                message = say(
                    "one can only go through a set or zone, not {described}",
                    described=describe_type(items.type),
                )
                self.errors.error("type", message, items.span, help=help_for_range(items))
        start = None
        if node.start is not None:
            start = self.build_as(node.start, SEAT, say("the first seat of the turn"))
            if items.type not in (SEATS, UNKNOWN) or last is not None:
                self.errors.error("type", say("only seats have an order of play"), node.start.span)
        slot = self.frame.bind(name, element)
        self.frame.fixed.add(slot)
        if isinstance(items, nodes.ZoneCards):
            self.frame.origins[slot] = items
        elif not isinstance(node.items, ast.Hands):
            self.frame.sets[slot] = node.items
        where = self.yes_no(node.where) if node.where is not None else None
        return slot, nodes.Domain(node.span, items, last, start, node.after, where)

    def hands(self, node: ast.Hands) -> nodes.Expression:
        """Return hands as a domain, or report that only a strategy can use them."""
        message = say("only a strategy goes through hands that somebody could hold")
        help_ = say("write it in a strategy, or under `vocabulary`")
        return mistake(self.errors, message, node.span, help=help_, code="misplaced")

    def _most(self, domain: nodes.Domain) -> int:
        """Return the greatest number of elements of a quantifier."""
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
                    self.errors.error(
                        "type", say("'{kind}' is asked of a set", kind=node.kind), node.span
                    )
                value = self.number(node.value) if node.value is not None else None
            case _:
                assert node.value is not None
                value = self.number(node.value)
                result = value.type
                if node.kind == "total" and isinstance(value.type, Number):
                    result = combine("*", value.type, Number(0, most))
                    if max(abs(result.low), abs(result.high)) > WIDEST:
                        self.errors.error(
                            "too-large", say("this total may be too large"), node.span
                        )
        self.frame.leave(outer)
        if isinstance(domain.items, nodes.Hands) and node.kind == "count" and not domain.where:
            hands = domain.items
            size = nodes.Builtin(hands.cards.span, Number(0, 64), "size", (hands.cards,))
            return nodes.Builtin(node.span, result, "ways", (size, hands.size))
        made = nodes.Quantifier(node.span, result, node.kind, slot, domain, value, order=node.order)
        if node.kind == "first" and isinstance(result, OneOf | Number):
            return nodes.Unwrap(node.span, result, made)  # these types have no `none`
        return made

    def _reaches_too_far(self, node: ast.Quantifier) -> bool:
        """Report a quantifier that includes the comparison or sum around it."""
        items = node.domain.items
        if not isinstance(items, ast.Binary) or items.op in ("and", "or", "in", "&"):
            return False
        if items.op in ("+", "-") and not isinstance(items.right, ast.Number):
            return False
        span = node.span
        head = Span(span.source, span.line, span.col, items.left.span.end_line,
                    items.left.span.end_col).text  # fmt: skip
        written = head if 0 < len(head) <= LONGEST_SHOWN else f"{node.kind} ..."
        message = say(
            "the `{kind}` reaches too far: its set is everything after `in`", kind=node.kind
        )
        help_ = say(
            "put the `{kind} ...` in brackets: `({written}) {op} ...`",
            kind=node.kind,
            written=written,
            op=items.op,
        )
        self.errors.error("type", message, items.span, help=help_)
        return True
