"""`trutdsl replay`: shows a transcript, or plays it again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trutdsl.diagnostics import counted
from trutdsl.transcript import read_transcript, replay_match, show_events


def replay(
    file: Annotated[str, typer.Argument(help="A transcript.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Play its actions again and compare every event.")
    ] = False,
) -> None:
    """Show a transcript for reading, or verify it.

    With --verify it exits with 1 at the first event that differs. The rules are those that the
    transcript names: a shipped variant, or a file, looked for from the folder you are in.

    Example: trutdsl replay --verify matches.jsonl
    """
    matches = events = 0
    for recorded in read_transcript(Path(file), file):
        matches, events = matches + 1, events + len(recorded.events)
        if not verify:
            for line in show_events(recorded):
                typer.echo(line)
            continue
        difference = replay_match(recorded)
        if difference is not None:
            typer.echo(f"{file}:{difference.line}: played again, this event differs")
            typer.echo(f"  in the file: {difference.found or '(the transcript ends)'}")
            typer.echo(f"  played:      {difference.played or '(nothing more happens)'}")
            raise typer.Exit(1)
    if verify:
        typer.echo(
            f"{file}: {counted(matches, 'match', 'matches')}, {counted(events, 'event')}, "
            "all the same when played again"
        )
