"""`trutdsl scenario` and `explain-choice`: commands for scenarios and choices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import EngineName, NoCache, PrintJson
from trutdsl.diagnostics import BadUsage, Failure, Rejected, did_you_mean, render_all
from trutdsl.game import HIDDEN, State
from trutdsl.language import say
from trutdsl.report.people import People
from trutdsl.report.telling import Teller
from trutdsl.scenario import (
    Games,
    Scenario,
    ScenarioOutcome,
    explain_scenario,
    read_scenarios,
    record_scenario,
    run_scenario,
)
from trutdsl.strategy import ScriptSpec, load_strategy
from trutdsl.strategy.explain import Explanation
from trutdsl.strategy.policy import PolicySpec
from trutdsl.table.match import PolicyError
from trutdsl.transcript import (
    RecordedMatch,
    explain_match,
    read_transcript,
)

if TYPE_CHECKING:
    from trutdsl.strategy.hints import Hint


def scenario(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Scenario files.")
    ] = None,
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
    as_json: PrintJson = False,
    engine: EngineName = "reference",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Play scenarios, unit tests for rules, and say which fail and how.

    Exits with 1 if one fails, with 2 if a file is not a scenario or one cannot be played. With
    --from it plays none, but writes one to standard output.

    Example: trutdsl scenario tests/scenarios/trut.yaml
    """
    if (played is None) is (not files):
        raise BadUsage(say("name scenario files, or a played deal with --from"))
    if played is not None:
        typer.echo(_record(played), nl=False)
        return
    results: list[dict[str, object]] = []  # of each scenario, for JSON
    games: Games = {}
    bad = refused = failed = 0
    for file in files or ():
        try:
            scenarios = read_scenarios(Path(file), file)
        except Rejected as rejected:
            bad += 1
            typer.echo(render_all(rejected), err=True)
            continue
        for one in scenarios:
            try:
                outcome = run_scenario(one, Path(file), engine, games, tell)
            except Rejected as rejected:
                refused += 1
                results.append(_as_json(file, one, rejected))
                if not as_json:
                    _head("BAD ", one)
                typer.echo(render_all(rejected), err=True)
                continue
            failed += not outcome.passed
            results.append(_as_json(file, one, outcome))
            if not as_json:
                _show(outcome, tell)
    if as_json:
        typer.echo(json.dumps(results, indent=2))
    elif results:
        more = say(", {refused} not to be played", refused=refused) if refused else ""
        typer.echo(
            say(
                "{number} passed, {failed} failed{more}",
                number=len(results) - failed - refused,
                failed=failed,
                more=more,
            )
        )
    if bad or refused:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


def _head(mark: str, one: Scenario) -> None:
    rules = f" [{' '.join(one.rules)}]" if one.rules else ""
    typer.echo(f"{mark} {one.name}{rules}")


def _show(outcome: ScenarioOutcome, tell: bool) -> None:
    _head(say("ok  ") if outcome.passed else "FAIL", outcome.scenario)
    if not outcome.passed:
        typer.echo(f"     {outcome.scenario.span}")
    for difference in outcome.found:
        where = f"{difference.span}: " if difference.span is not None else ""
        typer.echo(f"     {where}{difference.text}")
    if outcome.unused:
        typer.echo(f"     chance was not asked for: {', '.join(outcome.unused)}")
    players = outcome.scenario.players or 2
    teams = len(next(iter(outcome.counters.values()), ())) or players
    teller = Teller(People([seat % teams for seat in range(players)], [""] * players))
    for event in outcome.events:
        for line in teller.tell(event):
            typer.echo(f"     {line}".rstrip())
    if outcome.refused and tell:
        typer.echo(f"       {outcome.refused}")


def _record(played: str) -> str:
    """Return the scenario of a deal, named as TRANSCRIPT:MATCH:DEAL."""
    file, *numbers = played.rsplit(":", 2)
    if len(numbers) != 2 or not all(n.isascii() and n.isdigit() for n in numbers):
        raise BadUsage(
            say(
                "--from wants TRANSCRIPT:MATCH:DEAL, such as matches.jsonl:0:2, not '{played}'",
                played=played,
            )
        )
    match, deal = map(int, numbers)
    found = []
    for recorded in read_transcript(Path(file), file):
        found.append(recorded.events[0]["match"])
        if found[-1] == match:
            return record_scenario(recorded, deal)
    raise BadUsage(
        say(
            "{file} has no match {match}; it has {names}",
            file=file,
            match=match,
            names=", ".join(map(str, found[:20])),
        )
    )


def _as_json(file: str, one: Scenario, came: ScenarioOutcome | Rejected) -> dict[str, object]:
    result: dict[str, object] = {"file": file, "scenario": one.name, "rules": list(one.rules)}
    if isinstance(came, ScenarioOutcome):
        return result | {
            "passed": came.passed,
            "differences": list(came.differences),
            "refused": came.refused or None,
            "unused": list(came.unused),
            "places": [str(found.span) if found.span else None for found in came.found],
        }
    return result | {
        "passed": False,
        "differences": [wrong.message for wrong in came.diagnostics],
        "refused": None,
        "unused": [],
        "places": [str(wrong.span) for wrong in came.diagnostics],
    }


