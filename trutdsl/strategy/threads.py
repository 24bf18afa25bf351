"""The cores of a machine: how many workers play, and threads that count matches.

Threads suffice because machine code runs beside Python.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from threading import Event

from trutdsl.game import Game
from trutdsl.language import say, say_count
from trutdsl.native.play.runs import stop_of_threads
from trutdsl.strategy.count import GROWTH, PART, count_in_parts, count_matches, cut_clusters
from trutdsl.strategy.legs import native_seating
from trutdsl.strategy.load import Spec
from trutdsl.table.counts import Counts

MOST_PER_CPU = 8  # workers; more only cost memory and start time
AHEAD = 2  # parts for each thread, so that none waits for the next one


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def limit_workers(jobs: int | None, tell: Callable[[str], None] = lambda _: None) -> int:
    """Return the number of workers for this request; None is one for each CPU.

    tell: receives a message if there are fewer than requested.
    """
    cpus = usable_cpus()
    most = MOST_PER_CPU * cpus
    if jobs is not None and jobs > most:
        each = say(
            "{most_per_cpu} for each of {cpus}",
            most_per_cpu=MOST_PER_CPU,
            cpus=say_count(cpus, "usable CPU", "usable CPUs"),
        )
        text = "--jobs {jobs}: at most {most} processes play, {each}"
        tell(say(text, jobs=jobs, most=most, each=each))
    return min(jobs or cpus, most)


def count_in_threads(
    game: Game, seating: Sequence[Spec], seed: int, matches: int, first: int = 0, jobs: int = 1
) -> Iterator[tuple[int, Counts]]:
    """Yield the brief counts of further matches of a seed, in order, with their cluster.

    Their sums are those of `count_in_parts`. Strategies without machine code have one thread, and
    so has one match.
    """
    if min(jobs, matches) == 1 or native_seating(game, seating) is None:
        yield from count_in_parts(game, seating, seed, matches, first)
        return
    # This import takes longer than to start one thread.
    from concurrent.futures import Future, ThreadPoolExecutor

    def count(at: int, few: int) -> tuple[Counts, float]:
        begin = time.perf_counter()
        counts = count_matches(game, seating, seed, at, few, brief=True)
        return counts, time.perf_counter() - begin

    count(first, 0)  # compiles the rules here, where Ctrl-C ends it
    stop, context = Event(), copy_context()
    context.run(stop_of_threads.set, stop)
    waiting, size = deque[tuple[int, int, Future[tuple[Counts, float]]]](), 1
    pool = ThreadPoolExecutor(jobs)
    try:
        for cluster, (at, left) in enumerate(cut_clusters(matches, first)):
            while left:
                few = min(size, left)
                waiting.append((cluster, few, pool.submit(context.copy().run, count, at, few)))
                at, left = at + few, left - few
                if len(waiting) == AHEAD * jobs:
                    of, match_count, part = waiting.popleft()
                    counts, seconds = part.result()
                    by_time = int(match_count * PART / max(seconds, 1e-6))
                    size = max(1, min(by_time, GROWTH * match_count))
                    yield of, counts
        for of, _, part in waiting:
            yield of, part.result()[0]
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
