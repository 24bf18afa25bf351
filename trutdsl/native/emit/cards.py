"""Sentences that move cards, as instructions."""

from __future__ import annotations

from typing import assert_never

from llvmlite import ir

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.native.abi import CARDS, DRAW, TURNED
from trutdsl.native.emit import piles
from trutdsl.native.emit.chance import ChanceEvent, NativeDraw, emit_below
from trutdsl.native.emit.rule_writer import RuleWriter
from trutdsl.native.llvm import I1, Value, const
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import Route, turns_up

# Swaps: two cards exchange their places, in one pile or in two.
#
# Cards of one group are always ascending, so that the visible order of a pile is the same
# however it arose.


def replace(code: FunctionWriter, zone: str, at: Value, card: Value, other: Value) -> None:
    if piles.is_set(code, zone):
        left = code.without(code.load(zone, at), code.bit(card))
        code.store(zone, code.b.or_(left, code.bit(other)), at)
    else:
        piles.call(code, "replace", zone, _build_replace, at, card, other)


def exchange(code: FunctionWriter, zone: str, at: Value, card: Value, other: Value) -> None:
    """Exchange two cards of zones; without an order nothing changes."""
    if not piles.is_set(code, zone):
        piles.call(code, "exchange", zone, _build_exchange, at, card, other)


def _build_replace(code: FunctionWriter, pile: str) -> None:
    _, at, card, other = code.args
    both = code.without(code.load(f"{pile}.all", at), code.bit(card))
    code.store(f"{pile}.all", code.b.or_(both, code.bit(other)), at)
    top = code.load(f"{pile}.top", at)
    with code.b.if_then(code.has_bit(top, card)):
        new_top = code.b.or_(code.without(top, code.bit(card)), code.bit(other))
        piles.set_top(code, pile, at, new_top, code.load(f"{pile}.many", at))
        code.b.ret_void()
    _put_below(code, pile, at, piles.find(code, pile, at, card), other)
    code.b.ret_void()


def _build_exchange(code: FunctionWriter, pile: str) -> None:
    b, (_, at, card, other) = code.b, code.args
    top = code.load(f"{pile}.top", at)
    first, second = code.has_bit(top, card), code.has_bit(top, other)
    with b.if_then(b.and_(first, second)):
        b.ret_void()
    with b.if_then(b.or_(first, second)):
        new_top = b.xor(top, b.or_(code.bit(card), code.bit(other)))
        piles.set_top(code, pile, at, new_top, code.load(f"{pile}.many", at))
        below, above = b.select(first, other, card), b.select(first, card, other)
        _put_below(code, pile, at, piles.find(code, pile, at, below), above)
        b.ret_void()
    place, place_of_other = (piles.find(code, pile, at, c) for c in (card, other))
    for where, new_card in ((place, other), (place_of_other, card)):
        code.store(f"{pile}.below", new_card, piles.below_at(code, at, where))
    for where in (place, place_of_other):
        _sort_group(code, pile, at, where)
    b.ret_void()


def _put_below(code: FunctionWriter, pile: str, at: Value, place: Value, card: Value) -> None:
    code.store(f"{pile}.below", card, piles.below_at(code, at, place))
    _sort_group(code, pile, at, place)


def _sort_group(code: FunctionWriter, pile: str, at: Value, place: Value) -> None:
    """Sort the cards of the group around a place, below the top group, in ascending order."""
    b, starts = code.b, code.load(f"{pile}.starts", at)
    up_to_here = b.sub(b.shl(code.bit(place), const(1)), const(1))  # all bits for place 63
    start = code.highest_bit(b.and_(starts, up_to_here))
    later = code.without(starts, up_to_here)
    depth = code.load(f"{pile}.depth", at)
    end = b.select(code.is_zero(later), depth, code.lowest_or_any(later))
    cards, next_place = code.local(), code.local()
    b.store(const(0), cards)
    with code.numbers(start, end) as position:
        card = code.load(f"{pile}.below", piles.below_at(code, at, position))
        b.store(b.or_(code.number(cards), code.bit(card)), cards)
    b.store(start, next_place)
    with code.bits(code.number(cards)) as card:
        position = code.number(next_place)
        code.store(f"{pile}.below", card, piles.below_at(code, at, position))
        b.store(b.add(position, const(1)), next_place)


