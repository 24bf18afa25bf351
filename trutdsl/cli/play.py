"""`trutdsl play` and `replay`: a person plays a match at the terminal, or reads a transcript."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import EngineName, NoCache, Parameters, Players, PrintJson, read_seed
from trutdsl.cli.output import check_transcript, open_transcript, print_lines
from trutdsl.diagnostics import BadUsage, Rejected
from trutdsl.language import say, say_count

if TYPE_CHECKING:
    from trutdsl.cli.sitting import SittingStart
    from trutdsl.game import Game
    from trutdsl.scenario.run import ScenarioPosition
    from trutdsl.transcript.events import RecordedMatch
    from trutdsl.transcript.replay import EventMismatch

TRANSCRIPT = ".jsonl"


def play(
    variant: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|FILE",
            help="A variant; or a transcript or a scenario file to continue.",
        ),
    ],
    strategies: Annotated[
        str,
        typer.Option(
            metavar="A,B,...",
            help="Who plays; one for all other seats, or one for each; default: monte-carlo.",
            show_default=False,
        ),
    ] = "",
    players: Players = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="The seat; where you sit, from 1.")
    ] = None,
    practice: Annotated[
        bool, typer.Option("--practice", help="You can take choices back, and ask for hints.")
    ] = False,
    hint: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who advises you when you type hint: monte-carlo, a script or a policy.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seed of all random numbers, or `random`; default: other cards each time.",
            parser=read_seed,
        ),
    ] = None,
    match: Annotated[
        int | None, typer.Option(metavar="N", help="The match; of a transcript, from 1.")
    ] = None,
    deal: Annotated[
        int | None,
        typer.Option(metavar="N", help="The deal; where to begin in a transcript, from 1.", min=1),
    ] = None,
    scenario: Annotated[
        str | None, typer.Option(metavar="NAME", help="The scenario; play goes on from it.")
    ] = None,
    param: Parameters = None,
    transcript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every event as JSON lines, hidden cards too."),
    ] = None,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Play a match yourself, by any rules, against strategies.

    You are shown what a player at your seat sees, and asked what you do. With a transcript, you
    take over a seat of that match from a deal on; with a scenario, at the question where it ends,
    or at its first one.

    Example: trutdsl play trut --strategies caller --practice
    """
    from trutdsl.cli.sitting import Sitting, SittingStart, usual_script
    from trutdsl.game import load_game
    from trutdsl.strategy.monte_carlo import NAME

    if transcript == "-":
        raise BadUsage(say("--transcript needs a file here: standard output is for you to read"))
    if transcript is not None:
        check_transcript(transcript)
    if scenario is not None:
        if players is not None or param or transcript is not None or {match, deal} != {None}:
            text = (
                "--scenario goes with none of --players, --param, --transcript, --match, --deal; "
                "leave them out"
            )
            raise BadUsage(say(text))
        if not variant.endswith((".yaml", ".yml")):
            text = (
                "--scenario needs a file of scenarios: write `trutdsl play FILE.yaml --scenario "
                "NAME`"
            )
            raise BadUsage(say(text))
        position = _position(variant, scenario, engine)
        start = SittingStart(position.game, seed, begin=position.begin)
        strategies = strategies or usual_script(position.game).name
        seat = position.seat + 1 if seat is None else seat
    elif variant.endswith(TRANSCRIPT):
        if players is not None or param:
            text = "a transcript has its players and parameters; leave --players and --param out"
            raise BadUsage(say(text))
        start = _from_transcript(variant, match, deal or 1, engine)
    elif match is not None or deal is not None:
        flag = "--deal" if match is None else "--match"
        text = "{flag} needs a transcript; write a file that ends in .jsonl"
        raise BadUsage(say(text, flag=flag))
    else:
        start = SittingStart(load_game(variant, players, param or [], engine), seed)
    game, seat = start.game, 1 if seat is None else seat
    if not 1 <= seat <= game.players:
        raise BadUsage(
            say("--seat {seat}: the seats are 1 to {players}", seat=seat, players=game.players)
        )
    sitting = Sitting(start, seat - 1, strategies or NAME, hint, practice)
    with ExitStack() as stack:
        if transcript is not None:
            sitting.file = stack.enter_context(open_transcript(transcript, sys.stdout))
        sitting.welcome()
        sitting.play()


