"""`docs/python.md`: its examples give the shown output, and it lists all names of `trutdsl`."""

import ast
import re
from doctest import DocTestParser, DocTestRunner
from importlib import import_module
from importlib.resources import files

import pytest
from documents import blocks

import trutdsl
from trutdsl.strategy.legs import answers_in_arrays, read_leg
from trutdsl.strategy.load import GROUP

ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \|", re.MULTILINE)


@pytest.fixture
def page(root):
    return (root / "docs" / "python.md").read_text(encoding="utf-8")


def write_files(page, folder):
    for info, body in blocks(page, "python"):
        (folder / info.partition("file=")[2]).write_text(body, encoding="utf-8")


def public_names():
    """Return (module, name, alias) of each public name, as type checkers read them."""
    stub = ast.parse((files("trutdsl") / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return [(node.module, one.name, one.asname) for node in imports for one in node.names]


def test_examples_give_the_shown_output(page, tmp_path, monkeypatch):
    """All blocks are one session; a difference is printed."""
    monkeypatch.chdir(tmp_path)
    write_files(page, tmp_path)
    sessions = blocks(page, "pycon")
    assert len(sessions) >= 5
    session = "\n".join(body for _, body in sessions)
    test = DocTestParser().get_doctest(session, {}, "python.md", "python.md", 0)
    result = DocTestRunner(verbose=False).run(test)
    assert result.failed == 0 and result.attempted > 25


def test_the_strategy_in_arrays_plays_a_batch(page, tmp_path):
    """Play compares match 0 with the results of `choose`."""
    write_files(page, tmp_path)
    seating = [trutdsl.load_strategy(str(tmp_path / "folder.py")), trutdsl.load_strategy("caller")]
    game = trutdsl.load_game("trut", 2, {"goal": "1"}, "native")
    assert answers_in_arrays(game, seating)
    assert sum(map(len, read_leg(game, seating, (0, 1), 1, 0, 20))) == 20


@pytest.mark.parametrize(("module", "name", "alias"), public_names())
def test_a_public_name_is_that_of_its_module(module, name, alias):
    assert alias == name, "without an alias, type checkers treat it as private"
    assert name in dir(trutdsl)
    assert getattr(trutdsl, name) is getattr(import_module(module), name)


def test_the_page_lists_all_public_names(page):
    table = page.split("## Names\n")[1].split("\n## ")[0]
    named = [name for row in ROW.findall(table) for name in row.replace("`", "").split(", ")]
    assert sorted(named) == sorted(name for _, name, _ in public_names())


def test_the_page_uses_no_internal_modules(page):
    page = page.replace(f'[project.entry-points."{GROUP}"]', "")
    assert re.findall(r"trutdsl\.\w+", page) == []


def test_a_missing_attribute_has_the_message_of_python():
    with pytest.raises(AttributeError, match="module 'trutdsl' has no attribute 'load_gmae'"):
        _ = trutdsl.load_gmae


def test_type_checkers_find_the_types():
    assert (files("trutdsl") / "py.typed").is_file()
