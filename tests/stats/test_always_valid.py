"""Intervals that are valid at any time, and the number of sets for a given power."""

from fractions import Fraction
from math import log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from trutdsl.stats.design import MATCHES, TournamentMetric
from trutdsl.stats.estimate import (
    BEST_AT,
    LEAST,
    Bounds,
    Sums,
    estimate_any_time,
    estimate_mean,
    estimate_points,
)
from trutdsl.stats.multiplicity import Family, quantile
from trutdsl.stats.sequential import sets_needed, sets_to_find

SCORE = Bounds(0, 1)


def test_the_width_is_that_of_the_formula():
    n, total, squares = 1000, 1040, 1580
    found = estimate_any_time(Sums(n, total, squares, 2), SCORE)
    # Three pseudo-sets more, half of them at 0 and half at 1.
    more = squares + 1.5 * 2**2 - (total + 1.5 * 2) ** 2 / (n + 3)
    deviation = sqrt(more / (n + 2)) / 2
    rho = (-2 * log(0.05) + log(1 - 2 * log(0.05))) / BEST_AT
    half = deviation * sqrt(2 * (n * rho + 1) / (n**2 * rho) * log(sqrt(n * rho + 1) / 0.05))
    assert (found.mean, found.method) == (0.52, "any-time")
    assert found.high - 0.52 == pytest.approx(half, abs=1e-8) == pytest.approx(0.52 - found.low)
    # At its best it is about 1.65 times as wide as a fixed interval.
    assert 1.5 < half / (1.96 * deviation / sqrt(n)) < 1.75


def test_few_sets_have_no_interval():
    assert estimate_any_time(Sums(LEAST - 1, 100, 100, 1), SCORE).low is None
    assert estimate_any_time(Sums(LEAST, 100, 100, 1), SCORE).low is not None


@pytest.mark.parametrize("lowest", [0, -1])
def test_the_interval_of_a_share_of_matches_ends_at_its_bounds(lowest):
    """One won set of 200 gives 1/200 with error 1/200, and an interval far below 0."""
    design = SimpleNamespace(sequential=True, metric=MATCHES)
    free = estimate_any_time(Sums(LEAST, 1, 1, 1), Bounds(lowest, 1))
    assert free.mean == free.se == 1 / LEAST and free.low < -0.01
    low = 0.0 if lowest == 0 else free.low
    found = estimate_mean(Sums(LEAST, 1, 1, 1), design, Bounds(lowest, 1))
    assert (found.mean, found.low, found.high) == (free.mean, low, free.high)
    lost = estimate_mean(Sums(LEAST, LEAST - 1, LEAST - 1, 1), design, Bounds(lowest, 1))
    assert lost.high == 1.0
    if lowest == 0:  # a lost set is the mirror image
        assert lost.low == pytest.approx(1 - free.high)
    points = SimpleNamespace(sequential=True, metric=TournamentMetric((("longs", 1),)))
    mean, reach = Fraction(1, LEAST), Fraction(1 - lowest, 2)
    one_point = estimate_any_time(Sums(LEAST, 1, 1, 1), Bounds(mean - reach, mean + reach))
    assert estimate_mean(Sums(LEAST, 1, 1, 1), points, Bounds(lowest, 1)) == one_point


def test_the_intervals_of_several_means_divide_the_error():
    design = SimpleNamespace(sequential=True, metric=MATCHES)
    sums = Sums(1000, 520, 520, 1)
    found = estimate_mean(sums, design, SCORE, Family(4, Fraction(999), np.empty(0)))
    assert found == estimate_any_time(sums, SCORE, 0.05 / 4)
    assert found.high - found.low > estimate_any_time(sums, SCORE).high - found.low


@pytest.mark.thorough
def test_repeated_looks_miss_at_the_nominal_rate():
    """With as many looks an interval of 1.96 standard errors misses in about 40 %."""
    rng, runs, missed, naive = np.random.default_rng(3), 1000, 0, 0
    looks = np.unique(np.geomspace(LEAST, 20_000, 60).astype(int))
    for _ in range(runs):
        values = rng.choice(3, p=[0.25, 0.5, 0.25], size=looks[-1])
        total, squares = np.cumsum(values), np.cumsum(values**2)
        sums = [Sums(int(n), int(total[n - 1]), int(squares[n - 1]), 2) for n in looks]
        found = [estimate_any_time(s, SCORE) for s in sums]
        missed += not all(e.low <= 0.5 <= e.high for e in found)
        naive += any(abs(float(s.mean) - 0.5) > 1.96 * s.error for s in sums)
    assert missed / runs <= 0.05 + 3 * sqrt(0.05 * 0.95 / runs)
    assert naive / runs > 0.25


@pytest.mark.parametrize("mean", [0.005, 0.01, 0.05])
def test_it_covers_where_few_sets_differ(mean):
    """All differences have one sign. The plain variance misses in 41, 20 and 6 of 100 runs."""
    rng, runs, missed = np.random.default_rng(3), 400, 0
    looks = np.unique(np.geomspace(LEAST, 20_000, 40).astype(int))
    for _ in range(runs):
        won = np.cumsum(rng.binomial(np.diff(looks, prepend=0), mean)).tolist()
        found = [
            estimate_any_time(Sums(n, w, w, 1), Bounds(-1, 1))
            for n, w in zip(looks.tolist(), won, strict=True)
        ]
        missed += not all(e.low <= mean <= e.high for e in found)
    assert missed / runs <= 0.05 + 2 * sqrt(0.05 * 0.95 / runs)


def test_sets_needed_of_a_worked_example():
    # (1.95996 + 0.84162)^2 (0.35 / 0.02)^2 = 2403.7
    assert sets_needed(0.35, 0.02) == 2404
    assert sets_needed(0.01, 0.5) == 2


@pytest.mark.parametrize(("deviation", "difference"), [(0.5, 0.5), (0.3, 0.15), (0.02, 0.3)])
def test_one_set_fewer_does_not_find_the_difference(deviation, difference):
    """At the mean that four of five runs exceed, the interval just excludes 0."""
    bounds, unit = Bounds(-1, 1, Fraction(1, 4)), 10**9
    enough = sets_to_find(deviation, difference, bounds)
    lows = []
    for sets in (enough - 1, enough):
        mean = difference - quantile(Fraction(4, 5), sets - 1) * deviation / sqrt(sets)
        squares = (sets - 1) * deviation**2 + sets * mean**2
        sums = Sums(sets, round(mean * sets * unit), round(squares * unit**2), unit)
        lows.append(estimate_points(sums, bounds).low)
    assert lows[0] <= 0 < lows[1]


def test_sets_needed_give_the_requested_power():
    rng, n, runs = np.random.default_rng(5), sets_needed(1.0, 0.2, power=0.9), 2000
    samples = rng.normal(0.2, 1, (runs, n))
    significant = np.abs(samples.mean(axis=1)) > 1.96 * samples.std(axis=1, ddof=1) / sqrt(n)
    assert significant.mean() == pytest.approx(0.9, abs=3 * sqrt(0.09 / runs) + 0.005)
