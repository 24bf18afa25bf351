"""Swaps: cards that take each other's place, in one pile or in two.

Cards of one group stay ascending wherever they lie, so that what is shown of a pile is the same
whichever way it came about.
"""

from __future__ import annotations

from trutdsl.native.emit import piles
from trutdsl.native.llvm.function import Code
from trutdsl.native.llvm.unit import I64, Value, const


def replace(code: Code, zone: str, at: Value, card: Value, other: Value) -> None:
    """Put another card in the place of a card that is there."""
    if piles.is_set(code, zone):
        left = code.without(code.load(zone, at), code.bit(card))
        code.store(zone, code.b.or_(left, code.bit(other)), at)
    else:
        piles.call(code, "replace", zone, lambda c: _build_replace(c, zone), [at, card, other])


def exchange(code: Code, zone: str, at: Value, card: Value, other: Value) -> None:
    """Let two cards that are there change places; where cards have no order, nothing changes."""
    if not piles.is_set(code, zone):
        piles.call(code, "exchange", zone, lambda c: _build_exchange(c, zone), [at, card, other])


def _build_replace(code: Code, pile: str) -> None:
    _, at, card, other = code.args
    both = code.without(code.load(f"{pile}.all", at), code.bit(card))
    code.store(f"{pile}.all", code.b.or_(both, code.bit(other)), at)
    top = code.load(f"{pile}.top", at)
    with code.b.if_then(code.has_bit(top, card)):
        changed = code.b.or_(code.without(top, code.bit(card)), code.bit(other))
        piles.set_top(code, pile, at, changed, code.load(f"{pile}.many", at))
        code.b.ret_void()
    _put_below(code, pile, at, piles.find(code, pile, at, card), other)
    code.b.ret_void()


def _build_exchange(code: Code, pile: str) -> None:
    b, (_, at, card, other) = code.b, code.args
    top = code.load(f"{pile}.top", at)
    first, second = code.has_bit(top, card), code.has_bit(top, other)
    with b.if_then(b.and_(first, second)):
        b.ret_void()
    with b.if_then(b.or_(first, second)):
        changed = b.xor(top, b.or_(code.bit(card), code.bit(other)))
        piles.set_top(code, pile, at, changed, code.load(f"{pile}.many", at))
        below, above = b.select(first, other, card), b.select(first, card, other)
        _put_below(code, pile, at, piles.find(code, pile, at, below), above)
        b.ret_void()
    place, place_of_other = (piles.find(code, pile, at, c) for c in (card, other))
    for where, laid in ((place, other), (place_of_other, card)):
        code.store(f"{pile}.below", laid, piles.below_at(code, at, where))
    for where in (place, place_of_other):
        _sort_group(code, pile, at, where)
    b.ret_void()


def _put_below(code: Code, pile: str, at: Value, place: Value, card: Value) -> None:
    """Write a card to a place below the group on top."""
    code.store(f"{pile}.below", card, piles.below_at(code, at, place))
    _sort_group(code, pile, at, place)


def _sort_group(code: Code, pile: str, at: Value, place: Value) -> None:
    """Have the cards of the group around a place, below the one on top, lie ascending."""
    b, starts = code.b, code.load(f"{pile}.starts", at)
    up_to_here = b.sub(b.shl(code.bit(place), const(1)), const(1))  # all bits for place 63
    start = code.highest_bit(b.and_(starts, up_to_here))
    later = code.without(starts, up_to_here)
    depth = code.load(f"{pile}.depth", at)
    end = b.select(code.is_zero(later), depth, code.lowest_or_any(later))
    cards, next_place = code.local(), code.local()
    b.store(const(0), cards)
    position, turn, done = code.each_number(start, end)
    card = code.load(f"{pile}.below", piles.below_at(code, at, position))
    b.store(b.or_(b.load(cards, typ=I64), code.bit(card)), cards)
    code.go(turn)
    code.at(done)
    b.store(start, next_place)
    card, turn, done = code.each_bit(b.load(cards, typ=I64))
    position = b.load(next_place, typ=I64)
    code.store(f"{pile}.below", card, piles.below_at(code, at, position))
    b.store(b.add(position, const(1)), next_place)
    code.go(turn)
    code.at(done)
