"""Each lost worker is replaced, and no set is lost or counted twice."""

import json
import multiprocessing
import os
import random
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
import test_run
from extent import extent
from fake_game import FOUR, FakeStrategy, experiment
from test_run import count_sets_in_journal, list_results, play_in_one_loop, play_run

from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.strategy.spec import PROCESS_END
from trutdsl.tournaments import supervisor, worker
from trutdsl.tournaments.play import MatchIndex, count_sets
from trutdsl.tournaments.processes import choose_context
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import FinishedChunk, Supervisor
from trutdsl.tournaments.worker import Task

A = FOUR[0]


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ("raise", "raised ValueError"),
        ("die", PROCESS_END),
        ("kill", PROCESS_END),
        ("close", PROCESS_END),
        ("loop", "took too long"),
        ("hang", "took too long"),
        ("loop on", "took too long"),
    ][: extent(-1, None)],
)
def test_a_failing_strategy_forfeits_only_its_match(tmp_path, monkeypatch, trouble, kind):
    monkeypatch.setattr(supervisor, "LATER_BY", 0.1)
    plan = experiment((A, FakeStrategy("bad", 0.4, trouble, at=3), FOUR[3]), sets=8)
    good = experiment((A, FakeStrategy("bad", 0.4), FOUR[3]), sets=8)
    found = []
    sets = play_run(plan, tmp_path, move_timeout=0.2, progress=found.append)
    expected = play_in_one_loop(good)
    with_bad = [leg for leg, seated in enumerate(plan.legs) if 1 in seated]
    for index, combinations in expected:
        results = [r for legs in combinations for r in legs]
        if index == 3:
            for leg in with_bad:
                seat = plan.legs[leg].index(1)
                results[leg][:] = [1 - seat, 0, seat]
    assert sets == expected
    faults = [f for done in found for f in done.entry["faults"]]
    assert sum(f[2] for f in faults) == len(with_bad) == 4
    assert {(f[0], f[1]) for f in faults} == {(1, kind)}


def test_a_stopped_worker_is_replaced(tmp_path, own_processes):
    plan = experiment((A, FOUR[1]), sets=20)
    pids = []

    def stop_a_worker(_):
        if not pids:
            pids.append(own_processes()[0].pid)
            os.kill(pids[0], signal.SIGSTOP)

    assert play_run(plan, tmp_path, 2, progress=stop_a_worker, chunk=1) == play_in_one_loop(plan)
    assert pids


def test_a_sleeping_worker_is_replaced(tmp_path, monkeypatch):
    """In the code of the rules no move clock runs, so at first nobody is at fault."""
    monkeypatch.setattr(supervisor, "LONGEST_SILENCE", 0.5)
    path = tmp_path / "slept"
    plan = experiment((A, FOUR[1]), sets=6)
    plain = plan.play

    def sleep_once(game, meeting, seated, seed, first, rows):
        if first <= 3 < first + len(rows) and not path.exists():
            path.touch()
            while True:
                with suppress(BaseException):
                    time.sleep(1000)
        yield from plain(game, meeting, seated, seed, first, rows)

    object.__setattr__(plan, "play", sleep_once)
    assert play_run(plan, tmp_path) == play_in_one_loop(plan)
    assert path.exists()


def test_a_match_that_no_worker_survives_is_left_out(tmp_path):
    plan = experiment((A, FOUR[1]), sets=10)
    plain = plan.play

    def end_process(game, meeting, seated, seed, first, rows):
        for at, match in enumerate(range(first, first + len(rows))):
            if match == 4 and meeting[seated[0]] is A:
                os._exit(7)
            yield from plain(game, meeting, seated, seed, match, rows.part(at, at + 1))

    object.__setattr__(plan, "play", end_process)
    with pytest.raises(Failure) as failed:
        play_run(plan, tmp_path)
    assert str(failed.value) == (
        "workers were lost repeatedly, so these sets are skipped: "
        "set 4 (player 1 (a), player 2 (b); ended with exit code 7)"
    )
    assert count_sets_in_journal(tmp_path) == 9, "all others are played"


@pytest.mark.parametrize(("others", "named"), [((), 1), ((1,), None)])
def test_damage_is_blamed_on_a_strategy_only_if_no_other_one_ran(monkeypatch, others, named):
    monkeypatch.setattr(worker, "runs_here", lambda spec: spec is not A)
    task, board = Task(experiment(FOUR[:3]), list_results), worker.Board(choose_context())
    outcomes = iter([*(True for _ in others), False])
    with socket.socket() as pipe:
        clock = worker.WorkerClock(board, task, pipe)
    monkeypatch.setattr(worker, "_exit", sys.exit)
    monkeypatch.setattr(clock, "test", SimpleNamespace(passes=lambda: next(outcomes)))
    legs = [leg for leg, seats in enumerate(task.experiment.legs) if seats in ((0, 1), (0, 2))]
    clock.suspect(MatchIndex(0, legs[0]))
    for place in (*others, 0):
        clock.begin(MatchIndex(0, legs[place]))
        board.enter(1)
        board.leave()
    with pytest.raises(SystemExit):
        clock.check()
    assert board.seat == named


