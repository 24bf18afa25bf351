"""Exits: by strategies, which are faults, and by signals."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from trutdsl.cli import SIGNALLED, stop_at_once

LEAVE = os._exit  # `telling_exits` replaces it
STOPPING = (signal.SIGINT, signal.SIGTERM)
_received: deque[int] = deque([signal.SIGINT], maxlen=1)  # the last signal that interrupted


def stopped_code() -> int:
    """Return the exit code of a command that was interrupted."""
    return SIGNALLED + _received[-1]


@contextmanager
def telling_exits() -> Iterator[None]:
    """Make `os._exit` raise SystemExit in the block; forked processes end as usual."""
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
    """Make signals raise KeyboardInterrupt in the block instead of ending the process.

    An interrupted import may raise another error; it becomes KeyboardInterrupt, too.
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
    """Make signals end the process in the block, which only prints what is already stored.

    They raise no exception there, because an interrupted import of an extension module reports
    another error.
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
