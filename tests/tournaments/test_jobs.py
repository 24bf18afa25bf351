"""The limit on worker processes, and a signal during their start."""

import os
import signal
import time

import pytest
from extent import extent
from fake_game import FOUR, experiment
from test_run import count_sets_in_journal, list_results, play_run

from trutdsl.cli import app
from trutdsl.diagnostics import RunStopped
from trutdsl.strategy import threads as jobs_module
from trutdsl.strategy.threads import MOST_PER_CPU, limit_workers, usable_cpus
from trutdsl.tournaments import supervisor
from trutdsl.tournaments.processes import StopRequest, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.worker import Task

MOST = MOST_PER_CPU * usable_cpus()


@pytest.mark.parametrize("jobs", [MOST + 1, 100_000, 10**15])
def test_the_number_of_workers_is_limited_with_a_message(jobs):
    messages = []
    assert limit_workers(jobs, messages.append) == MOST
    assert len(messages) == 1
    assert messages[0].startswith(f"--jobs {jobs}: at most {MOST} processes play")


def test_numbers_up_to_the_limit_are_accepted():
    messages = []
    assert limit_workers(None, messages.append) == usable_cpus()
    assert [limit_workers(jobs, messages.append) for jobs in (1, MOST)] == [1, MOST]
    assert messages == []


def test_there_are_no_more_workers_than_chunks(own_processes):
    task = Task(experiment(sets=3), list_results)
    workers = supervisor.Supervisor(task, 50, choose_context())
    try:
        assert (workers.room, len(own_processes())) == (50, 0)
        for first in range(3):
            workers.submit(Chunk(first, 1))
        assert (workers.room, len(own_processes())) == (47, 3)
        found = []
        while workers.busy:
            found += workers.gather(0.1)
        assert len(found) == 3
    finally:
        workers.end()
    assert not own_processes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_the_start_of_workers_stops_the_run(
    number, tmp_path, monkeypatch, own_processes
):
    start_times = []

    class InterruptedHandle(supervisor.WorkerHandle):
        def __init__(self, task, context):
            start_times.append(time.monotonic())
            if len(start_times) == 3:
                os.kill(os.getpid(), number)
            super().__init__(task, context)

    monkeypatch.setattr(supervisor, "WorkerHandle", InterruptedHandle)
    with StopRequest() as stop, pytest.raises(RunStopped) as stopped:
        play_run(experiment((FOUR[0], FOUR[1]), sets=200), tmp_path, jobs=60, stop=stop, chunk=1)
    assert stopped.value.signal == number
    assert len(start_times) == 3
    assert count_sets_in_journal(tmp_path) <= 3
    assert not own_processes()


COMMANDS = {
    "tournament": ["trut", "--strategies", "uniform,quiet", "--sets", "2"],
    "plan": ["trut", "--strategies", "uniform,quiet", "--detect", "0.5", "--pilot", "2"],
    "compare": ["trut", "trut:goal=6", "--sets", "8", "--strategies", "uniform"],
    "sweep": ["trut", "--param", "goal=1,2", "--sets", "8", "--strategies", "uniform"],
    "resume": ["run"],
    "extend": ["run", "--sets", "4"],
    "verify": ["run"],
}


@pytest.mark.parametrize("command", [*COMMANDS][:: extent(2, 1)])
def test_every_command_reports_the_limit(command, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(jobs_module, "MOST_PER_CPU", 1)  # fewer processes start faster
    if COMMANDS[command][0] == "run":
        play = [*COMMANDS["tournament"], "--out", "run"]
        assert app.run(["tournament", *play]) == 0
    capfd.readouterr()
    assert app.run([command, *COMMANDS[command], "--jobs", "100000"]) == 0
    messages = [line for line in capfd.readouterr().err.splitlines() if "--jobs" in line]
    assert len(messages) == 1
    assert f"at most {usable_cpus()} processes play" in messages[0]
