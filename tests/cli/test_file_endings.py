"""Files with another ending than the program expects, as editors and phones write them."""

from pathlib import Path

import pytest

from trutdsl.cli.app import run

VARIANT = "variant: house\ntitle: House\nextends: trut\nset: {goal: 5}\n"
EXPERIMENT = "experiment: evening\nvariant: trut\nstrategies: [steady, quiet]\nsets: 2\n"
SCRIPTS = ["--strategies", "steady"]


@pytest.mark.parametrize(
    ("name", "call", "new"),
    [
        ("house.txt", ["check", "house.txt"], "house.yaml"),
        ("house.yaml.txt", ["simulate", "house.yaml.txt"], "house.yaml"),
        ("HOUSE.YAML", ["show", "HOUSE.YAML"], "HOUSE.yaml"),
        ("house", ["check", "./house"], "house.yaml"),
        ("house.txt", ["tournament", "house.txt", *SCRIPTS], "house.yaml"),
        ("evening.txt", ["tournament", "evening.txt"], "evening.yaml"),
        ("evening.YML", ["compare", "evening.YML"], "evening.yaml"),
        ("bold.txt", ["simulate", "trut", "--strategies", "bold.txt"], "bold.strategy"),
        ("bold.strategy.txt", ["check", "bold.strategy.txt"], "bold.strategy"),
        ("BOLD.STRATEGY", ["simulate", "trut", "--strategies", "BOLD.STRATEGY"], "BOLD.strategy"),
        ("bold.py.txt", ["simulate", "trut", "--strategies", "bold.py.txt"], "bold.py"),
    ],
)
def test_a_file_with_another_ending_is_to_be_renamed(
    name, call, new, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(VARIANT)
    assert run(call) == 2
    ref = next(one for one in call if one.removeprefix("./") == name)
    ending = Path(new).suffix
    assert capsys.readouterr().err == (
        f"{ref}:1:1: error: the name of this file must end in {ending} [wrong-name]\n"
        f"  help: rename the file: {new}\n"
    )


def test_a_shipped_name_is_not_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("trut").write_text("notes")
    Path("steady").write_text("notes")
    assert run(["tournament", "trut", "--strategies", "steady,quiet", "--sets", "2", "-q"]) == 0


@pytest.mark.parametrize("command", ["tournament", "compare"])
def test_an_experiment_without_its_first_key_is_told_so(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("evening.yaml").write_text(EXPERIMENT.partition("\n")[2])
    assert run([command, "evening.yaml"]) == 2
    assert "has no 'experiment' [missing-key]" in capsys.readouterr().err
