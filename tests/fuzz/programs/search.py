"""Searches for programs for which two ways of playing differ, in processes that may crash."""

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
from .keep import store_program
from .shrink import shrink
from .write import Program, write_program

CHUNK = 20  # programs that a process plays at a time
TIME_LIMIT = 60  # seconds of a processor that one program may take
DIED = "the process died, or came to no end"


@dataclass
class SearchResult:
    """The result of some programs.

    differing: seed -> the difference. met: the count of each outcome, see `compare`.
    """

    programs: int = 0
    accepted: int = 0
    differing: dict[int, str] = field(default_factory=dict)
    met: Counter[str] = field(default_factory=Counter)

    def add(self, other: SearchResult) -> None:
        """Add the result of other programs."""
        self.programs += other.programs
        self.accepted += other.accepted
        self.differing |= other.differing
        self.met += other.met


def find_difference(program: Program) -> str | None:
    """Return the difference between two ways of playing a program; None also if it is invalid."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            compare(program, Path(folder))
        except Difference as found:
            return str(found)
        except Rejected:
            return None
    return None


def try_seeds(seeds: range) -> SearchResult:
    """Play the programs of these seeds; one that takes too long kills the process."""
    result = SearchResult()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            limit_time()
            result.programs += 1
            try:
                result.met.update(compare(write_program(seed), Path(folder)))
                result.accepted += 1
            except Rejected:
                continue
            except Difference as found:
                result.accepted += 1
                result.differing[seed] = str(found)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return result


def limit_time() -> None:
    """Kill this process after a time limit, even in machine code."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def try_in_processes(first: int, count: int, processes: int) -> Iterator[SearchResult]:
    """Yield the results of chunks of programs, in the order in which they finish."""
    stop = first + count
    chunks = [range(at, min(at + CHUNK, stop)) for at in range(first, stop, CHUNK)]
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
        if chunks:  # a process died in one of the next chunks
            for chunk in chunks[:processes]:
                yield try_one_by_one(chunk)
            chunks = chunks[processes:]


def try_one_by_one(seeds: range) -> SearchResult:
    """Play each program in its own process, to find the one that crashes."""
    total = SearchResult()
    for seed in seeds:
        with ProcessPoolExecutor(1, get_context("spawn"), ignore_interrupts) as pool:
            try:
                total.add(pool.submit(try_seeds, range(seed, seed + 1)).result())
            except BrokenProcessPool:
                total.add(SearchResult(1, 1, {seed: DIED}))
    return total


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--count", type=int, default=10_000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)


def main(options: Namespace) -> int:
    """Play programs, print the progress, shrink and store those that differ; Ctrl-C ends it."""
    os.environ["TRUTDSL_CACHE"] = ""  # no program occurs twice
    total, start, left = SearchResult(), time.monotonic(), 0
    try:
        for result in try_in_processes(options.first, options.count, options.processes):
            for seed, why in result.differing.items():
                say(f"\nprogram {seed}: {why[:300]}\n  kept as {store_shrunk(seed, why)}\n")
            total.add(result)
            rate = total.programs / (time.monotonic() - start)
            say(f"\r{total.programs} of {options.count} programs, {total.accepted} played, "
                f"{len(total.differing)} differ, {rate:.1f} a second")  # fmt: skip
    except KeyboardInterrupt:
        left = 130
        say("\nstopped")
    say(f"\n{', '.join(f'{what} {n}' for what, n in total.met.most_common())}\n")
    return left or int(bool(total.differing))


def store_shrunk(seed: int, why: str) -> Path:
    """Shrink the program of a seed while it differs in the same form, and store it."""
    program = write_program(seed)
    if why != DIED:
        form = why.partition(":")[0]
        program = shrink(program, lambda p: (find_difference(p) or "").startswith(form))
        why = find_difference(program) or why
    return store_program(program, why)


def say(text: str) -> None:
    """Print progress to standard error."""
    sys.stderr.write(text)
    sys.stderr.flush()
