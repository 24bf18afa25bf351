"""Sets of seats at a table for two as two flags: whether one seat is in it, and the other.

Each of the two is a team of its own. Who is the first of a set in play order is then one flag,
where a mask would have to be turned and its lowest bit be found; and what follows a trick waits
for that.
"""

from __future__ import annotations

from llvmlite import ir

from trutdsl.ir.effects import NOTHING
from trutdsl.native.abi import NONE
from trutdsl.native.emit.available_values import ValueCache, value_key
from trutdsl.native.llvm.unit import I1, Value, const

Pair = tuple[Value, Value]


def are_used(code: ValueCache) -> bool:
    """Tell whether sets of seats may be pairs."""
    return code.unit.setting.players == 2 and code.unit.mode.fast


def seats_from(code: ValueCache, start: Value) -> Pair:
    """Return both seats in play order."""
    other: Value | None = code.memo.find(_other(start))
    if other is None:
        other = code.b.xor(start, const(1))
        code.memo.keep(_other(start), other, NOTHING)
    return start, other


def keep_behind(code: ValueCache, start: Value) -> None:
    """Have the two seats be the same values behind the sentence that is being written."""
    code.memo.behind[_other(start)] = seats_from(code, start)[1], NOTHING


def _other(start: Value) -> tuple[object, ...]:
    return ("other seat", *value_key(start))


def pair_of(code: ValueCache, mask: Value, start: Value) -> Pair:
    """Return whether a seat is in a set, and whether the other one is."""
    if isinstance(mask, ir.Constant) and mask.constant & 3 in (0, 3):
        both = ir.Constant(I1, int(bool(mask.constant & 3)))
        return both, both
    kept = kept_pair(code, mask)
    if kept is not None and value_key(kept[1]) == value_key(start):
        return kept[0]
    first, second = (code.has_bit(mask, seat) for seat in seats_from(code, start))
    keep(code, mask, (first, second), start)
    return first, second


def keep(code: ValueCache, mask: Value, pair: Pair, start: Value) -> None:
    """Keep what a set is as a pair of flags."""
    code.memo.keep(("pair", *value_key(mask)), (pair, start), NOTHING)


def kept_pair(code: ValueCache, mask: Value) -> tuple[Pair, Value] | None:
    """Return a set as a pair of flags, and the seat of the first, if that is known."""
    found: tuple[Pair, Value] | None = code.memo.find(("pair", *value_key(mask)))
    return found


def first_of(code: ValueCache, pair: Pair, start: Value) -> Value:
    """Return the first seat in play order that is there, or none."""
    b, (seat, other) = code.b, seats_from(code, start)
    return b.select(pair[0], seat, b.select(pair[1], other, const(NONE)))


def is_empty(code: ValueCache, mask: Value) -> Value:
    """Tell whether nothing is in a set, from its flags if these are known."""
    kept = kept_pair(code, mask)
    return code.is_zero(mask) if kept is None else code.b.not_(code.b.or_(*kept[0]))
