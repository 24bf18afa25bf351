"""A supervisor gives up a worker without a sign of life, or with a broken pipe."""

import socket
from types import SimpleNamespace

import pytest
from fake_game import experiment
from test_run import list_results

from trutdsl.diagnostics import Failure
from trutdsl.tournaments import supervisor
from trutdsl.tournaments.play import Fault, MatchIndex, count_sets
from trutdsl.tournaments.processes import Vitals, choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import Supervisor, WorkerHandle, WorkerLost
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


def test_a_worker_that_waits_for_a_processor_is_not_asleep(worker, monkeypatch):
    worker.chunk, worker._beat = Chunk(0, 1), worker.board.beat
    monkeypatch.setattr(supervisor, "look_at", lambda _: Vitals("R", 0.0))
    worker.look(2 * supervisor.LONGEST_SILENCE)


def test_idle_time_of_the_previous_chunk_does_not_count(worker, monkeypatch):
    worker._beat, worker._idle = worker.board.beat, supervisor.LONGEST_SILENCE
    worker.process.kill()
    worker.process.join()
    with pytest.raises(WorkerLost, match="takes no orders"):
        worker.send(Chunk(0, 2), [])
    monkeypatch.setattr(supervisor, "look_at", lambda _: Vitals("S", 0.0))
    worker.look(0.1)
    assert worker._idle == 0.1


def test_messages_before_the_end_of_a_worker_are_read(worker):
    worker.process.kill()
    worker.process.join()
    worker._pipe.close()
    worker._pipe, theirs = socket.socketpair()
    worker._pipe.setblocking(False)
    with theirs:
        theirs.sendall(b'{"tested": true}\n')
    assert worker.read() == [{"tested": True}]
    with pytest.raises(WorkerLost, match="was ended by SIGKILL"):
        worker.read()


# ---------------------------------------------------------------- a supervisor of no processes


class FakeHandle:
    """A worker without a process; `started` counts them."""

    started = 0

    def __init__(self, *_):
        FakeHandle.started += 1
        self.chunk, self.used, self.suspect, self.elapsed = None, False, None, None
        self.waitable, self.process = (), SimpleNamespace(pid=1)
        self.board = SimpleNamespace(place=None, seat=None, together=False)

    def send(self, chunk, _known, suspect=None):
        self.chunk, self.used, self.suspect = chunk, True, suspect

    def look(self, elapsed):
        self.elapsed = elapsed

    def end(self, patience=0.0):
        pass

    dismiss = end


@pytest.fixture
def pool(monkeypatch):
    """A supervisor of at most two workers, of which one plays the first set."""
    monkeypatch.setattr(supervisor, "WorkerHandle", FakeHandle)
    monkeypatch.setattr(FakeHandle, "started", 0)
    pool = Supervisor(Task(experiment(sets=9), count_sets), 2, choose_context())
    pool.submit(Chunk(0, 1))
    return pool


def lose(pool, place=None):
    (worker,) = pool._workers
    worker.board.place = place
    pool._replace(worker, WorkerLost("is lost"))
    pool._hand_out()


def test_workers_may_be_lost_before_a_match_until_too_many_follow_each_other(pool):
    most = 2 * supervisor.MOST_LOST
    for _ in range(most):
        lose(pool)
    done = {"chunk": [0, 1], "kept": {}, "seconds": 0.1}
    assert len(pool._take(pool._workers[0], done)) == 1
    pool.submit(Chunk(1, 1))
    for _ in range(most):
        lose(pool)
    with pytest.raises(Failure, match="cannot be started: the last one is lost"):
        lose(pool)


def test_the_last_match_that_lost_a_worker_is_suspect(pool):
    first, second = MatchIndex(0, 0), MatchIndex(0, 1)
    for place in (first, second, first):
        lose(pool, place)
    assert pool._workers[0].suspect == first
    assert FakeHandle.started == 4, "a new worker is not replaced again"


def test_the_time_in_which_the_supervisor_is_stopped_does_not_count(pool):
    pool._looked -= 100
    pool.gather(0.0)
    assert pool._workers[0].elapsed <= 2 * supervisor.LOOK


def test_the_log_has_only_the_first_faults_of_a_kind(pool, caplog):
    for number in range(2 * supervisor.MOST_LOGGED):
        pool._note(Fault(MatchIndex(number, 0), 0, "raised ValueError", f"fault {number}"))
    assert [record.getMessage() for record in caplog.records] == [
        f"fault {number}" for number in range(supervisor.MOST_LOGGED)
    ]


def test_faults_of_a_chunk_are_in_the_order_of_play(pool):
    places = [MatchIndex(0, leg) for leg in (2, 0, 1)]
    for place in places:
        pool._note(Fault(place, 0, "raised ValueError", "a fault"))
    (done,) = pool._take(pool._workers[0], {"chunk": [0, 1], "kept": {}, "seconds": 0.1})
    assert [fault.place for fault in done.faults] == sorted(places)
