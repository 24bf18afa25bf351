"""Selection pushdown: conditions on single cards become operations on sets.

`count card in hand[player] where suit(card) == trump` becomes `size(hand[player] & the trumps)`.
The pack alone decides which cards are trumps, so the set is a constant, or one of a few. A
condition can compare a card with each seat's card on the table, such as which is stronger. It
becomes a loop over the seats first, since the pack decides which cards are weaker, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import TypeGuard, cast

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Expression, Node, Program, Relation, rebuild_program, substitute, walk
from trutdsl.ir.types import CARD, CARDS, YES_NO, Among, Element, Kind, SetOf, element_of
from trutdsl.table.setting import Setting


def select_cards(program: Program, setting: Setting) -> Program:
    """Return the program with selections of cards instead of tests of each card.

    In the second run, defines are selections already, and so are tests of cards with them.
    """
    for _ in range(2):
        conditions = Conditions(program, setting)
        program = rebuild_program(program, partial(_rewritten, conditions))
    return program


def _rewritten(conditions: Conditions, node: Node, _before: Node) -> Node:
    match node:
        case nodes.Quantifier(_, _, _, _, nodes.Domain(_, items, None, None)) if not node.steps:
            if items.type == SetOf(Kind.CARD):
                return _quantifier(node, conditions)
            if node.kind == "every" and node.value is not None:
                return _every(node, node.value, conditions)
        case nodes.Logic(_, _, "and"):
            result = conditions.conjunction(conditions.conjuncts(node))
            return node if result is None else all_hold(result)
    return node


def _every(node: nodes.Quantifier, value: Expression, conditions: Conditions) -> Expression:
    """Return `every x where A has B` as `every x has not (A and not B)`, if that helps."""
    negation = nodes.Not(value.span, YES_NO, value)
    counterexample = conditions.conjunction([*conditions.conjuncts(node.domain.where), negation])
    if counterexample is None:
        return node
    condition = nodes.Not(value.span, YES_NO, all_hold(counterexample))
    return replace(node, domain=replace(node.domain, where=None), value=condition)


def _quantifier(node: nodes.Quantifier, conditions: Conditions) -> Expression:
    """Return a quantifier over cards as a set, or over the cards that can be selected before."""
    span, kind, domain, value = node.span, node.kind, node.domain, node.value
    items = domain.items
    if kind == "first" and _is_pile(items, conditions.program):
        return node  # the first in the order of the pile, which may be unknown
    element = nodes.Local(span, Element(Kind.CARD), node.slot, "")
    parts = conditions.conjuncts(domain.where)
    if kind == "any" and value is not None:
        parts, value = [*parts, value], None
    items, rest = conditions.narrow(items, parts, element)
    if kind == "every" and value is not None and not rest:
        cards = conditions.cards(value, element)
        if cards is not None:
            return none_of(span, cards.complement().among(items))
    if not rest and value is None:
        match kind:
            case "count":
                return nodes.Builtin(span, node.type, "size", (items,))
            case "any":
                return some_of(span, items)
            case "those" if not _is_pile(items, conditions.program):  # a pile has an order
                return replace(items, span=span)
    if items is domain.items:
        return node
    where = all_hold(rest) if rest else None
    return replace(node, domain=replace(domain, items=items, where=where), value=value)


def _is_pile(items: Expression, program: Program) -> bool:
    return isinstance(items, nodes.ZoneCards) and program.zones[items.name].ordered


# Conditions as sets: the set of all cards that satisfy a condition, if it can be computed.


@dataclass(frozen=True)
class CardSet:
    """The cards of a set, or all others; `others` says which."""

    cards: Expression
    others: bool = False

    def among(self, items: Expression) -> Expression:
        """Return the elements of another set that are in this one."""
        op = "-" if self.others else "&"
        return nodes.SetOperation(items.span, CARDS, op, items, self.cards)

    def complement(self) -> CardSet:
        return CardSet(self.cards, not self.others)

    def both(self, other: CardSet) -> CardSet:
        if self.others and other.others:
            return CardSet(union(self.cards.span, (self.cards, other.cards)), True)
        one, two = (other, self) if self.others else (self, other)
        return CardSet(two.among(one.cards))

    def either(self, other: CardSet) -> CardSet:
        """Return the union of both."""
        if self.others or other.others:
            return self.complement().both(other.complement()).complement()
        return CardSet(union(self.cards.span, (self.cards, other.cards)))


def union(span: Span, sets: Iterable[Expression]) -> Expression:
    first, *others = sets or (nodes.SetLiteral(span, CARDS, ()),)
    return reduce(lambda one, two: nodes.SetOperation(span, CARDS, "+", one, two), others, first)


def none_of(span: Span, cards: Expression) -> Expression:
    return nodes.Builtin(span, YES_NO, "empty", (cards,))


def some_of(span: Span, cards: Expression) -> Expression:
    return nodes.Not(span, YES_NO, none_of(span, cards))


def all_hold(parts: list[Expression]) -> Expression:
    """Return the conjunction of conditions, evaluated in order."""
    return reduce(lambda one, two: nodes.Logic(two.span, YES_NO, "and", one, two), parts)


FEW = 8  # elements of an unrolled loop at most
ALL: dict[Among, str] = {
    Kind.SEAT: "seats",
    Kind.TEAM: "teams",
    Kind.SUIT: "suits",
    Kind.RANK: "ranks",
}
MIRROR = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
NEGATION = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class Conditions:
    """The cards that satisfy conditions of one program at one table.

    Conditions are reordered only if they cannot fail, so every error stays, with its place.
    """

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.is_safe = Effects(program).is_pure

    def conjuncts(self, node: Expression | None) -> list[Expression]:
        """Return the parts of a conjunction, in the order of evaluation."""
        node = None if node is None else self._expand(node)
        match node:
            case None:
                return []
            case nodes.Logic(_, _, "and", left, right):
                return [*self.conjuncts(left), *self.conjuncts(right)]
            case nodes.Not(_, _, nodes.Logic(_, _, "or", left, right)):  # De Morgan
                return [*self.conjuncts(_negate(left)), *self.conjuncts(_negate(right))]
        return [node]

    def conjunction(self, conditions: list[Expression]) -> list[Expression] | None:
        """Return all conditions together; those on the only card of a zone become one on the zone.

        None if there is no zone whose test for a card comes first.
        """
        for number, part in enumerate(conditions):
            match part:
                case nodes.Not(span, _, nodes.Builtin(_, _, "empty", (items,))):
                    zone = _source_zone(items)
                    if zone is None or not self._holds_one(zone):
                        continue
                    top = nodes.Builtin(span, CARD, "top", (zone,))
                    result, rest = self.narrow(items, conditions[number + 1 :], top)
                    if result is not items:
                        return [*conditions[:number], some_of(span, result), *rest]
        return None

    def _holds_one(self, zone: nodes.ZoneCards) -> bool:
        """Return whether a zone certainly has at most one card, and the place exists."""
        capacity = self.program.zones[zone.name].capacity
        few = isinstance(capacity, nodes.Const) and capacity.value in (0, 1)
        return few and self.is_safe(zone)

    def narrow(
        self, items: Expression, conditions: list[Expression], element: Expression
    ) -> tuple[Expression, list[Expression]]:
        """Return the cards of a set that satisfy the selectable conditions, and the others."""
        rest: list[Expression] = []
        for part in conditions:
            cards = self.cards(part, element) if all(map(self.is_safe, rest)) else None
            if cards is None:
                rest.append(part)
            else:
                items = cards.among(items)
        return items, rest

    def cards(self, node: Expression, element: Expression) -> CardSet | None:
        """Return the cards that satisfy a condition on an element; None if that is unknown."""
        match self._expand(node):
            case nodes.Not(_, _, inner):
                cards = self.cards(inner, element)
                return None if cards is None else cards.complement()
            case nodes.Builtin(_, _, "empty", (items,)):
                cards = self._image(items, element)
                return None if cards is None else cards.complement()
            case nodes.Logic(_, _, op, left, right):
                one, two = self.cards(left, element), self.cards(right, element)
                if one is None or two is None:
                    return None
                return one.both(two) if op == "and" else one.either(two)
            case nodes.Compare(span, _, op, left, right):
                for card, order, key in ((left, op, right), (right, MIRROR[op], left)):
                    if self._is_fixed(key, element):
                        result = self._compare(span, card, order, key, element)
                        if result is not None:
                            return result
            case nodes.Member(_, _, item, items) if self._is(item, element):
                return CardSet(items) if self._is_fixed(items, element) else None
            case nodes.Member(span, _, item, nodes.SetLiteral(_, _, keys)):
                name = self._attribute(item, element)
                if name is not None and all(self._is_fixed(key, element) for key in keys):
                    sets = [nodes.Selection(span, CARDS, name, "==", key) for key in keys]
                    return CardSet(union(span, sets))
            case nodes.Builtin(span, _, "special", (card,)) if self._is(card, element):
                return CardSet(nodes.Builtin(span, CARDS, "special_pack", ()))
            case nodes.Call() | nodes.Quantifier() as condition:
                return self._of_any(condition, element)
        return None

    def _expand(self, node: Expression) -> Expression:
        """Return the body of a `define` for a use of it, if it is one expression; else the node."""
        while self._is_simple_call(node):
            body = self.program.functions[node.function].body
            if not isinstance(body, Expression) or any(
                isinstance(part, nodes.Quantifier) for part in walk(body)
            ):
                break  # it binds names of its own
            node = substitute(body, dict(enumerate(node.args)))
        return node

    def _is_simple_call(self, node: Expression) -> TypeGuard[nodes.Call]:
        """Return whether a `define` may evaluate its arguments as often as it reads them."""
        return isinstance(node, nodes.Call) and not node.steps and all(map(self.is_safe, node.args))

    def _of_any(self, node: Expression, element: Expression) -> CardSet | None:
        """Return the cards that satisfy a condition for any of a few seats, or for every one.

        node: `any` or `every`, or a use of a `define` that is one and contains no other.
        """
        args, span = dict[int, Expression](), node.span
        if self._is_simple_call(node):
            body = self.program.functions[node.function].body
            if sum(isinstance(part, nodes.Quantifier) for part in walk(body)) != 1:
                return None
            args, node = dict(enumerate(node.args)), cast(Expression, body)
        if not isinstance(node, nodes.Quantifier) or node.steps or node.domain.last is not None:
            return None
        turns = self._unroll(node, args) if node.kind in ("any", "every") else None
        if turns is None:
            return None
        result = []
        for turn in turns:
            conditions = [part for one in turn for part in self.conjuncts(one)]
            cards = self._of_all(self.conjunction(conditions) or conditions, element)
            if cards is None:
                return None
            result.append(cards)
        return CardSet(union(span, result), node.kind == "every")

    def _unroll(
        self, node: nodes.Quantifier, args: Mapping[int, Expression]
    ) -> list[list[Expression]] | None:
        """Return the conditions on each element, whose first one that satisfies them decides.

        None for too many elements, or a quantifier that can fail before it begins.
        """
        domain, span = node.domain, node.span
        kind = domain.items.type.kind if isinstance(domain.items.type, SetOf) else Kind.CARD
        count = self.setting.count(kind)
        inputs = [part for part in (domain.items, domain.start) if part is not None]
        if kind is Kind.CARD or count > FEW or not all(map(self.is_safe, inputs)):
            return None
        result = []
        for number in range(count):
            element = nodes.Const(span, element_of(domain.items.type), number)
            conditions: list[Expression] = []
            if not (isinstance(domain.items, nodes.Builtin) and domain.items.name == ALL.get(kind)):
                conditions.append(nodes.Member(span, YES_NO, element, domain.items))
            if domain.after and domain.start is not None:
                conditions.append(nodes.Compare(span, YES_NO, "!=", element, domain.start))
            if domain.where is not None:
                conditions.append(domain.where)
            if node.value is not None:
                negation = nodes.Not(span, YES_NO, node.value)
                conditions.append(node.value if node.kind == "any" else negation)
            bound = {**args, node.slot: element}
            result.append([substitute(part, bound) for part in conditions])
        return result

    def _of_all(self, conditions: list[Expression], element: Expression) -> Expression | None:
        """Return the set of the cards that satisfy all conditions."""
        result, guards = None, list[Expression]()
        for part in conditions:
            if self._is_fixed(part, element):
                guards.append(part)
                continue
            cards = self.cards(part, element)
            if cards is None:
                return None
            result = cards if result is None else result.both(cards)
        if result is None or result.others:
            return None
        if not guards:
            return result.cards
        span = result.cards.span
        nothing = nodes.SetLiteral(span, CARDS, ())
        return nodes.Choice(span, CARDS, all_hold(guards), result.cards, nothing)

    def _image(self, items: Expression, element: Expression) -> CardSet | None:
        """Return the elements for which a set is not empty, if their attributes select it."""
        span, relations, operations = items.span, list[Relation](), list[tuple[str, Expression]]()
        while not self._is_fixed(items, element):
            if not (isinstance(items, nodes.SetOperation) and items.op in ("&", "-")):
                return None
            op, right = items.op, items.right
            if self._is_fixed(right, element):
                operations.append((op, right))
            elif isinstance(right, nodes.Selection):
                other = self._attribute(right.key, element)
                if other is None:
                    return None
                order = right.op if op == "&" else NEGATION[right.op]
                relations.append(Relation(right.attribute, order, other))
            else:
                return None
            items = items.left
        if not relations:
            return None
        for op, right in reversed(operations):
            items = nodes.SetOperation(span, CARDS, op, items, right)
        return CardSet(nodes.Image(span, CARDS, tuple(reversed(relations)), items))

    def _compare(
        self, span: Span, card: Expression, op: str, key: Expression, element: Expression
    ) -> CardSet | None:
        """Return the cards that satisfy `card OP key`; `card` is the element or its attribute."""
        if op in ("==", "!=") and self._is(card, element):
            return CardSet(nodes.SetLiteral(span, CARDS, (key,)), op == "!=")
        name = self._attribute(card, element)
        return None if name is None else CardSet(nodes.Selection(span, CARDS, name, op, key))

    def _attribute(self, node: Expression, element: Expression) -> str | None:
        """Return the attribute of the element that an expression reads, or None."""
        match self._expand(node):
            case nodes.Builtin(_, _, "suit" | "rank" | "strength", (card,)) as read:
                return read.name if self._is(card, element) else None
            case nodes.CardValue(_, _, name, card):
                return name if self._is(card, element) else None
        return None

    def _is(self, node: Expression, element: Expression) -> bool:
        return is_same(self._expand(node), element)

    def _is_fixed(self, node: Expression, element: Expression) -> bool:
        """Return whether an expression is the same for every element, and cannot fail."""
        return self.is_safe(node) and not any(is_same(part, element) for part in walk(node))


def _negate(node: Expression) -> Expression:
    return nodes.Not(node.span, YES_NO, node)


def _source_zone(items: Expression) -> nodes.ZoneCards | None:
    """Return the zone of which a set is a part, if this pass made it."""
    while isinstance(items, nodes.SetOperation) and items.op in ("&", "-"):
        items = items.left
    return items if isinstance(items, nodes.ZoneCards) else None


def is_same(one: Node, two: Node) -> bool:
    """Return whether two nodes are equal, except for their positions."""
    match one, two:
        case nodes.Local(_, _, a), nodes.Local(_, _, b):
            return a == b
        case nodes.Builtin(_, _, a), nodes.Builtin(_, _, b):
            parts = a == b
        case nodes.ZoneCards(_, _, a), nodes.ZoneCards(_, _, b):
            parts = a == b
        case nodes.Const(_, _, a), nodes.Const(_, _, b):
            parts = a == b and type(a) is type(b)
        case nodes.Var(_, _, a), nodes.Var(_, _, b):
            parts = a == b
        case _:
            return False
    pairs = list(zip(one.children, two.children, strict=False))
    same_number = len(one.children) == len(two.children)
    return parts and same_number and all(is_same(a, b) for a, b in pairs)
