import errno
import json
import os
import select
import signal
import time

import pytest
from extent import extent

from tests.solve.plain_kuhn import KUHN
from tests.solve.test_exact import SHORT
from tests.solve.test_solve import LEDUC
from trutdsl.cli.app import BAD_INPUT, DONE, FAILED, run
from trutdsl.diagnostics import Failure
from trutdsl.solve import deals
from trutdsl.solve.deals import DealEnumerator
from trutdsl.solve.trees import TreeEnumerator
from trutdsl.solve.workers import Workers, fork_workers


def test_workers_end_with_a_killed_run():
    """The end of the pipe comes when the last process is gone."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.setpgid(0, 0)
        with fork_workers(None, 2) as pool:
            pool.submit(0, sleep_long)
            pool.submit(1, tell_process)
            os.write(writing, b"%d" % dict(pool.receive())[1])
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(writing)
    assert os.read(reading, 20)
    os.waitpid(child, 0)
    ended = bool(select.select([reading], [], [], 5)[0])
    if not ended:
        os.killpg(child, signal.SIGKILL)
    assert ended and not os.read(reading, 1)


def test_a_worker_that_is_killed_before_its_call_is_lost():
    with fork_workers(None, 1) as pool:
        pool.submit(0, tell_process)
        ((_, process),) = pool.receive()
        os.kill(process, signal.SIGKILL)
        next(iter(pool._processes.values())).join()
        with pytest.raises(Failure, match="was killed"):
            pool.submit(1, tell_process)


def test_workers_end_if_another_one_cannot_start(monkeypatch):
    start, started = Workers._start, []

    def start_one(workers, shared):
        if started:
            raise OSError(errno.EAGAIN, "of fork")
        start(workers, shared)
        started.extend(workers._processes.values())

    monkeypatch.setattr(Workers, "_start", start_one)
    with pytest.raises(OSError, match="of fork"), fork_workers(None, 2):
        pass
    assert not started[0].is_alive()


def sleep_long(_):
    time.sleep(60)


def tell_process(_):
    return os.getpid()


def test_a_stop_ends_workers_after_they_have_written(tmp_path):
    """Also if the signal reaches their parent only, and they have much to do."""
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), fork_workers(tmp_path, 2) as pool:
        pool.submit(0, sleep_until_stopped)
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert (tmp_path / "kept").exists()
    assert time.monotonic() - begin < 20


def sleep_until_stopped(folder):
    (folder / "begun").touch()
    try:
        time.sleep(30)
    except KeyboardInterrupt:
        time.sleep(0.1)
        (folder / "kept").touch()
        raise


# ---------------------------------------------------------------- the parts of a deal


@pytest.fixture
def many_parts(monkeypatch):
    """Give the deals of small games many parts."""
    monkeypatch.setattr(deals, "BLOCK", 2)
    monkeypatch.setattr(deals, "PLAYED_AT_ONCE", 8)


@pytest.fixture
def workers(monkeypatch):
    """The numbers of workers that are started."""
    started = []

    def fork(shared, jobs):
        started.append(jobs)
        return fork_workers(shared, jobs)

    monkeypatch.setattr(deals, "fork_workers", fork)
    return started


GOAL = ["--param", "goal=1"]
COMMANDS = (
    f"exact {LEDUC} --param goal=1",
    f"exploit {LEDUC} --param goal=1",
    f"exploit {LEDUC} --deal chips=1",
    f"solve {LEDUC} --deal chips=1 --iterations 20",
)


@pytest.mark.parametrize("command", extent(COMMANDS[:1], COMMANDS))
@pytest.mark.usefixtures("many_parts")
def test_results_are_the_same_for_any_number_of_jobs(command, workers, capsys):
    found = []
    for jobs in ("1", "3"):
        assert run([*command.split(), "--jobs", jobs, "--json"]) == DONE
        figures = json.loads(capsys.readouterr().out)
        if isinstance(figures, dict):
            figures.pop("seconds", None)
        found.append(figures)
        assert bool(workers) == (jobs != "1")
    assert found[0] == found[1]


@pytest.mark.thorough
def test_scripts_that_read_the_score_play_in_workers(workers, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(deals, "BLOCK", 32)
    monkeypatch.setattr(deals, "PLAYED_AT_ONCE", 256)
    (tmp_path / "short-trut.yaml").write_text(SHORT.replace("NAME", "trut"))
    command = ["exact", str(tmp_path / "short-trut.yaml"), *GOAL, "--strategies", "scorer,caller"]
    assert run([*command, "--jobs", "1"]) == DONE
    found = capsys.readouterr().out
    for jobs in extent(("4",), ("2", "4")):  # a worker for the other seating, and one more for each
        assert run([*command, "--jobs", jobs]) == DONE
        assert capsys.readouterr().out == found
    assert workers == [2] * len(workers) != []


def test_a_saved_response_has_the_same_bytes_for_any_number_of_jobs(tmp_path, capsys):
    found = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.policy"
        assert run(["exploit", KUHN, *GOAL, "--jobs", jobs, "-o", str(path)]) == DONE
        lines = capsys.readouterr().out.splitlines()
        found.append((path.read_bytes(), lines[:-1]))  # without the path
    assert found[0] == found[1]


@pytest.mark.usefixtures("many_parts")
def test_a_policy_has_the_same_bytes_for_any_number_of_jobs(workers, tmp_path):
    found = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.policy"
        options = ["--iterations", "20", "--jobs", jobs, "-o", str(path)]
        assert run(["solve", LEDUC, *GOAL, *options]) == DONE
        found.append(path.read_bytes())
    assert found[0] == found[1]
    assert workers


@pytest.mark.usefixtures("many_parts")
def test_a_part_that_is_too_long_is_refused_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr(deals, "_play_shared", play_too_long)
    assert run(["exact", LEDUC, *GOAL, "--jobs", "2"]) == BAD_INPUT
    assert capsys.readouterr().err.count("million positions, more than 0 million: ") == 1


@pytest.mark.usefixtures("many_parts")
def test_no_part_is_played_after_one_that_refuses_the_game(monkeypatch, capsys):
    play_part, played = TreeEnumerator.play_part, []

    def refuse(*values):
        part = play_part(*values)
        part.deal.log.problem = "seats forget"
        played.append(part)
        return part

    monkeypatch.setattr(TreeEnumerator, "play_part", refuse)
    assert run(["solve", LEDUC, "--deal", "chips=1", "--jobs", "1"]) == BAD_INPUT
    assert capsys.readouterr().err.splitlines()[-1] == "error: seats forget"
    assert len(played) == 1


@pytest.mark.usefixtures("many_parts")
def test_each_part_has_a_log_of_its_own(monkeypatch):
    play_part, logs = TreeEnumerator.play_part, []

    def record(*values):
        part = play_part(*values)
        logs.append(part.deal.log)
        return part

    monkeypatch.setattr(TreeEnumerator, "play_part", record)
    assert run(["solve", LEDUC, "--deal", "chips=1", "--iterations", "1", "--jobs", "1"]) == DONE
    assert len({*map(id, logs)}) == len(logs) > 1


def test_parts_grow_until_a_step_has_many_positions(monkeypatch):
    play_part, sizes = DealEnumerator.play_part, []

    def record(*values):
        sizes.append(values[-1])
        return play_part(*values)

    monkeypatch.setattr(DealEnumerator, "play_part", record)
    monkeypatch.setattr(deals, "BLOCK", 1)
    monkeypatch.setattr(deals, "PLAYED_AT_ONCE", 400)
    assert run(["exact", LEDUC, *GOAL, "--jobs", "1"]) == DONE
    assert sizes == 2 * [1, 2, 2, 2, 2]


def play_too_long(shared, first, size):
    """Play a part of a game that grows after its first one."""
    shared[0].most_positions = 1
    return _PLAY(shared, first, size)


_PLAY = deals._play_shared


@pytest.mark.usefixtures("many_parts")
def test_a_killed_worker_ends_the_run_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr(deals, "_play_shared", kill_worker)
    assert run(["exact", LEDUC, *GOAL, "--jobs", "2"]) == FAILED
    assert "a worker process was killed" in capsys.readouterr().err


def kill_worker(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_small_game_starts_no_workers(workers):
    assert run(["exact", KUHN, *GOAL, "--jobs", "4"]) == DONE
    assert run(["solve", LEDUC, "--deal", "chips=1", "--jobs", "4", "--iterations", "5"]) == DONE
    assert not workers
