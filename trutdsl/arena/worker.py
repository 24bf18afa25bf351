"""A worker process: plays the chunks that its supervisor sends it, one after the other."""

from __future__ import annotations

import base64
import json
import logging
import os
import pickle
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.clocks import Board, MoveClock
from trutdsl.arena.log import LOGGER, write_out_log
from trutdsl.arena.play import CountSets, Fault, MatchIndex, count_faults, play_sets
from trutdsl.arena.processes import end_with_parent
from trutdsl.arena.schedule import Experiment
from trutdsl.diagnostics import Rejected
from trutdsl.strategy import end_bots, watch_calls


@dataclass(frozen=True)
class Task:
    """What a worker is for, given to it once.

    count:        what is counted of the sets of a chunk; a function at the top of a module.
    move_timeout: seconds of processor time for one call of a strategy, and as many of waiting.
    log_by_pipe:  the supervisor writes the worker's log, too.
    """

    experiment: Experiment
    count: CountSets
    move_timeout: float = 10.0
    log_by_pipe: bool = False


Send = Callable[[dict[str, Any]], None]


def play_chunk(
    task: Task, chunk: Chunk, board: Board, known: Iterable[Fault], send: Send
) -> dict[str, Any]:
    """Return what is kept of a chunk, as JSON has it.

    Faults are sent as they happen, so that a match with one is not played again if this process is
    lost in a later one.
    """

    def tell(fault: Fault) -> None:
        send({"fault": [fault.place, fault.seat, fault.kind, fault.said, fault.calls]})

    begin = time.perf_counter()
    played, faults = play_sets(task.experiment, chunk, board.begin, tuple(known), tell)
    board.clear()
    kept = {
        "counts": task.count(task.experiment, played),
        "faults": count_faults(task.experiment, faults),
    }
    LOGGER.info(
        "sets %d to %d in %.2f s", chunk.first, chunk.beyond - 1, time.perf_counter() - begin
    )
    return {
        "chunk": chunk,
        "kept": kept,
        "seconds": time.perf_counter() - begin,
    }


def work(task: Task, board: Board, pipe: socket.socket) -> None:
    """Be a worker until the pipe is closed; the target of its process."""
    sys.stdout = sys.stderr  # what a strategy prints is not the run's result
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    if task.log_by_pipe:
        LOGGER.handlers = [_PipeLog(pipe)]
        LOGGER.setLevel(logging.INFO)
    clock = MoveClock(board, task.move_timeout, pipe.fileno())
    watch_calls(clock)
    clock.start()
    send = partial(_send, pipe)
    with pipe.makefile("rb") as orders:
        for line in orders:
            send(_answer(task, board, json.loads(line), send))
    write_out_log()
    end_bots()
    os._exit(0)  # whatever strategies have left behind


def _answer(task: Task, board: Board, order: dict[str, Any], send: Send) -> dict[str, Any]:
    known = [Fault(MatchIndex(*place), *rest) for place, *rest in order["known"]]
    try:
        return play_chunk(task, Chunk(*order["chunk"]), board, known, send)
    except Rejected as rejected:
        return {"rejected": base64.b64encode(pickle.dumps(rejected)).decode()}


def _send(pipe: socket.socket, message: dict[str, Any]) -> None:
    pipe.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")


class _PipeLog(logging.Handler):
    """Sends lines of the log to the supervisor."""

    def __init__(self, pipe: socket.socket) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line, together with the process it is of."""
        _send(self._pipe, {"log": [record.levelno, record.process, record.getMessage()]})
