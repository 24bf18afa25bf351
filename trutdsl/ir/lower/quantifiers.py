"""Lowers quantifiers, the domains that they and loops go through, and operations on sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS, combine, common_type, hull, most_hands
from trutdsl.ir.lower.references import ReferenceBuilder
from trutdsl.ir.lower.scope import LONGEST_SHOWN, help_for_no_set, help_for_range, mistake
from trutdsl.ir.types import (
    CARDS,
    MOST_IN_SET,
    NAMED_TYPES,
    NUMBER,
    SEAT,
    SEATS,
    UNKNOWN,
    WIDEST,
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
    without_none,
)
from trutdsl.language import say
from trutdsl.syntax import ast


def large_numbers(node: ast.Expr) -> tuple[int, ...]:
    """Return the written numbers of a set that no set of 64 can hold; else nothing.

    Where such a set is only gone through or looked into, comparisons take its place.
    """
    if not isinstance(node, ast.SetOf):
        return ()
    numbers = [_written_number(one) for one in node.items]
    known = tuple(number for number in numbers if number is not None)
    large = max(known, default=0) >= MOST_IN_SET or min(known, default=0) < 0
    return known if large and len(known) == len(numbers) else ()


def _written_number(node: ast.Expr) -> int | None:
    if isinstance(node, ast.Negate) and isinstance(node.value, ast.Number):
        return -node.value.value
    return node.value if isinstance(node, ast.Number) else None


def one_of(name: ast.Word, numbers: Sequence[int]) -> ast.Expr:
    """Return the condition that a name is one of these numbers."""
    span, value = name.span, ast.Name(name.span, name.text)
    tests: list[ast.Expr] = [
        ast.Binary(span, "==", value, ast.Number(span, number)) for number in sorted({*numbers})
    ]
    return reduce(lambda one, other: ast.Binary(span, "or", one, other), tests)


class QuantifierBuilder(ReferenceBuilder):
    """Builds quantifiers and their domains, also for loops, and operations on sets."""

    def domain(self, node: ast.Domain, name: ast.Word) -> tuple[int, nodes.Domain]:
        """Return the slot bound to each element in turn, and the domain."""
        if isinstance(node.items, ast.SetOf) and (numbers := large_numbers(node.items)):
            span, test = node.items.span, one_of(name, numbers)
            if node.where is not None:
                test = ast.Binary(span, "and", test, node.where)
            low, high = (ast.Number(span, end(numbers)) for end in (min, max))
            node = replace(node, items=low, last=high, where=test)
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
                text = "one can only go through a set or zone, not {described}"
                message = say(text, described=describe_type(items.type))
                self.errors.error("type", message, items.span, help=help_for_range(items))
        start = None
        if node.start is not None:
            start = self.build_as(node.start, SEAT, say("the first seat of the turn"))
            if items.type not in (SEATS, UNKNOWN) or last is not None:
                self.errors.error("type", say("only seats have an order of play"), node.start.span)
        slot = self.frame.bind(name, element)
        self.frame.fixed_slots.add(slot)
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
            return min(max(0, last.high - first.low + 1), MOST_TURNS)
        return MOST_IN_SET

    def _quantifier(self, node: ast.Quantifier) -> nodes.Expression:
        if self._reaches_too_far(node):
            return nodes.Const(node.span, UNKNOWN, 0)
        with self.frame.inner():
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
                        message = say("'{kind}' is asked of a set", kind=node.kind)
                        self.errors.error("type", message, node.span, help=_least_of(node))
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
        if isinstance(domain.items, nodes.Hands) and node.kind == "count" and not domain.where:
            hands = domain.items
            size = nodes.Builtin(hands.cards.span, Number(0, 64), "size", (hands.cards,))
            return nodes.Builtin(node.span, result, "ways", (size, hands.size))
        quantifier = nodes.Quantifier(
            node.span, result, node.kind, slot, domain, value, order=node.order
        )
        if node.kind == "first" and isinstance(result, OneOf | Number):
            return nodes.Unwrap(node.span, result, quantifier)  # these types have no `none`
        return quantifier

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
        phrase = head if 0 < len(head) <= LONGEST_SHOWN else f"{node.kind} ..."
        message = say(
            "the `{kind}` reaches too far: its set is everything after `in`", kind=node.kind
        )
        text = "put the `{kind} ...` in brackets: `({written}) {op} ...`"
        help_ = say(text, kind=node.kind, written=phrase, op=items.op)
        self.errors.error("type", message, items.span, help=help_)
        return True

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
            same = f"{node.left.span.text} == {node.right.span.text}"
            help_ = say("write `{spoken}`", spoken=same) if fits(items.type, item.type) else None
            if without_none(item.type) == SEAT and items.type == Element(Kind.TEAM):
                same = f"team({node.left.span.text}) == {node.right.span.text}"
                help_ = say("write `{spoken}`", spoken=same)
            self.errors.error("type", message, node.span, help=help_)
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

    def _set_literal(self, node: ast.SetOf, expected: Type | None) -> nodes.Expression:
        of = element_of(expected) if isinstance(expected, SetOf) else None
        items: list[nodes.Expression] = []
        for part in node.items:
            items.append(self._beside(part, of) if of else self.build(part))
            of = items[-1].type if of is None and isinstance(items[-1].type, OneOf) else of
        known = [i.type.kind for i in items if isinstance(i.type, Element)]
        result = SetOf(known[0]) if known else set_of(of) if of else None
        numbers = bool(items) and all(isinstance(i.type, Number) for i in items)
        if result is None and numbers:
            widest = items[0].type
            for i in items[1:]:
                widest = hull(widest, i.type)
            result = set_of(widest)
        if result is None and any(isinstance(i.type, Unknown) for i in items):
            return nodes.Const(node.span, UNKNOWN, 0)
        if result is None and numbers:
            message = say("a set of numbers holds only 0 to 63, but this value may lie outside")
            return mistake(self.errors, message, node.span, help=_help_for_no_set(items))
        if result is None:
            return mistake(self.errors, say("the element type of this set is unknown"), node.span)
        if not isinstance(result.kind, Kind):
            element, what = element_of(result), say("this")
            each = tuple(self.convert(i, element, what) for i in items)
            return nodes.SetLiteral(node.span, result, each)
        kind = result.kind
        for item, value in zip(node.items, items, strict=True):
            help_ = self.help_for_quotes(item, Element(kind))
            if help_ is not None and isinstance(value.type, Number):
                text = "this must be {described}, but is a number"
                message = say(text, described=describe_type(Element(kind)))
                return mistake(self.errors, message, item.span, help=help_)
        elements = tuple(self.item(i, kind, say("this")) for i in items)
        return nodes.SetLiteral(node.span, SetOf(kind), elements)

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


def _least_of(node: ast.Quantifier) -> str | None:
    """Return the help for the first of a range of numbers: the lowest of them."""
    if node.kind != "first" or node.value is not None:
        return None
    name, rest = node.name.text, node.span.text.removeprefix("first")
    return say("write `{spoken}`", spoken=f"lowest {name} for{rest}")


def _help_for_no_set(items: list[nodes.Expression]) -> str:
    """Return the help for a set of numbers that no set can hold."""
    numbers = [int(i.value) for i in items if isinstance(i, nodes.Const) and i.value is not None]
    if len(numbers) == len(items):
        text = "{" + ", ".join(map(str, numbers)) + "}"
        return say("write such a set where it is used: `x in {set}`", set=text)
    return say(
        "compare, as in `x == 1 or x == 2`; to keep them in a set, number them, as in "
        "`(x - 80) div 10`"
    )
