"""Commands for tournaments, and for the folders of runs and comparisons."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.options import (
    OF_TOURNAMENTS,
    DisplayOptions,
    PrintJson,
    Ref,
    SecondsPerChoice,
    takes,
)
from trutdsl.cli.output import (
    PAGE,
    check_page,
    note,
    own_output,
    print_json,
    print_lines,
    tell_stopped,
    write_page,
)
from trutdsl.diagnostics import BadUsage, Failure, RunStopped
from trutdsl.language import current_language, say, say_count, speaking
from trutdsl.options import BUDGETS, OPTIONS, SECONDS, Means, means_of

if TYPE_CHECKING:
    from trutdsl.tournaments.merge import Verification
    from trutdsl.tournaments.run import Notice, TournamentOutcome

# Commands import the engine in their functions, because `--help` does not need it.

Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


@takes(
    OF_TOURNAMENTS,
    "strategies players format against rounds mode score sets matches deals time metric precision "
    "test margin seed parameters move_timeout on_error jobs start_method executor scheduler chunk "
    "shard out csv_style parquet lang verbose seconds_per_choice "
    "json engine no_cache",
)
def tournament(variant: Ref, **flags: Any) -> None:
    """Let strategies meet each other on the same deals and say which are better.

    Every combination of strategies plays the same sets of deals, each with seats exchanged: 100,
    or as many as one of --sets, --matches, --deals and --time says. To continue a stopped run,
    repeat its command; if its seed was drawn, add the seed or --out. A file can hold all these
    settings: its keys are named like the options, and an option overrides it.

    Example: trutdsl tournament trut --strategies steady,caller,quiet --sets 200 --seed 7
    """
    from trutdsl.cli.progress import read_options, run_and_show
    from trutdsl.tournaments.run import run_tournament

    settings, means = read_options(variant, flags)
    display = _display_in(means.lang or current_language(), flags)
    run_and_show(lambda notice: run_tournament(settings, means, notice), display)


@takes(
    OF_TOURNAMENTS,
    "detect strategies players power pilot seed parameters mode score metric jobs lang as_json "
    "engine no_cache",
)
def plan_tournament(
    variant: Ref,
    detect: Annotated[
        float, typer.Option(metavar="X", help="The smallest difference to detect, such as 0.02.")
    ],
    power: Annotated[
        float, typer.Option(metavar="P", help="The share of such tournaments that detect it.")
    ] = 0.8,
    pilot: Annotated[int, typer.Option(metavar="N", help="Sets of deals in the pilot.")] = 100,
    as_json: PrintJson = False,
    **flags: Any,
) -> None:
    """Play a pilot and say how many sets, deals and minutes a tournament needs.

    Differences are between mean scores: 0.02 is 2 of 100 matches.

    Example: trutdsl plan trut --strategies steady,caller --detect 0.02
    """
    from trutdsl.cli.progress import ScreenNotice, read_options
    from trutdsl.report.tournament_text import forecast_lines
    from trutdsl.tournaments.api import plan

    settings, means = read_options(variant, flags)
    with own_output() as own, speaking(means.lang or current_language()):
        try:
            forecast = plan(settings, detect, power, pilot, means, ScreenNotice())
        except RunStopped as stopped:  # nothing of the pilot is kept
            tell_stopped(say("stopped"))
            raise typer.Exit(128 + stopped.signal) from None
        if as_json:
            print_json(forecast, own)
            return
        print_lines(forecast_lines(forecast), own)


MEANS = (
    "jobs start_method executor scheduler chunk csv_style parquet lang verbose seconds_per_choice "
    "json"
)
IN_ALL = OF_TOURNAMENTS | {
    name: replace(OPTIONS[name], help=text)
    for name, text in {
        "sets": "Sets of deals to play; in all.",
        "matches": "Matches to play; in all.",
        "deals": "Deals to play; in all.",
        "time": "Time to play; from now on.",
    }.items()
}


@takes(OF_TOURNAMENTS, MEANS)
def resume_run(run: Run, **flags: Any) -> None:
    """Resume a stopped tournament.

    The variant, the strategies and the program must be the same as when the run began.

    Example: trutdsl resume reports/trut-7
    """
    _go_on(run, {}, flags)


@takes(IN_ALL, f"sets matches deals time {MEANS}")
def extend(run: Run, **flags: Any) -> None:
    """Play more sets of a tournament; finished sets are not replayed.

    Example: trutdsl extend reports/trut-7 --sets 500
    """
    budget = {name: flags[name] for name in BUDGETS if flags[name] is not None}
    if not budget:
        raise BadUsage(
            say("extend needs --sets, --matches, --deals or --time: how much is it to be?")
        )
    _go_on(run, budget, flags)


def _go_on(run: Path, budget: Mapping[str, float], flags: Mapping[str, Any]) -> None:
    from trutdsl.cli.progress import run_and_show
    from trutdsl.tournaments.run import extend as extend_run

    means, display = means_of(flags), _display(run, flags)

    def play(notice: Notice) -> TournamentOutcome:
        outcome = extend_run(run, budget, means, notice)
        if budget and not notice.lengths:
            stop = outcome.results["stop"] or {}
            reached = stop.get("reached")
            is_precise = reached is not None and reached <= stop["precision"]
            if is_precise or stop.get("says", "open") != "open":
                note(say("nothing was added: the test or precision of this run has ended it"))
            else:
                note(say("nothing was added: all of it was played before"))
        return outcome

    run_and_show(play, display)


@takes(OF_TOURNAMENTS, "out csv_style parquet lang verbose seconds_per_choice json")
def merge_runs(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder of the results.")
    ],
    **flags: Any,
) -> None:
    """Merge runs of one experiment that were played separately, such as with --shard.

    Exits with 1 if sets are missing.

    Example: trutdsl merge part-1 part-2 part-3 --out whole
    """
    from trutdsl.cli.progress import show_outcome
    from trutdsl.tournaments.merge import merge

    means, display = means_of(flags), _display(runs[0], flags)
    result = merge(runs, out, note, means)
    with speaking(display.lang):
        if result.left_out:
            text = "{chunks} left out: other runs hold some of the same sets"
            chunks = say_count(result.left_out, "chunk", "chunks")
            note(say(text, chunks=chunks))
        if result.outcome is None:
            text = "{missing} missing; {command} plays what is"
            sets = say_count(result.missing, "set is", "sets are")
            command = f"trutdsl resume {out}"
            typer.echo(say(text, missing=sets, command=command), err=True)
            raise typer.Exit(1)
    with own_output() as own:
        show_outcome(result.outcome, own, display)


@takes(OF_TOURNAMENTS, "chunks jobs start_method lang as_json")
def verify_run(
    run: Run,
    chunks: Annotated[int, typer.Option(metavar="N", help="How many chunks to play again.")] = 5,
    as_json: PrintJson = False,
    **flags: Any,
) -> None:
    """Check that a run's journal is intact, and replay a random part of it.

    Example: trutdsl verify reports/trut-7 --chunks 20
    """
    from trutdsl.tournaments.merge import verify

    if chunks < 1:
        raise BadUsage(say("--chunks must be at least 1, not {chunks}", chunks=chunks))
    means, display = means_of(flags), _display(run, flags)
    result = verify(run, chunks, means, tell=note)
    if as_json:
        parts = {"played": result.chunks, "wrong": result.wrong}
        ranges = {name: [one._asdict() for one in part] for name, part in parts.items()}
        typer.echo(json.dumps({"run": str(run), **ranges}, indent=2))
    with speaking(display.lang):
        _fail_if_wrong(run, result)
        if as_json:
            return
        text = "{run}: ok, {chunks} played again ({sets}), all the same"
        of = say_count(len(result.chunks), "chunk", "chunks")
        sets = say_count(sum(chunk.sets for chunk in result.chunks), "set", "sets")
        typer.echo(say(text, run=run, chunks=of, sets=sets))


def _fail_if_wrong(run: Path, result: Verification) -> None:
    """Raise `Failure` if sets of a run gave another result."""
    if result.wrong:
        ends = ({"low": chunk.first, "high": chunk.end - 1} for chunk in result.wrong)
        sets = ", ".join(say("{low} to {high}", **each) for each in ends)
        text = "{run}: these sets give another result when they are replayed: {sets}"
        raise Failure(say(text, run=run, sets=sets))


@takes(OF_TOURNAMENTS, "lang verbose seconds_per_choice json")
def results(run: Run, **flags: Any) -> None:
    """Show the standings of a run, also of one that was stopped.

    Example: trutdsl results reports/trut-7
    """
    from trutdsl.cli.progress import show_outcome
    from trutdsl.tournaments.merge import show

    display, outcome = _display(run, flags), show(run)
    with own_output() as own:
        show_outcome(outcome, own, display)


def _display(run: Path, flags: Mapping[str, Any]) -> DisplayOptions:
    """Return the options of output; the language is that of the option, else of the folder."""
    from trutdsl.tournaments.stored_runs import load_stored_run

    lang = load_stored_run(run).going_on(Means(lang=flags["lang"])).lang or current_language()
    return _display_in(lang, flags)


def _display_in(lang: str, flags: Mapping[str, Any]) -> DisplayOptions:
    seconds = flags.get("seconds_per_choice", SECONDS)
    OF_TOURNAMENTS["seconds_per_choice"].check(seconds)
    return DisplayOptions(flags.get("json", False), flags.get("verbose", False), lang, seconds)


RESULTS = ("tournament", "compare", "sweep", "ambiguities")  # commands whose results are stored


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of a comparison or a tournament.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="FILE", help="Write this file; default: FOLDER/report.html."
        ),
    ] = None,
    play_again: Annotated[
        bool, typer.Option("--verify", help="Play again and compare; for a tournament, some of it.")
    ] = False,
    seconds: SecondsPerChoice = SECONDS,
) -> None:
    """Write the results of a comparison or a tournament as one HTML file, with figures.

    The file needs nothing else: it can be opened without a network, sent and printed.

    Example: trutdsl report reports/compare-trut-trut-gatinaise-1 -o gatinaise.html
    """
    from xml.etree.ElementTree import ParseError

    from trutdsl.cli.printed import are_printed
    from trutdsl.report.page import UnfitResults, write_up
    from trutdsl.tournaments.folder import read_given, read_manifest

    place = out or folder / PAGE
    _refuse_without_results(folder)
    check_page(place)
    replayed = None
    if play_again:
        from trutdsl.tournaments.folder import COMPARISONS
        from trutdsl.tournaments.merge import verify

        if any((folder / name).exists() for name in COMPARISONS):
            note(say("--verify is for a tournament; a comparison has already replayed a sample"))
        else:
            replayed = verify(folder, 1, by_seed=True)
    same = None if replayed is None else not replayed.wrong
    try:
        page = write_up(folder, current_language(), same, read_given(folder), seconds)
    except UnfitResults as unfit:
        # Names may hold characters that no page can contain.
        of_characters = isinstance(unfit.__cause__, ParseError | UnicodeEncodeError)
        if of_characters or not are_printed(unfit.content, RESULTS):
            raise
        if unfit.content.get("manifest") != read_manifest(folder):  # no type says what it holds
            raise
        text = (
            "{file}: its page cannot be written ({what}); the file has the form that trutdsl "
            "writes, so this is an error of trutdsl; please report it, with the file"
        )
        raise Failure(say(text, file=unfit.file, what=unfit.reason)) from unfit
    write_page(place, page)
    if replayed is not None:
        _fail_if_wrong(folder, replayed)


def _refuse_without_results(folder: Path) -> None:
    """Raise `BadUsage` if a folder is missing, or belongs to a run that was stopped."""
    from trutdsl.comparison.stored import CELLS
    from trutdsl.report.page import BEST_PLAY_RESULTS, COMPARISON, RUN
    from trutdsl.tournaments.folder import read_manifest, refuse_missing_folder
    from trutdsl.tournaments.journal import JOURNAL

    refuse_missing_folder(folder)
    if any((folder / name).exists() for name in (COMPARISON, BEST_PLAY_RESULTS, RUN)):
        return
    if (folder / JOURNAL).exists():
        text = "{folder} holds an unfinished tournament; `trutdsl resume {folder}` plays the rest"
        if "shard" in (read_manifest(folder) or {}):
            text = "{folder} holds a shard of a tournament; put all together with trutdsl merge"
        raise BadUsage(say(text, folder=folder))
    if (folder / CELLS).is_dir():
        text = "{folder} holds an unfinished comparison; the command that began it plays the rest"
        raise BadUsage(say(text, folder=folder))
