"""Clocks: where a worker is just now, and the end of strategy code that takes too long."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from _signal import getsignal as handler_of  # type: ignore[import-not-found]
from multiprocessing.context import BaseContext
from types import FrameType
from typing import NoReturn

from trutdsl.arena.play import MatchIndex
from trutdsl.strategy import OutOfTime

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
