"""`trutdsl coverage`: which parts of the rules are ever reached?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from trutdsl.cli.match_progress import MatchProgress
from trutdsl.cli.options import (
    EngineName,
    NoCache,
    Parameters,
    Players,
    PrintFigures,
    SeatStrategies,
    Seed,
    Variant,
)
from trutdsl.cli.output import own_output
from trutdsl.cli.simulate import seat_strategies
from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.game import load_game
from trutdsl.report.simulation import coverage_figures, coverage_lines, own_figures
from trutdsl.scenario import cover_scenarios
from trutdsl.strategy import settle_seed
from trutdsl.strategy.coverage import Coverage, cover_clauses, cover_matches
from trutdsl.transcript import SEARCHED, shortest_deals
from trutdsl.transcript.events import Event, event_line

MOST_CLAUSE_MATCHES = 100  # scripts are asked why in the reference engine, which takes long


def coverage(
    variant: Variant,
    players: Players = None,
    strategies: SeatStrategies = "uniform",
    matches: Annotated[
        int, typer.Option(metavar="M", help="How many matches; 0 for scenarios only.")
    ] = 1000,
    seed: Seed = None,
    param: Parameters = None,
    scenarios: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Scenarios of this variant count, too; repeatable."),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Write the shortest deal of each part, as a transcript."
        ),
    ] = None,
    own: Annotated[
        bool, typer.Option("--own", help="Tell only what the variant's own file says.")
    ] = False,
    as_json: PrintFigures = False,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Tell how often every rule, option, branch and loop is reached, those never reached first.

    Of scripts on the seats, every clause, in the first 100 matches. With --deals the shortest deal
    is written for each part, which `trutdsl replay` shows.

    Example: trutdsl coverage trut --players 4 --matches 2000 --scenarios tests/scenarios/trut.yaml
    """
    if matches < 0 or (not matches and not scenarios):
        raise BadUsage(f"--matches must be at least 1, not {matches}, or 0 with --scenarios")
    game = load_game(variant, players, param or [], engine)
    seating = seat_strategies(game, strategies)
    seed = settle_seed(seed, seating)
    folder = _new_folder(deals) if deals is not None else None
    with own_output() as out:
        with MatchProgress(matches) as progress:
            found = cover_matches(game, seating, seed, matches, progress.played)
            asked = min(matches, MOST_CLAUSE_MATCHES)
            clauses = cover_clauses(game, seating, seed, asked)
        in_scenarios, many = cover_scenarios(game, [Path(name) for name in scenarios or ()])
        files = {}
        if folder is not None:
            with MatchProgress(min(matches, SEARCHED)) as progress:
                told = shortest_deals(game, seating, seed, found, progress.played)
            files = _write_deals(folder, told, found)
        names = [spec.name for spec in seating]
        figures = coverage_figures(
            game, names, seed, found, clauses, asked, in_scenarios, many, files
        )
        if own:
            figures = own_figures(game, figures)
        if as_json:
            typer.echo(json.dumps(figures, indent=2), out)
            return
        for line in coverage_lines(figures):
            typer.echo(line, out)


def _new_folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise BadUsage(f"{name} exists already; name a new folder") from None
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or "its name is not a file name"
        raise BadUsage(f"{name} cannot be made: {reason}") from None
    return folder


def _write_deals(folder: Path, told: Mapping[str, list[Event]], found: Coverage) -> dict[str, str]:
    """Write each deal once, and return for each part the file of its deal."""
    files: dict[str, str] = {}
    written: dict[tuple[Any, ...], str] = {}
    for name in found.parts:
        if name not in told:
            continue
        events = told[name]
        deal = max((e["deal"] for e in events if e["event"] == "deal"), default=0)
        key = events[0]["match"], deal
        if key not in written:
            path = folder / f"match-{key[0]}-deal-{deal}.jsonl"
            try:
                path.write_text("".join(map(event_line, events)), encoding="utf-8")
            except OSError as e:
                raise Failure(f"{path} cannot be written: {e.strerror}") from None
            written[key] = str(path)
        files[name] = written[key]
    return files
