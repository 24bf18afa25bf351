"""Iteration: goes through sets, piles and numbers, one element after the other."""

from __future__ import annotations

from llvmlite import ir

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS
from trutdsl.ir.walk import walk
from trutdsl.native.emit import piles
from trutdsl.native.emit.body import ValueWriter
from trutdsl.native.emit.selections import each_hand
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.native.llvm.unit import I64, Value, const

# The cards of a pile as they lie, written to an array.


def copy_cards(code: FunctionWriter, pile: str, at: Value, target: Value) -> Value:
    """Write the cards from the lowest up to an array, those of a group ascending; how many."""
    b = code.b
    depth, everything = code.load(f"{pile}.depth", at), code.load(f"{pile}.all", at)
    position, turn, done = code.each_number(const(0), depth)
    card = code.load(f"{pile}.below", piles.below_at(code, at, position))
    b.store(card, b.gep(target, [position], source_etype=I64))
    code.go(turn)
    code.at(done)
    place = code.local()
    b.store(depth, place)
    card, turn, done = code.each_bit(code.load(f"{pile}.top", at))
    position = b.load(place, typ=I64)
    b.store(card, b.gep(target, [position], source_etype=I64))
    b.store(b.add(position, const(1)), place)
    code.go(turn)
    code.at(done)
    return code.count_bits(everything)


def copy_order(code: FunctionWriter, pile: str, at: Value, target: Value) -> Value:
    """Write the cards from the lowest up to an array; return how many, or -1 if nobody can."""
    b = code.b
    count = copy_cards(code, pile, at, target)
    groups = b.add(
        code.count_bits(code.load(f"{pile}.starts", at)),
        code.wide(b.not_(code.is_zero(code.load(f"{pile}.top", at)))),
    )
    return b.select(b.icmp_signed("==", groups, count), count, const(-1))


def each(
    code: ValueWriter, node: nodes.For | nodes.Quantifier, ordered: bool
) -> tuple[Value, Value, Value]:
    """Begin a loop over a domain, the slot bound; return (element, next turn, behind it)."""
    domain = node.domain
    element, turn, done = _each_element(code, domain, ordered)
    code.memo.forget(code.changed_by(node))  # what it started from may change in its turns
    code.step(node, domain.span)
    code.bind(node.slot, element)
    if domain.where is not None:
        counts = code.block("counts")
        looks = any(isinstance(n, nodes.Local) and n.slot == node.slot for n in walk(domain.where))
        # What is not said of the element itself holds of no later one either: nothing was done.
        beyond = turn if looks or code.unit.work.cost(node) else done
        code.b.cbranch(code.value(domain.where), counts, beyond)
        code.at(counts)
    return element, turn, done


def _each_element(
    code: ValueWriter, domain: nodes.Domain, ordered: bool
) -> tuple[Value, Value, Value]:
    b = code.b
    if domain.last is not None:
        low, high = code.value(domain.items), code.value(domain.last)
        # Not their difference, which may be no number of 64 bits.
        many = b.icmp_signed(">", high, b.add(low, const(MOST_TURNS)))
        code.fail_if(many, "too-long", "there are too many numbers here", domain.span)
        return code.each_number(low, b.add(high, const(1)))
    items = domain.items
    if isinstance(items, nodes.ZoneCards) and ordered:
        zone = code.unit.program.zones[items.name]
        if zone.ordered:
            return _each_of_pile(code, items, domain.span)
    if isinstance(items, nodes.Hands):
        return each_hand(code, code.value(items.cards), code.value(items.size))
    mask = code.value(items)
    if domain.start is None:
        return code.each_bit(mask)
    turned, first = in_play_order(code, domain, mask)
    begin = code.hold(first)
    step, turn, done = code.each_bit(turned)
    return code.wrapped(b.add(begin(), step), code.unit.setting.players), turn, done


def in_play_order(code: ValueWriter, domain: nodes.Domain, mask: Value) -> tuple[Value, Value]:
    """Return a mask of seats turned so that the first in play order has bit 0, and that one."""
    b, players = code.b, code.unit.setting.players
    assert domain.start is not None
    start = code.value(domain.start)
    first = code.wrapped(b.add(start, const(1)), players) if domain.after else start
    everyone = (1 << players) - 1
    asked = everyone >> 1 if domain.after else everyone
    if isinstance(mask, ir.Constant) and mask.constant == everyone:
        return const(asked), first
    doubled = b.or_(mask, b.shl(mask, const(players)))
    return b.and_(b.lshr(doubled, first), const(asked)), first


def _each_of_pile(
    code: ValueWriter, pile: nodes.ZoneCards, span: Span
) -> tuple[Value, Value, Value]:
    """Go through a pile, from its lowest card up; all must be known."""
    at, name, b = code.place_of(pile), pile.name, code.b
    order = code.local_array(64)
    count = copy_order(code, name, at, order)
    unknown = b.icmp_signed("<", count, const(0))
    message = f"nobody can know the order of the shuffled '{name}'"
    code.fail_if(unknown, "unknown-order", message, span)
    number, turn, done = code.each_number(const(0), count)
    card = b.load(b.gep(order, [number], source_etype=I64), typ=I64)
    return card, turn, done
