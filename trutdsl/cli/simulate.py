"""`trutdsl simulate`: strategies play some matches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Annotated

import typer

from trutdsl.cli.exits import stopped_code
from trutdsl.cli.match_progress import MatchProgress
from trutdsl.cli.options import (
    EngineName,
    Mode,
    NoCache,
    Parameters,
    Players,
    PrintFigures,
    SeatStrategies,
    Seed,
    StartScore,
    Variant,
)
from trutdsl.cli.output import open_transcript, own_output
from trutdsl.diagnostics import did_you_mean
from trutdsl.game import BadUsage, Game, load_game, play_from
from trutdsl.strategy import (
    MatchCounter,
    Spec,
    add_part,
    count_in_parts,
    cut_clusters,
    load_strategies,
    settle_seed,
    split_strategies,
)
from trutdsl.table.counts import Counts
from trutdsl.transcript import record_to

LARGEST_MATCH = 2**63
MATCHES, DEALS = "matches", "deals"
SHORTEST, LONGEST = 0.1, 86_400  # seconds, for one decision


def simulate(
    variant: Variant,
    players: Players = None,
    strategies: SeatStrategies = "uniform",
    matches: Annotated[int, typer.Option(metavar="M", help="How many matches.")] = 10,
    first: Annotated[
        int, typer.Option(metavar="I", help="The index of the first one under this seed.")
    ] = 0,
    seed: Seed = None,
    param: Parameters = None,
    transcript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every event as JSON lines; - is standard output."),
    ] = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="Note all legal actions in the transcript.")
    ] = False,
    as_json: PrintFigures = False,
    mode: Mode = None,
    score: StartScore = None,
    move_timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Processor time for one decision; default: any amount."
        ),
    ] = None,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Let strategies play matches, and say how long they last and who wins.

    With --mode deals single deals are played, each from the same score.

    Example: trutdsl simulate trut --players 4 --matches 20 --seed 7 --transcript matches.jsonl
    """
    if matches < 1:
        raise BadUsage(f"--matches must be at least 1, not {matches}")
    if not 0 <= first < LARGEST_MATCH:
        raise BadUsage(f"--first must be from 0 to 2**63-1, not {first}")
    _check(mode, score, transcript, move_timeout)
    game = load_game(variant, players, param or [], engine)
    if mode == DEALS:
        game = play_from(game, score or ())
    seating = seat_strategies(game, strategies)
    seed = settle_seed(seed, seating)
    clusters: list[Counts] = []
    with own_output() as out:
        try:
            with _bounded(seating, move_timeout):
                for part in _parts(game, seating, seed, matches, first, transcript, legal, out):
                    add_part(clusters, *part)
        except KeyboardInterrupt:
            if not clusters:
                raise
        done = sum(counts["matches"] for counts in clusters)
        if done < matches:
            typer.echo(f"stopped: {done:,} of {matches:,} matches are finished", err=True)
        if transcript != "-":
            _report(game, seating, seed, clusters, as_json, out)
    if done < matches:
        raise typer.Exit(stopped_code())


def _check(
    mode: str | None, score: list[str] | None, transcript: str | None, move_timeout: float | None
) -> None:
    """Refuse options that contradict each other or exceed their bounds."""
    if mode not in (None, MATCHES, DEALS):
        near = did_you_mean(mode, (MATCHES, DEALS)) or "choose matches, deals"
        raise BadUsage(f"--mode {mode}: {near}")
    if score and mode != DEALS:
        raise BadUsage("--score is where single deals start from; it needs --mode deals")
    if mode == DEALS and transcript is not None:
        raise BadUsage("--transcript is of whole matches, not of --mode deals")
    if move_timeout is not None and not SHORTEST <= move_timeout <= LONGEST:
        bounds = f"from {SHORTEST} to {LONGEST}"
        raise BadUsage(f"--move-timeout must be {bounds}, not {move_timeout}")


@contextmanager
def _bounded(seating: Sequence[Spec], seconds: float | None) -> Iterator[None]:
    """Limit the time of each move in the block, if a limit is given."""
    if seconds is None:
        yield
        return
    from trutdsl.tournaments.worker import OwnClock

    with OwnClock(seating, seconds):
        yield


def _parts(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: int,
    first: int,
    transcript: str | None,
    legal: bool,
    out: IO[str],
) -> Iterator[tuple[int, Counts]]:
    """Play matches, write their transcripts if wanted, and yield their counts by cluster."""
    if transcript is None:
        with MatchProgress(matches) as progress:
            for part in count_in_parts(game, seating, seed, matches, first):
                progress.finished(part[1])
                yield part
    else:
        names, counter = [spec.name for spec in seating], MatchCounter(game, seating, seed)
        with open_transcript(transcript, out) as file:
            for cluster, (begin, count) in enumerate(cut_clusters(matches, first)):
                for match in range(begin, begin + count):
                    recorder = record_to(file, game, names, seed, match, legal)
                    counter.play(match, recorder)
                    recorder.flush()
                    yield cluster, counter.take()


def seat_strategies(game: Game, text: str) -> tuple[Spec, ...]:
    """Return a strategy for each seat from names for all, for each team or for each seat."""
    names = split_strategies(text)
    if len(names) == 1:
        names *= game.players
    elif len(names) == game.team_count:
        names = [names[team] for team in game.teams]
    elif len(names) != game.players:
        raise BadUsage(
            f"{len(names)} strategies for {game.players} seats in {game.team_count} teams; "
            f"give {_either(1, game.team_count, game.players)}"
        )
    return tuple(load_strategies(names, game))


def _either(*numbers: int) -> str:
    """Return different numbers as a phrase, such as `1, 2 or 4`."""
    *others, last = sorted(set(numbers))
    return f"{', '.join(map(str, others))} or {last}" if others else str(last)


def _report(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    clusters: Sequence[Counts],
    as_json: bool,
    out: IO[str],
) -> None:
    # This import takes longer than most commands.
    from trutdsl.report.simulation import simulation_figures, simulation_lines

    names = [spec.name for spec in seating]
    figures = simulation_figures(game, names, seed, clusters)
    if as_json:
        typer.echo(json.dumps(figures, indent=2, sort_keys=True), out)
        return
    for line in simulation_lines(figures):
        typer.echo(line, out)
