"""Output after a sequential test: one difference, and a verdict that fits its interval."""

import json
from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.report.tournament_answers import plain_verdict

TEST = "tournament trut --strategies {} --test steady,bluffer --margin 0.05 --seed 1 --jobs 1"


def run_test(strategies, capsys):
    assert run([*TEST.format(strategies).split(), "--out", "run"]) == 0
    results = json.loads(Path("run/results.json").read_text(encoding="utf-8"))
    text = capsys.readouterr().out.replace("\n    ", " ")
    return [line.strip() for line in text.splitlines()], results


@pytest.fixture(autouse=True)
def _change_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_two_strategies_get_one_difference(capsys):
    lines, results = run_test("steady,bluffer", capsys)
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


def test_three_strategies_also_get_the_difference_against_the_field(capsys):
    lines, _ = run_test("steady,bluffer,tight", capsys)
    assert sum("In their own matches steady" in line for line in lines) == 1
    assert sum("against the whole field" in line for line in lines) == 1


def test_the_test_decides_on_its_two_strategies(capsys):
    lines, _ = run_test("steady,bluffer", capsys)
    text = " ".join(lines)
    assert (
        "The test and its interval decide on steady and bluffer. If these are equally good, they "
        "are told apart in at most 7.5 % of runs: 5 % by the test, and 2.5 % by its interval. Two "
        "others are told apart if" in text
    )
    assert "Two are told apart if" not in text


@pytest.mark.parametrize(
    ("says", "low", "high", "contained"),
    [
        ("better", -0.001, 0.03, "0"),
        ("better", 0.001, 0.03, None),
        ("not better", -0.03, 0.021, "2"),
        ("not better", -0.03, 0.019, None),
        ("open", -0.03, 0.03, None),
    ],
)
def test_an_interval_that_contains_the_rejected_value_is_explained(says, low, high, contained):
    results = {
        "standings": [{"strategy": "a"}, {"strategy": "b"}],
        "contrasts": [
            {"first": "a", "second": "b", "difference": {"mean": 0.01, "low": -1, "high": 1}}
        ],
        "stop": {
            "test": ["a", "b"],
            "margin": 0.02,
            "bounds": [-2.9, 2.9],
            "ratio": 3.0,
            "says": says,
            "difference": {"mean": (low + high) / 2, "low": low, "high": high},
            "normalized_elo": None,
        },
        "manifest": {"meetings": {}, "metric": "matches", "mode": "matches"},
    }
    verdict, note = plain_verdict(results)
    assert verdict.startswith("It is not decided" if says == "open" else "a is ")
    assert ("ended between two looks" in verdict) == (says == "open"), "the ratio is beyond a bound"
    assert (f"The interval contains {contained}: it is two-sided" in note) == bool(contained)
    assert ("interval" in note) == bool(contained)


def test_an_interval_that_excludes_0_decides_beside_the_test(capsys):
    """The test finds steady not better than bluffer; the interval finds it worse."""
    strategies = "tournament trut --strategies steady,tight --seed 1 --jobs 1 --out run --sets 64"
    for test, says in (("tight,steady", "not better"), ("steady,tight", "open")):
        margin = "0.05" if says == "not better" else "0.002"
        assert run([*strategies.split(), "--test", test, "--margin", margin, "--out", says]) == 0
        results = json.loads(Path(says, "results.json").read_text(encoding="utf-8"))
        text = " ".join(capsys.readouterr().out.split())
        stop, (contrast,), (pair,) = results["stop"], results["contrasts"], results["pairs"]
        assert stop["says"] == says
        assert stop["difference"]["low"] * stop["difference"]["high"] > 0
        assert "The interval excludes 0: in these matches steady is better than tight." in text
        assert contrast["separated"] and pair["separated"]
        assert [row["ranks"] for row in results["standings"]] == [[1, 1], [2, 2]]


def test_ranks_against_the_field_do_not_contradict_the_test(capsys):
    lines, results = run_test("steady,bluffer,tight", capsys)
    assert results["stop"]["says"] == "better"
    assert not any(line.startswith("No two of them can be told apart") for line in lines)
    close = sum(not contrast["separated"] for contrast in results["contrasts"])
    assert any(f"Against the whole field {close} of 3 pairs cannot be" in line for line in lines)


def test_pairs_without_intervals_are_not_said_to_be_alike(capsys):
    """Before 200 sets only the two strategies of the test have an interval."""
    lines, results = run_test("steady,bluffer,quiet --sets 64", capsys)
    text = " ".join(lines)
    assert "Nothing can be said on who is better against the whole field: a run with a" in text
    assert "from 200 sets on" in text and "below 200 sets there are none" in text
    assert "cannot be told apart" not in text
    assert {contrast["separated"] for contrast in results["contrasts"]} == {None}
    assert [row["next_separated"] for row in results["standings"]] == [None] * 3
    standings = Path("run/standings.csv").read_text(encoding="utf-8")
    assert "False" not in standings and "True" not in standings
    assert run(["report", "run", "--lang", "fr"]) == 0
    page = next(Path("run").rglob("*.html")).read_text(encoding="utf-8")
    assert "sans intervalle" in page and "On ne peut pas dire qui est meilleure" in page
    assert "ne se départagent pas" not in page and "non significative<" not in page


def test_only_the_pair_of_the_test_is_decided_without_intervals(capsys):
    strategies = "steady,caller,quiet --format one-against-all --against steady --jobs 1"
    command = f"tournament trut --strategies {strategies} --test steady,caller --margin 0.1"
    assert run([*command.split(), "--out", "run"]) == 0
    results = json.loads(Path("run/results.json").read_text(encoding="utf-8"))
    text = " ".join(capsys.readouterr().out.split())
    assert results["run"]["sets"] < 200 and results["stop"]["says"] == "better"
    verdicts = [contrast["separated"] for contrast in results["contrasts"]]
    assert sorted(verdicts, key=str) == [None, None, True]
    assert "Nothing can be said on the other pairs: a run with a test has" in text
    assert "old apart, so" not in text and "can be told apart" not in text


def test_a_test_against_the_common_opponent_decides_the_ranks(capsys):
    strategies = "tournament trut --strategies steady,tight,honest --seed 1 --jobs 1 --out run"
    options = "--format one-against-all --against steady --test tight,steady --margin 0.05"
    assert run([*strategies.split(), *options.split()]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "The interval excludes 0: in these matches steady is better than tight." in text
    assert "No two of them" not in text
    results = json.loads(Path("run/results.json").read_text(encoding="utf-8"))
    (contrast,) = (
        c for c in results["contrasts"] if {c["first"], c["second"]} == {"steady", "tight"}
    )
    assert contrast["separated"]
