"""Forked workers: they share the data of their parent, and end with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from trutdsl.child_processes import allow_children, end_with_parent
from trutdsl.diagnostics import Failure
from trutdsl.language import say

Result = TypeVar("Result")
_shared: Any  # what the calls of this worker get first


@contextmanager
def fork_workers(shared: object, jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start workers for `call_shared`; they have no copy of `shared`, but its memory.

    Raises `Failure` if a worker is killed.
    """
    allow_children()
    others = active_children()
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin, (shared,))
    try:
        yield pool
    except BaseException as problem:
        for process in active_children():
            if process not in others:
                process.terminate()
        if isinstance(problem, BrokenProcessPool):
            text = "a worker process was killed, perhaps because there was not enough memory"
            raise Failure(say(text)) from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(shared: object) -> None:
    global _shared
    end_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the parent decides when a run stops
    _shared = shared


def call_shared(function: Callable[..., Result], *arguments: object) -> Result:
    """Call a function in a worker, with the shared data before these arguments.

    At SIGTERM the function gets one `KeyboardInterrupt`, then the worker ends.
    """
    signal.signal(signal.SIGTERM, _interrupt_once)
    try:
        return function(_shared, *arguments)
    except KeyboardInterrupt:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt_once(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
