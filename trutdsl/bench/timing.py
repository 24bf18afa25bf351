"""Timing in parts and in turns: what takes how long, by the fastest part and by their median.

Whatever else a machine does only slows a part, so the fastest says most about the program, and the
median how much of it there was that time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from statistics import median
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from trutdsl.game import load_game
from trutdsl.native.play.runs import RunCode
from trutdsl.table import SeatedPlayer
from trutdsl.table.counts import DEALS, Records, Rows
from trutdsl.variant import list_variants, load_variant

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


# Every shipped table: how fast its deals are in native code, and how soon they can begin.

SEATS = 16 * [SeatedPlayer("uniform")]
PILOT = 200  # matches


def benchmark_tables() -> dict[str, tuple[str, int, dict[str, str]]]:
    """Return every shipped variant with each number of players and pack: name -> the table.

    A table other than with the default pack is named by it, as `truc-french-2p pack=36`.
    """
    tables = {}
    for name in list_variants():
        variant = load_variant(name)
        for pack, players in product(variant.pack_choices, variant.players):
            words = [f"{name}-{players}p", *(f"{key}={value}" for key, value in pack.items())]
            tables[" ".join(words)] = (name, players, pack)
    return tables


def make_code(
    name: str, players: int, parameters: Mapping[str, str] = MappingProxyType({})
) -> RunCode:
    """Return a variant parsed, checked and compiled."""
    return load_game(name, players, parameters).runs


def deal_rate(code: RunCode, players: int, seconds: float) -> Figure:
    """Return the deals in a second of processor time, every seat playing at random."""

    def part(length: float) -> tuple[float, float]:
        play = partial(count_deals, code, players, 0, matches_for(code, players, length))
        took, deals = timed(play, time.process_time)
        return deals, took

    return rate_of(part, seconds)


def matches_for(code: RunCode, players: int, seconds: float) -> int:
    """Return about how many matches take so long."""
    took, _ = timed(lambda: count_deals(code, players, 0, PILOT), time.process_time)
    return max(PILOT, int(PILOT * seconds / max(took, 1e-6)))


def count_deals(code: RunCode, players: int, first: int, count: int) -> int:
    """Play some matches at random, and return of how many deals they were."""
    return sums_of(partial(code.rows, SEATS[:players], 1, first, count))[DEALS]


def sums_of(play: Callable[[], Iterator[Rows | Records]]) -> list[int]:
    """Return the sums over the records of matches, field by field: winners, deals, decisions..."""
    return [sum(parts) for parts in zip(*map(_sums, play()), strict=True)]


def _sums(rows: Rows | Records) -> list[int]:
    if isinstance(rows, Rows):
        return [int(c.sum(dtype=np.int64)) for c in rows.columns if c is not None]
    sums: list[int] = rows.sum(axis=0).tolist()
    return sums
