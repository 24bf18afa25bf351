"""The seed where none is given: 1 for scripts; for programs, which could guess it, a random one."""

import json
import re
import shutil
from pathlib import Path

import pytest
from run_files import contents

import trutdsl
from trutdsl.cli.app import run
from trutdsl.strategy import load_strategy, settle_seed
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
    "sweep": ["--param", "goal=1;2", "--sets", "2", "--jobs", "1"],
    "ambiguities": ["--sets", "2", "--jobs", "1"],
}
PLAY = ["tournament", "trut", "--strategies", "uniform,any.py", "--param", "goal=1", "--jobs=1"]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    (tmp_path / "any.py").write_text(STRATEGY)
    monkeypatch.chdir(tmp_path)


def seed_of(folder):
    return json.loads(Path(folder, "manifest.json").read_text(encoding="utf-8"))["seed"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_random_seed_is_told_and_plays_the_same_again(command, capsys):
    def told(strategies, *more):
        shutil.rmtree("reports", ignore_errors=True)
        assert run([command, "trut", "--strategies", strategies, *COMMANDS[command], *more]) == 0
        out = capsys.readouterr().out
        if command == "plan":  # whose last line says how long it takes on this machine
            out = out[: out.rindex("for all of them")]
        return int(re.search(r"seed (\d+)", out)[1]), out

    first = told("uniform,any.py")
    assert first[0] > 2**64
    assert told("uniform,any.py", "--seed", str(first[0])) == first
    assert told("uniform,steady")[0] == 1


def test_it_is_random_where_a_program_plays():
    Path("any.bot").write_text("# Any.\nsh any.sh\n")
    uniform, searching = load_strategy("uniform"), load_strategy("monte-carlo:playouts=5")
    assert settle_seed(None, [uniform, searching]) == 1
    for program in map(load_strategy, ("any.py", "any.bot")):
        drawn = [settle_seed(None, [uniform, program]) for _ in range(40)]
        assert len(set(drawn)) == 40 and 2**120 < max(drawn) <= LARGEST_SEED
        assert settle_seed(7, [program]) == 7


def test_a_run_goes_on_with_its_own_seed(capsys):
    assert run([*PLAY, "--sets", "4", "--out", "run"]) == 0
    seed, first = seed_of("run"), contents("run")
    assert seed > 2**64
    assert run([*PLAY, "--sets", "4", "--out", "run"]) == 0
    assert contents("run") == first
    assert run([*PLAY, "--sets", "6", "--out", "run"]) == 0
    assert run([*PLAY, "--sets", "6", "--out", "whole", "--seed", str(seed)]) == 0
    assert run([*PLAY, "--sets", "6", "--out", "part", "--seed", str(seed), "--shard", "1/2"]) == 0
    assert run([*PLAY, "--sets", "6", "--out", "part"]) == 0
    assert contents("run") == contents("whole") == contents("part")
    assert run([*PLAY, "--sets", "4", "--out", "other"]) == 0
    assert 2**64 < seed_of("other") != seed
    capsys.readouterr()
    assert run([*PLAY, "--sets", "6", "--out", "run", "--seed", "5"]) == 2
    assert f"(seed: {seed} there, 5 here)" in capsys.readouterr().err
    assert run([*PLAY, "--sets", "6", "--out", "run", "--on-error", "stop"]) == 2
    assert "another experiment (on_error: forfeit there, stop here)" in capsys.readouterr().err
    assert seed_of("run") == seed


def test_parts_are_not_played_under_seeds_of_their_own(capsys):
    assert run([*PLAY, "--sets", "4", "--out", "part", "--shard", "1/2"]) == 2
    assert "--shard needs --seed where a program plays" in capsys.readouterr().err
    assert not Path("part").exists()


def test_in_python_too():
    play = {"parameters": {"goal": 1}, "sets": 3, "jobs": 1}
    who = ["uniform", "any.py"]
    first = trutdsl.tournament("trut", who, **play, out="run").results
    seed = first["manifest"]["seed"]
    assert seed > 2**64
    assert trutdsl.tournament("trut", who, **play, out="run").results == first
    assert trutdsl.tournament("trut", who, **play, seed=seed).results == first
    scripts = trutdsl.tournament("trut", ["uniform", "steady"], **play)
    assert scripts.results["manifest"]["seed"] == 1
    found = trutdsl.compare("trut", "trut:goal=1", strategies=who, sets=2, jobs=1)
    assert found.results["comparison"]["seed"] > 2**64
