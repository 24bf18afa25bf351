"""Stopped runs of `solve`: nothing is lost, and a bad file of scores is refused."""

import os
import select
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.solve.plain_kuhn import KUHN
from tests.solve.test_solve import solve_kuhn
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.match import MatchSolver, _workers
from trutdsl.solve.policy_run import _read_unfinished


def test_a_command_that_is_stopped_at_once_begins_again(tmp_path, monkeypatch):
    path = tmp_path / "kuhn.policy"
    command = ["solve", KUHN, "--param", "goal=1", "--iterations", "5", "-o", str(path)]

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(MatchSolver, "solve", stop)
        assert run(command) == 130
    assert not list(tmp_path.iterdir())
    assert run(command) == DONE


def test_a_full_disk_at_the_end_keeps_the_scores(tmp_path, monkeypatch, capsys):
    """The draft of the policy is another file than the scores of the stopped run."""
    path = tmp_path / "kuhn.policy"
    command = ["solve", KUHN, "--param", "goal=1", "--iterations", "5", "-o", str(path)]
    assert run(command) == DONE
    whole = path.read_bytes()
    kept = path.rename(path.with_name("kuhn.policy.part"))

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        assert run(command) in (1, 2)
    assert "No space left on device" in capsys.readouterr().err
    assert kept.read_bytes() == whole
    assert run(command) == DONE
    assert path.read_bytes() == whole
    assert not kept.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data[:-1], "is damaged"),
        (lambda _: b"", "is not a policy"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is damaged"),
        (None, "is a policy for goal=1, not for goal=2"),
    ],
)
def test_a_bad_file_of_a_stopped_run_is_refused_with_the_cure(change, said, tmp_path, capsys):
    path, kept = tmp_path / "kuhn.policy", tmp_path / "other.policy.part"
    command = ["solve", KUHN, "--iterations", "5", "-o"]
    assert run([*command, str(path), "--param", "goal=1"]) == DONE
    content = path.read_bytes()
    kept.write_bytes(change(content) if change else content)
    goal = "goal=1" if change else "goal=2"
    assert run([*command, str(tmp_path / "other.policy"), "--param", goal]) == BAD_INPUT
    error = capsys.readouterr().err
    assert said in error
    assert f"{kept} " in error
    assert error.endswith("(remove this file of a stopped run first)\n")


def test_the_scores_of_a_stopped_run_belong_to_the_same_trees(tmp_path):
    _, solver, known = solve_kuhn(tmp_path, goal=1)
    kept = tmp_path / "kuhn.policy.part"
    (tmp_path / "kuhn.policy").rename(kept)
    assert _read_unfinished(kept, solver, 100, 1e-4).keys() == known.keys()
    tree = next(iter(solver.deals.trees.values()))
    tree.seats[0].keys[0] += np.uint64(1)
    with pytest.raises(BadUsage, match="does not hold all of this game"):
        _read_unfinished(kept, solver, 100, 1e-4)


def test_workers_end_with_a_killed_run():
    """The end of the pipe comes when the last process is gone."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.setpgid(0, 0)
        with _workers(SimpleNamespace(), 2) as pool:
            pool.submit(time.sleep, 60)
            os.write(writing, b"%d" % pool.submit(os.getpid).result())
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(writing)
    assert os.read(reading, 20)
    os.waitpid(child, 0)
    ended = bool(select.select([reading], [], [], 5)[0])
    if not ended:
        os.killpg(child, signal.SIGKILL)
    assert ended and not os.read(reading, 1)
