"""`run.log`: every line that comes is in it, and nobody waits for one that does not."""

import logging
import os
import signal
import time
from multiprocessing import get_context

from trutdsl.tournaments.processes import LOGGER, MOST_WAIT, run_log, write_out_log


def log_some(many):
    for number in range(many):
        LOGGER.info("line %d", number)
    write_out_log()


def leave_a_line_behind(queue):
    """Count a line as on its way, as a worker does that is ended before it has sent it."""
    queue._sem.acquire()
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_line_that_never_comes_is_not_waited_for(tmp_path):
    fork = get_context("fork")
    with run_log(tmp_path / "run.log") as by_queue:
        assert by_queue
        writes = fork.Process(target=log_some, args=(50,))
        (handler,) = LOGGER.handlers
        lost = fork.Process(target=leave_a_line_behind, args=(handler.queue,))
        for process in (writes, lost):
            process.start()
        for process in (writes, lost):
            process.join()
        assert handler.queue.qsize() > 0
        LOGGER.info("the last")
        begin = time.monotonic()
    assert time.monotonic() - begin < MOST_WAIT
    told = (tmp_path / "run.log").read_text().splitlines()
    assert [line.split("INFO ")[1] for line in told] == [
        *(f"line {number}" for number in range(50)),
        "the last",
    ]
    assert logging.getLogger("trutdsl").handlers == []
