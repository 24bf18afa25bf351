"""The supervisor: plays chunks in worker processes, and replaces a worker that is lost."""

from __future__ import annotations

import base64
import pickle
import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from typing import Any, Protocol, TypeAlias

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.errors import RunFailed
from trutdsl.arena.log import LOGGER
from trutdsl.arena.play import Fault, MatchIndex
from trutdsl.arena.worker import Task
from trutdsl.arena.worker_handle import MOST_WAIT, Gone, WorkerHandle
from trutdsl.diagnostics import Rejected

# An executor: whatever plays chunks, and what comes back from it.


@dataclass(frozen=True)
class FinishedChunk:
    """A chunk that was played.

    kept:    what is kept of it, as JSON has it: `counts` and `faults`.
    faults:  of its matches, in order of play.
    seconds: how long it took.
    """

    chunk: Chunk
    kept: dict[str, Any]
    faults: tuple[Fault, ...]
    seconds: float


@dataclass(frozen=True)
class LeftAside:
    """A chunk that cannot be played: why, and in which match, if that is known."""

    chunk: Chunk
    place: MatchIndex | None
    why: str


@dataclass(frozen=True)
class FailedChunk:
    """A chunk in which the rules of the variant lead to something impossible."""

    chunk: Chunk
    error: Rejected


Result: TypeAlias = FinishedChunk | LeftAside | FailedChunk


class Executor(Protocol):
    """Plays chunks somewhere, several at once; each comes out whole or in parts, in any order."""

    @property
    def room(self) -> int:
        """How many chunks can be submitted at once."""

    @property
    def busy(self) -> bool:
        """Whether chunks are under way."""

    def submit(self, chunk: Chunk) -> None:
        """Have a chunk played."""

    def gather(self, seconds: float) -> list[Result]:
        """Wait until something is finished, at most so long, and return what is."""

    def end(self) -> None:
        """Give up whatever is under way, at once."""


EARLIEST = 4.0  # seconds after which it can be told


LOOK = 0.1  # seconds between two looks at whether everybody does something
MOST_LOGGED = 20  # faults of one kind
MOST_LOST = 3  # workers in one match


class Supervisor:
    """Plays chunks on at most `jobs` worker processes, which it starts and ends.

    One is started for a chunk for which none is free, so that there are never more than chunks.
    """

    def __init__(self, task: Task, jobs: int, context: BaseContext) -> None:
        self._task, self._jobs, self._context = task, jobs, context
        self._again: deque[Chunk] = deque()
        self._lost: Counter[tuple[MatchIndex | None, int | None]] = Counter()
        self._faults: dict[MatchIndex, Fault] = {}  # of chunks that are not finished yet
        self._logged: Counter[tuple[int, str]] = Counter()
        self._started_in_vain = 0
        self._looked = time.monotonic()
        self._workers: list[WorkerHandle] = []

    @property
    def room(self) -> int:
        """How many chunks can be submitted at once."""
        busy = sum(w.chunk is not None for w in self._workers)
        return max(0, self._jobs - busy - len(self._again))

    @property
    def busy(self) -> bool:
        return bool(self._again) or any(w.chunk is not None for w in self._workers)

    def submit(self, chunk: Chunk) -> None:
        """Have a chunk played; it comes out of `gather`, whole or in parts."""
        self._again.append(chunk)
        self._hand_out()

    def gather(self, seconds: float) -> list[Result]:
        """Wait until something is finished, at most so long, and return what is.

        Raises `RunFailed` if workers cannot be started.
        """
        ready = set(wait([w for c in self._workers for w in c.waitable], min(seconds, LOOK)))
        found: list[Result] = []
        now = time.monotonic()
        # A supervisor that was itself stopped for a while has not looked in the meantime.
        elapsed, self._looked = min(now - self._looked, 2 * LOOK), now
        for worker in list(self._workers):
            try:
                if ready.intersection(worker.waitable):
                    for message in worker.read():
                        found += self._take(worker, message)
                worker.look(elapsed)
            except Gone as gone:
                found += self._replace(worker, gone)
        self._hand_out()
        return found

    def end(self) -> None:
        """End all workers within a moment, whatever they do."""
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end(patience=MOST_WAIT)
        self._workers = []

    def _hand_out(self) -> None:
        free = [worker for worker in self._workers if worker.chunk is None]
        while self._again and (free or len(self._workers) < self._jobs):
            if not free:
                free.append(WorkerHandle(self._task, self._context))
                self._workers.append(free[0])
            worker, chunk = free.pop(0), self._again.popleft()
            known = [f for p, f in self._faults.items() if p.match in chunk.range]
            try:
                worker.send(chunk, known)
            except Gone as gone:
                self._replace(worker, gone)

    def _take(self, worker: WorkerHandle, message: dict[str, Any]) -> list[Result]:
        chunk = worker.chunk
        match message:
            case {"log": [int(level), int(process), str(text)]}:
                record = LOGGER.makeRecord(LOGGER.name, level, "", 0, text, (), None)
                record.process = process
                LOGGER.handle(record)
                return []
            case {"rejected": str(text)} if chunk is not None:
                worker.chunk = None  # it has our rights anyway, so that what it sends can be loaded
                return [FailedChunk(chunk, pickle.loads(base64.b64decode(text)))]
            case {"fault": [[int(match), int(leg)], int(seat), str(kind), str(said), list(calls)]}:
                place = MatchIndex(match, leg)
                self._note(Fault(place, seat, kind, said), calls)
                return []
            case {"chunk": [first, sets], "kept": dict(kept), "seconds": float(seconds)}:
                if chunk is not None and [*chunk] == [first, sets]:
                    self._started_in_vain, worker.chunk = 0, None
                    places = [place for place in sorted(self._faults) if place.match in chunk.range]
                    faults = tuple(self._faults.pop(place) for place in places)
                    return [FinishedChunk(chunk, kept, faults, seconds)]
        raise Gone("sends what it was not asked for")

    def _note(self, fault: Fault, calls: Iterable[str] = ()) -> None:
        """Remember a fault until its chunk is finished, and log it if there are not many such."""
        self._faults[fault.place] = fault
        strategy = self._task.experiment.legs[fault.place.leg][fault.seat]
        self._logged[strategy, fault.kind] += 1
        if self._logged[strategy, fault.kind] <= MOST_LOGGED:
            LOGGER.warning("%s", "\n".join((fault.said, *calls)))

    def _replace(self, worker: WorkerHandle, why: Gone) -> list[Result]:
        """Put another one in a lost worker's place and see to what it was playing."""
        worker.end()
        place, seat, chunk = worker.board.place, worker.board.seat, worker.chunk
        LOGGER.warning("worker %s %s; it is replaced", worker.process.pid, why)
        self._started_in_vain += 1
        if place is not None:
            self._started_in_vain = 0
        elif self._started_in_vain > MOST_LOST * self._jobs:
            raise RunFailed(f"the worker processes cannot be started: the last one {why}")
        self._workers[self._workers.index(worker)] = WorkerHandle(self._task, self._context)
        if chunk is None:
            return []
        alone = not worker.board.together
        self._lost[place, seat] += alone
        again = alone and self._lost[place, seat] >= MOST_LOST
        if place is not None and seat is not None and alone and (why.own or again):
            self._note(Fault(place, seat, why.kind, f"a worker {why}"))
        elif chunk.sets == 1 and place is not None and again:
            return [LeftAside(chunk, place, str(why))]
        half = chunk.sets // 2
        parts = [Chunk(chunk.first, half), Chunk(chunk.first + half, chunk.sets - half)]
        self._again.extendleft(part for part in reversed(parts) if part.sets)
        return []
