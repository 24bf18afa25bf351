"""The board: where a worker is just now, in memory that it shares with its supervisor.

It can be read after the worker is gone, and writing to it costs next to nothing.
"""

from __future__ import annotations

import ctypes
from multiprocessing.context import BaseContext

from trutdsl.arena.play import Place

BEAT, INDEX, LEG, SEAT, TOGETHER, NUMBERS = range(6)
NOWHERE = -1


class Board:
    """What one worker notes; both processes have the same numbers before them."""

    def __init__(self, context: BaseContext) -> None:
        # Bare numbers: a lock would stay locked if the worker were ended while it holds it.
        self._numbers = context.RawArray(ctypes.c_int64, NUMBERS)
        self.clear()

    def clear(self) -> None:
        """Note that nothing is played."""
        self._numbers[INDEX] = self._numbers[LEG] = self._numbers[SEAT] = NOWHERE

    def begin(self, place: Place) -> None:
        """Note the match that is to be played next, or the first of several."""
        self._numbers[INDEX], self._numbers[LEG] = place
        self._numbers[BEAT] += 1

    def enter(self, seat: int, together: bool = False) -> None:
        """Note that the code of the strategy on this seat begins to run, for how many matches."""
        self._numbers[SEAT], self._numbers[TOGETHER] = seat, together
        self._numbers[BEAT] += 1

    def leave(self) -> None:
        """Note that it came back."""
        self._numbers[SEAT] = NOWHERE

    @property
    def beat(self) -> int:
        """A number that grows with every sign of life."""
        return int(self._numbers[BEAT])

    @property
    def place(self) -> Place | None:
        """The match that is played, if one is."""
        index, leg = int(self._numbers[INDEX]), int(self._numbers[LEG])
        return None if index == NOWHERE else Place(index, leg)

    @property
    def seat(self) -> int | None:
        """The seat whose strategy's code runs, if one does."""
        seat = int(self._numbers[SEAT])
        return None if seat == NOWHERE else seat

    @property
    def together(self) -> bool:
        """Whether that code runs for several matches, of which `place` is the first."""
        return self.seat is not None and bool(self._numbers[TOGETHER])
