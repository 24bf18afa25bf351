"""Shows, merges and verifies finished runs."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from trutdsl.game import BadUsage
from trutdsl.language import mark, say
from trutdsl.options import PLAIN, Means
from trutdsl.report.csv_files import need_pyarrow, write_results
from trutdsl.stats.design import Tally, merge_all
from trutdsl.tournaments.folder import open_folder, refuse_if_changed, refuse_if_other
from trutdsl.tournaments.journal import LARGEST_INDEX
from trutdsl.tournaments.load import load_run, name_files, output_settings
from trutdsl.tournaments.missing import stopping_set
from trutdsl.tournaments.play import FaultCount, count_sets, from_counts, merge_faults
from trutdsl.tournaments.results import RoundSequence, collect, fits
from trutdsl.tournaments.run import TournamentOutcome, reach_machines
from trutdsl.tournaments.schedule import (
    Chunk,
    MissingSets,
    chunk_key,
    contiguous,
    most_sets,
    overlapping,
)
from trutdsl.tournaments.stopping import rule_of, why_indivisible
from trutdsl.tournaments.stored_runs import (
    Admission,
    StoredRun,
    load_stored_run,
    of_another_version,
    read_stored,
    refuse_missing_files,
)
from trutdsl.tournaments.supervisor import Executor, FailedChunk, FinishedChunk, SkippedChunk
from trutdsl.tournaments.worker import Task

NOTHING = mark("{folder}: no set of this run is finished yet")


def show(folder: Path) -> TournamentOutcome:
    """Return the results so far; raises `BadUsage` if no set is finished.

    If a rule or the time can stop the run, only the sets before the first gap count, as for these.
    """
    manifest, settings, _ = run = load_stored_run(folder)
    experiment, journal = read_stored(run)
    with journal:
        chunks, rule, end = journal.chunks(), rule_of(experiment, settings), LARGEST_INDEX
        if rule is not None:
            end = stopping_set(experiment, rule, journal) or contiguous(chunks)
        elif settings.time is not None:
            end = contiguous(chunks)
        if not chunks or not end:
            raise BadUsage(say(NOTHING, folder=folder))
        results = collect(experiment, settings, manifest, journal, end)
        return TournamentOutcome(folder, results, settings)


LOOK = 0.1  # seconds


@dataclass(frozen=True)
class MergeResult:
    """The result of a merge: the outcome if all sets are there, and the number of missing ones."""

    outcome: TournamentOutcome | None
    missing: int
    left_out: int


def merge(
    folders: Sequence[Path],
    out: Path,
    tell: Callable[[str], None] = lambda _: None,
    means: Means | None = None,
) -> MergeResult:
    """Copy the finished sets of runs of one experiment into one folder.

    means: table format and language; by default those of the first run.
    The order of the runs does not change the results. Of overlapping chunks, those with the most
    sets together are copied; `left_out` counts the others. Raises `BadUsage`, with the differences,
    for runs of several experiments.
    """
    if not folders:
        raise BadUsage(say("merge needs the folders of runs"))
    runs = [load_stored_run(folder) for folder in folders]
    manifests = [one.manifest for one in runs]
    for folder, manifest in zip(folders[1:], manifests[1:], strict=True):
        advice = say("only runs of one experiment can be merged")
        refuse_if_other(folder, manifest, manifests[0], advice)
    for folder, one in zip(folders, runs, strict=True):
        _check_divisible(folder, one)
    largest = max(manifests, key=lambda one: int(one["sets"]))
    manifest = {name: value for name, value in largest.items() if name != "shard"}
    experiment, first = read_stored(runs[0])
    first.close()
    settings, means = runs[0].settings, runs[0].going_on(means or Means())
    if means.parquet:
        need_pyarrow()
    check, options = fits(experiment, settings), output_settings(settings, means)
    admit = Admission(out, manifest, experiment, settings)
    with open_folder(out, manifest, check, tell, options, admit) as target:
        done, found = target.chunks(), set[Chunk]()
        sources = [one for one in runs if Path(one.means.out or ".").resolve() != out.resolve()]
        for one in sources:
            with read_stored(one)[1] as source:
                found |= {chunk for chunk in source.chunks() if chunk.end <= manifest["sets"]}
        new = most_sets(chunk for chunk in found if not overlapping([*done, chunk]))
        left_out = len(found - new - set(done))
        for one in sources:
            with read_stored(one)[1] as source:
                for chunk, record in source.rows():
                    if chunk in new:
                        new.remove(chunk)
                        target.add(chunk_key(experiment, chunk), chunk, record)
                        insort(done, chunk)
        target.check_place()
        missing = MissingSets(Chunk(0, manifest["sets"]), done).left
        if missing:
            return MergeResult(None, missing, left_out)
        results = collect(experiment, settings, manifest, target)
    write_results(out, results, means.csv_style or PLAIN, bool(means.parquet))
    outcome = TournamentOutcome(out, results, settings)
    return MergeResult(outcome, 0, left_out)


def _check_divisible(folder: Path, run: StoredRun) -> None:
    """Raise `BadUsage` for a run that is no number of sets."""
    if (whole := why_indivisible(run.settings)) is not None:
        text = "; trutdsl extend {folder} --sets N makes it a run of so many sets"
        instead = say(text, folder=folder) if whole.counted else ""
        text = "{folder} is a run with {flag}, which cannot be merged: {why}{instead}"
        raise BadUsage(say(text, folder=folder, flag=whole.flag, why=whole.why, instead=instead))
    if "sets" not in run.manifest:
        raise of_another_version(folder)


@dataclass(frozen=True)
class Verification:
    """The chunks of a run that were repeated, and those with other results."""

    chunks: tuple[Chunk, ...]
    wrong: tuple[Chunk, ...]


def verify(
    folder: Path,
    chunks: int = 5,
    means: Means | None = None,
    by_seed: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Verification:
    """Repeat random chunks of a run and compare their counts with the journal.

    by_seed: choose them by the run's seed, so that the choice is always the same.
    tell: receives a message if there are fewer workers than requested.
    Raises `BadUsage` if the journal is damaged, or if variant, strategies or program have changed;
    `Rejected` if a match cannot be played.
    """
    manifest, settings, _ = run = load_stored_run(folder)
    refuse_missing_files(folder, settings)
    setup = load_run(settings)
    files = partial(name_files, setup.experiment)
    refuse_if_changed(folder, manifest, setup.manifest, files)
    _, journal = read_stored(run)
    with journal:
        records = dict(journal.rows())
    if not records:
        raise BadUsage(say(NOTHING, folder=folder))
    lots = Random(setup.experiment.seed) if by_seed else SystemRandom()
    sample = sorted(lots.sample(sorted(records), min(chunks, len(records))))
    means, results = means or Means(), []
    course = RoundSequence.replayed(setup.experiment, settings, sorted(records.items()))
    with reach_machines(means, tell) as (_, _, start):
        for one in course.rounds:
            of_round = [chunk for chunk in sample if course.round_at(chunk) is one]
            if not of_round:
                continue
            task = Task(one.experiment, count_sets, settings.move_timeout)
            executor = start(task)
            try:
                results += _play(executor, of_round)
            finally:
                executor.end()
    wrong = [c for c in sample if _sum(results, c) != _sum([(c, records[c])], c)]
    return Verification(tuple(sample), tuple(wrong))


def _play(executor: Executor, chunks: Sequence[Chunk]) -> list[tuple[Chunk, Any]]:
    todo, results = list(chunks), []
    while todo or executor.busy:
        while todo and executor.room:
            executor.submit(todo.pop())
        for result in executor.gather(LOOK):
            match result:
                case FinishedChunk(chunk, entry):
                    results.append((chunk, entry))
                case FailedChunk(_, error):
                    raise error
                case SkippedChunk():
                    pass  # it is missing in the sum
    return results


def _sum(parts: Sequence[tuple[Chunk, Any]], chunk: Chunk) -> tuple[Tally | None, list[FaultCount]]:
    records = [record for part, record in parts if part.first in chunk.range]
    tallies = [Tally.from_counts(record["counts"]) for record in records]
    faults = merge_faults(one for record in records for one in from_counts(record["faults"]))
    return merge_all(tallies) if tallies else None, faults
