from math import sqrt

import numpy as np
import pytest

from trutdsl.stats.estimate import Sums, estimate_ratio, estimate_whole, ratio_sums


def sum_up(values, unit=1):
    return Sums(len(values), sum(values), sum(v * v for v in values), unit)


def test_a_ratio_and_its_error_by_hand():
    # r = 2; residuals 1, -2, 1 with the sum of squares 6; the mean whole is 4.
    found = estimate_ratio(ratio_sums([7, 6, 11], [3, 4, 5]))
    assert (found.mean, found.method) == (2, "t")
    assert found.se == pytest.approx(sqrt(6 / 2 / 3) / 4)
    half = 4.302652730 * sqrt((6 / 2 + 1 / 12) / 3) / 4
    assert found.low == pytest.approx(2 - half, abs=1e-8)
    assert found.high == pytest.approx(2 + half, abs=1e-8)


def test_a_mean_is_a_ratio_to_the_number():
    values = [4, 6, 8, 9]
    assert estimate_whole(sum_up(values), least=0) == estimate_ratio(ratio_sums(values, [1] * 4))


def test_no_interval_reaches_beyond_what_can_be():
    assert estimate_whole(sum_up([1, 40]), least=0).low == 0
    assert estimate_whole(sum_up([1, 40])).low < 0
    assert estimate_ratio(ratio_sums([0, 3], [3, 3]), most=1.0).high == 1


def test_matches_that_all_agree_leave_what_rounding_leaves():
    """Two equal lengths say that the mean is near, not that it is known."""
    found = estimate_whole(sum_up([7, 7]))
    half = 12.706204736 * sqrt(1 / 12 / 2)
    assert (found.mean, found.se) == (7, 0)
    assert (found.low, found.high) == pytest.approx((7 - half, 7 + half), abs=1e-8)
    of_four = estimate_whole(sum_up([28, 28], 4))  # sets of four matches of 7
    assert of_four.high - 7 == pytest.approx(half / 2, abs=1e-8)


def test_nothing_is_said_of_a_single_match():
    assert estimate_ratio(ratio_sums([7], [2])).low is None
    assert estimate_whole(sum_up([7])).method == "none"


def covers(draw, mean, count, runs=3000):
    """Return how often the interval of a mean holds."""
    rng = np.random.default_rng(count)
    drawn = (draw(rng, count).tolist() for _ in range(runs))
    found = (estimate_whole(sum_up(values), least=0) for values in drawn)
    return sum(e.low <= mean <= e.high for e in found) / runs


@pytest.mark.parametrize("count", [5, 10, 20, 40])
@pytest.mark.parametrize("rare", [0.01, 0.05, 0.2, 0.5])
def test_lengths_that_hardly_vary_are_covered(rare, count):
    """All but a few matches have 7 deals, the others 8; the old interval held 87 % at worst."""
    assert covers(lambda rng, n: 7 + (rng.random(n) < rare), 7 + rare, count) > 0.935


@pytest.mark.parametrize("count", [10, 20, 40])
def test_lengths_as_of_trut_are_covered(count):
    """Gamma of the mean and spread of 2-player Trut, rounded: 20.2 (4.4)."""
    shape, scale = (20.19 / 4.39) ** 2, 4.39**2 / 20.19

    def draw(rng, n):
        return rng.gamma(shape, scale, n).round().astype(int)

    held = covers(draw, 20.19, count)
    assert 0.935 < held < 0.965


@pytest.mark.parametrize("clusters", [5, 20, 40])
def test_the_interval_of_a_ratio_holds_about_as_often_as_it_says(clusters):
    rng = np.random.default_rng(4)
    runs, held = 3000, 0
    for _ in range(runs):
        wholes = rng.integers(3, 12, clusters)
        parts = wholes * 5 + rng.integers(0, 9, clusters)  # r = 5 + 4 / 7
        found = estimate_ratio(ratio_sums(parts.tolist(), wholes.tolist()))
        held += found.low <= 5 + 4 / 7 <= found.high
    assert held / runs == pytest.approx(0.95, abs=0.015)


def test_shares_within_matches_are_covered_where_matches_differ():
    """Answers of one match hang together; an interval that takes each for itself holds 60 %."""
    rng = np.random.default_rng(9)
    runs, held = 2000, 0
    for _ in range(runs):
        wholes = rng.integers(5, 40, 40)
        parts = rng.binomial(wholes, rng.beta(2, 6, 40))
        found = estimate_ratio(ratio_sums(parts.tolist(), wholes.tolist()), most=1.0)
        held += found.low <= 0.25 <= found.high
    assert 0.925 < held / runs < 0.965
