"""The pace of a run: how fast it goes, measured, and how long what is left takes at that."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW = 30.0  # seconds over which it is measured
EARLIEST = 4.0  # seconds after which it can be told


class Pace:
    """Counts what is finished in this run, and nothing that was there before.

    The pace is that from the first finished on: until then workers are started and code is made.
    clock: gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begin = clock()
        self._done: deque[tuple[float, int]] = deque()
        self.total = 0

    def add(self, many: int) -> None:
        """Note that so many more are finished."""
        self.total += many
        now = self._clock()
        self._done.append((now, self.total))
        # The one at the window's edge stays, so that there is something to measure from.
        while len(self._done) > 2 and self._done[1][0] <= now - WINDOW:
            self._done.popleft()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._begin

    @property
    def rate(self) -> float | None:
        """How many a second of late, or None while that cannot be told."""
        if not self._done:
            return None
        (begin, before), (_, total) = self._done[0], self._done[-1]
        now = self._clock()
        if now - begin < EARLIEST or total == before:
            return None
        return (total - before) / (now - begin)

    def time_for(self, left: int) -> float | None:
        """Return how many seconds so many more take, or None while that cannot be told."""
        rate = self.rate
        return None if rate is None else left / rate
