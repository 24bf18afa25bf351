"""A worker process: plays the chunks that its supervisor sends, watched by a move clock.

A known-answer test shows whether strategies in Python have left the interpreter intact.
"""

from __future__ import annotations

import base64
import builtins
import json
import logging
import os
import pickle
import resource
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from operator import lt
from posix import _exit  # `os._exit` may be replaced
from typing import Any, NoReturn

from trutdsl.child_processes import end_with_parent
from trutdsl.diagnostics import BadUsage, Error, Rejected
from trutdsl.game import Action, View
from trutdsl.strategy.bots import BotSpec, end_bots
from trutdsl.strategy.load import Spec
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.strategy.spec import PersonSpec, StrategySpec, person, watch_calls
from trutdsl.tournaments.move_clock import Board, MoveClock
from trutdsl.tournaments.play import CountSets, Fault, MatchIndex, count_faults, play_sets
from trutdsl.tournaments.processes import LOGGER, STOPPING, write_out_log
from trutdsl.tournaments.schedule import Chunk, Experiment


@dataclass(frozen=True)
class Task:
    """The task of a worker.

    count:        counts the sets of a chunk; a function at the top of a module.
    move_timeout: seconds of processor time for one call of a strategy, and the same of waiting.
    log_by_pipe:  the supervisor writes the worker's log.
    """

    experiment: Experiment
    count: CountSets
    move_timeout: float = 10.0
    log_by_pipe: bool = False


Send = Callable[[dict[str, Any]], None]
Begin = Callable[[MatchIndex], None]


def _answer(task: Task, begin: Begin, order: dict[str, Any], send: Send) -> dict[str, Any]:
    """Play a chunk and return its counts as JSON, or an error of the rules or of the metric.

    It sends each fault at once. If the process ends later, that match is not played again.
    """

    def tell(fault: Fault) -> None:
        send({"fault": [fault.place, fault.seat, fault.kind, fault.message, fault.calls]})

    start, chunk = time.perf_counter(), Chunk(*order["chunk"])
    known = [Fault(MatchIndex(*place), *rest) for place, *rest in order["known"]]
    try:
        early = order["suspect"] and order["suspect"][1]
        sets, faults = play_sets(task.experiment, chunk, begin, known, tell, early)
        counts = task.count(task.experiment, sets)
    except (Rejected, BadUsage) as problem:
        return _show_error(problem)
    record = {"counts": counts, "faults": count_faults(task.experiment, faults)}
    return {"chunk": chunk, "kept": record, "seconds": time.perf_counter() - start}


# The self-test of a worker: a small chunk between strategies of the program's own. A worker makes
# it before it reports a chunk or a fault. If it fails, a strategy in Python has damaged the
# interpreter: the process ends, and the chunk is played again in parts. If a set remains, the match
# in which the worker was lost is suspect. A new worker plays the suspect match first, with a test
# after each call of a strategy, and then the others, with a test after each match. The board names
# a strategy only if no code of others ran in the worker before.

DAMAGED = 70  # exit code


def _make_test(task: Task, send: Send) -> SelfTest | None:
    """Return the self-test of a task; None if all its strategies are without code."""
    whole = task.experiment
    if not any(map(runs_here, whole.strategies)):
        return None
    few, play, alone = stand_ins(), deepcopy(whole.play), (0,) * whole.game.team_count
    part = replace(whole, strategies=few, play=play, partners=(), meetings=(alone, (*alone[1:], 1)))

    def play_chunk() -> str:
        order = json.loads('{"chunk": [1, 1], "known": [], "suspect": null}')
        said: list[dict[str, Any]] = []
        answer = _answer(replace(task, experiment=part), lambda _: None, order, said.append)
        send({"tested": True})
        return json.dumps([said, answer.get("kept")])

    return SelfTest(play_chunk)


class WorkerClock(MoveClock):
    """The move clock of a worker, which also makes its self-test."""

    def __init__(self, board: Board, task: Task, pipe: socket.socket) -> None:
        super().__init__(board, task.move_timeout, pipe.fileno())
        self.test: SelfTest | None = None
        self._suspect: MatchIndex | None = None
        self._begun, self._each_call = board.beat, False
        # Of each leg the strategies in Python, and the seat of one that is alone.
        self._legs: list[tuple[frozenset[str], int | None]] = []
        for line_up in task.experiment.legs:
            specs = [task.experiment.strategies[number] for number in line_up]
            seats = {spec.name: seat for seat, spec in enumerate(specs) if runs_here(spec)}
            seat = next(iter(seats.values())) if len(seats) == 1 else None
            self._legs.append((frozenset(seats), seat))
        self._here: tuple[frozenset[str], int | None] = (frozenset(), None)
        self._ran: frozenset[str] = frozenset()  # strategies in Python since the start

    def suspect(self, place: Sequence[int] | None) -> None:
        """Begin a chunk; place: its match that has lost a worker, if any."""
        self._suspect = None if place is None else MatchIndex(*place)
        self._begun = self._board.beat

    def begin(self, place: MatchIndex) -> None:
        """Begin a match, or several; test the one before in a suspect set."""
        if self._suspect is not None and self._board.beat != self._begun:
            self.check()
        self._here, self._each_call = self._legs[place.leg], place == self._suspect
        self._ran |= self._here[0]
        self._board.begin(place)
        self._begun = self._board.beat

    def leave(self) -> None:
        if self._each_call and self.test is not None:
            self._board.enter(self._board.seat or 0)  # the test has time of its own
            if not self.test.passes():
                if not self._ran <= self._here[0]:  # others may have done it
                    self._board.leave()
                _exit(DAMAGED)
        super().leave()

    def check(self) -> None:
        """End the process if a strategy has damaged it; the board names one that is alone."""
        if self.test is None or self.test.passes():
            return
        names, seat = self._here
        if self._suspect is not None and seat is not None and self._ran <= names:
            self._board.enter(seat)
        _exit(DAMAGED)


