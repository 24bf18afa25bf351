"""A command imports no module that it does not need."""

import json
import subprocess
import sys

import pytest

from trutdsl.cli.app import GROUPS, run

# Runs a command as the program does, then prints the imported modules.
LIST_MODULES = """
import json, sys
from trutdsl.cli.app import run
code = run(sys.argv[1:])
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""
HEAVY = {"lark", "llvmlite", "numpy", "pandas", "scipy", "multiprocessing", "matplotlib", "jinja2"}
ENGINES = {"trutdsl.interp", "trutdsl.ir", "trutdsl.native", "trutdsl.passes", "trutdsl.table"}


def imported_modules(command):
    call = [sys.executable, "-c", LIST_MODULES, *command.split()]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("command", "unused"),
    [
        ("--help", ["rich", "yaml", "trutdsl.variant"]),
        ("list", ["yaml", "trutdsl.variant"]),
        ("check trut", ["rich"]),
        ("check house.yaml", ["rich"]),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(command, unused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    house = "variant: house\ntitle: A house rule\nextends: trut\nset: {goal: 3}\n"
    (tmp_path / "house.yaml").write_text(house, encoding="utf-8")
    if "--help" not in command:
        assert run(command.split()) == 0  # fill the cache
    assert imported_modules(command) & {*HEAVY, *ENGINES, *unused} == set()


@pytest.mark.thorough
def test_a_repeated_tournament_parses_nothing(tmp_path, monkeypatch):
    """Checked rules, checked scripts and machine code come from the cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    play = "tournament trut --strategies steady,caller --sets 2 --jobs 1 --out"
    assert "lark" in imported_modules(f"{play} first")
    loaded = imported_modules(f"{play} second")
    assert loaded & {"lark", "pandas", "matplotlib", "jinja2", "pydantic", "scipy"} == set()
    first, second = (tmp_path / name / "results.json" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()


def test_a_repeated_simulation_loads_no_statistics_and_no_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    command = "simulate trut --players 2 --strategies steady,caller --matches 60"
    compiler = {"trutdsl.ir.lower", "trutdsl.ir.flow", "trutdsl.native.emit", "trutdsl.passes"}
    assert compiler <= imported_modules(command)
    loaded = imported_modules(command)
    assert loaded & {"lark", "yaml", "scipy", "rich", "multiprocessing", *compiler} == set()


def test_a_transcript_loads_no_statistics():
    loaded = imported_modules("simulate trut --matches 1 --transcript -")
    assert loaded & {"scipy", "pandas", "matplotlib", "trutdsl.tournaments.run"} == set()


def test_the_help_of_commands_imports_few_modules():
    """It needs only the modules for options and messages."""
    load = "import json, sys\nfrom trutdsl.cli.app import COMMANDS, load_command\n"
    load += "for name in COMMANDS: load_command(name)\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=True)
    loaded = {name for name in json.loads(done.stdout) if name.split(".")[0] != "typer"}
    known = {"cli", "diagnostics", "files", "language", "options", "shape", "streams"}
    ours = {name.split(".")[1] for name in loaded if name.startswith("trutdsl.")}
    assert ours == known
    assert loaded & {*HEAVY, "rich", "yaml", "click", "secrets", "babel"} == set()


def test_a_first_check_reads_and_builds_the_rules(tmp_path, monkeypatch):
    """This confirms the names of modules in the tests above."""
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    assert {"lark", "trutdsl.ir"} <= imported_modules("check trut")


def test_no_line_of_the_help_is_broken(capsys):
    assert run(["--help"]) == 0
    listed = capsys.readouterr().out.split("\n\n")[3:]
    assert [[line.split(maxsplit=1) for line in part.splitlines()] for part in listed] == [
        [[f"{title}:"], *([name, summary] for name, (_, summary) in group.items())]
        for title, group in GROUPS.items()
    ]
