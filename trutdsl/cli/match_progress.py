"""Progress of a simulation: a live line on a terminal, otherwise a line now and then."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Self

import typer
from rich.console import Console
from rich.status import Status
from rich.text import Text

from trutdsl.report.language import spoken_time
from trutdsl.table.counts import Counts

EVERY = 10.0  # seconds between two lines
LONG = 60.0  # seconds; a longer run says beforehand how long it takes
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


class LiveLine:
    """A line on standard error that a terminal rewrites, while the block is entered."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._status: Status | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    @property
    def is_live(self) -> bool:
        return self._console.is_terminal

    def show(self, text: str) -> None:
        """Show a text in place of the one before; for a terminal only."""
        if self._status is None:
            self._status = self._console.status("")
            self._status.start()
        self._status.update(Text(text))  # a name may hold what would be markup


class MatchProgress(LiveLine):
    """Tells a person on standard error how many of the matches are played, while it is entered."""

    def __init__(
        self,
        matches: int,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(console)
        self._matches, self._clock, self._told = matches, clock, clock()
        self._of_matches, self._of_deals = Pace(clock), Pace(clock)
        self._said_length = False

    def finished(self, counts: Counts) -> None:
        """Note what was counted of some more matches, and tell it if it is time."""
        self.played(counts["matches"], counts["deals"])

    def played(self, matches: int, deals: int) -> None:
        """Note that so many more matches and deals were played, and tell it if it is time."""
        self._of_matches.add(matches)
        self._of_deals.add(deals)
        left = self._of_matches.time_for(self._matches - self._of_matches.total)
        now = self._clock()
        if self.is_live:
            self.show(self._text(left))
        elif now - self._told >= EVERY:
            self._told = now
            typer.echo(self._text(left), err=True)
        elif not self._said_length and left is not None and left + self._of_matches.elapsed > LONG:
            self._said_length = True
            typer.echo(f"this takes about {spoken_time(left)}", err=True)

    def _text(self, left: float | None) -> str:
        parts = [f"{self._of_matches.total:,} of {self._matches:,} matches"]
        parts.append(f"{self._of_deals.total:,} deals")
        if self._of_deals.rate is not None:
            parts.append(f"{self._of_deals.rate:,.0f} deals/s")
        if left is not None:
            parts.append(f"about {spoken_time(left)} left")
        return ", ".join(parts)
