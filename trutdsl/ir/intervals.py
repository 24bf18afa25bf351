"""Bounds of numbers, worked out when a variant is checked, so that no result can be too large."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from trutdsl.ir.bounds import MOST_ACTIONS, MOST_NUMBERS
from trutdsl.ir.types import NUMBER, Number, Type


def combine(op: str, left: Number, right: Number) -> Number:
    """Return the bounds of `left OP right`; for `div` and `mod` the divisor is at least 1."""
    match op:
        case "+":
            return Number(left.low + right.low, left.high + right.high)
        case "-":
            return Number(left.low - right.high, left.high - right.low)
        case "*":
            ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return Number(min(ends), max(ends))
        case "div":
            ends = [a // b for a in (left.low, left.high) for b in (right.low, right.high)]
            return Number(min(ends), max(ends))
        case "mod":
            return Number(0, right.high - 1)
    raise ValueError(op)


def extreme(name: str, left: Type, right: Type) -> Number:
    """Return the bounds of `min` or `max` of two numbers."""
    if isinstance(left, Number) and isinstance(right, Number):
        pick = min if name == "min" else max
        return Number(pick(left.low, right.low), pick(left.high, right.high))
    return NUMBER


def most_hands(cards: int, size: Type) -> int:
    """Return how many hands of a size there are at most, chosen from so many cards."""
    low, high = (size.low, size.high) if isinstance(size, Number) else (0, cards)
    return max(comb(cards, k) for k in range(max(0, min(low, cards)), max(0, min(high, cards)) + 1))


def hand_sizes(cards: int, size: Type, last: Type | None) -> range:
    """Return of how many cards a choice from so many can be, as the types of its bounds allow."""
    low, high = (size.low, size.high) if isinstance(size, Number) else (0, cards)
    if last is not None:
        high = last.high if isinstance(last, Number) else cards
    return range(max(0, low), min(cards, high) + 1)


@dataclass(frozen=True)
class Window:
    """The numbers from `low` to `high` among which one may be chosen.

    cut: by their types there could be others; that there are none has to be seen to in play.
    """

    low: int
    high: int
    cut: bool

    @property
    def message(self) -> str:
        """What is said if there are others."""
        return f"only numbers from {self.low} to {self.high} can be chosen from here"


def window_of(first: Type, last: Type) -> Window:
    """Return among which numbers one may be chosen, by the types of the first and the last.

    Where these allow more than `MOST_ACTIONS`, it is `MOST_NUMBERS` from the lowest one on, or from
    0 on if that is far below.
    """
    assert isinstance(first, Number)
    assert isinstance(last, Number)
    low, high = first.low, max(first.low, last.high)
    if high - low < MOST_ACTIONS:
        return Window(low, high, False)
    low = low if low > -MOST_NUMBERS else 0
    return Window(low, min(high, low + MOST_NUMBERS - 1), True)


def hull(left: Type, right: Type) -> Number:
    """Return the smallest bounds that hold both."""
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(min(left.low, right.low), max(left.high, right.high))
    return NUMBER
