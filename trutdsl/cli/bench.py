"""`trutdsl bench`: how fast the native engine is here."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from trutdsl.cli.options import NoCache
from trutdsl.cli.screen import Screen
from trutdsl.game import BadUsage
from trutdsl.kept import keep_nothing


def bench(
    seconds: Annotated[
        float, typer.Option(metavar="S", help="About how long each rate is measured.")
    ] = 0.5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    no_cache: NoCache = False,
) -> None:
    """Measure deals per second, compile times, and Trut against hand-written C.

    The figures are of one run on this machine, with whatever else it does; the ratios are of runs
    that alternate.

    Example: trutdsl bench --seconds 0.2
    """
    from trutdsl.report.benchmark import benchmark

    if not 0 < seconds <= 60:
        raise BadUsage(f"--seconds must be above 0 and at most 60, not {seconds}")
    if no_cache:
        keep_nothing()
    errors = Console(stderr=True)
    with errors.status("bench") as status:
        figures = benchmark(
            seconds, lambda what: status.update(f"bench: {what}"), keep=not no_cache
        )
    if as_json:
        typer.echo(json.dumps(figures, indent=2, sort_keys=True))
    else:
        _show(figures)


def _show(figures: dict[str, Any]) -> None:
    console = Screen(highlight=False)
    table = Table("table", "deals/s", "compiled in, s", "from the cache, s")
    for name, rate in figures["deals_per_second"].items():
        compiled = figures["compile_seconds"][name]
        cached = f"{compiled['cached']:.2f}" if "cached" in compiled else "-"
        table.add_row(name, f"{rate:,.0f}", f"{compiled['cold']:.2f}", cached)
    console.print(table)
    for name, ratio in figures.get("native_over_c", {}).items():
        console.print(f"{name}: {ratio:.2f} of the speed of hand-written C, the same matches")
    for name, ratio in figures.get("script_over_c", {}).items():
        console.print(f"scripts {name}: {ratio:.2f} of the speed of C, the same matches of Trut")
    for name, ratio in sorted(figures["uniform_over_script"].items(), key=lambda one: one[1]):
        console.print(f"uniform is {ratio:.1f} times as fast as {name}, by deals")
    console.print(
        f"{figures['callback_decisions_per_second']:,.0f} decisions/s through a Python callback"
    )
    console.print(
        f"{figures['batch_decisions_per_second']:,.0f} decisions/s in a batch of 4,096 matches"
    )
    console.print(
        f"{figures['view_decisions_per_second']:,.0f} decisions/s of a strategy in Python, "
        f"{figures['array_decisions_per_second']:,.0f} of one that answers in arrays, "
        f"{figures['bot_decisions_per_second']:,.0f} of a bot at many tables"
    )
    console.print(
        f"{figures['play_outs_per_second']:,.0f} deals of Trut for two played on, for monte-carlo"
    )
    console.print(f"two processes are {figures['parallel_speedup']:.2f} times as fast as one")
    console.print(
        f"a chunk of a tournament takes {figures['runner_over_machine_code']:.3f} of the time "
        "of its matches, steady and caller"
    )
