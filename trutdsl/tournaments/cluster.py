"""Plays chunks on a Dask cluster, with the same results as on one machine."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from trutdsl.diagnostics import Error, Failure
from trutdsl.files import own_version
from trutdsl.game import BadUsage
from trutdsl.language import say
from trutdsl.tournaments.processes import LOGGER, PRELOADED_MODULES, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import FinishedChunk, Result, SkippedChunk, Supervisor
from trutdsl.tournaments.worker import Task

# A worker of Dask plays a chunk in a separate process under a supervisor.

LOOK = 0.1  # seconds between two checks


class _Idle:
    """Idle supervisors for one task, which save the start of processes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task = b""
        self._supervisors: list[Supervisor] = []

    def take(self, task: bytes) -> Supervisor | None:
        with self._lock:
            others = [] if task == self._task else self._supervisors
            if task != self._task:
                self._task, self._supervisors = task, []
            result = self._supervisors.pop() if self._supervisors else None
        for one in others:
            one.end()
        return result

    def give(self, task: bytes, supervisor: Supervisor) -> None:
        with self._lock:
            if is_same := task == self._task:
                self._supervisors.append(supervisor)
        if not is_same:
            supervisor.end()


_idle = _Idle()  # shared by the threads of this worker


def end_idle() -> None:
    _idle.take(b"")


def play_on_cluster(task: bytes, version: str, chunk: Chunk) -> list[Result]:
    """Play a chunk of a pickled task and return the supervisor's results.

    Raises `Failure` if this worker has another version of trutdsl or cannot start processes.
    """
    if version != own_version():
        text = "a worker of the cluster has trutdsl {own_version}, not {version}"
        raise Failure(say(text, own_version=own_version(), version=version))
    supervisor = _idle.take(task) or _start(task)
    try:
        result = []
        supervisor.submit(Chunk(*chunk))
        while supervisor.busy:
            result += supervisor.gather(LOOK)
    except BaseException:
        supervisor.end()
        raise
    _idle.give(task, supervisor)
    return result


def _start(task: bytes) -> Supervisor:
    # The threads of a Dask worker make a fork unsafe.
    known = multiprocessing.get_all_start_methods()
    context = choose_context("forkserver" if "forkserver" in known else "spawn")
    # Every process imports the main module, which is Dask's.
    context.set_forkserver_preload([*PRELOADED_MODULES, "distributed"])
    return Supervisor(replace(pickle.loads(task), log_by_pipe=True), 1, context)


PATIENCE = 10.0  # seconds for a scheduler to answer
AHEAD = 2  # chunks for each thread of a worker, so that none waits for the next chunk
RECOUNT = 2.0  # seconds between two counts of the workers
MOST_LOST = 3  # failures of a chunk in Dask, each after the loss of several workers


def connect(address: str) -> Any:
    """Return a client of the scheduler at an address; raises `BadUsage` without one."""
    try:
        from distributed import Client
    except ImportError:
        raise BadUsage(
            say("--executor dask needs distributed: pip install 'trutdsl[dask]'")
        ) from None
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False, name="trutdsl")
    except (OSError, ValueError, TypeError) as problem:
        why = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        text = "--scheduler {address}: no scheduler answers there ({why})"
        raise BadUsage(say(text, address=address, why=why)) from None


def count_threads(client: Any) -> int:
    """Return the number of threads of all present workers."""
    return sum(client.nthreads().values())


class Cluster:
    """An executor on the workers of a Dask scheduler; supervised processes play on each.

    Strategies never run in a Dask worker itself, so their faults have the same effects as on one
    machine. Workers may come and go; Dask gives the chunk of a lost one to another.
    tell: receives a message for the user for each chunk that Dask lost.
    """

    def __init__(
        self, client: Any, task: Task, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._client, self._tell = client, tell
        self._task = pickle.dumps(task)  # includes the texts of rules and strategies
        self._futures: dict[Any, Chunk] = {}
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._losses: Counter[Chunk] = Counter()
        self._last_count, self._threads = -RECOUNT, 0

    @property
    def room(self) -> int:
        """How many more chunks can be submitted; at least one chunk waits for the first worker."""
        if time.monotonic() - self._last_count >= RECOUNT:
            self._last_count = time.monotonic()
            with suppress(OSError):  # the scheduler is gone, as `gather` says
                self._threads = count_threads(self._client)
        return max(0, max(1, AHEAD * self._threads) - len(self._futures))

    @property
    def busy(self) -> bool:
        return bool(self._futures)

    def submit(self, chunk: Chunk) -> None:
        future = self._client.submit(play_on_cluster, self._task, own_version(), chunk, pure=False)
        self._futures[future] = chunk
        future.add_done_callback(self._finished.put)

    def gather(self, seconds: float) -> list[Result]:
        """Return new results; raises `Failure` without a scheduler, or for another version."""
        finished = []
        with suppress(queue.Empty):
            finished.append(self._finished.get(timeout=seconds))
            while True:
                finished.append(self._finished.get_nowait())
        try:
            if self._client.status == "running":
                return [result for future in finished for result in self._take(future)]
        except OSError:  # of the connection
            pass
        raise Failure(say("the scheduler of the cluster is gone; what is finished is kept"))

    def end(self) -> None:
        """Stop all chunks, and end the idle processes."""
        with suppress(Exception):  # a lost worker has nothing to end
            self._client.cancel(list(self._futures), force=True)
            self._client.run(end_idle, on_error="ignore")
        self._futures = {}

    def _take(self, future: Any) -> list[Result]:
        chunk = self._futures.pop(future, None)
        if chunk is None:
            return []
        if future.status == "finished":
            results: list[Result] = future.result()
            for done in results:
                if isinstance(done, FinishedChunk):  # the end of the run reports the others
                    span = done.chunk.first, done.chunk.end - 1
                    LOGGER.info("sets %d to %d in %.2f s", *span, done.seconds)
                    for fault in done.faults:
                        LOGGER.warning("%s", "\n".join((fault.message, *fault.calls)))
            return results
        if future.status == "error" and isinstance(problem := future.exception(), Error):
            raise problem
        why = say("Dask lost it") if future.status != "error" else str(future.exception())
        text = "sets {low} to {high}: {why}"
        message = say(text, low=chunk.first, high=chunk.end - 1, why=why)
        LOGGER.warning("%s", message)
        self._tell(message)
        self._losses[chunk] += 1
        if self._losses[chunk] >= MOST_LOST:
            return [SkippedChunk(chunk, None, f"on the cluster: {why}")]
        self.submit(chunk)
        return []