def _show_error(error: Error) -> dict[str, Any]:
    return {"rejected": base64.b64encode(pickle.dumps(error)).decode()}


def work(packed_task: Task | bytes, board: Board, pipe: socket.socket) -> NoReturn:
    """Play chunks until the pipe is closed; the target of a worker's process.

    packed_task: is pickled, if the process is not a fork. If that fails, because a file that it
    names has changed, the answer to each chunk is this error.
    The log contains any unexpected error, such as after a strategy has damaged the interpreter.
    """
    try:
        _ignore_signals()
        try:
            task = pickle.loads(packed_task) if isinstance(packed_task, bytes) else packed_task
        except Error as problem:
            with pipe.makefile("rb") as orders:
                for _ in orders:
                    _send(pipe, _show_error(problem))
        else:
            _work(task, WorkerClock(board, task, pipe), pipe)
    except:  # noqa: E722 - a damaged interpreter may not even know the names of exceptions
        try:  # noqa: SIM105 - `suppress` may be damaged, too
            _send(pipe, {"log": [logging.ERROR, os.getpid(), traceback.format_exc()]})
        except:  # noqa: E722
            pass
        _exit(1)
    _exit(0)  # ignore threads and exit handlers of strategies


def _ignore_signals() -> None:
    """Let the parent decide about signals, which may reach every process, and end with it."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    end_with_parent()


def _work(task: Task, clock: WorkerClock, pipe: socket.socket) -> None:
    sys.stdout = sys.stderr  # strategies' output is not the run's result
    if task.log_by_pipe:
        LOGGER.handlers = [_PipeLog(pipe)]
        LOGGER.setLevel(logging.INFO)
    send = partial(_send, pipe)
    clock.test = _make_test(task, send)
    watch_calls(clock)
    clock.start()

    def send_intact(message: dict[str, Any]) -> None:
        clock.check()
        send(message)

    with pipe.makefile("rb") as orders:
        for line in orders:
            start, order = time.perf_counter(), json.loads(line)
            clock.suspect(order["suspect"])
            answer = _answer(task, clock.begin, order, send_intact)
            with suppress(Exception):  # no result depends on the log
                first, sets = order["chunk"]
                seconds = time.perf_counter() - start
                LOGGER.info("sets %d to %d in %.2f s", first, first + sets - 1, seconds)
            send_intact(answer)
    write_out_log()
    end_bots()


def _send(pipe: socket.socket, message: dict[str, Any]) -> None:
    pipe.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")


class _PipeLog(logging.Handler):
    """Sends lines of the log to the supervisor."""

    def __init__(self, pipe: socket.socket) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        _send(self._pipe, {"log": [record.levelno, record.process, record.getMessage()]})


def runs_here(spec: Spec) -> bool:
    """Tell whether a strategy is code that runs in the playing process."""
    return isinstance(spec, StrategySpec) and not isinstance(
        spec, SolvedSpec | PersonSpec | BotSpec
    )


class _Uniform:
    """A strategy of the program's own, which the test plays as if it were a stranger's."""

    def choose(self, view: View) -> Action:
        return view.actions[view.random.below(len(view.actions))]


class _Failing:
    """One that fails, because the program does other work then."""

    def choose(self, _view: View) -> Action:
        raise ValueError


def stand_ins() -> tuple[PersonSpec, PersonSpec]:
    """Return two strategies that play as those in Python do; the second one fails."""
    return person("stand-in", _Uniform()), person("failing", _Failing())


LIMITS = [kind for name, kind in vars(resource).items() if name.startswith("RLIMIT_")]


def _limits() -> list[float]:
    """Return what this process may use of each resource."""
    limits = (resource.getrlimit(kind)[0] for kind in LIMITS if kind != resource.RLIMIT_CORE)
    return [inf if limit == resource.RLIM_INFINITY else limit for limit in limits]


class SelfTest:
    """Repeats some work of the program, whose result it knows from the time before.

    The test fails also if a built-in function or a module that was loaded then is replaced, or if
    a limit of the process is lowered.
    """

    def __init__(self, task: Callable[[], object]) -> None:
        self._task, self._answer = task, task()
        self._names = [(space, {**space}) for space in (vars(builtins), sys.modules)]
        self._limits = _limits()

    def passes(self) -> bool:
        """Return whether the result is still the same; nothing that strategies do can raise."""
        watcher = watch_calls(None)
        try:
            for space, before in self._names:
                for name in before:
                    if space[name] is not before[name]:
                        return False
            lowered = any(map(lt, _limits(), self._limits))
            return not lowered and self._task() == self._answer
        except:  # noqa: E722 - a damaged interpreter may not even know the names of exceptions
            return False
        finally:
            watch_calls(watcher)
