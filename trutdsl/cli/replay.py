"""`trutdsl replay`: tells a transcript in sentences, or verifies it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.diagnostics import BadUsage, Rejected
from trutdsl.language import say, say_count

if TYPE_CHECKING:
    from trutdsl.game import Game
    from trutdsl.transcript import RecordedMatch


def replay(
    file: Annotated[str, typer.Argument(help="A transcript.")],
    deal: Annotated[
        int | None,
        typer.Option(metavar="N", help="The deal; only this one of each match, from 1.", min=1),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Play again and compare; every event.")
    ] = False,
) -> None:
    """Tell a transcript in sentences, with the rule that decided each deal, or verify it.

    With --verify it exits with 1 at the first event that differs. The rules are those that the
    transcript names: a shipped variant, or a file, looked for from the folder you are in.

    Example: trutdsl replay --deal 3 matches.jsonl
    """
    from trutdsl.report.telling import tell_match
    from trutdsl.transcript import read_transcript

    if verify:
        if deal is not None:
            raise BadUsage(say("--verify compares whole matches; leave --deal out"))
        _verify(file)
        return
    told = False
    for recorded in read_transcript(Path(file), file):
        lines = tell_match(recorded, _known(recorded), None if deal is None else deal - 1)
        told = told or bool(lines)
        for line in lines:
            typer.echo(line)
    if not told:
        raise BadUsage(say("{file} has no deal {deal}", file=file, deal=deal))


def _known(recorded: RecordedMatch) -> Game | None:
    """Return the game of a recorded match, None if its rules are not here."""
    from trutdsl.transcript import load_recorded

    try:
        return load_recorded(recorded)
    except (BadUsage, Rejected):
        return None


def _verify(file: str) -> None:
    from trutdsl.transcript import read_transcript, replay_match

    matches = events = 0
    for recorded in read_transcript(Path(file), file):
        matches, events = matches + 1, events + len(recorded.events)
        difference = replay_match(recorded)
        if difference is not None:
            typer.echo(
                say(
                    "{file}:{line}: played again, this event differs",
                    file=file,
                    line=difference.line,
                )
            )
            found = difference.found or say("(the transcript ends)")
            typer.echo(say("  in the file: {found}", found=found))
            played = difference.played or say("(nothing more happens)")
            typer.echo(say("  played:      {played}", played=played))
            raise typer.Exit(1)
    typer.echo(
        say(
            "{file}: {matches}, {events}, all the same when played again",
            file=file,
            matches=say_count(matches, "match", "matches"),
            events=say_count(events, "event", "events"),
        )
    )
