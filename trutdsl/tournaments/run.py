"""Runs a tournament: plays its missing sets and writes the results into its folder."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import RunStopped
from trutdsl.files import canonical_json, write_whole
from trutdsl.game import BadUsage
from trutdsl.language import say, say_count
from trutdsl.options import DASK, IN_ROUNDS, PLAIN, STOP, Means, Settings
from trutdsl.report.csv_files import need_pyarrow, write_results
from trutdsl.strategy.load import USUAL
from trutdsl.strategy.threads import limit_workers
from trutdsl.streams import LARGEST_SEED
from trutdsl.tournaments.folder import (
    MANIFEST,
    RUN_LOG,
    fresh_folder,
    open_folder,
    read_manifest,
    refuse_if_changed,
)
from trutdsl.tournaments.journal import LARGEST_INDEX, Journal
from trutdsl.tournaments.load import Run, load_run, name_files, output_settings, with_budget
from trutdsl.tournaments.missing import UnfinishedRun
from trutdsl.tournaments.play import count_sets
from trutdsl.tournaments.processes import StopRequest, choose_context, run_log
from trutdsl.tournaments.results import Round, RoundSequence, collect, fits
from trutdsl.tournaments.schedule import Chunk, Experiment, MissingSets, shard
from trutdsl.tournaments.stopping import rule_of, why_indivisible
from trutdsl.tournaments.stored_runs import Admission, load_stored_run, refuse_missing_files
from trutdsl.tournaments.supervisor import Executor, FinishedChunk, Supervisor
from trutdsl.tournaments.worker import Task

Start = Callable[[Task], Executor]


@contextmanager
def reach_machines(means: Means, tell: Callable[[str], None]) -> Iterator[tuple[int, bool, Start]]:
    """Yield the number of workers, whether they are forked, and the function that starts them.

    These are processes on this machine, or a cluster. Raises `BadUsage` if they are not available.
    tell: receives a message if there are fewer workers than requested, or if one is lost.
    """
    if means.executor != DASK:
        context, jobs = choose_context(means.start_method), limit_workers(means.jobs, tell)
        forked = context.get_start_method() == "fork"

        def start(task: Task) -> Supervisor:
            if not forked:
                refuse_unsendable(task)
            return Supervisor(task, jobs, context, tell)

        yield jobs, forked, start
        return
    # This import takes longer than most runs.
    from trutdsl.tournaments.cluster import Cluster, connect, count_threads

    assert means.scheduler is not None
    client = connect(means.scheduler)
    try:

        def begin(task: Task) -> Cluster:
            refuse_unsendable(task)
            return Cluster(client, task, tell)

        yield count_threads(client), False, begin
    finally:
        client.close(timeout=1)


def refuse_unsendable(task: Task) -> None:
    """Raise `BadUsage` for a strategy that other processes cannot get.

    Only an object can be one: a local function, say.
    """
    for strategy in task.experiment.strategies:
        try:
            pickle.dumps(strategy)
        except Exception as problem:  # whatever the methods of an object raise
            text = (
                "the strategy '{name}' cannot be sent to other processes ({why}); define it in a "
                "module that they can import, or start them by fork"
            )
            why = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            raise BadUsage(say(text, name=strategy.name, why=why)) from None


@dataclass(frozen=True)
class TournamentOutcome:
    """The outcome of a tournament: its settings, folder, and results as in `results.json`."""

    folder: Path
    results: Mapping[str, Any]
    settings: Settings


@dataclass(frozen=True)
class RunStart:
    """The start of a run, for its progress display.

    span:          the sets to play; missing_sets: the number of missing ones, None if unknown.
    finished_sets: the number of finished ones; rows: returns their chunks and counts.
    jobs:          the number of workers.
    round, rounds: the number of this round, from 1, and of all rounds.
    """

    experiment: Experiment
    settings: Settings
    span: Chunk
    missing_sets: int | None
    finished_sets: int
    rows: Callable[[], Iterator[tuple[Chunk, Any]]]
    jobs: int
    round: int = 1
    rounds: int = 1


class Notice:
    """Receives the progress of a tournament; this one only keeps the length of its chunks.

    lengths: the sets and the seconds of each finished chunk.
    """

    def __init__(self) -> None:
        self.lengths: list[tuple[int, float]] = []

    def say(self, text: str) -> None:
        """Receive a message for the user."""

    def set_folder(self, folder: Path) -> None:
        """Receive the run's folder, which is now locked."""

    def begin(self, beginning: RunStart) -> None:
        """Receive the start of play; there is none if no set is missing."""

    def add_chunk(self, finished: FinishedChunk) -> None:
        """Receive a finished chunk."""
        self.lengths.append((finished.chunk.sets, finished.seconds))

    def end(self) -> None:
        """Receive the end of play, also after an error."""


