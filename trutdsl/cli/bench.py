"""`trutdsl bench`: measures the speed of this machine."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from trutdsl.cli.match_progress import LiveLine
from trutdsl.cli.options import NoCache, PrintJson
from trutdsl.cli.output import make_console
from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, mark, say

READING = mark(
    "Of each figure the fastest of some parts that were measured, and their median in brackets: "
    "whatever else a machine does only slows a part. Ratios are of runs that take turns."
)


def bench(
    seconds: Annotated[
        float, typer.Option(metavar="S", help="About how long each rate is measured.")
    ] = 0.5,
    as_json: PrintJson = False,
    no_cache: NoCache = False,
) -> None:
    """Measure deals and decisions per second, compile times, and Trut against hand-written C.

    The figures are of one run on this machine: of each the fastest of some parts, because whatever
    else the machine does only slows a part, and their median. What is compared takes turns.

    Example: trutdsl bench --seconds 0.2
    """
    from trutdsl.bench import as_numbers, benchmark

    if not 0 < seconds <= 60:
        raise BadUsage(
            say("--seconds must be above 0 and at most 60, not {seconds}", seconds=seconds)
        )
    with LiveLine() as line:
        show = line.show if line.is_live else lambda _text: None
        figures = benchmark(seconds, lambda what: show(f"bench: {what}"), keep=not no_cache)
    if as_json:
        typer.echo(json.dumps(as_numbers(figures), indent=2, sort_keys=True))
    else:
        _show(figures)


def _show(figures: dict[str, Any]) -> None:
    from rich.table import Table

    console = make_console()
    speeds = say("table"), say("deals/s"), say("(median)")
    table = Table(*speeds, say("compiled in, s"), say("from the cache, s"))
    for name, rate in figures["deals_per_second"].items():
        compiled = figures["compile_seconds"][name]
        cached = f"{compiled['cached']:.2f}" if "cached" in compiled else "-"
        table.add_row(
            name, _rate(rate.fastest), _rate(rate.median), f"{compiled['cold']:.2f}", cached
        )
    console.print(table)
    console.print(say(READING))
    for name, ratio in figures.get("native_over_c", {}).items():
        console.print(
            say(
                "{name}: {both} of the speed of hand-written C, the same matches",
                name=name,
                both=_both(ratio),
            )
        )
    for name, ratio in figures.get("script_over_c", {}).items():
        console.print(
            say(
                "scripts {name}: {both} of the speed of C, the same matches of Trut",
                name=name,
                both=_both(ratio),
            )
        )
    by_ratio = sorted(figures["uniform_over_script"].items(), key=lambda one: one[1])
    for name, ratio in by_ratio:
        console.print(
            say(
                "uniform is {both} times as fast as {name}, by deals",
                both=_both(ratio, 1),
                name=name,
            )
        )
    for name, what in (
        ("callback_decisions", say("decisions/s through a Python callback")),
        ("batch_decisions", say("decisions/s in a batch of 4,096 matches")),
        ("view_decisions", say("decisions/s of a strategy in Python that reads its view")),
        ("array_decisions", say("decisions/s of one that answers in arrays")),
        ("bot_decisions", say("decisions/s of a bot at many tables")),
        ("playouts", say("deals/s of Trut for two played on, for monte-carlo")),
    ):
        rate = figures[f"{name}_per_second"]
        console.print(f"{_rate(rate.fastest)} ({_rate(rate.median)}) {what}")
    speedup = _both(figures["parallel_speedup"])
    console.print(say("two processes are {speedup} times as fast as one", speedup=speedup))
    if "tournament_seconds" in figures:
        first, again = (_both(figures["tournament_seconds"][name]) for name in ("first", "again"))
        console.print(
            say(
                "a tournament of a million deals, the whole command: {first} s the first "
                "time, {again} s again",
                first=first,
                again=again,
            )
        )
    console.print(
        say(
            "a chunk of a tournament takes {figures} of the time of its matches, "
            "steady and caller, by the median of nine",
            figures=figure(figures["runner_over_machine_code"], ".3f"),
        )
    )


def _rate(rate: float) -> str:
    return f"{rate:,.0f}"


def _both(figure: Any, digits: int = 2) -> str:
    return f"{figure.fastest:.{digits}f} ({figure.median:.{digits}f})"
