"""`trutdsl tournament`: strategies meet each other on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from trutdsl.arena.errors import RunStopped
from trutdsl.arena.folder import RUN_LOG, canonical_json, open_folder
from trutdsl.arena.log import run_log
from trutdsl.arena.run import play_missing
from trutdsl.arena.schedule import Experiment, plan_experiment
from trutdsl.arena.signals import StopRequest
from trutdsl.arena.workers import usable_cpus
from trutdsl.cli.options import NoCache
from trutdsl.cli.output import Screen, own_output
from trutdsl.game import BadUsage, load_game
from trutdsl.kept import keep_nothing
from trutdsl.strategy import load_strategy


def tournament(
    variant: Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")],
    strategies: Annotated[
        str, typer.Option(metavar="A,B,...", help="Names or files, separated by commas.")
    ],
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats at the table; default: the fewest.")
    ] = None,
    matches: Annotated[
        int,
        typer.Option(metavar="M", help="Sets of deals; each is played under every seating."),
    ] = 100,
    seed: Annotated[int, typer.Option(metavar="S", help="What all chance derives from.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="J", help="Worker processes; default: one per usable CPU."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Set a variant's parameter; repeatable."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The run's folder; default: reports/NAME-SEED."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print results.json instead of the table.")
    ] = False,
    engine: Annotated[str, typer.Option(help="What plays the rules.")] = "native",
    no_cache: NoCache = False,
) -> None:
    """Let strategies meet each other on the same deals and say which are better.

    Every combination of strategies plays the same M sets of deals, each with seats exchanged.
    A run that was stopped goes on when the same command is given again.

    Example: trutdsl tournament trut --strategies steady,caller,quiet --matches 200 --seed 7
    """
    if jobs is not None and jobs < 1:
        raise BadUsage(f"--jobs must be at least 1, not {jobs}")
    if no_cache:
        keep_nothing()
    folder = None
    try:
        game = load_game(variant, players, param or [], engine)
        _ = game.program  # built once here, not once in every worker
        given = [load_strategy(name) for name in _split(strategies)]
        experiment = plan_experiment(game, given, seed, matches)
        folder = out or Path("reports") / f"{game.name}-{seed}"
        with own_output() as own:
            results = play_tournament(experiment, folder, jobs or usable_cpus())
            if as_json:
                typer.echo(canonical_json(results), own, nl=False)
            else:
                _show(results, folder, own)
    except KeyboardInterrupt:
        _say("stopped" + (f"; what is finished is kept in {folder}" if folder else ""))
        raise typer.Exit(130) from None
    except RunStopped as stopped:
        _say(f"{stopped} in {folder}; the same command goes on from there")
        raise typer.Exit(128 + stopped.signal) from None


def play_tournament(experiment: Experiment, folder: Path, jobs: int) -> dict[str, Any]:
    """Play what the folder does not hold yet, write the results there and return them."""
    with StopRequest() as stop:
        return _play_and_write(experiment, folder, jobs, stop)


def _play_and_write(
    experiment: Experiment, folder: Path, jobs: int, stop: StopRequest
) -> dict[str, Any]:
    # Loaded here, because pandas and scipy take longer than most commands.
    from trutdsl.report.files import write_results
    from trutdsl.report.manifest import describe_experiment
    from trutdsl.report.results import collect_results
    from trutdsl.stats.summary import summarize
    from trutdsl.stats.tally import Tally, count_sets, fits_experiment, merge_all

    manifest = describe_experiment(experiment)
    with (
        open_folder(folder, manifest, partial(fits_experiment, experiment), _say) as journal,
        run_log(folder / RUN_LOG),
        _progress(experiment.sets, journal.sets_done()) as progress,
    ):
        play_missing(experiment, count_sets, journal, jobs, stop, progress)
        tally = merge_all(Tally.from_counts(counts) for counts in journal.counts())
    names = [strategy.name for strategy in experiment.strategies]
    results = collect_results(manifest, summarize(experiment, tally), tally, names)
    write_results(folder, results)
    return results


def _split(strategies: str) -> list[str]:
    names = [name.strip() for name in strategies.split(",")]
    if not all(names):
        raise BadUsage(f"--strategies {strategies!r}: a name is missing between the commas")
    return names


def _say(message: str) -> None:
    typer.echo(message, err=True)


def _show(results: dict[str, Any], folder: Path, out: TextIO) -> None:
    from trutdsl.report.standings import NARROWEST, show_standings

    console = Screen(file=out, highlight=False)
    if not console.is_terminal:
        console = Screen(file=out, highlight=False, width=NARROWEST)
    show_standings(results, str(folder), console)


@contextmanager
def _progress(sets: int, done: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal; the block is given what to call with each number of sets done."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("sets"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Drawn only when something is finished: no thread of its own, which a fork would not copy.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("sets", total=sets, completed=done)
        bar.refresh()

        def advance(number: int) -> None:
            bar.advance(task, number)
            bar.refresh()

        yield advance
