"""Looks for a program that is played in two ways, in processes that may die of it."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from trutdsl.diagnostics import Rejected

from .compare import Difference, compare
from .keep import keep
from .shrink import shrink
from .write import Program, write_program

CHUNK = 20  # programs that a process plays at a time
LONGEST = 60  # seconds of a processor that one program may take
DIED = "the process died, or came to no end"


@dataclass
class Tried:
    """What came of some programs.

    differing: seed -> what differed; met: how often what came up, see `compare`.
    """

    programs: int = 0
    accepted: int = 0
    differing: dict[int, str] = field(default_factory=dict)
    met: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tried) -> None:
        """Add what came of other programs."""
        self.programs += other.programs
        self.accepted += other.accepted
        self.differing |= other.differing
        self.met += other.met


def difference_in(program: Program) -> str | None:
    """Return what differs when a program is played; None also for one that is refused."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            compare(program, Path(folder))
        except Difference as found:
            return str(found)
        except Rejected:
            return None
    return None


def try_seeds(seeds: range) -> Tried:
    """Play the programs of these seeds; what takes too long ends the process."""
    tried = Tried()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            limit_time()
            tried.programs += 1
            try:
                tried.met.update(compare(write_program(seed), Path(folder)))
                tried.accepted += 1
            except Rejected:
                continue
            except Difference as found:
                tried.accepted += 1
                tried.differing[seed] = str(found)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return tried


def limit_time() -> None:
    """End this process if it takes too long from now on, even in machine code."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def in_processes(first: int, count: int, processes: int) -> Iterator[Tried]:
    """Yield what comes of chunks of programs, each as it is done, in no order."""
    beyond = first + count
    chunks = [range(at, min(at + CHUNK, beyond)) for at in range(first, beyond, CHUNK)]
    while chunks:
        done: list[range] = []
        with ProcessPoolExecutor(processes, get_context("spawn"), ignore_interrupts) as pool:
            running = {pool.submit(try_seeds, chunk): chunk for chunk in chunks}
            try:
                for future in as_completed(running):
                    yield future.result()
                    done.append(running[future])
            except BrokenProcessPool:
                pass
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        chunks = [chunk for chunk in chunks if chunk not in done]
        if chunks:  # some process died: which of those that were next to be done?
            for chunk in chunks[:processes]:
                yield one_by_one(chunk)
            chunks = chunks[processes:]


def one_by_one(seeds: range) -> Tried:
    """Play programs each in a process of its own, so that a dead one is told from the others."""
    total = Tried()
    for seed in seeds:
        with ProcessPoolExecutor(1, get_context("spawn"), ignore_interrupts) as pool:
            try:
                total.add(pool.submit(try_seeds, range(seed, seed + 1)).result())
            except BrokenProcessPool:
                total.add(Tried(1, 1, {seed: DIED}))
    return total


def add_options(parser: ArgumentParser) -> None:
    """Declare what can be asked for."""
    parser.add_argument("--count", type=int, default=10_000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)


def main(options: Namespace) -> int:
    """Play programs, say how far it is, keep what differs, made small; Ctrl-C ends it."""
    os.environ["TRUTDSL_CACHE"] = ""  # a program does not come again
    total, start, left = Tried(), time.monotonic(), 0
    try:
        for tried in in_processes(options.first, options.count, options.processes):
            for seed, why in tried.differing.items():
                say(f"\nprogram {seed}: {why[:300]}\n  kept as {keep_small(seed, why)}\n")
            total.add(tried)
            rate = total.programs / (time.monotonic() - start)
            say(f"\r{total.programs} of {options.count} programs, {total.accepted} played, "
                f"{len(total.differing)} differ, {rate:.1f} a second")  # fmt: skip
    except KeyboardInterrupt:
        left = 130
        say("\nstopped")
    say(f"\n{', '.join(f'{what} {n}' for what, n in total.met.most_common())}\n")
    return left or int(bool(total.differing))


def keep_small(seed: int, why: str) -> Path:
    """Keep the program of a seed, smaller if it differs in the same form when it is smaller."""
    program = write_program(seed)
    if why != DIED:
        form = why.partition(":")[0]
        program = shrink(program, lambda p: (difference_in(p) or "").startswith(form))
        why = difference_in(program) or why
    return keep(program, why)


def say(text: str) -> None:
    """Tell the person who waits."""
    sys.stderr.write(text)
    sys.stderr.flush()
