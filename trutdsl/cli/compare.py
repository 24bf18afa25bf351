"""`trutdsl compare`: what does it change to play by other rules?"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from trutdsl.cache import keep_nothing
from trutdsl.cli.compare_options import (
    Deals,
    Engine,
    Jobs,
    Json,
    Language,
    Margin,
    Out,
    Parameters,
    Primary,
    Sets,
    Strategies,
    asked_for,
    finish,
    folder_for,
    stoppable,
)
from trutdsl.cli.options import NoCache, Players, Seed
from trutdsl.cli.output import own_output
from trutdsl.cli.progress import CellProgress
from trutdsl.game import BadUsage
from trutdsl.report.language import ENGLISH, speaking


def compare_variants(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="BASE OTHER...|FILE",
            help="Variants, shipped or files, such as trut:goal=5; or an experiment file.",
        ),
    ],
    players: Players = None,
    strategies: Strategies = None,
    param: Parameters = None,
    deals: Deals = None,
    sets: Sets = None,
    margin: Margin = None,
    primary: Primary = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Do not take a variant apart into its points.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show every metric with its figures.")
    ] = False,
    seed: Seed = None,
    jobs: Jobs = None,
    out: Out = None,
    lang: Language = ENGLISH,
    as_json: Json = False,
    engine: Engine = "native",
    no_cache: NoCache = False,
) -> None:
    """Let the same strategies play the same deals by other rules, and say what differs.

    The first variant is the base. One that builds on it is taken apart: what does each of its
    rules and parameters do alone? An experiment file can say all this, too; an option goes before
    it.

    Example: trutdsl compare trut trut-gatinaise --players 4
    """
    flags = dict(locals())
    from trutdsl.cli.comparison_file import read_comparison
    from trutdsl.comparison.run_comparison import compare
    from trutdsl.report.comparison import comparison_lines
    from trutdsl.tournaments.load import is_experiment

    if no_cache:
        keep_nothing()
    names = variants
    if len(variants) == 1 and is_experiment(variants[0]):
        name, variants, flags = read_comparison(variants[0], flags)
        names = [name]
    if len(variants) < 2:
        raise BadUsage(
            "there is nothing to compare with: name two variants or more, or one under other "
            f"parameters, such as {variants[0]} {variants[0]}:goal=5"
        )
    asked = asked_for(variants, flags)
    folder = folder_for(out, "compare", names, asked)
    with own_output() as own, speaking(lang):
        with stoppable(folder, asked.seed), CellProgress() as progress:
            results = compare(asked, folder, jobs, progress)
        finish(results, folder, flags, partial(comparison_lines, every=every), own)
