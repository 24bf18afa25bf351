"""Subprocess: a program to which lines are written and from which lines are read, with a limit."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from multiprocessing.util import Finalize  # which also runs where a worker ends
from pathlib import Path

SILENCE = 10.0  # seconds after which a program is thought to answer no more
LONGEST = 10_000  # bytes of a line that is read


class ProcessFailed(Exception):  # noqa: N818 - an outcome of the program's own making
    """A program that ended, is silent, or writes too much; it was ended."""


class BotProcess:
    """A program that was started; what it writes to standard error goes to ours.

    over: whether it was ended. It ends with whoever holds this, and with our process.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Start a command in a folder; raises OSError where it cannot be started."""
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # so that it can be ended with all that it has started
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._unread = b""
        self.over = False
        self._end = Finalize(self, _end, (self._process,), exitpriority=0)

    def write(self, line: str) -> None:
        """Write a line; raises `ProcessFailed` if the program reads no more."""
        left, end = line.encode() + b"\n", time.monotonic() + SILENCE
        while left:
            try:
                left = left[os.write(self._input, left) :]
            except BlockingIOError:
                self._wait([], [self._input], end, "reads no more questions")
            except BrokenPipeError:
                self._fail(self._how_it_ended())

    def read_line(self) -> str:
        """Return the next line that the program writes; raises `ProcessFailed` if none comes."""
        end = time.monotonic() + SILENCE
        while b"\n" not in self._unread:
            if len(self._unread) > LONGEST:
                self._fail(f"it wrote a line of more than {LONGEST:,} bytes")
            self._wait([self._output], [], end, "said nothing")
            more = os.read(self._output, LONGEST)
            if not more:
                self._fail(self._how_it_ended())
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _wait(self, reading: list[int], writing: list[int], end: float, what: str) -> None:
        left = max(0.0, end - time.monotonic())
        if not any(select.select(reading, writing, [], left)):
            self._fail(f"it {what} for {SILENCE:g} seconds")

    def _how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(1)
            return f"it ended with exit code {code}" if code >= 0 else f"it ended by signal {-code}"
        return "it closed its standard output"

    def end(self) -> None:
        """End the program with all that it has started."""
        self.over = True
        self._end()

    def _fail(self, what: str) -> None:
        self.end()
        raise ProcessFailed(what)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
