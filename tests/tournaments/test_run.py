"""A run has the same results with any workers, and loses nothing if it is stopped."""

import json
import os
import re
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_game import FOUR, FakeStrategy, experiment, outcomes

import trutdsl.tournaments.missing as run_module
from trutdsl.diagnostics import Failure, RunStopped
from trutdsl.tournaments.journal import Journal
from trutdsl.tournaments.missing import UnfinishedRun
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.processes import StopRequest, choose_context, run_log
from trutdsl.tournaments.schedule import Chunk, Experiment, chunk_key
from trutdsl.tournaments.supervisor import FinishedChunk, Supervisor
from trutdsl.tournaments.worker import Task


def list_results(plan, sets):
    """Return all results instead of counts, for a comparison of matches."""
    return {
        "sets": [
            [number, [[[r.winner, r.deals, r.forfeited] for r in legs] for legs in results]]
            for number, results in outcomes(sets, plan.design)
        ]
    }


def play_run(
    plan: Experiment,
    folder: Path,
    jobs: int = 2,
    stop: StopRequest | None = None,
    progress: Callable = lambda _: None,
    method: str | None = None,
    move_timeout: float = 10.0,
    by_pipe: bool = False,
    **options,
) -> list:
    """Play the missing sets of the folder's journal, and return all its sets."""
    task = Task(plan, list_results, move_timeout, by_pipe)
    with Journal(folder / "j.sqlite", "m") as journal:
        span = options.pop("span", Chunk(0, plan.sets))
        start = lambda: Supervisor(task, jobs, choose_context(method))  # noqa: E731
        unfinished = UnfinishedRun(plan, span, journal, progress=progress, **options)
        unfinished.play(start, stop or StopRequest())
        return read_sets(journal)


def read_sets(journal: Journal) -> list:
    return [one for _, record in journal.rows() for one in record["counts"]["sets"]]


def count_sets_in_journal(folder: Path) -> int:
    with Journal(folder / "j.sqlite", "m") as journal:
        return sum(chunk.sets for chunk in journal.chunks())


def play_in_one_loop(plan: Experiment) -> list:
    matches, _ = play_sets(plan, Chunk(0, plan.sets))
    return json.loads(json.dumps(list_results(plan, matches)["sets"]))


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
@pytest.mark.parametrize("chunk", [1, 7, 1000, None])
def test_any_number_of_workers_equals_one_loop(tmp_path, jobs, chunk, own_processes):
    plan = experiment(sets=60)
    assert play_run(plan, tmp_path, jobs, chunk=chunk) == play_in_one_loop(plan)
    assert not own_processes()


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_any_start_method_of_workers(tmp_path, method, own_processes):
    plan = experiment((FOUR[0], FakeStrategy("bad", trouble="raise", at=3)), sets=20)
    assert play_run(plan, tmp_path, method=method) == play_in_one_loop(plan)
    assert not own_processes()


def test_progress_covers_every_set(tmp_path):
    sizes = []
    play_run(experiment(sets=70), tmp_path, progress=lambda done: sizes.append(done.chunk.sets))
    assert sum(sizes) == 70


def test_chunks_grow_until_they_take_long_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "AIM", 0.05)
    plan, chunks = experiment(sets=3000), []
    play_run(plan, tmp_path, jobs=1, progress=chunks.append)
    assert chunks[0].chunk.sets == 1 and len(chunks) < 1000
    slow, chunks = experiment((FOUR[0], FakeStrategy("slow", trouble="slow")), sets=12), []
    (tmp_path / "slow").mkdir()
    play_run(slow, tmp_path / "slow", jobs=1, progress=chunks.append)
    assert len(chunks) >= 6, "chunks of many slow matches"


class EvenSupervisor:
    """Plays nothing; it takes two chunks at once, and each set takes the same time."""

    def __init__(self, seconds):
        self.seconds, self.under_way = seconds, []

    @property
    def room(self):
        return 2 - len(self.under_way)

    @property
    def busy(self):
        return bool(self.under_way)

    def submit(self, chunk):
        self.under_way.append(chunk)

    def gather(self, _seconds):
        done = self.under_way.pop(0)
        return [FinishedChunk(done, {}, (), done.sets * self.seconds)]

    def end(self):
        pass


