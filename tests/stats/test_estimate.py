"""Intervals of scores, differences and points, with their exact or simulated coverage."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import lgamma, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from set_results import round_robin

from trutdsl.stats.contrast import contrast_bounds
from trutdsl.stats.design import TournamentMetric
from trutdsl.stats.estimate import (
    Bounds,
    Distance,
    Estimate,
    Sums,
    distance_of,
    estimate_mean,
    estimate_points,
    family_of_means,
    leaves_out_zero,
)
from trutdsl.stats.multiplicity import FEWEST, quantile

UNIT = 4
SCORE = Bounds(0, 1)
DIFFERENCE = Bounds(-1, 1)


def sum_up(values, unit=UNIT):
    return Sums(len(values), sum(values), sum(v * v for v in values), unit)


def estimate_score(sums, bounds):
    return estimate_points(sums, bounds).within(bounds.lowest, bounds.highest)


scores = st.lists(st.integers(0, UNIT), min_size=2, max_size=60)
differences = st.lists(st.integers(-UNIT, UNIT), min_size=2, max_size=30)


@given(scores, st.integers(1, 9))
def test_the_interval_is_students_with_pseudo_sets_at_both_ends(values, opponents):
    y = [v / UNIT for v in values] + [0.0, 1.0]
    w = [1.0] * len(values) + [0.75 / opponents] * 2
    count = sum(w)
    mean = sum(a * b for a, b in zip(w, y, strict=True)) / count
    squares = sum(a * (b - mean) ** 2 for a, b in zip(w, y, strict=True))
    half = stats.t.ppf(0.975, count - 1) * sqrt(squares / (count - 1) / count)
    found = estimate_score(sum_up(values), Bounds(0, 1, Fraction(1, opponents)))
    assert found.low == pytest.approx(max(0, mean - half), abs=1e-8)
    assert found.high == pytest.approx(min(1, mean + half), abs=1e-8)


@given(scores)
def test_mean_and_error_ignore_pseudo_sets(values):
    y = [v / UNIT for v in values]
    n, mean = len(y), sum(y) / len(y)
    error = sqrt(sum((v - mean) ** 2 for v in y) / (n * (n - 1)))
    found = estimate_score(sum_up(values), SCORE)
    assert found.method == "pseudo-sets"
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert found.se == pytest.approx(error, rel=1e-9, abs=1e-12)


@given(scores, st.integers(1, 9))
def test_an_interval_of_a_score_lies_in_0_to_1_and_holds_the_mean(values, parts):
    found = estimate_score(sum_up(values), Bounds(0, 1, Fraction(1, parts)))
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert found.low < found.high


def test_cancellation_loses_no_digits():
    # Floats would lose the variance here: the squares are 16 digits longer than their spread.
    values = [10**16, 10**16 + 2]
    assert sum_up(values, 1).error == 1.0


def test_one_set_gives_no_interval():
    found = estimate_score(sum_up([3]), SCORE)
    assert (found.mean, found.se, found.low, found.high) == (0.75, None, None, None)
    assert found.method == "none"


@pytest.mark.parametrize("freedom", [1, 2, 9, 39, 10**6])
def test_quantiles_are_students(freedom):
    assert quantile(Fraction(975, 1000), freedom) == round(stats.t.ppf(0.975, freedom), 9)


def test_quantile_of_a_printed_table():
    assert quantile(Fraction(975, 1000), 9) == pytest.approx(2.262, abs=5e-4)


@given(differences)
def test_a_p_value_is_at_most_5_percent_if_the_interval_excludes_0(values):
    most = max(map(abs, values), default=1) or 1
    bounds, sums = Bounds(-most, most), sum_up(values)
    found, interval = distance_of(sums, bounds), estimate_score(sums, bounds)
    edge = min(abs(interval.low), abs(interval.high))
    assert edge < 1e-6 or (found.p <= 0.05) is not (interval.low <= 0 <= interval.high)
    assert found.p == pytest.approx(distance_of(sum_up([-v for v in values]), bounds).p)
    assert 0 <= found.shrinkage <= 1


def test_an_interval_that_ends_at_0_does_not_exclude_it():
    ends = [(0.0, 1.0), (-1.0, 0.0), (0.1, 1.0), (-1.0, -0.1), (None, None)]
    found = [leaves_out_zero(Estimate(0.5, 0.1, low, high)) for low, high in ends]
    assert found == [False, False, True, True, False]


def test_the_shrinkage_is_the_share_of_the_error_without_pseudo_sets():
    """One set of ten is won, the others are even. Pseudo-sets at -1 and 1 make them 11.5."""
    found = distance_of(Sums(10, 1, 1, 1), Bounds(-1, 1))
    alone = sqrt((1 - 1 / 10) / 9 / 10)
    whole = sqrt((2.5 - 1 / 11.5) / 10.5 / 11.5)
    assert found.shrinkage == pytest.approx(alone / whole)
    assert found.statistic == pytest.approx(1 / 11.5 / whole) and found.freedom == 10.5


def test_pseudo_sets_are_independent_in_a_family_of_means():
    """Two means with the same influences and this shrinkage have its square as correlation."""
    shared = 0.9
    distances = [Distance(2.0, Fraction(freedom), shared) for freedom in (90, 60)]
    influences = np.resize([1.0, -1.0], 30)
    family = family_of_means(distances, [influences, influences])
    assert (family.size, family.freedom) == (2, 60)
    normal = stats.multivariate_normal(cov=[[1, shared**2], [shared**2, 1]])
    inside = normal.cdf([2.0, 2.0], lower_limit=[-2.0, -2.0])
    z_as_rare_as_t = stats.t.isf(stats.norm.sf(2.0), 60)
    assert family.p_of(z_as_rare_as_t) == pytest.approx(1 - inside, abs=0.006)


def test_groups_of_sets_decide_whether_a_family_knows_correlations():
    """The variables of pseudo-sets are no groups."""
    distances = [Distance(2.0, Fraction(90), 0.6)] * 3
    for groups in (FEWEST - 1, FEWEST):
        influences = [np.resize([1.0, -1.0], groups)] * 3
        bonferroni = family_of_means(distances, influences).critical == quantile(
            1 - Fraction(5, 600), 90
        )
        assert bonferroni == (groups < FEWEST)


@given(st.integers(2, 60), st.integers(1, 9))
def test_a_perfect_record_has_an_interval(sets, parts):
    perfect = estimate_score(sum_up([UNIT] * sets), Bounds(-1, 1, Fraction(1, parts)))
    assert perfect.high == 1 and perfect.low < 1


def test_a_contrast_of_two_has_the_bounds_of_their_pair():
    assert contrast_bounds(round_robin(2, 2), 0, 1) == DIFFERENCE
    assert contrast_bounds(round_robin(3, 3), 0, 1) == DIFFERENCE


@pytest.mark.parametrize(("strategies", "teams"), [(4, 2), (5, 3)])
def test_the_weight_of_a_contrast_assumes_independent_combinations(strategies, teams):
    """The calculation by hand adds one pseudo-set at each end of each combination."""
    seatings = list(combinations(range(strategies), teams))
    each = sum(0 in s for s in seatings)
    squares = sum({2: 2.0, 1: 0.5, 0: 0}[(0 in s) + (1 in s)] for s in seatings) / each**3
    assert 2 * float(contrast_bounds(round_robin(strategies, teams), 0, 1).weight) == pytest.approx(
        squares
    )


# The coverage of intervals, by enumeration where that is possible.


def frequencies():
    """Return a grid of frequencies of the scores 0, 1/2 and 1, dense near rare ones."""
    steps = [1e-9, 0.001, 0.006, 0.015, 0.03, 0.06, *np.linspace(0.1, 0.9, 17), 0.95, 0.98]
    return np.array([(a, b, 1 - a - b) for a, b in product(steps, steps) if a + b < 0.9999])


def measure_coverage(sets, grid):
    """Return the exact coverage of the interval of a pair, for each row of frequencies."""
    counts = np.array([(i, j, sets - i - j) for i in range(sets + 1) for j in range(sets + 1 - i)])
    ways = [lgamma(sets + 1) - sum(lgamma(c + 1) for c in row) for row in counts]
    chance = np.exp(np.array(ways)[:, None] + counts @ np.log(grid).T)
    found = [estimate_score(Sums(sets, j + 2 * k, j + 4 * k, 2), SCORE) for _, j, k in counts]
    low, high = np.array([(e.low, e.high) for e in found]).T[:, :, None]
    mean = grid @ [0, 0.5, 1]
    return (chance * ((low <= mean + 1e-9) & (mean - 1e-9 <= high))).sum(axis=0)


@pytest.mark.parametrize("sets", [2, 3, 5, 10, 20, 40])
def test_intervals_of_pairs_cover_for_all_frequencies(sets):
    """For nearly constant and lopsided scores Student's t alone covers 85 %."""
    coverage = measure_coverage(sets, frequencies())
    assert coverage.min() > 0.9
    assert np.median(coverage) > 0.95


