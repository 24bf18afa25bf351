"""`trutdsl simulate`: strategies play some matches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO, Annotated

import typer

from trutdsl.cli.match_progress import MatchProgress
from trutdsl.cli.options import NoCache, Parameters, Players, SeatStrategies, Seed
from trutdsl.cli.output import own_output
from trutdsl.cli.transcripts import open_transcript
from trutdsl.game import BadUsage, Game, load_game
from trutdsl.kept import keep_nothing
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
from trutdsl.strategy.named import takes_any
from trutdsl.table.counts import Counts
from trutdsl.transcript import Recorder, match_event
from trutdsl.transcript.write import Event, event_line

LARGEST_MATCH = 2**63


def simulate(
    variant: Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")],
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
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    engine: Annotated[str, typer.Option(help="What plays the rules.")] = "native",
    no_cache: NoCache = False,
) -> None:
    """Let strategies play matches, and say how long they last and who wins.

    Example: trutdsl simulate trut --players 4 --matches 20 --seed 7 --transcript matches.jsonl
    """
    if matches < 1:
        raise BadUsage(f"--matches must be at least 1, not {matches}")
    if not 0 <= first < LARGEST_MATCH:
        raise BadUsage(f"--first must be from 0 to 2**63-1, not {first}")
    if no_cache:
        keep_nothing()
    game = load_game(variant, players, param or [], engine)
    seating = seat_strategies(game, strategies)
    seed = settle_seed(seed, seating)
    with own_output() as out:
        clusters: list[Counts] = []
        if transcript is None:
            with MatchProgress(matches) as progress:
                for cluster, counts in count_in_parts(game, seating, seed, matches, first):
                    add_part(clusters, cluster, counts)
                    progress.finished(counts)
        else:
            with open_transcript(transcript, out) as file:
                clusters = _write_matches(file, game, seating, seed, matches, first, legal)
        if transcript != "-":
            _report(game, seating, seed, clusters, as_json, out)


def _write_matches(
    file: IO[str],
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: int,
    first: int,
    legal: bool,
) -> list[Counts]:
    """Play matches, write their transcripts, and return what was counted in clusters."""
    names, clusters = [spec.name for spec in seating], []

    def write(event: Event) -> None:
        file.write(event_line(event))

    for begin, count in cut_clusters(matches, first):
        counter = MatchCounter(game, seating, seed)
        for match in range(begin, begin + count):
            recorder = Recorder(write, legal)
            recorder(match_event(game, names, seed, match))
            counter.play(match, recorder)
            recorder.flush()
        clusters.append(counter.counts())
    return clusters


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
    """Return the numbers in words, each once."""
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
    # Loaded here, because it takes longer than most commands.
    from trutdsl.report.simulation import simulation_figures, simulation_lines

    asked = game.count_plan.decisions
    at_random = {spec.name: takes_any(spec, asked) for spec in seating}
    names = [spec.name for spec in seating]
    figures = simulation_figures(game, names, seed, clusters, at_random)
    if as_json:
        typer.echo(json.dumps(figures, indent=2, sort_keys=True), out)
        return
    for line in simulation_lines(figures):
        typer.echo(line, out)
