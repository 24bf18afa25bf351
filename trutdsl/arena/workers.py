"""The pool of processes that play chunks, and how it is brought to a stop."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import c_byte
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from trutdsl.arena.errors import RunFailed
from trutdsl.arena.log import LOGGER, choose_context
from trutdsl.arena.play import Abandoned, Counts, CountSets, play_sets
from trutdsl.arena.schedule import Chunk, Experiment
from trutdsl.diagnostics import Rejected

# A worker looks at the stop flag between two matches; one that does not come back within this time
# is in a match that does not end and is ended from outside. Seconds.
GRACE = 0.8


@dataclass(frozen=True)
class Task:
    """What a worker is for, given to it once."""

    experiment: Experiment
    count: CountSets
    stop: c_byte


_task: Task | None = None  # of this process, if it is a worker


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """A running pool."""

    def __init__(self, pool: Executor, stop: c_byte, others: set[int]) -> None:
        self._pool, self._stop, self._others = pool, stop, others

    def submit(self, chunk: Chunk) -> Future[Counts | None]:
        """Have a chunk played; the result is None if the run was stopped before its end."""
        return self._pool.submit(_play_chunk, chunk)

    def ask_to_stop(self) -> None:
        """Have every worker come back before its next match and start nothing new."""
        self._stop.value = 1
        self._pool.shutdown(wait=False, cancel_futures=True)

    def end(self, grace: float) -> None:
        """Wait until all workers are gone; end those that are not after `grace` seconds."""
        self.ask_to_stop()
        ours = [p for p in multiprocessing.active_children() if p.pid not in self._others]
        for process in _wait_for_end(ours, grace):
            LOGGER.warning("worker %s is ended in the middle of a match", process.pid)
            process.kill()
        self._pool.shutdown(wait=True)
        for process in ours:
            process.join()


@contextmanager
def start_workers(experiment: Experiment, count: CountSets, jobs: int) -> Iterator[Workers]:
    """Start `jobs` workers for the block, and see to it that none outlives it."""
    context = choose_context()
    # A bare byte: a lock around it would stay locked if a worker were ended while it looks.
    stop = context.RawValue(c_byte, 0)
    others = {process.pid or 0 for process in multiprocessing.active_children()}
    pool = ProcessPoolExecutor(jobs, context, _start, (Task(experiment, count, stop),))
    workers = Workers(pool, stop, others)
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of any fork while a thread runs. The one thread here is that of
            # run.log; it holds no lock that a worker takes (logging renews its own after a fork).
            warnings.filterwarnings(
                "ignore", "This process .* is multi-threaded", DeprecationWarning
            )
            try:
                pool.submit(os.getpid).result()
            except BrokenProcessPool:
                raise RunFailed("the worker processes could not be started") from None
        yield workers
        workers.end(GRACE)
    except BaseException:
        workers.end(0.0)
        raise


def _wait_for_end(processes: list[BaseProcess], seconds: float) -> list[BaseProcess]:
    """Return those that still run after `seconds`.

    Looks at them without collecting them, which the pool's own thread does at the same time.
    """
    until = time.monotonic() + seconds
    running = {process.sentinel: process for process in processes}
    while running and (ended := wait(list(running), max(0.0, until - time.monotonic()))):
        running = {s: process for s, process in running.items() if s not in ended}
    return list(running.values())


def _start(task: Task) -> None:
    """Prepare this process as a worker."""
    global _task  # a worker has one for its whole life
    _task = task
    sys.stdout = sys.stderr  # what a strategy prints is not the run's result
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the parent is gone; a pool's workers would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_chunk(chunk: Chunk) -> Counts | None:
    assert _task is not None
    begin, stop = time.perf_counter(), _task.stop
    try:
        sets = play_sets(_task.experiment, chunk, lambda: bool(stop.value))
        counts = _task.count(_task.experiment, sets)
    except Abandoned:
        return None
    except (RunFailed, Rejected):
        LOGGER.exception("chunk %d failed", chunk.index)
        raise
    LOGGER.info(
        "chunk %d: sets %d to %d in %.2f s",
        chunk.index,
        chunk.first,
        chunk.first + chunk.sets - 1,
        time.perf_counter() - begin,
    )
    return counts
