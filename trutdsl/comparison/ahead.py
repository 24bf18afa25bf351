"""Parallel compilation: the machine code of many cells, made side by side and ahead of time."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from trutdsl.arena.log import choose_context
from trutdsl.arena.processes import end_with_parent, limit_workers
from trutdsl.arena.signals import STOPPING
from trutdsl.comparison.cell import Cell


def compile_ahead(
    cells: Sequence[Cell], jobs: int | None, told: Callable[[int, int], None] = lambda *_: None
) -> None:
    """Make the machine code of cells in processes of their own, and keep it for this one.

    jobs: how many at once; one a CPU if None. told: how many are done, and of how many.
    Nothing is done for less than two, or where nothing is kept. What goes wrong is nothing here: it
    does so again, and is told, where the machine code is asked for.
    """
    jobs = limit_workers(jobs)
    missing = {cell.compiled.fingerprint: cell for cell in cells if cell.lacks_machine_code}
    waiting, of = deque(missing.values()), len(missing)
    if min(jobs, of) < 2:
        return
    context = choose_context(None)
    running: list[BaseProcess] = []
    try:
        while waiting or running:
            told(of - len(waiting) - len(running), of)
            while waiting and len(running) < jobs:
                process = context.Process(target=_compile, args=(waiting.popleft(),), daemon=True)  # type: ignore[attr-defined]
                process.start()
                running.append(process)
            wait([process.sentinel for process in running])
            running = [process for process in running if process.is_alive()]
        told(of, of)
    finally:
        for process in running:
            process.kill()
            process.join()


def _compile(cell: Cell) -> None:
    """Make and keep the machine code of a cell; the target of a process."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)  # the parent says what it does
    end_with_parent()
    try:
        _ = cell.compiled.counting
    finally:
        os._exit(0)  # whatever comes, the parent sees what is kept
