"""Processes: their signals, how they end with their parent, and what is known of them."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NamedTuple, Self

from trutdsl.diagnostics import counted

# Turns Ctrl-C and a request to terminate into a flag that the run looks at between two steps.

STOPPING = (signal.SIGINT, signal.SIGTERM)


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def _receive(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - its form
        if self.signal is not None:
            raise KeyboardInterrupt
        self.signal = number


MOST_PER_CPU = 8  # workers: more of them only take memory and time to start
PR_SET_PDEATHSIG = 1  # of prctl(2), Linux
# Places in /proc/PID/stat, counted from behind the name, which may hold anything (proc(5)).
STATE, UTIME, STIME = 0, 11, 12


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def limit_workers(jobs: int | None, say: Callable[[str], None] = lambda _: None) -> int:
    """Return how many workers play where so many are asked for; None is one for each CPU.

    say: is told in a sentence where these are fewer.
    """
    cpus = usable_cpus()
    most = MOST_PER_CPU * cpus
    if jobs is not None and jobs > most:
        each = f"{MOST_PER_CPU} for each of {counted(cpus, 'usable CPU')}"
        say(f"--jobs {jobs}: at most {most} processes play, {each}")
    return min(jobs or cpus, most)


class Vitals(NamedTuple):
    """What the system tells of a process: the letter of its state (proc(5)), processor seconds."""

    state: str
    used: float


def look_at(pid: int) -> Vitals | None:
    """Return the vitals of a process; None where the system does not tell or it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = text.rpartition(")")[2].split()
        ticks = int(fields[UTIME]) + int(fields[STIME])
        return Vitals(fields[STATE], ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError):
        return None


def end_with_parent() -> None:
    """Have this process end when its parent does, however that ends and whatever runs here."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # For systems without it; the sentinel is a pipe whose other end the parent holds.
    threading.Thread(target=_leave_behind, args=(parent,), daemon=True).start()
    if not parent.is_alive():  # it ended before this was asked for
        os._exit(1)


def _leave_behind(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