WIDTH = 80


def explain_choice(
    strategy: Annotated[str, typer.Argument(help="A script or a policy, by its name or path.")],
    file: Annotated[str, typer.Argument(help="A scenario file, or a transcript (.jsonl).")],
    scenario: Annotated[
        str | None, typer.Option(help="The scenario; else all in the file.", show_default=False)
    ] = None,
    match: Annotated[
        int | None, typer.Option(help="The match; else the first.", show_default=False)
    ] = None,
    deal: Annotated[int, typer.Option(help="The deal, the first is 0.", min=0)] = 0,
    seat: Annotated[
        int | None, typer.Option(help="The seat; else where it sat, or 0.", show_default=False)
    ] = None,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Say which clause of a script chooses, and why those before it do not.

    Of a policy, how likely it takes each action, and how many of 100 matches the action loses.
    Of a scenario, what it does at the end; of a transcript, at every question to one seat in one
    deal. Only what that seat may see is shown.

    Example: trutdsl explain-choice honest tests/strategy/choices/trut.yaml
    """
    spec = load_strategy(strategy)
    if not isinstance(spec, ScriptSpec | PolicySpec):
        raise BadUsage(
            say("'{strategy}' is not a script or policy: it cannot be explained", strategy=strategy)
        )
    if file.endswith((".yaml", ".yml")):
        told = _of_scenarios(spec, file, scenario)
    else:
        told = _of_transcript(spec, file, match, deal, seat)
    for number, lines in enumerate(told):
        typer.echo("\n".join([*([""] if number else []), *lines]))


def _of_scenarios(
    spec: ScriptSpec | PolicySpec, file: str, name: str | None
) -> Iterator[list[str]]:
    found = read_scenarios(Path(file), file)
    if name is not None and all(one.name != name for one in found):
        near = did_you_mean(name, [one.name for one in found])
        raise BadUsage(
            say("{file} has no scenario '{name}'", file=file, name=name)
            + (f"; {near}" if near else "")
        )
    for one in found:
        if name in (None, one.name):
            state, choice = explain_scenario(one, Path(file), spec)
            yield list(_told(one.name, spec.name, state, choice))


def _of_transcript(
    spec: ScriptSpec | PolicySpec, file: str, match: int | None, deal: int, seat: int | None
) -> Iterator[list[str]]:
    recorded = _recorded(file, match)
    first = recorded.events[0]
    names = first["strategies"]
    place = seat if seat is not None else names.index(spec.name) if spec.name in names else 0
    if not 0 <= place < first["players"]:
        raise BadUsage(
            say(
                "there is no seat {place} with {first} players", place=place, first=first["players"]
            )
        )
    asked = False
    try:
        for state, choice, done in explain_match(recorded, spec, place, deal):
            asked = True
            yield list(_told(say("deal {deal}", deal=deal), spec.name, state, choice, done))
    except PolicyError as failed:
        where = f"{failed.diagnostic.span}: {failed.diagnostic.message}"
        raise Failure(
            say("strategy '{spec}' failed: {where}", spec=spec.name, where=where)
        ) from None
    if not asked:
        raise BadUsage(
            say(
                "seat {place} is asked nothing in deal {deal} of this match", place=place, deal=deal
            )
        )


def _recorded(file: str, match: int | None) -> RecordedMatch:
    for recorded in read_transcript(Path(file), file):
        if match in (None, recorded.events[0]["match"]):
            return recorded
    raise BadUsage(
        say("{file} has no match", file=file) + (f" {match}" if match is not None else "")
    )


def _told(
    where: str, strategy: str, state: State, choice: Explanation | Hint, done: str | None = None
) -> Iterator[str]:
    """Yield the choice at the open question, and the result of each clause."""
    view = state.view()
    hand = view.zones.get("hand", ())
    cards = hand[view.seat] if len(hand) > view.seat else HIDDEN
    holds = say(" with {names}", names=" ".join(cards)) if cards is not HIDDEN and cards else ""
    yield from _line(
        say(
            "{where}: seat {seat} is asked '{decision}'{holds}",
            where=where,
            seat=view.seat,
            decision=view.decision,
            holds=holds,
        ),
        "",
    )
    if not isinstance(choice, Explanation):
        from trutdsl.cli.hints import hint_lines  # a policy loads SciPy

        for line in hint_lines(choice, strategy):
            yield from _line(line.lstrip(), " " * (len(line) - len(line.lstrip())))
        if done is not None:
            yield say("done was: {done}", done=done)
        return
    chosen = view.actions[choice.index].text
    other = say(" (done was: {done})", done=done) if done not in (None, chosen) else ""
    yield from _line(
        say("{strategy} chooses: {chosen}{other}", strategy=strategy, chosen=chosen, other=other),
        "",
    )
    for one in choice.looked:
        place = f"{one.span.source.name}:{one.span.line}"
        yield from _line(f"{place}: {one.text}", "  ")
        for reason in one.why or ("taken",):
            deeper = len(reason) - len(reason.lstrip())
            yield from _line(reason.lstrip(), " " * (6 + deeper))


def _line(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")
