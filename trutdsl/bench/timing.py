"""Timing in parts and in turns: what takes how long, by the fastest part and by their median.

Whatever else a machine does only slows a part, so the fastest says most about the program, and the
median how much of it there was that time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple, TypeVar

Made = TypeVar("Made")
Clock = Callable[[], float]
PARTS = 12
TURNS = 15


class Figure(NamedTuple):
    """A rate, a ratio of rates, or seconds, by the fastest of several parts and by their median."""

    fastest: float
    median: float


def timed(do: Callable[[], Made], clock: Clock = time.perf_counter) -> tuple[float, Made]:
    """Return the seconds that something takes, by default on the wall, and what it returns."""
    start = clock()
    made = do()
    return clock() - start, made


def rate_of(part: Callable[[float], tuple[float, float]], seconds: float) -> Figure:
    """Return how much is done in a second, over `PARTS` parts of about so many seconds together.

    part: does something for about so many seconds; gives how much it did, and the seconds it took.
    """
    length = seconds / PARTS
    rates = [amount / took for amount, took in (part(length) for _ in range(PARTS))]
    return Figure(max(rates), median(rates))


def speed_of(one: Callable[[], float], other: Callable[[], float], turns: int = TURNS) -> Figure:
    """Return how many times as fast one thing is as another, done in turns so many times.

    Each returns how much it did. By the fastest of each, and by the median of the turns' ratios.
    """
    rates = [(_rate(one), _rate(other)) for _ in range(turns)]
    ones, others = zip(*rates, strict=True)
    return Figure(max(ones) / max(others), median(mine / its for mine, its in rates))


def _rate(do: Callable[[], float]) -> float:
    took, amount = timed(do)
    return amount / took
