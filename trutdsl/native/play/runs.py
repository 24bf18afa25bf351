"""Many matches in machine code, noted one by one or counted."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trutdsl.native.abi import (
    CALL,
    FAULT,
    FUNCTION,
    KEY,
    LEFT,
    MOST_RECORDS,
    OFTEN,
    WATCH_ROOM,
    Form,
    counted_room,
    record_fields,
)
from trutdsl.native.jit import POINTER, U64, MachineCode, Playable, code_key, read_code
from trutdsl.native.play import MatchMemory, fault_of, mistake_in
from trutdsl.streams import chance_key, strategy_key
from trutdsl.table import SeatedPlayer
from trutdsl.table.counts import CountPlan, Counts, Rows

# Interrupts: what is raised while machine code runs, kept until it has been left.

SELDOM = 64 * OFTEN  # most steps between two looks
WATCH_PAUSE = 0.005  # seconds that should lie between two looks
LOOK = ctypes.CFUNCTYPE(ctypes.c_int64)


class Watch:
    """Looks whether play shall go on.

    raised: what was raised while machine code ran, and is still to be raised outside of it.
    call:   what machine code calls; how many steps to the next look, or 0 if it has to stop.
    """

    def __init__(self) -> None:
        self.raised: list[BaseException] = []
        looks = self._look()
        next(looks)
        # A generator goes on inside its `try`. A function could be left by Ctrl-C before it comes
        # to its own, and what is raised would be lost on the way through machine code.
        self.call = LOOK(looks.__next__)

    def _look(self) -> Iterator[int]:
        steps, last = OFTEN, time.perf_counter()
        try:
            while True:
                yield 0 if self.raised else steps
                before, last = last, time.perf_counter()
                steps = min(2 * steps, SELDOM) if last - before < WATCH_PAUSE else OFTEN
        except GeneratorExit:
            raise
        except BaseException as e:
            self.raised.append(e)
        yield 0

    @property
    def address(self) -> int:
        return ctypes.cast(self.call, ctypes.c_void_p).value or 0

    def raise_if_any(self) -> None:
        if self.raised:
            raise self.raised[0]


POLICY = ctypes.CFUNCTYPE(ctypes.c_int64, POINTER, POINTER, ctypes.c_int64)
RawPolicy = Callable[[int, int], int]
PAUSE = 0.1  # seconds between two such chances at the most, where matches are shorter
GROWTH = 4  # times as many matches as the time before, at the most


class _ManyMatches(MachineCode):
    """A game as machine code that plays whole matches."""

    @property
    def _at_watch(self) -> int:
        """How many numbers the seats' entries at the table are; the watch stands behind them."""
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

        room: numbers behind the watch.
        """
        table = (U64 * (self._at_watch + WATCH_ROOM + room))()
        table[self._at_watch + CALL], table[self._at_watch + LEFT] = watch.address, OFTEN
        for seat, (name, plays) in enumerate(seating):
            at = self.facts.entry * seat
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
        """Yield how many matches were played, some at a time.

        play: takes the first match and the one beyond the last; returns how many were played,
        fewer if the rules of the one at `memory`, or a script, lead to something impossible.
        """
        begin, end, most = first, first + count, 1
        while begin < end:
            many = min(most, end - begin)
            start = time.perf_counter()
            played = play(begin, begin + many)
            watch.raise_if_any()
            quick = GROWTH * (time.perf_counter() - start) < PAUSE
            yield played
            if played < many:
                self._raise_fault(table)
                match = MatchMemory(memory, self.whole, self.program, self.setting)
                raise mistake_in(match, self.whole.mistakes)
            begin += many
            most = min(GROWTH * most, MOST_RECORDS) if quick else max(most // 2, 1)

    def _raise_fault(self, table: ctypes.Array[ctypes.c_uint64]) -> None:
        """Raise `PolicyError` for the first seat whose script made a mistake, if any did."""
        for seat in range(self.setting.players):
            place = self.facts.entry * seat + FAULT
            if self.facts.entry > FAULT and table[place]:
                raise fault_of(self.whole.mistakes[table[place] - 1], seat)


class RunCode(_ManyMatches):
    """A game compiled to play many matches at once.

    room: how many numbers lie behind the watch.
    """

    form, room = Form.MATCHES, 0

    def __init__(self, game: Playable) -> None:
        super().__init__(game, self.form)
        self.fields = record_fields(self.facts.counters, self.setting)
        self._run = self.function(
            "run_matches", ctypes.c_int64, POINTER, POINTER, U64, U64, U64, U64, POINTER
        )

    def run(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        first: int,
        count: int,
        policy: RawPolicy | None = None,
    ) -> Iterator[Record]:
        """Yield what came out of matches.

        policy: plays for all seats instead of their own; it gets the address of the match and how
        many actions are legal, and returns the index of one; what it raises comes out here, soon
        after.
        Raises `RuleError` at a match whose rules lead to something impossible, `PolicyError` at
        one in which a script does, `IndexError` for an index that is none.
        """
        teams, rows = self.setting.teams, self._room(count)
        for played, _ in self._chunks(seating, seed, first, count, rows, policy=policy):
            for winner, deals, decisions, *rest in rows.part(0, played).records().tolist():
                counters = {
                    name: tuple(rest[teams * i : teams * (i + 1)])
                    for i, name in enumerate(self.facts.counters)
                }
                yield Record(None if winner < 0 else winner, deals, decisions, counters)

    def rows(
        self, seating: Sequence[SeatedPlayer], seed: int, first: int, count: int
    ) -> Iterator[Rows]:
        """Yield the rows of matches, with all `fields`, some at a time, in the same arrays."""
        rows = self._room(count)
        for played, _ in self._chunks(seating, seed, first, count, rows):
            yield rows.part(0, played)

    def _room(self, count: int) -> Rows:
        """Return room for some of so many matches, as many as come at a time."""
        return Rows.empty(min(count, MOST_RECORDS), len(self.fields))

    def fill(
        self, seating: Sequence[SeatedPlayer], seed: int, first: int, rows: Rows
    ) -> Iterator[int]:
        """Write what is kept of matches into rows, as many as these are; yield how many more are.

        The columns' numbers are of the types that `Rows` says.
        """
        for played, _ in self._chunks(seating, seed, first, len(rows), rows, apart=True):
            yield played

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
        """Yield how many matches were played, some at a time, and the table, each time the same.

        apart: there are rows for all of them; else those of each time are the first ones.
        """
        watch = Watch()
        raised = watch.raised

        def answer(_seat: int, match: int, legal: int) -> int:
            try:
                index = policy(match, legal) if policy is not None and not raised else 0
                if 0 <= index < legal:
                    return index
                raised.append(IndexError(f"{index} is no index of {legal} actions"))
            except BaseException as e:  # Nothing may be raised through machine code.
                raised.append(e)
            return 0

        called = POLICY(answer) if policy is not None else None
        plays = ctypes.cast(called, POINTER).value if called else None
        table = self._table(seating, seed, plays, watch, self.room)
        memory = (ctypes.c_uint8 * self.facts.size)()
        spare = ctypes.c_int64()  # for what is not kept
        kept, nowhere = len(rows.columns), (ctypes.addressof(spare), 0)
        places = [nowhere if c is None else (c.ctypes.data, c.strides[0]) for c in rows.columns]
        columns = np.array(places + (len(self.fields) - kept) * [nowhere])
        key, written = chance_key(seed), columns.ctypes.data

        def play(begin: int, beyond: int) -> int:
            return int(self._run(memory, table, *key, begin, beyond, written))

        for played in self._in_chunks(watch, table, memory, first, count, play):
            yield played, table
            if apart:
                columns[:, 0] += played * columns[:, 1]


class CountCode(RunCode):
    """A game compiled to play many matches at once and to count what happens in them."""

    form = Form.COUNTED

    def __init__(self, game: Playable) -> None:
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
        )
        self.room = counted_room(self.plan)

    @classmethod
    def is_kept(cls, game: Playable) -> bool:
        """Tell whether the machine code of a game is kept from an earlier time."""
        return read_code(code_key(game, cls.form)) is not None

    def counted(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        first: int,
        count: int,
        into: Rows | None = None,
    ) -> Generator[int, None, Counts]:
        """Yield how many more matches were played, some at a time; return what is counted of all.

        into: rows to be filled as by `fill`. Sums are exact as long as those of `2 * MOST_RECORDS`
        matches stay below 2**63.
        Raises as `run` does.
        """
        at, size = self._at_watch + WATCH_ROOM, self.plan.size
        total, numbers, since = Counts.none(self.plan), np.zeros(size, np.int64), 0
        apart, rows = into is not None, self._room(count) if into is None else into
        for played, table in self._chunks(seating, seed, first, count, rows, apart):
            if since == 0:
                numbers = np.ctypeslib.as_array(table)[at : at + size].view(np.int64)
            since += played
            yield played
            if since >= MOST_RECORDS:
                total += Counts(self.plan, tuple(numbers.tolist()))
                numbers[:] = since = 0
        return total + Counts(self.plan, tuple(numbers.tolist()))

    def count(self, seating: Sequence[SeatedPlayer], seed: int, first: int, count: int) -> Counts:
        """Return what is counted over matches; raises as `run` does."""
        counted = self.counted(seating, seed, first, count)
        while True:
            try:
                next(counted)
            except StopIteration as over:
                counts: Counts = over.value
                return counts


@dataclass(frozen=True)
class Record:
    """What is kept of a match; winner is a team, or None for a draw."""

    winner: int | None
    deals: int
    decisions: int
    counters: dict[str, tuple[int, ...]]
