"""Tournaments of the command line: their options, their progress and their output."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import typer

from trutdsl.cli.exits import leaving_at_once, stopped_code
from trutdsl.cli.output import make_console, own_output
from trutdsl.cli.progress import ScreenNotice
from trutdsl.diagnostics import RunStopped
from trutdsl.files import canonical_json
from trutdsl.game import BadUsage
from trutdsl.options import BUDGETS, Means, Settings, split
from trutdsl.report.language import ENGLISH, say, speaking
from trutdsl.strategy import split_strategies
from trutdsl.tournaments.load import is_experiment, read_settings
from trutdsl.tournaments.merge import show
from trutdsl.tournaments.run import Notice, TournamentOutcome


def asked_for(ref: str, flags: dict[str, Any]) -> tuple[Settings, Means]:
    """Return the options of an experiment file or a variant; flags override the file."""
    given = read_settings(ref) if is_experiment(ref) else {"variant": ref}
    asked = {name: value for name, value in flags.items() if value not in (None, [])}
    for name in asked.keys() & {"strategies", "test"}:
        asked[name] = split_names(asked[name])
    for name in asked.keys() & {"parameters", "score"}:
        asked[name] = tuple(asked[name])
    if "out" in asked:
        asked["out"] = str(Path(asked["out"]))
    if asked.keys() & set(BUDGETS):
        given = {name: value for name, value in given.items() if name not in BUDGETS}
    given |= asked
    if "strategies" not in given:
        raise BadUsage("--strategies is missing: which strategies are to meet?")
    return split(given)


class DisplayOptions(NamedTuple):
    """The output of results: JSON, or text with more or fewer details in a language."""

    as_json: bool
    verbose: bool = False
    lang: str = ENGLISH


def run_and_show(play: Callable[[Notice], TournamentOutcome], shown: DisplayOptions) -> None:
    """Play with progress on the terminal, and show the results, or the standings so far.

    Exits with 1 if a strategy failed and forfeited matches.
    """
    notice = ScreenNotice()
    with own_output() as own, speaking(shown.lang):
        try:
            outcome = play(notice)
        except RunStopped as stopped:
            where = notice.folder
            assert where is not None
            with leaving_at_once():
                _say(_tell_stopped(stopped, where))
                with suppress(BadUsage):  # nothing is finished
                    show_outcome(show(where), own, shown._replace(as_json=False))
            raise typer.Exit(128 + stopped.signal) from None
        except KeyboardInterrupt:
            text = "stopped; what is finished is kept in {folder}"
            _say(say(text, folder=notice.folder) if notice.folder else say("stopped"))
            raise typer.Exit(stopped_code()) from None
        show_outcome(outcome, own, shown)
        if outcome.results["faults"]:
            raise typer.Exit(1)


def _tell_stopped(stopped: RunStopped, folder: Path) -> str:
    """Return a sentence on the finished sets and the command that continues the run."""
    text = (
        "stopped: {done} of {all} sets are done and kept in {folder}; {command} goes on from there"
    )
    if stopped.of is None:
        text = "stopped: {done} sets are done and kept in {folder}; {command} goes on from there"
    command = f"trutdsl resume {folder}"
    return say(text, done=stopped.done, all=stopped.of, folder=folder, command=command)


def show_outcome(outcome: TournamentOutcome, out: TextIO, shown: DisplayOptions) -> None:
    """Print the standings and the strategies that failed, or the results as JSON."""
    if shown.as_json:
        typer.echo(canonical_json(outcome.results), out, nl=False)
        return
    from trutdsl.report.terminal import NARROWEST
    from trutdsl.report.tournament import show_standings
    from trutdsl.report.tournament_text import forfeit_lines

    console = make_console(out)
    if not console.is_terminal:
        console = make_console(out, NARROWEST)
    with speaking(shown.lang):
        show_standings(outcome.results, str(outcome.folder), console, shown.verbose)
        for line in forfeit_lines(outcome.results, outcome.called):
            typer.echo(line, out)


def split_names(strategies: str) -> tuple[str, ...]:
    """Return the names in an option's text."""
    names = split_strategies(strategies)
    if not all(names):
        raise BadUsage(f"--strategies {strategies!r}: a name is missing between the commas")
    return tuple(names)


def _say(message: str) -> None:
    typer.echo(message, err=True)
