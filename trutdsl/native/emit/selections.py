"""Cards selected by what they are, as instructions: a constant mask, or one looked up."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.ir import nodes
from trutdsl.ir.types import Element, Number
from trutdsl.native.abi import NONE
from trutdsl.native.emit.values import Values
from trutdsl.native.llvm.builder import COMPARE, known
from trutdsl.native.llvm.lookup_tables import as_formula
from trutdsl.native.llvm.unit import I64, Value, const

MOST_MASKS = 64  # of a table; printed numbers that lie further apart are compared one by one


def emit_selection(code: Values, node: nodes.Selection) -> Value:
    """Return the mask of the cards of whose attribute a comparison with a key holds."""
    deck = code.unit.setting.deck
    of_cards = _numbers(deck.attribute(node.attribute))

    def mask(key: int) -> int:
        holds = COMPARE[node.op]
        return sum(1 << card for card, has in enumerate(of_cards) if holds(has, key))

    if isinstance(node.key, nodes.PackText) and deck.index_of(node.key.kind, node.key.text) is None:
        return const((1 << len(of_cards)) - 1 if node.op == "!=" else 0)
    key = code.value(node.key)
    settled = known(key)
    if settled is not None:
        return const(mask(settled))
    low, high = _ends(node.key, of_cards)
    if high - low >= MOST_MASKS:
        return _compared(code, node.op, key, of_cards)
    if isinstance(node.key.type, Number) or code.guard is not None:
        # Beyond these ends all numbers select the same; and of what is not wanted any may come.
        key = code.b.call(code.unit.extreme("smax"), [key, const(low)])
        key = code.b.call(code.unit.extreme("smin"), [key, const(high)])
    masks = [mask(k) for k in range(low, high + 1)]
    return code.look_up_mask(masks, code.b.sub(key, const(low)))


def emit_image(code: Values, node: nodes.Image) -> Value:
    """Return the mask of the cards to which any of a set stands in all relations."""
    deck, b = code.unit.setting.deck, code.b
    number = len(deck.texts)
    holds = [
        (_numbers(deck.attribute(r.attribute)), COMPARE[r.op], _numbers(deck.attribute(r.other)))
        for r in node.relations
    ]
    masks = [
        sum(1 << o for o in range(number) if all(test(of[c], to[o]) for of, test, to in holds))
        for c in range(number)
    ]
    cards = code.value(node.cards)
    if _holds_one(code, node.cards):
        # Of no card the lowest is number 64, to which none stands in any relation.
        return code.look_up_mask([*masks, *[0] * (65 - number)], code.lowest_or_none(cards))
    with code.aside():
        found = code.local()
        b.store(const(0), found)
        card, turn, done = code.each_bit(cards)
        b.store(b.or_(b.load(found, typ=I64), code.look_up_mask(masks, card)), found)
        code.go(turn)
        code.at(done)
        return b.load(found, typ=I64)


def extreme_of_cards(code: Values, numbers: Sequence[int], highest: bool, cards: Value) -> Value:
    """Return the highest or lowest number of the cards of a mask; of none any may come."""
    values, place = _extreme(code, numbers, highest, cards, code.guard is None)
    return code.look_up(values, place)


def best_of_cards(code: Values, numbers: Sequence[int], highest: bool, cards: Value) -> Value:
    """Return those cards of a mask, of none none, that have the highest or lowest number."""
    values, place = _extreme(code, numbers, highest, cards, sure=False)
    masks = [sum(1 << card for card, has in enumerate(numbers) if has == v) for v in values]
    return code.b.and_(cards, code.look_up_mask(masks, place))


def _extreme(
    code: Values, numbers: Sequence[int], highest: bool, cards: Value, sure: bool
) -> tuple[list[int], Value]:
    """Return the numbers that there are, and the place among them of the highest or lowest.

    A mask of these numbers is made of the cards at once: nothing branches on how many these are.
    sure: there is a card; else any place comes of none.
    """
    b, values = code.b, sorted(set(numbers))
    formula = as_formula(numbers)
    if formula is not None and formula.shift == 0 and formula.mask + 1 == len(values):
        if formula.step < 0:
            values.reverse()
            highest = not highest
        found, width = cards, len(values)
        while width < len(numbers):
            found, width = b.or_(found, b.lshr(found, const(width))), 2 * width
        found = b.and_(found, const((1 << len(values)) - 1))
    else:
        found = const(0)
        for place, value in enumerate(values):
            same = const(sum(1 << card for card, number in enumerate(numbers) if number == value))
            there = b.not_(code.is_zero(b.and_(cards, same)))
            found = b.or_(found, b.shl(code.wide(there), const(place)))
    if not sure:  # asked of the cards, as it may be known already that there is one
        found = b.select(code.is_zero(cards), const(1), found)
    return values, (code.highest_bit if highest else code.lowest_bit)(found)


def _holds_one(code: Values, cards: nodes.Expression) -> bool:
    """Tell whether a set is of a zone that can hold one card at most."""
    while isinstance(cards, nodes.SetOperation) and cards.op in ("&", "-"):
        cards = cards.left
    return isinstance(cards, nodes.ZoneCards) and code.unit.capacity(cards.name) <= 1


def _numbers(attribute: Sequence[int | None]) -> list[int]:
    """Return what each card has as a number."""
    return [NONE if has is None else has for has in attribute]


def _ends(key: nodes.Expression, of_cards: list[int]) -> tuple[int, int]:
    """Return the least and the greatest key that select what no other one does."""
    optional = isinstance(key.type, Element) and key.type.optional
    if isinstance(key.type, Number):
        return min(of_cards) - 1, max(of_cards) + 1
    return NONE if optional else 0, max(0, *of_cards)


def _compared(code: Values, op: str, key: Value, of_cards: list[int]) -> Value:
    """Return the mask of the cards, one comparison for each number that is printed on any."""
    b, found = code.b, const(0)
    for number in sorted(set(of_cards)):
        cards = sum(1 << card for card, has in enumerate(of_cards) if has == number)
        holds = b.icmp_signed(op, const(number), key)
        found = b.or_(found, b.select(holds, const(cards), const(0)))
    return found
