"""`trutdsl simulate` and `coverage`: strategies play matches, and what is reached in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.match_progress import MatchProgress
from trutdsl.cli.options import (
    EngineName,
    Jobs,
    Mode,
    NoCache,
    Parameters,
    Players,
    PrintJson,
    SeatStrategies,
    SecondsPerChoice,
    Seed,
    StartScore,
    Variant,
)
from trutdsl.cli.output import (
    check_page,
    check_transcript,
    note,
    open_transcript,
    own_output,
    print_json,
    print_lines,
    stopped_code,
    store_page,
    tell_size,
    tell_stopped,
)
from trutdsl.diagnostics import BadUsage, did_you_mean, refuse_os_errors
from trutdsl.language import current_language, figure, mark, say
from trutdsl.options import DEALS, MATCHES, OPTIONS, SECONDS

if TYPE_CHECKING:
    from trutdsl.game import Game
    from trutdsl.strategy.coverage import Coverage
    from trutdsl.strategy.load import Spec
    from trutdsl.table.counts import Counts
    from trutdsl.transcript.events import Event

LARGEST_MATCH = 2**63


def simulate(
    variant: Variant,
    players: Players = None,
    strategies: SeatStrategies = "uniform",
    matches: Annotated[int, typer.Option(metavar="N", help="Matches to play.")] = 10,
    first: Annotated[
        int, typer.Option(metavar="I", help="The first match: 7 is match 8 of this seed.")
    ] = 0,
    seed: Seed = None,
    param: Parameters = None,
    transcript: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write every event as JSON lines, hidden cards too; - is standard output.",
        ),
    ] = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="Record all legal actions in the transcript.")
    ] = False,
    as_json: PrintJson = False,
    mode: Mode = None,
    score: StartScore = None,
    move_timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Processor time for one decision; default: no limit."),
    ] = None,
    seconds: SecondsPerChoice = SECONDS,
    every: Annotated[
        bool, typer.Option("--all", help="Leave nothing out; show every figure.")
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write this file; a page to print, .html."
        ),
    ] = None,
    jobs: Jobs = None,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Let strategies play matches, and say how long they last and who wins.

    With --mode deals single deals are played, each from the same score. Scripts play on all cores;
    programs, and matches for a transcript, on one. The figures are the same on any number. With
    -o, a page tells the answers, all figures, the rules and the strategies.

    Example: trutdsl simulate trut --players 4 --matches 20 --seed 7 --transcript matches.jsonl
    """
    from trutdsl.game import load_game, play_from
    from trutdsl.strategy.count import add_part
    from trutdsl.strategy.fitness import names_of, seat_all, split_strategies
    from trutdsl.strategy.load import settle_seed
    from trutdsl.strategy.threads import limit_workers

    if matches < 1:
        raise BadUsage(say("--matches must be at least 1, not {matches}", matches=matches))
    if not 0 <= first < LARGEST_MATCH:
        raise BadUsage(say("--first must be from 0 to 2**63-1, not {first}", first=first))
    _check(mode, score, transcript, move_timeout)
    if legal and transcript is None:
        raise BadUsage(say("--legal is for the transcript; it needs --transcript FILE"))
    if as_json and transcript == "-":
        raise BadUsage(say("--json and --transcript - both print; write the transcript to a file"))
    if page is not None:
        check_page(page)
    OPTIONS["jobs"].check(jobs)
    threads = limit_workers(jobs, note)
    game = load_game(variant, players, param or [], engine)
    if mode == DEALS:
        game = play_from(game, score or ())
    seating = seat_all(game, split_strategies(strategies))
    seed = settle_seed(seed, seating)
    clusters: list[Counts] = []
    clock: AbstractContextManager[object] = nullcontext()
    if move_timeout is not None:
        from trutdsl.tournaments.move_clock import OwnClock

        clock = OwnClock(seating, move_timeout)
    with own_output() as out:
        try:
            with clock:
                for part in _parts(
                    game, seating, seed, matches, first, threads, transcript, legal, out
                ):
                    add_part(clusters, *part)
        except KeyboardInterrupt:
            if not clusters:
                raise
        count = sum(counts["matches"] for counts in clusters)
        if transcript != "-" or page is not None:
            # This import takes longer than most commands.
            from trutdsl.report.simulation import simulation_figures

            figures = simulation_figures(game, names_of(seating), seed, clusters)
            html = ""
            if page is not None:
                from trutdsl.report.page import page_as_html
                from trutdsl.report.simulation_page import command_of_simulation, simulation_page

                command = command_of_simulation(
                    figures, variant, strategies, param or [], first, engine
                )
                make = partial(simulation_page, figures, game, seating, command, seconds)
                html = page_as_html(make, current_language())
                store_page(page, html)  # also if nobody reads what is printed
            if transcript == "-":
                pass
            elif as_json:
                print_json(figures, out)
            else:
                _print(figures, game, seconds, every, out)
            if page is not None:
                tell_size(page, html)
    if count < matches:
        text = "stopped: {done} of {matches} matches are finished"
        tell_stopped(say(text, done=figure(count, ","), matches=figure(matches, ",")))
        raise typer.Exit(stopped_code())


def _print(
    figures: Mapping[str, Any], game: Game, seconds: float, every: bool, out: IO[str]
) -> None:
    from trutdsl.report.blocks import Items, Section
    from trutdsl.report.simulation_text import played_blocks, simulation_answers, simulation_blocks
    from trutdsl.report.terminal import text_lines
    from trutdsl.variant import words_of

    words = words_of(game.variant, values=game.parameters)
    title = say("{variant}, {players} players", variant=words.title, players=game.players)
    items = [("", text) for text in simulation_answers(figures, words, seconds)]
    blocks = [Items(items), *simulation_blocks(figures, words, every)]
    footer = Section("", "", played_blocks(figures, words))
    print_lines(text_lines([Section("", title, blocks), footer]), out)


