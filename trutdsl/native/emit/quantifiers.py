"""Iteration and quantifiers: all elements at once if there are few, else one after the other.

Branches in a game of chance are unpredictable, and a misprediction costs more than an unneeded
computation. So a condition on each of a few seats, teams or suits is computed for all of them, as a
mask of those that satisfy it.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import Kind, SetOf
from trutdsl.native.abi import NONE
from trutdsl.native.emit import piles
from trutdsl.native.emit.body import (
    ValueWriter,
    find_pair,
    first_of_pair,
    is_empty_set,
    keep_pair,
    pair_of,
    seats_from,
    uses_pairs,
)
from trutdsl.native.emit.builtins import each_hand
from trutdsl.native.llvm import I1, I64, Value, const
from trutdsl.native.llvm.function import FunctionWriter

# The cards of a pile in order, written to an array.


def copy_cards(code: FunctionWriter, pile: str, at: Value, target: Value) -> Value:
    """Write the cards from the lowest up to an array, each group ascending; return their number."""
    b = code.b
    depth, everything = code.load(f"{pile}.depth", at), code.load(f"{pile}.all", at)
    with code.numbers(const(0), depth) as position:
        card = code.load(f"{pile}.below", piles.below_at(code, at, position))
        b.store(card, b.gep(target, [position], source_etype=I64))
    place = code.cell(depth)
    with code.bits(code.load(f"{pile}.top", at)) as card:
        position = code.number(place)
        b.store(card, b.gep(target, [position], source_etype=I64))
        b.store(b.add(position, const(1)), place)
    return code.count_bits(everything)


def copy_order(code: FunctionWriter, pile: str, at: Value, target: Value) -> Value:
    """Write the cards from the lowest up to an array; return their number, -1 if unknown."""
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
    """Begin a loop over a domain, its slot bound; return (element, next turn, exit)."""
    domain = node.domain
    element, turn, done = _each_element(code, domain, ordered)
    code.memo.forget(code.writes_of(node))  # the turns may change the start value
    code.step(node, domain.span)
    code.bind(node.slot, element)
    if domain.where is not None:
        counts = code.block("counts")
        looks = any(isinstance(n, nodes.Local) and n.slot == node.slot for n in walk(domain.where))
        # A loop-invariant condition that fails once fails for all later elements.
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
        # Not their difference, which may overflow 64 bits.
        many = b.icmp_signed(">=", high, b.add(low, const(MOST_TURNS)))
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
    rotated_mask, first = in_play_order(code, domain, mask)
    begin = code.hold(first)
    step, turn, done = code.each_bit(rotated_mask)
    return code.wrap_seat(b.add(begin(), step), code.unit.setting.players), turn, done


def in_play_order(code: ValueWriter, domain: nodes.Domain, mask: Value) -> tuple[Value, Value]:
    """Return a mask of seats rotated so that the first in play order has bit 0, and that seat."""
    b, players = code.b, code.unit.setting.players
    assert domain.start is not None
    start = code.value(domain.start)
    first = code.wrap_seat(b.add(start, const(1)), players) if domain.after else start
    everyone = (1 << players) - 1
    seats = everyone >> 1 if domain.after else everyone
    if isinstance(mask, ir.Constant) and mask.constant == everyone:
        return const(seats), first
    doubled = b.or_(mask, b.shl(mask, const(players)))
    return b.and_(b.lshr(doubled, first), const(seats)), first


def _each_of_pile(
    code: ValueWriter, pile: nodes.ZoneCards, span: Span
) -> tuple[Value, Value, Value]:
    """Iterate over a pile, from its lowest card up; all must be known."""
    at, name, b = code.place_of(pile), pile.name, code.b
    order = code.local_array(64)
    count = copy_order(code, name, at, order)
    unknown = b.icmp_signed("<", count, const(0))
    message = f"nobody can know the order of the shuffled '{name}'"
    code.fail_if(unknown, "unknown-order", message, span)
    number, turn, done = code.each_number(const(0), count)
    card = b.load(b.gep(order, [number], source_etype=I64), typ=I64)
    return card, turn, done


FEW = 16  # elements that are computed at once
CHEAP = 400  # nodes of these computations together
LEAST, MOST = -(2**62), 2**62  # no number of the language is larger


def emit_quantifier(code: ValueWriter, node: nodes.Quantifier) -> Value:
    if _needs_no_look(code, node):
        return _of_mask(code, node, *_elements(code, node.domain))
    if _is_short(code, node):
        return _all_at_once(code, node)
    with code.on_some_paths():
        return _one_by_one(code, node)


def _elements(code: ValueWriter, domain: nodes.Domain) -> tuple[Value, Value | None]:
    if domain.start is None:
        return code.value(domain.items), None
    if code.unit.mode.fast and code.is_safe(domain.start):
        # It comes first because it cannot fail: then the set can be rotated to start there.
        start = code.value(domain.start)
        with code.going_round(start):
            mask = code.value(domain.items)
    else:
        mask, start = code.value(domain.items), code.value(domain.start)
    return code.without(mask, code.bit(start)) if domain.after else mask, start


def _needs_no_look(code: ValueWriter, node: nodes.Quantifier) -> bool:
    """Return whether a quantifier's value depends on the set alone."""
    items, domain = node.domain.items, node.domain
    if domain.where is not None or node.value is not None or domain.last is not None:
        return False
    return not isinstance(items, nodes.Hands) and not _has_order(code, items)


