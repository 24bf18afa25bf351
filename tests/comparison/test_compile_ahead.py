"""Parallel compilation of the machine code of cells, which may fail without harm."""

import os
import signal
from multiprocessing.context import ForkProcess

import pytest

from trutdsl.comparison import cell
from trutdsl.comparison.cell import compile_ahead, make_cell
from trutdsl.game import load_game


@pytest.fixture
def cells(tmp_path, monkeypatch):
    """Return three cells of two games, with an empty cache."""
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path))
    games = [load_game("trut", 2, {"goal": goal}, engine="native") for goal in ("1", "2", "1")]
    return [make_cell("it", game, ["quiet"], 1) for game in games]


def test_machine_code_is_stored_for_this_process(cells):
    calls = []
    compile_ahead(cells, 2, lambda *done: calls.append(done))
    assert (calls[0], calls[-1]) == ((0, 2), (2, 2))
    assert not any(one.lacks_machine_code for one in cells)
    compile_ahead(cells, 2, lambda *_: pytest.fail("nothing is missing"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_is_compiled_without_a_gain(cells, monkeypatch, jobs):
    if jobs == 2:
        monkeypatch.setenv("TRUTDSL_CACHE", "")
    compile_ahead(cells, jobs, lambda *_: pytest.fail("it begins"))
    compile_ahead(cells[:1], 2, lambda *_: pytest.fail("it begins"))


def test_a_killed_process_does_not_affect_the_others(cells, monkeypatch):
    make = cell._compile

    def make_or_die(one):
        if one is not cells[1]:
            os.kill(os.getpid(), signal.SIGKILL)
        make(one)

    monkeypatch.setattr(cell, "_compile", make_or_die)
    compile_ahead(cells, 2)
    assert [one.lacks_machine_code for one in cells] == [True, False, True]


def test_ctrl_c_leaves_no_process_behind(cells, monkeypatch, own_processes):
    monkeypatch.setattr(cell, "_compile", lambda _: signal.pause())

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cell, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        compile_ahead(cells, 2)
    assert not own_processes()


def test_ctrl_c_while_a_process_starts_leaves_none_behind(cells, monkeypatch, own_processes):
    monkeypatch.setattr(cell, "_compile", lambda _: signal.pause())
    start = ForkProcess.start

    def start_and_interrupt(process):
        start(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkProcess, "start", start_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        compile_ahead(cells, 2)
    assert not own_processes()
