"""The run as a whole: same results however it is made, nothing lost however it ends."""

import json
import multiprocessing
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
from trutdsl.tournaments.missing import play_missing
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.processes import StopRequest, choose_context, run_log
from trutdsl.tournaments.schedule import Chunk, Experiment, chunk_key
from trutdsl.tournaments.supervisor import FinishedChunk, Supervisor
from trutdsl.tournaments.worker import Task


def list_results(plan, sets):
    """Count nothing, keep all: what was played can then be compared match by match."""
    return {
        "sets": [
            [number, [[[r.winner, r.deals, r.forfeited] for r in legs] for legs in results]]
            for number, results in outcomes(sets, plan.design)
        ]
    }


def run(
    plan: Experiment,
    folder: Path,
    jobs: int = 2,
    stop: StopRequest | None = None,
    progress: Callable = lambda _: None,
    method: str | None = None,
    move_timeout: float = 10.0,
    by_pipe: bool = False,
    **how,
) -> list:
    """Play what is missing in the folder's journal and return the sets that it holds then."""
    task = Task(plan, list_results, move_timeout, by_pipe)
    with Journal(folder / "j.sqlite", "m") as journal:
        span = how.pop("span", Chunk(0, plan.sets))
        start = lambda: Supervisor(task, jobs, choose_context(method))  # noqa: E731
        play_missing(plan, span, journal, start, stop or StopRequest(), progress, **how)
        return sets_in(journal)


def sets_in(journal: Journal) -> list:
    return [one for _, kept in journal.rows() for one in kept["counts"]["sets"]]


def kept(folder: Path) -> int:
    with Journal(folder / "j.sqlite", "m") as journal:
        return sum(chunk.sets for chunk in journal.chunks())


def play_here(plan: Experiment) -> list:
    played, _ = play_sets(plan, Chunk(0, plan.sets))
    return json.loads(json.dumps(list_results(plan, played)["sets"]))


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
@pytest.mark.parametrize("chunk", [1, 7, 1000, None])
def test_any_number_of_workers_gives_what_one_loop_gives(tmp_path, jobs, chunk):
    plan = experiment(sets=60)
    assert run(plan, tmp_path, jobs, chunk=chunk) == play_here(plan)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_any_way_to_start_workers(tmp_path, method):
    plan = experiment((FOUR[0], FakeStrategy("bad", trouble="raise", at=3)), sets=20)
    assert run(plan, tmp_path, method=method) == play_here(plan)
    assert not multiprocessing.active_children()


def test_progress_tells_of_every_set(tmp_path):
    told = []
    run(experiment(sets=70), tmp_path, progress=lambda done: told.append(done.chunk.sets))
    assert sum(told) == 70


def test_chunks_grow_until_they_take_long_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "AIM", 0.05)
    plan, told = experiment(sets=3000), []
    run(plan, tmp_path, jobs=1, progress=told.append)
    assert told[0].chunk.sets == 1 and len(told) < 1000
    slow, told = experiment((FOUR[0], FakeStrategy("slow", trouble="slow")), sets=12), []
    (tmp_path / "slow").mkdir()
    run(slow, tmp_path / "slow", jobs=1, progress=told.append)
    assert len(told) >= 6, "chunks of many slow matches"


class Even:
    """Plays nothing, two chunks at once; each set takes as long."""

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


