"""Worker handles: a worker's process, pipe and clock, as its supervisor sees them."""

from __future__ import annotations

import json
import multiprocessing
import os
import posix
import signal
import socket
import sys
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.clocks import LATER, LATER_BY, Board, MoveClock
from trutdsl.arena.play import Fault
from trutdsl.arena.processes import STOPPING, look_at
from trutdsl.arena.worker import Task, work
from trutdsl.strategy import OutOfTime, Spec, StrategyError, watch_calls

# One worker as its supervisor sees it: process, pipe, board, and whether it does anything.

MOST_WAIT = 0.5  # seconds for a process that has closed its pipe, as it does when it ends
MOST_BYTES = 100_000_000  # of one message
ASLEEP, STOPPED = "SI", "Tt"  # states of a process, proc(5)
LONGEST_STOP = 1.0  # seconds
LONGEST_SILENCE = 10.0  # seconds of doing nothing in the middle of a chunk
AWAKE = 0.1  # of the time; what uses less of a processor does nothing, but for its move clock


# How a process ends by what it did itself; other signals may come from anywhere.
OWN_SIGNALS = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS")


ENDED = "ended its process"


class Gone(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A worker that can no longer be relied on; the message says why.

    own:  nothing but what runs in it can be the reason.
    kind: what the strategy that ran did, if it was that.
    """

    def __init__(self, why: str, own: bool = False, kind: str = ENDED) -> None:
        super().__init__(why)
        self.own, self.kind = own, kind


class WorkerHandle:
    """A worker process; `chunk` is what it plays."""

    def __init__(self, task: Task, context: BaseContext) -> None:
        self.chunk: Chunk | None = None
        self.board = Board(context)
        self._limit = LATER * task.move_timeout + LATER_BY
        self._pipe, theirs = socket.socketpair()
        self._unread = b""
        self._beat, self._used, self._spent, self._idle, self._stopped = -1, 0.0, 0.0, 0.0, 0.0
        make: Any = context.Process  # type: ignore[attr-defined]
        self.process: BaseProcess = make(target=work, args=(task, self.board, theirs), daemon=True)
        with theirs, warnings.catch_warnings():
            # Python 3.12 warns of any fork while a thread runs. The one thread here is that of
            # run.log; it holds no lock that a worker takes (logging renews its own after a fork).
            warnings.filterwarnings(
                "ignore", "This process .* is multi-threaded", DeprecationWarning
            )
            self.process.start()
        self._pipe.setblocking(False)

    @property
    def waitable(self) -> tuple[socket.socket, int]:
        """What becomes ready when there is something to read, or when the process has ended."""
        return self._pipe, self.process.sentinel

    def send(self, chunk: Chunk, known: Iterable[Fault]) -> None:
        """Have it play a chunk; raises `Gone` if it takes no orders."""
        faults = [[f.place, f.seat, f.kind, f.said] for f in known]
        self.chunk, self._beat = chunk, -1
        self.board.clear()  # what it was told of a chunk before is not of this one
        try:
            self._pipe.sendall(json.dumps({"chunk": chunk, "known": faults}).encode() + b"\n")
        except OSError as problem:
            raise Gone(f"takes no orders ({problem.strerror}); it {self._ending()}") from None

    def read(self) -> list[dict[str, Any]]:
        """Return the messages that have come, without waiting; raises `Gone` behind the last."""
        messages: list[dict[str, Any]] = []
        try:
            while True:
                data = self._pipe.recv(1 << 20)
                if not data:
                    break
                *lines, self._unread = (self._unread + data).split(b"\n")
                messages += [_parse(line) for line in lines]
                if len(self._unread) > MOST_BYTES:
                    raise Gone("sends no end of a message")
        except BlockingIOError:
            return messages
        except OSError:
            pass
        if messages:
            return messages  # the end is found again the next time
        raise self._ending()

    def look(self, elapsed: float) -> None:
        """Raise `Gone` if it does nothing although it should.

        elapsed: seconds since the last look.
        """
        vitals = look_at(self.process.pid or 0)
        if self.chunk is None or vitals is None:
            return
        used = vitals.used - self._used
        self._used = vitals.used
        if self.board.beat != self._beat:
            self._beat = self.board.beat
            self._spent = self._idle = 0.0
        self._spent += used
        # What it uses makes up for waiting by and by: while it stands still its move clock runs,
        # and uses a hundredth of a second now and then.
        asleep = not used and vitals.state in ASLEEP
        self._idle = max(0.0, self._idle + elapsed if asleep else self._idle - used / AWAKE)
        self._stopped = self._stopped + elapsed if vitals.state in STOPPED else 0.0
        if self._stopped > LONGEST_STOP:
            raise Gone("was stopped")
        if self.board.seat is None:
            if self._idle > LONGEST_SILENCE:
                raise Gone("stands still")
        elif max(self._spent, self._idle) > self._limit:
            raise Gone("is held up", own=True, kind=OutOfTime.kind)

    def dismiss(self) -> None:
        """Ask it to end, with its log written; one that has work to do is ended at once."""
        if self.chunk is not None:
            self.process.kill()
            return
        with suppress(OSError):
            self._pipe.shutdown(socket.SHUT_WR)  # workers forked later hold copies of this end

    def end(self, patience: float = 0.0) -> None:
        """End it after so many seconds in which it may end by itself; wait until it is gone."""
        self.process.join(patience)
        self.process.kill()
        self.process.join()
        self._pipe.close()

    def _ending(self) -> Gone:
        """Return how the process ended, or that it has only closed its pipe."""
        self.process.join(MOST_WAIT)
        code = self.process.exitcode
        if code is None:
            return Gone("has closed its pipe", own=True)
        if code >= 0:
            return Gone(f"ended with exit code {code}", own=True)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return Gone(f"was ended by {name}", name in OWN_SIGNALS)


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Gone("sends what is no message")
    return message


# A move clock for a process without a supervisor: one command that plays matches by itself.

SHOW_CURSOR = "\x1b[?25h"  # which a live view hides


class OwnClock(MoveClock):
    """While entered, bounds every call of these strategies, of each seat, in this process.

    limit: seconds of processor time, and as many of waiting.
    A call that goes on as if nothing had been raised in it ends the process, with exit code 1.
    """

    def __init__(self, seating: Sequence[Spec], limit: float) -> None:
        # Strategies must leave alone in a worker what leads to its supervisor, so here as well.
        self._guarded = os.open(os.devnull, os.O_RDONLY)
        super().__init__(Board(multiprocessing.get_context()), limit, self._guarded)
        self._seating, self._told = seating, False

    def __enter__(self) -> Self:
        found = {number: signal.getsignal(number) for number in STOPPING}
        self._before: dict[int, Any] = {
            number: how for number, how in found.items() if callable(how)
        }
        for number in self._before:
            signal.signal(number, self._interrupt)
        watch_calls(self)
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        watch_calls(None)
        for number, how in self._before.items():
            signal.signal(number, how)
        if self._identity() == self._file:
            os.close(self._guarded)
        if isinstance(error, OutOfTime):  # its time was over just when it came back
            said = f"{self._named(error.seat)} failed: {error}"
            raise StrategyError(said, error.seat, OutOfTime.kind) from None

    @property
    def interrupted(self) -> bool:
        """Whether a signal asks all this to stop."""
        return self._told

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._told = True
        self._before[number](number, frame)
        raise KeyboardInterrupt

    def _lost(self, seat: int) -> NoReturn:
        said = f"{self._named(seat)} has turned off its move clock, or closed what is not its own"
        raise StrategyError(said, seat, ENDED)

    def _over(self, spent: float, said: OutOfTime) -> NoReturn:
        if spent > LATER * self._limit + LATER_BY:
            restored = SHOW_CURSOR if sys.stderr.isatty() else ""
            line = f"{restored}error: {self._named(said.seat)} goes on after {said}\n"
            os.write(2, line.encode("utf-8", "backslashreplace"))
            posix._exit(1)  # whatever `os._exit` is just now
        raise said

    def _named(self, seat: int) -> str:
        spec = self._seating[seat]
        return f"strategy '{spec.name}' ({spec.path}) on seat {seat}"
