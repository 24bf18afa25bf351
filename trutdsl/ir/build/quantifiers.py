"""Quantifiers, and the domains that they and loops go through: types and bounds."""

from __future__ import annotations

from trutdsl.ir import nodes
from trutdsl.ir.bounds import MOST_TURNS
from trutdsl.ir.build.suggestions import LONGEST_SHOWN, gone_through
from trutdsl.ir.build.values import ValueBuilder
from trutdsl.ir.intervals import combine, hull, most_hands
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
    described,
    element_of,
    set_of,
)
from trutdsl.source import Span
from trutdsl.syntax import ast


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
        self.errors.error(
            "type",
            f"the `{node.kind}` reaches too far: it goes through all that stands behind `in`",
            items.span,
            help=f"put the `{node.kind} ...` in brackets: `({written}) {items.op} ...`",
        )
        return True
