"""Selection pushdown: what is asked of one card after the other becomes operations on sets.

`count card in hand[player] where suit(card) == trump` is `size(hand[player] & the trumps)`: which
cards are trumps follows from the pack alone, so the set is a constant, or one of a few.

What is asked of a card is taken out of its turn only where it cannot fail, so that every mistake
stays, with its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Expression, Node, Program
from trutdsl.ir.types import CARD, CARDS, YES_NO, Element, Kind, SetOf
from trutdsl.ir.walk import walk
from trutdsl.ir.work import Counted
from trutdsl.passes.expand import expanded, is_same
from trutdsl.passes.rebuild import rebuild_program
from trutdsl.source import Span
from trutdsl.table.setting import Setting

MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
BY_CHANCE = nodes.Do | nodes.Roll | nodes.RandomFrom | nodes.Chance


def select_cards(program: Program, _: Setting) -> Program:
    """Return the program with selections of cards in place of looking at each card."""
    selector = _Selector(program)
    return rebuild_program(program, lambda node, _before: selector.rewritten(node))


@dataclass(frozen=True)
class _Cards:
    """The cards of a set, or all others; `others` says which."""

    cards: Expression
    others: bool = False

    def among(self, items: Expression) -> Expression:
        """Return those of a set that are of these."""
        op = "-" if self.others else "&"
        return nodes.SetOperation(items.span, CARDS, op, items, self.cards)

    def negated(self) -> _Cards:
        return _Cards(self.cards, not self.others)

    def both(self, other: _Cards) -> _Cards:
        """Return the cards that are of these and of the other."""
        if self.others and other.others:
            span = self.cards.span
            return _Cards(nodes.SetOperation(span, CARDS, "+", self.cards, other.cards), True)
        one, two = (other, self) if self.others else (self, other)
        return _Cards(two.among(one.cards))


class _Selector:
    """Rewrites the nodes of one program at one table."""

    def __init__(self, program: Program) -> None:
        self.program, self.effects = program, Effects(program)

    def rewritten(self, node: Node) -> Node:
        """Return what stands in place of a node whose parts are rewritten."""
        match node:
            case nodes.Quantifier(_, _, _, _, nodes.Domain(_, items, None, None)) if not node.steps:
                if items.type == SetOf(Kind.CARD):
                    return self._quantifier(node)
                if node.kind == "every" and node.value is not None:
                    return self._every(node, node.value)
            case nodes.Logic(_, _, "and"):
                found = self._conjunction(self._conjuncts(node))
                return node if found is None else found
        return node

    def _every(self, node: nodes.Quantifier, value: Expression) -> Expression:
        """Return `every x where A has B` as `every x has not (A and not B)`, if that is of use."""
        asked = [*self._conjuncts(node.domain.where), nodes.Not(value.span, YES_NO, value)]
        broken = self._conjunction(asked)
        if broken is None:
            return node
        kept = nodes.Not(value.span, YES_NO, broken)
        return replace(node, domain=replace(node.domain, where=None), value=kept)

    def _conjunction(self, asked: list[Expression]) -> Expression | None:
        """Return all conditions together, those on the only card of a zone as one on the zone.

        None if there is no zone of which it is asked first whether a card lies there.
        """
        for number, part in enumerate(asked):
            match part:
                case nodes.Not(span, _, nodes.Builtin(_, _, "empty", (items,))):
                    zone = _narrowed_zone(items)
                    if zone is None or not self._holds_one(zone):
                        continue
                    top = nodes.Builtin(span, CARD, "top", (zone,))
                    found, rest = self._narrowed(items, asked[number + 1 :], top)
                    if found is not items:
                        return _all([*asked[:number], _some(span, found), *rest])
        return None

    def _conjuncts(self, node: Expression | None) -> list[Expression]:
        """Return the conditions that have to hold, in the order in which they are looked at."""
        node = None if node is None else expanded(node, self.program, self._is_safe)
        match node:
            case None:
                return []
            case nodes.Logic(_, _, "and", left, right):
                return [*self._conjuncts(left), *self._conjuncts(right)]
        return [node]

    def _holds_one(self, zone: nodes.ZoneCards) -> bool:
        """Tell whether a zone is sure to hold one card at most, and there is such a place."""
        capacity = self.program.zones[zone.name].capacity
        few = isinstance(capacity, nodes.Const) and capacity.value in (0, 1)
        return few and self._is_safe(zone)

    def _is_pile(self, items: Expression) -> bool:
        return isinstance(items, nodes.ZoneCards) and self.program.zones[items.name].ordered

    def _quantifier(self, node: nodes.Quantifier) -> Expression:
        span, kind, domain, value = node.span, node.kind, node.domain, node.value
        items = domain.items
        if kind == "first" and self._is_pile(items):
            return node  # the first as they lie, which may not be known
        element = nodes.Local(span, Element(Kind.CARD), node.slot, "")
        asked = self._conjuncts(domain.where)
        if kind == "any" and value is not None:
            asked, value = [*asked, value], None
        items, rest = self._narrowed(items, asked, element)
        if kind == "every" and value is not None and not rest:
            cards = self._cards(value, element)
            if cards is not None:
                return _none(span, cards.negated().among(items))
        if not rest and value is None:
            match kind:
                case "count":
                    return nodes.Builtin(span, node.type, "size", (items,))
                case "any":
                    return _some(span, items)
                case "those":
                    return items
        if items is domain.items:
            return node
        where = _all(rest) if rest else None
        return replace(node, domain=replace(domain, items=items, where=where), value=value)

    def _narrowed(
        self, items: Expression, asked: list[Expression], element: Expression
    ) -> tuple[Expression, list[Expression]]:
        """Return those cards of a set of which what can be selected holds, and what cannot be."""
        rest: list[Expression] = []
        for part in asked:
            cards = self._cards(part, element) if all(map(self._is_safe, rest)) else None
            if cards is None:
                rest.append(part)
            else:
                items = cards.among(items)
        return items, rest

    def _cards(self, node: Expression, element: Expression) -> _Cards | None:
        """Return the cards of which a condition on an element holds; None if it cannot be said."""
        match expanded(node, self.program, self._is_safe):
            case nodes.Not(_, _, inner):
                cards = self._cards(inner, element)
                return None if cards is None else cards.negated()
            case nodes.Logic(_, _, op, left, right):
                one, two = self._cards(left, element), self._cards(right, element)
                if one is None or two is None:
                    return None
                return one.both(two) if op == "and" else _either(one, two)
            case nodes.Compare(span, _, op, left, right):
                for card, order, key in ((left, op, right), (right, MIRRORED[op], left)):
                    if self._is_fixed(key, element):
                        found = self._compared(span, card, order, key, element)
                        if found is not None:
                            return found
            case nodes.Member(_, _, item, items) if self._is(item, element):
                return _Cards(items) if self._is_fixed(items, element) else None
            case nodes.Member(span, _, item, nodes.SetLiteral(_, _, keys)):
                name = self._attribute(item, element)
                if name is not None and all(self._is_fixed(key, element) for key in keys):
                    sets = [nodes.Selection(span, CARDS, name, "==", key) for key in keys]
                    return _Cards(_union(span, sets))
            case nodes.Builtin(span, _, "special", (card,)) if self._is(card, element):
                return _Cards(nodes.Builtin(span, CARDS, "special_pack", ()))
        return None

    def _compared(
        self, span: Span, card: Expression, op: str, key: Expression, element: Expression
    ) -> _Cards | None:
        """Return the cards of which `card OP key` holds, if `card` is the element, or of it."""
        if op in ("==", "!=") and self._is(card, element):
            return _Cards(nodes.SetLiteral(span, CARDS, (key,)), op == "!=")
        name = self._attribute(card, element)
        return None if name is None else _Cards(nodes.Selection(span, CARDS, name, op, key))

    def _attribute(self, node: Expression, element: Expression) -> str | None:
        """Return the attribute of the element that an expression is, or None."""
        match expanded(node, self.program, self._is_safe):
            case nodes.Builtin(_, _, "suit" | "rank" | "strength", (card,)) as read:
                return read.name if self._is(card, element) else None
            case nodes.CardValue(_, _, name, card):
                return name if self._is(card, element) else None
        return None

    def _is(self, node: Expression, element: Expression) -> bool:
        """Tell whether an expression is the element."""
        return is_same(expanded(node, self.program, self._is_safe), element)

    def _is_fixed(self, node: Expression, element: Expression) -> bool:
        """Tell whether an expression is the same for every element, and cannot fail."""
        return self._is_safe(node) and not any(is_same(part, element) for part in walk(node))

    def _is_safe(self, node: Expression) -> bool:
        """Tell whether an expression can be worked out at any time and as often as one likes."""
        short = not any(
            isinstance(part, BY_CHANCE) or (isinstance(part, Counted) and part.steps)
            for part in walk(node)
        )
        return short and not self.effects.can_fail(node)


def _narrowed_zone(items: Expression) -> nodes.ZoneCards | None:
    """Return the zone that a set is a part of, if it was made so by this pass."""
    while isinstance(items, nodes.SetOperation) and items.op in ("&", "-"):
        items = items.left
    return items if isinstance(items, nodes.ZoneCards) else None


def _all(parts: list[Expression]) -> Expression:
    """Return whether all conditions hold, looked at one after the other."""
    found, *others = parts
    for part in others:
        found = nodes.Logic(part.span, YES_NO, "and", found, part)
    return found


def _either(one: _Cards, two: _Cards) -> _Cards:
    if one.others or two.others:
        return one.negated().both(two.negated()).negated()
    return _Cards(nodes.SetOperation(one.cards.span, CARDS, "+", one.cards, two.cards))


def _union(span: Span, sets: list[nodes.Selection]) -> Expression:
    found: Expression = nodes.SetLiteral(span, CARDS, ())
    for number, cards in enumerate(sets):
        found = nodes.SetOperation(span, CARDS, "+", found, cards) if number else cards
    return found


def _none(span: Span, cards: Expression) -> Expression:
    return nodes.Builtin(span, YES_NO, "empty", (cards,))


def _some(span: Span, cards: Expression) -> Expression:
    return nodes.Not(span, YES_NO, _none(span, cards))
