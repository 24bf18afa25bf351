"""Mistakes of rules in play: both engines tell them in the same words, whatever plays them.

What `simulate` says of each of these programs stands in `tests/bad/runtime`, for either engine.
"""

import io
import re
from pathlib import Path

import pytest

from trutdsl.cli.app import run

FILES = sorted((Path(__file__).parent / "bad/runtime").glob("*.yaml"))
# What takes a second or more, in either engine, or needs thousands of answers.
LONG = {f"too-long-{name}" for name in ("again", "deal", "defines", "idle", "nested")}
NAMES = [path.stem for path in FILES if path.stem not in LONG]
# In a scenario chance is given, or the deal is over before it comes to that.
OTHERWISE = {
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


def told(command, engine, monkeypatch, capsys):
    """Return the exit code of a command, and what it says."""
    monkeypatch.setattr("sys.stdin", io.StringIO(ANSWERS))
    code = run([*command, "--engine", engine])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def both(command, monkeypatch, capsys):
    """Return what both engines say, which must be the same."""
    reference, native = (
        told(command, engine, monkeypatch, capsys) for engine in ("reference", "native")
    )
    assert native == reference
    return reference


def message_of(name):
    """Return the message of a program as `simulate` says it, without its place."""
    first = (FILES[0].parent / f"{name}.txt").read_text("utf-8").splitlines()[0]
    return first.partition(" error: ")[2].rpartition(" [")[0]


@pytest.mark.parametrize("name", NAMES)
def test_in_scenarios_and_when_a_person_plays(name, tmp_path, monkeypatch, capsys):
    path = FILES[0].parent / f"{name}.yaml"
    scenario = tmp_path / f"{name}.yaml"
    players = re.search(r"players: \[(\d)", path.read_text("utf-8"))[1]
    text = SCENARIO.format(name=name, path=path, players=players)
    scenario.write_text(text, encoding="utf-8")
    code, out, err = both(["scenario", str(scenario)], monkeypatch, capsys)
    assert name in OTHERWISE or (code > 0 and message_of(name) in out + err)
    play = ["play", str(path), "--seed", "1", "--strategies", "uniform"]
    code, out, err = both(play, monkeypatch, capsys)
    assert (code, message_of(name) in err) == (2, True)


@pytest.mark.parametrize("name", NAMES[::12])
def test_in_tournaments(name, tmp_path, monkeypatch, capsys):
    command = ["tournament", str(FILES[0].parent / f"{name}.yaml"), "--strategies", "uniform,quiet"]
    more = ["--sets", "1", "--seed", "1", "--jobs", "1", "--out", str(tmp_path)]
    found = []
    for engine in ("reference", "native"):
        out = str(tmp_path / engine)
        found.append(told([*command, *more[:-1], out], engine, monkeypatch, capsys))
    assert found[0] == found[1]
    assert (found[0][0], message_of(name) in found[0][2]) == (2, True)
