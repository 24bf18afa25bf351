"""`--quiet`: results and errors only, no progress and no notes, in every command alike."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from trutdsl.cli import output
from trutdsl.cli.app import COMMANDS, load_command, run
from trutdsl.cli.match_progress import MatchProgress

WHO = ["--strategies", "uniform,quiet"]
FEW = ["--strategies", "uniform", "--sets", "4", "--jobs", "1"]
OLD = Path(__file__).parents[1] / "editions" / "names.yaml"  # of an older edition
LOUD = {  # commands that print a note, with their arguments in a new folder
    "tournament": ["trut", *WHO, "--sets", "2", "--jobs", "1"],
    "plan": ["trut", *WHO, "--detect", "0.5", "--pilot", "2", "--jobs", "1"],
    "compare": ["trut", "trut:goal=2", *FEW],
    "sweep": ["trut", "--param", "goal=1,2", *FEW],
    "rules": ["trut", "-o", "rules.md"],
    "simulate": [str(OLD), "--matches", "1"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_quiet(name):
    flags = [flag for param in load_command(name).params for flag in param.opts]
    assert flags.count("--quiet") == flags.count("-q") == 1


@pytest.mark.parametrize("name", LOUD)
def test_quiet_leaves_out_notes(name, tmp_path, monkeypatch, capfd):
    if str(OLD) in LOUD[name]:
        monkeypatch.setenv("TRUTDSL_CACHE", "")  # a file is warned of when it is not yet known
    said = []
    for more in ([], ["-q"], ["--quiet"]):
        folder = tmp_path / f"run{len(said)}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert run([name, *LOUD[name], *more]) == 0
        said.append(capfd.readouterr())
    assert said[0].err and said[1].err == said[2].err == ""
    assert said[0].out.splitlines()[:1] == said[1].out.splitlines()[:1]


def test_errors_stay(capfd):
    assert run(["simulate", "trut", "--matches", "0", "-q"]) == 2
    assert capfd.readouterr().err == "error: --matches must be at least 1, not 0\n"
    assert run(["check", "nowhere.yaml", "-q"]) == 2
    assert "nowhere.yaml" in capfd.readouterr().err


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_shown_on_a_terminal_unless_quiet(quiet, monkeypatch, capfd):
    monkeypatch.setattr(output, "_quiet", quiet)
    terminal, now = Console(file=StringIO(), force_terminal=True), [0.0]
    for console in (terminal, Console(file=StringIO())):
        with MatchProgress(1000, console, lambda: now[0]) as told:
            for _ in range(3):
                now[0] += 11
                told.add(100, 800)
    assert ("300 of 1,000 matches" in terminal.file.getvalue()) is not quiet
    assert ("300 of 1,000 matches" in capfd.readouterr().err) is not quiet
