"""`trutdsl compare`: what does it change to play by other rules?"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from trutdsl.cache import keep_nothing
from trutdsl.cli.compare_options import asked_for, finish, folder_for, stoppable
from trutdsl.cli.options import OF_COMPARISONS, takes
from trutdsl.cli.output import own_output
from trutdsl.cli.progress import CellProgress
from trutdsl.game import BadUsage
from trutdsl.report.language import speaking


@takes(
    OF_COMPARISONS,
    "players strategies parameters deals sets margin primary whole every seed jobs out lang json "
    "engine no_cache",
)
def compare_variants(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="BASE OTHER...|FILE",
            help="Variants, shipped or files, such as trut:goal=5; or an experiment file.",
        ),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Show every metric with its figures.")
    ] = False,
    **given: Any,
) -> None:
    """Let the same strategies play the same deals by other rules, and say what differs.

    The first variant is the base. One that builds on it is taken apart: what does each of its
    rules and parameters do alone? An experiment file can say all this, too; an option goes before
    it.

    Example: trutdsl compare trut trut-gatinaise --players 4
    """
    from trutdsl.cli.comparison_file import read_comparison
    from trutdsl.comparison.run_comparison import compare
    from trutdsl.report.comparison import comparison_lines
    from trutdsl.tournaments.load import is_experiment

    if given["no_cache"]:
        keep_nothing()
    names = variants
    if len(variants) == 1 and is_experiment(variants[0]):
        name, variants, given = read_comparison(variants[0], given)
        names = [name]
    if len(variants) < 2:
        raise BadUsage(
            "there is nothing to compare with: name two variants or more, or one under other "
            f"parameters, such as {variants[0]} {variants[0]}:goal=5"
        )
    asked = asked_for(variants, given)
    folder = folder_for(given["out"], "compare", names, asked)
    with own_output() as own, speaking(given["lang"]):
        with stoppable(folder, asked.seed), CellProgress() as progress:
            results = compare(asked, folder, given["jobs"], progress)
        finish(results, folder, given, partial(comparison_lines, every=every), own)