def _has_order(code: ValueWriter, items: nodes.Expression) -> bool:
    return isinstance(items, nodes.ZoneCards) and code.unit.program.zones[items.name].ordered


def _is_short(code: ValueWriter, node: nodes.Quantifier) -> bool:
    """Tell whether all elements can be evaluated at little cost."""
    domain = node.domain
    kind = domain.items.type.kind if isinstance(domain.items.type, SetOf) else None
    if domain.last is not None or kind in (None, Kind.CARD):
        return False
    cheap = code.unit.setting.count(kind) <= FEW and code.unit.work.of(node) <= CHEAP
    # A search that stops at the first hit must ignore errors after it, but not before it;
    # the first error among seats depends on the start.
    stops = node.kind in ("first", "any", "every") and node.order is None
    stops = stops or domain.start is not None
    looked_at = [part for part in (domain.where, node.value) if part is not None]
    alike = code.unit.effects.fails_alike
    return cheap and not (stops and not all(alike(part, node.slot) for part in looked_at))


def _of_mask(code: ValueWriter, node: nodes.Quantifier, mask: Value, start: Value | None) -> Value:
    match node.kind:
        case "count":
            return code.count_bits(mask)
        case "any":
            return code.b.not_(is_empty_set(code, mask))
        case "every":
            return is_empty_set(code, mask)
        case "first":
            return _first(code, node.domain, mask, start)
    return mask


def _first(code: ValueWriter, domain: nodes.Domain, mask: Value, start: Value | None) -> Value:
    """Return the first element of a mask, or none.

    In play order the elements from the start on come first, then those below it.
    """
    b, result = code.b, mask
    if start is not None and uses_pairs(code):
        return first_of_pair(code, pair_of(code, mask, start), start)
    if start is not None:
        later = b.and_(mask, b.shl(const(-2 if domain.after else -1), start))
        result = b.select(code.is_zero(later), mask, later)
    return b.select(code.is_zero(mask), const(NONE), code.lowest_bit(result))


