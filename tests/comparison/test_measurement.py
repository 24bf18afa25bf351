"""Journal entries of a chunk: counts that do not fit the game and strategies are refused."""

import copy
import json
import multiprocessing
import os
import signal
from dataclasses import replace

import pytest

from trutdsl.comparison.cell import make_cell, measure
from trutdsl.comparison.measurement import is_measured, measure_sets
from trutdsl.game import load_game
from trutdsl.shape import LARGEST
from trutdsl.strategy.count import CountedLegs
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.schedule import Chunk

SETS = 2


@pytest.fixture(scope="module")
def measured_chunk():
    """Return an experiment and the counts of its first sets, as a journal returns them."""
    cell = make_cell("trut", load_game("trut", 2, engine="native"), ("caller", "quiet"), 1)
    experiment = replace(cell.experiment(SETS), play=CountedLegs())
    counts = measure_sets(experiment, play_sets(experiment, Chunk(0, SETS))[0])
    return experiment, json.loads(json.dumps(counts))


def replace_at(counts, *path, to):
    found = copy.deepcopy(counts)
    *way, last = path
    inner = found
    for step in way:
        inner = inner[step]
    inner[last] = to
    return found


def test_counts_are_accepted(measured_chunk):
    experiment, counts = measured_chunk
    assert is_measured(experiment, SETS, counts)
    assert not is_measured(experiment, SETS + 1, counts)


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, LARGEST + 1, -LARGEST - 1])
@pytest.mark.parametrize("path", [("counts", -1), ("chosen", 0, 0), ("taken_any", 0, 0)])
def test_a_bad_number_is_refused(measured_chunk, path, wrong):
    experiment, counts = measured_chunk
    assert is_measured(experiment, SETS, replace_at(counts, *path, to=LARGEST))
    assert not is_measured(experiment, SETS, replace_at(counts, *path, to=wrong))


def test_another_shape_is_refused(measured_chunk):
    experiment, counts = measured_chunk
    for wrong in (
        None,
        {**counts, "more": 0},
        {**counts, "counts": counts["counts"][:-1]},
        {**counts, "counts": dict.fromkeys(map(str, counts["counts"]), 0)},
        {**counts, "chosen": counts["chosen"][:-1]},
        {**counts, "chosen": [row[:-1] for row in counts["chosen"]]},
        {**counts, "chosen": {}},
        {**counts, "taken_any": [row[:-1] for row in counts["taken_any"]]},
        {**counts, "tally": {}},
        replace_at(counts, "counts", 0, to=counts["counts"][0] + 1),
    ):
        assert not is_measured(experiment, SETS, wrong)


def test_a_lost_worker_is_reported(tmp_path):
    cell = make_cell("trut", load_game("trut", engine="native"), ("caller", "quiet"), 1)
    pids, messages = [], []

    def kill_the_worker(_):
        if not pids:
            pids.append(multiprocessing.active_children()[0].pid)
            os.kill(pids[0], signal.SIGKILL)

    found = measure(cell, 40, tmp_path / "one", 1, kill_the_worker, messages.append)
    assert messages == [f"worker {pids[0]} was ended by SIGKILL; it is replaced"]
    assert (found.counts == measure(cell, 40, tmp_path / "other", 1).counts).all()
