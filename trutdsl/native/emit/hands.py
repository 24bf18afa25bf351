"""Combinations: the hands of so many cards from a set, one after the other, and their number."""

from __future__ import annotations

from math import comb

from trutdsl.ir.types import Number, Type
from trutdsl.native.emit.values import Values
from trutdsl.native.llvm.unit import I64, Value, const

MOST_CARDS = 64


def ways(code: Values, cards: Value, size: Value, type_: Type) -> Value:
    """Return how many hands of a size there are from so many cards: a binomial coefficient."""
    pack = len(code.unit.setting.deck.texts)
    most = min(pack, type_.high) if isinstance(type_, Number) else pack
    if most < 0:
        return const(0)
    numbers = [comb(n, k) for n in range(pack + 1) for k in range(most + 1)]
    row = code.b.mul(cards, const(most + 1))
    there = code.b.icmp_unsigned("<=", size, const(most))
    column = code.b.select(there, size, const(0))
    found = code.look_up_mask(numbers, code.b.add(row, column))
    return code.b.select(there, found, const(0))


def each_hand(code: Values, cards: Value, size: Value) -> tuple[Value, Value, Value]:
    """Begin a loop over the hands from a mask of cards, lowest mask first; as `each_bit`.

    The next of equal size is found as among plain numbers (Gosper's hack), in the bits of the
    cards alone: those between them are set while a carry goes through.
    """
    b, now, lowest = code.b, code.local(), _lowest_cards(code, cards)
    first, head, turn, done = (code.block(f"hand{n}") for n in (".first", "", ".next", ".end"))
    b.cbranch(b.icmp_unsigned("<=", size, code.count_bits(cards)), first, done)
    code.at(first)
    b.store(b.load(b.gep(lowest, [size], source_etype=I64), typ=I64), now)
    b.branch(head)
    code.at(turn)
    last = b.load(now, typ=I64)
    step = b.and_(last, b.sub(const(0), last))
    risen = b.and_(b.add(b.or_(last, b.not_(cards)), step), cards)
    freed = b.sub(code.count_bits(b.xor(last, risen)), const(2))
    back = b.load(b.gep(lowest, [b.and_(freed, const(63))], source_etype=I64), typ=I64)
    b.store(b.or_(risen, back), now)
    b.cbranch(code.is_zero(risen), done, head)  # above the last one there is none
    code.at(head)
    return b.load(now, typ=I64), turn, done


def _lowest_cards(code: Values, cards: Value) -> Value:
    """Return an array with the mask of the n lowest of some cards at n."""
    b, lowest = code.b, code.local_array(MOST_CARDS + 1)
    found, number = code.local(), code.local()
    b.store(const(0), found)
    b.store(const(0), number)
    b.store(const(0), lowest)
    card, turn, done = code.each_bit(cards)
    mask = b.or_(b.load(found, typ=I64), code.bit(card))
    place = b.add(b.load(number, typ=I64), const(1))
    b.store(mask, found)
    b.store(place, number)
    b.store(mask, b.gep(lowest, [place], source_etype=I64))
    code.go(turn)
    code.at(done)
    return lowest
