"""Files with another ending than the program expects, as editors and phones write them."""

import os
from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.cli.output import check_folder

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


@pytest.mark.parametrize("name", ["a:b.strategy", "a,b.strategy", "a:b.py"])
def test_a_name_that_a_call_would_split_is_to_be_changed(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path(name).touch()
    for call in (
        ["check", name] if ":" in name else ["exploit", "trut", "--against", name],
        ["simulate", "trut", "--strategies", name],
        ["simulate", "trut", "--strategies", f"{name}:enough=60"],
    ):
        assert run(call) == 2
        assert capsys.readouterr().err == (
            f"{name}:1:1: error: the name of a strategy's file must have no '{name[1]}', which "
            f"has a meaning in a call [wrong-name]\n  help: rename the file: a-{name[2:]}\n"
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
    error = capsys.readouterr().err
    assert "has no 'experiment' [missing-key]" in error
    assert "help: add `experiment: NAME`" in error


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "rules trut -o a.pdf",
            "-o a.pdf: the name of a rulebook ends in .html, .md or .htm; write -o a.html",
        ),
        (
            "rules trut -o a.MD",
            "-o a.MD: the name of a rulebook ends in .html, .md or .htm; write -o a.md",
        ),
        (
            "simulate trut -o a.txt",
            "-o a.txt: the name of a page ends in .html or .htm; write -o a.html",
        ),
        (
            "report run -o page",
            "-o page: the name of a page ends in .html or .htm; write -o page.html",
        ),
        ("solve trut -o a", "-o a: the name of a policy file ends in .policy; write -o a.policy"),
        (
            "exploit trut -o a.bin",
            "-o a.bin: the name of a policy file ends in .policy; write -o a.policy",
        ),
        (
            "exact trut --scores a.txt",
            "--scores a.txt: the name of a table ends in .csv; write --scores a.csv",
        ),
        (
            "exact trut --scores no/a.csv",
            "--scores no/a.csv: there is no folder no; make it, or write --scores a.csv",
        ),
        (
            "simulate trut --transcript a.yaml",
            "--transcript a.yaml: the name of a transcript ends in .jsonl; write "
            "--transcript a.jsonl",
        ),
        (
            "play trut --transcript a",
            "--transcript a: the name of a transcript ends in .jsonl; write --transcript a.jsonl",
        ),
        ("solve trut -o run", "-o run is a folder; expected a file, such as run/trut.policy"),
        (
            "simulate trut -o sealed/a.html",
            "-o sealed/a.html: you may not write in the folder sealed; name another one",
        ),
        (
            "compare trut trut:goal=3 --out a.csv",
            "--out a.csv is the name of a file, and results go to a folder; write --out a",
        ),
        (
            "tournament trut --strategies steady,quiet -o a.html",
            "--out a.html is the name of a page, and results go to a folder; write --out a, "
            "then `trutdsl report a -o a.html`",
        ),
    ],
)
def test_an_output_has_an_ending_that_fits(call, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    Path("run/results.json").write_text("{}")
    Path("sealed").mkdir()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "sealed")  # as if no root
    assert run(call.split()) == 2
    assert capsys.readouterr() == ("", f"error: {message}\n")


def test_a_folder_that_is_there_may_have_any_name(tmp_path, capsys):
    check_folder("--out", tmp_path / "v1.2")
    file = tmp_path / "evening.yaml"
    file.write_text(EXPERIMENT + "out: a.csv\n")
    assert run(["tournament", str(file)]) == 2
    assert "out: a.csv is the name of a file, and results go" in capsys.readouterr().err
    place = str(tmp_path / "a.html")
    assert run(["merge", "run", "-o", place, "--lang", "fr"]) == 2
    assert "est le nom d'une page" in capsys.readouterr().err
    (tmp_path / "a.html").mkdir()
    check_folder("--out", tmp_path / "a.html")
