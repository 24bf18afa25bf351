"""`trutdsl compare`: what does it change to play by other rules?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.arena.folder import canonical_json, write_whole
from trutdsl.cli.cell_progress import CellProgress
from trutdsl.cli.options import NoCache
from trutdsl.cli.output import own_output
from trutdsl.game import BadUsage
from trutdsl.kept import keep_nothing

if TYPE_CHECKING:
    from trutdsl.comparison.compare import Margins

REPORTS = "reports"


def compare_variants(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="BASE OTHER...",
            help="Shipped variants or files; parameters behind a colon: trut:goal=5.",
        ),
    ],
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats at the table; default: the fewest.")
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Who plays; default: some that can play them all."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A parameter of every variant; can be repeated."),
    ] = None,
    deals: Annotated[
        int | None, typer.Option(metavar="N", help="Deals of each variant, at least; 200000.")
    ] = None,
    sets: Annotated[
        int | None, typer.Option(metavar="N", help="Sets of deals that each plays, instead.")
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[METRIC=]X",
            help="Which difference matters: of shares (0.01), or of a metric by its name.",
        ),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Do not take a variant apart into its points.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Show every metric with its figures.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="What all chance derives from.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Worker processes; default: one a CPU.")
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Where it is kept; reports/compare-...")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    engine: Annotated[str, typer.Option(metavar="ENGINE", help="native, or reference.")] = "native",
    no_cache: NoCache = False,
) -> None:
    """Let the same strategies play the same deals by other rules, and say what differs.

    The first variant is the base. One that builds on it is taken apart: what does each of its
    rules and parameters do alone?

    Example: trutdsl compare trut trut-gatinaise --players 4
    """
    from trutdsl.comparison.asked import DEALS, Asked
    from trutdsl.comparison.hold import compare
    from trutdsl.report.comparison import comparison_lines
    from trutdsl.report.comparison_tables import metrics_csv

    if no_cache:
        keep_nothing()
    if len(variants) < 2:
        raise BadUsage(
            "there is nothing to compare with: name two variants or more, or one under other "
            f"parameters, such as {variants[0]} {variants[0]}:goal=5"
        )
    if deals is not None and sets is not None:
        raise BadUsage("--deals and --sets are two ways to say how much is played; give one")
    for flag, number in (("--deals", deals), ("--sets", sets), ("--jobs", jobs)):
        if number is not None and number < 1:
            raise BadUsage(f"{flag} must be at least 1, not {number}")
    asked = Asked(
        variants=tuple(variants),
        players=players,
        parameters=tuple(param or ()),
        strategies=None if strategies is None else split(strategies),
        deals=deals or DEALS,
        sets=sets,
        seed=seed,
        margins=read_margins(margin or []),
        engine=engine,
        apart=not whole,
    )
    folder = Path(out or Path(REPORTS) / _name(variants, seed))
    with own_output() as own:
        with CellProgress() as progress:
            results = compare(asked, folder, jobs, progress)
        write_whole(folder / "comparison.json", canonical_json(results))
        write_whole(folder / "metrics.csv", metrics_csv(results))
        if as_json:
            typer.echo(json.dumps(results, indent=2, sort_keys=True), own)
            return
        for line in comparison_lines(results, every):
            typer.echo(line, own)
        typer.echo(f"Every figure: {folder / 'metrics.csv'}", own)


def read_margins(texts: list[str]) -> Margins:
    """Return which differences matter; raises `BadUsage` for what cannot be read."""
    from trutdsl.comparison.compare import OF_SHARES, Margins

    shares, by_name = OF_SHARES, dict[str, float]()
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 < value < float("inf"):
            raise BadUsage(
                f"--margin {text}: expected a number above 0, such as 0.02, or one for a metric, "
                "such as length.deals=0.5"
            )
        if name:
            by_name[name] = value
        else:
            shares = value
    return Margins(shares, by_name=by_name)


def split(text: str) -> tuple[str, ...]:
    """Return the strategies of a list with commas."""
    from trutdsl.strategy import split_strategies

    return tuple(split_strategies(text))


def _name(variants: list[str], seed: int) -> str:
    names = [Path(v).name.replace(".yaml", "").replace(":", "-") for v in variants]
    return f"compare-{'-'.join(names)}-{seed}"[:120]
