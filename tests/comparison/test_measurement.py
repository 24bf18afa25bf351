"""What is kept of a chunk is counts of this game and these strategies, or it is not taken."""

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
from trutdsl.strategy import CountedLegs
from trutdsl.tournaments.play import play_sets
from trutdsl.tournaments.schedule import Chunk

SETS = 2


@pytest.fixture(scope="module")
def counted():
    """Return an experiment and what is counted of its first sets, as a journal gives it back."""
    cell = make_cell("trut", load_game("trut", 2, engine="native"), ("caller", "quiet"), 1)
    experiment = replace(cell.experiment(SETS), play=CountedLegs())
    kept = measure_sets(experiment, play_sets(experiment, Chunk(0, SETS))[0])
    return experiment, json.loads(json.dumps(kept))


def changed(kept, *path, to):
    found = copy.deepcopy(kept)
    *way, last = path
    inner = found
    for step in way:
        inner = inner[step]
    inner[last] = to
    return found


def test_what_was_counted_is_taken(counted):
    experiment, kept = counted
    assert is_measured(experiment, SETS, kept)
    assert not is_measured(experiment, SETS + 1, kept)


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, LARGEST + 1, -LARGEST - 1])
@pytest.mark.parametrize("path", [("counts", -1), ("chosen", 0, 0), ("taken_any", 0, 0)])
def test_a_number_that_is_none_is_refused(counted, path, wrong):
    experiment, kept = counted
    assert is_measured(experiment, SETS, changed(kept, *path, to=LARGEST))
    assert not is_measured(experiment, SETS, changed(kept, *path, to=wrong))


def test_another_shape_is_refused(counted):
    experiment, kept = counted
    for wrong in (
        None,
        {**kept, "more": 0},
        {**kept, "counts": kept["counts"][:-1]},
        {**kept, "counts": dict.fromkeys(map(str, kept["counts"]), 0)},
        {**kept, "chosen": kept["chosen"][:-1]},
        {**kept, "chosen": [row[:-1] for row in kept["chosen"]]},
        {**kept, "chosen": {}},
        {**kept, "taken_any": [row[:-1] for row in kept["taken_any"]]},
        {**kept, "tally": {}},
        changed(kept, "counts", 0, to=kept["counts"][0] + 1),
    ):
        assert not is_measured(experiment, SETS, wrong)


def test_a_lost_worker_is_told(tmp_path):
    cell = make_cell("trut", load_game("trut", engine="native"), ("caller", "quiet"), 1)
    killed, told = [], []

    def kill_the_worker(_):
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    found = measure(cell, 40, tmp_path / "one", 1, kill_the_worker, told.append)
    assert told == [f"worker {killed[0]} was ended by SIGKILL; it is replaced"]
    assert (found.counts == measure(cell, 40, tmp_path / "other", 1).counts).all()
