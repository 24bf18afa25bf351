"""Plays the chunks that a run's journal does not hold yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool

from trutdsl.arena.errors import RunFailed, RunStopped
from trutdsl.arena.journal import Journal
from trutdsl.arena.log import LOGGER
from trutdsl.arena.play import Counts, CountSets
from trutdsl.arena.schedule import Chunk, Experiment, chunk_key, cut_chunks, sets_per_chunk
from trutdsl.arena.signals import StopRequest
from trutdsl.arena.workers import GRACE, Workers, start_workers
from trutdsl.diagnostics import Rejected

LOOK = 0.1  # seconds between two looks at the stop request
AHEAD = 2  # chunks waiting per worker, so that none idles; more would only fill memory
WORKER_GONE = "a worker process was ended from outside, crashed or ran out of memory"

Pending = dict[Future[Counts | None], Chunk]


def play_missing(
    experiment: Experiment,
    count: CountSets,
    journal: Journal,
    jobs: int,
    stop: StopRequest,
    progress: Callable[[int], None],
) -> None:
    """Play every chunk that is missing in the journal and keep it there.

    count:    a function at the top of a module (it goes to the workers).
    jobs:     worker processes; what is kept does not depend on it.
    progress: is given the number of sets of each chunk that was finished.

    Raises `RunStopped` once `stop` was requested, `RunFailed` or `Rejected` if a match cannot be
    played; of several such, always the one first in the order of play. Finished chunks are kept
    either way.
    """
    left = _left(experiment, journal)
    if not left:
        return
    jobs = min(jobs, -(-left // sets_per_chunk(experiment)))
    missing = (c for c in cut_chunks(experiment) if not journal.has(chunk_key(experiment, c)))
    LOGGER.info("%d workers, %d of %d sets to play", jobs, left, experiment.sets)
    with start_workers(experiment, count, jobs) as workers:
        run = _Run(experiment, journal, workers, progress)
        run.play(missing, AHEAD * jobs, stop)
    if stop.signal is not None and _left(experiment, journal):
        LOGGER.info("stopped by signal %d", stop.signal)
        done = journal.sets_done()
        raise RunStopped(
            f"stopped: {done} of {experiment.sets} sets are done and kept", stop.signal
        )
    if run.failure is not None:
        raise run.failure
    LOGGER.info("all sets played")


class _Run:
    """The chunks under way."""

    def __init__(
        self,
        experiment: Experiment,
        journal: Journal,
        workers: Workers,
        progress: Callable[[int], None],
    ) -> None:
        self.failure: RunFailed | Rejected | None = None
        self._failed_at = -1
        self._experiment, self._journal = experiment, journal
        self._workers, self._progress = workers, progress
        self._pending: Pending = {}

    def play(self, missing: Iterator[Chunk], most: int, stop: StopRequest) -> None:
        """Keep `most` chunks under way until none is missing, one failed or a stop is requested."""
        self._fill(missing, most)
        while stop.signal is None and not self._settled():
            self._gather(LOOK)
            self._fill(missing, most)
        self._workers.ask_to_stop()
        self._pending = {f: chunk for f, chunk in self._pending.items() if not f.cancel()}
        self._gather(GRACE / 2, ALL_COMPLETED)

    def _fill(self, missing: Iterator[Chunk], most: int) -> None:
        while self.failure is None and len(self._pending) < most:
            chunk = next(missing, None)
            if chunk is None:
                return
            try:
                self._pending[self._workers.submit(chunk)] = chunk
            except BrokenProcessPool:
                self._fail(chunk, RunFailed(WORKER_GONE))

    def _settled(self) -> bool:
        """Nothing under way matters any more: a failure waits for the chunks before it only."""
        if self.failure is None:
            return not self._pending
        return all(chunk.index > self._failed_at for chunk in self._pending.values())

    def _gather(self, seconds: float, how: str = FIRST_COMPLETED) -> None:
        done, _ = wait(self._pending, seconds, how)
        for future in done:
            chunk = self._pending.pop(future)
            try:
                counts = future.result()
            except BrokenProcessPool:
                self._fail(chunk, RunFailed(WORKER_GONE))
            except (RunFailed, Rejected) as failure:
                self._fail(chunk, failure)
            else:
                if counts is not None:
                    key = chunk_key(self._experiment, chunk)
                    self._journal.add(key, chunk.index, chunk.sets, counts)
                    self._progress(chunk.sets)

    def _fail(self, chunk: Chunk, failure: RunFailed | Rejected) -> None:
        if self.failure is None or chunk.index < self._failed_at:
            self.failure, self._failed_at = failure, chunk.index


def _left(experiment: Experiment, journal: Journal) -> int:
    return experiment.sets - journal.sets_done()
