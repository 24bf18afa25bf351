"""The run as a whole: same results however it is made, nothing lost however it ends."""

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_game import FOUR, FakeStrategy, experiment

from trutdsl.arena.errors import RunFailed, RunStopped
from trutdsl.arena.journal import Journal
from trutdsl.arena.log import run_log
from trutdsl.arena.play import Abandoned, play_sets
from trutdsl.arena.run import play_missing
from trutdsl.arena.schedule import Chunk, Experiment, chunk_key, cut_chunks
from trutdsl.arena.signals import StopRequest


def list_results(_, sets):
    """Count nothing, keep all: what was played can then be compared match by match."""
    return {
        "sets": [
            [s.index, [[[r.winner, r.deals] for r in legs] for legs in s.results]] for s in sets
        ]
    }


def run(
    plan: Experiment,
    folder: Path,
    jobs: int = 2,
    stop: StopRequest | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> list:
    with Journal(folder / "j.sqlite", "m") as journal:
        play_missing(plan, list_results, journal, jobs, stop or StopRequest(), progress)
        return list(journal.counts())


def kept(folder: Path) -> int:
    with Journal(folder / "j.sqlite", "m") as journal:
        return journal.sets_done()


def play_here(plan: Experiment) -> list:
    return [
        json.loads(json.dumps(list_results(plan, play_sets(plan, c, lambda: False))))
        for c in cut_chunks(plan)
    ]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_workers_gives_what_one_loop_gives(tmp_path, jobs):
    plan = experiment(sets=150)
    assert run(plan, tmp_path, jobs) == play_here(plan)
    assert not multiprocessing.active_children()


def test_progress_tells_of_every_set(tmp_path):
    told = []
    run(experiment(sets=70), tmp_path, progress=told.append)
    assert sum(told) == 70


def test_a_stopped_run_keeps_what_is_finished_and_goes_on(tmp_path):
    plan, stop = experiment(sets=130), StopRequest()

    def stop_after_some(_):
        stop.signal = signal.SIGINT

    with pytest.raises(RunStopped, match="of 130 sets are done and kept") as stopped:
        run(plan, tmp_path, stop=stop, progress=stop_after_some)
    assert stopped.value.signal == signal.SIGINT
    assert 0 < kept(tmp_path) < 130
    played = []
    assert run(plan, tmp_path, 3, progress=played.append) == play_here(plan)
    assert sum(played) < 130, "finished chunks were played again"


def test_what_the_journal_holds_is_not_played_again(tmp_path):
    plan = experiment(sets=10)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        for chunk in cut_chunks(plan):
            journal.add(chunk_key(plan, chunk), chunk.index, chunk.sets, {"kept": chunk.index})
    assert run(plan, tmp_path) == [{"kept": i} for i in range(10)]


def stop_later(stop, seconds):
    def request():
        stop.signal = signal.SIGINT

    threading.Timer(seconds, request).start()


def test_a_match_that_does_not_end_is_ended_when_the_run_stops(tmp_path):
    plan = experiment((FOUR[0], FakeStrategy("stuck", trouble="hang", at=3)), sets=64)
    told, stop = [], StopRequest()

    def stop_at_the_third(_):
        told.append(1)
        if len(told) == 3:
            stop_later(stop, 0.5)  # the worker is in chunk 3 by then

    with pytest.raises(RunStopped):
        run(plan, tmp_path, jobs=1, stop=stop, progress=stop_at_the_third)
    assert not multiprocessing.active_children()
    assert kept(tmp_path) == 3


def test_a_worker_stops_between_two_matches(tmp_path, monkeypatch):
    for module in ("run", "workers"):
        monkeypatch.setattr(f"trutdsl.arena.{module}.GRACE", 120.0)  # nobody is ended from outside
    slow = [FakeStrategy(f"s{i}", trouble="slow") for i in range(10)]  # 1.8 s a chunk of one set
    stop = StopRequest()
    stop_later(stop, 0.2)
    with pytest.raises(RunStopped):
        run(experiment(slow, sets=64), tmp_path, jobs=1, stop=stop)
    assert kept(tmp_path) == 0, "the chunk was played to its end"


def test_sets_are_abandoned_at_once():
    plan, looked = experiment(sets=5), []

    def stopping():
        looked.append(True)
        return len(looked) > plan.matches_per_set + 3

    sets = play_sets(plan, Chunk(0, 0, 5), stopping)
    assert next(sets).index == 0
    with pytest.raises(Abandoned):
        next(sets)


@pytest.mark.parametrize("jobs", [1, 3])
def test_of_several_failures_the_first_in_order_of_play_is_told(tmp_path, jobs):
    bad = [
        FakeStrategy("late", trouble="raise", at=9),
        FakeStrategy("early", trouble="think and raise", at=7),
    ]
    plan = experiment((FOUR[0], *bad), sets=64)
    with pytest.raises(RunFailed) as failed:
        run(plan, tmp_path, jobs)
    assert str(failed.value) == "strategy 'early' failed (seat 0 a, seat 1 early)"
    assert kept(tmp_path) >= 7, "chunks before the failure are kept"


def test_a_worker_that_dies_ends_the_run_with_a_message(tmp_path):
    plan = experiment((FOUR[0], FakeStrategy("deadly", trouble="die", at=20)), sets=64)
    with pytest.raises(RunFailed, match="worker process was ended from outside, crashed"):
        run(plan, tmp_path)
    assert not multiprocessing.active_children()


def test_workers_write_into_the_run_log(tmp_path):
    with run_log(tmp_path / "run.log"):
        run(experiment(sets=20), tmp_path)
    lines = (tmp_path / "run.log").read_text().splitlines()
    writers = {int(line.split()[2]) for line in lines if " chunk " in line}
    assert sum(" chunk " in line for line in lines) == 20
    assert writers and os.getpid() not in writers
    assert lines[-1].endswith("all sets played")


def test_the_run_log_tells_where_a_failure_came_from(tmp_path):
    plan = experiment((FOUR[0], FakeStrategy("bad", trouble="raise")), sets=2)
    with run_log(tmp_path / "run.log"), pytest.raises(RunFailed):
        run(plan, tmp_path)
    assert "in misbehave" in (tmp_path / "run.log").read_text()


def test_a_chunk_is_the_same_wherever_it_is_cut():
    plan = experiment(sets=6)
    whole = list(play_sets(plan, Chunk(0, 0, 6), lambda: False))
    parts = [
        s for f in (0, 2, 5) for s in play_sets(plan, Chunk(0, f, {0: 2, 2: 3, 5: 1}[f]), bool)
    ]
    assert parts == whole
