"""Writes instructions as llvmlite's builder does, but works out at once what is known already.

What a table fixes makes most conditions constant; left to LLVM, these would first be written, read
again and then found out one after the other.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

# Lookup tables: worked out from the index where a formula gives them, else read from memory.


@dataclass(frozen=True)
class Formula:
    """The numbers start + step * ((index >> shift) & mask)."""

    start: int
    step: int
    shift: int
    mask: int

    def at(self, index: int) -> int:
        return self.start + self.step * ((index >> self.shift) & self.mask)


def as_formula(numbers: Sequence[int]) -> Formula | None:
    """Return a formula that gives every number of a table, or None if there is none.

    The ranks and suits of a pack of 8 cards a suit are such tables; to work them out takes less
    time than to read them.
    """
    bits = (len(numbers) - 1).bit_length()
    for shift in range(bits):
        step = numbers[1 << shift] - numbers[0]
        for wide in range(1, bits - shift + 1):
            formula = Formula(numbers[0], step, shift, (1 << wide) - 1)
            if all(number == formula.at(index) for index, number in enumerate(numbers)):
                return formula
    return None


Value = Any  # a value of llvmlite, which has no types of its own

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
NEUTRAL = {"add": 0, "sub": 0, "mul": 1, "and_": -1, "or_": 0, "xor": 0, "shl": 0, "lshr": 0}
ABSORBING = {"mul": 0, "and_": 0, "or_": -1}
COMMUTATIVE = ("add", "mul", "and_", "or_", "xor")
COMPUTE: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and_": operator.and_,
    "or_": operator.or_, "xor": operator.xor, "shl": operator.lshift, "lshr": operator.rshift,
}  # fmt: skip


def known(value: Value) -> int | None:
    """Return the number that a value always is, as one with a sign; None if it is not constant."""
    if not isinstance(value, ir.Constant) or not isinstance(value.type, ir.IntType):
        return None
    if not isinstance(value.constant, int):
        return None
    return _signed(int(value.constant), value.type.width)


def _constant(kind: Value, number: int) -> Value:
    number = number & 1 if kind.width == 1 else _signed(number, kind.width)
    return ir.Constant(kind, number)


def _signed(number: int, bits: int) -> int:
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


class Builder(ir.IRBuilder):  # type: ignore[misc]
    """Writes instructions into blocks."""

    def _binary(self, name: str, left: Value, right: Value) -> Value:
        one, two = known(left), known(right)
        bits = left.type.width
        if name in ("shl", "lshr") and two is not None and not 0 <= two < bits:
            two = None
        if one is not None and two is not None:
            one = one & ((1 << bits) - 1) if name == "lshr" else one
            return _constant(left.type, COMPUTE[name](one, two))
        if name in COMMUTATIVE and one is not None:
            left, right, two = right, left, one
        if two is not None and two == NEUTRAL[name]:
            return left
        if two is not None and two == ABSORBING.get(name):
            return right
        return getattr(super(), name)(left, right)

    def add(self, left: Value, right: Value) -> Value:
        return self._binary("add", left, right)

    def sub(self, left: Value, right: Value) -> Value:
        return self._binary("sub", left, right)

    def mul(self, left: Value, right: Value) -> Value:
        return self._binary("mul", left, right)

    def and_(self, left: Value, right: Value) -> Value:
        return self._binary("and_", left, right)

    def or_(self, left: Value, right: Value) -> Value:
        return self._binary("or_", left, right)

    def xor(self, left: Value, right: Value) -> Value:
        """Return the bits that one of them has."""
        return self._binary("xor", left, right)

    def not_(self, value: Value) -> Value:
        return self.xor(value, ir.Constant(value.type, -1))

    def shl(self, left: Value, right: Value) -> Value:
        return self._binary("shl", left, right)

    def lshr(self, left: Value, right: Value) -> Value:
        return self._binary("lshr", left, right)

    def icmp_signed(self, order: str, left: Value, right: Value) -> Value:
        """Return whether two numbers stand in this order."""
        one, two = known(left), known(right)
        if one is None or two is None:
            return super().icmp_signed(order, left, right)
        return _constant(ir.IntType(1), int(COMPARE[order](one, two)))

    def select(self, test: Value, yes: Value, no: Value) -> Value:
        """Return one of two values."""
        settled = known(test)
        if settled is not None:
            return yes if settled else no
        return yes if yes is no else super().select(test, yes, no)

    def trunc(self, value: Value, kind: Value) -> Value:
        """Return the low bits."""
        number = known(value)
        if number is None:
            return super().trunc(value, kind)
        return _constant(kind, number)

    def zext(self, value: Value, kind: Value) -> Value:
        """Return a number without a sign in more bits."""
        number = known(value)
        if number is None:
            return super().zext(value, kind)
        return _constant(kind, number & ((1 << value.type.width) - 1))

    def sext(self, value: Value, kind: Value) -> Value:
        """Return a number with its sign in more bits."""
        number = known(value)
        return super().sext(value, kind) if number is None else _constant(kind, number)

    def joined(self, ways: Iterable[tuple[Value, Value]]) -> Value:
        """Return what the way that was gone gives; of each way what it gives and its last block."""
        (first, block), *others = ways
        found = self.phi(first.type)
        found.add_incoming(first, block)
        for value, other in others:
            found.add_incoming(value, other)
        return found

    def cbranch(self, test: Value, yes: Value, no: Value) -> Value:
        """Go one of two ways; where it is known which one, there is no other."""
        settled = known(test)
        if settled is None:
            return super().cbranch(test, yes, no)
        self.branch(yes if settled else no)
        return _Settled()


class _Settled:
    """A branch that goes only one way."""

    def set_weights(self, _weights: object) -> None:
        """There is nothing to weigh."""
