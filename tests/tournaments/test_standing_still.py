"""What a supervisor makes of a worker that shows no sign of life, or takes no orders."""

import pytest
from fake_game import experiment
from test_run import list_results

from trutdsl.tournaments import supervisor
from trutdsl.tournaments.play import MatchIndex
from trutdsl.tournaments.processes import Vitals, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import Gone, WorkerHandle
from trutdsl.tournaments.worker import Task

TICK = 0.01  # seconds, in which systems tell how much a process has used


@pytest.fixture
def worker():
    found = WorkerHandle(Task(experiment(sets=4), list_results), choose_context("fork"))
    yield found
    found.end()


def silent_for(worker, monkeypatch, every):
    """Return after how many seconds a worker asleep that uses a tick so often is given up."""
    worker.chunk, worker._beat = Chunk(0, 1), worker.board.beat
    worker._idle = worker._used = 0.0
    for look in range(1, 1000):
        used = int(look / 10 / every) * TICK
        monkeypatch.setattr(supervisor, "look_at", lambda _, used=used: Vitals("S", used))
        try:
            worker.look(0.1)
        except Gone as gone:
            assert str(gone) == "stands still"
            return look / 10
    return None


def test_a_move_clock_that_runs_is_no_sign_of_life(worker, monkeypatch):
    """It looks 20 times a second, which the system tells as a tick of 0.01 s now and then."""
    assert silent_for(worker, monkeypatch, every=5) < 12
    assert silent_for(worker, monkeypatch, every=0.05) is None


def test_it_is_told_why_a_worker_takes_no_orders(worker):
    worker.board.begin(MatchIndex(3, 1))
    worker.process.kill()
    worker.process.join()
    with pytest.raises(Gone, match=r"takes no orders \(Broken pipe\); it was ended by SIGKILL"):
        worker.send(Chunk(0, 2), [])
    assert worker.board.place is None, "where it was in another chunk says nothing of this one"
