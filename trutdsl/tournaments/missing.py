"""Plays the chunks that a run's journal lacks, until a rule stops it."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from trutdsl.diagnostics import Failure, Rejected, RunStopped
from trutdsl.tournaments.folder import Journal
from trutdsl.tournaments.play import describe_match
from trutdsl.tournaments.processes import LOGGER, StopRequest
from trutdsl.tournaments.schedule import Chunk, Experiment, MissingSets, chunk_key, contiguous
from trutdsl.tournaments.supervisor import Executor, FailedChunk, FinishedChunk, LeftAside, Result

LOOK = 0.1  # seconds between two looks at the stop request
AIM = 0.5  # seconds for a chunk: the loss if a run is killed, and a worker's wait at the end
GROWTH = 4  # the largest ratio of a chunk's sets to those of the one before
MOST_TOLD = 6
MOST_MATCHES = 1 << 22  # in a chunk; a worker needs memory for all of them
SHARE = 4  # a chunk is at most 1/SHARE of each worker's part of the missing sets,
LEAST = 32  # but at least 1/LEAST of a chunk of `AIM` seconds, because of the overhead


class StopRule(Protocol):
    """Decides at each multiple of `every` sets, in order, whether to stop.

    Later sets have no effect on the decision, so a run always ends at the same set.
    """

    every: int

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether to stop; kept: the counts of the chunks since the last call."""


@dataclass(frozen=True)
class Assignment:
    """The sets of an experiment to play.

    rule:          decides whether to stop before the end of the span.
    stop_at_fault: a fault of a strategy ends the run instead of forfeiting the match.
    chunk:         sets in a chunk, which crosses no multiple of it; None chooses it by time. The
                   results do not depend on it.
    seconds:       the time after which no chunk starts, except for the first one; then the sets
                   before the first gap count.
    """

    experiment: Experiment
    span: Chunk
    rule: StopRule | None = None
    stop_at_fault: bool = False
    chunk: int | None = None
    seconds: float | None = None


def play_missing(
    assignment: Assignment,
    journal: Journal,
    start: Callable[[], Executor],
    stop: StopRequest,
    progress: Callable[[FinishedChunk], None] = lambda _: None,
) -> int:
    """Play all missing sets and add them to the journal; return the number of sets that count.

    start:    starts the executor if a set is missing.
    progress: receives each finished chunk.

    Raises `RunStopped` after a stop request, and `Failure` or `Rejected` if a match is impossible:
    the first one in the order of play. Finished chunks are kept in any case.
    """
    run = _Run(assignment, journal, progress)
    if run.missing.left and not run.settled:
        LOGGER.info("%s", run.say_done())
        executor = start()
        try:
            run.play(executor, stop)
        finally:
            executor.end()
        LOGGER.info("played; %s", run.say_done())
    return run.result(stop)


def settled_at(assignment: Assignment, journal: Journal) -> int | None:
    """Return the set at which the rule stops the run in the journal, None if it does not."""
    return _Run(assignment, journal, lambda _: None).ended


