"""The move clock tells a strategy that computes from one that waits."""

import multiprocessing
import os
import time

import pytest

from trutdsl.strategy.spec import OutOfTime
from trutdsl.tournaments.move_clock import OwnClock

FORK = multiprocessing.get_context("fork")
LIMIT = 0.15  # seconds


def compute():
    while True:
        pass


def tell_ending(strategy, niceness, processor, pipe):
    """Send how the clock ends a call of a strategy on this processor."""
    os.sched_setaffinity(0, {processor})
    os.nice(niceness)
    with OwnClock((), LIMIT) as clock:
        clock.enter(0, False)
        try:
            strategy()
        except OutOfTime as late:
            pipe.send(str(late))


@pytest.mark.parametrize(
    ("strategy", "ending"), [(compute, "computing"), (lambda: time.sleep(60), "waiting")]
)
def test_a_strategy_without_a_processor_is_not_waiting(strategy, ending):
    processor = min(os.sched_getaffinity(0))
    receiver, sender = FORK.Pipe(duplex=False)
    busy = FORK.Process(target=lambda: (os.sched_setaffinity(0, {processor}), compute()))
    starved = FORK.Process(target=tell_ending, args=(strategy, 19, processor, sender))
    busy.start()
    starved.start()
    receiver.poll(1.5)  # seconds, in which the busy process has nearly all processor time
    busy.kill()
    assert receiver.recv().startswith(ending)
    for process in (busy, starved):
        process.join()
