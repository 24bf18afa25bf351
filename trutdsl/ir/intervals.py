"""Bounds of numbers, worked out when a variant is checked, so that no result can be too large."""

from __future__ import annotations

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


def hull(left: Type, right: Type) -> Number:
    """Return the smallest bounds that hold both."""
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(min(left.low, right.low), max(left.high, right.high))
    return NUMBER
