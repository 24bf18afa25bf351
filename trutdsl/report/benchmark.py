"""How fast the native engine is: figures of one run, on the machine that it is made on."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.resources import as_file, files
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

import numpy as np

from trutdsl.game import load_game
from trutdsl.native.batch import Batch
from trutdsl.native.runs import RunCode
from trutdsl.streams import chance_key, strategy_key
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


def _matches_for(code: RunCode, players: int, seconds: float) -> int:
    """Return about how many matches take so long."""
    took, _ = _timed(lambda: code.count_deals(NAMES[:players], 1, 0, 200))
    return max(200, int(200 * seconds / max(took, 1e-6)))


def _rate(code: RunCode, players: int, seconds: float) -> float:
    matches = _matches_for(code, players, seconds)
    took, deals = _timed(lambda: code.count_deals(NAMES[:players], 1, 0, matches))
    return float(deals / took)


def _against_c(
    folder: str, seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, float]]:
    """Yield native against C speed on Trut, runs alternating; without a compiler nothing."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return
    library = Path(folder) / "trut.so"
    with as_file(files("trutdsl.native").joinpath("reference/trut.c")) as source:
        command = [
            compiler,
            "-O3",
            "-march=native",
            "-shared",
            "-fPIC",
            "-o",
            str(library),
            str(source),
        ]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return
    run = ctypes.CDLL(str(library)).trut_run
    number = ctypes.c_uint64
    numbers = ctypes.POINTER(number)
    run.argtypes = [ctypes.c_int, numbers, number, number, numbers]
    run.restype = None
    keys = (number * 4)(*chance_key(1), *strategy_key(1, "uniform"))
    for players in (2, 4):
        say(f"trut-{players}p against C")
        code = _made("trut", players)
        matches = _matches_for(code, players, seconds)

        def play_c(n: int = players, m: int = matches) -> int:
            sums = (number * 5)()
            run(n, keys, 0, m, sums)
            return int(sums[1])

        def play_native(n: int = players, m: int = matches, c: RunCode = code) -> int:
            return c.count_deals(NAMES[:n], 1, 0, m)

        ratios = []
        for _ in range(ROUNDS):
            (one, deals), (other, same) = _timed(play_native), _timed(play_c)
            if deals != same:
                raise AssertionError(f"{deals} deals in native code, {same} in C")
            ratios.append(other / one)
        yield f"trut-{players}p", median(ratios)


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
    return _code.count_deals(NAMES[:2], 1, first, count)
