"""Every figure of `docs/performance.md`, of one run, on the machine that it is made on."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from trutdsl.bench.against_c import random_play_against_c, scripts_against_c
from trutdsl.bench.decisions import (
    array_rate,
    batch_rate,
    bot_rate,
    callback_rate,
    playout_rate,
    view_rate,
)
from trutdsl.bench.overhead import runner_cost, uniform_against_scripts
from trutdsl.bench.processes import speed_of_two, tournament_seconds
from trutdsl.bench.timing import Figure, benchmark_tables, deal_rate, make_code, timed

Figures = dict[str, Any]


def benchmark(seconds: float, say: Callable[[str], None], keep: bool = True) -> Figures:
    """Return all figures by name, some by table or script, too; each rate takes about `seconds`.

    Each is a `Figure`, but for the seconds in which a table is compiled, of which there is one, and
    for what the runner costs, a median.
    keep: use a folder of its own for what is kept; else nothing is, and it is not measured either.
    """
    kept = os.environ.get("TRUTDSL_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRUTDSL_CACHE"] = folder if keep else ""
        try:
            return _measure(seconds, say, keep, Path(folder))
        finally:
            if kept is None:
                del os.environ["TRUTDSL_CACHE"]
            else:
                os.environ["TRUTDSL_CACHE"] = kept


def _measure(seconds: float, say: Callable[[str], None], keep: bool, folder: Path) -> Figures:
    figures: Figures = {"deals_per_second": {}, "compile_seconds": {}}
    for table, (name, players, pack) in benchmark_tables().items():
        say(table)
        make = partial(make_code, name, players, pack)
        cold, code = timed(make)
        figures["compile_seconds"][table] = {"cold": cold}
        if keep:
            cached, code = timed(make)
            figures["compile_seconds"][table]["cached"] = cached
        figures["deals_per_second"][table] = deal_rate(code, players, seconds)
    against_c = dict(random_play_against_c(folder, seconds, say))
    if against_c:  # else nothing compiles C here
        figures["native_over_c"] = against_c
        scripts = dict(scripts_against_c(folder, seconds, say))
        both = zip(*scripts.values(), strict=True)
        figures["script_over_c"] = {"trut-2p": Figure(*map(geometric_mean, both)), **scripts}
    figures["uniform_over_script"] = dict(uniform_against_scripts(seconds, say))
    for what, name, rate in (
        ("callback", "callback_decisions", callback_rate),
        ("batch", "batch_decisions", batch_rate),
        ("views", "view_decisions", view_rate),
        ("arrays", "array_decisions", array_rate),
        ("a bot", "bot_decisions", partial(bot_rate, folder)),
        ("play-outs", "playouts", playout_rate),
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
    """Return figures as JSON has them: numbers, those of the fastest parts, and the `medians`."""
    return {**_numbers(figures, "fastest"), "medians": _numbers(figures, "median")}


def _numbers(figures: Mapping[str, Any], which: str) -> dict[str, Any]:
    """Return one number of each figure; of what is only one number, that one as the fastest."""
    found: dict[str, Any] = {}
    for name, figure in figures.items():
        if isinstance(figure, Figure):
            found[name] = getattr(figure, which)
        elif isinstance(figure, Mapping):
            if numbers := _numbers(figure, which):
                found[name] = numbers
        elif which == "fastest":
            found[name] = figure
    return found
