"""Benchmarks: all figures of the page on performance, from one run on this machine.

`benchmark` gives each figure by the fastest of several parts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

from trutdsl.bench.against_c import random_play_against_c, scripts_against_c
from trutdsl.bench.measure import (
    STEADY,
    Figure,
    batch_rate,
    benchmark_tables,
    bot_rate,
    callback_rate,
    count_deals,
    make_code,
    matches_for,
    own_cache,
    playout_rate,
    speed_of,
    table_rate,
    time_call,
    uniform_over_scripts,
    view_rate,
)
from trutdsl.game import load_game
from trutdsl.native.play.runs import RunCode
from trutdsl.strategy.fitness import variants_of_script
from trutdsl.strategy.legs import play_leg
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.script import UNIFORM, ScriptSpec
from trutdsl.tournaments.play import count_sets, play_sets
from trutdsl.tournaments.schedule import Chunk, Experiment, plan_experiment

C_LONGER = 5  # times as long as another rate


def uniform_against_scripts(
    seconds: float, say: Callable[[str], None]
) -> Iterator[tuple[str, Figure]]:
    """Yield the ratio of deals a second of `uniform` to those of each shipped script.

    For two players, at Trut if the script is for it, else at the first variant that it is for.
    """
    scripts: dict[str, list[ScriptSpec]] = {}
    for spec in map(load_strategy, list_strategies()):
        if isinstance(spec, ScriptSpec) and spec.name != UNIFORM:
            names = [variant.name for variant in variants_of_script(spec)]
            scripts.setdefault("trut" if "trut" in names else names[0], []).append(spec)
    for name, meeting in scripts.items():
        say(f"scripts of {name}")
        yield from uniform_over_scripts(load_game(name, 2), meeting, seconds)


MEETING = ("steady", "caller")  # the fastest ones, with which the runner costs most
ROUNDS = 9
PILOT_SETS = 2000  # sets


def runner_cost(seconds: float) -> float:
    """Return the time of a chunk over that of its matches: 1 plus the overhead of the runner.

    Trut for two, with sets for about this many seconds. It includes all work of a worker on a
    chunk: taking rows and counting them. The median of several.
    """
    game, meeting = load_game("trut", 2, engine="native"), [load_strategy(s) for s in MEETING]
    experiment = plan_experiment(game, meeting, 1, PILOT_SETS)
    _cost(experiment)
    sets = max(PILOT_SETS, int(PILOT_SETS * seconds / _seconds(lambda: _play_chunk(experiment))))
    return median(_cost(replace(experiment, sets=sets)) for _ in range(ROUNDS))


def _cost(experiment: Experiment) -> float:
    """Return the seconds of a chunk over those of them in machine code.

    Both are processor time of the same run, so other load slows both equally.
    """
    in_code = 0.0

    def play(*args: Any) -> Iterator[int]:
        nonlocal in_code
        legs = play_leg(*args)
        while True:
            begin = time.process_time()
            more = next(legs, None)
            in_code += time.process_time() - begin
            if more is None:
                return
            yield more

    timed = replace(experiment, play=play)
    return _seconds(lambda: _play_chunk(timed)) / in_code


def _play_chunk(experiment: Experiment) -> None:
    sets, _ = play_sets(experiment, Chunk(0, experiment.sets))
    count_sets(experiment, sets)


def _seconds(do: Callable[[], None]) -> float:
    return time_call(do, time.process_time)[0]


PROCESS_TURNS = 25  # short ones: both cores must be free during one of them
TOURNAMENT_DEALS = 1_000_000  # of the tournament
COMMAND = ("tournament", "trut", "--players", "2", "--strategies", "steady,caller")
TIMES = 4  # runs with an empty cache, and as many with a full one


def speed_of_two(seconds: float) -> Figure:
    """Return the ratio of the speed of two processes to that of one at the same matches."""
    half = matches_for(make_code("trut", 2), 2, seconds / 4)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:

        def play(firsts: list[int], counts: list[int]) -> int:
            return sum(pool.map(_play_part, firsts, counts))

        play([0, 0], [200, 200])  # compiles the code of both before the measurement
        return speed_of(
            partial(play, [0, half], [half, half]),
            partial(play, [0], [2 * half]),
            PROCESS_TURNS,
            time.perf_counter,
        )


_code: RunCode | None = None


def _play_part(first: int, count: int) -> int:
    global _code
    if _code is None:
        _code = make_code("trut", 2)
    return count_deals(_code, 2, first, count)


def tournament_seconds(folder: Path) -> dict[str, Figure]:
    """Return the time of a tournament as a separate command: the first time, and again.

    `first`: with an empty cache, so rules and scripts are read, checked and compiled.
    """
    first, again = [], []
    for number in range(TIMES):
        cache = folder / f"kept {number}"
        first.append(_run(folder, cache, 2 * number))
        again.append(_run(folder, cache, 2 * number + 1))
    return {name: Figure(min(s), median(s)) for name, s in (("first", first), ("again", again))}


def _run(folder: Path, cache: Path, seed: int) -> float:
    command = [sys.executable, "-m", "trutdsl", *COMMAND]
    command += ["--deals", str(TOURNAMENT_DEALS), "--seed", str(seed)]
    environment = {**os.environ, "TRUTDSL_CACHE": str(cache)}
    run = partial(subprocess.run, command, cwd=folder, env=environment, check=True)
    took, _ = time_call(partial(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return took


Figures = dict[str, Any]


def benchmark(seconds: float, say: Callable[[str], None], keep: bool = True) -> Figures:
    """Return all figures by name, some also by table or script; each rate takes about `seconds`.

    Each is a `Figure`, except for single compile times and the median of the runner's overhead.
    keep: use a cache in a new folder; otherwise there is no cache, and it is not measured.
    """
    with own_cache(keep) as folder:
        return _measure(seconds, say, keep, folder)


def _measure(seconds: float, say: Callable[[str], None], keep: bool, folder: Path) -> Figures:
    figures: Figures = {"deals_per_second": {}, "compile_seconds": {}}
    for name, table in benchmark_tables().items():
        say(name)
        took, figures["deals_per_second"][name] = table_rate(table, seconds, keep)
        figures["compile_seconds"][name] = took
    against_c = dict(random_play_against_c(folder, C_LONGER * seconds, say))
    if against_c:  # else there is no C compiler
        figures["native_over_c"] = against_c
        scripts = dict(scripts_against_c(folder, C_LONGER * seconds, say))
        both = zip(*scripts.values(), strict=True)
        figures["script_over_c"] = {"trut-2p": Figure(*map(geometric_mean, both)), **scripts}
    figures["uniform_over_script"] = dict(uniform_against_scripts(seconds, say))
    trut = load_game("trut", 2)
    for what, name, rate in (
        ("callback", "callback_decisions", partial(callback_rate, trut)),
        ("batch", "batch_decisions", partial(batch_rate, trut)),
        ("views", "view_decisions", partial(view_rate, trut, STEADY)),
        ("a bot", "bot_decisions", partial(bot_rate, folder)),
        ("play-outs", "playouts", partial(playout_rate, trut)),
    ):
        say(what)
        figures[f"{name}_per_second"] = rate(seconds)
    say("two processes")
    figures["parallel_speedup"] = speed_of_two(seconds)
    if keep:
        say("a tournament")
        figures["tournament_seconds"] = tournament_seconds(folder)
    say("runner")
    figures["runner_over_machine_code"] = runner_cost(seconds)
    return figures


def as_numbers(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures as JSON: the numbers of the fastest parts, and the `medians`."""
    return {**_numbers(figures, "fastest"), "medians": _numbers(figures, "median")}


def _numbers(figures: Mapping[str, Any], which: str) -> dict[str, Any]:
    """Return one number of each figure; a single number counts as the fastest."""
    result: dict[str, Any] = {}
    for name, figure in figures.items():
        if isinstance(figure, Figure):
            result[name] = getattr(figure, which)
        elif isinstance(figure, Mapping):
            if numbers := _numbers(figure, which):
                result[name] = numbers
        elif which == "fastest":
            result[name] = figure
    return result
