"""Child processes: they end with their parent."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.process import BaseProcess

PR_SET_PDEATHSIG = 1  # of prctl(2), Linux


def end_with_parent() -> None:
    """End this process when its parent ends, for any reason and during any code."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # For other systems; the sentinel is a pipe whose other end is in the parent.
    threading.Thread(target=_leave_behind, args=(parent,), daemon=True).start()
    if not parent.is_alive():  # it ended before the calls above
        os._exit(1)


def allow_children() -> None:
    """Let this process start processes that end with it, also if it is a daemon.

    multiprocessing forbids this to daemons, such as those of its pools and of Dask, because they
    would leave their children behind.
    """
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]


def _leave_behind(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
