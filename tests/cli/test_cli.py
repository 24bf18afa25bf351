"""The command line: exit codes, messages, JSON."""

import json
import subprocess
import sys

import pytest

from trutdsl.cli.app import COMMANDS, run


def test_shipped_variants_check(root, capsys):
    files = [*(root / "variants").glob("*.yaml"), *(root / "variants/lib").glob("*.yaml")]
    assert run(["check", *map(str, files)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == len(files)
    assert all(": ok, " in line for line in out)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_in_its_help(command, capsys):
    assert run([command, "--help"]) == 0
    assert f"Example: trutdsl {command}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["check", "nowhere.yaml"], 2, "nowhere.yaml:1:1: error: "),
        (["check", "trud"], 2, "did you mean 'trut'?"),
        (["show", "trud"], 2, "did you mean 'trut'?"),
        (["simulate"], 2, "Missing argument"),
        (["simulate", "trut", "--plyers", "2"], 2, "--plyers"),
        (["simulate", "trut", "--players", "5"], 2, "error: trut is for 2, 3, 4, 6 players, not 5"),
        (["simulate", "trut", "--players", "x"], 2, "'--players'"),
        (["simulate", "trut", "--param", "gaol=3"], 2, "did you mean 'goal'?"),
        (["simulate", "trut", "--param", "goal=0"], 2, "from 1 to 99"),
        (["simulate", "trut", "--param", "goal"], 2, "NAME=VALUE"),
        (["simulate", "trut", "--param", "goal=2", "--param", "goal=3"], 2, "set twice"),
        (["simulate", "trut", "--matches", "0"], 2, "at least 1"),
        (["simulate", "trut", "--seed", "-1"], 2, "--seed"),
        (["simulate", "trut", "--engine", "refrence"], 2, "did you mean 'reference'?"),
        (["simulate", "trut", "--strategies", "uniform,uniform,quiet"], 2, "give 1, 2 or 2"),
        (["simulate", "trut", "--transcript", "/nowhere/t"], 2, "cannot be written"),
        (["bogus"], 2, "bogus"),
    ],
)
def test_bad_usage(args, code, message, capsys):
    assert run(args) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_list(capsys):
    assert run(["list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "trut" in [v["name"] for v in found["variants"]]
    assert "uniform" in [s["name"] for s in found["strategies"]]
    assert run(["list"]) == 0
    assert "uniform" in capsys.readouterr().out


def test_show(capsys):
    assert run(["show", "trut"]) == 0
    out = capsys.readouterr().out
    for text in ("7 8 A K Q J 10 9, strongest first", "trut_window", "interrupt", "pass, trut"):
        assert text in out
    assert run(["show", "trut", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["decisions"]["turn"] == ["play CARD", "trut"]
    assert found["parameters"]["goal"]["default"] == "7"


def test_simulate_json(capsys):
    args = ["simulate", "trut", "--matches", "8", "--seed", "4", "--json", "--param", "goal=2"]
    assert run(args) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["matches"] == 8
    assert found["parameters"]["goal"] == "2"
    low, mean, high = (found["deals_per_match"][k] for k in ("low", "mean", "high"))
    assert low < mean < high
    assert mean == found["deals"] / 8
    assert found["deals_per_match"]["method"] == "log-t"
    shares = [*found["wins"], found["draws"]]
    assert {share["method"] for share in shares} == {"clopper-pearson"}
    assert sum(share["mean"] for share in shares) == 1


def test_a_reader_that_has_had_enough_is_no_error():
    command = [sys.executable, "-m", "trutdsl", "simulate", "trut", "--matches", "30"]
    process = subprocess.Popen(
        [*command, "--transcript", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline().startswith(b'{"event": "match"')
    process.stdout.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_game_without_deals_has_no_figure_for_a_deal(tmp_path, capsys):
    (tmp_path / "claim.yaml").write_text(
        "variant: claim\ntitle: Claim\nplayers: [2]\nteams: {2: 2}\n"
        "pack: {suits: {h: hearts}, ranks: [A, K]}\nrules: |\n"
        '  rule match:\n      ask dealer "claim":\n'
        "          claim: end match won by team(dealer)\n          pass: end match drawn\n"
    )
    assert run(["simulate", str(tmp_path / "claim.yaml")]) == 0
    out = capsys.readouterr().out
    assert "deals a match     0.00" in out
    assert "decisions" not in out
