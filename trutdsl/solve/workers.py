"""Forked workers: they share the data of their parent, and end with it."""

from __future__ import annotations

import os
import signal
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from trutdsl.child_processes import allow_children, end_with_parent
from trutdsl.diagnostics import Failure
from trutdsl.language import say

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 10.0  # seconds in which a worker ends after SIGTERM
Call = Callable[[Any], Any]  # gets the shared data; it is pickled, as its result is


class Workers:
    """Processes that make calls, one at a time each."""

    def __init__(self) -> None:
        self._processes: dict[Connection, BaseProcess] = {}
        self._free: list[Connection] = []
        self._busy: dict[Connection, Any] = {}
        self._waiting: deque[tuple[Any, Call]] = deque()

    def start(self, shared: object, jobs: int) -> None:
        """Start so many workers."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until a worker handles them
        try:
            for _ in range(jobs):
                self._start(shared)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _start(self, shared: object) -> None:
        own, other = get_context("fork").Pipe()
        process = get_context("fork").Process(target=_serve, args=(shared, other), daemon=True)
        with warnings.catch_warnings():
            # Python 3.12 warns of any fork while a thread runs. Workers use no locks of others.
            warnings.filterwarnings(
                "ignore", "This process .* is multi-threaded", DeprecationWarning
            )
            process.start()
        other.close()  # so that the end of a worker is the end of its pipe
        self._processes[own] = process
        self._free.append(own)

    def submit(self, key: Any, call: Call) -> None:
        """Give this call to a free worker, or to the next one that is free.

        Raises `Failure` if that worker was killed.
        """
        if self._free:
            connection = self._free.pop()
            self._busy[connection] = key
            try:
                connection.send(call)
            except OSError:
                raise _lost() from None
        else:
            self._waiting.append((key, call))

    def receive(self) -> Iterator[tuple[Any, Any]]:
        """Wait for a result, if there are calls; yield all that are ready, with their keys.

        Raises what a call raised, or `Failure` if a worker was killed.
        """
        for ready in wait([*self._busy]):
            assert isinstance(ready, Connection)
            try:
                result, problem = ready.recv()
            except (EOFError, OSError):
                raise _lost() from None
            if problem is not None:
                raise problem
            key = self._busy.pop(ready)
            self._free.append(ready)
            if self._waiting:
                self.submit(*self._waiting.popleft())
            yield key, result

    def map(self, calls: Iterable[Call]) -> Iterator[Any]:
        """Yield the result of each call, in their order."""
        count, results = 0, dict[Any, Any]()
        for call in calls:
            self.submit(count, call)
            count += 1
        for number in range(count):
            while number not in results:
                results.update(self.receive())
            yield results.pop(number)

    def stop(self) -> None:
        """End all workers; a call gets one `KeyboardInterrupt`."""
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join(PATIENCE)
            process.kill()
            process.join()


@contextmanager
def fork_workers(shared: object, jobs: int) -> Iterator[Workers]:
    """Start workers, and end them afterwards."""
    allow_children()
    workers = Workers()
    try:
        workers.start(shared, jobs)
        yield workers
    finally:
        workers.stop()


def _lost() -> Failure:
    text = "a worker process was killed, perhaps because there was not enough memory"
    return Failure(say(text))


def _serve(shared: object, connection: Connection) -> None:
    """Make all calls in a worker. SIGTERM interrupts the call; then the worker ends."""
    end_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the parent decides when a run stops
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    while True:
        try:
            call, result, problem = connection.recv(), None, None
        except EOFError:
            return
        signal.signal(signal.SIGTERM, _interrupt_once)
        try:
            result = call(shared)
        except KeyboardInterrupt:
            os._exit(1)
        except Exception as error:
            problem = error
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        connection.send((result, problem))


def _interrupt_once(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
