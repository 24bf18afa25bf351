from math import exp, sqrt

import numpy as np
import pytest

from trutdsl.stats.estimate import Sums
from trutdsl.stats.positive import RatioSums, estimate_positive
from trutdsl.stats.positive import estimate_ratio as estimate_ratio_of


def estimate_ratio(parts, wholes):
    pairs = list(zip(parts, wholes, strict=True))
    products = ((p * p, w * w, p * w) for p, w in pairs)
    sums = (sum(parts), sum(wholes), *map(sum, zip(*products, strict=True)))
    return estimate_ratio_of(RatioSums(len(pairs), *sums))


def test_a_ratio_and_its_error_by_hand():
    # r = 2; residuals 1, -2, 1 with the sum of squares 6; the mean whole is 4.
    found = estimate_ratio([7, 6, 11], [3, 4, 5])
    error = sqrt(6 / 2 / 3) / 4
    assert (found.mean, found.method) == (2, "log-t")
    assert found.se == pytest.approx(error)
    assert found.low == pytest.approx(2 * exp(-4.302652730 * error / 2), abs=1e-8)
    assert found.high == pytest.approx(2 * exp(4.302652730 * error / 2), abs=1e-8)


def test_a_mean_is_a_ratio_to_the_number():
    values = [4, 6, 8, 9]
    sums = Sums(4, sum(values), sum(v * v for v in values), 1)
    assert estimate_positive(sums) == estimate_ratio(values, [1] * 4)


def test_no_interval_reaches_below_zero():
    found = estimate_ratio([1, 40], [1, 2])
    assert 0 < found.low < found.mean < found.high


def test_nothing_is_said_without_variation_nor_of_a_single_match():
    found = estimate_ratio([7, 7, 7], [1] * 3)
    assert (found.mean, found.se, found.low, found.high, found.method) == (7, 0, None, None, "none")
    assert estimate_ratio([7], [2]).low is None
    assert estimate_positive(Sums(3, 0, 0, 1)).method == "none"


@pytest.mark.parametrize("matches", [5, 20])
def test_the_interval_of_a_ratio_holds_about_as_often_as_it_says(matches):
    rng = np.random.default_rng(4)
    runs, held = 2000, 0
    for _ in range(runs):
        wholes = rng.integers(3, 12, matches)
        parts = wholes * 5 + rng.integers(0, 9, matches)  # r = 5 + 4 / 7
        found = estimate_ratio([int(p) for p in parts], [int(w) for w in wholes])
        held += found.low <= 5 + 4 / 7 <= found.high
    assert held / runs == pytest.approx(0.95, abs=0.02)
