"""`docs/scenarios.md`: its examples run, and its tables are complete."""

import re

import pytest
from documents import rows, run_commands

from trutdsl.scenario.read import START_KEYS
from trutdsl.scenario.read_expected import EXPECT_KEYS


@pytest.fixture(scope="module")
def page(request):
    return request.config.rootpath / "docs" / "scenarios.md"


def test_commands_print_the_shown_output(page, tmp_path, monkeypatch, capsys, request):
    run_commands(page, tmp_path, monkeypatch, capsys, request.config.getoption("--update"))
    text = page.read_text(encoding="utf-8")
    assert "1 passed, 0 failed" in text
    assert "0 passed, 1 failed" in text


@pytest.mark.parametrize(("mark", "keys"), [("start", START_KEYS), ("expect", EXPECT_KEYS)])
def test_every_key_has_its_row(mark, keys, page):
    assert list(rows(page.read_text(encoding="utf-8"), mark)) == list(keys)


def test_every_code_is_explained(page, root):
    code = re.compile(r'\b(?:error|reject)\(\s*"([a-z-]+)"')
    sources = (root / "trutdsl" / "scenario").glob("*.py")
    found = {c for p in sources for c in code.findall(p.read_text(encoding="utf-8"))}
    assert found == set(rows(page.read_text(encoding="utf-8"), "codes"))
