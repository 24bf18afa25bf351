"""Register promotion: what lies before two seats is kept at hand while they take their turns.

A zone of at most one card a seat, such as the table of a trick, is written by the seat that plays
and read by who decides the trick. Through memory that takes as long as the decision itself, and
LLVM cannot tell that it is the same card, since it does not know which seat is which. So each of
the two places has a copy as long as the two seats are known as this one and the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.ir.effects import NOTHING
from trutdsl.native.emit import seat_flags
from trutdsl.native.emit.available_values import ValueCache, value_key
from trutdsl.native.llvm.function import FunctionWriter
from trutdsl.native.llvm.unit import Value


@dataclass(frozen=True)
class Copy:
    """A seat's place of a zone: where its mask lies, and the index of its lowest card.

    taken: a number for each time copies were taken; places taken at once are not the same.
    """

    taken: int
    zone: str
    seat: Value
    mask: Value
    lowest: Value


def take_copies(code: ValueCache, zones: list[str], start: Value) -> list[Copy]:
    """Copy what lies there, to be kept up to date within the memo's scope."""
    code.unit.frames += 1
    copies = []
    for zone in zones:
        for seat in seat_flags.seats_from(code, start):
            copy = Copy(code.unit.frames, zone, seat, code.local(), code.local())
            refresh(code, copy)
            code.memo.keep(_key(copy), copy, NOTHING)
            copies.append(copy)
    return copies


def keep_behind(code: ValueCache, copies: list[Copy], start: Value) -> None:
    """Keep copies behind the sentence in which they were taken, too."""
    for copy in copies:
        code.memo.behind[_key(copy)] = copy, NOTHING
    seat_flags.keep_behind(code, start)


def copy_of(code: ValueCache, name: str, index: Value | None) -> Copy | None:
    """Return the copy of a place, or None if there is none."""
    if index is None:
        return None
    found: Copy | None = code.memo.find(("at hand", name, *value_key(index)))
    return found


def note(code: ValueCache, name: str, index: Value | None, mask: Value) -> None:
    """Note in the copies of a zone what was written at one of its places."""
    written = copy_of(code, name, index)
    if written is not None:
        _put(code, written, mask)
    for copy in code.memo.all_of("at hand", name):
        if written is None or written.taken != copy.taken:
            refresh(code, copy)


def note_any(code: ValueCache, name: str) -> None:
    """Note that a zone may have changed at any of its places."""
    for copy in code.memo.all_of("at hand", name):
        refresh(code, copy)


def refresh(code: ValueCache, copy: Copy) -> None:
    """Read a place again."""
    _put(code, copy, FunctionWriter.load(code, copy.zone, copy.seat))


def _put(code: ValueCache, copy: Copy, mask: Value) -> None:
    code.b.store(mask, copy.mask)
    code.b.store(code.lowest_or_any(mask), copy.lowest)


def _key(copy: Copy) -> tuple[object, ...]:
    return ("at hand", copy.zone, *value_key(copy.seat))
