"""`trutdsl sweep` and `trutdsl ambiguities`: what do a variant's parameters change?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from trutdsl.cache import keep_nothing
from trutdsl.cli.compare_options import asked_for, finish, folder_for, stoppable
from trutdsl.cli.options import OF_COMPARISONS, Parameters, takes
from trutdsl.cli.output import own_output
from trutdsl.cli.progress import CellProgress
from trutdsl.report.language import speaking

Ref = Annotated[str, typer.Argument(metavar="VARIANT", help="A shipped variant, or a file.")]
SHARED = "players strategies deals sets margin seed jobs out lang json engine no_cache"


@takes(OF_COMPARISONS, f"param metric {SHARED}")
def sweep_parameters(
    variant: Ref,
    param: Annotated[
        list[str],
        typer.Option(metavar="NAME=VALUES", help="goal=3..9, or leader=A,B; several make a grid."),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What is shown, as in metrics.csv; can be repeated."),
    ] = None,
    **given: Any,
) -> None:
    """Play a variant with every combination of some parameters, and say what each changes.

    What was played before in the same folder is not played again.

    Example: trutdsl sweep trut --param goal=3..9
    """
    from trutdsl.comparison.sweep import sweep
    from trutdsl.report.sweep import sweep_lines

    if given["no_cache"]:
        keep_nothing()
    asked = replace(asked_for([variant], given), wanted=tuple(metric or ()))
    folder = folder_for(given["out"], "sweep", [variant, *param], asked)
    with own_output() as own, speaking(given["lang"]):
        with stoppable(folder, asked.seed), CellProgress() as progress:
            results = sweep(asked, param, folder, given["jobs"], progress)
        finish(results, folder, given, sweep_lines, own)


@takes(OF_COMPARISONS, f"param {SHARED}")
def list_ambiguities(variant: Ref, param: Parameters = None, **given: Any) -> None:
    """Play every other reading of what the sources leave open, and say which of them matters.

    These are the parameters that a variant marks as a choice, each against its default.

    Example: trutdsl ambiguities truc-catalan
    """
    from trutdsl.comparison.sweep import ambiguities
    from trutdsl.report.sweep import ambiguity_lines

    if given["no_cache"]:
        keep_nothing()
    if param:  # of the variant itself, so that another reading can take the place of one
        variant += ("," if ":" in variant else ":") + ",".join(param)
    asked = asked_for([variant], given)
    folder = folder_for(given["out"], "ambiguities", [variant], asked)
    with own_output() as own, speaking(given["lang"]):
        with stoppable(folder, asked.seed), CellProgress() as progress:
            results = ambiguities(asked, folder, given["jobs"], progress)
        finish(results, folder, given, ambiguity_lines, own)
