"""Ranks of variants: significant differences give ranks, equal variants share theirs."""

import pytest
from measuring import measure_variant

import trutdsl
from trutdsl.comparison.compare import rank_variants
from trutdsl.report.answers import is_clear
from trutdsl.report.labels import DIFFERS, LITTLE


@pytest.fixture(scope="module")
def rankings():
    goals = {f"goal {goal}": measure_variant("trut", sets=64, goal=goal) for goal in (5, 7, 9)}
    copy = {"other name": measure_variant("trut", sets=64)}
    return {one["by"]: one for one in rank_variants(list((goals | copy).items()))}


def test_a_higher_goal_makes_longer_matches(rankings):
    found = rankings["length.deals"]
    assert [(v["name"], v["best"], v["worst"]) for v in found["variants"]] == [
        ("goal 5", 4, 4),
        ("goal 7", 2, 3),
        ("goal 9", 1, 1),
        ("other name", 2, 3),
    ]
    assert found["above"] == [[0, -1, -1, -1], [1, 0, -1, 0], [1, 1, 0, 1], [1, 0, -1, 0]]


def test_equal_rules_never_differ_significantly(rankings):
    assert {ranking["above"][1][3] for ranking in rankings.values()} == {0}


@pytest.mark.thorough
def test_simultaneous_intervals_are_wider_than_single_ones():
    results = trutdsl.compare(
        "trut", "trut:goal=5", "trut:goal=9", strategies=("caller", "steady"), sets=64
    ).results
    alone = {m["metric"]: m for m in results["variants"][0]["metrics"]}
    together = {r["by"]: r["variants"][0] for r in results["ranks"]}
    one, other = alone["length.deals"], together["length.deals"]
    assert other["mean"] == one["mean"]
    assert other["low"] < one["low"] < one["high"] < other["high"]


def test_the_first_counters_of_games_share_a_ranking():
    games = [(name, measure_variant(name, sets=24)) for name in ("trut", "truc-catalan")]
    found = {one["by"]: one for one in rank_variants(games)}
    assert [one["name"] for one in found["deficit"]["variants"]] == ["trut", "truc-catalan"]
    assert "deficit.petits" not in found  # only one of them has it
    assert "deficit.longs" not in found


def goals(sets):
    games = [(f"goal {goal}", measure_variant("trut", sets=sets, goal=goal)) for goal in (3, 9)]
    return {one["by"]: one for one in rank_variants(games)}


def test_one_set_gives_no_order():
    for ranking in goals(1).values():
        assert ranking["above"] == [[0, 0], [0, 0]]


def test_few_sets_give_an_order_if_the_interval_excludes_0():
    rankings = goals(12)
    assert rankings["length.deals"]["above"] == [[0, -1], [1, 0]]
    assert rankings["dealer"]["above"] == [[0, 0], [0, 0]]


@pytest.mark.parametrize("sets", [1, 2, 12])
def test_verdicts_of_few_sets_agree_with_their_intervals(sets):
    """An interval that excludes 0 beside "undecided" would be a contradiction."""
    results = trutdsl.compare("trut", "trut:goal=3", strategies=("uniform",), sets=sets).results
    rows = [row for row in results["differences"][0]["metrics"] if row["difference"] is not None]
    clear = {row["metric"] for row in rows if is_clear(row)}
    assert clear == {row["metric"] for row in rows if row["verdict"] in (DIFFERS, LITTLE)}
    assert ("length.deals" in clear) == (sets == 12)


def test_a_sweep_has_no_ranks():
    found = trutdsl.sweep("trut", {"goal": [5, 7]}, strategies=("uniform",), sets=20)
    assert found.results["ranks"] == []