def test_the_last_chunks_are_short_and_not_mere_overhead(tmp_path):
    """A million sets that take 10 s: the last ones end within 16 ms, and few chunks are shorter."""
    plan, lengths = experiment(sets=10**6), []
    span = Chunk(0, plan.sets)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        note = lambda done: lengths.append(done.seconds)  # noqa: E731
        play_missing(plan, span, journal, lambda: Even(1e-5), StopRequest(), note)
    assert sum(lengths) == pytest.approx(10)
    assert max(lengths) <= 0.5 and max(lengths[-2:]) <= 0.016
    assert sum(length < 0.015 for length in lengths[len(lengths) // 2 :]) <= 1


def test_a_stopped_run_keeps_what_is_finished_and_goes_on(tmp_path):
    plan, stop = experiment(sets=130), StopRequest()

    def stop_after_some(_):
        stop.signal = signal.SIGINT

    with pytest.raises(RunStopped, match="of 130 sets are done and kept") as stopped:
        run(plan, tmp_path, stop=stop, progress=stop_after_some)
    assert stopped.value.signal == signal.SIGINT
    assert 0 < kept(tmp_path) < 130
    before, played = kept(tmp_path), []
    assert run(plan, tmp_path, 3, progress=played.append) == play_here(plan)
    assert sum(done.chunk.sets for done in played) == 130 - before, "some were played again"


def test_more_sets_play_only_the_new_ones(tmp_path):
    run(experiment(sets=10), tmp_path)
    plan, played = experiment(sets=25), []
    assert run(plan, tmp_path, progress=played.append) == play_here(plan)
    assert sorted(s for d in played for s in range(d.chunk.first, d.chunk.beyond)) == [
        *range(10, 25)
    ]


def test_what_the_journal_holds_is_not_played_again(tmp_path):
    plan = experiment(sets=10)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        for chunk in (Chunk(0, 3), Chunk(3, 7)):
            journal.add(chunk_key(plan, chunk), chunk, {"counts": {"sets": [chunk.first]}})
    assert run(plan, tmp_path) == [0, 3]


def test_a_part_of_the_sets_is_played_by_itself(tmp_path):
    plan = experiment(sets=20)
    assert run(plan, tmp_path, span=Chunk(5, 6)) == play_here(plan)[5:11]


def stop_later(stop, seconds):
    def request():
        stop.signal = signal.SIGINT

    threading.Timer(seconds, request).start()


def test_a_match_that_does_not_end_does_not_hold_up_who_stops_the_run(tmp_path):
    plan = experiment((FOUR[0], FakeStrategy("stuck", trouble="hang", at=3)), sets=64)
    told, stop = [], StopRequest()

    def stop_at_the_third(_):
        told.append(1)
        if len(told) == 3:
            stop_later(stop, 0.3)  # the worker is in set 3 by then

    with pytest.raises(RunStopped):
        run(plan, tmp_path, jobs=1, stop=stop, progress=stop_at_the_third, chunk=1)
    assert not multiprocessing.active_children()
    assert kept(tmp_path) == 3


@pytest.mark.parametrize("jobs", [1, 3])
def test_of_several_failures_the_first_in_order_of_play_is_told(tmp_path, jobs):
    bad = [
        FakeStrategy("late", trouble="raise", at=9),
        FakeStrategy("early", trouble="think and raise", at=7),
    ]
    plan = experiment((FOUR[0], *bad), sets=64)
    with pytest.raises(Failure) as failed:
        run(plan, tmp_path, jobs, stop_at_fault=True)
    assert str(failed.value) == (
        "strategy 'early' (fake.py) failed in match 7: ValueError: early "
        "(player 1 (a), player 2 (early))"
    )
    assert kept(tmp_path) >= 7 - 4, "chunks before the failure are kept"


class EnoughAfter:
    """Stops at the first place by which so many matches were won by team 0."""

    every = 8

    def __init__(self, wins):
        self.wins, self.asked = wins, []

    def settles(self, kept):
        kept = list(kept)
        sets = [s for one in kept for s in one["counts"]["sets"]]
        self.asked.append([s[0] for s in sets])
        self.wins -= sum(r[0] == 0 for _, c in sets for legs in c for r in legs)
        return self.wins <= 0


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("chunk", [1, 5, None])
def test_a_run_ends_at_the_same_set_however_it_is_made(tmp_path, jobs, chunk):
    plan, rule = experiment(FOUR[:2], sets=400), EnoughAfter(60)
    task = Task(plan, list_results)
    with Journal(tmp_path / "j.sqlite", "m") as journal:
        span = Chunk(0, 400)
        start = lambda: Supervisor(task, jobs, choose_context())  # noqa: E731
        enough = play_missing(plan, span, journal, start, StopRequest(), rule=rule, chunk=chunk)
        wins, expected = 60, 0
        for _, combinations in play_here(plan):
            wins -= sum(r[0] == 0 for legs in combinations for r in legs)
            expected += 1
            if wins <= 0 and expected % 8 == 0:
                break
        assert enough == expected
        assert rule.asked == [list(range(at, at + 8)) for at in range(0, enough, 8)]
        again = EnoughAfter(60)  # from what is kept, without playing
        ended = play_missing(plan, span, journal, pytest.fail, StopRequest(), rule=again)
        assert ended == expected
        assert again.asked == rule.asked


@pytest.mark.parametrize("by_pipe", [False, True])
def test_workers_write_into_the_run_log(tmp_path, by_pipe):
    with run_log(tmp_path / "run.log", forked=not by_pipe) as by_queue:
        assert by_queue is not by_pipe
        run(experiment(sets=20), tmp_path, by_pipe=by_pipe, chunk=1)
    lines = (tmp_path / "run.log").read_text().splitlines()
    writers = {int(line.split()[2]) for line in lines if " sets " in line}
    writers.discard(os.getpid())
    assert writers
    assert sum(bool(re.search(r" sets \d+ to \d+ in \d+\.\d\d s$", line)) for line in lines) == 20
    assert lines[-1].endswith("played; 20 of 20 sets are done")


def test_a_chunk_is_the_same_wherever_it_is_cut():
    plan = experiment(sets=6)

    def played(at, sets):
        return list(outcomes(play_sets(plan, Chunk(at, sets))[0], plan.design))

    assert played(0, 2) + played(2, 3) + played(5, 1) == played(0, 6)


@pytest.mark.parametrize(
    ("overhead", "each", "least", "most"),
    [
        (0.7, 0.002, 900, 1_100),  # four times the overhead, one of them the overhead itself
        (5.0, 0.002, 7_000, 7_600),
        (0.0, 0.002, 240, 260),  # `AIM` seconds
        (0.0, 2.0, 1, 1),
    ],
)
def test_chunks_are_long_where_their_overhead_is(overhead, each, least, most):
    pace, sets = run_module.ChunkPace(), 1
    for _ in range(12):
        sets = max(1, min(pace.sets_after(sets, overhead + sets * each), run_module.GROWTH * sets))
    assert least <= sets <= most
