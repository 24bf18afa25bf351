"""How many worker processes there are, whatever is asked for, and how they are stopped."""

import multiprocessing
import os
import signal
import time

import pytest
from fake_game import FOUR, experiment
from test_run import kept, list_results, run

from trutdsl.cli import app
from trutdsl.diagnostics import RunStopped
from trutdsl.tournaments import jobs as jobs_module
from trutdsl.tournaments import supervisor
from trutdsl.tournaments.jobs import MOST_PER_CPU, limit_workers, usable_cpus
from trutdsl.tournaments.processes import StopRequest, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.worker import Task

MOST = MOST_PER_CPU * usable_cpus()


@pytest.mark.parametrize("jobs", [MOST + 1, 100_000, 10**15])
def test_there_are_at_most_so_many_for_each_cpu_and_that_is_said(jobs):
    said = []
    assert limit_workers(jobs, said.append) == MOST
    assert len(said) == 1
    assert said[0].startswith(f"--jobs {jobs}: at most {MOST} processes play")


def test_what_is_asked_for_is_given_up_to_there():
    said = []
    assert limit_workers(None, said.append) == usable_cpus()
    assert [limit_workers(jobs, said.append) for jobs in (1, MOST)] == [1, MOST]
    assert said == []


def test_there_are_no_more_than_chunks():
    task = Task(experiment(sets=3), list_results)
    workers = supervisor.Supervisor(task, 50, choose_context())
    try:
        assert (workers.room, len(multiprocessing.active_children())) == (50, 0)
        for first in range(3):
            workers.submit(Chunk(first, 1))
        assert (workers.room, len(multiprocessing.active_children())) == (47, 3)
        found = []
        while workers.busy:
            found += workers.gather(0.1)
        assert len(found) == 3
    finally:
        workers.end()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_while_workers_are_being_started(number, tmp_path, monkeypatch):
    started = []

    class Slow(supervisor.WorkerHandle):
        def __init__(self, task, context):
            started.append(time.monotonic())
            if len(started) == 3:
                os.kill(os.getpid(), number)
            super().__init__(task, context)

    monkeypatch.setattr(supervisor, "WorkerHandle", Slow)
    with StopRequest() as stop, pytest.raises(RunStopped) as stopped:
        run(experiment((FOUR[0], FOUR[1]), sets=200), tmp_path, jobs=60, stop=stop, chunk=1)
    assert stopped.value.signal == number
    assert len(started) == 3
    assert kept(tmp_path) <= 3
    assert not multiprocessing.active_children()


COMMANDS = {
    "tournament": ["trut", "--strategies", "uniform,quiet", "--sets", "2"],
    "plan": ["trut", "--strategies", "uniform,quiet", "--detect", "0.5", "--pilot", "2"],
    "compare": ["trut", "trut:goal=6", "--sets", "40", "--strategies", "uniform"],
    "sweep": ["trut", "--param", "goal=1,2", "--sets", "40", "--strategies", "uniform"],
    "resume": ["run"],
    "extend": ["run", "--sets", "4"],
    "verify": ["run"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_so(command, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(jobs_module, "MOST_PER_CPU", 1)  # so many are started, which takes long
    if COMMANDS[command][0] == "run":
        begin = [*COMMANDS["tournament"], "--out", "run"]
        assert app.run(["tournament", *begin]) == 0
    capfd.readouterr()
    assert app.run([command, *COMMANDS[command], "--jobs", "100000"]) == 0
    said = [line for line in capfd.readouterr().err.splitlines() if "--jobs" in line]
    assert len(said) == 1
    assert f"at most {usable_cpus()} processes play" in said[0]
