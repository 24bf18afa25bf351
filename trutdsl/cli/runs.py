"""`trutdsl resume`, `extend`, `merge`, `verify` and `results`: commands for a run's folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.options import OF_TOURNAMENTS, takes
from trutdsl.cli.output import own_output
from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.options import BUDGETS, OPTIONS, Means, means_of
from trutdsl.report.language import ENGLISH, say, say_count, speaking

if TYPE_CHECKING:
    from trutdsl.cli.run_and_show import DisplayOptions

# Commands import the engine in their functions, because `--help` does not need it.

_print_error = partial(typer.echo, err=True)
Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


MEANS = "jobs start_method executor scheduler chunk csv_style parquet lang verbose json"
IN_ALL = OF_TOURNAMENTS | {
    name: replace(OPTIONS[name], help=text)
    for name, text in {
        "sets": "Sets of deals in all, those that are there too.",
        "matches": "Instead: matches in all.",
        "deals": "Instead: deals in all.",
        "time": "Instead: for how long to go on.",
    }.items()
}


@takes(OF_TOURNAMENTS, MEANS)
def resume_run(run: Run, **given: Any) -> None:
    """Go on with a tournament that was stopped.

    Refused if variant, strategies or program are no longer those that it was begun with.

    Example: trutdsl resume reports/trut-7
    """
    _go_on(run, {}, given)


@takes(IN_ALL, f"sets matches deals time {MEANS}")
def extend(run: Run, **given: Any) -> None:
    """Play more of a tournament; what is there is not played again.

    Example: trutdsl extend reports/trut-7 --sets 500
    """
    budget = {name: given[name] for name in BUDGETS if given[name] is not None}
    if not budget:
        raise BadUsage("extend needs --sets, --matches, --deals or --time: how much is it to be?")
    _go_on(run, budget, given)


def _go_on(run: Path, budget: Mapping[str, float], given: Mapping[str, Any]) -> None:
    from trutdsl.cli.run_and_show import run_and_show
    from trutdsl.tournaments.run import extend as extend_run

    means = means_of(given)
    shown = _display(run, given)
    run_and_show(lambda notice: extend_run(run, budget, means, notice), shown)


@takes(OF_TOURNAMENTS, "out csv_style parquet lang verbose json")
def merge_runs(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the whole run.")],
    **given: Any,
) -> None:
    """Put runs of one experiment together that were made apart, such as with --shard.

    Example: trutdsl merge part-1 part-2 part-3 --out whole
    """
    from trutdsl.cli.run_and_show import show_outcome
    from trutdsl.tournaments.merge import merge

    means = means_of(given)
    shown = _display(runs[0], given)
    merged = merge(runs, out, _print_error, means)
    with speaking(shown.lang):
        if merged.left_out:
            text = "{chunks} left out: other runs hold some of the same sets"
            chunks = say_count(merged.left_out, "chunk", "chunks")
            _print_error(say(text, chunks=chunks))
        if merged.outcome is None:
            text = "{missing} missing; {command} plays what is"
            missing = say_count(merged.missing, "set is", "sets are")
            command = f"trutdsl resume {out}"
            _print_error(say(text, missing=missing, command=command))
            return
    with own_output() as own:
        show_outcome(merged.outcome, own, shown)


@takes(OF_TOURNAMENTS, "chunks jobs start_method lang")
def verify_run(
    run: Run,
    chunks: Annotated[int, typer.Option(metavar="N", help="How many chunks to play again.")] = 5,
    **given: Any,
) -> None:
    """Look whether a run's journal is whole, and play some of it again, picked at random.

    Example: trutdsl verify reports/trut-7 --chunks 20
    """
    from trutdsl.tournaments.merge import verify

    if chunks < 1:
        raise BadUsage(f"--chunks must be at least 1, not {chunks}")
    means = means_of(given)
    language = _language(run, means.lang)
    found = verify(run, chunks, means, say=_print_error)
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


@takes(OF_TOURNAMENTS, "lang verbose json")
def results(run: Run, **given: Any) -> None:
    """Show the standings of a run, also of one that was stopped.

    Example: trutdsl results reports/trut-7
    """
    from trutdsl.cli.run_and_show import show_outcome
    from trutdsl.tournaments.merge import show

    shown = _display(run, given)
    outcome = show(run, _print_error)
    with own_output() as own:
        show_outcome(outcome, own, shown)


def _display(run: Path, given: Mapping[str, Any]) -> DisplayOptions:
    from trutdsl.cli.run_and_show import DisplayOptions

    return DisplayOptions(given["json"], given["verbose"], _language(run, given["lang"]))


def _language(run: Path, lang: str | None) -> str:
    """Return the language of the option, else of the run's folder, else English."""
    from trutdsl.tournaments.stored import begun_with

    return begun_with(run).going_on(Means(lang=lang)).lang or ENGLISH