def emit_cards(code: RuleWriter, node: nodes.CardSentence, loose: bool) -> None:
    """Write a sentence that moves cards; loose: its pile is shuffled right after."""
    b = code.b
    if isinstance(node, nodes.Gather | nodes.MoveAll) and _is_limited(code, node.target.name):
        loose = False  # if there is no room for all, the error shows the place of each card
    match node:
        case nodes.Shuffle(_, zone):
            piles.shuffle(code, zone.name, code.place_of(zone))
        case nodes.Draw():
            _draw(code, node)
        case nodes.Move(span, card_node, origin, target, under):
            card = code.value(card_node)
            a = code.place_of(origin)
            _must_lie(code, card, origin, a, span)
            piles.take(code, origin.name, a, card)
            code.memo.forget(frozenset({origin.name}))
            to = code.place_of(target)
            _room(code, target, to, const(1), span)
            piles.put_card(code, target.name, to, card, under)
            code.report_passing(Route(origin.name, target.name), a, to, code.bit(card))
        case nodes.MoveAll(span, origin, target, under, turned):
            a, to = code.place_of(origin), code.place_of(target)
            with b.if_else(_same_place(code, origin, a, target, to)) as (same, elsewhere):
                with same:
                    if turned and origin.name == target.name:
                        piles.turn_over(code, origin.name, a)
                with elsewhere:
                    _move_all(code, origin.name, a, target, to, under, turned, loose, span)
        case nodes.Swap(span, card_node, origin, other_node, target):
            card, a = code.value(card_node), code.place_of(origin)
            other, to = code.value(other_node), code.place_of(target)
            _must_lie(code, card, origin, a, span)
            _must_lie(code, other, target, to, span)
            with b.if_else(_same_place(code, origin, a, target, to)) as (same, elsewhere):
                with same:
                    if origin.name == target.name:
                        exchange(code, origin.name, a, card, other)
                with elsewhere:
                    replace(code, origin.name, a, card, other)
                    replace(code, target.name, to, other, card)
                    code.report_passing(Route(origin.name, target.name), a, to, code.bit(card))
                    code.report_passing(Route(target.name, origin.name), to, a, code.bit(other))
        case nodes.Gather():
            _gather(code, node, loose)
        case _:
            assert_never(node)


def _same_place(
    code: RuleWriter, origin: nodes.ZoneCards, at: Value, target: nodes.ZoneCards, to: Value
) -> Value:
    if origin.name != target.name:
        return ir.Constant(I1, 0)
    return code.b.icmp_signed("==", at, to)


def _must_lie(code: RuleWriter, card: Value, zone: nodes.ZoneCards, at: Value, span: Span) -> None:
    if code.lies_in(card, zone.name, at) and not code.unit.mode.checked:
        return
    lies = code.has_bit(piles.cards(code, zone.name, at), code.b.and_(card, const(63)))
    message = f"the card does not lie in '{zone.name}'"
    code.fail_if(code.b.not_(lies), "no-card", message, span)


def _is_limited(code: RuleWriter, zone: str) -> bool:
    return code.unit.capacity(zone) < len(code.unit.setting.deck.texts)


def make_sure_of_room(code: RuleWriter, zone: str, cards: Value, span: Span) -> None:
    """Leave the rule with an error if a zone has no room for so many cards."""
    if _is_limited(code, zone):
        most = code.unit.capacity(zone)
        message = f"'{zone}' holds at most {most} card{'s' * (most != 1)}"
        full = code.b.icmp_signed(">", cards, const(most))
        code.fail_if(full, "out-of-range", message, span)


