"""With `--quiet` every command prints only results and errors, no progress and no notes."""

from io import StringIO
from pathlib import Path

import pytest
from extent import extent
from rich.console import Console

from trutdsl.cli import output
from trutdsl.cli.app import COMMANDS, load_command, run
from trutdsl.cli.match_progress import MatchProgress

STRATEGIES = ["--strategies", "uniform,quiet"]
SMALL_COMPARISON = ["--strategies", "uniform", "--sets", "4", "--jobs", "1"]
OLD_EDITION = Path(__file__).parents[1] / "editions" / "names.yaml"
COMMANDS_WITH_NOTES = {  # with their arguments in a new folder
    "tournament": ["trut", *STRATEGIES, "--sets", "2", "--jobs", "1"],
    "plan": ["trut", *STRATEGIES, "--detect", "0.5", "--pilot", "2", "--jobs", "1"],
    "compare": ["trut", "trut:goal=2", *SMALL_COMPARISON],
    "sweep": ["trut", "--param", "goal=1,2", *SMALL_COMPARISON],
    "rules": ["trut", "-o", "rules.md"],
    "simulate": [str(OLD_EDITION), "--matches", "1"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_quiet(name):
    flags = [flag for param in load_command(name).params for flag in param.opts]
    assert flags.count("--quiet") == flags.count("-q") == 1


@pytest.mark.parametrize("name", list(COMMANDS_WITH_NOTES)[:: extent(2, 1)])
def test_quiet_leaves_out_notes(name, tmp_path, monkeypatch, capfd):
    if str(OLD_EDITION) in COMMANDS_WITH_NOTES[name]:
        monkeypatch.setenv("TRUTDSL_CACHE", "")  # a cached file causes no warning
    outputs = []
    for more in ([], ["-q"]):
        folder = tmp_path / f"run{len(outputs)}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert run([name, *COMMANDS_WITH_NOTES[name], *more]) == 0
        outputs.append(capfd.readouterr())
    assert outputs[0].err and outputs[1].err == ""
    assert outputs[0].out.splitlines()[:1] == outputs[1].out.splitlines()[:1]


def test_errors_stay(capfd):
    assert run(["simulate", "trut", "--matches", "0", "-q"]) == 2
    assert capfd.readouterr().err == "error: --matches must be at least 1, not 0\n"
    assert run(["check", "nowhere.yaml", "--quiet"]) == 2
    assert "nowhere.yaml" in capfd.readouterr().err


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_shown_on_a_terminal_unless_quiet(quiet, monkeypatch, capfd):
    monkeypatch.setattr(output, "_quiet", quiet)
    terminal, now = Console(file=StringIO(), force_terminal=True), [0.0]
    for console in (terminal, Console(file=StringIO())):
        with MatchProgress(1000, console, lambda: now[0]) as reporter:
            for _ in range(3):
                now[0] += 11
                reporter.add(100, 800)
    assert ("300 of 1,000 matches" in terminal.file.getvalue()) is not quiet
    assert ("300 of 1,000 matches" in capfd.readouterr().err) is not quiet
