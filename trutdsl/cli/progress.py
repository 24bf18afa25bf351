"""Tournaments and comparisons on the command line: their options, progress and output."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TextIO

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from trutdsl.cli.defaults import override_file
from trutdsl.cli.match_progress import LiveLine, PlayPace
from trutdsl.cli.options import DisplayOptions
from trutdsl.cli.output import (
    check_folder,
    is_quiet,
    leaving_at_once,
    make_console,
    note,
    own_output,
    stopped_code,
    tell_stopped,
)
from trutdsl.comparison.run_comparison import ComparisonWatcher
from trutdsl.diagnostics import RunStopped
from trutdsl.files import canonical_json
from trutdsl.game import BadUsage
from trutdsl.language import figure, one_by_one, say, say_count, speaking, spoken_time
from trutdsl.options import BUDGETS, DEALS, Means, Settings, split
from trutdsl.report.rounding import counted_matches, format_of, limits
from trutdsl.report.terminal import NARROWEST
from trutdsl.strategy.fitness import split_strategies
from trutdsl.tournaments.load import is_experiment, read_settings
from trutdsl.tournaments.merge import show
from trutdsl.tournaments.play import from_counts
from trutdsl.tournaments.run import Notice, RunStart, TournamentOutcome
from trutdsl.tournaments.stopping import Prefix
from trutdsl.tournaments.supervisor import FinishedChunk


class CellProgress(LiveLine, ComparisonWatcher):
    """Shows on standard error which variant is measured, while it is entered."""

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(console)
        self._which, self._sets = dict[str, object](), 0

    def count_compiled(self, done: int, of: int) -> None:
        """Show the number of compiled variants, on a live line only."""
        self.show(say("compiled {done} of {of}", done=done, of=of))

    def begin(self, name: str, number: int, of: int) -> None:
        """Show the next variant."""
        self._which, self._sets = {"number": number, "of": of, "name": name}, 0
        (self.show if self.is_live else self.say)(say("{number} of {of}: {name}", **self._which))

    def add_chunk(self, finished: FinishedChunk) -> None:
        """Count the sets of a finished chunk."""
        self._sets += finished.chunk.sets
        text, sets = "{number} of {of}: {name}, {sets} sets", figure(self._sets, ",d")
        self.show(say(text, **self._which, sets=sets))

    def say(self, text: str) -> None:
        """Print a message."""
        note(text)


REFRESH = 0.25  # seconds between two views
MOST_SHOWN = 12  # strategies in the view


class ScreenNotice(Notice):
    """Shows a tournament on standard error; `folder` is the run's, once it is open."""

    def __init__(self, console: Console | None = None) -> None:
        super().__init__()
        self._console = console or make_console(sys.stderr)
        self.folder: Path | None = None
        self._live: Live | None = None
        self._forfeits: Counter[str] = Counter()

    def say(self, text: str) -> None:
        note(text)

    def set_folder(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, beginning: RunStart) -> None:
        """Print the sets to play, and start the clock."""
        self._experiment, self._jobs = beginning.experiment, beginning.jobs
        self._sets, self._deals = beginning.missing_sets, beginning.settings.deals
        if self._deals is not None:
            self._deals -= sum(row["counts"]["deals"] for _, row in beginning.rows())
        self.say(describe_play(beginning))
        self._pace, self._shown_at = PlayPace(), time.monotonic()
        if self._console.is_terminal and not is_quiet():
            self._prefix = Prefix(beginning.span.first)
            for chunk, row in beginning.rows():
                if chunk.first in beginning.span.range:
                    self._prefix.add(chunk, row)
            # Drawn after each chunk, without a thread, because a fork does not copy threads.
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()

    def add_chunk(self, finished: FinishedChunk) -> None:
        """Count a chunk, and show the progress if it is time."""
        super().add_chunk(finished)
        self._pace.units.add(finished.chunk.sets)
        self._pace.deals.add(finished.entry["counts"]["deals"])
        for fault in from_counts(finished.entry["faults"]):
            self._forfeits[self._experiment.strategies[fault.strategy].name] += fault.matches
        if self._live is None:
            self._pace.tell(self._time_left(), self._line)
            return
        self._prefix.add(finished.chunk, finished.entry)
        if (moment := time.monotonic()) - self._shown_at >= REFRESH:
            self._shown_at = moment
            self._live.update(self._view(), refresh=True)

    def end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _time_left(self) -> float | None:
        if self._deals is not None:
            return self._pace.deals.time_for(max(0, self._deals - self._pace.deals.total))
        if self._sets is None:
            return None
        return self._pace.units.time_for(self._sets - self._pace.units.total)

    def _line(self) -> str:
        text = "{done} sets" if self._sets is None else "{done} of {all} sets"
        sets = {"done": self._pace.units.total, "all": self._sets or 0}
        parts = [say(text, **{name: figure(many, ",d") for name, many in sets.items()})]
        parts += self._pace.parts(self._time_left())
        if self._forfeits:
            forfeits = (f"{name} {figure(n, ',d')}" for name, n in sorted(self._forfeits.items()))
            parts.append(say("forfeited: {names}", names=", ".join(forfeits)))
        return ", ".join(parts)

    def _view(self) -> Group:
        whole = self._deals if self._deals is not None else self._sets or 1
        size = (self._pace.units if self._deals is None else self._pace.deals).total
        bar = ProgressBar(total=whole, completed=min(size, whole), width=60)
        return Group(
            Padding(bar),  # ends the line; a bar does not
            Text(f"{self._line()}; {say_count(self._jobs, 'worker', 'workers')}"),
            self._standings(),
        )

    def _standings(self) -> Table:
        """Return the standings before the first gap."""
        # Imported during play, and only for a terminal.
        from trutdsl.stats.summary import score_of

        table = Table(box=None, pad_edge=False)
        table.add_column(overflow="fold")
        for title in (say("score so far"), say("95 %, at any time")):
            table.add_column(title, no_wrap=True)
        tally = self._prefix.tally
        if tally is None:
            return table
        design, names = self._experiment.design, self._experiment.entrants
        indices = [i for i in range(design.strategies) if design.matches_of(i)]
        scores = {i: score_of(tally, replace(design, sequential=True), i) for i in indices}
        form = format_of(asdict(score) for score in scores.values())
        for i in sorted(indices, key=lambda i: -scores[i].mean)[:MOST_SHOWN]:
            interval = "" if scores[i].low is None else limits(asdict(scores[i]), form)
            table.add_row(Text(names[i]), figure(scores[i].mean, form), interval)
        return table


