"""Plays chunks on a cluster of machines, through Dask's scheduler; their results are the same."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

from trutdsl.diagnostics import Failure
from trutdsl.files import own_version
from trutdsl.game import BadUsage
from trutdsl.tournaments.processes import LOGGER, PRELOADED, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import FailedChunk, FinishedChunk, LeftAside, Result, Supervisor
from trutdsl.tournaments.worker import Task

# What a worker of Dask runs: a chunk, played by a process of its own under a supervisor.

LOOK = 0.1  # seconds between two looks


class _Idle:
    """Supervisors that play nothing just now, all for one task: a process that starts costs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task = b""
        self._there: list[Supervisor] = []

    def take(self, task: bytes) -> Supervisor | None:
        """Return one for a task, if there is one; those for another task are ended."""
        with self._lock:
            others = [] if task == self._task else self._there
            if task != self._task:
                self._task, self._there = task, []
            found = self._there.pop() if self._there else None
        for one in others:
            one.end()
        return found

    def give(self, task: bytes, supervisor: Supervisor) -> None:
        """Take one back."""
        with self._lock:
            if kept := task == self._task:
                self._there.append(supervisor)
        if not kept:
            supervisor.end()


_idle = _Idle()  # of this worker, whose threads share it


def end_idle() -> None:
    """End the processes that play nothing just now."""
    _idle.take(b"")


def play_there(task: bytes, version: str, chunk: Chunk) -> list[Result]:
    """Return what comes of a chunk of a pickled task, as a supervisor gives it.

    Raises `Failure` if this worker's trutdsl is not of the version that asks, or nothing can be
    started.
    """
    if version != own_version():
        raise Failure(f"a worker of the cluster has trutdsl {own_version()}, not {version}")
    supervisor = _idle.take(task) or _start(task)
    try:
        found = []
        supervisor.submit(Chunk(*chunk))
        while supervisor.busy:
            found += supervisor.gather(LOOK)
    except BaseException:
        supervisor.end()
        raise
    _idle.give(task, supervisor)
    return found


def _start(task: bytes) -> Supervisor:
    # A nanny has made this worker a daemon, which multiprocessing lets have no children, lest they
    # are left behind; ours end with their parent, whatever ends it.
    own = multiprocessing.current_process()
    own._config["daemon"] = False  # type: ignore[attr-defined]
    # Its threads make a fork unsafe.
    known = multiprocessing.get_all_start_methods()
    context = choose_context("forkserver" if "forkserver" in known else "spawn")
    # Every process runs the program's main module, which is Dask's.
    context.set_forkserver_preload([*PRELOADED, "distributed"])
    return Supervisor(replace(pickle.loads(task), log_by_pipe=True), 1, context)


PATIENCE = 10.0  # seconds for a scheduler to answer
AHEAD = 2  # chunks for each thread of a worker, so that none waits for its next one
RECOUNT = 2.0  # seconds between two counts of the workers
MOST_LOST = 3  # times that Dask gives a chunk up, each after several workers that were lost with it


def connect(address: str) -> Any:
    """Return a client of the scheduler at an address; raises `BadUsage` if there is none."""
    try:
        from distributed import Client
    except ImportError:
        raise BadUsage("--executor dask needs distributed: pip install 'trutdsl[dask]'") from None
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False, name="trutdsl")
    except (OSError, ValueError, TypeError) as problem:
        why = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise BadUsage(f"--scheduler {address}: no scheduler answers there ({why})") from None


def count_threads(client: Any) -> int:
    """Return how many threads all workers have that are there now."""
    return sum(client.nthreads().values())


class Cluster:
    """An executor on the workers of a Dask scheduler; on each, supervised processes play.

    Strategies run in no worker of Dask, so that what they do has the same consequences as on one
    machine. Workers may come and go; what a lost one was playing, Dask has another one play.
    """

    def __init__(self, client: Any, task: Task) -> None:
        self._client = client
        self._task = pickle.dumps(task)  # with all texts of rules and strategies in it
        self._futures: dict[Any, Chunk] = {}
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lost: Counter[Chunk] = Counter()
        self._counted, self._threads = -RECOUNT, 0

    @property
    def room(self) -> int:
        """How many chunks can be submitted at once; one also while there are no workers yet."""
        if time.monotonic() - self._counted >= RECOUNT:
            self._counted = time.monotonic()
            with suppress(OSError):  # the scheduler is gone, as `gather` says
                self._threads = count_threads(self._client)
        return max(0, max(1, AHEAD * self._threads) - len(self._futures))

    @property
    def busy(self) -> bool:
        return bool(self._futures)

    def submit(self, chunk: Chunk) -> None:
        """Have a chunk played; it comes out of `gather`, whole or in parts."""
        future = self._client.submit(play_there, self._task, own_version(), chunk, pure=False)
        self._futures[future] = chunk
        future.add_done_callback(self._finished.put)

    def gather(self, seconds: float) -> list[Result]:
        """Wait until something is finished, at most so long, and return what is.

        Raises `Failure` if the scheduler is gone, or a worker has another version.
        """
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
        raise Failure("the scheduler of the cluster is gone; what is finished is kept")

    def end(self) -> None:
        """Give up whatever is under way, and have processes end that play no more."""
        with suppress(Exception):  # whoever is gone has nothing that could end
            self._client.cancel(list(self._futures), force=True)
            self._client.run(end_idle, on_error="ignore")
        self._futures = {}

    def _take(self, future: Any) -> list[Result]:
        chunk = self._futures.pop(future, None)
        if chunk is None:
            return []
        if future.status == "finished":
            results: list[Result] = future.result()
            for one in results:
                self._log(one)
            return results
        if future.status == "error" and isinstance(problem := future.exception(), Failure):
            raise problem
        why = "Dask lost it" if future.status != "error" else str(future.exception())
        LOGGER.warning("sets %d to %d: %s", chunk.first, chunk.beyond - 1, why)
        self._lost[chunk] += 1
        if self._lost[chunk] >= MOST_LOST:
            return [LeftAside(chunk, None, f"on the cluster: {why}")]
        self.submit(chunk)
        return []

    def _log(self, result: Result) -> None:
        match result:
            case FinishedChunk(chunk, _, faults, seconds):
                LOGGER.info("sets %d to %d in %.2f s", chunk.first, chunk.beyond - 1, seconds)
                for fault in faults:
                    LOGGER.warning("%s", "\n".join((fault.said, *fault.calls)))
            case FailedChunk() | LeftAside():
                pass  # said where the run ends
