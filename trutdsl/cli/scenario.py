"""`trutdsl scenario`: do the rules do what these scenarios expect?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.options import NoCache
from trutdsl.diagnostics import Rejected, render_all
from trutdsl.kept import keep_nothing
from trutdsl.scenario import Games, Outcome, read_scenarios, run_scenario


def scenario(
    files: Annotated[list[str], typer.Argument(help="Scenario files.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    engine: Annotated[str, typer.Option(help="What plays the rules.")] = "reference",
    no_cache: NoCache = False,
) -> None:
    """Play scenarios, unit tests for rules, and say which fail and how.

    Exits with 1 if one fails, with 2 if a file is not a scenario.

    Example: trutdsl scenario tests/scenarios/trut.yaml
    """
    if no_cache:
        keep_nothing()
    outcomes: list[tuple[str, Outcome]] = []
    games: Games = {}
    bad = False
    for file in files:
        try:
            for one in read_scenarios(Path(file), file):
                outcome = run_scenario(one, Path(file), engine, games)
                outcomes.append((file, outcome))
                if not as_json:
                    _show(outcome)
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


def _show(outcome: Outcome) -> None:
    one = outcome.scenario
    rules = f" [{' '.join(one.rules)}]" if one.rules else ""
    typer.echo(f"{'ok  ' if outcome.passed else 'FAIL'} {one.name}{rules}")
    if not outcome.passed:
        typer.echo(f"     {one.span}")
    for difference in outcome.differences:
        typer.echo(f"     {difference}")


def _as_json(file: str, outcome: Outcome) -> dict[str, object]:
    return {
        "file": file,
        "scenario": outcome.scenario.name,
        "rules": list(outcome.scenario.rules),
        "passed": outcome.passed,
        "differences": list(outcome.differences),
    }
