"""A move clock for a process without a supervisor: one command that plays matches by itself."""

from __future__ import annotations

import multiprocessing
import os
import posix
import signal
import sys
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from trutdsl.arena.board import Board
from trutdsl.arena.colleague import ENDED
from trutdsl.arena.move_clock import LATER, LATER_BY, MoveClock
from trutdsl.arena.signals import STOPPING
from trutdsl.strategy import OutOfTime, Spec, StrategyError, watch_calls

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
