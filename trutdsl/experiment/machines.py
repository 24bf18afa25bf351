"""Where a tournament is played: worker processes on this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from trutdsl.arena.executor import Executor
from trutdsl.arena.log import choose_context
from trutdsl.arena.processes import limit_workers
from trutdsl.arena.supervisor import Supervisor
from trutdsl.arena.worker import Task
from trutdsl.experiment.settings import DASK, Means


@dataclass(frozen=True)
class Machines:
    """How many play at once, whether they are forked from here, and what starts them."""

    workers: int
    forked: bool
    start: Callable[[Task], Executor]


@contextmanager
def reach_machines(means: Means, say: Callable[[str], None]) -> Iterator[Machines]:
    """Give the block what plays; raises `BadUsage` if that is not there.

    say: is told where fewer play than were asked for.
    """
    if means.executor != DASK:
        context, jobs = choose_context(means.start_method), limit_workers(means.jobs, say)
        forked = context.get_start_method() == "fork"
        yield Machines(jobs, forked, lambda task: Supervisor(task, jobs, context))
        return
    # Loaded only here: it takes longer than most runs.
    from trutdsl.arena.cluster import Cluster, connect, count_threads

    assert means.scheduler is not None
    client = connect(means.scheduler)
    try:
        yield Machines(count_threads(client), False, lambda task: Cluster(client, task))
    finally:
        client.close(timeout=1)