def describe_play(beginning: RunStart) -> str:
    """Return a sentence on the sets to play."""
    design = beginning.experiment.design
    settings = beginning.settings
    sets = beginning.finished_sets
    seatings = say_count(len(design.orders), "seating", "seatings")
    if beginning.rounds > 1:
        meetings = say_count(len(design.combinations), "meeting", "meetings")
        each = say("{meetings} in {seatings}", meetings=meetings, seatings=seatings)
    else:
        combinations = say_count(len(design.combinations), "combination", "combinations")
        text = "{combinations} of strategies in {seatings}"
        each = say(text, combinations=combinations, seatings=seatings)
    parts = [_amount(beginning, each)]
    if sets:
        parts.append(say("{sets} there already", sets=say_count(sets, "set is", "sets are")))
    if settings.test is not None:
        text = "until it is decided whether {name} is better"
        parts.append(say(text, name=settings.test[0]))
    elif settings.precision is not None:
        text = "until every difference is known to +-{precision}"
        parts.append(say(text, precision=figure(settings.precision, "g")))
    if beginning.rounds > 1:
        text = "round {round} of {rounds}"
        parts.append(say(text, round=beginning.round, rounds=beginning.rounds))
    return one_by_one(parts)


def _amount(beginning: RunStart, each: str) -> str:
    design, settings = beginning.experiment.design, beginning.settings
    if beginning.missing_sets is not None:
        return say(
            "{sets} of deals x {each} = {matches}",
            sets=say_count(beginning.missing_sets, "set", "sets"),
            each=each,
            matches=counted_matches(
                beginning.missing_sets * design.matches_per_set, settings.mode == DEALS
            ),
        )
    if settings.deals is not None:
        text = "sets of deals up to {deals} deals, each played by {each}"
        return say(text, deals=figure(settings.deals, ",d"), each=each)
    if settings.time is not None:
        text = "sets of deals for {time}, each played by {each}"
        return say(text, time=spoken_time(settings.time), each=each)
    return say("sets of deals, each played by {each}", each=each)


