"""Available values: valid results of earlier computations are reused (common subexpressions).

Two kinds of values need more than a key. For two players, sets of seats are pairs of flags. Zones
of one card a seat are promoted to registers while two seats take their turns.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from trutdsl.ir.effects import NOTHING, Names
from trutdsl.native.abi import NONE
from trutdsl.native.llvm import I1, Value, const
from trutdsl.native.llvm.function import FunctionWriter

ValuesByKey = dict[Hashable, tuple[Any, Names]]


class ValueTable:
    """Values by key, each with the names that it depends on.

    Names are those of zones and variables, and of the rule's own slots, see `slot_name`.

    behind: values that will be available after the current sentence.
    """

    def __init__(self) -> None:
        self._scopes: list[ValuesByKey] = [{}]
        self.behind: ValuesByKey = {}

    def find(self, key: Hashable) -> Any:
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key][0]
        return None

    def all_of(self, *start: Hashable) -> list[Any]:
        """Return all available values whose keys start like this."""
        return [
            value
            for scope in self._scopes
            for key, (value, _) in scope.items()
            if isinstance(key, tuple) and key[: len(start)] == start
        ]

    def keep(self, key: Hashable, value: Any, rests_on: Names) -> None:
        """Store a value until one of its dependencies changes or this scope ends."""
        self._scopes[-1][key] = value, rests_on

    def lower(self, flags: Names) -> None:
        """Record that all of these yes/no variables are no."""
        for name in flags:
            self.keep(("no", name), True, frozenset({name}))

    def is_lowered(self, name: str) -> bool:
        return bool(self.find(("no", name)))

    def forget(self, changed: Names) -> None:
        for scope in self._scopes:
            for key in [k for k, (_, rests_on) in scope.items() if rests_on & changed]:
                del scope[key]

    def go_on(self, changed: Names) -> None:
        """Continue after a sentence that changed these."""
        self.forget(changed)
        self._scopes[-1].update(self.behind)
        self.behind = {}

    @contextmanager
    def scope(self) -> Iterator[ValuesByKey]:
        """Drop at the end the values stored since, because only some paths compute them.

        Yields the stored values, which can be read after the scope has ended.
        """
        before: ValuesByKey = {}
        self._scopes.append(before)
        yield before
        self._scopes.pop()


class NoMemo(ValueTable):
    """Stores nothing: for rules that can be suspended."""

    def go_on(self, _changed: Names) -> None:
        """Continue without available values."""
        self.behind = {}

    def keep(self, _key: Hashable, _value: Any, _rests_on: Names) -> None:
        """Store nothing."""


class ValueCache(FunctionWriter):
    """Writes into a function, and has a table of available values."""

    memo: ValueTable


def value_key(value: Any) -> tuple[str, int]:
    """Return a unique key of a value of llvmlite in its function."""
    return ("const", value.constant) if isinstance(value, ir.Constant) else ("made", id(value))


def is_of_define(key: Hashable, defines: Container[str]) -> bool:
    """Tell whether a key is that of a call of a define, with a key for each argument."""
    return (
        isinstance(key, tuple)
        and key[0] in defines
        and all(isinstance(argument, tuple) for argument in key[1:])
    )


def of_frame(name: str, frame: int) -> str:
    """Return the name of a slot in a frame; other names stay."""
    return f"{name} of {frame}" if name.startswith("#slot") else name


Pair = tuple[Value, Value]


def uses_pairs(code: ValueCache) -> bool:
    return code.unit.setting.players == 2 and code.unit.mode.fast


def seats_from(code: ValueCache, start: Value) -> Pair:
    other: Value | None = code.memo.find(_other(start))
    if other is None:
        other = code.b.xor(start, const(1))
        code.memo.keep(_other(start), other, NOTHING)
    return start, other


def keep_seats_behind(code: ValueCache, start: Value) -> None:
    """Keep the two seats available, as the same values, after the current sentence."""
    code.memo.behind[_other(start)] = seats_from(code, start)[1], NOTHING


def _other(start: Value) -> tuple[object, ...]:
    return ("other seat", *value_key(start))


def pair_of(code: ValueCache, mask: Value, start: Value) -> Pair:
    if isinstance(mask, ir.Constant) and mask.constant & 3 in (0, 3):
        both = ir.Constant(I1, int(bool(mask.constant & 3)))
        return both, both
    pair = find_pair(code, mask)
    if pair is not None and value_key(pair[1]) == value_key(start):
        return pair[0]
    first, second = (code.has_bit(mask, seat) for seat in seats_from(code, start))
    keep_pair(code, mask, (first, second), start)
    return first, second


def keep_pair(code: ValueCache, mask: Value, pair: Pair, start: Value) -> None:
    code.memo.keep(("pair", *value_key(mask)), (pair, start), NOTHING)


def find_pair(code: ValueCache, mask: Value) -> tuple[Pair, Value] | None:
    """Return a set as a pair of flags, and the first seat, if known."""
    result: tuple[Pair, Value] | None = code.memo.find(("pair", *value_key(mask)))
    return result


def first_of_pair(code: ValueCache, pair: Pair, start: Value) -> Value:
    """Return the first seat of the set in play order, or none."""
    b, (seat, other) = code.b, seats_from(code, start)
    return b.select(pair[0], seat, b.select(pair[1], other, const(NONE)))


def is_empty_set(code: ValueCache, mask: Value) -> Value:
    """Tell whether a set is empty, from its flags if these are known."""
    pair = find_pair(code, mask)
    return code.is_zero(mask) if pair is None else code.b.not_(code.b.or_(*pair[0]))


@dataclass(frozen=True)
class Copy:
    """A seat's place of a zone: the address of its mask, and the index of its lowest card.

    taken: the number of the copy operation; places copied together differ.
    """

    taken: int
    zone: str
    seat: Value
    mask: Value
    lowest: Value


def take_copies(code: ValueCache, zones: list[str], start: Value) -> list[Copy]:
    """Copy these places to registers, which stay current within the table's scope."""
    code.unit.frames += 1
    copies = []
    for zone in zones:
        for seat in seats_from(code, start):
            copy = Copy(code.unit.frames, zone, seat, code.local(), code.local())
            refresh(code, copy)
            code.memo.keep(_copy_key(copy), copy, NOTHING)
            copies.append(copy)
    return copies


