"""`trutdsl replay`: tells a transcript in sentences, or verifies it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import PrintJson
from trutdsl.cli.output import print_lines
from trutdsl.diagnostics import BadUsage, Rejected
from trutdsl.language import say, say_count

if TYPE_CHECKING:
    from trutdsl.game import Game
    from trutdsl.transcript import EventMismatch, RecordedMatch


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
    from trutdsl.transcript import check_table, read_transcript

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
    from trutdsl.transcript import load_recorded

    try:
        return load_recorded(record)
    except (BadUsage, Rejected):
        return None


def _verify(file: str, as_json: bool) -> None:
    from trutdsl.transcript import read_transcript, replay_match

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
