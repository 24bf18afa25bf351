"""A worker process: plays the chunks that its supervisor sends, watched by a move clock."""

from __future__ import annotations

import base64
import ctypes
import json
import logging
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import time
import traceback
from _signal import getsignal as handler_of  # type: ignore[import-not-found]
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.context import BaseContext
from posix import _exit  # `os._exit` may be replaced
from types import FrameType
from typing import Any, NoReturn, Self

from trutdsl.child_processes import end_with_parent
from trutdsl.diagnostics import Rejected
from trutdsl.language import say
from trutdsl.strategy import OutOfTime, Spec, StrategyError, end_bots, watch_calls
from trutdsl.strategy.self_test import SelfTest, runs_here, stand_ins
from trutdsl.strategy.spec import PROCESS_END
from trutdsl.tournaments.play import CountSets, Fault, MatchIndex, count_faults, play_sets
from trutdsl.tournaments.processes import LOGGER, STOPPING, write_out_log
from trutdsl.tournaments.schedule import Chunk, Experiment

# The board: the position of a worker, in memory that it shares with its supervisor.
#
# The supervisor can read it after the worker's end; writing to it costs almost nothing.

BEAT, INDEX, LEG, SEAT, TOGETHER, NUMBERS = range(6)
NOWHERE = -1


class Board:
    """The position of one worker, as numbers in shared memory."""

    def __init__(self, context: BaseContext) -> None:
        # No lock: it would stay locked if its worker were killed.
        self._numbers = context.RawArray(ctypes.c_int64, NUMBERS)
        self.clear()

    def clear(self) -> None:
        self._numbers[INDEX] = self._numbers[LEG] = self._numbers[SEAT] = NOWHERE

    def begin(self, place: MatchIndex) -> None:
        """Store the next match, or the first of several."""
        self._numbers[INDEX], self._numbers[LEG] = place
        self._numbers[BEAT] += 1

    def enter(self, seat: int, together: bool = False) -> None:
        """Store that a seat's strategy starts to run; together: for several matches."""
        self._numbers[SEAT], self._numbers[TOGETHER] = seat, together
        self._numbers[BEAT] += 1

    def leave(self) -> None:
        self._numbers[SEAT] = NOWHERE

    @property
    def beat(self) -> int:
        """A number that grows with each `begin` and `enter`."""
        return int(self._numbers[BEAT])

    @property
    def place(self) -> MatchIndex | None:
        """The current match, if any."""
        index, leg = int(self._numbers[INDEX]), int(self._numbers[LEG])
        return None if index == NOWHERE else MatchIndex(index, leg)

    @property
    def seat(self) -> int | None:
        """The seat whose strategy runs now, if any."""
        seat = int(self._numbers[SEAT])
        return None if seat == NOWHERE else seat

    @property
    def together(self) -> bool:
        """Whether this strategy decides for several matches; `place` is the first."""
        return self.seat is not None and bool(self._numbers[TOGETHER])


# The move clock: ends a strategy's call that takes too long, inside its process. It calls
# `_signal.getsignal`, because `signal.getsignal` takes 3 µs to look up names.

TICK = 0.05  # seconds between two looks
# A call that continues after LATER times the limit plus LATER_BY seconds ends its process.
LATER, LATER_BY = 2.0, 1.0
IDLE = 0.1  # of a tick; a process that used less processor time was waiting


class MoveClock:
    """Limits the time of strategies' calls in the main thread of this process.

    limit: seconds of processor time for one call, and the same of waiting.
    pipe:  the descriptor to the supervisor, which strategies must not close or replace.

    A strategy that disables its clock ends the process in its own call, so the board names it.
    """

    def __init__(self, board: Board, limit: float, pipe: int) -> None:
        self._board, self._limit, self._pipe = board, limit, pipe
        self._file = self._identity()
        self._beat, self._seat = -1, 0
        self._begin = self._last = self._waited = 0.0

    def start(self) -> None:
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)

    def enter(self, seat: int, together: bool) -> None:
        """Start the time of a seat's strategy; together: it decides for several matches."""
        self._board.enter(seat, together)

    def leave(self) -> None:
        if self._identity() != self._file or handler_of(signal.SIGALRM) != self._look:
            self._forfeit(self._board.seat or 0)
        self._board.leave()

    @property
    def interrupted(self) -> bool:
        """Whether a signal asks to stop; a worker gets none."""
        return False

    def _forfeit(self, seat: int) -> NoReturn:  # noqa: ARG002 - subclasses use it
        os._exit(1)

    def _over(self, seconds: float, error: OutOfTime) -> NoReturn:  # noqa: ARG002 - subclasses use it
        raise error

    def _identity(self) -> tuple[int, int] | None:
        try:
            result = os.fstat(self._pipe)
        except OSError:
            return None
        return result.st_dev, result.st_ino

    def _look(self, _signal: int, _frame: FrameType | None) -> None:
        cpu_seconds, beat, seat = time.process_time(), self._board.beat, self._board.seat
        if seat is None or beat != self._beat:
            self._beat, self._begin, self._waited = beat, cpu_seconds, 0.0
        elif cpu_seconds - self._last < IDLE * TICK:
            self._waited += TICK
        self._last = cpu_seconds
        if seat is None:
            return
        for seconds, how in ((cpu_seconds - self._begin, "computing"), (self._waited, "waiting")):
            if seconds > self._limit:
                self._over(seconds, OutOfTime(f"{how} for more than {self._limit:g} s", seat))


