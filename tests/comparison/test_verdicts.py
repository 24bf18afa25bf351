"""Verdicts, margins and families of differences, from influences that are given."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from set_results import draw_set, round_robin, tally_sets

from trutdsl.comparison.cell import make_cell
from trutdsl.comparison.compare import (
    Margins,
    MetricPair,
    family_of_all,
    judge,
    judge_families,
    match_metrics,
    read_verdict,
    screen_families,
)
from trutdsl.comparison.measurement import CLUSTERS, Measurement, cluster_size
from trutdsl.comparison.metrics import NUMBER, SHARE, Metric
from trutdsl.comparison.results import show_variant
from trutdsl.game import load_game
from trutdsl.report.labels import DIFFERS, IDENTICAL, LITTLE, OPEN, SAME, UNKNOWN
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.multiplicity import family_of
from trutdsl.stats.resampling import Influences

LUCK = np.random.default_rng(4).normal(size=(9, 40))
LUCK -= LUCK.mean(axis=1, keepdims=True)


def influences(value, row, scale=1.0):
    return Influences(value, tuple((scale * LUCK[row]).tolist()))


def pair(base, other, kind=SHARE, name="m", alike=False):
    return MetricPair(Metric(name, kind, lambda _: None), base, other, True, alike, sets=160)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.1, 1.5, DIFFERS),
        (-1.5, -0.1, DIFFERS),
        (0.1, 0.9, LITTLE),
        (0.0, 0.9, SAME),
        (-0.9, 0.9, SAME),
        (-1.0, 0.9, OPEN),
        (-0.9, 1.0, OPEN),
        (0.1, 1.0, DIFFERS),
        (None, None, UNKNOWN),
    ],
)
def test_a_verdict_follows_from_the_interval(low, high, verdict):
    """The margin is 1; an end at the margin or at 0 is not beyond it."""
    assert read_verdict(Estimate(0.0, 0.1, low, high), 1.0) == verdict


@pytest.mark.parametrize("sign", [1, -1])
def test_a_margin_is_a_part_of_the_end_of_the_base_nearest_to_0(sign):
    base = influences(sign * 10.0, 0, scale=6.0)
    family = family_of([base.column], 39)
    near = min(abs(base.estimate(family=family).low), abs(base.estimate(family=family).high))
    rate = Metric("rate", "rate", lambda _: None)
    assert 0 < near < 10
    assert Margins(numbers=0.02).of(rate, base, family) == pytest.approx(0.02 * near)
    assert Margins().of(rate, replace(base, value=0.0), family) == 0
    assert Margins(shares=0.3).of(Metric("share", SHARE, lambda _: None), base, family) == 0.3
    assert Margins(by_name={"rate": 0.7}).of(rate, base, family) == 0.7


def test_a_difference_without_known_errors_has_no_interval():
    steady, varying = Influences(1.0, (0.0,) * 40), influences(0.0, 1)
    for base, other in ((steady, varying), (varying, steady)):
        families = judge_families([pair(base, other)], Margins(), None)
        (row,) = judge([pair(base, other)], Margins(), families)
        assert (row.verdict, row.difference.low, row.p, row.effect) == (UNKNOWN, None, None, None)
    assert pair(varying, influences(2.0, 1), alike=True).difference.estimate().low is None


def test_the_effect_is_in_standard_deviations_of_a_set():
    """40 clusters of four sets: the error is the deviation of a set over the root of 160."""
    one = pair(influences(0.0, 0), influences(0.5, 1))
    (row,) = judge([one], Margins(), judge_families([one], Margins(), None))
    error = np.std(LUCK[1] - LUCK[0], ddof=1) / np.sqrt(40)
    assert row.effect == pytest.approx(0.5 / (error * np.sqrt(160)))


def test_a_family_holds_bases_only_if_margins_depend_on_them():
    """Points of variants and their sums belong to it, too."""
    share = pair(influences(0.5, 0), influences(0.6, 1))
    number = pair(influences(0.5, 2), influences(0.6, 3), NUMBER)
    point = pair(influences(0.5, 4), influences(0.6, 5))
    others = (influences(0.1, 6), influences(0.1, 7))
    assert family_of_all([share], Margins()).size == 1
    assert family_of_all([number], Margins()).size == 2
    assert family_of_all([number], Margins(by_name={"m": 0.1})).size == 1
    families = judge_families([share, number], Margins(), None, [point], others)
    assert families.others.size == 1 + 2 + 1 + 2
    assert families.own.size == 0


def test_identical_metrics_are_no_tests_of_a_sweep():
    one = pair(influences(0.5, 0), influences(0.6, 1))
    alike = pair(influences(0.5, 0), influences(0.5, 0), alike=True)
    families = screen_families([one, alike], ())
    assert families.others.size == 1
    verdicts = [row.verdict for row in judge([one, alike], Margins(), families)]
    assert verdicts[1] == IDENTICAL != verdicts[0]


def test_games_are_identical_if_all_counts_and_results_are():
    plan = make_cell("trut", load_game("trut", 2), ("caller", "quiet"), 1).game.count_plan
    design, sets = (
        round_robin(2, 2),
        [draw_set(round_robin(2, 2), rng) for rng in map(Random, range(4))],
    )
    tallies = tuple(tally_sets(design, [one], at) for at, one in enumerate(sets))
    counts = np.zeros((4, plan.size), np.int64)
    seven = {"matches": 2, "deals": 14, "deals_sq": 2 * 7**2}
    for name, number in seven.items():
        counts[:, plan.offsets[name]] = number
    base = Measurement(plan, design, counts, *[counts[:, :0]] * 2, tallies)
    longer = counts.copy()
    longer[0, plan.offsets["deals"]], longer[0, plan.offsets["deals_sq"]] = 15, 7**2 + 8**2
    copy, other = replace(base), replace(base, counts=longer)
    swapped = replace(base, tallies=tallies[::-1])
    alike = [{one.alike for one in of} for of in match_metrics(base, [copy, other, swapped])]
    assert alike == [{True}, {False}, {False}]


def test_at_most_128_clusters_have_a_power_of_two_of_sets():
    sizes = [cluster_size(sets) for sets in range(1, 2000)]
    for sets, size in enumerate(sizes, 1):
        assert size.bit_count() == 1 and -(-sets // size) <= CLUSTERS
        assert size == 1 or -(-sets // (size // 2)) > CLUSTERS
    assert all(one <= other for one, other in pairwise(sizes))


def test_the_share_won_from_a_score_counts_a_draw_half():
    """Of 5 deals from 0 to 0, the dealer's side won 3 matches, and 1 was drawn."""
    cell = make_cell("trut", load_game("trut", 2), ("caller", "quiet"), 1)
    plan = cell.game.count_plan
    counts = np.zeros((2, plan.size), np.int64)
    for name, number in (("stood", 5), ("stood_won", 2 * 3 + 1)):
        counts[0, plan.offsets[name]] = number
    counts[:, [plan.offsets[name] for name in ("matches", "deals", "deals_sq")]] = 1
    answers = np.zeros((2, 2, len(plan.options)), np.int64)
    design = cell.experiment(2).design
    tallies = tuple(tally_sets(design, [draw_set(design, Random(1))], at) for at in range(2))
    measurement = Measurement(plan, design, counts, answers, answers, tallies)
    first = next(iter(show_variant(cell, cell, measurement)["scores"].values()))
    assert (first["deals"][0][0], first["won"][0][0]) == (5, 0.7)
