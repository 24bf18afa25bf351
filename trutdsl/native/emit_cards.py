"""What the sentences that move cards do, as instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from llvmlite import ir

from trutdsl.diagnostics import counted
from trutdsl.ir import nodes
from trutdsl.native import piles, places
from trutdsl.native.luck import CARDS, DRAW, TURNED, Luck
from trutdsl.native.unit import I1, Value, const
from trutdsl.source import Span
from trutdsl.syntax.ast import Audience

CardSentence = nodes.Shuffle | nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather

if TYPE_CHECKING:
    from trutdsl.native.emit_statements import RuleEmitter


def emit_cards(
    code: RuleEmitter,
    node: CardSentence,
    loose: bool,
) -> None:
    """Write a sentence that moves cards; loose: its pile is shuffled right after."""
    b = code.b
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
            if _is_kept(code, target.name):
                piles.put_card(code, target.name, to, card, under)
        case nodes.MoveAll(span, origin, target, under, turned):
            a, to = code.place_of(origin), code.place_of(target)
            with b.if_else(_same_place(code, origin, a, target, to)) as (here, elsewhere):
                with here:
                    if turned and origin.name == target.name:
                        piles.turn_over(code, origin.name, a)
                with elsewhere:
                    _move_all(code, origin.name, a, target, to, under, turned, loose, span)
        case nodes.Swap(span, card_node, origin, other_node, target):
            card, a = code.value(card_node), code.place_of(origin)
            other, to = code.value(other_node), code.place_of(target)
            _must_lie(code, card, origin, a, span)
            _must_lie(code, other, target, to, span)
            with b.if_else(_same_place(code, origin, a, target, to)) as (here, elsewhere):
                with here:
                    if origin.name == target.name:
                        places.exchange(code, origin.name, a, card, other)
                with elsewhere:
                    places.replace(code, origin.name, a, card, other)
                    places.replace(code, target.name, to, other, card)
        case nodes.Gather():
            _gather(code, node, loose)
        case _:
            assert_never(node)


def _same_place(
    code: RuleEmitter, origin: nodes.ZoneCards, at: Value, target: nodes.ZoneCards, to: Value
) -> Value:
    """Return whether cards would go to where they lie already."""
    if origin.name != target.name:
        return ir.Constant(I1, 0)
    return code.b.icmp_signed("==", at, to)


def _must_lie(code: RuleEmitter, card: Value, zone: nodes.ZoneCards, at: Value, span: Span) -> None:
    if code.lies_in(card, zone.name, at) and not code.unit.how.checked:
        return
    there = code.has_bit(piles.cards(code, zone.name, at), code.b.and_(card, const(63)))
    message = f"the card does not lie in '{zone.name}'"
    code.fail_if(code.b.not_(there), "no-card", message, span)


def _room(code: RuleEmitter, zone: nodes.ZoneCards, at: Value, more: Value, span: Span) -> None:
    most = code.unit.capacity(zone.name)
    if most >= len(code.unit.setting.deck.texts):
        return
    held = code.b.add(code.count_bits(piles.cards(code, zone.name, at)), more)
    full = code.b.icmp_signed(">", held, const(most))
    message = f"'{zone.name}' holds at most {counted(most, 'card')}"
    code.fail_if(full, "out-of-range", message, span)


def _draw(code: RuleEmitter, node: nodes.Draw) -> None:
    b, origin, target = code.b, node.origin, node.target
    a, to = code.place_of(origin), code.place_of(target)
    top = code.load(f"{origin.name}.top", a)
    many = code.load(f"{origin.name}.many", a)
    if origin.name not in code.sure:
        on, few = code.block("several"), code.block("few")
        b.cbranch(b.icmp_unsigned(">", many, const(1)), on, few).set_weights([1 << 20, 1])
        code.at(few)
        message = f"'{origin.name}' is empty"
        code.fail_if(code.is_zero(top), "no-card", message, node.span)
        b.branch(on)
        code.at(on)
    elif code.unit.how.checked:
        code.check(b.icmp_unsigned("<=", many, const(1)), f"'{origin.name}' has too few cards")
    zone = code.unit.program.zones[target.name]
    shown = node.face_up or zone.audience is Audience.ALL
    from_, into = code.hold(a), code.hold(to)
    several = origin.name in code.sure
    card = code.by_chance(Luck(DRAW, top, to, target.name, shown, many, several))
    a, to = from_(), into()
    piles.remove_from_top(code, origin.name, a, card, several)
    if target.name not in code.sure or code.unit.how.checked:
        _room(code, target, to, const(1), node.span)
    if _is_kept(code, target.name):
        piles.put_card(code, target.name, to, card)
    if node.slot is not None:
        code.bind(node.slot, card)
    if zone.audience is not Audience.ALL and zone.index is not None:
        code.event(CARDS, to, card)
    if shown:
        code.event(TURNED, card)


def _move_all(
    code: RuleEmitter, origin: str, at: Value, target: nodes.ZoneCards, to: Value,
    under: bool, turned: bool, loose: bool, span: Span,
) -> None:  # fmt: skip
    held = piles.cards(code, origin, at)
    _room(code, target, to, code.count_bits(held), span)
    if not _is_kept(code, target.name):
        piles.clear(code, origin, at)
    elif loose:
        piles.clear(code, origin, at)
        name = f"{target.name}.all"
        code.store(name, code.b.or_(code.load(name, to), held), to)
    else:
        piles.move_all(code, origin, at, target.name, to, under, turned)


def _gather(code: RuleEmitter, node: nodes.Gather, loose: bool) -> None:
    start = code.value(node.start) if node.start is not None else const(0)
    to, everything = code.place_of(node.target), _all_cards(code, node)
    if everything is not None and not code.unit.how.checked:
        for name in node.names:
            for place in range(code.unit.setting.count(code.unit.program.zones[name].index)):
                if name != node.target.name and _is_kept(code, name):
                    piles.clear(code, name, const(place))
        code.store(f"{node.target.name}.all", const(everything), to)
        return
    players = code.unit.setting.players
    for name in node.names:
        count = code.unit.setting.count(code.unit.program.zones[name].index)
        for turn in range(count):
            at = const(turn)
            if count == players and node.start is not None and not loose:
                at = code.wrapped(code.b.add(start, at), players)
            if name == node.target.name:
                with code.b.if_then(code.b.icmp_signed("!=", at, to)):
                    _move_all(code, name, at, node.target, to, False, False, loose, node.span)
            else:
                _move_all(code, name, at, node.target, to, False, False, loose, node.span)

    if everything is not None:
        lost = code.b.icmp_signed("!=", piles.cards(code, node.target.name, to), const(everything))
        code.check(lost, f"not all cards were gathered into '{node.target.name}'")


def _all_cards(code: RuleEmitter, node: nodes.Gather) -> int | None:
    """Return the mask of all cards if they are sure to lie in one place afterwards."""
    whereabouts, everything = code.unit.whereabouts, code.unit.all_cards
    if whereabouts is None or everything is None or not whereabouts.gathers_all(node):
        return None
    return everything


def _is_kept(code: RuleEmitter, zone: str) -> bool:
    """Tell whether it is kept which cards lie in a zone."""
    unit = code.unit
    if unit.whereabouts is None or unit.all_cards is None or unit.how.checked:
        return True
    return unit.whereabouts.is_seen(zone)
