"""A selection of cards as instructions: a constant mask, or one looked up by the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trutdsl.ir import nodes
from trutdsl.ir.types import Element, Number
from trutdsl.native.builder import COMPARE, known
from trutdsl.native.unit import NONE, Value, const

if TYPE_CHECKING:
    from trutdsl.native.emit_expressions import ExpressionEmitter

MOST_MASKS = 64  # of a table; printed numbers that lie further apart are compared one by one


def emit_selection(code: ExpressionEmitter, node: nodes.Selection) -> Value:
    """Return the mask of the cards of whose attribute a comparison with a key holds."""
    deck = code.unit.setting.deck
    of_cards = [NONE if has is None else has for has in deck.attribute(node.attribute)]

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


def _ends(key: nodes.Expression, of_cards: list[int]) -> tuple[int, int]:
    """Return the least and the greatest key that select what no other one does."""
    optional = isinstance(key.type, Element) and key.type.optional
    if isinstance(key.type, Number):
        return min(of_cards) - 1, max(of_cards) + 1
    return NONE if optional else 0, max(0, *of_cards)


def _compared(code: ExpressionEmitter, op: str, key: Value, of_cards: list[int]) -> Value:
    """Return the mask of the cards, one comparison for each number that is printed on any."""
    b, found = code.b, const(0)
    for number in sorted(set(of_cards)):
        cards = sum(1 << card for card, has in enumerate(of_cards) if has == number)
        holds = b.icmp_signed(op, const(number), key)
        found = b.or_(found, b.select(holds, const(cards), const(0)))
    return found