@dataclass(frozen=True)
class Task:
    """The task of a worker.

    count:        counts the sets of a chunk; a function at the top of a module.
    move_timeout: seconds of processor time for one call of a strategy, and the same of waiting.
    log_by_pipe:  the supervisor writes the worker's log.
    """

    experiment: Experiment
    count: CountSets
    move_timeout: float = 10.0
    log_by_pipe: bool = False


Send = Callable[[dict[str, Any]], None]
Begin = Callable[[MatchIndex], None]


def _answer(task: Task, begin: Begin, order: dict[str, Any], send: Send) -> dict[str, Any]:
    """Play a chunk and return its counts, or an error of the rules, as JSON.

    It sends each fault at once. If the process ends later, that match is not played again.
    """

    def tell(fault: Fault) -> None:
        send({"fault": [fault.place, fault.seat, fault.kind, fault.message, fault.calls]})

    start, chunk = time.perf_counter(), Chunk(*order["chunk"])
    known = [Fault(MatchIndex(*place), *rest) for place, *rest in order["known"]]
    try:
        early = order["suspect"] and order["suspect"][1]
        sets, faults = play_sets(task.experiment, chunk, begin, known, tell, early)
    except Rejected as rejected:
        return {"rejected": base64.b64encode(pickle.dumps(rejected)).decode()}
    record = {
        "counts": task.count(task.experiment, sets),
        "faults": count_faults(task.experiment, faults),
    }
    return {"chunk": chunk, "kept": record, "seconds": time.perf_counter() - start}


# The self-test of a worker: a small chunk between strategies of the program's own. A worker makes
# it before it reports a chunk or a fault. If it fails, a strategy in Python has damaged the
# interpreter: the process ends, and the chunk is played again in parts. If a set remains, the match
# in which the worker was lost is suspect. A new worker plays the suspect match first, with a test
# after each call of a strategy, and then the others, with a test after each match. The board names
# a strategy only if no code of others ran in the worker before.

DAMAGED = 70  # exit code


def _make_test(task: Task, send: Send) -> SelfTest | None:
    """Return the self-test of a task; None if all its strategies are without code."""
    whole = task.experiment
    if not any(map(runs_here, whole.strategies)):
        return None
    few, play, alone = stand_ins(), deepcopy(whole.play), (0,) * whole.game.team_count
    part = replace(whole, strategies=few, play=play, partners=(), meetings=(alone, (*alone[1:], 1)))

    def work() -> str:
        order = json.loads('{"chunk": [1, 1], "known": [], "suspect": null}')
        said: list[dict[str, Any]] = []
        answer = _answer(replace(task, experiment=part), lambda _: None, order, said.append)
        send({"tested": True})
        return json.dumps([said, answer.get("kept")])

    return SelfTest(work)


class WorkerClock(MoveClock):
    """The move clock of a worker, which also makes its self-test."""

    def __init__(self, board: Board, task: Task, pipe: socket.socket) -> None:
        super().__init__(board, task.move_timeout, pipe.fileno())
        self.test: SelfTest | None = None
        self._suspect: MatchIndex | None = None
        self._begun, self._each_call = board.beat, False
        # Of each leg the strategies in Python, and the seat of one that is alone.
        self._legs: list[tuple[frozenset[str], int | None]] = []
        for line_up in task.experiment.legs:
            specs = [task.experiment.strategies[number] for number in line_up]
            seats = {spec.name: seat for seat, spec in enumerate(specs) if runs_here(spec)}
            seat = next(iter(seats.values())) if len(seats) == 1 else None
            self._legs.append((frozenset(seats), seat))
        self._here: tuple[frozenset[str], int | None] = (frozenset(), None)
        self._ran: frozenset[str] = frozenset()  # strategies in Python since the start

    def suspect(self, place: Sequence[int] | None) -> None:
        """Begin a chunk; place: its match that has lost a worker, if any."""
        self._suspect = None if place is None else MatchIndex(*place)
        self._begun = self._board.beat

    def begin(self, place: MatchIndex) -> None:
        """Begin a match, or several; test the one before in a suspect set."""
        if self._suspect is not None and self._board.beat != self._begun:
            self.check()
        self._here, self._each_call = self._legs[place.leg], place == self._suspect
        self._ran |= self._here[0]
        self._board.begin(place)
        self._begun = self._board.beat

    def leave(self) -> None:
        if self._each_call and self.test is not None:
            self._board.enter(self._board.seat or 0)  # the test has time of its own
            if not self.test.passes():
                if not self._ran <= self._here[0]:  # others may have done it
                    self._board.leave()
                _exit(DAMAGED)
        super().leave()

    def check(self) -> None:
        """End the process if a strategy has damaged it; the board names one that is alone."""
        if self.test is None or self.test.passes():
            return
        names, seat = self._here
        if self._suspect is not None and seat is not None and self._ran <= names:
            self._board.enter(seat)
        _exit(DAMAGED)


