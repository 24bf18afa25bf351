"""Narrow terminals: lines of text fit, and no name to type is cut."""

import os
import sys
from os import terminal_size

import pytest
from at_a_terminal import shown, terminal

from trutdsl.cli.app import run
from trutdsl.report.blocks import Section, TableBlock, text_rows
from trutdsl.report.terminal import fit_lines, fitting_lines, text_lines
from trutdsl.strategy.load import list_strategies
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


@pytest.mark.parametrize("call", [["show", "trut"], ["list"]])
def test_a_terminal_of_no_known_width_has_the_usual_one(call, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(call) == 0
    usual = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "0")
    assert run(call) == 0
    assert capsys.readouterr().out == usual


def test_a_transcript_fits(root, monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "fileno", lambda: 99)
    monkeypatch.setattr(
        "trutdsl.report.terminal.get_terminal_size", lambda _: terminal_size((44, 24))
    )
    assert run(["replay", str(root / "tests/golden/trut-2p.jsonl"), "--deal", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 44
    assert [line for line in lines if line.startswith("    ")]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            30,
            [
                "  5 longs  17.7 (15.8 to 19.6)",
                "  what     how often",
                "  5 longs  17.7 (15.8 to 19.6)",
            ],
        ),
        (
            29,
            [
                "  5 longs: 17.7 (15.8 to",
                "    19.6)",
                "  5 longs: how often: 17.7",
                "    (15.8 to 19.6)",
            ],
        ),
    ],
)
def test_rows_of_a_wide_table_become_sentences(columns, expected, monkeypatch):
    monkeypatch.setattr("trutdsl.report.terminal.NARROWEST_TEXT", 20)
    titles = ("what", "how often")
    rows = text_rows([titles, ("5 longs", "17.7 (15.8 to 19.6)")])
    blocks = [TableBlock("", (), rows[1:]), TableBlock("", titles, rows)]
    with (
        terminal(columns) as (_, its),
        os.fdopen(its, "w", closefd=False) as file,
        fitting_lines(file),
    ):
        assert list(text_lines([Section("", "", blocks)])) == expected


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


def test_facts_go_on_below_their_text(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["show", "trut"]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    cards = lines.index("Pack      32 cards: clubs (c), diamonds (d), hearts (h),")
    assert lines[cards + 1] == "          spades (s)"
    assert lines[lines.index("  000: Rule booklet of the edition by Robin Red Games, in") + 1] == (
        "       French"
    )


def test_a_percent_sign_stays_behind_its_number(monkeypatch):
    monkeypatch.setattr("trutdsl.report.terminal.NARROWEST_TEXT", 20)
    with terminal(20) as (_, its), os.fdopen(its, "w", closefd=False) as file, fitting_lines(file):
        assert list(fit_lines(["  alike in at most 7 % of runs"])) == [
            "  alike in at most",
            "    7 % of runs",
        ]
