"""`run.log` contains every line that arrives, and does not wait for lost ones."""

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


def claim_a_line_and_die(queue):
    """Announce a line, and end before it is sent, as a killed worker does."""
    queue._sem.acquire()
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_log_does_not_wait_for_a_lost_line(tmp_path):
    fork = get_context("fork")
    with run_log(tmp_path / "run.log") as by_queue:
        assert by_queue
        writer = fork.Process(target=log_some, args=(50,))
        (handler,) = LOGGER.handlers
        killed = fork.Process(target=claim_a_line_and_die, args=(handler.queue,))
        for process in (writer, killed):
            process.start()
        for process in (writer, killed):
            process.join()
        assert handler.queue.qsize() > 0
        LOGGER.info("the last")
        start = time.monotonic()
    assert time.monotonic() - start < MOST_WAIT
    lines = (tmp_path / "run.log").read_text().splitlines()
    assert [line.split("INFO ")[1] for line in lines] == [
        *(f"line {number}" for number in range(50)),
        "the last",
    ]
    assert logging.getLogger("trutdsl").handlers == []


LEFT = []  # until the process ends


def leave_the_log(path):
    """Log a line that cannot be sent, because another process was killed while it sent one."""
    LEFT.append(run_log(path))
    LEFT[0].__enter__()
    LOGGER.handlers[0].queue._wlock.acquire()
    LOGGER.info("a line")


def test_a_process_ends_also_if_it_has_left_the_log(tmp_path):
    """As after several signals, of which one interrupts the end of the run."""
    process = get_context("fork").Process(target=leave_the_log, args=(tmp_path / "run.log",))
    process.start()
    process.join(20)
    ended = process.exitcode
    process.kill()
    assert ended == 0