def _room(code: RuleWriter, zone: nodes.ZoneCards, at: Value, more: Value, span: Span) -> None:
    if _is_limited(code, zone.name):
        size = code.count_bits(piles.cards(code, zone.name, at))
        make_sure_of_room(code, zone.name, code.b.add(size, more), span)


def _draw(code: RuleWriter, node: nodes.Draw) -> None:
    b, origin, target = code.b, node.origin, node.target
    a, to = code.place_of(origin), code.place_of(target)
    top = code.load(f"{origin.name}.top", a)
    many = code.load(f"{origin.name}.many", a)
    on, few = code.block("several"), code.block("few")
    b.cbranch(b.icmp_unsigned(">", many, const(1)), on, few).set_weights([1 << 20, 1])
    code.at(few)
    message = f"'{origin.name}' is empty"
    code.fail_if(code.is_zero(top), "no-card", message, node.span)
    b.branch(on)
    code.at(on)
    zone = code.unit.program.zones[target.name]
    shown = node.face_up or zone.audience is Audience.ALL
    from_, into = code.hold(a), code.hold(to)
    card = code.by_chance(
        ChanceEvent(DRAW, top, to, NativeDraw(origin.name, a, target.name, shown, many))
    )
    a, to = from_(), into()
    piles.remove_from_top(code, origin.name, a, card)
    _room(code, target, to, const(1), node.span)
    piles.put_card(code, target.name, to, card)
    if node.slot is not None:
        code.bind(node.slot, card)
    if zone.audience is not Audience.ALL and zone.index is not None:
        code.event(CARDS, to, card)
    if shown:
        code.event(TURNED, card)


def deal_round(code: RuleWriter, node: nodes.Draw) -> None:
    """Draw a card for every seat, in the order of the seats.

    The pile has more cards than that, there is room for them, and no card is reserved for a seat.
    """
    b, name, target, at = code.b, node.origin.name, node.target.name, const(0)
    top, many = code.load(f"{name}.top", at), code.load(f"{name}.many", at)
    left = top
    for seat in range(code.unit.setting.players):
        rank = emit_below(code, code.chance_stream(), b.sub(many, const(seat)), several=True)
        card = code.pick_bit(left, rank)
        left = code.without(left, card)
        piles.put_group(code, target, const(seat), card)
    piles.set_top(code, name, at, left, b.sub(many, const(code.unit.setting.players)))
    hand = code.without(top, left)
    code.store(f"{name}.all", code.without(code.load(f"{name}.all", at), hand), at)


def _move_all(
    code: RuleWriter, origin: str, at: Value, target: nodes.ZoneCards, to: Value,
    under: bool, turned: bool, loose: bool, span: Span,
) -> None:  # fmt: skip
    cards = piles.cards(code, origin, at)
    _room(code, target, to, code.count_bits(cards), span)
    if loose:
        piles.clear(code, origin, at)
        name = f"{target.name}.all"
        code.store(name, code.b.or_(code.load(name, to), cards), to)
    else:
        piles.move_all(code, origin, at, target.name, to, under, turned)
    code.report_passing(Route(origin, target.name), at, to, cards)


def _gather(code: RuleWriter, node: nodes.Gather, loose: bool) -> None:
    start = code.value(node.start) if node.start is not None else const(0)
    to = code.place_of(node.target)
    players = code.unit.setting.players
    for name in node.names:
        count = code.unit.setting.count(code.unit.program.zones[name].index)
        route = Route(name, node.target.name)
        told = route in code.unit.layout.routes or turns_up(code.unit.program, route)
        for turn in range(count):
            at = const(turn)
            if count == players and node.start is not None and (told or not loose):
                at = code.wrap_seat(code.b.add(start, at), players)
            if name == node.target.name:
                with code.b.if_then(code.b.icmp_signed("!=", at, to)):
                    _move_all(code, name, at, node.target, to, False, False, loose, node.span)
            else:
                _move_all(code, name, at, node.target, to, False, False, loose, node.span)
