"""The screen: help, version, completion, progress of a run, colours."""

import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from fake_game import FOUR, FakeStrategy, experiment
from rich.console import Console

import trutdsl.cli.match_progress as match_progress
import trutdsl.cli.progress as progress
from trutdsl.cli.app import COMMANDS, colour_errors, run
from trutdsl.options import Settings
from trutdsl.tournaments.play import count_faults, count_sets, play_sets
from trutdsl.tournaments.run import RunStart
from trutdsl.tournaments.schedule import Chunk
from trutdsl.tournaments.supervisor import FinishedChunk

ESCAPE = "\x1b["


def test_the_version(capsys):
    assert run(["--version"]) == 0
    assert re.fullmatch(r"trutdsl \d+\.\d+\.\d+\n", capsys.readouterr().out)


@pytest.mark.parametrize("name", COMMANDS)
def test_h_prints_the_help_within_80_columns(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run([name, "-h"]) == 0
    short, err = capsys.readouterr()
    assert run([name, "--help"]) == 0
    assert capsys.readouterr().out == short and err == ""
    assert max(map(len, short.splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "200")
    assert run([name, "-h"]) == 0
    wide = capsys.readouterr().out
    assert sorted(wide.split()) == sorted(short.split()), "a word is broken"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell):
    done = complete({"_TRUTDSL_COMPLETE": f"source_{shell}"})
    assert "complete" in done and "trutdsl" in done


@pytest.mark.parametrize(
    ("line", "words"),
    [("trutdsl tou", ["tournament"]), ("trutdsl tournament --sh", ["--shard"])],
)
def test_a_line_is_completed(line, words):
    words_so_far = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    assert complete({"_TRUTDSL_COMPLETE": "complete_bash", **words_so_far}).split() == words


def complete(env):
    call = [sys.executable, "-m", "trutdsl"]
    done = subprocess.run(call, env=os.environ | env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_errors_are_red_on_a_terminal_only(capsys, monkeypatch):
    assert run(["simulate", "trut", "--matches", "0"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("error: ") and ESCAPE not in errors
    assert colour_errors("error: it\nerror: error:").count(ESCAPE + "31m") == 2
    assert colour_errors("x.yaml:3:4: error: no").startswith("x.yaml:3:4: " + ESCAPE)
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour_errors("error: it") == "error: it"


def finish_chunk(plan, first, sets):
    matches, faults = play_sets(plan, Chunk(first, sets))
    record = {"counts": count_sets(plan, matches), "faults": count_faults(plan, faults)}
    return FinishedChunk(Chunk(first, sets), record, tuple(faults), 0.1)


@pytest.fixture
def plan():
    return experiment((*FOUR[:2], FakeStrategy("bad", trouble="raise", at=3)), sets=300)


def begin_progress(plan, console):
    notice = progress.ScreenNotice(console)
    settings = Settings(variant="fake", strategies=tuple(s.name for s in plan.strategies), sets=300)
    previous = finish_chunk(plan, 0, 100)
    rows = lambda: iter([(previous.chunk, previous.entry)])  # noqa: E731
    notice.begin(RunStart(plan, settings, Chunk(0, 300), 200, 100, rows, 2))
    return notice


def test_a_terminal_shows_standings_with_intervals(plan, capsys, monkeypatch):
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    file = StringIO()
    console = Console(file=file, force_terminal=True, width=100)
    notice = begin_progress(plan, console)
    for first in (150, 100, 200):  # chunks may arrive in any order
        notice.add_chunk(finish_chunk(plan, first, 50))
        text = file.getvalue()
    notice.end()
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)[-700:]
    assert "150 of 200 sets" in last and "2 workers" in last and "95 %, at any time" in last
    assert re.search(r"\nb +0\.\d{2} +0\.\d{2} to 0\.\d{2}", last), last
    capsys.readouterr()


def test_intervals_wait_for_missing_chunks(plan):
    notice = begin_progress(plan, Console(file=StringIO(), force_terminal=True))
    notice.add_chunk(finish_chunk(plan, 150, 50))
    assert notice._prefix.tally.sets == 100
    notice.add_chunk(finish_chunk(plan, 100, 50))
    assert notice._prefix.tally.sets == 200
    notice.end()


def test_outside_a_terminal_a_line_reports_progress(plan, capsys, monkeypatch):
    monkeypatch.setattr(match_progress, "EVERY", 0.0)
    notice = begin_progress(plan, Console(file=StringIO()))
    assert "= 1200 matches; 100 sets are there already" in capsys.readouterr().err
    notice.add_chunk(finish_chunk(plan, 100, 50))
    line = capsys.readouterr().err
    assert line.startswith("50 of 200 sets, ") and " deals" in line and ESCAPE not in line
    monkeypatch.setattr(match_progress, "EVERY", 1e9)
    notice.add_chunk(finish_chunk(plan, 150, 50))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_a_simulation_reports_progress(terminal, capsys, monkeypatch):
    monkeypatch.setattr(match_progress, "EVERY", 0.0)
    file = StringIO()
    counts = {"matches": 250, "deals": 5000}
    console = Console(file=file, force_terminal=terminal)
    with match_progress.MatchProgress(1000, console) as reporter:
        reporter.add_counts(counts)
    output = file.getvalue() if terminal else capsys.readouterr().err
    assert "250 of 1,000 matches, 5,000 deals" in output


def test_a_long_simulation_is_announced(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(match_progress, "EVERY", 1e9)
    reporter = match_progress.MatchProgress(10_010, Console(file=StringIO()), lambda: now[0])
    for _ in range(3):
        reporter.add_counts({"matches": 10, "deals": 50})
        now[0] += 5
    # 10 matches in 5 seconds, 9,980 to go.
    assert capsys.readouterr().err == "this takes about 83 min\n"