class _Run:
    """The state of a run."""

    def __init__(
        self, assignment: Assignment, journal: Journal, progress: Callable[[FinishedChunk], None]
    ) -> None:
        self._what, self._journal, self._progress = assignment, journal, progress
        self._done = journal.chunks()
        rule = assignment.rule
        every = rule.every if rule else assignment.chunk
        self.missing = MissingSets(assignment.span, self._done, every)
        self._size = 1
        self._failure: FailedChunk | FinishedChunk | None = None
        self._aside: list[LeftAside] = []
        self.settled = self._late = False
        self._end: float | None = None
        self._asked = assignment.span.first  # the rule knows all sets before this one
        self._unasked = {c.first: (c, kept) for c, kept in journal.rows()} if rule else {}
        self._ask_rule()

    def play(self, executor: Executor, stop: StopRequest) -> None:
        seconds = self._what.seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        while stop.signal is None and not self.settled:
            while executor.room and self._failure is None and not self._is_late(executor):
                if stop.signal is not None:  # also during the start of workers
                    return
                chunk = self.missing.take(self._next_size(executor.room))
                if chunk is None:
                    break
                executor.submit(chunk)
            if not executor.busy or self._is_first_failure():
                break
            for result in executor.gather(LOOK):
                self._take(result)
            self._ask_rule()

    def result(self, stop: StopRequest) -> int:
        span = self._what.span
        if self.settled:
            return self._asked
        if self._failure is not None:
            raise _failure_of(self._what.experiment, self._failure)
        if stop.signal is not None and self.missing_sets:
            done, of = self._done_of()
            raise RunStopped(done, of, stop.signal)
        if self._aside:
            raise Failure(_tell_aside(self._what.experiment, self._aside))
        return contiguous(self._done, span.first) if self._late else span.beyond

    def _is_late(self, executor: Executor) -> bool:
        """Tell whether the time is over and at least one chunk has started."""
        if self._end is None or not (self._done or executor.busy):
            return False
        self._late = self._late or time.monotonic() >= self._end
        return self._late

    def say_done(self) -> str:
        """Return a sentence with the number of finished sets, and of all if it is known."""
        done, of = self._done_of()
        return f"{done} sets are done" if of is None else f"{done} of {of} sets are done"

    def _done_of(self) -> tuple[int, int | None]:
        fixed = self._what.rule is None and self._what.seconds is None
        whole = self._what.span.sets
        return whole - self.missing_sets, whole if fixed else None

    @property
    def ended(self) -> int | None:
        return self._asked if self.settled else None

    @property
    def missing_sets(self) -> int:
        return MissingSets(self._what.span, self._done).left

    def _next_size(self, room: int) -> int:
        most = max(1, MOST_MATCHES // len(self._what.experiment.legs))
        if self._what.chunk is not None:
            return min(self._what.chunk, most)
        share = max(self.missing.left // (SHARE * room), self._size // LEAST)
        return max(1, min(self._size, share, most))

    def _take(self, result: Result) -> None:
        match result:
            case LeftAside():
                self._aside.append(result)
            case FailedChunk():
                self._fail(result)
            case FinishedChunk(chunk, kept, faults, seconds):
                if faults and self._what.stop_at_fault:
                    self._fail(result)
                    return
                self._journal.add(chunk_key(self._what.experiment, chunk), chunk, kept)
                insort(self._done, chunk)
                if self._what.rule is not None:
                    self._unasked[chunk.first] = chunk, kept
                by_time = int(chunk.sets * AIM / max(seconds, 1e-3))
                self._size = max(1, min(by_time, GROWTH * max(chunk.sets, self._size)))
                self._progress(result)

    def _fail(self, result: FailedChunk | FinishedChunk) -> None:
        if self._failure is None or result.chunk < self._failure.chunk:
            self._failure = result

    def _is_first_failure(self) -> bool:
        """Tell whether a match failed and all sets before it are finished."""
        if self._failure is None:
            return False
        known = [*self._done, *(aside.chunk for aside in self._aside)]
        return contiguous(known, self._what.span.first) >= self._failure.chunk.first

    def _ask_rule(self) -> None:
        """Ask the rule at each multiple of `every` that play has reached, in order."""
        rule = self._what.rule
        while rule is not None and not self.settled:
            at, kept = self._asked, []
            place = at - at % rule.every + rule.every
            while at < place and at in self._unasked:
                chunk, counts = self._unasked[at]
                kept.append(counts)
                at = chunk.beyond
            if at < place:
                return
            for first in [f for f in self._unasked if f < at]:
                del self._unasked[first]
            self._asked, self.settled = at, rule.settles(kept)


def _failure_of(experiment: Experiment, result: FailedChunk | FinishedChunk) -> Failure | Rejected:
    match result:
        case FailedChunk(_, error):
            return error
        case FinishedChunk(_, _, (fault, *_), _):
            return Failure(f"{fault.said} ({describe_match(experiment, fault.place)})")
    raise AssertionError(result)


def _tell_aside(experiment: Experiment, aside: Iterable[LeftAside]) -> str:
    found = sorted(aside, key=lambda one: one.chunk)
    matches = [
        f"set {one.chunk.first}"
        + (
            f" ({describe_match(experiment, one.place)}; {one.why})"
            if one.place
            else f" ({one.why})"
        )
        for one in found[:MOST_TOLD]
    ]
    more = f" and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
    why = "workers were lost again and again, so that these sets are left aside"
    return f"{why}: {'; '.join(matches)}{more}"