def work(task: Task, board: Board, pipe: socket.socket) -> NoReturn:
    """Play chunks until the pipe is closed; the target of a worker's process.

    The log contains any unexpected error, such as after a strategy has damaged the interpreter.
    """
    clock = WorkerClock(board, task, pipe)
    try:
        _work(task, clock, pipe)
    except:  # noqa: E722 - a damaged interpreter may not even know the names of exceptions
        try:  # noqa: SIM105 - `suppress` may be damaged, too
            _send(pipe, {"log": [logging.ERROR, os.getpid(), traceback.format_exc()]})
        except:  # noqa: E722
            pass
        _exit(1)
    _exit(0)  # ignore threads and exit handlers of strategies


def _work(task: Task, clock: WorkerClock, pipe: socket.socket) -> None:
    sys.stdout = sys.stderr  # strategies' output is not the run's result
    for number in STOPPING:  # they may reach every process; the parent decides
        signal.signal(number, signal.SIG_IGN)
    end_with_parent()
    if task.log_by_pipe:
        LOGGER.handlers = [_PipeLog(pipe)]
        LOGGER.setLevel(logging.INFO)
    send = partial(_send, pipe)
    clock.test = _make_test(task, send)
    watch_calls(clock)
    clock.start()

    def send_intact(message: dict[str, Any]) -> None:
        clock.check()
        send(message)

    with pipe.makefile("rb") as orders:
        for line in orders:
            start, order = time.perf_counter(), json.loads(line)
            clock.suspect(order["suspect"])
            answer = _answer(task, clock.begin, order, send_intact)
            with suppress(Exception):  # no result depends on the log
                first, sets = order["chunk"]
                seconds = time.perf_counter() - start
                LOGGER.info("sets %d to %d in %.2f s", first, first + sets - 1, seconds)
            send_intact(answer)
    write_out_log()
    end_bots()


def _send(pipe: socket.socket, message: dict[str, Any]) -> None:
    pipe.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")


class _PipeLog(logging.Handler):
    """Sends lines of the log to the supervisor."""

    def __init__(self, pipe: socket.socket) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        _send(self._pipe, {"log": [record.levelno, record.process, record.getMessage()]})


SHOW_CURSOR = "\x1b[?25h"  # a live view hides it


class OwnClock(MoveClock):
    """Limits each call of these strategies in this process, within its `with` block.

    limit: seconds of processor time, and the same of waiting.
    A call that ignores its exception ends the process with exit code 1.
    """

    def __init__(self, seating: Sequence[Spec], limit: float) -> None:
        # As in a worker, strategies must not close or replace this descriptor.
        self._guarded = os.open(os.devnull, os.O_RDONLY)
        super().__init__(Board(multiprocessing.get_context()), limit, self._guarded)
        self._seating, self._told = seating, False

    def __enter__(self) -> Self:
        handlers = {number: signal.getsignal(number) for number in STOPPING}
        self._before: dict[int, Any] = {
            number: how for number, how in handlers.items() if callable(how)
        }
        for number in self._before:
            signal.signal(number, self._interrupt)
        watch_calls(self)
        self.start()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        watch_calls(None)
        for number, how in self._before.items():
            signal.signal(number, how)
        if self._identity() == self._file:
            os.close(self._guarded)
        if isinstance(error, OutOfTime):  # the time ended just as the call returned
            text = say(
                "{named} failed: {error}", named=self._strategy_words(error.seat), error=error
            )
            raise StrategyError(text, error.seat, OutOfTime.kind) from None

    @property
    def interrupted(self) -> bool:
        """Whether a signal asks to stop."""
        return self._told

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._told = True
        self._before[number](number, frame)
        raise KeyboardInterrupt

    def _forfeit(self, seat: int) -> NoReturn:
        text = "{named} has turned off its move clock, or closed what is not its own"
        message = say(text, named=self._strategy_words(seat))
        raise StrategyError(message, seat, PROCESS_END)

    def _over(self, seconds: float, error: OutOfTime) -> NoReturn:
        if seconds > LATER * self._limit + LATER_BY:
            restored = SHOW_CURSOR if sys.stderr.isatty() else ""
            line = f"{restored}error: {self._strategy_words(error.seat)} goes on after {error}\n"
            os.write(2, line.encode("utf-8", "backslashreplace"))
            _exit(1)
        raise error

    def _strategy_words(self, seat: int) -> str:
        spec = self._seating[seat]
        text = "strategy '{spec}' ({path}) as player {player}"
        return say(text, spec=spec.name, path=spec.path, player=seat + 1)
