"""Pages report results that contradict themselves."""

from copy import deepcopy

import pytest
from pages import Page
from rendering import BOTH_KINDS, find_metric, render

from trutdsl.report.checks import check_comparison, check_run


def test_a_repetition_with_other_results_fails_a_check(results):
    checks = [c for c in check_run(results["run"], True) if "again" in c.text]
    assert [c.holds for c in checks] == [True]
    wrong = [c for c in check_run(results["run"], False) if not c.holds]
    assert ["again" in c.text for c in wrong] == [True]


def lengths(results, what):
    return results["variants"][0]["lengths"][what]["matches"]


DAMAGES = {
    "sets played again": lambda r: r["variants"][1]["again"].update(same=False),
    "matches by their deals": lambda r: lengths(r, "deals").__setitem__(2, 10**6),
    "matches by their decisions": lambda r: lengths(r, "decisions").__setitem__(2, 10**6),
    "decisions by the length": lambda r: r["variants"][0].update(decisions=10**9),
    "deals by the length": lambda r: r["variants"][0].update(deals=10**9),
    "shares of how deals end": lambda r: find_metric(r, "ends.played").update(mean=0.99, high=1),
    "shares of answers": lambda r: r["variants"][0]["metrics"].append(
        {**find_metric(r, "answer.respond."), "metric": "answer.respond.other"}
    ),
    "shares from 0 to 1": lambda r: find_metric(r, "tied_tricks").update(mean=1.5, high=2),
    "shares won from each score": lambda r: won_shares(r).__setitem__(0, 1.2),
    "deals by score": lambda r: deal_counts(r).__setitem__(0, 10**9),
    "what one strategy has more": lambda r: r["variants"][0]["payoffs"][0].__setitem__(1, 0.9),
    "differences are those": lambda r: r["differences"][0]["metrics"][0]["difference"].update(
        mean=99.0, high=100.0
    ),
}


def won_shares(results):
    return results["variants"][0]["scores"]["longs"]["won"][0]


def deal_counts(results):
    return results["variants"][0]["scores"]["longs"]["deals"][0]


@pytest.mark.parametrize("check", DAMAGES)
def test_a_contradiction_in_a_comparison_is_found(results, check):
    damaged = deepcopy(results["comparison"])
    assert failed_texts(check_comparison(damaged)) == []
    DAMAGES[check](damaged)
    assert any(check in text for text in failed_texts(check_comparison(damaged)))


def failed_texts(checks):
    return [check.text for check in checks if not check.holds]


RUN_DAMAGES = {
    "all matches of a strategy": lambda r: r["standings"][0].update(won=0),
    "all matches of a pair": lambda r: r["pairs"][0].update(lost=0, won=0),
    "add up to all deals": lambda r: r["run"].update(deals=7),
    "add up to all decisions": lambda r: r["run"].update(decisions=7),
    "scores from 0 to 1": lambda r: r["standings"][0]["score"].update(mean=1.2),
    "scores of all seats": lambda r: r["run"]["team_scores"][1].update(mean=0.7),
    "what one of a pair": lambda r: r["pairs"][0]["score"].update(mean=0.99),
}


@pytest.mark.parametrize("check", RUN_DAMAGES)
def test_a_contradiction_in_a_run_is_found(results, check):
    damaged = deepcopy(results["run"])
    assert failed_texts(check_run(damaged)) == []
    RUN_DAMAGES[check](damaged)
    assert any(check in text for text in failed_texts(check_run(damaged)))


def test_rules_that_favour_a_seat_are_no_contradiction(results):
    one, other = deepcopy(results["comparison"]), deepcopy(results["run"])
    find_metric(one, "first_seat").update(mean=0.9, low=0.8, high=1, se=0.01)
    for score, mean in zip(other["run"]["team_scores"], (0.9, 0.1), strict=True):
        score.update(mean=mean, se=0.01)
    assert failed_texts([*check_comparison(one), *check_run(other)]) == []


@BOTH_KINDS
def test_contradictions_stand_at_the_top_of_the_page(results, kind):
    assert read_failures(results[kind]) == []
    damaged = deepcopy(results[kind])
    one = {"comparison": DAMAGES["deals by the length"], "run": RUN_DAMAGES["add up to all deals"]}
    one[kind](damaged)
    (text,) = read_failures(damaged)
    assert "add up to all deals" in text


def read_failures(results):
    """Return the failures that stand above the contents of the page."""
    body = next(Page(render(results)).root.all("body"))
    above = []
    for element in body.children:
        if element.tag == "nav":
            return above
        if element.attributes.get("class") == "failed":
            above += [item.text for item in element.all("li")]
    raise AssertionError("no contents")
