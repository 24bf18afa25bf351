"""Speed against variants in hand-written C, which play the same matches as the native engine.

The programs are in `trutdsl/bench/reference`; `tests/bench/test_by_hand.py` compares every match.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product
from pathlib import Path

import numpy as np

from trutdsl.bench.measure import SEATS, TURNS, Figure, make_code, matches_for, speed_of, sums_of
from trutdsl.game import load_game
from trutdsl.native.abi import MOST_RECORDS
from trutdsl.strategy.legs import compile_for, native_seating
from trutdsl.strategy.load import load_strategy
from trutdsl.streams import chance_key, strategy_key
from trutdsl.table.counts import DEALS, Records, Rows

TABLES = (("truc-catalan", 2), ("trut", 2), ("trut", 4), ("tute", 4))
SCRIPTS = ("caller", "steady")  # those in `trut.c` for two players, in the order of their numbers
HEADER_FILE = "play.h"


class ByHand:
    """A variant in C, compiled for this machine, for a number of players."""

    def __init__(self, library: Path, players: int, width: int) -> None:
        """Load the result of `compile_by_hand`; width: the numbers stored of a match."""
        self.players, self.width = players, width
        self._library = ctypes.CDLL(str(library))

    def rows(self, seed: int, first: int, count: int) -> Iterator[Records]:
        """Yield the records of some matches at a time, in the same array."""
        keys = _numbers(*chance_key(seed), *strategy_key(seed, "uniform"))
        run = self._library.run_matches
        return self._chunks(partial(run, self.players, keys), first, count)

    def rows_of_scripts(
        self, names: Sequence[str], seed: int, first: int, count: int
    ) -> Iterator[Records]:
        """Yield the records of matches of two of `SCRIPTS`, by their names."""
        keys = [*chance_key(seed), *(half for name in names for half in strategy_key(seed, name))]
        plays = (ctypes.c_int * len(names))(*map(SCRIPTS.index, names))
        run = self._library.run_scripts
        return self._chunks(partial(run, plays, _numbers(*keys)), first, count)

    def _chunks(self, run: Callable[..., None], first: int, count: int) -> Iterator[Records]:
        records = np.zeros((MOST_RECORDS, self.width), np.int64)
        at, number = ctypes.c_void_p(records.ctypes.data), ctypes.c_uint64
        for begin in range(first, first + count, MOST_RECORDS):
            end = min(begin + MOST_RECORDS, first + count)
            run(number(begin), number(end), at)
            yield records[: end - begin]


def _numbers(*values: int) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(values))(*values)


def compile_by_hand(
    variant: str, folder: Path, sources: Traversable | None = None, effort: str = "-O3"
) -> Path | None:
    """Return the library of a variant's C program, or None without a working compiler.

    folder: the place for it and its sources; sources: the folder of the C programs; effort: the
    compiler's optimization flag.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = f"{variant}.c"
    for name in (HEADER_FILE, program):
        text = (sources or files("trutdsl.bench").joinpath("reference")).joinpath(name)
        (folder / name).write_bytes(text.read_bytes())
    library = folder / f"{variant}.so"
    flags = [effort, "-march=native", "-shared", "-fPIC"]
    command = [compiler, *flags, "-o", str(library), str(folder / program)]
    process = subprocess.run(command, check=False, capture_output=True)
    return library if process.returncode == 0 else None


Say = Callable[[str], None]


def random_play_against_c(
    folder: Path, seconds: float, say: Say, tables: Iterable[tuple[str, int]] = TABLES
) -> Iterator[tuple[str, Figure]]:
    """Yield the speed of native code relative to C for each table; nothing without a compiler.

    folder: where the C programs are compiled; seconds: about how long each side plays.
    """
    for name, players in tables:
        library = compile_by_hand(name, folder)
        if library is None:
            return
        table = f"{name}-{players}p"
        say(f"{table} against C")
        code = make_code(name, players)
        program = ByHand(library, players, len(code.fields))
        matches = matches_for(code, players, seconds / TURNS)
        native = partial(code.rows, SEATS[:players], 1, 0, matches)
        yield table, _speed(table, native, partial(program.rows, 1, 0, matches))


def scripts_against_c(folder: Path, seconds: float, say: Say) -> Iterator[tuple[str, Figure]]:
    """Yield the speed of scripts relative to C, for each way to seat two of them."""
    library = compile_by_hand("trut", folder)
    if library is None:
        return
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(s) for s in SCRIPTS]
    code = compile_for(game, meeting).runs
    program = ByHand(library, 2, len(code.fields))
    matches = matches_for(code, 2, seconds / TURNS)
    for seating in product(meeting, repeat=2):
        names = [spec.name for spec in seating]
        say(f"{' and '.join(names)} against C")
        players = native_seating(game, seating, meeting)
        assert players is not None
        native = partial(players.game.runs.rows, players.seats, 1, 0, matches)
        by_hand = partial(program.rows_of_scripts, names, 1, 0, matches)
        yield ",".join(names), _speed(f"trut-2p, {names}", native, by_hand)


def _speed(
    table: str, native: Callable[[], Iterator[Rows]], by_hand: Callable[[], Iterator[Records]]
) -> Figure:
    """Return the speed of native code relative to C, after a check that the matches are equal."""
    in_native, in_c = sums_of(native), sums_of(by_hand)
    if in_native != in_c:
        raise AssertionError(f"{table}: {in_native} in native code, {in_c} in C")
    return speed_of(partial(_deals, native), partial(_deals, by_hand))


def _deals(play: Callable[[], Iterator[Rows | Records]]) -> float:
    return sums_of(play)[DEALS]
