"""Means and ratios of whole numbers, with the coverage of their intervals."""

from math import sqrt

import numpy as np
import pytest
from extent import extent

from trutdsl.stats.estimate import (
    Sums,
    estimate_length,
    estimate_ratio,
    estimate_share,
    estimate_whole,
    ratio_sums,
)
from trutdsl.stats.resampling import ratio_influences


def sum_up(values, unit=1):
    return Sums(len(values), sum(values), sum(v * v for v in values), unit)


def test_a_ratio_and_its_error_by_hand():
    # r = 2; residuals 1, -2, 1 with the sum of squares 6; the mean whole is 4.
    found = estimate_ratio(ratio_sums([7, 6, 11], [3, 4, 5]))
    assert (found.mean, found.method) == (2, "t")
    assert found.se == pytest.approx(sqrt(6 / 2 / 3) / 4)
    # An event that never occurs has at most -ln(0.025) events: its half interval with 3 clusters.
    added = (3.688879454 / 4.302652730) ** 2 / 3
    half = 4.302652730 * sqrt((6 / 2 + added) / 3) / 4
    assert found.low == pytest.approx(2 - half, abs=1e-8)
    assert found.high == pytest.approx(2 + half, abs=1e-8)


def test_a_mean_is_a_ratio_to_the_number():
    values = [4, 6, 8, 9] * 10
    assert estimate_whole(sum_up(values), least=0) == estimate_ratio(ratio_sums(values, [1] * 40))


def test_no_interval_exceeds_its_bounds():
    assert estimate_whole(sum_up([1, 40]), least=0).low == 0
    assert estimate_whole(sum_up([1, 40])).low < 0
    assert estimate_ratio(ratio_sums([0, 3], [3, 3]), most=1.0).high == 1


def test_a_match_has_a_deal_at_least():
    assert estimate_length(sum_up([1, 40])).low == 1
    assert estimate_length(sum_up([1] * 9)).low == 1 < estimate_length(sum_up([1] * 9)).high
    assert estimate_length(sum_up([0, 1])).low == 0, "a game may have matches without a deal"


def test_equal_matches_leave_the_error_of_rounding():
    """Two equal lengths do not make the mean certain."""
    found = estimate_whole(sum_up([7, 7]))
    half = 12.706204736 * sqrt(1 / 12 / 2)
    assert (found.mean, found.se) == (7, 0)
    assert (found.low, found.high) == pytest.approx((7 - half, 7 + half), abs=1e-8)
    of_four = estimate_whole(sum_up([28, 28], 4))  # sets of four matches of 7
    assert of_four.high - 7 == pytest.approx(half / 2, abs=1e-8)


def test_a_single_match_has_no_interval():
    assert estimate_ratio(ratio_sums([7], [2])).low is None
    assert estimate_whole(sum_up([7])).method == "none"


def measure_coverage(draw, mean, count, runs=3000):
    """Return the coverage of the interval of a mean."""
    rng = np.random.default_rng(count)
    samples = (draw(rng, count).tolist() for _ in range(runs))
    found = (estimate_whole(sum_up(values), least=0) for values in samples)
    return sum(e.low <= mean <= e.high for e in found) / runs


@pytest.mark.parametrize("count", [5, 10, 20, 40])
@pytest.mark.parametrize("rare", [0.01, 0.05, 0.2, 0.5])
def test_lengths_that_hardly_vary_are_covered(rare, count):
    """Most matches have 7 deals, and the others have 8."""
    assert measure_coverage(lambda rng, n: 7 + (rng.random(n) < rare), 7 + rare, count) > 0.935


@pytest.mark.parametrize("count", [10, 20, 40])
def test_lengths_as_of_trut_are_covered(count):
    """Lengths are rounded gamma values with the mean and deviation of 2-player Trut: 20.2 (4.4)."""
    shape, scale = (20.19 / 4.39) ** 2, 4.39**2 / 20.19

    def draw(rng, n):
        return rng.gamma(shape, scale, n).round().astype(int)

    covered = measure_coverage(draw, 20.19, count)
    assert 0.935 < covered < 0.965


@pytest.mark.parametrize("clusters", [5, 20, 40])
def test_the_interval_of_a_ratio_covers(clusters):
    rng = np.random.default_rng(4)
    runs, covered = 3000, 0
    for _ in range(runs):
        wholes = rng.integers(3, 12, clusters)
        parts = wholes * 5 + rng.integers(0, 9, clusters)  # r = 5 + 4 / 7
        found = estimate_ratio(ratio_sums(parts.tolist(), wholes.tolist()))
        covered += found.low <= 5 + 4 / 7 <= found.high
    assert covered / runs == pytest.approx(0.95, abs=0.015)


def test_shares_within_matches_are_covered_where_matches_differ():
    """Answers of one match are correlated; an interval that ignores this covers 60 %."""
    rng = np.random.default_rng(9)
    runs, covered = 2000, 0
    for _ in range(runs):
        wholes = rng.integers(5, 40, 40)
        parts = rng.binomial(wholes, rng.beta(2, 6, 40))
        found = estimate_ratio(ratio_sums(parts.tolist(), wholes.tolist()), most=1.0)
        covered += found.low <= 0.25 <= found.high
    assert 0.925 < covered / runs < 0.965


@pytest.mark.parametrize("clusters", [3, 5, 20, 39])
def test_an_event_that_never_occurs_has_the_limit_of_clopper_and_pearson(clusters):
    found = estimate_ratio(ratio_sums([0] * clusters, [100_000] * clusters), most=1.0)
    assert (found.mean, found.low) == (0, 0)
    assert found.high == pytest.approx(estimate_share(0, clusters * 100_000).high, rel=1e-4)
    wholes = np.full(clusters, 100_000)
    assert ratio_influences(0 * wholes, wholes).estimate(0.0, 1.0).high == found.high


@pytest.mark.parametrize("clusters", extent([2, 5, 15, 40], [2, 3, 5, 7, 10, 15, 20, 30, 40, 128]))
def test_rare_events_in_few_clusters_are_covered(clusters):
    """With the variance 1/12 alone, coverage is 83 % with 5 clusters and 1.8 events expected."""
    rng, runs = np.random.default_rng(clusters), 2000
    for mean in (0.5, 1.8, 2.5, 3.2, 5.0, 20.0):
        parts = rng.poisson(mean / clusters, (runs, clusters))
        each = (estimate_ratio(ratio_sums(row, [1000] * clusters)) for row in parts.tolist())
        covered = sum(one.low <= mean / clusters / 1000 <= one.high for one in each)
        assert covered / runs > 0.94, mean
