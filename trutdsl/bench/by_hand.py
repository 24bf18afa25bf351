"""Variants written by hand in C, against which the native engine is measured.

They lie in `trutdsl/bench/reference` and play the same matches as the native engine, which
`tests/bench/test_by_hand.py` holds them to.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

from trutdsl.native.abi import MOST_RECORDS
from trutdsl.streams import chance_key, strategy_key
from trutdsl.table.rows import Records

TABLES = (("truc-catalan", 2), ("trut", 2), ("trut", 4), ("tute", 4))
SCRIPTS = ("caller", "steady")  # which `trut.c` has for two players, in the order of their numbers
SHARED = "play.h"


class ByHand:
    """A variant in C, compiled for this machine, with so many players."""

    def __init__(self, library: Path, players: int, width: int) -> None:
        """Load what `compile_by_hand` made; width: how many numbers are kept of a match."""
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
            beyond = min(begin + MOST_RECORDS, first + count)
            run(number(begin), number(beyond), at)
            yield records[: beyond - begin]


def _numbers(*values: int) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(values))(*values)


def compile_by_hand(
    variant: str, folder: Path, sources: Traversable | None = None, effort: str = "-O3"
) -> Path | None:
    """Return the library made of a variant's C program, or None where no compiler makes it.

    folder: where it and its sources are put; sources: the folder of the C programs; effort: the
    compiler's flag for how much it shall optimize.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = f"{variant}.c"
    for name in (SHARED, program):
        text = (sources or files("trutdsl.bench").joinpath("reference")).joinpath(name)
        (folder / name).write_bytes(text.read_bytes())
    library = folder / f"{variant}.so"
    flags = [effort, "-march=native", "-shared", "-fPIC"]
    command = [compiler, *flags, "-o", str(library), str(folder / program)]
    made = subprocess.run(command, check=False, capture_output=True)
    return library if made.returncode == 0 else None
