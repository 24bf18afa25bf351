"""CONTRIBUTING.md: its recipes name all places of a change, and the tests find a missing one."""

import ast
import re
from dataclasses import fields
from typing import get_args

import pytest

from trutdsl.cli.app import COMMANDS
from trutdsl.ir import nodes
from trutdsl.stats import contrast, summary


@pytest.fixture
def recipes(root):
    """Return the text of each recipe by its title, on one line."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return {
        title: " ".join(part.split()) for title, part in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_every_named_path_exists(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:trutdsl|tests|docs|variants)/[\w./-]+)`", text))
    places = {name for name in named if "NAME" not in name}
    assert len(places) > 40
    assert [name for name in sorted(places) if not (root / name).exists()] == []


def test_every_table_of_names_is_in_its_module(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.findall(r"`([A-Z]\w+)` (?:of|in)\s+`([\w/]+\.py)`", " ".join(text.split()))
    assert len(found) >= 4
    for name, module in found:
        source = (root / module).read_text(encoding="utf-8")
        assert re.search(rf"^(class )?{name}\b", source, re.MULTILINE), f"{name} in {module}"


# A command


def commands_without_row(names, text):
    """Return the commands without a row in the table of the README."""
    return set(names) - set(re.findall(r"^\| `trutdsl ([a-z-]+)", text, re.MULTILINE))


def test_every_command_has_a_row_in_the_readme(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert commands_without_row(COMMANDS, text) == set()
    assert commands_without_row([*COMMANDS, "cards"], text) == {"cards"}


# A node

WALKS = ("trutdsl/interp", "trutdsl/ir/flow", "trutdsl/native/emit")


def names_in(files):
    """Return every name in the code of these files, without docstrings."""
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name | ast.Attribute):
                found.add(node.id if isinstance(node, ast.Name) else node.attr)
    return found


@pytest.mark.parametrize("walk", WALKS)
def test_every_statement_is_in_every_walk(root, walk, recipes):
    statements = {one.__name__ for one in get_args(nodes.Statement)}
    assert len(statements) > 20
    assert statements - names_in((root / walk).rglob("*.py")) == set()
    assert "Idle" not in names_in((root / walk).rglob("*.py"))
    assert f"`{walk}/" in recipes["A node"]


# A statistic


def calls_of(name, root):
    """Yield each call that creates such a record: its file, and the fields in the call."""
    for file in (root / "trutdsl").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if f"{name}(" not in text:
            continue  # parsing all files takes long
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                keywords = {k.arg for k in node.keywords}
                yield file.relative_to(root).as_posix(), keywords


@pytest.mark.parametrize("record", [summary.Standing, summary.Summary, contrast.Pair])
def test_the_recipe_names_every_module_that_creates_a_statistic(record, root, recipes):
    places = list(calls_of(record.__name__, root))
    assert places
    for place, fields_of_call in places:
        assert f"`{place}`" in recipes["A statistic"], f"{record.__name__} of {place}"
        whole = None in fields_of_call  # the call has `**` of another record or of sums
        assert whole or fields_of_call in (set(), {field.name for field in fields(record)})