@pytest.mark.parametrize("sets", [20, 40])
def test_intervals_of_pairs_are_not_too_wide(sets):
    usual = np.array([(0.25, 0.5, 0.25), (0.1, 0.3, 0.6), (0.3, 0.3, 0.4), (0.2, 0.6, 0.2)])
    coverage = measure_coverage(sets, usual)
    assert coverage.min() > 0.945 and coverage.max() < 0.975


def simulate_coverage(opponents, shared, frequency, sets, runs=1500):
    """Return the coverage of the interval of a mean over opponents.

    shared: the share of sets with the same results against all opponents.
    """
    rng = np.random.default_rng(opponents * 1000 + sets)
    shape = (runs, sets, opponents)
    own, common = (rng.choice(3, p=frequency, size=s) for s in (shape, (runs, sets, 1)))
    totals = np.where(rng.random((runs, sets, 1)) < shared, common, own).sum(axis=2)
    bounds, mean = Bounds(0, 1, Fraction(1, opponents**2)), frequency @ np.array([0, 0.5, 1])

    @cache
    def covers(total, squares):
        found = estimate_score(Sums(sets, total, squares, 2 * opponents), bounds)
        return found.low <= mean <= found.high

    return np.mean([covers(int(x.sum()), int((x * x).sum())) for x in totals])