def _check(
    mode: str | None, score: list[str] | None, transcript: str | None, move_timeout: float | None
) -> None:
    if mode not in (None, MATCHES, DEALS):
        hint = did_you_mean(mode, (MATCHES, DEALS)) or say("choose matches, deals")
        raise BadUsage(say("--mode {mode}: {near}", mode=mode, near=hint))
    if score and mode != DEALS:
        raise BadUsage(say("--score is where single deals start from; it needs --mode deals"))
    if mode == DEALS and transcript is not None:
        raise BadUsage(say("--transcript is of whole matches, not of --mode deals"))
    if transcript is not None:
        check_transcript(transcript)
    OPTIONS["move_timeout"].check(move_timeout)


def _parts(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: int,
    first: int,
    jobs: int,
    transcript: str | None,
    legal: bool,
    out: IO[str],
) -> Iterator[tuple[int, Counts]]:
    from trutdsl.strategy.count import MatchCounter, cut_clusters
    from trutdsl.strategy.threads import count_in_threads

    if transcript is None:
        with MatchProgress(matches) as progress:
            for part in count_in_threads(game, seating, seed, matches, first, jobs):
                progress.add_counts(part[1])
                yield part
    else:
        from trutdsl.transcript.events import record_to

        names, counter = [spec.name for spec in seating], MatchCounter(game, seating, seed)
        with open_transcript(transcript, out) as file:
            for cluster, (begin, count) in enumerate(cut_clusters(matches, first)):
                for match in range(begin, begin + count):
                    recorder = record_to(file, game, names, seed, match, legal)
                    try:
                        counter.play(match, recorder)
                    finally:  # an error of the rules needs the cards of its deal
                        recorder.flush()
                    yield cluster, counter.take()


def coverage(
    variant: Variant,
    players: Players = None,
    strategies: SeatStrategies = "uniform",
    matches: Annotated[
        int, typer.Option(metavar="N", help="Matches to play; 0 for scenarios only.")
    ] = 1000,
    seed: Seed = None,
    param: Parameters = None,
    scenarios: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Scenarios of this variant count, too; repeatable."),
    ] = None,
    examples: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write the shortest deal of each part, as a transcript."),
    ] = None,
    own: Annotated[
        bool, typer.Option("--own", help="Show only the parts of the variant's own file.")
    ] = False,
    as_json: PrintJson = False,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Count how often play reaches each rule, option, branch and loop, those never reached first.

    For scripts, count each clause, too, in the first 100 matches. With --examples, write the
    shortest deal that reaches each part, for `trutdsl replay`.

    Example: trutdsl coverage trut --players 4 --matches 2000 --scenarios tests/scenarios/trut.yaml
    """
    from trutdsl.game import load_game
    from trutdsl.report.simulation import coverage_figures, coverage_lines, own_figures
    from trutdsl.scenario.run import cover_scenarios
    from trutdsl.strategy.coverage import MOST_CLAUSE_MATCHES, cover_clauses, cover_matches
    from trutdsl.strategy.fitness import names_of, seat_all, split_strategies
    from trutdsl.strategy.load import settle_seed
    from trutdsl.transcript.events import SEARCH_LIMIT, shortest_deals

    if matches < 0 or (not matches and not scenarios):
        text = "--matches must be at least 1, not {matches}, or 0 with --scenarios"
        raise BadUsage(say(text, matches=matches))
    game = load_game(variant, players, param or [], engine)
    seating = seat_all(game, split_strategies(strategies))
    seed = settle_seed(seed, seating)
    folder = _new_folder(examples) if examples is not None else None
    with own_output() as out:
        with MatchProgress(matches) as progress:
            result = cover_matches(game, seating, seed, matches, progress.add)
            clause_matches = min(matches, MOST_CLAUSE_MATCHES)
            clauses = cover_clauses(game, seating, seed, clause_matches)
        in_scenarios, many = cover_scenarios(game, [Path(name) for name in scenarios or ()])
        files = {}
        if folder is not None:
            with MatchProgress(min(matches, SEARCH_LIMIT)) as progress:
                deals = shortest_deals(game, seating, seed, result, progress.add)
            files = _write_deals(folder, deals, result)
        names = names_of(seating)
        figures = coverage_figures(
            game, names, seed, result, clauses, clause_matches, in_scenarios, many, files
        )
        if own:
            figures = own_figures(game, figures)
        if as_json:
            typer.echo(json.dumps(figures, indent=2), out)
        else:
            for line in coverage_lines(figures):
                typer.echo(line, out)


def _new_folder(name: str) -> Path:
    with refuse_os_errors(name, mark("{path} cannot be made: {strerror}")):
        try:
            Path(name).mkdir(parents=True)
        except FileExistsError:
            raise BadUsage(say("{name} exists already; name a new folder", name=name)) from None
    return Path(name)


def _write_deals(
    folder: Path, deals: Mapping[str, list[Event]], result: Coverage
) -> dict[str, str]:
    """Write each deal once, and return for each part the file of its deal."""
    from trutdsl.transcript.events import event_line

    files: dict[str, str] = {}
    paths: dict[tuple[Any, ...], str] = {}
    for name in result.parts:
        if name not in deals:
            continue
        events = deals[name]
        deal = max((e["deal"] for e in events if e["event"] == "deal"), default=0)
        key = events[0]["match"], deal
        if key not in paths:
            path = folder / f"match-{key[0] + 1}-deal-{deal + 1}.jsonl"
            with refuse_os_errors(path):
                path.write_text("".join(map(event_line, events)), encoding="utf-8")
            paths[key] = str(path)
        files[name] = paths[key]
    return files
