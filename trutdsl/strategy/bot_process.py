"""Subprocess: a program to which lines are written and from which lines are read, with a limit.

It shares a process group with a shell that waits for the end of a pipe, of which this process has
the other end: however this one ends, the group is killed then. It joins the group before it begins
to run, and cannot join one that is gone: no moment is left at which it could be missed.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from multiprocessing.util import Finalize  # which does nothing in a copy of this process
from pathlib import Path

SILENCE = 10.0  # seconds after which a program is thought to answer no more
LONGEST = 10_000  # bytes of a line that is read
MOST_UNREAD = 100_000  # bytes that are taken while it reads nothing
GUARD = ("/bin/sh", "-c", "read _; kill -9 0")


class ProcessFailed(Exception):  # noqa: N818 - an outcome of the program's own making
    """A program that ended, is silent, or writes too much; it was ended."""


class ProcessSilent(ProcessFailed):
    """A program that was waited for for so long that it is thought to answer no more."""


class BotProcess:
    """A program that was started; what it writes to standard error goes to ours.

    over: whether it was ended. It ends with whoever holds this, and with our process, with all that
    it has started, but for what has left its process group.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Start a command in a folder; raises OSError where it cannot be started."""
        nowhere, pipe = subprocess.DEVNULL, subprocess.PIPE
        guard = subprocess.Popen(GUARD, stdin=pipe, stdout=nowhere, stderr=nowhere, process_group=0)
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=pipe,
                stdout=pipe,
                bufsize=0,
                process_group=guard.pid,
            )
        except BaseException:
            _end(guard)
            raise
        self._end = Finalize(self, _end, (guard, self._process), exitpriority=0)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._unread, self._unwritten = b"", b""
        self.over = False

    def write(self, line: str) -> None:
        """Have a line written before anything is waited for."""
        self._unwritten += line.encode() + b"\n"

    def read_line(self) -> str:
        """Return the next line that the program writes; raises `ProcessFailed` if none comes.

        Lines that came before are given first: so long nothing is written.
        """
        end = time.monotonic() + SILENCE
        while b"\n" not in self._unread:
            if len(self._unread) > LONGEST:
                self._fail(f"it wrote a line of more than {LONGEST:,} bytes")
            self._write_out()
            self._wait([self._output], [], end, "said nothing")
            self._take()
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _write_out(self) -> None:
        """Write all that is to be written; what the program writes meanwhile is taken."""
        end, most = time.monotonic() + SILENCE, len(self._unread) + MOST_UNREAD
        while self._unwritten:
            try:
                self._unwritten = self._unwritten[os.write(self._input, self._unwritten) :]
            except BlockingIOError:
                full = len(self._unread) > most
                reading = [] if full else [self._output]
                if self._wait(reading, [self._input], end, "reads no more questions"):
                    self._take()
            except BrokenPipeError:
                self._fail(self._how_it_ended())

    def _take(self) -> None:
        more = os.read(self._output, LONGEST)
        if not more:
            self._fail(self._how_it_ended())
        self._unread += more

    def _wait(self, reading: list[int], writing: list[int], end: float, what: str) -> bool:
        """Wait until it can be read or written; return whether it can be read."""
        left = max(0.0, end - time.monotonic())
        readable, writable, _ = select.select(reading, writing, [], left)
        if not readable and not writable:
            self.end()
            raise ProcessSilent(f"it {what} for {SILENCE:g} seconds")
        return bool(readable)

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


def _end(guard: subprocess.Popen[bytes], *others: subprocess.Popen[bytes]) -> None:
    """End a program with its guard and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(guard.pid, signal.SIGKILL)
    for process in (guard, *others):
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
