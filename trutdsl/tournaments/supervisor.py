"""The supervisor: plays chunks in worker processes, and replaces lost workers."""

from __future__ import annotations

import base64
import json
import pickle
import signal
import socket
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from typing import Any, NoReturn, Protocol, TypeAlias
from weakref import WeakSet

from trutdsl.diagnostics import Error, Failure
from trutdsl.language import mark, say
from trutdsl.strategy.spec import DAMAGE, PROCESS_END, OutOfTime
from trutdsl.tournaments.move_clock import LATER, LATER_BY, Board
from trutdsl.tournaments.play import Fault, MatchIndex
from trutdsl.tournaments.processes import LOGGER, look_at
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.worker import DAMAGED, Task, work

MOST_WAIT = 0.5  # seconds to wait until a process ends that has closed its pipe
MOST_BYTES = 100_000_000  # of one message
ASLEEP, STOPPED = "SI", "Tt"  # states of a process, proc(5)
LONGEST_STOP = 1.0  # seconds
LONGEST_SILENCE = 10.0  # seconds without activity during a chunk
AWAKE = 0.1  # share of processor time; a process that uses less only runs its move clock

# Signals that a process causes itself; others may come from outside.
OWN_SIGNALS = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS")


class WorkerLost(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A worker is lost; the message says why, in English for `run.log`.

    own:    whether only the code in this worker can be the cause.
    kind:   the kind of fault if a strategy is the cause.
    values: in the places of the message.
    """

    def __init__(
        self, why: str, own: bool = False, kind: str = PROCESS_END, **values: object
    ) -> None:
        super().__init__(why.format(**values))
        self.own, self.kind = own, kind
        self._why, self._values = why, values

    def tell(self) -> str:
        """Return the message in the current language."""
        values = {
            name: value.tell() if isinstance(value, WorkerLost) else say(str(value))
            for name, value in self._values.items()
        }
        return say(self._why, **values)


_pipes: WeakSet[socket.socket] = WeakSet()  # to all workers of this process


def _work_alone(packed_task: Task | bytes, board: Board, pipe: socket.socket) -> NoReturn:
    """Work as `work` does, without the copies of pipes that a fork makes for strategies to find."""
    for inherited in list(_pipes):
        inherited.close()
    work(packed_task, board, pipe)


def _kill(process: BaseProcess) -> None:
    if process.pid is not None:  # it was started
        process.kill()


class WorkerHandle:
    """A worker process; `chunk` is its current chunk, `used` tells whether it ever had one."""

    def __init__(self, task: Task, context: BaseContext) -> None:
        self.chunk: Chunk | None = None
        self.used = False
        self.board = Board(context)
        self._limit = LATER * task.move_timeout + LATER_BY
        self._pipe, theirs = socket.socketpair()
        self._unread = b""
        self._beat = -1
        self._cpu_seconds = self._spent = self._idle = self._stopped = 0.0
        _pipes.add(self._pipe)
        make: Any = context.Process  # type: ignore[attr-defined]
        forked = context.get_start_method() == "fork"
        args = task if forked else pickle.dumps(task), self.board, theirs
        self.process: BaseProcess = make(target=_work_alone, args=args, daemon=True)
        # A second Ctrl-C can leave a worker that waits. At exit its parent would wait for it, too.
        Finalize(self, _kill, (self.process,), exitpriority=1)
        with theirs, warnings.catch_warnings():
            # Python 3.12 warns of any fork while a thread runs. The only thread here writes
            # run.log; it holds no lock that a worker needs (logging resets its locks after a fork).
            warnings.filterwarnings(
                "ignore", "This process .* is multi-threaded", DeprecationWarning
            )
            self.process.start()
        self._pipe.setblocking(False)

    @property
    def waitable(self) -> tuple[socket.socket, int]:
        """The objects that become ready when a message arrives or the process ends."""
        return self._pipe, self.process.sentinel

    def send(self, chunk: Chunk, known: Iterable[Fault], suspect: MatchIndex | None = None) -> None:
        """Send a chunk to play; raises `WorkerLost` if the worker does not accept it.

        known: faults whose matches are not played again. suspect: a match that has lost a worker.
        """
        faults = [[f.place, f.seat, f.kind, f.message] for f in known]
        self.chunk, self._beat, self.used = chunk, -1, True
        self.board.clear()  # the position is still that of the previous chunk
        try:
            order = {"chunk": chunk, "known": faults, "suspect": suspect}
            self._pipe.sendall(json.dumps(order).encode() + b"\n")
        except OSError as problem:
            why, ending = mark("takes no orders ({problem}); it {ending}"), self._ending()
            raise WorkerLost(why, problem=problem.strerror, ending=ending) from None

    def read(self) -> list[dict[str, Any]]:
        """Return the messages so far, without waiting; raises `WorkerLost` after the last one."""
        messages: list[dict[str, Any]] = []
        try:
            while True:
                data = self._pipe.recv(1 << 20)
                if not data:
                    break
                *lines, self._unread = (self._unread + data).split(b"\n")
                messages += [_parse(line) for line in lines]
                if len(self._unread) > MOST_BYTES:
                    raise WorkerLost(mark("sends no end of a message"))
        except BlockingIOError:
            return messages
        except OSError:
            pass
        if messages:
            return messages  # the next call finds the end again
        raise self._ending()

    def look(self, elapsed: float) -> None:
        """Raise `WorkerLost` if the worker is inactive during a chunk.

        elapsed: seconds since the last call.
        """
        vitals = look_at(self.process.pid or 0)
        if self.chunk is None or vitals is None:
            return
        cpu_seconds = vitals.cpu_seconds - self._cpu_seconds
        self._cpu_seconds = vitals.cpu_seconds
        if self.board.beat != self._beat:
            self._beat = self.board.beat
            self._spent = self._idle = 0.0
        self._spent += cpu_seconds
        # Processor time reduces the idle time only gradually. Even in an idle worker the move clock
        # sometimes uses 0.01 seconds.
        asleep = not cpu_seconds and vitals.state in ASLEEP
        self._idle = max(0.0, self._idle + elapsed if asleep else self._idle - cpu_seconds / AWAKE)
        self._stopped = self._stopped + elapsed if vitals.state in STOPPED else 0.0
        if self._stopped > LONGEST_STOP:
            raise WorkerLost(mark("was stopped"))
        if self.board.seat is None:
            if self._idle > LONGEST_SILENCE:
                raise WorkerLost(mark("stands still"))
        elif max(self._spent, self._idle) > self._limit:
            raise WorkerLost(mark("is held up"), own=True, kind=OutOfTime.kind)

    def dismiss(self) -> None:
        """Ask an idle worker to write its log and end; kill a busy one."""
        if self.chunk is not None:
            self.process.kill()
            return
        with suppress(OSError):
            self._pipe.shutdown(socket.SHUT_WR)

    def end(self, patience: float = 0.0) -> None:
        """Wait at most this many seconds until the process ends, then kill it."""
        self.process.join(patience)
        self.process.kill()
        self.process.join()
        self._pipe.close()

    def _ending(self) -> WorkerLost:
        self.process.join(MOST_WAIT)
        code = self.process.exitcode
        if code is None:
            return WorkerLost(mark("has closed its pipe"), own=True)
        if code == DAMAGED:
            return WorkerLost(mark("has a damaged interpreter"), own=True, kind=DAMAGE)
        if code >= 0:
            return WorkerLost(mark("ended with exit code {code}"), own=True, code=code)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return WorkerLost(mark("was ended by {name}"), name in OWN_SIGNALS, name=name)


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise WorkerLost(mark("sends something that is not a message"))
    return message


@dataclass(frozen=True)
class FinishedChunk:
    """A finished chunk.

    entry:   its entry in the journal: `counts` and `faults`.
    faults:  the faults of its matches, in order of play.
    seconds: its duration.
    """

    chunk: Chunk
    entry: dict[str, Any]
    faults: tuple[Fault, ...]
    seconds: float


@dataclass(frozen=True)
class SkippedChunk:
    """A chunk that cannot be played: the reason, and the match if it is known."""

    chunk: Chunk
    place: MatchIndex | None
    why: str


@dataclass(frozen=True)
class FailedChunk:
    """A chunk that cannot be played: its rules reach an impossible state, or a file has changed."""

    chunk: Chunk
    error: Error


Result: TypeAlias = FinishedChunk | SkippedChunk | FailedChunk


class Executor(Protocol):
    """Plays several chunks at once; it returns each whole or in parts, in any order."""

    @property
    def room(self) -> int:
        """How many more chunks can be submitted."""

    @property
    def busy(self) -> bool:
        """Whether chunks are in progress."""

    def submit(self, chunk: Chunk) -> None:
        """Start to play a chunk."""

    def gather(self, seconds: float) -> list[Result]:
        """Return new results; wait for the first one at most this long."""

    def end(self) -> None:
        """Stop all chunks at once."""


LOOK = 0.1  # seconds between two checks of the workers' activity
MOST_LOGGED = 20  # logged faults of one kind
MOST_LOST = 3  # lost workers in one match
MOST_MESSAGES = 3  # lost workers of which the user is told


class Supervisor:
    """Plays chunks on at most `jobs` worker processes, which it starts and ends.

    It starts a worker only if a chunk waits and no worker is free.
    tell: receives a message for the user for each of the first lost workers.
    """

    def __init__(
        self,
        task: Task,
        jobs: int,
        context: BaseContext,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._task, self._jobs, self._context, self._tell = task, jobs, context, tell
        self._message_count = 0
        self._retries: deque[Chunk] = deque()
        self._losses: Counter[tuple[MatchIndex | None, int | None]] = Counter()
        self._faults: dict[MatchIndex, Fault] = {}  # of unfinished chunks
        self._logged: Counter[tuple[int, str]] = Counter()
        self._started_in_vain = 0
        self._looked = time.monotonic()
        self._workers: list[WorkerHandle] = []

    @property
    def room(self) -> int:
        busy = sum(w.chunk is not None for w in self._workers)
        return max(0, self._jobs - busy - len(self._retries))

    @property
    def busy(self) -> bool:
        return bool(self._retries) or any(w.chunk is not None for w in self._workers)

    def submit(self, chunk: Chunk) -> None:
        self._retries.append(chunk)
        self._hand_out()

    def gather(self, seconds: float) -> list[Result]:
        """Return new results; raises `Failure` if workers cannot be started."""
        ready = set(wait([w for c in self._workers for w in c.waitable], min(seconds, LOOK)))
        result: list[Result] = []
        time_now = time.monotonic()
        # If the supervisor itself was stopped, that time must not count.
        elapsed, self._looked = min(time_now - self._looked, 2 * LOOK), time_now
        for worker in list(self._workers):
            try:
                if ready.intersection(worker.waitable):
                    for message in worker.read():
                        result += self._take(worker, message)
                worker.look(elapsed)
            except WorkerLost as gone:
                result += self._replace(worker, gone)
        self._hand_out()
        return result

    def end(self) -> None:
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end(patience=MOST_WAIT)
        self._workers = []

    def _hand_out(self) -> None:
        free = [worker for worker in self._workers if worker.chunk is None]
        while self._retries and (free or len(self._workers) < self._jobs):
            if not free:
                free.append(WorkerHandle(self._task, self._context))
                self._workers.append(free[0])
            worker, chunk = free.pop(0), self._retries.popleft()
            suspect = self._suspect(chunk)
            if suspect is not None and worker.used:  # code of other strategies may have run there
                worker.dismiss()
                worker.end(patience=MOST_WAIT)
                worker = self._renew(worker)
            known = [f for p, f in self._faults.items() if p.match in chunk.range]
            try:
                worker.send(chunk, known, suspect)
            except WorkerLost as gone:
                self._replace(worker, gone)

    def _suspect(self, chunk: Chunk) -> MatchIndex | None:
        """Return the last match of a single set that lost a worker while no strategy's code ran."""
        places = [place for place, seat in self._losses if place is not None and seat is None]
        return next(
            (p for p in reversed(places) if chunk.sets == 1 and p.match in chunk.range), None
        )

    def _take(self, worker: WorkerHandle, message: dict[str, Any]) -> list[Result]:
        chunk = worker.chunk
        match message:
            case {"log": [int(level), int(process), str(text)]}:
                record = LOGGER.makeRecord(LOGGER.name, level, "", 0, text, (), None)
                record.process = process
                LOGGER.handle(record)
                return []
            case {"tested": True}:
                return []
            case {"rejected": str(text)} if chunk is not None:
                worker.chunk = None  # workers have our permissions, so pickle adds no risk
                return [FailedChunk(chunk, pickle.loads(base64.b64decode(text)))]
            case {"fault": [[int(match), int(leg)], int(seat), str(kind), str(said), list(calls)]}:
                place = MatchIndex(match, leg)
                self._note(Fault(place, seat, kind, said), calls)
                return []
            case {"chunk": [first, sets], "kept": dict(entry), "seconds": float(seconds)}:
                if chunk is not None and [*chunk] == [first, sets]:
                    self._started_in_vain, worker.chunk = 0, None
                    places = [place for place in sorted(self._faults) if place.match in chunk.range]
                    faults = tuple(self._faults.pop(place) for place in places)
                    return [FinishedChunk(chunk, entry, faults, seconds)]
        raise WorkerLost(mark("sends what it was not asked for"))

    def _note(self, fault: Fault, calls: Iterable[str] = ()) -> None:
        """Keep a fault until its chunk is finished, and log the first ones of each kind."""
        self._faults[fault.place] = fault
        strategy = self._strategy_at(fault.place, fault.seat)
        self._logged[strategy, fault.kind] += 1
        if self._logged[strategy, fault.kind] <= MOST_LOGGED:
            LOGGER.warning("%s", "\n".join((fault.message, *calls)))

    def _strategy_at(self, place: MatchIndex, seat: int) -> int:
        return self._task.experiment.legs[place.leg][seat]

    def _replace(self, worker: WorkerHandle, why: WorkerLost) -> list[Result]:
        """Replace a lost worker, and play its chunk again in parts."""
        worker.end()
        place, seat, chunk = worker.board.place, worker.board.seat, worker.chunk
        LOGGER.warning("worker %s %s; it is replaced", worker.process.pid, why)
        self._started_in_vain += 1
        if place is not None:
            self._started_in_vain = 0
        elif self._started_in_vain > MOST_LOST * self._jobs:
            text = "the worker processes cannot be started: the last one {why}"
            raise Failure(say(text, why=why.tell()))
        self._tell_lost(worker, why)
        self._renew(worker)
        if chunk is None:
            return []
        alone = not worker.board.together
        self._losses[place, seat] = self._losses.pop((place, seat), 0) + alone  # now the last one
        again = alone and self._losses[place, seat] >= MOST_LOST
        if place is not None and seat is not None and alone and (why.own or again):
            strategy = self._task.experiment.strategies[self._strategy_at(place, seat)]
            text = "strategy '{name}' failed: its worker {why}"
            message = say(text, name=strategy.name, why=why.tell())
            self._note(Fault(place, seat, why.kind, message))
        elif chunk.sets == 1 and place is not None and again:
            return [SkippedChunk(chunk, place, why.tell())]
        half = chunk.sets // 2
        parts = [Chunk(chunk.first, half), Chunk(chunk.first + half, chunk.sets - half)]
        self._retries.extendleft(part for part in reversed(parts) if part.sets)
        return []

    def _renew(self, worker: WorkerHandle) -> WorkerHandle:
        """Start a worker in place of one that has ended."""
        result = WorkerHandle(self._task, self._context)
        self._workers[self._workers.index(worker)] = result
        return result

    def _tell_lost(self, worker: WorkerHandle, why: WorkerLost) -> None:
        if self._message_count == MOST_MESSAGES:
            return
        self._message_count += 1
        text = "worker {process} {why}; it is replaced"
        if self._message_count == MOST_MESSAGES:
            text = "worker {process} {why}; it is replaced, and more of them only in the log"
        self._tell(say(text, process=worker.process.pid, why=why.tell()))
