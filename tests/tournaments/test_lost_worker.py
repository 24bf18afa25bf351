"""A supervisor gives up a worker without a sign of life, or with a broken pipe."""

import pytest
from fake_game import experiment
from test_run import list_results

from trutdsl.tournaments import supervisor
from trutdsl.tournaments.play import MatchIndex
from trutdsl.tournaments.processes import Vitals, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import WorkerHandle, WorkerLost
from trutdsl.tournaments.worker import Task

TICK = 0.01  # seconds, the unit of processor time in the system


@pytest.fixture
def worker():
    found = WorkerHandle(Task(experiment(sets=4), list_results), choose_context("fork"))
    yield found
    found.end()


def time_until_lost(worker, monkeypatch, every):
    """Return the seconds until a sleeping worker that uses a tick every `every` s is given up."""
    worker.chunk, worker._beat = Chunk(0, 1), worker.board.beat
    worker._idle = worker._cpu_seconds = 0.0
    for look in range(1, 1000):
        used = int(look / 10 / every) * TICK
        monkeypatch.setattr(supervisor, "look_at", lambda _, used=used: Vitals("S", used))
        try:
            worker.look(0.1)
        except WorkerLost as gone:
            assert str(gone) == "stands still"
            return look / 10
    return None


def test_a_running_move_clock_is_no_sign_of_life(worker, monkeypatch):
    """The clock runs 20 times a second, which costs a tick of 0.01 s now and then."""
    assert time_until_lost(worker, monkeypatch, every=5) < 12
    assert time_until_lost(worker, monkeypatch, every=0.05) is None


def test_the_reason_of_a_broken_pipe_is_reported(worker):
    worker.board.begin(MatchIndex(3, 1))
    worker.process.kill()
    worker.process.join()
    with pytest.raises(
        WorkerLost, match=r"takes no orders \(Broken pipe\); it was ended by SIGKILL"
    ):
        worker.send(Chunk(0, 2), [])
    assert worker.board.place is None, "the place in another chunk does not apply to this one"