def run_tournament(
    settings: Settings, means: Means | None = None, notice: Notice | None = None
) -> TournamentOutcome:
    """Play a tournament, or continue the one in its folder.

    Raises `RunStopped` after a signal, `Failure` if it cannot go on, and `Rejected`, `BadParameter`
    or `BadUsage` for bad settings. Finished chunks are kept in any case.
    """
    with StopRequest() as stop:
        return _play(load_for(settings, means or Means()), notice or Notice(), stop)


def play_run(run: Run, notice: Notice | None = None) -> TournamentOutcome:
    """Play a tournament whose strategies are loaded; raises as `run_tournament` does."""
    with StopRequest() as stop:
        return _play(run, notice or Notice(), stop)


def extend(
    folder: Path,
    budget: Mapping[str, float] | None = None,
    means: Means | None = None,
    notice: Notice | None = None,
) -> TournamentOutcome:
    """Continue the tournament in a folder, with a larger budget if one is given.

    budget: one of `BUDGETS`, for the whole run; `time` counts from now.
    Raises as `run_tournament` does; `BadUsage` if variant, strategies or program have changed, if
    the budget is smaller, or for a budget of a shard.
    """
    stored_run = load_stored_run(folder)
    manifest, settings, part = stored_run.manifest, stored_run.settings, stored_run.means.shard
    refuse_missing_files(folder, settings)
    if budget and part is not None:
        text = (
            "{folder} is shard {part} of {manifest} sets and is not extended by "
            "itself: put the shards together with trutdsl merge, and extend the whole"
        )
        raise BadUsage(say(text, folder=folder, part=part, manifest=manifest["sets"]))
    if budget and settings.format in IN_ROUNDS:
        text = (
            "{folder} is a run with --format {format}, which is not extended: more sets would make "
            "another tournament; begin it with `trutdsl tournament` in a folder such as {fresh}"
        )
        fresh = fresh_folder(folder)
        raise BadUsage(say(text, folder=folder, format=settings.format, fresh=fresh))
    if budget:
        settings = with_budget(settings, budget)
    own_means = stored_run.going_on(means or Means())
    with StopRequest() as stop:
        run = load_run(settings, own_means)
        files = partial(name_files, run.experiment)
        refuse_if_changed(folder, manifest, run.manifest, files)
        return _play(run, notice or Notice(), stop)


def load_for(settings: Settings, means: Means) -> Run:
    """Load the variant and the strategies of a run; raises as `load_run` does.

    Without a seed it takes the seed of the run in its folder. Raises `BadUsage` for a shard that
    would draw its own seed, because all shards need the same one.
    """
    if settings.seed is None and means.out is not None:
        seed = (read_manifest(Path(means.out)) or {}).get("seed")
        if type(seed) is int and 0 <= seed <= LARGEST_SEED:
            settings = replace(settings, seed=seed)
    run = load_run(settings, means)
    if settings.seed is None and means.shard is not None and run.experiment.seed != USUAL:
        raise BadUsage(
            say("--shard needs --seed where a program plays: each part would draw its own")
        )
    return run


