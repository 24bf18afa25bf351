"""The number of workers that play at the same time, processes or threads."""

from __future__ import annotations

import os
from collections.abc import Callable

from trutdsl.language import say, say_count

MOST_PER_CPU = 8  # workers; more only cost memory and start time


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
