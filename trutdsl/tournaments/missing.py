"""Plays the chunks that a run's journal lacks, until a rule stops it."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Callable, Iterable

from trutdsl.diagnostics import Error, Failure, RunStopped
from trutdsl.language import say
from trutdsl.tournaments.journal import LARGEST_INDEX, Journal
from trutdsl.tournaments.play import describe_match
from trutdsl.tournaments.processes import LOGGER, StopRequest
from trutdsl.tournaments.schedule import Chunk, Experiment, MissingSets, chunk_key, contiguous
from trutdsl.tournaments.stopping import StopRule
from trutdsl.tournaments.supervisor import (
    Executor,
    FailedChunk,
    FinishedChunk,
    Result,
    SkippedChunk,
)

LOOK = 0.1  # seconds between two looks at the stop request
AIM = 0.5  # seconds for a chunk: the loss if a run is killed, and a worker's wait at the end
GROWTH = 4  # the largest ratio of a chunk's sets to those of the one before
OVERHEAD = 4  # a chunk lasts at least so many times its overhead
MOST_MESSAGES = 6
MOST_MATCHES = 1 << 22  # in a chunk; a worker needs memory for all of them
SHARE = 4  # a chunk is at most 1/SHARE of each worker's part of the missing sets,
LEAST = 32  # but at least 1/LEAST of a chunk of `AIM` seconds, because of the overhead


def stopping_set(experiment: Experiment, rule: StopRule | None, journal: Journal) -> int | None:
    """Return the set at which the rule stops the run in the journal, None if it does not."""
    run = UnfinishedRun(experiment, Chunk(0, LARGEST_INDEX), journal, rule)
    return run.next_set if run.settled else None


class ChunkPace:
    """Estimates how many sets a chunk should have, from the seconds of those before.

    Where strategies answer many matches at once, a chunk has a large overhead: a few matches take
    nearly as long as thousands.
    """

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None
        self._overhead = 0.0  # seconds that a chunk takes, however few its sets

    def sets_after(self, sets: int, seconds: float) -> int:
        """Return the best size of the next chunk, after one of so many sets took so long."""
        known = self._before
        if known is not None and not sets < 2 * known[0] < 4 * sets:  # else noise would decide
            (fewer, least), (more, most) = sorted((known, (sets, seconds)))
            each = max(0.0, (most - least) / (more - fewer))
            self._overhead = max(0.0, least - fewer * each)
        self._before = sets, seconds
        by_time = int(sets * max(AIM, OVERHEAD * self._overhead) / seconds)
        return by_time if known is not None else max(by_time, 2 * sets)


class UnfinishedRun:
    """A run with a journal that lacks sets.

    rule:          decides whether to stop before the end of the span.
    stop_at_fault: a fault of a strategy ends the run instead of forfeiting the match.
    chunk:         sets in a chunk, which crosses no multiple of it; None chooses it by time. The
                   results do not depend on it.
    seconds:       the time after which no chunk starts, except for the first one; then the sets
                   before the first gap count.
    progress:      receives each finished chunk.
    """

    def __init__(
        self,
        experiment: Experiment,
        span: Chunk,
        journal: Journal,
        rule: StopRule | None = None,
        stop_at_fault: bool = False,
        chunk: int | None = None,
        seconds: float | None = None,
        progress: Callable[[FinishedChunk], None] = lambda _: None,
    ) -> None:
        self._experiment, self._span, self._journal = experiment, span, journal
        self._rule, self._stop_at_fault, self._progress = rule, stop_at_fault, progress
        self._chunk, self._seconds = chunk, seconds
        self._chunks = journal.chunks()
        self._missing = MissingSets(span, self._chunks, rule.every if rule else chunk)
        self._size = 1
        self._pace = ChunkPace()
        self._failure: FailedChunk | FinishedChunk | None = None
        self._skipped: list[SkippedChunk] = []
        self.settled = self._late = False
        self._end: float | None = None
        self.next_set = span.first  # the rule knows all sets before this one
        self._unasked = {c.first: (c, record) for c, record in journal.rows()} if rule else {}
        self._ask_rule()

    def play(self, start: Callable[[], Executor], stop: StopRequest) -> int:
        """Play all missing sets into the journal, and return the number of sets that count.

        start: starts the executor if a set is missing.
        Raises `RunStopped` after a stop request, and `Failure`, `Rejected` or `BadUsage` if a match
        is impossible: the first one in the order of play. Finished chunks are kept in any case.
        """
        if self._missing.left and not self.settled:
            LOGGER.info("%s", self._say_done())
            executor = start()
            try:
                self._play(executor, stop)
            finally:
                executor.end()
            LOGGER.info("played; %s", self._say_done())
        return self._result(stop)

    def _play(self, executor: Executor, stop: StopRequest) -> None:
        if self._seconds is not None:
            self._end = time.monotonic() + self._seconds
        while stop.signal is None and not self.settled:
            while executor.room and self._failure is None and not self._is_late(executor):
                if stop.signal is not None:  # also during the start of workers
                    return
                chunk = self._missing.take(self._next_size(executor.room))
                if chunk is None:
                    break
                executor.submit(chunk)
            if not executor.busy or self._is_first_failure():
                break
            for result in executor.gather(LOOK):
                self._take(result)
            self._ask_rule()

    def _result(self, stop: StopRequest) -> int:
        if self.settled:
            return self.next_set
        if self._failure is not None:
            raise _failure_of(self._experiment, self._failure)
        done, of = self._done_of()
        if stop.signal is not None and done < self._span.sets:
            raise RunStopped(done, of, stop.signal)
        if self._skipped:
            raise Failure(_describe_skipped(self._experiment, self._skipped))
        return contiguous(self._chunks, self._span.first) if self._late else self._span.end

    def _is_late(self, executor: Executor) -> bool:
        """Tell whether the time is over and at least one chunk has started."""
        if self._end is None or not (self._chunks or executor.busy):
            return False
        self._late = self._late or time.monotonic() >= self._end
        return self._late

    def _say_done(self) -> str:
        """Return a sentence with the number of finished sets, and of all if it is known."""
        done, of = self._done_of()
        return (
            say("{done} sets are done", done=done)
            if of is None
            else say("{done} of {of} sets are done", done=done, of=of)
        )

    def _done_of(self) -> tuple[int, int | None]:
        fixed, whole = self._rule is None and self._seconds is None, self._span.sets
        return whole - MissingSets(self._span, self._chunks).left, whole if fixed else None

    def _next_size(self, room: int) -> int:
        most = max(1, MOST_MATCHES // len(self._experiment.legs))
        if self._chunk is not None:
            return min(self._chunk, most)
        share = max(self._missing.left // (SHARE * room), self._size // LEAST)
        return max(1, min(self._size, share, most))

    def _take(self, result: Result) -> None:
        match result:
            case SkippedChunk():
                self._skipped.append(result)
            case FailedChunk():
                self._fail(result)
            case FinishedChunk(chunk, entry, faults, seconds):
                if faults and self._stop_at_fault:
                    self._fail(result)
                    return
                self._journal.add(chunk_key(self._experiment, chunk), chunk, entry)
                insort(self._chunks, chunk)
                if self._rule is not None:
                    self._unasked[chunk.first] = chunk, entry
                by_time = self._pace.sets_after(chunk.sets, max(seconds, 1e-3))
                self._size = max(1, min(by_time, GROWTH * max(chunk.sets, self._size)))
                self._progress(result)

    def _fail(self, result: FailedChunk | FinishedChunk) -> None:
        if self._failure is None or result.chunk < self._failure.chunk:
            self._failure = result

    def _is_first_failure(self) -> bool:
        """Tell whether a match failed and all sets before it are finished."""
        if self._failure is None:
            return False
        known = [*self._chunks, *(one.chunk for one in self._skipped)]
        return contiguous(known, self._span.first) >= self._failure.chunk.first

    def _ask_rule(self) -> None:
        """Ask the rule at each multiple of `every` that play has reached, in order."""
        rule = self._rule
        while rule is not None and not self.settled:
            at, records = self.next_set, []
            place = at - at % rule.every + rule.every
            while at < place and at in self._unasked:
                chunk, counts = self._unasked[at]
                records.append(counts)
                at = chunk.end
            if at < place:
                return
            for first in [f for f in self._unasked if f < at]:
                del self._unasked[first]
            self.next_set, self.settled = at, rule.settles(records)


def _failure_of(experiment: Experiment, result: FailedChunk | FinishedChunk) -> Error:
    match result:
        case FailedChunk(_, error):
            return error
        case FinishedChunk(_, _, (fault, *_), _):
            return Failure(f"{fault.message} ({describe_match(experiment, fault.place)})")
    raise AssertionError(result)


def _describe_skipped(experiment: Experiment, skipped: Iterable[SkippedChunk]) -> str:
    chunks = sorted(skipped, key=lambda one: one.chunk)
    matches = [
        say("set {first}", first=one.chunk.first)
        + (
            f" ({describe_match(experiment, one.place)}; {one.why})"
            if one.place
            else f" ({one.why})"
        )
        for one in chunks[:MOST_MESSAGES]
    ]
    more = (
        say(" and {number} more", number=len(chunks) - MOST_MESSAGES)
        if len(chunks) > MOST_MESSAGES
        else ""
    )
    why = say("workers were lost repeatedly, so these sets are skipped")
    return f"{why}: {'; '.join(matches)}{more}"
