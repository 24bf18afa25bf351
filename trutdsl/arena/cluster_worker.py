"""What a worker of Dask runs: a chunk, played by a process of its own under a supervisor."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
from dataclasses import replace

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.errors import RunFailed
from trutdsl.arena.executor import Result
from trutdsl.arena.log import PRELOADED, choose_context
from trutdsl.arena.supervisor import Supervisor
from trutdsl.version import own_version

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

    Raises `RunFailed` if this worker's trutdsl is not of the version that asks, or nothing can be
    started.
    """
    if version != own_version():
        raise RunFailed(f"a worker of the cluster has trutdsl {own_version()}, not {version}")
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
