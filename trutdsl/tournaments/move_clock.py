"""The board and the move clock of a process: which strategy runs, and for how long."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import resource
import signal
import sys
import time
from _signal import getsignal as handler_of  # type: ignore[import-not-found]
from collections.abc import Sequence
from multiprocessing.context import BaseContext
from posix import _exit  # `os._exit` may be replaced
from types import FrameType
from typing import Any, NoReturn, Self

from trutdsl.language import say
from trutdsl.strategy.load import Spec
from trutdsl.strategy.spec import PROCESS_END, OutOfTime, StrategyError, watch_calls
from trutdsl.tournaments.play import MatchIndex
from trutdsl.tournaments.processes import STOPPING

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
SHOW_CURSOR = "\x1b[?25h"  # a live view hides it
IDLE = 0.1  # of a tick; a process that used less processor time was waiting, if it slept
# The main thread, in which strategies play; macOS knows only the whole process.
THREAD = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)


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
        self._sleeps = 0

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
        sleeps = resource.getrusage(THREAD).ru_nvcsw
        if seat is None or beat != self._beat:
            self._beat, self._begin, self._waited = beat, cpu_seconds, 0.0
        elif cpu_seconds - self._last < IDLE * TICK and sleeps > self._sleeps:
            self._waited += TICK  # otherwise, other programs have the processor
        self._last, self._sleeps = cpu_seconds, sleeps
        if seat is None:
            return
        for seconds, how in ((cpu_seconds - self._begin, "computing"), (self._waited, "waiting")):
            if seconds > self._limit:
                self._over(seconds, OutOfTime(f"{how} for more than {self._limit:g} s", seat))


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
