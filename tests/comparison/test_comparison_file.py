"""Experiment files of comparisons: what they say, what goes before them, what is wrong in them."""

import json
from pathlib import Path

import pytest

from trutdsl.cli.app import run

WHOLE = """\
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
    """An experiment file beside the folder in which commands are given."""
    (tmp_path / "house.yaml").write_text(HOUSE)
    (tmp_path / "goals.yaml").write_text(WHOLE)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "goals.yaml"


def compared(*more):
    assert run(["compare", "../goals.yaml", "--jobs", "1", "--out", "out", *more]) == 0
    return json.loads(Path("out/comparison.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("file")
def test_a_file_says_beforehand_what_a_comparison_is_made_for(capsys):
    results = compared()
    asked, given = results["comparison"], results["given"]
    assert (asked["primary"], asked["players"], asked["sets"], asked["seed"]) == (
        "dealer",
        2,
        40,
        0,
    )
    assert (asked["margins"]["shares"], asked["margins"]["by_name"]) == (
        0.02,
        {"length.deals": 0.5},
    )
    assert list(asked["strategies"]) == ["caller", "steady"]
    assert given["variants"] == ["trut", "trut:goal=5", "../house.yaml"]
    assert given["parameters"] == ["trut_window=own_turn"] and not given["apart"]
    told = capsys.readouterr().out
    assert told.count("Declared beforehand, tested by itself: deals won by the dealer's side") == 2


@pytest.mark.usefixtures("file")
def test_an_option_goes_before_the_file():
    asked = compared("--seed", "3", "--deals", "2000", "--primary", "draws")["comparison"]
    assert (asked["seed"], asked["primary"]) == (3, "draws") and asked["sets"] != 40


def test_a_folder_is_called_after_the_file(file):
    assert run(["compare", "../goals.yaml", "--jobs", "1", "--sets", "20"]) == 0
    (folder,) = (file.parent / "here/reports").iterdir()
    assert folder.name.startswith("compare-goals-")


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ("primary: dealer", "metric: dealer", "8:1", "a comparison has no key 'metric'"),
        ("sets: 40", "sets: 40\ndeals: 5", "7:8", "two ways to say how much is played"),
        ("whole: true", "out: here", "10:1", "it belongs on the command line: --out"),
        ("seed: 0", "seed: x", "7:7", "`seed` must be a whole number"),
    ],
)
def test_mistakes_are_told_with_their_places(file, capsys, old, new, place, says):
    file.write_text(WHOLE.replace(old, new))
    assert run(["compare", "../goals.yaml"]) == 2
    told = capsys.readouterr().err
    assert f"goals.yaml:{place}" in told and says in told


def test_a_primary_metric_that_no_game_has_is_refused(file, capsys):
    file.write_text(WHOLE.replace("dealer", "dealr"))
    assert run(["compare", "../goals.yaml"]) == 2
    assert "--primary dealr: there is no such metric" in capsys.readouterr().err
