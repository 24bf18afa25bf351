"""Every shipped table: how fast its deals are in native code, and how soon they can begin."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from types import MappingProxyType

import numpy as np

from trutdsl.bench.timing import Figure, rate_of, timed
from trutdsl.game import load_game
from trutdsl.native.play.runs import RunCode
from trutdsl.table import Seated
from trutdsl.table.rows import DEALS, Records, Rows
from trutdsl.variant import list_variants, load_variant

SEATS = 16 * [Seated("uniform")]
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
