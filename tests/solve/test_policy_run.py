"""Stopped runs of `solve`: they continue with the same bytes, and bad files are noticed."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from extent import extent

from tests.solve.plain_kuhn import KUHN
from tests.solve.test_solve import LEDUC, solve_kuhn
from trutdsl.cli.app import BAD_INPUT, DONE, FAILED, run
from trutdsl.diagnostics import BadUsage, Remark
from trutdsl.solve import match
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.match import MatchSolver, WorkFile
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
        assert run(command) == BAD_INPUT
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


# ---------------------------------------------------------------- scores in work


def leduc_command(path, *options):
    return ["solve", LEDUC, "--iterations", "30", "--target", "0", "-o", str(path), *options]


def stop_at(look, patched):
    """Stop a run after this look at the scores in work; return the list of all looks."""
    update, looks = WorkFile.update, []

    def stopping(work, arrays):
        update(work, arrays)
        looks.append(arrays)
        if len(looks) == look:
            raise KeyboardInterrupt

    patched.setattr(WorkFile, "update", stopping)
    return looks


@pytest.fixture
def whole_leduc(tmp_path):
    assert run(leduc_command(tmp_path / "whole.policy", "--param", "goal=1")) == DONE
    return (tmp_path / "whole.policy").read_bytes()


@pytest.mark.parametrize("look", [1, 2, 3])
def test_scores_that_lead_to_each_other_continue_after_a_stop(
    look, tmp_path, monkeypatch, capsys, whole_leduc
):
    path = tmp_path / "leduc.policy"
    with monkeypatch.context() as patched:
        stop_at(look, patched)
        assert run(leduc_command(path, "--param", "goal=1")) == 130
    work = tmp_path / "leduc.policy.part.0"
    assert f"is kept in {work};" in capsys.readouterr().err
    with monkeypatch.context() as patched:
        looks = stop_at(0, patched)
        assert run(leduc_command(path, "--param", "goal=1")) == DONE
    assert len(looks) == 3 - look
    assert path.read_bytes() == whole_leduc
    assert not work.exists()


def test_a_score_that_had_reached_its_target_is_not_improved_after_a_stop(tmp_path, monkeypatch):
    options = "--param", "goal=1", "--target", "0.9"
    assert run(leduc_command(tmp_path / "whole.policy", *options)) == DONE
    path = tmp_path / "leduc.policy"
    with monkeypatch.context() as patched:
        stop_at(1, patched)
        assert run(leduc_command(path, *options)) == 130
    looks = stop_at(0, monkeypatch)
    assert run(leduc_command(path, *options)) == DONE
    assert not looks
    assert path.read_bytes() == (tmp_path / "whole.policy").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda data, _: data[:-1],
        lambda data, _: data + bytes(8),
        lambda data, _: data[:-1] + bytes([data[-1] ^ 1]),
        lambda _data, _: b"",
        lambda _data, other: other,
    ][:: extent(2, 1)],
    ids=["short", "long", "flipped", "empty", "of another target"][:: extent(2, 1)],
)
def test_a_bad_file_of_scores_in_work_is_noted_and_not_used(
    change, tmp_path, monkeypatch, capsys, whole_leduc
):
    path, contents = tmp_path / "leduc.policy", []
    work = path.with_name("leduc.policy.part.0")
    for target in ("0.01", "0"):
        with monkeypatch.context() as patched:
            stop_at(1, patched)
            options = "--param", "goal=1", "--target", target
            assert run(leduc_command(path, *options)) == 130
        contents.append(work.read_bytes())
        work.unlink()
    work.write_bytes(change(*reversed(contents)))
    capsys.readouterr()
    assert run(leduc_command(path, "--param", "goal=1")) == DONE
    text = f"{work} is damaged, or of another run; its scores begin again\n"
    assert capsys.readouterr().err.startswith(text)
    assert path.read_bytes() == whole_leduc


@pytest.mark.thorough
def test_a_killed_worker_loses_little(tmp_path, monkeypatch):
    """A kill leaves no time to write; so scores in work are written now and then."""
    whole, path = tmp_path / "whole.policy", tmp_path / "leduc.policy"
    assert run(leduc_command(whole, "--param", "goal=3")) == DONE
    update, this = WorkFile.update, os.getpid()

    def killed(work, arrays):
        if os.getpid() != this:
            if work.arrays:
                os.kill(os.getpid(), signal.SIGKILL)
            update(work, arrays)

    with monkeypatch.context() as patched:
        patched.setattr(match, "SAVE_EVERY", -1.0)
        patched.setattr(WorkFile, "update", killed)
        assert run(leduc_command(path, "--param", "goal=3", "--jobs", "2")) == FAILED
    assert list(tmp_path.glob("leduc.policy.part.*"))
    assert run(leduc_command(path, "--param", "goal=3", "--jobs", "3")) == DONE
    assert path.read_bytes() == whole.read_bytes()
    assert {one.name for one in tmp_path.iterdir()} == {"whole.policy", "leduc.policy"}


def test_a_file_of_scores_in_work_has_the_sizes_of_their_arrays(tmp_path):
    arrays = [np.array([1.0, 2.0]), np.array([3.0])]
    work = WorkFile(tmp_path / "a.part.0", lambda: "00" * 32)
    work.update(arrays)
    work.write()
    read = WorkFile(work.path, work.key)
    assert read.read([2, 1])
    assert [one.tolist() for one in read.arrays] == [[1, 2], [3]]
    with pytest.warns(Remark, match="of another run"):
        assert not read.read([2, 2])


def test_what_iterations_have_computed_stays_the_same_while_they_go_on(tmp_path):
    """So a stop in the middle of an iteration leaves whole arrays."""
    _, solver, _ = solve_kuhn(tmp_path, goal=1)
    ends = solver.scores[next(iter(solver.first))]
    deal = DealSolver(ends.tree)
    deal.set_gains(np.linspace(-1, 1, len(ends.tree.kinds)))
    deal.iterate()
    arrays = deal.arrays
    before = [array.tolist() for array in arrays]
    deal.iterate()
    assert [array.tolist() for array in arrays] == before
    assert [array.tolist() for array in deal.arrays] != before
