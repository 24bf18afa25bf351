"""What is said after a sequential test: one difference, and no verdict that its interval denies."""

import json
from pathlib import Path

import pytest

from trutdsl.cli.app import run

TEST = "tournament trut --strategies {} --test steady,bluffer --margin 0.05 --seed 1 --jobs 1"


def told(strategies, capsys):
    assert run([*TEST.format(strategies).split(), "--out", "run"]) == 0
    results = json.loads(Path("run/results.json").read_text(encoding="utf-8"))
    text = capsys.readouterr().out.replace("\n    ", " ")
    return [line.strip() for line in text.splitlines()], results


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_of_two_strategies_a_single_difference_is_told(capsys):
    lines, results = told("steady,bluffer", capsys)
    (contrast,) = results["contrasts"]
    assert results["stop"]["says"] == "better" and contrast["separated"]
    assert contrast["difference"]["low"] < 0 < contrast["difference"]["high"]
    assert [line for line in lines if " of 100 matches" in line] == [
        line for line in lines if line.startswith("steady less bluffer, allowing for when")
    ]
    assert sum(line.startswith("steady is better than bluffer") for line in lines) == 1
    assert run(["report", "run"]) == 0
    page = next(Path("run").rglob("*.html")).read_text(encoding="utf-8")
    assert "significant by the sequential test" in page


def test_of_three_the_difference_against_the_field_is_told_besides(capsys):
    lines, _ = told("steady,bluffer,tight", capsys)
    assert sum("In their own matches steady" in line for line in lines) == 1
    assert sum("against the whole field" in line for line in lines) == 1


def test_the_test_and_not_an_interval_tells_the_two_apart(capsys):
    lines, _ = told("steady,bluffer", capsys)
    text = " ".join(lines)
    assert "The test decides on steady and bluffer. Two others are told apart if" in text
    assert "Two are told apart if" not in text
