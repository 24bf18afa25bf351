"""Experiment files of comparisons: their keys, options that override them, mistakes."""

import json
from pathlib import Path

import pytest

from trutdsl.cli.app import run

EXPERIMENT = """\
experiment: goals
variants: [trut, "trut:goal=5", ./house.yaml]
players: 2
parameters: {trut_window: own_turn}
strategies: [caller, steady]
sets: 40
seed: 0
primary: dealer
margin: [0.02, length.deals=0.5]
whole: true
"""
HOUSE = """\
variant: house
title: Trut to three longs
extends: trut
set: {goal: 3}
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Write an experiment file, change to a folder beside it, and return the file."""
    (tmp_path / "house.yaml").write_text(HOUSE)
    (tmp_path / "goals.yaml").write_text(EXPERIMENT)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "goals.yaml"


def compare(*more):
    assert run(["compare", "../goals.yaml", "--jobs", "1", "--out", "out", *more]) == 0
    return json.loads(Path("out/comparison.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("file")
def test_a_file_declares_a_comparison(capsys):
    results = compare()
    comparison, request = results["comparison"], results["given"]
    assert (
        comparison["primary"],
        comparison["players"],
        comparison["sets"],
        comparison["seed"],
    ) == (
        "dealer",
        2,
        40,
        0,
    )
    assert (comparison["margins"]["shares"], comparison["margins"]["by_name"]) == (
        0.02,
        {"length.deals": 0.5},
    )
    assert list(comparison["strategies"]) == ["caller", "steady"]
    assert request["variants"] == ["trut", "trut:goal=5", "../house.yaml"]
    assert request["parameters"] == ["trut_window=own_turn"] and not request["apart"]
    output = capsys.readouterr().out
    assert (
        output.count("Primary metric, tested by itself: decided deals won by the dealer's side")
        == 2
    )
    assert "Metrics with margins of their own: length.deals 0.5." in " ".join(output.split())


@pytest.mark.thorough
@pytest.mark.usefixtures("file")
def test_an_option_overrides_the_file():
    comparison = compare("--seed", "3", "--deals", "300", "--primary", "draws")["comparison"]
    assert (comparison["seed"], comparison["primary"]) == (3, "draws") and comparison["sets"] != 40


@pytest.mark.thorough
def test_the_folder_is_named_after_the_file(file):
    assert run(["compare", "../goals.yaml", "--jobs", "1", "--sets", "20"]) == 0
    (folder,) = (file.parent / "here/reports").iterdir()
    assert folder.name.startswith("compare-goals-")


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("primary: dealer", "metric: dealer", "8:1", "a comparison has no key 'metric'"),
        ("sets: 40", "sets: 40\ndeals: 5", "7:8", "two ways to say how much is played"),
        ("whole: true", "out: here", "10:1", "it belongs on the command line: --out"),
        ("seed: 0", "seed: x", "7:7", "`seed` must be a whole number"),
    ],
)
def test_mistakes_are_reported_with_their_positions(file, capsys, old, new, place, message):
    file.write_text(EXPERIMENT.replace(old, new))
    assert run(["compare", "../goals.yaml"]) == 2
    output = capsys.readouterr().err
    assert f"goals.yaml:{place}" in output and message in output


def test_an_unknown_primary_metric_is_refused(file, capsys):
    file.write_text(EXPERIMENT.replace("dealer", "dealr"))
    assert run(["compare", "../goals.yaml"]) == 2
    assert "--primary dealr: there is no such metric" in capsys.readouterr().err
