"""Narrow terminals: lines of text fit, and no name to type is cut."""

import pytest
from at_a_terminal import shown

from trutdsl.cli.app import run
from trutdsl.strategy import list_strategies
from trutdsl.variant import list_variants


@pytest.mark.parametrize(
    "call",
    [
        ["simulate", "trut", "--matches", "2", "-q"],
        ["compare", "trut", "trut:goal=3", "--sets", "3", "--out", "out", "-q"],
    ],
)
def test_lines_fit(call, tmp_path):
    text = shown(50, *call, folder=tmp_path)
    assert len(text.splitlines()) > 10
    assert max(len(line) for line in text.splitlines() if " out" not in line) <= 50


@pytest.mark.parametrize("columns", ["60", "40"])
def test_names_are_whole(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    assert run(["list"]) == 0
    words = capsys.readouterr().out.split()
    assert {*list_variants()} <= {*words}
    assert {*list_strategies()} <= {*words}
    assert run(["show", "trut"]) == 0
    words = capsys.readouterr().out.split()
    assert {"fortial_with_three", "look_for_strongest", "interrupt"} <= {*words}
