"""Quantifiers as instructions: all elements at once where these are few, else one after the other.

Which of two ways a processor will go in a game of chance cannot be foretold, and a wrong guess
costs more than working out what is then not used. So what is said of each of a few seats, teams or
suits is worked out for all of them, and becomes a mask of those of which it holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir

from trutdsl.ir import nodes
from trutdsl.ir.types import Element, Kind, SetOf
from trutdsl.ir.walk import children
from trutdsl.native import pairs
from trutdsl.native.domains import each
from trutdsl.native.emit_builtins import seats_of, team_of
from trutdsl.native.unit import I1, I64, NONE, Value, const

if TYPE_CHECKING:
    from trutdsl.native.emit_expressions import ExpressionEmitter

FEW = 16  # elements that are worked out all at once
CHEAP = 400  # nodes that are, for all of them together
LEAST, MOST = -(2**62), 2**62  # no number of the language goes beyond


def emit_quantifier(code: ExpressionEmitter, node: nodes.Quantifier) -> Value:
    """Return what a quantifier gives."""
    if _needs_no_look(code, node):
        return _of_mask(code, node, *_elements(code, node.domain))
    if _is_short(code, node):
        with code.failing_once():
            return _all_at_once(code, node)
    with code.aside():
        return _one_by_one(code, node)


def _elements(code: ExpressionEmitter, domain: nodes.Domain) -> tuple[Value, Value | None]:
    """Return the mask of what is gone through, and the seat where that starts, if it does."""
    if domain.start is None:
        return code.value(domain.items), None
    if code.unit.is_unwatched and code.is_safe(domain.start):
        # It comes first, as it cannot go wrong: then the set can be worked out as seen from there.
        start = code.value(domain.start)
        with code.going_round(start):
            mask = code.value(domain.items)
    else:
        mask, start = code.value(domain.items), code.value(domain.start)
    return code.without(mask, code.bit(start)) if domain.after else mask, start


def _needs_no_look(code: ExpressionEmitter, node: nodes.Quantifier) -> bool:
    """Tell whether a quantifier's value depends on the set alone."""
    items, domain = node.domain.items, node.domain
    if domain.where is not None or node.value is not None or domain.last is not None:
        return False
    return not (isinstance(items, nodes.ZoneCards) and code.unit.program.zones[items.name].ordered)


def _is_short(code: ExpressionEmitter, node: nodes.Quantifier) -> bool:
    """Tell whether all elements can be looked at, and at little cost."""
    domain = node.domain
    kind = domain.items.type.kind if isinstance(domain.items.type, SetOf) else None
    if domain.last is not None or kind in (None, Kind.CARD):
        return False
    cheap = code.unit.setting.count(kind) <= FEW and code.unit.work.of(node) <= CHEAP
    # What stops at the first hit must not run into a mistake behind it, but into one before it.
    stops = node.kind in ("first", "any", "every")
    looked_at = [part for part in (domain.where, node.value) if part is not None]
    alike = code.unit.effects.fails_alike
    return cheap and not (stops and not all(alike(part, node.slot) for part in looked_at))


def _of_mask(
    code: ExpressionEmitter, node: nodes.Quantifier, mask: Value, start: Value | None
) -> Value:
    match node.kind:
        case "count":
            return code.count_bits(mask)
        case "any":
            return code.b.not_(pairs.is_empty(code, mask))
        case "every":
            return pairs.is_empty(code, mask)
        case "first":
            return _first(code, node.domain, mask, start)
    return mask


def _first(
    code: ExpressionEmitter, domain: nodes.Domain, mask: Value, start: Value | None
) -> Value:
    """Return the first element of a mask, or none.

    In play order those from the start on come first, then those below it.
    """
    b, found = code.b, mask
    if start is not None and pairs.are_used(code):
        return pairs.first_of(code, pairs.pair_of(code, mask, start), start)
    if start is not None:
        later = b.and_(mask, b.shl(const(-2 if domain.after else -1), start))
        found = b.select(code.is_zero(later), mask, later)
    return b.select(code.is_zero(mask), const(NONE), code.lowest_bit(found))


