"""Exits: those of strategies, which are faults, and that of who presses Ctrl-C once more."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from trutdsl.cli import INTERRUPTED, stop_at_once

LEAVE = os._exit  # whatever it is replaced by for a while


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
    """Have Ctrl-C raise KeyboardInterrupt in the block, where it would end the process at once.

    An import that it breaks off may say something else; that is told as KeyboardInterrupt, too.
    """
    asked = False

    def interrupt(_signal: int, _frame: object) -> None:
        nonlocal asked
        asked = True
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is not stop_at_once:
        yield
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except (ImportError, SystemError):
        if asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Have Ctrl-C end the process meanwhile, when all that matters is kept and only told.

    It does not interrupt: an extension module that is broken off while it is loaded does not say
    so, but that it cannot be loaded.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda _signal, _frame: LEAVE(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