LOPSIDED = [(0.02, 0.06, 0.92), (0.1, 0.0, 0.9), (0.005, 0.02, 0.975), (0.01, 0.3, 0.69)]


@pytest.mark.parametrize("sets", [10, 40])
@pytest.mark.parametrize(("opponents", "shared"), [(3, 0), (9, 0), (3, 0.2), (9, 0.2)])
def test_intervals_of_means_cover(opponents, shared, sets):
    """Scores are lopsided; at most one set of five has the same results against all."""
    for frequency in LOPSIDED:
        assert simulate_coverage(opponents, shared, frequency, sets) > 0.85, frequency


RARE = ([0, 3], [0.98, 0.02])
PLENTY = ([-3, -1, 0, 1, 3], [0.1, 0.2, 0.4, 0.2, 0.1])


@pytest.mark.parametrize("sets", [20, 100, 400])
@pytest.mark.parametrize(("points", "odds"), [RARE, PLENTY])
def test_intervals_of_points_cover(points, odds, sets):
    """With rare points the plain variance covers in only 33, 86 and 89 of 100 runs."""
    rng, runs, covered = np.random.default_rng(2), 1000, 0
    design = replace(
        round_robin(2, 2), metric=TournamentMetric((("longs", 3), ("petits", 1)), level=True)
    )
    truth = float(np.dot(points, odds))
    for sample in rng.choice(points, (runs, sets), p=odds):
        sums = Sums(sets, int(sample.sum()), int((sample**2).sum()), 1)
        found = estimate_mean(sums, design, Bounds(-3, 3))
        covered += found.low <= truth <= found.high
    assert covered / runs > 0.95 - 3 * sqrt(0.05 * 0.95 / runs)
    assert covered / runs < 0.985 or points == RARE[0]