def test_a_worker_that_fails_after_its_matches_loses_their_set(
    tmp_path, monkeypatch, capfd, caplog
):
    """A strategy can damage the interpreter, so that even the count of matches fails."""

    def count(plan, sets):
        if 4 in range(sets.first, sets.first + len(sets)):
            raise RuntimeError("damaged")
        return list_results(plan, sets)

    monkeypatch.setattr(test_run, "list_results", count)
    with pytest.raises(Failure, match=r"so these sets are skipped: set 4 .*exit code 1"):
        play_run(experiment((A, FOUR[1]), sets=10), tmp_path)
    assert count_sets_in_journal(tmp_path) == 9
    assert capfd.readouterr().err == ""
    assert "RuntimeError: damaged" in caplog.text


def test_results_that_are_refused_end_the_run(tmp_path, monkeypatch):
    def count(_plan, _sets):
        raise BadUsage("too large")

    monkeypatch.setattr(test_run, "list_results", count)
    with pytest.raises(BadUsage, match="too large"):
        play_run(experiment(sets=2), tmp_path, 1)


def test_workers_that_cannot_start_end_the_run(tmp_path, monkeypatch, own_processes):
    monkeypatch.setattr("trutdsl.tournaments.worker.end_with_parent", lambda: os._exit(9))
    with pytest.raises(Failure, match=r"cannot be started: the last one .*ended with exit code 9"):
        play_run(experiment(sets=4), tmp_path)
    assert not own_processes()


@pytest.mark.parametrize(
    "content", [b"no JSON\n", b"[1]\n", b'{"chunk": [9, 9]}\n', b'{"x": ' * 9999]
)
def test_writes_of_a_strategy_into_the_pipe_are_ignored(tmp_path, content):
    plan = experiment((A, FOUR[1]), sets=6)
    plain, path = plan.play, tmp_path / "said"

    def write_into_pipes(game, meeting, seated, seed, first, rows):
        if not path.exists():
            path.touch()
            for descriptor in range(3, 40):
                with suppress(OSError):
                    if "socket:" in str(Path(f"/proc/self/fd/{descriptor}").readlink()):
                        os.write(descriptor, content + b"\n")
        yield from plain(game, meeting, seated, seed, first, rows)

    object.__setattr__(plan, "play", write_into_pipes)
    assert play_run(plan, tmp_path) == play_in_one_loop(plan)


def open_sockets():
    links = set()
    for descriptor in range(3, 100):
        with suppress(OSError):
            links.add(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
    return {link for link in links if "socket:" in link}


def test_a_worker_has_no_pipe_of_another_one(tmp_path):
    plan, before = experiment((A, FOUR[1]), sets=4), open_sockets()
    plain = plan.play

    def count_and_play(*args):
        (tmp_path / f"{os.getpid()}.sockets").write_text(str(len(open_sockets() - before)))
        yield from plain(*args)

    object.__setattr__(plan, "play", count_and_play)
    play_run(plan, tmp_path, 2, chunk=1)
    assert [file.read_text() for file in tmp_path.glob("*.sockets")] == ["1", "1"]


LEFT = []  # until the process ends


def leave_a_worker():
    task = Task(experiment((A, FOUR[1]), sets=1), count_sets)
    LEFT.append(Supervisor(task, 1, choose_context("fork")))
    LEFT[0].submit(Chunk(0, 1))
    while not LEFT[0].gather(1.0):
        pass  # now the worker ignores SIGTERM, which multiprocessing sends at exit


def test_a_process_ends_also_if_it_has_left_a_worker():
    """As after several signals, of which one interrupts the end of the workers."""
    process = multiprocessing.get_context("fork").Process(target=leave_a_worker)
    process.start()
    process.join(20)
    ended = process.exitcode
    process.kill()
    assert ended == 0


def test_only_the_first_lost_workers_are_reported():
    plan, messages = experiment((A, FakeStrategy("bad", 0.4, "kill", at=1)), sets=6), []
    workers = Supervisor(Task(plan, list_results), 1, choose_context(), messages.append)
    try:
        for _ in range(3):  # two seatings each time
            workers.submit(Chunk(0, 2))
            while workers.busy:
                workers.gather(0.1)
    finally:
        workers.end()
    assert len(messages) == 3
    assert all(" was ended by SIGKILL; it is replaced" in text for text in messages)
    assert messages[2].endswith("and more of them only in the log")


STORMS = int(os.environ.get("CHAOS", "1"))


@pytest.mark.parametrize("storm", range(STORMS))
def test_nothing_is_lost_in_a_storm_of_kills(own_processes, storm):
    """It lasts until 15 workers were killed or stopped."""
    plan = experiment((A, FakeStrategy("slow", 0.3, "slow")), sets=1)
    task, chance = Task(plan, list_results), random.Random(storm)
    workers, found = Supervisor(task, 3, choose_context()), []
    submitted, kills, due = 0, 0, time.monotonic()
    try:
        while kills < 15 or workers.busy:
            while kills < 15 and workers.room:
                workers.submit(Chunk(submitted, 4))
                submitted += 4
            found += workers.gather(0.05)
            if kills < 15 and time.monotonic() > due:
                victim = chance.choice(own_processes())
                number = chance.choice([signal.SIGKILL, signal.SIGSTOP])
                with suppress(ProcessLookupError):
                    os.kill(victim.pid, number)
                kills, due = kills + 1, time.monotonic() + chance.uniform(0.02, 0.2)
    finally:
        workers.end()
    assert all(isinstance(one, FinishedChunk) for one in found)
    sets = sorted(s for one in found for s in one.entry["counts"]["sets"])
    expected = play_in_one_loop(experiment((A, FakeStrategy("slow", 0.3)), submitted))
    assert json.loads(json.dumps(sets)) == expected
