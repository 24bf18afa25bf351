"""`trutdsl tournament`: strategies meet each other on the same deals."""

from __future__ import annotations

from typing import Any

from trutdsl.cache import keep_nothing
from trutdsl.cli.options import OF_TOURNAMENTS, Ref, takes
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
    # They load the engine: nobody waits for that who asks for help.
    from trutdsl.cli.run_and_show import DisplayOptions, asked_for, run_and_show
    from trutdsl.tournaments.run import run_tournament

    if given["no_cache"]:
        keep_nothing()
    settings, means = asked_for(variant, given)
    shown = DisplayOptions(given["json"], given["verbose"], means.lang or ENGLISH)
    run_and_show(lambda notice: run_tournament(settings, means, notice), shown)
