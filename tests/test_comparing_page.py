"""`docs/comparing.md`: its commands print the shown output, and its list of metrics is complete."""

import re

import pytest
from documents import run_commands

from trutdsl.cli.app import run


@pytest.fixture(scope="module")
def page(request):
    return request.config.rootpath / "docs" / "comparing.md"


def test_commands_print_the_shown_output(page, tmp_path, monkeypatch, capsys, request):
    run_commands(page, tmp_path, monkeypatch, capsys, request.config.getoption("--update"))
    text = page.read_text(encoding="utf-8")
    assert "Which rule does it?" in text and "Traceback" not in text


def test_every_metric_has_its_row(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    who = ["--strategies", "uniform,quiet,caller", "--sets", "4"]
    assert run(["compare", "trut", "trut:goal=7", *who, "--all", "--json"]) == 0
    names = set(re.findall(r'"metric": "([^"]+)"', capsys.readouterr().out))
    table = page.read_text(encoding="utf-8").split("## The metrics")[1]
    rows = [
        re.escape(name)
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([^`]+)`", line.split("|")[1])
    ]
    known = [re.sub("COUNTER|REASON|QUESTION|OPTION", "[^.]+", row) for row in rows]
    assert {n for n in names if not any(re.fullmatch(k, n) for k in known)} == set()
    assert all(any(re.fullmatch(k, n) for n in names) for k in known)
