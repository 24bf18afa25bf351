"""Tables of constants: worked out from the index where a formula gives them, else in memory."""

from __future__ import annotations

from collections.abc import Sequence


def as_formula(numbers: Sequence[int]) -> tuple[int, int, int] | None:
    """Return `start`, `step` and `mask` so that every number is start + step * (index & mask).

    Ranks and suits of a pack are mostly such tables. Memory would answer later than that is
    worked out. None if there is no such formula.
    """
    start, step = numbers[0], (numbers[1] - numbers[0] if len(numbers) > 1 else 0)
    bits = max(1, (len(numbers) - 1).bit_length())
    for mask in ((1 << some) - 1 for some in range(1, bits + 1)):
        if all(number == start + step * (i & mask) for i, number in enumerate(numbers)):
            return start, step, mask
    return None
