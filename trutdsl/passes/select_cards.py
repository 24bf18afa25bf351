"""Selection pushdown: conditions on single cards become operations on sets.

`count card in hand[player] where suit(card) == trump` becomes `size(hand[player] & the trumps)`.
The pack alone decides which cards are trumps, so the set is a constant, or one of a few. A
condition can compare a card with each seat's card on the table, such as which is stronger. It
becomes a loop over the seats first, since the pack decides which cards are weaker, too.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from trutdsl.ir import nodes
from trutdsl.ir.nodes import Expression, Node, Program, rebuild_program
from trutdsl.ir.types import YES_NO, Element, Kind, SetOf
from trutdsl.passes.conditions import Conditions, all_hold, none_of, some_of
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
