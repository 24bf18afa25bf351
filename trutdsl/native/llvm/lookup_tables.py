"""Lookup tables: worked out from the index where a formula gives them, else read from memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """The numbers start + step * ((index >> shift) & mask)."""

    start: int
    step: int
    shift: int
    mask: int

    def at(self, index: int) -> int:
        """Return the number of an index."""
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
