"""Processes of a run: stop requests, their end, and the log they share."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.context import BaseContext
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self

from multiprocessing_logging import MultiProcessingHandler, install_mp_handler

from trutdsl.child_processes import allow_children
from trutdsl.diagnostics import refuse_os_errors
from trutdsl.files import open_plain
from trutdsl.game import BadUsage
from trutdsl.language import say

# Stop requests: Ctrl-C, SIGTERM and SIGHUP set a flag that the run checks between two steps.

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequest:
    """While entered, the first signal sets `signal` and the second one raises KeyboardInterrupt.

    A signal that was ignored before (a job put into the background) stays ignored.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in STOPPING:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.signal is not None:
            if callable(before := self._before.get(number)):
                before(number, frame)  # the command line notes the number for its exit code
            raise KeyboardInterrupt
        self.signal = number


# Fields of /proc/PID/stat after the process name, which may contain any character (proc(5)).
STATE, UTIME, STIME = 0, 11, 12


class Vitals(NamedTuple):
    """The letter of a process's state (proc(5)), and its processor seconds."""

    state: str
    cpu_seconds: float


def look_at(pid: int) -> Vitals | None:
    """Return the vitals of a process; None if it has ended or the system has no /proc."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = text.rpartition(")")[2].split()
        ticks = int(fields[UTIME]) + int(fields[STIME])
        return Vitals(fields[STATE], ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError):
        return None


LOGGER = logging.getLogger("trutdsl")
MOST_WAIT = 0.5  # seconds
# Modules that the fork server imports once for all workers.
PRELOADED_MODULES = ("trutdsl.tournaments.worker", "trutdsl.tournaments.play")
LAST = "last"  # attribute of the last record
FORM = "%(asctime)s %(process)d %(levelname)s %(message)s"


def choose_context(method: str | None = None) -> BaseContext:
    """Return the context that starts workers: by fork on Linux, else as new processes.

    method: `fork`, `forkserver` or `spawn` instead. Python's default differs by system and changes
    with 3.14. A fork starts in milliseconds with all modules loaded; elsewhere it is unsafe (macOS)
    or missing (Windows). Raises `BadUsage` for a missing method.
    """
    allow_children()
    known = multiprocessing.get_all_start_methods()
    if method is not None and method not in known:
        text = "there is no start method '{method}' here; choose {names}"
        raise BadUsage(say(text, method=method, names=", ".join(known)))
    context = multiprocessing.get_context(
        method or ("fork" if sys.platform == "linux" else "spawn")
    )
    if method == "forkserver":
        context.set_forkserver_preload([*PRELOADED_MODULES])
    return context


class _LogFile(logging.FileHandler):
    """A log that ignores write errors, because no result depends on it.

    whole: set after the last record.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8")
        self.whole = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if hasattr(record, LAST):
            self.whole.set()
        else:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - a method of `logging`
        pass


@contextmanager
def run_log(path: Path, forked: bool = True) -> Iterator[bool]:
    """Append the log of the block to a file; yield whether it includes that of forked workers.

    Workers inherit the queue of multiprocessing-logging, so it works only with forked ones and
    refuses another default. Other workers send their log over their pipes.
    """
    with refuse_os_errors(path):
        if path.exists():
            open_plain(path).close()
        handler = _LogFile(path)
    handler.setFormatter(logging.Formatter(FORM))
    before, level = list(LOGGER.handlers), LOGGER.level
    LOGGER.handlers = [handler]
    LOGGER.setLevel(logging.INFO)
    by_queue = False
    if forked:
        if multiprocessing.get_start_method(allow_none=True) is None:
            multiprocessing.set_start_method("fork")
        if multiprocessing.get_start_method() == "fork":
            install_mp_handler(LOGGER)
            # A worker that is killed during a write would hold up the end of this process.
            for installed in LOGGER.handlers:
                installed.queue.cancel_join_thread()  # type: ignore[attr-defined]
            by_queue = True
    try:
        yield by_queue
    finally:
        for installed in LOGGER.handlers:
            _close(installed)
        LOGGER.handlers = before
        LOGGER.setLevel(level)


def write_out_log() -> None:
    """Wait until the log of this worker is sent; it must log nothing afterwards."""
    for handler in LOGGER.handlers:
        if isinstance(handler, MultiProcessingHandler):
            handler.queue.close()
            handler.queue.join_thread()


def _close(handler: logging.Handler) -> None:
    """Close a handler soon.

    All workers have ended, and their records come before the last one. A worker that was killed
    during a write leaves an incomplete line in the queue. multiprocessing-logging would wait
    seconds for it here.
    """
    if not isinstance(handler, MultiProcessingHandler):
        handler.close()
        return
    handler.emit(logging.makeLogRecord({LAST: True}))
    handler.sub_handler.whole.wait(MOST_WAIT)
    threading.Thread(target=handler.close, daemon=True).start()
    with suppress(OSError):
        handler.sub_handler.close()
