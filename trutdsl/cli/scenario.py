"""`trutdsl scenario`: plays scenarios, unit tests for rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import EngineName, NoCache, PrintJson
from trutdsl.diagnostics import BadUsage, Rejected, render_all
from trutdsl.language import ENGLISH, current_language, mark, say

if TYPE_CHECKING:
    from trutdsl.scenario.model import Scenario
    from trutdsl.scenario.run import Games, ScenarioOutcome


FROM_ZERO = mark("Code in files counts seats and teams from 0: `hand[0]` is of player 1.")


def scenario(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Scenario files.")
    ] = None,
    tell: Annotated[
        bool, typer.Option("--tell", help="Tell what happens in each, in words.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="TRANSCRIPT:MATCH:DEAL",
            help="Write a scenario from a deal that was played; matches and deals count from 1.",
        ),
    ] = None,
    as_json: PrintJson = False,
    engine: EngineName = "reference",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Play scenarios, unit tests for rules, and say which fail and how.

    Exits with 1 if one fails, with 2 if a file is not a scenario or one cannot be played. With
    --from it plays none, but writes one to standard output.

    Example: trutdsl scenario tests/scenarios/trut.yaml
    """
    from trutdsl.scenario.read import read_scenarios
    from trutdsl.scenario.run import run_scenario

    if (source is None) is (not files):
        raise BadUsage(say("name scenario files, or a played deal with --from"))
    if source is not None:
        typer.echo(_record(source), nl=False)
        return
    if tell and not as_json:
        typer.echo(say(FROM_ZERO))
    results: list[dict[str, object]] = []  # of each scenario, for JSON
    games: Games = {}
    bad = refused = failed = 0
    for file in files or ():
        try:
            scenarios = read_scenarios(Path(file), file)
        except Rejected as rejection:
            bad += 1
            typer.echo(render_all(rejection), err=True)
            continue
        for one in scenarios:
            try:
                outcome = run_scenario(one, Path(file), engine, games, tell)
            except Rejected as rejection:
                refused += 1
                results.append(_as_json(file, one, rejection))
                if not as_json:
                    _head(say("BAD "), one)
                typer.echo(render_all(rejection), err=True)
                continue
            failed += not outcome.passed
            results.append(_as_json(file, one, outcome))
            if not as_json:
                _show(outcome, tell, games)
    if as_json:
        typer.echo(json.dumps(results, indent=2))
    elif results:
        if (failed or refused) and not tell:
            typer.echo(say(FROM_ZERO))
        more = say(", {refused} not to be played", refused=refused) if refused else ""
        text = "{number} passed, {failed} failed{more}"
        typer.echo(say(text, number=len(results) - failed - refused, failed=failed, more=more))
    if bad or refused:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


def _head(verdict: str, one: Scenario) -> None:
    rules = f" [{' '.join(one.rules)}]" if one.rules else ""
    typer.echo(f"{verdict} {one.name}{rules}")


def _show(outcome: ScenarioOutcome, tell: bool, games: Games) -> None:
    from trutdsl.report.people import People
    from trutdsl.report.telling import Teller
    from trutdsl.variant import words_of

    _head(say("ok  ") if outcome.passed else say("FAIL"), outcome.scenario)
    if not outcome.passed:
        typer.echo(f"     {outcome.scenario.span}")
    for difference in outcome.mismatches:
        where = f"{difference.span}: " if difference.span is not None else ""
        typer.echo(f"     {where}{difference.text}")
    if outcome.unused:
        typer.echo("     " + say("unused random results: {names}", names=", ".join(outcome.unused)))
    players = outcome.scenario.players
    known = (game for game in games.values() if game.variant.fingerprint == outcome.variant)
    game = next((one for one in known if one.players == players), None)
    words = (
        words_of(game.variant, values=game.parameters)
        if game and current_language() != ENGLISH
        else None
    )
    teams = game.teams if game else range(players)
    teller = Teller(People(teams, [""] * players, words=words))
    for event in outcome.events:
        for line in teller.tell(event):
            typer.echo(f"     {line}".rstrip())
    if outcome.refusal and tell:
        typer.echo(f"       {outcome.refusal}")


def _record(source: str) -> str:
    """Return the scenario of a deal, named as TRANSCRIPT:MATCH:DEAL."""
    from trutdsl.scenario.record import record_scenario
    from trutdsl.transcript.events import read_transcript
    from trutdsl.variant.read_values import parse_integer

    file, *numbers = source.rsplit(":", 2)
    match, deal = map(parse_integer, numbers) if len(numbers) == 2 else (None, None)
    if match is None or deal is None or min(match, deal) < 1:
        text = "--from wants TRANSCRIPT:MATCH:DEAL, such as matches.jsonl:1:2, not '{played}'"
        raise BadUsage(say(text, played=source))
    matches = []
    for record in read_transcript(Path(file), file):
        matches.append(record.events[0]["match"] + 1)
        if matches[-1] == match:
            return record_scenario(record, deal - 1)
    text = "{file} has no match {match}; it has {names}"
    raise BadUsage(say(text, file=file, match=match, names=", ".join(map(str, matches[:20]))))


def _as_json(file: str, one: Scenario, outcome: ScenarioOutcome | Rejected) -> dict[str, object]:
    result: dict[str, object] = {"file": file, "scenario": one.name, "rules": list(one.rules)}
    if isinstance(outcome, Rejected):
        return result | {
            "passed": False,
            "differences": [wrong.message for wrong in outcome.diagnostics],
            "refused": None,
            "unused": [],
            "places": [str(wrong.span) for wrong in outcome.diagnostics],
        }
    return result | {
        "passed": outcome.passed,
        "differences": list(outcome.differences),
        "refused": outcome.refusal or None,
        "unused": list(outcome.unused),
        "places": [
            str(difference.span) if difference.span else None for difference in outcome.mismatches
        ],
    }
