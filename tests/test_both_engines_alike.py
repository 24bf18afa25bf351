"""Errors of rules in play: both engines report them in the same words, in every command.

`tests/bad/runtime` has the messages of `simulate` for these programs.
"""

import io
import re
from pathlib import Path

import pytest
from extent import extent

from trutdsl.cli.app import run

FILES = sorted((Path(__file__).parent / "bad/runtime").glob("*.yaml"))
# These take a second or more in either engine, or need thousands of answers.
LONG = {f"too-long-{name}" for name in ("again", "deal", "defines", "idle", "nested")}
NAMES = [path.stem for path in FILES if path.stem not in LONG]
# A scenario of these has fixed chance, or its deal ends before the error.
PASSING_SCENARIOS = {
    f"out-of-range-{name}"
    for name in ("added-rolled", "below", "returned-roll", "set-joined", "start")
}
ANSWERS = "1\n" * 40
SCENARIO = """\
scenario: {name}
variant: {path}
players: {players}
start: {{dealer: 0}}
actions: []
expect:
  deal_over: true
"""


def run_and_read(command, engine, monkeypatch, capsys):
    """Run a command; return its exit code and its output."""
    monkeypatch.setattr("sys.stdin", io.StringIO(ANSWERS))
    code = run([*command, "--engine", engine])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_in_both(command, monkeypatch, capsys):
    """Run a command in both engines; return the result, which must be the same."""
    reference, native = (
        run_and_read(command, engine, monkeypatch, capsys) for engine in ("reference", "native")
    )
    assert native == reference
    return reference


def message_of(name):
    """Return the message of `simulate` for a program, without its position."""
    first = (FILES[0].parent / f"{name}.txt").read_text("utf-8").splitlines()[0]
    return first.partition(" error: ")[2].rpartition(" [")[0]


@pytest.mark.parametrize("name", NAMES[:: extent(3, 1)])
def test_scenario_and_play_report_an_error_alike(name, tmp_path, monkeypatch, capsys):
    path = FILES[0].parent / f"{name}.yaml"
    scenario = tmp_path / f"{name}.yaml"
    players = re.search(r"players: \[(\d)", path.read_text("utf-8"))[1]
    text = SCENARIO.format(name=name, path=path, players=players)
    scenario.write_text(text, encoding="utf-8")
    code, out, err = run_in_both(["scenario", str(scenario)], monkeypatch, capsys)
    assert name in PASSING_SCENARIOS or (code > 0 and message_of(name) in out + err)
    play = ["play", str(path), "--seed", "1", "--strategies", "uniform"]
    code, out, err = run_in_both(play, monkeypatch, capsys)
    assert (code, message_of(name) in err) == (2, True)


@pytest.mark.parametrize("name", NAMES[::12])
def test_tournaments_report_an_error_alike(name, tmp_path, monkeypatch, capsys):
    command = ["tournament", str(FILES[0].parent / f"{name}.yaml"), "--strategies", "uniform,quiet"]
    more = ["--sets", "1", "--seed", "1", "--jobs", "1", "--out", str(tmp_path)]
    found = []
    for engine in ("reference", "native"):
        out = str(tmp_path / engine)
        found.append(run_and_read([*command, *more[:-1], out], engine, monkeypatch, capsys))
    assert found[0] == found[1]
    assert (found[0][0], message_of(name) in found[0][2]) == (2, True)
