"""Results that contradict themselves are told of on their page."""

from copy import deepcopy

import pytest
from pages import Page
from rendering import BOTH, metric, rendered

from trutdsl.report.checks import check_comparison, check_run


def test_what_was_played_again_otherwise_stands_in_red(results):
    told = [c for c in check_run(results["run"], True) if "again" in c.text]
    assert [c.holds for c in told] == [True]
    wrong = [c for c in check_run(results["run"], False) if not c.holds]
    assert ["again" in c.text for c in wrong] == [True]


def lengths(results, what):
    return results["variants"][0]["lengths"][what]["matches"]


DAMAGED = {
    "sets played again": lambda r: r["variants"][1]["again"].update(same=False),
    "matches by their deals": lambda r: lengths(r, "deals").__setitem__(2, 10**6),
    "matches by their decisions": lambda r: lengths(r, "decisions").__setitem__(2, 10**6),
    "decisions by the length": lambda r: r["variants"][0].update(decisions=10**9),
    "deals by the length": lambda r: r["variants"][0].update(deals=10**9),
    "shares of how deals end": lambda r: metric(r, "ends.played").update(mean=0.99, high=1),
    "shares of answers": lambda r: r["variants"][0]["metrics"].append(
        {**metric(r, "answer.respond."), "metric": "answer.respond.other"}
    ),
    "shares from 0 to 1": lambda r: metric(r, "tied_tricks").update(mean=1.5, high=2),
    "the first seat wins": lambda r: metric(r, "first_seat").update(mean=0.9, high=1, se=0.01),
    "shares won from each score": lambda r: won(r).__setitem__(0, 1.2),
    "deals by score": lambda r: deals(r).__setitem__(0, 10**9),
    "what one strategy has more": lambda r: r["variants"][0]["payoffs"][0].__setitem__(1, 0.9),
    "differences are those": lambda r: r["differences"][0]["metrics"][0]["difference"].update(
        mean=99.0, high=100.0
    ),
}


def won(results):
    return results["variants"][0]["scores"]["longs"]["won"][0]


def deals(results):
    return results["variants"][0]["scores"]["longs"]["deals"][0]


@pytest.mark.parametrize("check", DAMAGED)
def test_a_comparison_that_contradicts_itself_is_told_of(results, check):
    damaged = deepcopy(results["comparison"])
    assert broken(check_comparison(damaged)) == []
    DAMAGED[check](damaged)
    assert any(check in text for text in broken(check_comparison(damaged)))


def broken(checks):
    return [check.text for check in checks if not check.holds]


RUN_DAMAGED = {
    "all matches of a strategy": lambda r: r["standings"][0].update(won=0),
    "all matches of a pair": lambda r: r["pairs"][0].update(lost=0, won=0),
    "come to all deals": lambda r: r["run"].update(deals=7),
    "come to all decisions": lambda r: r["run"].update(decisions=7),
    "scores from 0 to 1": lambda r: r["standings"][0]["score"].update(mean=1.2),
    "scores of all seats": lambda r: r["run"]["team_scores"][1].update(mean=0.7),
    "what one of a pair": lambda r: r["pairs"][0]["score"].update(mean=0.99),
    "the team of the first seat": lambda r: r["run"]["team_scores"][0].update(mean=0.9, se=0.01),
}


@pytest.mark.parametrize("check", RUN_DAMAGED)
def test_a_run_that_contradicts_itself_is_told_of(results, check):
    damaged = deepcopy(results["run"])
    assert broken(check_run(damaged)) == []
    RUN_DAMAGED[check](damaged)
    assert any(check in text for text in broken(check_run(damaged)))


@BOTH
def test_what_contradicts_itself_stands_above_all_else(results, kind):
    assert failed(results[kind]) == []
    damaged = deepcopy(results[kind])
    one = {"comparison": DAMAGED["deals by the length"], "run": RUN_DAMAGED["come to all deals"]}
    one[kind](damaged)
    (told,) = failed(damaged)
    assert "come to all deals" in told


def failed(results):
    """Return what stands in red above all else."""
    body = next(Page(rendered(results)).root.all("body"))
    above = []
    for element in body.children:
        if element.tag == "nav":
            return above
        if element.attributes.get("class") == "failed":
            above += [item.text for item in element.all("li")]
    raise AssertionError("no contents")
