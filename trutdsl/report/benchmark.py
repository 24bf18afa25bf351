"""How fast the native engine is: figures of one run, on the machine that it is made on."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.game import load_game
from trutdsl.native.batch import Batch
from trutdsl.native.runs import RunCode
from trutdsl.report.by_hand import TABLES, ByHand, compile_by_hand
from trutdsl.variant import list_variants, load_variant

NAMES = 16 * ["uniform"]
ROUNDS = 5
BATCH = 4096  # matches side by side


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


def benchmark(seconds: float, say: Callable[[str], None], keep: bool = True) -> dict[str, Any]:
    """Return the figures of `docs/performance.md`; each rate is measured for about `seconds`.

    keep: use a folder of its own for what is kept; else nothing is, and it is not measured either.
    """
    figures: dict[str, Any] = {"deals_per_second": {}, "compile_seconds": {}}
    kept = os.environ.get("TRUTDSL_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRUTDSL_CACHE"] = folder if keep else ""
        try:
            for table, (name, players, pack) in benchmark_tables().items():
                say(table)
                cold, code = _timed(partial(_made, name, players, pack))
                figures["compile_seconds"][table] = {"cold": cold}
                if keep:
                    cached, code = _timed(partial(_made, name, players, pack))
                    figures["compile_seconds"][table]["cached"] = cached
                figures["deals_per_second"][table] = _rate(code, players, seconds)
            figures["native_over_c"] = dict(_against_c(folder, seconds, say))
            say("callback")
            figures["callback_decisions_per_second"] = _callback_rate(seconds)
            say("batch")
            figures["batch_decisions_per_second"] = _batch_rate(seconds)
            say("two workers")
            figures["parallel_speedup"] = _speedup(seconds)
        finally:
            if kept is None:
                del os.environ["TRUTDSL_CACHE"]
            else:
                os.environ["TRUTDSL_CACHE"] = kept
    if not figures["native_over_c"]:
        del figures["native_over_c"]
    return figures


def _made(name: str, players: int, parameters: Mapping[str, str] = MappingProxyType({})) -> RunCode:
    """Return a variant parsed, checked and compiled."""
    return load_game(name, players, parameters).runs


def _timed(do: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = do()
    return time.perf_counter() - start, result


def _sums(play: Callable[[], Iterator[NDArray[np.int64]]]) -> list[int]:
    """Return the sums over the records of matches, field by field: winners, deals, decisions..."""
    sums: list[int] = np.sum([rows.sum(axis=0) for rows in play()], axis=0).tolist()
    return sums


def _count_deals(code: RunCode, players: int, first: int, count: int) -> int:
    return _sums(partial(code.rows, NAMES[:players], 1, first, count))[1]


def _matches_for(code: RunCode, players: int, seconds: float) -> int:
    """Return about how many matches take so long."""
    took, _ = _timed(lambda: _count_deals(code, players, 0, 200))
    return max(200, int(200 * seconds / max(took, 1e-6)))


def _rate(code: RunCode, players: int, seconds: float) -> float:
    matches = _matches_for(code, players, seconds)
    took, deals = _timed(lambda: _count_deals(code, players, 0, matches))
    return float(deals / took)


def _against_c(
    folder: str, seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, float]]:
    """Yield native against C speed, runs alternating; without a compiler nothing."""
    for name, players in TABLES:
        library = compile_by_hand(name, Path(folder))
        if library is None:
            return
        table = f"{name}-{players}p"
        say(f"{table} against C")
        code = _made(name, players)
        program = ByHand(library, players, len(code.fields))
        matches = _matches_for(code, players, seconds)
        native = partial(code.rows, NAMES[:players], 1, 0, matches)
        by_hand = partial(program.rows, 1, 0, matches)
        ratios = []
        for _ in range(ROUNDS):
            one, in_native = _timed(partial(_sums, native))
            other, in_c = _timed(partial(_sums, by_hand))
            if in_native != in_c:
                raise AssertionError(f"{table}: {in_native} in native code, {in_c} in C")
            ratios.append(other / one)
        yield table, median(ratios)


def _callback_rate(seconds: float) -> float:
    code = _made("trut", 2)
    decisions = 0

    def first(_match: int, _count: int) -> int:
        nonlocal decisions
        decisions += 1
        return 0

    start = time.perf_counter()
    match = 0
    while time.perf_counter() - start < seconds:
        for _ in code.run(NAMES[:2], 1, match, 500, first):
            pass
        match += 500
    return decisions / (time.perf_counter() - start)


def _batch_rate(seconds: float) -> float:
    """Return the rate of matches side by side whose seats take the lowest legal action."""
    game = load_game("trut", 2)
    code = game.steps
    decisions, start, first = 0, time.perf_counter(), 0
    while (took := time.perf_counter() - start) < seconds:
        batch = Batch(code, 1, first, BATCH)
        while len(batch.waiting):
            legal = batch.observe(()).legal[:, 0]
            lowest = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1))
            batch.answer(lowest.astype(np.int64))
        decisions += int(batch.decisions.sum())
        first += BATCH
    return decisions / took


def _speedup(seconds: float) -> float:
    """Return how much faster two processes are than one at the same matches."""
    code = _made("trut", 2)
    half = _matches_for(code, 2, seconds)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(_play_part, [0, 0], [200, 200]))  # both have their code before time counts
        ratios = []
        for _ in range(ROUNDS):
            one, _ = _timed(lambda: list(pool.map(_play_part, [0], [2 * half])))
            two, _ = _timed(lambda: list(pool.map(_play_part, [0, half], [half, half])))
            ratios.append(one / two)
    return median(ratios)


_code: RunCode | None = None


def _play_part(first: int, count: int) -> int:
    global _code
    if _code is None:
        _code = _made("trut", 2)
    return _count_deals(_code, 2, first, count)