def _all_at_once(code: ValueWriter, node: nodes.Quantifier) -> Value:
    b, domain = code.b, node.domain
    assert isinstance(domain.items.type, SetOf)
    kind, guard, where = domain.items.type.kind, code.guard, domain.where
    mask, start = _elements(code, domain)
    around = start if start is not None else code.around
    if kind is Kind.SEAT and start is None and (pair := find_pair(code, mask)):
        around = pair[1]
    two = kind is Kind.SEAT and around is not None and uses_pairs(code)
    elements = [const(index) for index in range(code.unit.setting.count(kind))]
    if two:
        elements, flags = (list(seats_from(code, around)), pair_of(code, mask, around))
    hits, values, match_mask = list[Value](), list[Value](), const(0)
    order = node.order or node.kind
    none = const({"highest": LEAST, "lowest": MOST}.get(order, 0))
    result: Value = None if order in ("highest", "lowest") else const(0)
    for index, element in enumerate(elements):
        code.bind(node.slot, element)
        is_member = flags[index] if two else code.has_bit(mask, const(index))
        counts = is_member
        if where is not None:
            counts = b.and_(is_member, code.value_under_guard(is_member, guard, where))
        hit = counts
        if node.value is not None:
            value = code.value_under_guard(counts, guard, node.value)
            match order:
                case "any":
                    hit = b.and_(counts, value)
                case "every":
                    hit = b.and_(counts, b.not_(value))
                case "total":
                    result = b.add(result, b.select(counts, value, const(0)))
                case "highest" | "lowest":
                    values.append(b.select(counts, value, none))
                    result = _extreme(code, order, result, values[-1])
        hits.append(hit)
    if node.order is not None:
        best = [b.icmp_signed("==", value, result) for value in values]
        hits = [b.and_(hit, top) for hit, top in zip(hits, best, strict=True)]
    for hit, element in zip(hits, elements, strict=True):
        match_mask = b.or_(match_mask, b.shl(code.wide(hit), element))
    if node.kind == "total":
        return result
    if two:
        keep_pair(code, match_mask, (hits[0], hits[1]), around)
    if node.kind in ("highest", "lowest"):
        _fail_if_none(code, node, is_empty_set(code, mask if where is None else match_mask))
        return result
    return _of_mask(code, node, match_mask, start)


def _extreme(code: ValueWriter, kind: str, one: Value | None, two: Value) -> Value:
    if one is None:
        return two
    return code.b.call(code.unit.extreme("smax" if kind == "highest" else "smin"), [one, two])


def _fail_if_none(code: ValueWriter, node: nodes.Quantifier, none: Value) -> None:
    code.fail_if(none, "nothing", f"there is nothing to take the {node.kind} of", node.span)


def _one_by_one(code: ValueWriter, node: nodes.Quantifier) -> Value:
    b, kind = code.b, node.kind
    start = {"first": NONE, "every": 1}.get(kind, 0)
    result, seen = code.local(), code.local()
    b.store(const(start), result)
    b.store(const(0), seen)
    element, turn, done = each(code, node, ordered=kind == "first")
    so_far = code.number(result)
    value = code.value(node.value) if node.value is not None else None
    match kind:
        case "first" | "those" if node.order is not None:
            _keep_best(code, node, element, value, (result, seen))
        case "count":
            b.store(b.add(so_far, const(1)), result)
        case "first":
            b.store(element, result)
            code.go(done)
        case "those":
            b.store(b.or_(so_far, code.bit(element)), result)
        case "any" | "every":
            holds = value if value is not None else ir.Constant(I1, 1)
            ends = holds if kind == "any" else b.not_(holds)
            with b.if_then(ends):
                b.store(const(int(kind == "any")), result)
                b.branch(done)
        case "total":
            b.store(b.add(so_far, value), result)
        case "highest" | "lowest":
            order = ">" if kind == "highest" else "<"
            new = b.or_(code.is_zero(code.number(seen)), b.icmp_signed(order, value, so_far))
            b.store(b.select(new, value, so_far), result)
            b.store(const(1), seen)
    code.go(turn)
    code.at(done)
    if kind in ("highest", "lowest"):
        _fail_if_none(code, node, code.is_zero(code.number(seen)))
    result_now = code.number(result)
    return b.trunc(result_now, I1) if kind in ("any", "every") else result_now


def _keep_best(
    code: ValueWriter,
    node: nodes.Quantifier,
    element: Value,
    value: Value,
    addresses: tuple[Value, Value],
) -> None:
    """Update argmax or argmin by one element: the first, or the mask, of the best ones so far.

    addresses: the addresses of the result so far, and of whether there was any element.
    """
    b, (result, seen), best = code.b, addresses, code.local()
    so_far, most = code.number(result), code.number(best)
    order = ">" if node.order == "highest" else "<"
    new = b.or_(code.is_zero(code.number(seen)), b.icmp_signed(order, value, most))
    if node.kind == "first":
        better = b.select(new, element, so_far)
    else:
        bit = code.bit(element)
        as_good = b.select(b.icmp_signed("==", value, most), b.or_(so_far, bit), so_far)
        better = b.select(new, bit, as_good)
    b.store(better, result)
    b.store(b.select(new, value, most), best)
    b.store(const(1), seen)