def _all_at_once(code: ExpressionEmitter, node: nodes.Quantifier) -> Value:
    b, domain = code.b, node.domain
    assert isinstance(domain.items.type, SetOf)
    kind, guard, where = domain.items.type.kind, code.guard, domain.where
    mask, start = _elements(code, domain)
    if where is not None and kind is Kind.SEAT:
        holds = _by_team(code, node.slot, where, mask)
        if holds is not None:
            mask, where = holds, None
            if node.value is None:
                return _of_mask(code, node, mask, start)
    around = start if start is not None else code.around
    two = kind is Kind.SEAT and around is not None and pairs.are_used(code)
    elements = [const(index) for index in range(code.unit.setting.count(kind))]
    if two:
        elements, flags = list(pairs.seats_from(code, around)), pairs.pair_of(code, mask, around)
    hits, found = list[Value](), const(0)
    none = const({"highest": LEAST, "lowest": MOST}.get(node.kind, 0))
    result: Value = None if node.kind in ("highest", "lowest") else const(0)
    for index, element in enumerate(elements):
        code.bind(node.slot, element)
        there = flags[index] if two else code.has(mask, index)
        counts = there
        if where is not None:
            counts = b.and_(there, code.guarded(there, guard, where))
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
        hits.append(hit)
        found = b.or_(found, b.shl(code.wide(hit), element))
    if node.kind == "total":
        return result
    if two:
        pairs.keep(code, found, (hits[0], hits[1]), around)
    if node.kind in ("highest", "lowest"):
        _fail_if_none(code, node, pairs.is_empty(code, mask if where is None else found))
        return result
    return _of_mask(code, node, found, start)


def _by_team(
    code: ExpressionEmitter, slot: int, where: nodes.Expression, mask: Value
) -> Value | None:
    """Return the seats of a set of which something holds that is said of their teams; else None."""
    b, seat = code.b, nodes.Local
    match where:
        case nodes.Compare(
            _, _, "==" | "!=" as op, nodes.Builtin(_, _, "team", (seat(_, _, s),)), other
        ):
            named = isinstance(other.type, Element) and not other.type.optional
            if s == slot and named and not _looks_at(other, slot, True):
                wanted = b.not_(pairs.is_empty(code, mask))
                team = code.guarded(wanted, code.guard, other)
                return _of_team(code, mask, team, op == "==")
    if not code.is_safe(where) or _looks_at(where, slot, False):
        return None
    found = const(0)
    for team in range(code.unit.setting.teams):  # the first of its seats has the same number
        code.bind(slot, const(team))
        holds = b.select(code.value(where), seats_of(code, const(team)), const(0))
        found = b.or_(found, holds)
    return b.and_(mask, found)


def _of_team(code: ExpressionEmitter, mask: Value, team: Value, inside: bool) -> Value:
    """Return those seats of a set that are a team's, or those that are not."""
    b, kept = code.b, pairs.kept_pair(code, mask)
    found = (b.and_ if inside else code.without)(mask, seats_of(code, team))
    if kept is not None:
        (first, second), start = kept
        here = b.icmp_signed("==" if inside else "!=", team_of(code, start), team)
        pairs.keep(code, found, (b.and_(first, here), b.and_(second, b.not_(here))), start)
    return found


def _looks_at(node: nodes.Node, slot: int, teams: bool) -> bool:
    """Tell whether something looks at a seat; teams: also if at its team only."""
    if isinstance(node, nodes.Local):
        return node.slot == slot
    if not teams and isinstance(node, nodes.Builtin) and node.name == "team":
        return not isinstance(node.args[0], nodes.Local) and _looks_at(node.args[0], slot, False)
    return any(_looks_at(part, slot, teams) for part in children(node))


def _extreme(code: ExpressionEmitter, kind: str, one: Value | None, two: Value) -> Value:
    if one is None:
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
