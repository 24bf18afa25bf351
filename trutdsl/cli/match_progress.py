"""Progress of a simulation: a live line on a terminal, otherwise a line now and then."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Self

from trutdsl.cli.output import is_quiet, make_console, note
from trutdsl.language import figure, say, spoken_time

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from trutdsl.table.counts import Counts

EVERY = 10.0  # seconds between two lines
LONG = 60.0  # seconds; a longer run prints its expected time
WINDOW = 30.0  # seconds of the measured pace
EARLIEST = 4.0  # seconds before the first estimate


class Pace:
    """Counts the finished work of this run and measures its pace.

    The pace excludes the time before the first result, when workers start and code is compiled.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begin = clock()
        self._done: deque[tuple[float, int]] = deque()
        self.total = 0

    def add(self, many: int) -> None:
        """Add finished units."""
        self.total += many
        moment = self._clock()
        self._done.append((moment, self.total))
        # The entry at the window's edge stays as the start of the measurement.
        while len(self._done) > 2 and self._done[1][0] <= moment - WINDOW:
            self._done.popleft()

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._begin

    @property
    def rate(self) -> float | None:
        """The recent number of units a second, None while unknown."""
        if not self._done:
            return None
        (begin, start), (_, total) = self._done[0], self._done[-1]
        moment = self._clock()
        if moment - begin < EARLIEST or total == start:
            return None
        return (total - start) / (moment - begin)

    def time_for(self, units: int) -> float | None:
        """Return the seconds for so many more units, None while unknown."""
        rate = self.rate
        return None if rate is None else units / rate


class PlayPace:
    """The pace of matches, or sets of them, and of their deals; says now and then how far it is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.units, self.deals = Pace(clock), Pace(clock)
        self._clock, self._shown_at, self._said_length = clock, clock(), False

    def parts(self, seconds: float | None) -> list[str]:
        """Return the deals so far, their pace, and the time that is left, as far as known."""
        result = [say("{done} deals", done=figure(self.deals.total, ",d"))]
        if self.deals.rate is not None:
            result.append(say("{rate} deals/s", rate=figure(self.deals.rate, ",.0f")))
        if seconds is not None:
            result.append(say("about {time} left", time=spoken_time(seconds)))
        return result

    def tell(self, seconds: float | None, line: Callable[[], str]) -> None:
        """Print this line if it is time, or else once how long a long run takes."""
        moment = self._clock()
        if moment - self._shown_at >= EVERY:
            self._shown_at = moment
            note(line())
        elif not self._said_length and seconds is not None and seconds + self.units.elapsed > LONG:
            self._said_length = True
            note(say("this takes about {time}", time=spoken_time(seconds)))


class LiveLine:
    """A line on standard error that a terminal rewrites, while the block is entered."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console
        if console is None and sys.stderr.isatty():
            self._console = make_console(sys.stderr)
        self._status: Status | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    @property
    def is_live(self) -> bool:
        return self._console is not None and self._console.is_terminal and not is_quiet()

    def show(self, text: str) -> None:
        """Replace the text, on a terminal."""
        if self._console is None or not self.is_live:
            return
        from rich.text import Text

        if self._status is None:
            self._status = self._console.status("")
            self._status.start()
        self._status.update(Text(text))  # a name may contain markup


class MatchProgress(LiveLine):
    """Shows the number of finished matches on standard error, while it is entered."""

    def __init__(
        self,
        matches: int,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(console)
        self._matches, self._pace = matches, PlayPace(clock)

    def add_counts(self, counts: Counts) -> None:
        """Add the counts of matches, and show the progress if it is time."""
        self.add(counts["matches"], counts["deals"])

    def add(self, matches: int, deals: int) -> None:
        """Add matches and deals, and show the progress if it is time."""
        self._pace.units.add(matches)
        self._pace.deals.add(deals)
        seconds = self._pace.units.time_for(self._matches - self._pace.units.total)
        if self.is_live:
            self.show(self._line(seconds))
        else:
            self._pace.tell(seconds, partial(self._line, seconds))

    def _line(self, seconds: float | None) -> str:
        done, every = (figure(many, ",") for many in (self._pace.units.total, self._matches))
        matches = say("{total} of {matches} matches", total=done, matches=every)
        return ", ".join([matches, *self._pace.parts(seconds)])
