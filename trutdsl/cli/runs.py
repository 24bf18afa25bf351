"""`trutdsl resume`, `extend`, `merge`, `verify` and `results`: what a run's folder is good for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import (
    AsJson,
    ChunkSize,
    CsvStyle,
    ExecutorName,
    Jobs,
    Language,
    Parquet,
    Scheduler,
    StartMethod,
    Verbose,
)
from trutdsl.cli.output import own_output
from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.report.language import ENGLISH, say, say_count, speaking

if TYPE_CHECKING:
    from trutdsl.tournaments.options import Means

# What a command needs to do its work is loaded in it: nobody waits for that who asks for help.

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


def resume_run(
    run: Run,
    jobs: Jobs = None,
    start_method: StartMethod = None,
    executor: ExecutorName = None,
    scheduler: Scheduler = None,
    chunk: ChunkSize = None,
    csv_style: CsvStyle = None,
    parquet: Parquet = None,
    lang: Language = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Go on with a tournament that was stopped.

    Refused if variant, strategies or program are no longer those that it was begun with.

    Example: trutdsl resume reports/trut-7
    """
    from trutdsl.cli.run_and_show import DisplayOptions, run_and_show
    from trutdsl.tournaments.run import resume

    means = _means(jobs, start_method, chunk, csv_style, parquet, lang, executor, scheduler)
    shown = DisplayOptions(as_json, verbose, _language(run, lang))
    run_and_show(lambda notice: resume(run, means, notice), shown)


def extend(
    run: Run,
    sets: Annotated[
        int | None,
        typer.Option(metavar="N", help="Sets of deals in all, those that are there too."),
    ] = None,
    matches: Annotated[
        int | None, typer.Option(metavar="M", help="Instead: matches in all.")
    ] = None,
    deals: Annotated[int | None, typer.Option(metavar="N", help="Instead: deals in all.")] = None,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Instead: for how long to go on.")
    ] = None,
    jobs: Jobs = None,
    start_method: StartMethod = None,
    executor: ExecutorName = None,
    scheduler: Scheduler = None,
    chunk: ChunkSize = None,
    csv_style: CsvStyle = None,
    parquet: Parquet = None,
    lang: Language = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Play more of a tournament; what is there is not played again.

    Example: trutdsl extend reports/trut-7 --sets 500
    """
    from trutdsl.cli.run_and_show import DisplayOptions, run_and_show
    from trutdsl.tournaments.run import extend as extend_run

    given = {"sets": sets, "matches": matches, "deals": deals, "time": time}
    budget = {name: value for name, value in given.items() if value is not None}
    if not budget:
        raise BadUsage("extend needs --sets, --matches, --deals or --time: how much is it to be?")
    means = _means(jobs, start_method, chunk, csv_style, parquet, lang, executor, scheduler)
    shown = DisplayOptions(as_json, verbose, _language(run, lang))
    run_and_show(lambda notice: extend_run(run, budget, means, notice), shown)


def merge_runs(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the whole run.")],
    csv_style: CsvStyle = None,
    parquet: Parquet = None,
    lang: Language = None,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Put runs of one experiment together that were made apart, such as with --shard.

    Example: trutdsl merge part-1 part-2 part-3 --out whole
    """
    from trutdsl.cli.run_and_show import DisplayOptions, show_outcome
    from trutdsl.tournaments.merge import merge
    from trutdsl.tournaments.options import Means

    means = Means(csv_style=csv_style, lang=lang, parquet=parquet)
    shown = DisplayOptions(as_json, verbose, _language(runs[0], lang))
    merged = merge(runs, out, lambda text: typer.echo(text, err=True), means)
    with speaking(shown.lang):
        if merged.left_out:
            text = "{chunks} left out: other runs hold some of the same sets"
            chunks = say_count(merged.left_out, "chunk", "chunks")
            typer.echo(say(text, chunks=chunks), err=True)
        if merged.outcome is None:
            text = "{missing} missing; {command} plays what is"
            missing = say_count(merged.missing, "set is", "sets are")
            command = f"trutdsl resume {out}"
            typer.echo(say(text, missing=missing, command=command), err=True)
            return
    with own_output() as own:
        show_outcome(merged.outcome, own, shown)


def verify_run(
    run: Run,
    chunks: Annotated[int, typer.Option(metavar="N", help="How many chunks to play again.")] = 5,
    jobs: Jobs = None,
    start_method: StartMethod = None,
    lang: Language = None,
) -> None:
    """Look whether a run's journal is whole, and play some of it again, picked at random.

    Example: trutdsl verify reports/trut-7 --chunks 20
    """
    from trutdsl.tournaments.merge import verify
    from trutdsl.tournaments.options import Means

    if chunks < 1:
        raise BadUsage(f"--chunks must be at least 1, not {chunks}")
    language = _language(run, lang)
    means = Means(jobs=jobs, start_method=start_method)
    found = verify(run, chunks, means, say=lambda text: typer.echo(text, err=True))
    with speaking(language):
        if found.wrong:
            ends = ({"low": chunk.first, "high": chunk.beyond - 1} for chunk in found.wrong)
            sets = ", ".join(say("{low} to {high}", **each) for each in ends)
            text = "{run}: played again, these sets come out otherwise: {sets}"
            raise Failure(say(text, run=run, sets=sets))
        text = "{run}: ok, {chunks} played again ({sets}), all the same"
        of = say_count(len(found.played), "chunk", "chunks")
        sets = say_count(sum(chunk.sets for chunk in found.played), "set", "sets")
        typer.echo(say(text, run=run, chunks=of, sets=sets))


def results(
    run: Run, lang: Language = None, verbose: Verbose = False, as_json: AsJson = False
) -> None:
    """Show the standings of a run, also of one that was stopped.

    Example: trutdsl results reports/trut-7
    """
    from trutdsl.cli.run_and_show import DisplayOptions, show_outcome
    from trutdsl.tournaments.merge import show

    language = _language(run, lang)
    outcome = show(run, lambda text: typer.echo(text, err=True))
    with own_output() as own:
        show_outcome(outcome, own, DisplayOptions(as_json, verbose, language))


def _language(run: Path, said: str | None) -> str:
    """Return the language that is said, else the one that a run keeps."""
    from trutdsl.tournaments.options import Means
    from trutdsl.tournaments.stored import begun_with

    return begun_with(run).going_on(Means(lang=said)).lang or ENGLISH


def _means(
    jobs: int | None,
    start_method: str | None,
    chunk: int | None,
    csv_style: str | None,
    parquet: bool | None,
    lang: str | None,
    executor: str | None,
    scheduler: str | None,
) -> Means:
    """Return by what means a run goes on."""
    from trutdsl.tournaments.options import LOCAL, Means

    return Means(
        jobs=jobs,
        start_method=start_method,
        chunk=chunk,
        csv_style=csv_style,
        parquet=parquet,
        lang=lang,
        executor=executor or LOCAL,
        scheduler=scheduler,
    )