def read_options(ref: str, flags: dict[str, Any]) -> tuple[Settings, Means]:
    """Return the options of an experiment file or a variant; flags override the file."""
    settings = read_settings(ref) if is_experiment(ref) else {"variant": ref}
    if settings.get("out"):
        check_folder("out:", Path(settings["out"]))
    overrides = override_file(flags, settings)
    for name in overrides.keys() & {"strategies", "test"}:
        overrides[name] = tuple(split_strategies(overrides[name]))
    for name in overrides.keys() & {"parameters", "score"}:
        overrides[name] = tuple(overrides[name])
    if "out" in overrides:
        overrides["out"] = str(Path(overrides["out"]))
    if overrides.keys() & set(BUDGETS):
        settings = {name: value for name, value in settings.items() if name not in BUDGETS}
    settings |= overrides
    if "strategies" not in settings:
        raise BadUsage(say("--strategies is missing: which strategies are to meet?"))
    return split(settings)


def run_and_show(play: Callable[[Notice], TournamentOutcome], display: DisplayOptions) -> None:
    """Play with progress on the terminal, and show the results, or the standings so far.

    Exits with 1 if a strategy failed and forfeited matches.
    """
    notice = ScreenNotice()
    with own_output() as own, speaking(display.lang):
        try:
            outcome = play(notice)
        except RunStopped as stopped:
            where = notice.folder
            assert where is not None
            tell_stopped(_describe_stop(stopped, where))
            with leaving_at_once(), suppress(BadUsage):  # nothing is finished
                show_outcome(show(where), own, display._replace(as_json=False))
            raise typer.Exit(128 + stopped.signal) from None
        except KeyboardInterrupt:
            text = "stopped; what is finished is kept in {folder}"
            message = say(text, folder=notice.folder) if notice.folder else say("stopped")
            tell_stopped(message)
            raise typer.Exit(stopped_code()) from None
        show_outcome(outcome, own, display)
        if outcome.results["faults"]:
            raise typer.Exit(1)


def _describe_stop(stop: RunStopped, folder: Path) -> str:
    text = (
        "stopped: {done} of {all} sets are done and kept in {folder}; {command} goes on from there"
    )
    if stop.of is None:
        text = "stopped: {done} sets are done and kept in {folder}; {command} goes on from there"
    command = f"trutdsl resume {folder}"
    done, every = figure(stop.done, ","), figure(stop.of or 0, ",")
    return say(text, done=done, all=every, folder=folder, command=command)


def show_outcome(outcome: TournamentOutcome, out: TextIO, display: DisplayOptions) -> None:
    """Print the standings and the strategies that failed, or the results as JSON."""
    if display.as_json:
        typer.echo(canonical_json(outcome.results), out, nl=False)
        return
    from trutdsl.report.tournament import show_standings
    from trutdsl.report.tournament_text import forfeit_lines

    console = make_console(out)
    if not console.is_terminal:
        console = make_console(out, NARROWEST)
    with speaking(display.lang):
        show_standings(
            outcome.results, str(outcome.folder), console, display.verbose, display.seconds
        )
        for line in forfeit_lines(outcome.results, vars(outcome.settings)):
            typer.echo(line, out)
