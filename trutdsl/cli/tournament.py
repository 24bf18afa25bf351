"""`trutdsl tournament` and `plan`: strategies meet on the same deals; how many it takes."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from trutdsl.cli.options import OF_TOURNAMENTS, Ref, takes
from trutdsl.diagnostics import RunStopped
from trutdsl.report.language import ENGLISH


@takes(
    OF_TOURNAMENTS,
    "strategies players format against rounds mode score sets matches deals time metric precision "
    "test margin seed parameters move_timeout on_error jobs start_method executor scheduler chunk "
    "shard out csv_style parquet lang verbose json engine no_cache",
)
def tournament(variant: Ref, **given: Any) -> None:
    """Let strategies meet each other on the same deals and say which are better.

    Every combination of strategies plays the same sets of deals, each with seats exchanged: 100,
    or as many as one of --sets, --matches, --deals and --time says.
    A run that was stopped goes on when the same command is given again, with its seed or --out
    where that was drawn. A file can say all this,
    too; each key of it is called as the option is, and an option goes before it.

    Example: trutdsl tournament trut --strategies steady,caller,quiet --sets 200 --seed 7
    """
    # These load the engine, which `--help` does not need.
    from trutdsl.cli.run_and_show import DisplayOptions, asked_for, run_and_show
    from trutdsl.tournaments.run import run_tournament

    settings, means = asked_for(variant, given)
    shown = DisplayOptions(given["json"], given["verbose"], means.lang or ENGLISH)
    run_and_show(lambda notice: run_tournament(settings, means, notice), shown)


@takes(
    OF_TOURNAMENTS,
    "detect strategies players power pilot seed parameters mode score metric jobs lang as_json "
    "engine no_cache",
)
def plan_tournament(
    variant: Ref,
    detect: Annotated[
        float, typer.Option(metavar="X", help="The least difference to be seen, such as 0.02.")
    ],
    power: Annotated[
        float, typer.Option(metavar="P", help="In what share of such tournaments it is seen.")
    ] = 0.8,
    pilot: Annotated[
        int, typer.Option(metavar="N", help="Sets of deals that are played to find out.")
    ] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="Print the forecast as JSON.")] = False,
    **given: Any,
) -> None:
    """Play a pilot and say how many sets, deals and minutes a tournament needs.

    A difference is one of mean scores: 0.02 are 2 of 100 matches.

    Example: trutdsl plan trut --strategies steady,caller --detect 0.02
    """
    from trutdsl.cli.output import own_output
    from trutdsl.cli.progress import ScreenNotice
    from trutdsl.cli.run_and_show import asked_for
    from trutdsl.report.language import say, speaking
    from trutdsl.report.tournament_text import forecast_lines
    from trutdsl.tournaments.api import plan

    settings, means = asked_for(variant, given)
    with own_output() as own, speaking(means.lang or ENGLISH):
        try:
            forecast = plan(settings, detect, power, pilot, means, ScreenNotice())
        except RunStopped as stopped:  # nothing of the pilot is kept
            typer.echo(say("stopped"), err=True)
            raise typer.Exit(128 + stopped.signal) from None
        if as_json:
            typer.echo(json.dumps(forecast, indent=2, sort_keys=True), own)
            return
        for line in forecast_lines(forecast):
            typer.echo(line, own)
