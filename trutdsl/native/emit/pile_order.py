"""The cards of a pile as they lie, written to an array."""

from __future__ import annotations

from trutdsl.native.emit import piles
from trutdsl.native.llvm.function import Code
from trutdsl.native.llvm.unit import I64, Value, const


def copy_cards(code: Code, pile: str, at: Value, target: Value) -> Value:
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


def copy_order(code: Code, pile: str, at: Value, target: Value) -> Value:
    """Write the cards from the lowest up to an array; return how many, or -1 if nobody can."""
    b = code.b
    count = copy_cards(code, pile, at, target)
    groups = b.add(
        code.count_bits(code.load(f"{pile}.starts", at)),
        code.wide(b.not_(code.is_zero(code.load(f"{pile}.top", at)))),
    )
    return b.select(b.icmp_signed("==", groups, count), count, const(-1))
