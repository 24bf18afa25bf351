"""`run.log`: what happened when, from the parent and from the workers."""

from __future__ import annotations

import logging
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.context import BaseContext
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler, install_mp_handler

from trutdsl.game import BadUsage
from trutdsl.plain_files import open_plain

LOGGER = logging.getLogger("trutdsl")
FORM = "%(asctime)s %(process)d %(levelname)s %(message)s"


def choose_context() -> BaseContext:
    """Return how workers are started: by fork on Linux, otherwise as new processes.

    Said explicitly, because Python's default differs by system and changes with 3.14. A fork starts
    in milliseconds with everything loaded; elsewhere it is not safe (macOS) or missing (Windows).
    """
    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


class _LogFile(logging.FileHandler):
    """A log that loses what it cannot write: no result depends on it."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its form
        pass


@contextmanager
def run_log(path: Path) -> Iterator[None]:
    """Append what is logged inside the block to the file; forked workers send theirs here.

    multiprocessing-logging hands its queue down by inheritance, so it works with forked workers
    only and refuses any other default. Where workers are spawned, the parent's lines stand alone.
    """
    try:
        if path.exists():
            open_plain(path).close()
        handler = _LogFile(path, encoding="utf-8")
    except OSError as problem:
        raise BadUsage(f"{path} cannot be written: {problem.strerror}") from None
    handler.setFormatter(logging.Formatter(FORM))
    before, level = list(LOGGER.handlers), LOGGER.level
    LOGGER.handlers = [handler]
    LOGGER.setLevel(logging.INFO)
    if choose_context().get_start_method() == "fork":
        if multiprocessing.get_start_method(allow_none=True) is None:
            multiprocessing.set_start_method("fork")
        if multiprocessing.get_start_method() == "fork":
            install_mp_handler(LOGGER)
    try:
        yield
    finally:
        for installed in LOGGER.handlers:
            with suppress(OSError):
                installed.close()
            if isinstance(installed, MultiProcessingHandler):
                # A worker that was ended while it wrote would hold us up at exit for ever.
                installed.queue.cancel_join_thread()
        LOGGER.handlers = before
        LOGGER.setLevel(level)
