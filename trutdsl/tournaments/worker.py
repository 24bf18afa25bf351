"""A worker process: plays the chunks that its supervisor sends, watched by a move clock."""

from __future__ import annotations

import base64
import ctypes
import json
import logging
import multiprocessing
import os
import pickle
import posix
import signal
import socket
import sys
import time
from _signal import getsignal as handler_of  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import BaseContext
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from trutdsl.diagnostics import Rejected
from trutdsl.strategy import OutOfTime, Spec, StrategyError, end_bots, watch_calls
from trutdsl.strategy.spec import ENDED
from trutdsl.tournaments.play import CountSets, Fault, MatchIndex, count_faults, play_sets
from trutdsl.tournaments.processes import LOGGER, STOPPING, end_with_parent, write_out_log
from trutdsl.tournaments.schedule import Chunk, Experiment

# The board: where a worker is just now, in memory that it shares with its supervisor.
#
# It can be read after the worker is gone, and writing to it costs next to nothing.

BEAT, INDEX, LEG, SEAT, TOGETHER, NUMBERS = range(6)
NOWHERE = -1


class Board:
    """What one worker notes; both processes have the same numbers before them."""

    def __init__(self, context: BaseContext) -> None:
        # Bare numbers: a lock would stay locked if the worker were ended while it holds it.
        self._numbers = context.RawArray(ctypes.c_int64, NUMBERS)
        self.clear()

    def clear(self) -> None:
        self._numbers[INDEX] = self._numbers[LEG] = self._numbers[SEAT] = NOWHERE

    def begin(self, place: MatchIndex) -> None:
        """Note the match that is to be played next, or the first of several."""
        self._numbers[INDEX], self._numbers[LEG] = place
        self._numbers[BEAT] += 1

    def enter(self, seat: int, together: bool = False) -> None:
        """Note that the code of the strategy on this seat begins to run, for how many matches."""
        self._numbers[SEAT], self._numbers[TOGETHER] = seat, together
        self._numbers[BEAT] += 1

    def leave(self) -> None:
        self._numbers[SEAT] = NOWHERE

    @property
    def beat(self) -> int:
        """A number that grows with every sign of life."""
        return int(self._numbers[BEAT])

    @property
    def place(self) -> MatchIndex | None:
        """The match that is played, if one is."""
        index, leg = int(self._numbers[INDEX]), int(self._numbers[LEG])
        return None if index == NOWHERE else MatchIndex(index, leg)

    @property
    def seat(self) -> int | None:
        """The seat whose strategy's code runs, if one does."""
        seat = int(self._numbers[SEAT])
        return None if seat == NOWHERE else seat

    @property
    def together(self) -> bool:
        """Whether that code runs for several matches, of which `place` is the first."""
        return self.seat is not None and bool(self._numbers[TOGETHER])


# The move clock: ends the code of a strategy that takes too long, from within its process.

# What `signal.getsignal` calls; that looks for the handler among the names of signals, for 3 µs.


TICK = 0.05  # seconds between two looks
# Beyond its limit, what goes on nevertheless is ended otherwise; a worker from outside.
LATER, LATER_BY = 2.0, 1.0  # times, seconds
IDLE = 0.1  # of a tick; a process that has used less processor time was waiting of its own accord