def _play(run: Run, notice: Notice, stop: StopRequest) -> TournamentOutcome:
    settings, means = run.settings, run.means
    if means.parquet:
        need_pyarrow()
    span, manifest = _span(run), run.manifest
    with ExitStack() as stack:
        workers, forked, start = stack.enter_context(reach_machines(means, notice.say))
        journal = stack.enter_context(
            open_folder(
                run.folder,
                manifest,
                fits(run.experiment, settings),
                notice.say,
                output_settings(settings, means),
                Admission(run.folder, manifest, run.experiment, settings),
                partial(name_files, run.experiment),
            )
        )
        by_queue = stack.enter_context(run_log(run.folder / RUN_LOG, forked))
        notice.set_folder(run.folder)
        stack.callback(notice.end)
        enough, rounds = 0, _replay(run, journal)
        while (current := rounds.open) is not None:
            one = current if rounds.format is not None else replace(current, span=span)
            beginning = _start(run, rounds, one, journal, workers)
            task = Task(one.experiment, count_sets, settings.move_timeout, not by_queue)
            unfinished = UnfinishedRun(
                one.experiment,
                one.span,
                journal,
                rule_of(run.experiment, settings),
                settings.on_error == STOP,
                means.chunk,
                settings.time,
                notice.add_chunk,
            )
            try:
                enough = unfinished.play(partial(_begin, notice, beginning, start, task), stop)
            except RunStopped as stopped:
                raise _of_all_rounds(stopped, rounds, journal) from None
            if rounds.format is None:
                break
            rounds = _replay(run, journal)
        journal.check_place()
        if settings.time is not None:
            # As of a run with this number of sets, which has the same results.
            limited = {name: value for name, value in manifest.items() if name != "time"}
            manifest = limited | {"sets": enough}
            write_whole(run.folder / MANIFEST, canonical_json(manifest))
        results = collect(run.experiment, settings, manifest, journal, enough or LARGEST_INDEX)
    if means.shard is None:
        write_results(run.folder, results, means.csv_style or PLAIN, bool(means.parquet))
    return TournamentOutcome(run.folder, results, settings)


def _span(run: Run) -> Chunk:
    sets, part = run.experiment.sets, run.means.shard
    if part is None:
        return Chunk(0, sets)
    if (reason := why_indivisible(run.settings)) is not None:
        instead = say("; give --sets N: trutdsl plan tells how many sets and deals it takes")
        text = "--shard cannot be combined with {flag}: {why}{instead}"
        raise BadUsage(
            say(text, flag=reason.flag, why=reason.why, instead=instead if reason.counted else "")
        )
    span = shard(sets, part)
    if not span.sets:
        text = "--shard {part}: of {sets} of deals this part has none"
        raise BadUsage(say(text, part=part, sets=say_count(sets, "set", "sets")))
    return span


def _replay(run: Run, journal: Journal) -> RoundSequence:
    return RoundSequence.replayed(run.experiment, run.settings, journal.rows())


def _start(run: Run, rounds: RoundSequence, one: Round, journal: Journal, workers: int) -> RunStart:
    done = journal.chunks()
    known = "sets" in run.manifest or rounds.format is not None
    return RunStart(
        one.experiment,
        run.settings,
        one.span,
        MissingSets(one.span, done).left if known else None,
        sum(chunk.sets for chunk in done if chunk.first in one.span.range),
        journal.rows,
        workers,
        len(rounds.rounds),
        rounds.count,
    )


def _begin(notice: Notice, beginning: RunStart, start: Start, task: Task) -> Executor:
    notice.begin(beginning)
    return start(task)


def _of_all_rounds(stop: RunStopped, course: RoundSequence, journal: Journal) -> RunStopped:
    if course.format is None:
        return stop
    done = sum(chunk.sets for chunk in journal.chunks())
    return RunStopped(done, course.count * course.experiment.sets, stop.signal)
