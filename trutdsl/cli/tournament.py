"""`trutdsl tournament`: strategies meet each other on the same deals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TextIO

import typer

from trutdsl.arena.errors import RunStopped
from trutdsl.arena.folder import canonical_json
from trutdsl.cli.options import NoCache, Parameters, Players, Seed
from trutdsl.cli.output import own_output
from trutdsl.cli.progress import ScreenNotice
from trutdsl.cli.screen import Screen
from trutdsl.experiment import Notice, Outcome, hold, is_experiment, read_settings, show
from trutdsl.experiment.settings import BUDGETS, Means, Settings, split
from trutdsl.game import BadUsage
from trutdsl.kept import keep_nothing
from trutdsl.report.language import ENGLISH, say, speaking
from trutdsl.strategy import split_strategies

Ref = Annotated[
    str,
    typer.Argument(metavar="FILE|VARIANT", help="An experiment file, or a variant as elsewhere."),
]
Strategies = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Names or files, separated by commas.")
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="round-robin, one-against-all, partnerships, swiss, knock-out or ladder.",
    ),
]
Against = Annotated[
    str | None, typer.Option(metavar="A", help="Who plays all others, one-against-all.")
]
MetricName = Annotated[
    str | None,
    typer.Option(metavar="WHAT", help="Compare counters, not matches: '2 longs + petits'."),
]
Mode = Annotated[
    str | None, typer.Option(metavar="WHAT", help="Play matches or single deals; default: matches.")
]
StartScore = Annotated[
    list[str] | None,
    typer.Option("--score", metavar="NAME=A,B", help="Where single deals start; default: 0."),
]
Engine = Annotated[str | None, typer.Option(help="What plays the rules; default: native.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Show also how the numbers were worked out.")
]
Language = Annotated[str | None, typer.Option(metavar="LANG", help="Tell the results in en or fr.")]
CsvStyle = Annotated[
    str | None,
    typer.Option(metavar="STYLE", help="CSV as plain, or fr: semicolons, decimal commas."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print results.json instead of the table.")]
Jobs = Annotated[
    int | None, typer.Option(metavar="J", help="Worker processes; default: one per usable CPU.")
]
StartMethod = Annotated[
    str | None, typer.Option(metavar="HOW", help="Start workers by fork, forkserver or spawn.")
]
ExecutorName = Annotated[
    str | None, typer.Option("--executor", metavar="WHAT", help="What plays: local, or dask.")
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Of Dask's scheduler: tcp://HOST:PORT.")
]
Sets = Annotated[
    int | None,
    typer.Option(metavar="N", help="Sets of deals, each played under every seating."),
]
Matches = Annotated[
    int | None, typer.Option(metavar="M", help="Instead: as many sets as make M matches.")
]
Deals = Annotated[
    int | None, typer.Option(metavar="N", help="Instead: as many sets as make N deals.")
]
Time = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Instead: as many sets as can be begun in this time."),
]
ChunkSize = Annotated[
    int | None, typer.Option(metavar="N", help="Sets in a chunk of work; default: by time.")
]


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
        "lang": lang,
    }
    if no_cache:
        keep_nothing()
    settings, means = asked_for(variant, flags)
    shown = Shown(as_json, verbose, means.lang)
    run_and_show(lambda notice: hold(settings, means, notice), shown)


def asked_for(ref: str, flags: dict[str, Any]) -> tuple[Settings, Means]:
    """Return what a file says, or that it is about this variant, and over it what flags say."""
    given = read_settings(ref) if is_experiment(ref) else {"variant": ref}
    asked = {name: value for name, value in flags.items() if value is not None}
    if asked.keys() & set(BUDGETS):
        given = {name: value for name, value in given.items() if name not in BUDGETS}
    given |= asked
    if "strategies" not in given:
        raise BadUsage("--strategies is missing: which strategies are to meet?")
    return split(given)


class Shown(NamedTuple):
    """How results are shown: as JSON, or how much of them and in which language."""

    as_json: bool
    verbose: bool = False
    lang: str = ENGLISH


def run_and_show(play: Callable[[Notice], Outcome], shown: Shown) -> None:
    """Play with a notice on the terminal, and show what comes of it, or the standings so far."""
    notice = ScreenNotice()
    with own_output() as own, speaking(shown.lang):
        try:
            outcome = play(notice)
        except RunStopped as stopped:
            where = notice.folder
            assert where is not None
            _say(_tell_stopped(stopped, where))
            with suppress(BadUsage):  # nothing is finished
                show_outcome(show(where), own, shown._replace(as_json=False))
            raise typer.Exit(128 + stopped.signal) from None
        except KeyboardInterrupt:
            text = "stopped; what is finished is kept in {folder}"
            _say(say(text, folder=notice.folder) if notice.folder else say("stopped"))
            raise typer.Exit(130) from None
        show_outcome(outcome, own, shown)


def _tell_stopped(stopped: RunStopped, folder: Path) -> str:
    """Return in a sentence how far a run came, and how it goes on."""
    text = (
        "stopped: {done} of {all} sets are done and kept in {folder}; {command} goes on from there"
    )
    if stopped.of is None:
        text = "stopped: {done} sets are done and kept in {folder}; {command} goes on from there"
    command = f"trutdsl resume {folder}"
    return say(text, done=stopped.done, all=stopped.of, folder=folder, command=command)


def show_outcome(outcome: Outcome, out: TextIO, shown: Shown) -> None:
    """Print the standings, and below them the strategies that failed; or all of it as JSON."""
    if shown.as_json:
        typer.echo(canonical_json(outcome.results), out, nl=False)
        return
    from trutdsl.report.forfeits import forfeit_lines
    from trutdsl.report.standings import NARROWEST, show_standings

    console = Screen(file=out, highlight=False)
    if not console.is_terminal:
        console = Screen(file=out, highlight=False, width=NARROWEST)
    with speaking(shown.lang):
        show_standings(outcome.results, str(outcome.folder), console, shown.verbose)
        for line in forfeit_lines(outcome.results, outcome.called):
            typer.echo(line, out)


def split_names(strategies: str | None) -> tuple[str, ...] | None:
    """Return the strategies named in an option, if it is given."""
    if strategies is None:
        return None
    names = split_strategies(strategies)
    if not all(names):
        raise BadUsage(f"--strategies {strategies!r}: a name is missing between the commas")
    return tuple(names)


def _say(message: str) -> None:
    typer.echo(message, err=True)
