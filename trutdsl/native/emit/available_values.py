"""Available values: valid results of earlier computations are reused (common subexpressions).

For two players, sets of seats are pairs of flags.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
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
    """

    def __init__(self) -> None:
        self._scopes: list[ValuesByKey] = [{}]

    def find(self, key: Hashable) -> Any:
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key][0]
        return None

    def keep(self, key: Hashable, value: Any, rests_on: Names) -> None:
        """Store a value until one of its dependencies changes or this scope ends."""
        self._scopes[-1][key] = value, rests_on

    def lower(self, flags: Names) -> None:
        """Record that all of these yes/no variables are no."""
        for name in flags:
            self.keep(("no", name), True, frozenset({name}))

    def is_lowered(self, name: str) -> bool:
        return bool(self.find(("no", name)))

    def forget(self, names: Names) -> None:
        for scope in self._scopes:
            for key in [k for k, (_, rests_on) in scope.items() if rests_on & names]:
                del scope[key]

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

    def keep(self, _key: Hashable, _value: Any, _rests_on: Names) -> None:
        """Store nothing."""


class ValueCache(FunctionWriter):
    """Writes into a function, and has a table of available values."""

    memo: ValueTable


def value_key(value: Any) -> tuple[str, int]:
    """Return a unique key of a value of llvmlite in its function."""
    return ("const", value.constant) if isinstance(value, ir.Constant) else ("made", id(value))


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
