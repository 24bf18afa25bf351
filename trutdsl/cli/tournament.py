"""`trutdsl tournament`: strategies meet each other on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from trutdsl.cache import keep_nothing
from trutdsl.cli.options import (
    Against,
    AsJson,
    ChunkSize,
    CsvStyle,
    Deals,
    Engine,
    ExecutorName,
    FormatName,
    Jobs,
    Language,
    Matches,
    MetricName,
    Mode,
    NoCache,
    Parameters,
    Parquet,
    Players,
    Ref,
    Scheduler,
    Seed,
    Sets,
    StartMethod,
    StartScore,
    Strategies,
    Time,
    Verbose,
)
from trutdsl.report.language import ENGLISH


def tournament(
    variant: Ref,
    strategies: Strategies = None,
    players: Players = None,
    format_name: FormatName = None,
    against: Against = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="N", help="How many, in a swiss or a ladder.")
    ] = None,
    mode: Mode = None,
    score: StartScore = None,
    sets: Sets = None,
    matches: Matches = None,
    deals: Deals = None,
    time: Time = None,
    metric: MetricName = None,
    precision: Annotated[
        float | None,
        typer.Option(metavar="X", help="Stop once every difference is known to +- X."),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Stop once it is decided whether A is better than B."),
    ] = None,
    margin: Annotated[
        float | None, typer.Option(metavar="X", help="How much better, with --test: 0.02.")
    ] = None,
    seed: Seed = None,
    param: Parameters = None,
    move_timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Processor time for one decision; default: 10."),
    ] = None,
    on_error: Annotated[
        str | None,
        typer.Option(metavar="HOW", help="A strategy that fails: forfeit its match, or stop."),
    ] = None,
    jobs: Jobs = None,
    start_method: StartMethod = None,
    executor: ExecutorName = None,
    scheduler: Scheduler = None,
    chunk: ChunkSize = None,
    shard: Annotated[
        str | None, typer.Option(metavar="K/N", help="Play one part of N, to be merged.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The run's folder; default: reports/NAME-SEED."),
    ] = None,
    csv_style: CsvStyle = None,
    parquet: Parquet = None,
    lang: Language = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
    engine: Engine = None,
    no_cache: NoCache = False,
) -> None:
    """Let strategies meet each other on the same deals and say which are better.

    Every combination of strategies plays the same sets of deals, each with seats exchanged: 100,
    or as many as one of --sets, --matches, --deals and --time says.
    A run that was stopped goes on when the same command is given again, with its seed or --out
    where that was drawn. A file can say all this,
    too; each key of it is called as the option is, and an option goes before it.

    Example: trutdsl tournament trut --strategies steady,caller,quiet --sets 200 --seed 7
    """
    # They load the engine: nobody waits for that who asks for help.
    from trutdsl.cli.run_and_show import DisplayOptions, asked_for, run_and_show, split_names
    from trutdsl.tournaments.run import run_tournament

    flags: dict[str, Any] = {
        "players": players,
        "parameters": tuple(param) if param else None,
        "strategies": split_names(strategies),
        "format": format_name,
        "against": against,
        "rounds": rounds,
        "mode": mode,
        "score": tuple(score) if score else None,
        "sets": sets,
        "matches": matches,
        "deals": deals,
        "time": time,
        "metric": metric,
        "precision": precision,
        "test": split_names(test),
        "margin": margin,
        "seed": seed,
        "engine": engine,
        "move_timeout": move_timeout,
        "on_error": on_error,
        "out": str(out) if out is not None else None,
        "jobs": jobs,
        "start_method": start_method,
        "executor": executor,
        "scheduler": scheduler,
        "chunk": chunk,
        "shard": shard,
        "csv_style": csv_style,
        "parquet": parquet,
        "lang": lang,
    }
    if no_cache:
        keep_nothing()
    settings, means = asked_for(variant, flags)
    shown = DisplayOptions(as_json, verbose, means.lang or ENGLISH)
    run_and_show(lambda notice: run_tournament(settings, means, notice), shown)
