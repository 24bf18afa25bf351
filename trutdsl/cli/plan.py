"""`trutdsl plan`: how large a tournament has to be."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from trutdsl.cache import keep_nothing
from trutdsl.cli.options import OF_TOURNAMENTS, Ref, takes
from trutdsl.diagnostics import RunStopped


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
    # They load the engine: nobody waits for that who asks for help.
    from trutdsl.cli.output import own_output
    from trutdsl.cli.progress import ScreenNotice
    from trutdsl.cli.run_and_show import asked_for
    from trutdsl.report.language import ENGLISH, say, speaking
    from trutdsl.report.tournament_text import forecast_lines
    from trutdsl.tournaments.api import plan

    if given["no_cache"]:
        keep_nothing()
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