def _position(file: str, name: str, engine: str) -> ScenarioPosition:
    from trutdsl.api.explained_choices import named_scenarios
    from trutdsl.scenario.run import ScenarioPosition

    return ScenarioPosition(named_scenarios(file, name)[-1], Path(file), engine)


def _from_transcript(file: str, match: int | None, deal: int, engine: str) -> SittingStart:
    """Return the start at a deal of a transcript; the first deal is 1."""
    from trutdsl.api.explained_choices import read_match
    from trutdsl.cli.sitting import SittingStart
    from trutdsl.transcript.replay import load_recorded

    record = read_match(file, None if match is None else match - 1)
    first, deals, actions = record.events[0], 0, list[str]()
    for event in record.events:
        deals += event["event"] == "deal"
        if deals >= deal:
            game = load_recorded(record).in_engine(engine)
            return SittingStart(game, first["seed"], first["match"], tuple(actions))
        actions += [event["action"]] if event["event"] == "action" else []
    text = "{file}: this match has {now} deals; --deal {deal} is not among them"
    raise BadUsage(say(text, file=file, now=deals, deal=deal))


def replay(
    file: Annotated[str, typer.Argument(help="A transcript.")],
    deal: Annotated[
        int | None,
        typer.Option(metavar="N", help="The deal; only this one of each match, from 1.", min=1),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Play again and compare; every event.")
    ] = False,
    as_json: PrintJson = False,
) -> None:
    """Tell a transcript in sentences, with the rule that decided each deal, or verify it.

    With --verify it exits with 1 at the first event that differs. The rules are those that the
    transcript names: a shipped variant, or a file, looked for from the folder you are in.

    Example: trutdsl replay --deal 3 matches.jsonl
    """
    from trutdsl.report.telling import tell_match
    from trutdsl.transcript.events import read_transcript
    from trutdsl.transcript.replay import check_table

    if verify:
        if deal is not None:
            raise BadUsage(say("--verify compares whole matches; leave --deal out"))
        _verify(file, as_json)
        return
    if as_json:
        raise BadUsage(say("--json needs --verify: a transcript itself is JSON, line by line"))
    told = False
    for record in read_transcript(Path(file), file):
        check_table(record)
        lines = tell_match(record, _find_game(record), None if deal is None else deal - 1)
        told = told or bool(lines)
        print_lines(lines, sys.stdout)
    if not told:
        raise BadUsage(say("{file} has no deal {deal}", file=file, deal=deal))


def _find_game(record: RecordedMatch) -> Game | None:
    """Return the game of a recorded match, None if its rules are not here."""
    from trutdsl.transcript.replay import load_recorded

    try:
        return load_recorded(record)
    except (BadUsage, Rejected):
        return None


def _verify(file: str, as_json: bool) -> None:
    from trutdsl.transcript.events import read_transcript
    from trutdsl.transcript.replay import replay_match

    matches, events, open_end, difference = 0, 0, False, None
    for record in read_transcript(Path(file), file):
        matches, events = matches + 1, events + len(record.events)
        open_end = record.events[-1]["event"] != "match_end"
        difference = replay_match(record)
        if difference is not None:
            break
    if as_json:
        figures = {"file": file, "matches": matches, "events": events}
        typer.echo(json.dumps({**figures, "difference": difference and asdict(difference)}))
    elif difference is not None:
        _tell_difference(file, difference)
    else:
        typer.echo(
            say(
                "{file}: {matches}, {events}, all the same when played again",
                file=file,
                matches=say_count(matches, "match", "matches"),
                events=say_count(events, "event", "events"),
            )
        )
        if open_end:
            typer.echo(say("The last match is not over in this file."))
    if difference is not None:
        raise typer.Exit(1)


def _tell_difference(file: str, difference: EventMismatch) -> None:
    text = "{file}:{line}: this event differs in the replay"
    typer.echo(say(text, file=file, line=difference.line))
    in_file = difference.found or say("(the transcript ends)")
    typer.echo(say("  in the file: {found}", found=in_file))
    in_replay = difference.played or say("(nothing more happens)")
    typer.echo(say("  played:      {played}", played=in_replay))
