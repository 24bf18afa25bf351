"""Runs of many matches in machine code, recorded one by one or counted."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextvars import ContextVar
from threading import Event
from typing import Any

import numpy as np

from trutdsl.native.abi import (
    CALL,
    FAULT,
    FUNCTION,
    KEY,
    LEFT,
    MOST_RECORDS,
    NEXT,
    OFTEN,
    WATCH_ROOM,
    Form,
    record_fields,
    room_for_counts,
)
from trutdsl.native.jit import POINTER, U64, MachineCode, Playable, code_key, read_code
from trutdsl.native.play.memory import MatchMemory, fault_of, mistake_in
from trutdsl.streams import chance_key, strategy_key
from trutdsl.table.counts import CountPlan, Counts, Rows
from trutdsl.table.setting import SeatedPlayer

# Interrupts: exceptions during machine code are stored until it has returned.

# Tells threads that run machine code to stop; Ctrl-C reaches only the main one.
stop_of_threads: ContextVar[Event | None] = ContextVar("stop_of_threads", default=None)
SELDOM = 64 * OFTEN  # most steps between two looks
WATCH_PAUSE = 0.005  # seconds that should lie between two looks
LOOK = ctypes.CFUNCTYPE(ctypes.c_int64)


class Watch:
    """Decides whether play continues.

    exceptions: the exception during machine code, to be raised after it.
    call:       the callback of machine code; returns the steps to the next call, or 0 to stop.
    """

    def __init__(self) -> None:
        self.exceptions: list[BaseException] = []
        self._stop = stop_of_threads.get()
        looks = self._look()
        next(looks)
        # A generator resumes inside its `try`. Ctrl-C could interrupt a function before
        # its own, and the exception would be lost in machine code.
        self.call = LOOK(looks.__next__)

    def _look(self) -> Iterator[int]:
        steps, last = OFTEN, time.perf_counter()
        try:
            while True:
                if self._stop is not None and self._stop.is_set():
                    self.exceptions.append(KeyboardInterrupt())
                yield 0 if self.exceptions else steps
                before, last = last, time.perf_counter()
                steps = min(2 * steps, SELDOM) if last - before < WATCH_PAUSE else OFTEN
        except GeneratorExit:
            raise
        except BaseException as e:
            self.exceptions.append(e)
        yield 0

    @property
    def address(self) -> int:
        return ctypes.cast(self.call, ctypes.c_void_p).value or 0

    def raise_if_any(self) -> None:
        if self.exceptions:
            raise self.exceptions[0]


POLICY = ctypes.CFUNCTYPE(ctypes.c_int64, POINTER, POINTER, ctypes.c_int64)
RawPolicy = Callable[[int, int], int]
PAUSE = 0.1  # seconds; a shorter chunk lets the next one grow
GROWTH = 4  # the largest ratio of a chunk's matches to those of the one before


class _ManyMatches(MachineCode):
    """A game as machine code that plays whole matches."""

    @property
    def _at_watch(self) -> int:
        """The number of numbers in the seats' entries of the table; the watch follows them."""
        return self.facts.entry * self.setting.players

    def _table(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        policy: int | None,
        watch: Watch,
        room: int = 0,
    ) -> Any:
        """Return a table: each seat with the policy at this address, or else its own.

        room: numbers after the watch.
        """
        table = (U64 * (self._at_watch + WATCH_ROOM + room))()
        table[self._at_watch + CALL], table[self._at_watch + LEFT] = watch.address, OFTEN
        for seat, (name, plays, ranks) in enumerate(seating):
            at = self.facts.entry * seat
            if ranks is not None:
                table[at + FUNCTION] = self.address("playback")
                table[at + NEXT] = ranks.ctypes.data
                continue
            table[at + FUNCTION] = policy or self.address(f"policy.{plays}" if plays else "uniform")
            table[at + KEY : at + KEY + 2] = list(strategy_key(seed, name))
        return table

    def _in_chunks(
        self,
        watch: Watch,
        table: ctypes.Array[ctypes.c_uint64],
        memory: ctypes.Array[ctypes.c_uint8],
        first: int,
        count: int,
        play: Callable[[int, int], int],
    ) -> Iterator[int]:
        """Yield the number of played matches, chunk by chunk.

        play: takes the first match and the one after the last; returns the number of played ones,
              fewer if the rules of the one at `memory`, or a script, fail.
        """
        begin, end, most = first, first + count, 1
        while begin < end:
            many = min(most, end - begin)
            start = time.perf_counter()
            matches = play(begin, begin + many)
            watch.raise_if_any()
            quick = GROWTH * (time.perf_counter() - start) < PAUSE
            yield matches
            if matches < many:
                self._raise_fault(table)
                match = MatchMemory(memory, self.whole, self.program, self.setting)
                raise mistake_in(match, self.whole.mistakes)
            begin += many
            most = min(GROWTH * most, MOST_RECORDS) if quick else max(most // 2, 1)

    def _raise_fault(self, table: ctypes.Array[ctypes.c_uint64]) -> None:
        """Raise `PolicyError` for the first seat whose script failed, if any."""
        for seat in range(self.setting.players):
            place = self.facts.entry * seat + FAULT
            if self.facts.entry > FAULT and table[place]:
                raise fault_of(self.whole.mistakes[table[place] - 1], seat)


class RunCode(_ManyMatches):
    """A game compiled to play many matches at once.

    room: the number of numbers after the watch.
    """

    form, room = Form.MATCHES, 0

    def __init__(self, game: Playable) -> None:
        super().__init__(game, self.form)
        self.fields = record_fields(self.facts.counters, self.setting)
        self._run = self.function(
            "run_matches", ctypes.c_int64, POINTER, POINTER, U64, U64, U64, U64, POINTER
        )

    def rows(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        first: int,
        count: int,
        policy: RawPolicy | None = None,
    ) -> Iterator[Rows]:
        """Yield the rows of matches, with all `fields`, chunk by chunk, in the same arrays.

        policy: plays for all seats instead of their own. It gets the address of the match and the
                number of legal actions, and returns the index of one. Its exceptions are raised
                here, soon after.
        Raises `RuleError` at a match whose rules fail, `PolicyError` at one whose script fails,
        `IndexError` for an invalid index.
        """
        rows = self._room(count)
        for matches, _ in self._chunks(seating, seed, first, count, rows, policy=policy):
            yield rows.part(0, matches)

    def _room(self, count: int) -> Rows:
        """Return arrays for one chunk of so many matches."""
        return Rows.empty(min(count, MOST_RECORDS), len(self.fields))

    def fill(
        self, seating: Sequence[SeatedPlayer], seed: int, first: int, rows: Rows
    ) -> Iterator[int]:
        """Write records of matches into rows, as many as these; yield the numbers of new ones.

        `Rows` defines the types of the columns.
        """
        for matches, _ in self._chunks(seating, seed, first, len(rows), rows, apart=True):
            yield matches

    def _chunks(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        first: int,
        count: int,
        rows: Rows,
        apart: bool = False,
        policy: RawPolicy | None = None,
    ) -> Iterator[tuple[int, Any]]:
        """Yield the number of played matches, chunk by chunk, and the table, always the same.

        apart: there are rows for all of them; else each chunk uses the first ones.
        """
        watch = Watch()
        exceptions = watch.exceptions

        def answer(_seat: int, match: int, legal: int) -> int:
            try:
                index = policy(match, legal) if policy is not None and not exceptions else 0
                if 0 <= index < legal:
                    return index
                exceptions.append(IndexError(f"{index} is no index of {legal} actions"))
            except BaseException as e:  # No exception may pass through machine code.
                exceptions.append(e)
            return 0

        callback = POLICY(answer) if policy is not None else None
        plays = ctypes.cast(callback, POINTER).value if callback else None
        table = self._table(seating, seed, plays, watch, self.room)
        memory = (ctypes.c_uint8 * self.facts.size)()
        spare = ctypes.c_int64()  # for columns that are not stored
        width, nowhere = len(rows.columns), (ctypes.addressof(spare), 0)
        places = [nowhere if c is None else (c.ctypes.data, c.strides[0]) for c in rows.columns]
        columns = np.array(places + (len(self.fields) - width) * [nowhere])
        key, address = chance_key(seed), columns.ctypes.data

        def play(begin: int, end: int) -> int:
            return int(self._run(memory, table, *key, begin, end, address))

        for matches in self._in_chunks(watch, table, memory, first, count, play):
            yield matches, table
            if apart:
                columns[:, 0] += matches * columns[:, 1]


class CountCode(RunCode):
    """A game compiled to play many matches at once with counts.

    brief: count only what `simulate` prints.
    """

    def __init__(self, game: Playable, brief: bool = False) -> None:
        self.form = Form.BRIEF if brief else Form.COUNTED
        super().__init__(game)
        facts = self.facts
        self.plan = CountPlan(
            self.setting.teams,
            facts.decisions,
            facts.reasons,
            facts.counters,
            self.setting.players,
            facts.bets,
            facts.tricks,
            brief,
        )
        self.room = room_for_counts(self.plan)

    @staticmethod
    def is_kept(game: Playable) -> bool:
        """Tell whether the machine code of a game with all counts is in the cache."""
        return read_code(code_key(game, Form.COUNTED)) is not None

    def count_chunks(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        first: int,
        count: int,
        into: Rows | None = None,
    ) -> Generator[int, None, Counts]:
        """Yield the numbers of new matches, chunk by chunk; return the counts of all.

        into: rows to be filled as by `fill`. Sums are exact as long as those of `2 * MOST_RECORDS`
              matches stay below 2**63.
        Raises as `rows` does.
        """
        at, size = self._at_watch + WATCH_ROOM, self.plan.size
        total, numbers, since = None, np.zeros(size, np.int64), 0
        apart, rows = into is not None, self._room(count) if into is None else into
        for matches, table in self._chunks(seating, seed, first, count, rows, apart):
            if since == 0:
                numbers = np.ctypeslib.as_array(table)[at : at + size].view(np.int64)
            since += matches
            yield matches
            if since >= MOST_RECORDS:
                part = Counts(self.plan, tuple(numbers.tolist()))
                total = part if total is None else total + part
                numbers[:] = since = 0
        rest = Counts(self.plan, tuple(numbers.tolist()))
        return rest if total is None else total + rest

    def count(self, seating: Sequence[SeatedPlayer], seed: int, first: int, count: int) -> Counts:
        """Return the counts of matches; raises as `rows` does."""
        match_counts = self.count_chunks(seating, seed, first, count)
        while True:
            try:
                next(match_counts)
            except StopIteration as over:
                counts: Counts = over.value
                return counts