def keep_copies_behind(code: ValueCache, copies: list[Copy], start: Value) -> None:
    """Keep copies available after the sentence that made them, too."""
    for copy in copies:
        code.memo.behind[_copy_key(copy)] = copy, NOTHING
    keep_seats_behind(code, start)


def copy_of(code: ValueCache, name: str, index: Value | None) -> Copy | None:
    if index is None:
        return None
    result: Copy | None = code.memo.find(("at hand", name, *value_key(index)))
    return result


def note_store(code: ValueCache, name: str, index: Value | None, mask: Value) -> None:
    """Record in the copies of a zone a store at one of its places."""
    entry = copy_of(code, name, index)
    if entry is not None:
        _put(code, entry, mask)
    for copy in code.memo.all_of("at hand", name):
        if entry is None or entry.taken != copy.taken:
            refresh(code, copy)


def refresh_copies(code: ValueCache, name: str) -> None:
    """Record that a zone may have changed at any of its places."""
    for copy in code.memo.all_of("at hand", name):
        refresh(code, copy)


def refresh(code: ValueCache, copy: Copy) -> None:
    _put(code, copy, FunctionWriter.load(code, copy.zone, copy.seat))


def _put(code: ValueCache, copy: Copy, mask: Value) -> None:
    code.b.store(mask, copy.mask)
    code.b.store(code.lowest_or_any(mask), copy.lowest)


def _copy_key(copy: Copy) -> tuple[object, ...]:
    return ("at hand", copy.zone, *value_key(copy.seat))
