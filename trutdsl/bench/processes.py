"""Whole processes: two against one at the same matches, and a tournament from its first word on."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from trutdsl.bench.timing import Figure, count_deals, make_code, matches_for, speed_of, timed
from trutdsl.native.play.runs import RunCode

TURNS = 25  # short ones: both cores have to be free during one of them
DEALS = 1_000_000  # of the tournament
COMMAND = ("tournament", "trut", "--players", "2", "--strategies", "steady,caller")
TIMES = 4  # how often it is run the first time, and as often again


def speed_of_two(seconds: float) -> Figure:
    """Return how many times as fast two processes are as one at the same matches."""
    half = matches_for(make_code("trut", 2), 2, seconds / 4)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:

        def play(firsts: list[int], counts: list[int]) -> int:
            return sum(pool.map(_play_part, firsts, counts))

        play([0, 0], [200, 200])  # both have their code before time counts
        return speed_of(
            partial(play, [0, half], [half, half]), partial(play, [0], [2 * half]), TURNS
        )


_code: RunCode | None = None


def _play_part(first: int, count: int) -> int:
    global _code
    if _code is None:
        _code = make_code("trut", 2)
    return count_deals(_code, 2, first, count)


def tournament_seconds(folder: Path) -> dict[str, Figure]:
    """Return how long a tournament takes as a command of its own: the first time, and again.

    `first`: with nothing kept in advance, rules and scripts are read, checked and compiled.
    """
    first, again = [], []
    for number in range(TIMES):
        kept = folder / f"kept {number}"
        first.append(_run(folder, kept, 2 * number))
        again.append(_run(folder, kept, 2 * number + 1))
    return {name: Figure(min(s), median(s)) for name, s in (("first", first), ("again", again))}


def _run(folder: Path, kept: Path, seed: int) -> float:
    """Return the seconds of one run; each seed is a run of its own, which nothing answers."""
    command = [sys.executable, "-m", "trutdsl", *COMMAND]
    command += ["--deals", str(DEALS), "--seed", str(seed)]
    environment = {**os.environ, "TRUTDSL_CACHE": str(kept)}
    run = partial(subprocess.run, command, cwd=folder, env=environment, check=True)
    took, _ = timed(partial(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return took