class MoveClock:
    """Watches the strategies' code in this process, which must be the process's main thread.

    limit: of one call, in seconds of processor time; and as long of waiting for something.
    pipe:  a descriptor that strategies must leave alone: the worker's only way to its supervisor.

    What strategies can do to be watched no more ends the process, in their call, where it is noted
    whose it was.
    """

    def __init__(self, board: Board, limit: float, pipe: int) -> None:
        self._board, self._limit, self._pipe = board, limit, pipe
        self._file = self._identity()
        self._beat, self._seat = -1, 0
        self._begin = self._last = self._waited = 0.0

    def start(self) -> None:
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)

    def entered(self, seat: int, together: bool) -> None:
        """The strategy on this seat is about to run; together: for several matches at once."""
        self._board.enter(seat, together)

    def left(self) -> None:
        if self._identity() != self._file or handler_of(signal.SIGALRM) != self._look:
            self._lost(self._board.seat or 0)
        self._board.leave()

    @property
    def interrupted(self) -> bool:
        """Whether somebody outside wants all this to stop; a worker is not told."""
        return False

    def _lost(self, seat: int) -> NoReturn:  # noqa: ARG002 - its form
        """End what can be watched no more."""
        os._exit(1)

    def _over(self, spent: float, said: OutOfTime) -> NoReturn:  # noqa: ARG002 - its form
        """End a call that has taken so many seconds."""
        raise said

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.fstat(self._pipe)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        used, beat, seat = time.process_time(), self._board.beat, self._board.seat
        if seat is None or beat != self._beat:
            self._beat, self._begin, self._waited = beat, used, 0.0
        elif used - self._last < IDLE * TICK:
            self._waited += TICK
        self._last = used
        if seat is None:
            return
        for spent, how in ((used - self._begin, "computing"), (self._waited, "waiting")):
            if spent > self._limit:
                self._over(spent, OutOfTime(f"{how} for more than {self._limit:g} s", seat))


@dataclass(frozen=True)
class Task:
    """What a worker is for, given to it once.

    count:        what is counted of the sets of a chunk; a function at the top of a module.
    move_timeout: seconds of processor time for one call of a strategy, and as many of waiting.
    log_by_pipe:  the supervisor writes the worker's log, too.
    """

    experiment: Experiment
    count: CountSets
    move_timeout: float = 10.0
    log_by_pipe: bool = False


Send = Callable[[dict[str, Any]], None]


def play_chunk(
    task: Task, chunk: Chunk, board: Board, known: Iterable[Fault], send: Send
) -> dict[str, Any]:
    """Return what is kept of a chunk, as JSON has it.

    Faults are sent as they happen, so that a match with one is not played again if this process is
    lost in a later one.
    """

    def tell(fault: Fault) -> None:
        send({"fault": [fault.place, fault.seat, fault.kind, fault.said, fault.calls]})

    begin = time.perf_counter()
    played, faults = play_sets(task.experiment, chunk, board.begin, tuple(known), tell)
    board.clear()
    kept = {
        "counts": task.count(task.experiment, played),
        "faults": count_faults(task.experiment, faults),
    }
    LOGGER.info(
        "sets %d to %d in %.2f s", chunk.first, chunk.beyond - 1, time.perf_counter() - begin
    )
    return {
        "chunk": chunk,
        "kept": kept,
        "seconds": time.perf_counter() - begin,
    }


def work(task: Task, board: Board, pipe: socket.socket) -> None:
    """Be a worker until the pipe is closed; the target of its process."""
    sys.stdout = sys.stderr  # what a strategy prints is not the run's result
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    if task.log_by_pipe:
        LOGGER.handlers = [_PipeLog(pipe)]
        LOGGER.setLevel(logging.INFO)
    clock = MoveClock(board, task.move_timeout, pipe.fileno())
    watch_calls(clock)
    clock.start()
    send = partial(_send, pipe)
    with pipe.makefile("rb") as orders:
        for line in orders:
            send(_answer(task, board, json.loads(line), send))
    write_out_log()
    end_bots()
    os._exit(0)  # whatever strategies have left behind


def _answer(task: Task, board: Board, order: dict[str, Any], send: Send) -> dict[str, Any]:
    known = [Fault(MatchIndex(*place), *rest) for place, *rest in order["known"]]
    try:
        return play_chunk(task, Chunk(*order["chunk"]), board, known, send)
    except Rejected as rejected:
        return {"rejected": base64.b64encode(pickle.dumps(rejected)).decode()}


def _send(pipe: socket.socket, message: dict[str, Any]) -> None:
    pipe.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")


class _PipeLog(logging.Handler):
    """Sends lines of the log to the supervisor."""

    def __init__(self, pipe: socket.socket) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line, together with the process it is of."""
        _send(self._pipe, {"log": [record.levelno, record.process, record.getMessage()]})


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