def test_the_last_chunks_are_short_but_not_too_short(tmp_path):
    """A million sets take 10 s. The last chunks take at most 16 ms, and few are shorter."""
    plan, lengths = experiment(sets=10**6), []
    span = Chunk(0, plan.sets)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        note = lambda done: lengths.append(done.seconds)  # noqa: E731
        unfinished = UnfinishedRun(plan, span, journal, progress=note)
        unfinished.play(lambda: EvenSupervisor(1e-5), StopRequest())
    assert sum(lengths) == pytest.approx(10)
    assert max(lengths) <= 0.5 and max(lengths[-2:]) <= 0.016
    assert sum(length < 0.015 for length in lengths[len(lengths) // 2 :]) <= 1


def test_a_stopped_run_keeps_finished_sets_and_resumes(tmp_path):
    plan, stop = experiment(sets=130), StopRequest()

    def stop_after_some(_):
        stop.signal = signal.SIGINT

    with pytest.raises(RunStopped, match="of 130 sets are done and kept") as stopped:
        play_run(plan, tmp_path, stop=stop, progress=stop_after_some)
    assert stopped.value.signal == signal.SIGINT
    assert 0 < count_sets_in_journal(tmp_path) < 130
    before, chunks = count_sets_in_journal(tmp_path), []
    assert play_run(plan, tmp_path, 3, progress=chunks.append) == play_in_one_loop(plan)
    assert sum(done.chunk.sets for done in chunks) == 130 - before, "some were played again"


def test_more_sets_play_only_the_new_ones(tmp_path):
    play_run(experiment(sets=10), tmp_path)
    plan, chunks = experiment(sets=25), []
    assert play_run(plan, tmp_path, progress=chunks.append) == play_in_one_loop(plan)
    assert sorted(s for d in chunks for s in range(d.chunk.first, d.chunk.end)) == [*range(10, 25)]


def test_sets_in_the_journal_are_not_played_again(tmp_path):
    plan = experiment(sets=10)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        for chunk in (Chunk(0, 3), Chunk(3, 7)):
            journal.add(chunk_key(plan, chunk), chunk, {"counts": {"sets": [chunk.first]}})
    assert play_run(plan, tmp_path) == [0, 3]


def test_a_part_of_the_sets_is_played_by_itself(tmp_path):
    plan = experiment(sets=20)
    assert play_run(plan, tmp_path, span=Chunk(5, 6)) == play_in_one_loop(plan)[5:11]


def stop_later(stop, seconds):
    def request():
        stop.signal = signal.SIGINT

    threading.Timer(seconds, request).start()


def test_an_endless_match_does_not_delay_a_stop(tmp_path, own_processes):
    plan = experiment((FOUR[0], FakeStrategy("stuck", trouble="hang", at=3)), sets=64)
    calls, stop = [], StopRequest()

    def stop_at_the_third(_):
        calls.append(1)
        if len(calls) == 3:
            stop_later(stop, 0.3)  # the worker is in set 3 by then

    with pytest.raises(RunStopped):
        play_run(plan, tmp_path, jobs=1, stop=stop, progress=stop_at_the_third, chunk=1)
    assert not own_processes()
    assert count_sets_in_journal(tmp_path) == 3


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_first_of_several_failures_is_reported(tmp_path, jobs):
    bad = [
        FakeStrategy("late", trouble="raise", at=9),
        FakeStrategy("early", trouble="think and raise", at=7),
    ]
    plan = experiment((FOUR[0], *bad), sets=64)
    with pytest.raises(Failure) as failed:
        play_run(plan, tmp_path, jobs, stop_at_fault=True)
    assert str(failed.value) == (
        "strategy 'early' (fake.py) failed in match 7: ValueError: early "
        "(player 1 (a), player 2 (early))"
    )
    assert count_sets_in_journal(tmp_path) >= 7 - 4, "chunks before the failure are kept"


class StopAfterWins:
    """Stops at the first place after this number of wins of team 0."""

    every = 8

    def __init__(self, wins):
        self.wins, self.checked = wins, []

    def settles(self, records):
        records = list(records)
        sets = [s for one in records for s in one["counts"]["sets"]]
        self.checked.append([s[0] for s in sets])
        self.wins -= sum(r[0] == 0 for _, c in sets for legs in c for r in legs)
        return self.wins <= 0


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("chunk", [1, 5, None])
def test_a_run_ends_at_the_same_set_with_any_workers(tmp_path, jobs, chunk):
    plan, rule = experiment(FOUR[:2], sets=400), StopAfterWins(60)
    task = Task(plan, list_results)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        span = Chunk(0, 400)
        start = lambda: Supervisor(task, jobs, choose_context())  # noqa: E731
        unfinished = UnfinishedRun(plan, span, journal, rule, chunk=chunk)
        enough = unfinished.play(start, StopRequest())
        wins, expected = 60, 0
        for _, combinations in play_in_one_loop(plan):
            wins -= sum(r[0] == 0 for legs in combinations for r in legs)
            expected += 1
            if wins <= 0 and expected % 8 == 0:
                break
        assert enough == expected
        assert rule.checked == [list(range(at, at + 8)) for at in range(0, enough, 8)]
        second = StopAfterWins(60)  # from the journal alone
        ended = UnfinishedRun(plan, span, journal, second).play(pytest.fail, StopRequest())
        assert ended == expected
        assert second.checked == rule.checked


@pytest.mark.parametrize("by_pipe", [False, True])
def test_workers_write_into_the_run_log(tmp_path, by_pipe):
    with run_log(tmp_path / "run.log", forked=not by_pipe) as by_queue:
        assert by_queue is not by_pipe
        play_run(experiment(sets=20), tmp_path, by_pipe=by_pipe, chunk=1)
    lines = (tmp_path / "run.log").read_text().splitlines()
    writers = {int(line.split()[2]) for line in lines if " sets " in line}
    writers.discard(os.getpid())
    assert writers
    assert sum(bool(re.search(r" sets \d+ to \d+ in \d+\.\d\d s$", line)) for line in lines) == 20
    assert lines[-1].endswith("played; 20 of 20 sets are done")


def test_results_do_not_depend_on_the_division_into_chunks():
    plan = experiment(sets=6)

    def play(at, sets):
        return list(outcomes(play_sets(plan, Chunk(at, sets))[0], plan.design))

    assert play(0, 2) + play(2, 3) + play(5, 1) == play(0, 6)


@pytest.mark.parametrize(
    ("overhead", "each", "least", "most"),
    [
        (0.7, 0.002, 900, 1_100),  # four times the overhead, including the overhead itself
        (5.0, 0.002, 7_000, 7_600),
        (0.0, 0.002, 240, 260),  # `AIM` seconds
        (0.0, 2.0, 1, 1),
    ],
)
def test_chunks_are_longer_with_more_overhead(overhead, each, least, most):
    pace, sets = run_module.ChunkPace(), 1
    for _ in range(12):
        sets = max(1, min(pace.sets_after(sets, overhead + sets * each), run_module.GROWTH * sets))
    assert least <= sets <= most
