"""The default seed: 1 for scripts, and random for programs, which could guess it."""

import json
import re
import shutil
from pathlib import Path

import pytest
from extent import extent
from run_files import contents

import trutdsl
from trutdsl.cli.app import run
from trutdsl.strategy.load import load_strategy, settle_seed
from trutdsl.streams import LARGEST_SEED

STRATEGY = """\
class Any:
    native = "uniform"

    def choose(self, view):
        return view.actions[view.random.below(len(view.actions))]
"""
COMMANDS = {
    "simulate": ["--param", "goal=1", "--matches", "3"],
    "coverage": ["--param", "goal=1", "--matches", "3"],
    "tournament": ["--param", "goal=1", "--sets", "3", "--jobs", "1"],
    "plan": ["--param", "goal=1", "--detect", "0.3", "--pilot", "3", "--jobs", "1"],
    "compare": ["trut:goal=1", "--sets", "2", "--jobs", "1"],
    # These two settle the seed as `compare` does.
    "sweep": ["--param", "goal=1;2", "--sets", "2", "--jobs", "1"],
    "ambiguities": ["--sets", "2", "--jobs", "1"],
}
PLAY = ["tournament", "trut", "--strategies", "uniform,any.py", "--param", "goal=1", "--jobs=1"]


@pytest.fixture(autouse=True)
def _change_folder(tmp_path, monkeypatch):
    (tmp_path / "any.py").write_text(STRATEGY)
    monkeypatch.chdir(tmp_path)


def read_seed(folder):
    return json.loads(Path(folder, "manifest.json").read_text(encoding="utf-8"))["seed"]


@pytest.mark.parametrize("command", extent(("simulate", "tournament", "plan"), COMMANDS))
def test_a_random_seed_is_printed_and_reproduces_the_run(command, capsys):
    def run_and_read(strategies, *more):
        shutil.rmtree("reports", ignore_errors=True)
        assert run([command, "trut", "--strategies", strategies, *COMMANDS[command], *more]) == 0
        out = capsys.readouterr().out
        if command == "plan":  # its last line depends on this machine
            out = out[: out.rindex("for all of them")]
        return int(re.search(r"seed (\d+)", out)[1]), out

    first = run_and_read("uniform,any.py")
    assert first[0] > 2**64
    assert run_and_read("uniform,any.py", "--seed", str(first[0])) == first
    assert run_and_read("uniform,steady")[0] == 1


def test_the_seed_is_random_if_a_program_plays():
    Path("any.bot").write_text("# Any.\nsh any.sh\n")
    uniform, searching = load_strategy("uniform"), load_strategy("monte-carlo:playouts=5")
    assert settle_seed(None, [uniform, searching]) == 1
    for program in map(load_strategy, ("any.py", "any.bot")):
        seeds = [settle_seed(None, [uniform, program]) for _ in range(40)]
        assert len(set(seeds)) == 40 and 2**120 < max(seeds) <= LARGEST_SEED
        assert settle_seed(7, [program]) == 7


@pytest.mark.thorough
def test_a_resumed_run_keeps_its_seed(capsys):
    assert run([*PLAY, "--sets", "4", "--out", "run"]) == 0
    seed, first = read_seed("run"), contents("run")
    assert seed > 2**64
    assert run([*PLAY, "--sets", "4", "--out", "run"]) == 0
    assert contents("run") == first
    assert run([*PLAY, "--sets", "6", "--out", "run"]) == 0
    assert run([*PLAY, "--sets", "6", "--out", "whole", "--seed", str(seed)]) == 0
    assert run([*PLAY, "--sets", "6", "--out", "part", "--seed", str(seed), "--shard", "1/2"]) == 0
    assert run([*PLAY, "--sets", "6", "--out", "part"]) == 0
    assert contents("run") == contents("whole") == contents("part")
    assert run([*PLAY, "--sets", "4", "--out", "other"]) == 0
    assert 2**64 < read_seed("other") != seed
    capsys.readouterr()
    assert run([*PLAY, "--sets", "6", "--out", "run", "--seed", "5"]) == 2
    assert f"(seed: {seed} there, 5 here)" in capsys.readouterr().err
    assert run([*PLAY, "--sets", "6", "--out", "run", "--on-error", "stop"]) == 2
    assert "another experiment (on_error: forfeit there, stop here)" in capsys.readouterr().err
    assert read_seed("run") == seed


def test_shards_with_a_program_need_a_seed(capsys):
    assert run([*PLAY, "--sets", "4", "--out", "part", "--shard", "1/2"]) == 2
    assert "--shard needs --seed where a program plays" in capsys.readouterr().err
    assert not Path("part").exists()


@pytest.mark.thorough
def test_python_has_the_same_default():
    play = {"parameters": {"goal": 1}, "sets": 3, "jobs": 1}
    strategies = ["uniform", "any.py"]
    first = trutdsl.tournament("trut", strategies, **play, out="run").results
    seed = first["manifest"]["seed"]
    assert seed > 2**64
    assert trutdsl.tournament("trut", strategies, **play, out="run").results == first
    assert trutdsl.tournament("trut", strategies, **play, seed=seed).results == first
    scripts = trutdsl.tournament("trut", ["uniform", "steady"], **play)
    assert scripts.results["manifest"]["seed"] == 1
    found = trutdsl.compare("trut", "trut:goal=1", strategies=strategies, sets=2, jobs=1)
    assert found.results["comparison"]["seed"] > 2**64
