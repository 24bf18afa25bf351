"""`run.log`: what happened when, from the parent and from the workers."""

from __future__ import annotations

import logging
import multiprocessing
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.context import BaseContext
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler, install_mp_handler

from trutdsl.files import open_plain
from trutdsl.game import BadUsage

LOGGER = logging.getLogger("trutdsl")
MOST_WAIT = 0.5  # seconds
# Nearly all that workers need, loaded once in the server that they are forked from.
PRELOADED = ("trutdsl.arena.worker", "trutdsl.arena.play")
LAST = "last"  # attribute of the last record
FORM = "%(asctime)s %(process)d %(levelname)s %(message)s"


def choose_context(method: str | None = None) -> BaseContext:
    """Return how workers are started: by fork on Linux, otherwise as new processes.

    method: `fork`, `forkserver` or `spawn` instead. Said explicitly, because Python's default
    differs by system and changes with 3.14. A fork starts in milliseconds with everything loaded;
    elsewhere it is not safe (macOS) or missing (Windows). Raises `BadUsage` for what is not there.
    """
    known = multiprocessing.get_all_start_methods()
    if method is not None and method not in known:
        raise BadUsage(f"there is no start method '{method}' here; choose {', '.join(known)}")
    context = multiprocessing.get_context(
        method or ("fork" if sys.platform == "linux" else "spawn")
    )
    if method == "forkserver":
        context.set_forkserver_preload([*PRELOADED])
    return context


class _LogFile(logging.FileHandler):
    """A log that loses what it cannot write: no result depends on it.

    whole: whether the last record has come.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8")
        self.whole = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; the last one says only that it is."""
        if hasattr(record, LAST):
            self.whole.set()
        else:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its form
        pass


@contextmanager
def run_log(path: Path, forked: bool = True) -> Iterator[bool]:
    """Append what is logged inside the block to the file; yield whether forked workers' lines come.

    multiprocessing-logging hands its queue down by inheritance, so it works with forked workers
    only and refuses any other default. Other workers have to send theirs over their pipes.
    """
    try:
        if path.exists():
            open_plain(path).close()
        handler = _LogFile(path)
    except OSError as problem:
        raise BadUsage(f"{path} cannot be written: {problem.strerror}") from None
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
            by_queue = True
    try:
        yield by_queue
    finally:
        for installed in LOGGER.handlers:
            _close(installed)
        LOGGER.handlers = before
        LOGGER.setLevel(level)


def write_out_log() -> None:
    """Wait until what this worker has logged is on its way; it logs nothing afterwards."""
    for handler in LOGGER.handlers:
        if isinstance(handler, MultiProcessingHandler):
            handler.queue.close()
            handler.queue.join_thread()


def _close(handler: logging.Handler) -> None:
    """Close a handler within a moment.

    Workers have ended by now, and whatever they have written came before the last record. One that
    was ended while it wrote leaves a line in the queue that never comes, for which
    multiprocessing-logging would wait for seconds here, and for ever at exit.
    """
    if not isinstance(handler, MultiProcessingHandler):
        handler.close()
        return
    handler.emit(logging.makeLogRecord({LAST: True}))
    handler.sub_handler.whole.wait(MOST_WAIT)
    threading.Thread(target=handler.close, daemon=True).start()
    handler.queue.cancel_join_thread()
    with suppress(OSError):
        handler.sub_handler.close()
