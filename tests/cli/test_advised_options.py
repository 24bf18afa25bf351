"""Every option that a message names is an option of that command."""

import ast
import re
from pathlib import Path

import pytest

import trutdsl
from trutdsl.cli.app import COMMANDS, load_command, run

PACKAGE = Path(trutdsl.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def options_of(name):
    return {
        flag for param in load_command(name).params for flag in (*param.opts, *param.secondary_opts)
    }


def options_in_messages(path):
    """Return the options that the texts of a module name, except in docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        option
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in docstrings and "`trutdsl " not in node.value  # it names its own command
        for option in OPTION.findall(node.value)
    }


COLOUR_MODULES = {"report/figures.py", "report/pictures.py"}  # CSS names have hyphens, too
MODULES = [  # some name options in docstrings alone
    path
    for path in PACKAGE.rglob("*.py")
    if OPTION.search(path.read_text("utf-8"))
    and str(path.relative_to(PACKAGE)) not in COLOUR_MODULES
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_messages_name_only_options_of_their_command(path):
    known = set().union(*map(options_of, COMMANDS)) | {"--help", "--version"}
    assert options_in_messages(path) <= known
    at = str(path.relative_to(PACKAGE))
    own_commands = [n for n, c in COMMANDS.items() if c[0].startswith(f"{path.stem}:")]
    if at.startswith("cli/") and own_commands:
        assert options_in_messages(path) - set().union(*map(options_of, own_commands)) == set()


def test_messages_about_a_folder_do_not_advise_out():
    """`resume` and others read a folder and have no `--out`, but share these messages."""
    modules = [*PACKAGE.glob("tournaments/*.py")]
    assert PACKAGE / "tournaments/folder.py" in modules
    for path in modules:
        assert "--out" not in options_in_messages(path)


@pytest.mark.parametrize("command", [["resume"], ["extend", "--sets", "9"], ["verify"]])
def test_a_changed_run_gets_advice_that_its_command_accepts(command, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "mine.strategy"
    script.write_text('strategy mine "One.":\n    otherwise: any\n')
    play = ["tournament", "trut", "--strategies", "mine.strategy,quiet", "--sets", "2"]
    assert run([*play, "--out", "run"]) == 0
    script.write_text('strategy mine "Another.":\n    otherwise:\n        fold\n        any\n')
    capfd.readouterr()
    assert run([command[0], "run", *command[1:]]) == 2
    errors = capfd.readouterr().err
    assert {*OPTION.findall(errors)} <= options_of(command[0])
    advice = "or begin a new run with `trutdsl tournament` in a folder such as run-2\n"
    assert errors.endswith(f"restore mine.strategy, {advice}")
