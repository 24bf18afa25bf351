"""Exits: those of strategies, which are faults, and those that a signal asks for."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from trutdsl.cli import SIGNALLED, stop_at_once

LEAVE = os._exit  # whatever it is replaced by for a while
STOPPING = (signal.SIGINT, signal.SIGTERM)
_received: deque[int] = deque([signal.SIGINT], maxlen=1)  # the last signal that interrupted


def stopped_code() -> int:
    """Return the exit code of a command that was interrupted."""
    return SIGNALLED + _received[-1]


@contextmanager
def telling_exits() -> Iterator[None]:
    """Have `os._exit`, which says nothing, raise SystemExit in this process for a while.

    Processes that are forked meanwhile end as ever.
    """
    process, leave = os.getpid(), os._exit

    def tell(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise SystemExit(status)

    os._exit = tell
    try:
        yield
    finally:
        os._exit = leave


@contextmanager
def interruptible() -> Iterator[None]:
    """Have signals raise KeyboardInterrupt in the block, where they would end the process at once.

    An import that one breaks off may say something else; that is told as KeyboardInterrupt, too.
    """
    asked = False

    def interrupt(number: int, _frame: object) -> None:
        nonlocal asked
        asked = True
        _received.append(number)
        raise KeyboardInterrupt

    ours = [number for number in STOPPING if signal.getsignal(number) is stop_at_once]
    for number in ours:
        signal.signal(number, interrupt)
    try:
        yield
    except (ImportError, SystemError):
        if asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number in ours:
            signal.signal(number, stop_at_once)


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Have signals end the process meanwhile, when all that matters is kept and only told.

    They do not interrupt: an extension module that is broken off while it is loaded does not say
    so, but that it cannot be loaded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _frame: object) -> None:
        LEAVE(SIGNALLED + number)

    before = [(number, signal.signal(number, leave)) for number in STOPPING]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
