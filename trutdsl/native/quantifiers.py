"""Quantifiers as instructions: all elements at once where these are few, else one after the other.

Which of two ways a processor will go in a game of chance cannot be foretold, and a wrong guess
costs more than working out what is then not used. So what is said of each of a few seats, teams or
suits is worked out for all of them, and becomes a mask of those of which it holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.types import Kind, SetOf
from trutdsl.native.domains import each, in_play_order
from trutdsl.native.unit import I1, I64, NONE, Value, const

if TYPE_CHECKING:
    from trutdsl.native.emit_expressions import ExpressionEmitter

FEW = 16  # elements that are worked out all at once
CHEAP = 400  # nodes that are, for all of them together
LEAST, MOST = -(2**62), 2**62  # no number of the language goes beyond


def emit_quantifier(code: ExpressionEmitter, node: nodes.Quantifier) -> Value:
    """Return what a quantifier gives."""
    domain = node.domain
    if domain.where is None and node.value is None and domain.last is None:
        plain = _without_looking(code, node)
        if plain is not None:
            return plain
    kind = domain.items.type.kind if isinstance(domain.items.type, SetOf) else None
    if domain.last is None and kind not in (None, Kind.CARD):
        many = code.unit.setting.count(kind)
        looked_at = [part for part in (domain.where, node.value) if part is not None]
        cheap = many <= FEW and code.unit.work.of(node) <= CHEAP
        # What stops at the first hit must not run into a mistake behind it.
        stops = node.kind in ("first", "any", "every")
        if cheap and not (stops and not all(map(code.is_safe, looked_at))):
            with code.failing_once():
                return _all_at_once(code, node, many)
    with code.aside():
        return _one_by_one(code, node)


def _without_looking(code: ExpressionEmitter, node: nodes.Quantifier) -> Value | None:
    """Return what depends on the set alone, or None if it does not."""
    items, domain = node.domain.items, node.domain
    if isinstance(items, nodes.ZoneCards) and code.unit.program.zones[items.name].ordered:
        return None
    mask = code.value(items)
    if node.kind == "first":
        return _first(code, domain, mask)
    return _of_mask(code, node, mask)


def _of_mask(code: ExpressionEmitter, node: nodes.Quantifier, mask: Value) -> Value:
    match node.kind:
        case "count":
            return code.count_bits(mask)
        case "those":
            return mask
        case "any":
            return code.b.not_(code.is_zero(mask))
        case "every":
            return code.is_zero(mask)
    return _first(code, node.domain, mask)


def _first(code: ExpressionEmitter, domain: nodes.Domain, mask: Value) -> Value:
    """Return the first element of a mask, in play order if the domain has one, or none."""
    b = code.b
    if domain.start is None:
        index = code.lowest_bit(mask)
        return b.select(code.is_zero(mask), const(NONE), index)
    turned, first = in_play_order(code, domain, mask)
    seat = code.wrapped(b.add(first, code.lowest_bit(turned)), code.unit.setting.players)
    return b.select(code.is_zero(turned), const(NONE), seat)


def _all_at_once(code: ExpressionEmitter, node: nodes.Quantifier, many: int) -> Value:
    b, domain = code.b, node.domain
    mask, guard = code.value(domain.items), code.guard
    hits: Value = const(0)
    none = result = const({"highest": LEAST, "lowest": MOST}.get(node.kind, 0))
    for index in range(many):
        code.bind(node.slot, const(index))
        there = code.has(mask, index)
        counts = there
        if domain.where is not None:
            counts = b.and_(there, code.guarded(there, guard, domain.where))
        hit = counts
        if node.value is not None:
            value = code.guarded(counts, guard, node.value)
            match node.kind:
                case "any":
                    hit = b.and_(counts, value)
                case "every":
                    hit = b.and_(counts, b.not_(value))
                case "total":
                    result = b.add(result, b.select(counts, value, const(0)))
                case "highest" | "lowest":
                    result = _extreme(code, node.kind, result, b.select(counts, value, none))
        hits = b.or_(hits, b.shl(code.wide(hit), const(index)))
    if node.kind == "total":
        return result
    if node.kind in ("highest", "lowest"):
        _fail_if_none(code, node, code.is_zero(mask if domain.where is None else hits))
        return result
    return _of_mask(code, node, hits)


def _extreme(code: ExpressionEmitter, kind: str, one: Value, two: Value) -> Value:
    if isinstance(one, ir.Constant):  # what none has, beyond all numbers
        return two
    return code.b.call(code.unit.extreme("smax" if kind == "highest" else "smin"), [one, two])


def _fail_if_none(code: ExpressionEmitter, node: nodes.Quantifier, none: Value) -> None:
    code.fail_if(none, "nothing", f"there is nothing to take the {node.kind} of", node.span)


def _one_by_one(code: ExpressionEmitter, node: nodes.Quantifier) -> Value:
    b, kind = code.b, node.kind
    start = {"first": NONE, "every": 1}.get(kind, 0)
    result, seen = code.local(), code.local()
    b.store(const(start), result)
    b.store(const(0), seen)
    element, turn, done = each(code, node, ordered=kind == "first")
    now = b.load(result, typ=I64)
    value = code.value(node.value) if node.value is not None else None
    match kind:
        case "count":
            b.store(b.add(now, const(1)), result)
        case "first":
            b.store(element, result)
            code.go(done)
        case "those":
            b.store(b.or_(now, code.bit(element)), result)
        case "any" | "every":
            found = value if value is not None else ir.Constant(I1, 1)
            ends = found if kind == "any" else b.not_(found)
            with b.if_then(ends):
                b.store(const(int(kind == "any")), result)
                b.branch(done)
        case "total":
            b.store(b.add(now, value), result)
        case "highest" | "lowest":
            order = ">" if kind == "highest" else "<"
            new = b.or_(code.is_zero(b.load(seen, typ=I64)), b.icmp_signed(order, value, now))
            b.store(b.select(new, value, now), result)
            b.store(const(1), seen)
    code.go(turn)
    code.at(done)
    if kind in ("highest", "lowest"):
        _fail_if_none(code, node, code.is_zero(b.load(seen, typ=I64)))
    result_now = b.load(result, typ=I64)
    return b.trunc(result_now, I1) if kind in ("any", "every") else result_now
