"""The move clock tells a strategy that computes from one that waits."""

import multiprocessing
import os
import time

import pytest

from trutdsl.tournaments.move_clock import OwnClock

FORK = multiprocessing.get_context("fork")
LIMIT = 0.15  # seconds


def compute():
    while True:
        pass


class SendingClock(OwnClock):
    """Sends how it ends a call, and ends the process; another tick may come meanwhile."""

    def __init__(self, pipe):
        super().__init__((), LIMIT)
        self.pipe = pipe

    def _over(self, _seconds, error):
        self.pipe.send(str(error))
        os._exit(0)


def play(strategy, niceness, processor, pipe):
    """Call a strategy on this processor, and send how the clock ends the call."""
    os.sched_setaffinity(0, {processor})
    os.nice(niceness)
    with SendingClock(pipe) as clock:
        clock.enter(0, False)
        strategy()


@pytest.mark.parametrize(
    ("strategy", "ending"), [(compute, "computing"), (lambda: time.sleep(60), "waiting")]
)
def test_a_strategy_without_a_processor_is_not_waiting(strategy, ending):
    processor = min(os.sched_getaffinity(0))
    receiver, sender = FORK.Pipe(duplex=False)
    busy = FORK.Process(target=lambda: (os.sched_setaffinity(0, {processor}), compute()))
    starved = FORK.Process(target=play, args=(strategy, 19, processor, sender))
    busy.start()
    starved.start()
    sender.close()  # a process that ends without a word leaves nothing to wait for
    receiver.poll(1.5)  # seconds, in which the busy process has nearly all processor time
    busy.kill()
    assert receiver.recv().startswith(ending)
    for process in (busy, starved):
        process.join()
