"""`trutdsl scenario`: do the rules do what these scenarios expect?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.options import NoCache
from trutdsl.diagnostics import BadUsage, Rejected, render_all
from trutdsl.kept import keep_nothing
from trutdsl.scenario import Games, Outcome, read_scenarios, record_scenario, run_scenario
from trutdsl.transcript import read_transcript, tell_event


def scenario(
    files: Annotated[list[str] | None, typer.Argument(help="Scenario files.")] = None,
    tell: Annotated[
        bool, typer.Option("--tell", help="Tell what happens in each, in words.")
    ] = False,
    played: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="TRANSCRIPT:MATCH:DEAL",
            help="Write a scenario from a deal that was played.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    engine: Annotated[str, typer.Option(help="What plays the rules.")] = "reference",
    no_cache: NoCache = False,
) -> None:
    """Play scenarios, unit tests for rules, and say which fail and how.

    Exits with 1 if one fails, with 2 if a file is not a scenario. With --from it plays none, but
    writes one to standard output.

    Example: trutdsl scenario tests/scenarios/trut.yaml
    """
    if no_cache:
        keep_nothing()
    if (played is None) is (not files):
        raise BadUsage("name scenario files, or a played deal with --from")
    if played is not None:
        typer.echo(_record(played), nl=False)
        return
    outcomes: list[tuple[str, Outcome]] = []
    games: Games = {}
    bad = False
    for file in files or ():
        try:
            for one in read_scenarios(Path(file), file):
                outcome = run_scenario(one, Path(file), engine, games, tell)
                outcomes.append((file, outcome))
                if not as_json:
                    _show(outcome, tell)
        except Rejected as rejected:
            bad = True
            typer.echo(render_all(rejected), err=True)
    failed = sum(1 for _, outcome in outcomes if not outcome.passed)
    if as_json:
        typer.echo(json.dumps([_as_json(f, o) for f, o in outcomes], indent=2))
    elif outcomes:
        typer.echo(f"{len(outcomes) - failed} passed, {failed} failed")
    if bad:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


def _show(outcome: Outcome, tell: bool) -> None:
    one = outcome.scenario
    rules = f" [{' '.join(one.rules)}]" if one.rules else ""
    typer.echo(f"{'ok  ' if outcome.passed else 'FAIL'} {one.name}{rules}")
    if not outcome.passed:
        typer.echo(f"     {one.span}")
    for difference in outcome.found:
        where = f"{difference.span}: " if difference.span is not None else ""
        typer.echo(f"     {where}{difference.text}")
    for event in outcome.events:
        for line in tell_event(event):
            typer.echo(f"     {line}".rstrip())
    if outcome.refused and tell:
        typer.echo(f"       {outcome.refused}")


def _record(played: str) -> str:
    """Return the scenario of a deal, named as TRANSCRIPT:MATCH:DEAL."""
    file, *numbers = played.rsplit(":", 2)
    if len(numbers) != 2 or not all(n.isascii() and n.isdigit() for n in numbers):
        raise BadUsage(
            f"--from wants TRANSCRIPT:MATCH:DEAL, such as matches.jsonl:0:2, not '{played}'"
        )
    match, deal = map(int, numbers)
    found = []
    for recorded in read_transcript(Path(file), file):
        found.append(recorded.events[0]["match"])
        if found[-1] == match:
            return record_scenario(recorded, deal)
    raise BadUsage(f"{file} has no match {match}; it has {', '.join(map(str, found[:20]))}")


def _as_json(file: str, outcome: Outcome) -> dict[str, object]:
    return {
        "file": file,
        "scenario": outcome.scenario.name,
        "rules": list(outcome.scenario.rules),
        "passed": outcome.passed,
        "differences": list(outcome.differences),
        "refused": outcome.refused or None,
        "places": [str(one.span) if one.span else None for one in outcome.found],
    }
