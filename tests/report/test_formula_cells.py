"""No CSV cell starts like a formula, whoever wrote its text."""

import csv
import io

import pytest

from trutdsl.cli.app import run
from trutdsl.report import csv_files
from trutdsl.report.csv_files import NUMBER, csv_text, metrics_csv
from trutdsl.strategy.load import FORMULA

TEXTS = [
    "=1+1",
    "+cmd",
    "-2+3",
    "@sum",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\uff1d1",
    "-",
    "1-1=",
    "=-1",
]
VARIANT = """\
variant: odd
title: "=1+1"
summary: "@sum(1)"
players: [2]
teams: {2: 2}
extends: trut
"""


def cells(text, delimiter=","):
    for row in csv.reader(io.StringIO(text), delimiter=delimiter):
        yield from row


def formulas(text, delimiter=","):
    return [
        c
        for c in cells(text, delimiter)
        if c.startswith(tuple(FORMULA)) and not NUMBER.fullmatch(c)
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_may_be_a_formula_gets_a_quote(text):
    (cell,) = cells(csv_text([[text]]))
    expected = text.replace("\r", " ")
    assert cell == (expected if text == "1-1=" else f"'{expected}")


@pytest.mark.parametrize("value", [-1, -0.5, 1e-300, "-0,5", "+3", "-1.5e-07", "a=b", "", "2"])
def test_numbers_and_other_texts_stay(value):
    assert [*cells(csv_text([[value]]))] == [str(value)] or value == ""


@pytest.mark.parametrize("style", ["plain", "fr"])
def test_no_cell_of_the_standings_is_a_formula(style):
    rows = [dict.fromkeys((*csv_files.STANDINGS, *csv_files.PAIRS), text) for text in TEXTS]
    for name in csv_files.RUN_TABLES:
        text = csv_files.run_csv({name: rows}, name, style)
        assert formulas(text, ";" if style == "fr" else ",") == []
        assert "'=1+1" in text


@pytest.mark.thorough
def test_no_cell_of_any_table_that_a_comparison_writes_is_a_formula(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.yaml").write_text(VARIANT)
    call = ["compare", "trut", "odd.yaml", "trut:goal=3", "--sets", "4", "--seed", "1"]
    assert run([*call, "--strategies", "uniform", "--jobs", "1", "--out", "out"]) == 0, (
        capsys.readouterr()
    )
    files = [*(tmp_path / "out").rglob("*.csv")]
    assert {path.name for path in files} >= {"metrics.csv", "ledger.csv"}
    for path in files:
        assert formulas(path.read_text(encoding="utf-8")) == []


def test_one_module_writes_all_csv(root):
    users = [
        p.name
        for p in (root / "trutdsl").rglob("*.py")
        if any(way in p.read_text("utf-8") for way in ("csv.writer", "csv.DictWriter"))
    ]
    assert users == ["csv_files.py"]


def test_no_name_of_a_variant_or_metric_is_a_formula():
    row = dict.fromkeys(("kind", "effect", "pairing", "verdict"), "=1+1")
    row["metric"] = "ends.=1+1"
    row |= dict.fromkeys(("base", "other", "difference", "margin", "p", "p_together"))
    results = {"differences": [{"variant": "@x", "metrics": [row], "points": []}]}
    assert formulas(metrics_csv(results)) == []
    assert "'@x,,ends.=1+1,deals that end because =1+1,'=1+1" in metrics_csv(results)
