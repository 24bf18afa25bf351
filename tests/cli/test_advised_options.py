"""Options that messages name: the command that says so has them."""

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


def named_in(path):
    """Return the options that texts of a module name, but for its docstrings."""
    text = path.read_text("utf-8")
    if not OPTION.search(text):  # most modules are not parsed, which takes long
        return set()
    tree = ast.parse(text)
    documents = {
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
        if id(node) not in documents and "`trutdsl " not in node.value  # it names its command
        for option in OPTION.findall(node.value)
    }


OF_PAGES = {"report/figures.py", "report/pictures.py"}  # names of colours
MODULES = [
    path
    for path in PACKAGE.rglob("*.py")
    if named_in(path) and str(path.relative_to(PACKAGE)) not in OF_PAGES
]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_option_that_is_named_is_one(path):
    known = set().union(*map(options_of, COMMANDS)) | {"--help", "--version"}
    assert named_in(path) <= known
    at = str(path.relative_to(PACKAGE))
    mine = [n for n, c in COMMANDS.items() if c[0].startswith(f"{path.stem}:")]
    if at.startswith("cli/") and mine:
        assert named_in(path) - set().union(*map(options_of, mine)) == set()


def test_what_is_said_of_a_folder_advises_nothing_that_some_commands_lack():
    """Commands that are given a folder come there, as `resume`, and others that name one."""
    for path in [*PACKAGE.glob("arena/*.py"), *PACKAGE.glob("experiment/*.py")]:
        assert path.name == "settings.py" or "--out" not in named_in(path)


@pytest.mark.parametrize("command", [["resume"], ["extend", "--sets", "9"], ["verify"]])
def test_a_run_that_is_no_more_what_it_was_is_told_what_to_do(
    command, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "mine.strategy"
    script.write_text('strategy mine "One.":\n    otherwise: any\n')
    begin = ["tournament", "trut", "--strategies", "mine.strategy,quiet", "--sets", "2"]
    assert run([*begin, "--out", "run"]) == 0
    script.write_text('strategy mine "Another.":\n    otherwise:\n        fold\n        any\n')
    capfd.readouterr()
    assert run([command[0], "run", *command[1:]]) == 2
    said = capfd.readouterr().err
    assert {*OPTION.findall(said)} <= options_of(command[0])
    assert said.endswith("what is new goes to another folder, such as run-2\n")
