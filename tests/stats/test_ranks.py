"""Ranks against the studentized range, enumeration, and how often what is said of them is wrong."""

from math import sqrt

import numpy as np
import pytest
from extent import extent
from scipy import stats
from scipy.linalg import hadamard

from trutdsl.stats.resampling import Influences, compare_pairs, pair_family, rank_set, value_family

CLUSTERS = 128


def can_be(rank, signs):
    return [place for place, row in enumerate(signs) if rank in rank_set(row)]


def estimates(values, each):
    """Return estimates whose influences are the columns of a matrix."""
    return [Influences(v, tuple(e)) for v, e in zip(values, each.T.tolist(), strict=True)]


@pytest.mark.parametrize("many", [2, 3, 8, 12])
def test_the_reach_of_independent_estimates_is_that_of_tukey(many):
    # Columns of a Hadamard matrix: no correlation, equal errors, sums of 0.
    each = hadamard(CLUSTERS)[:, 1 : many + 1].astype(float)
    found = estimates([0.0] * many, each)
    tukey = stats.studentized_range.ppf(0.95, many, CLUSTERS - 1) / sqrt(2)
    assert pair_family(found).critical == pytest.approx(tukey, abs=0.06)
    sidak = stats.t.ppf(1 - (1 - 0.95 ** (1 / many)) / 2, CLUSTERS - 1)
    assert value_family(found).critical == pytest.approx(sidak, abs=0.03)


def test_shared_luck_needs_no_more_than_one_interval():
    # All estimates have the same error, cluster by cluster: one interval holds for all of them.
    luck = hadamard(CLUSTERS)[:, 1].astype(float)
    found = estimates([0.0] * 6, np.column_stack([luck] * 6))
    alone = stats.t.ppf(0.975, CLUSTERS - 1)
    assert value_family(found).critical == pytest.approx(alone, abs=0.03)
    assert pair_family(found).size == 0  # no difference varies


def test_rank_sets_of_three_in_two_groups():
    each = hadamard(CLUSTERS)[:, 1:4].astype(float)
    error = 1 / sqrt(CLUSTERS - 1)  # of a value; sqrt(2) times as much of a difference
    found = estimates([0.0, 1.5 * error, 9.0 * error], each)
    signs = compare_pairs(found, pair_family(found))
    assert signs == ((0, 0, -1), (0, 0, -1), (1, 1, 0))
    assert [rank_set(row) for row in signs] == [(2, 3), (2, 3), (1, 1)]
    assert can_be(1, signs) == [2]
    assert can_be(3, signs) == [0, 1]


def test_values_that_never_vary_do_not_differ_significantly():
    found = [Influences(1.0, (0.0,) * 30), Influences(2.0, (0.0,) * 30)]
    assert compare_pairs(found, pair_family(found)) == ((0, 0), (0, 0))
    known = [Influences(1.0, (0.0,) * 30, exact=True), Influences(2.0, (0.0,) * 30, exact=True)]
    assert compare_pairs(known, pair_family(known)) == ((0, -1), (1, 0))


def test_extremes_are_all_that_can_be_in_every_true_order():
    # Of all values within the intervals of the differences: which can be the least, the greatest?
    rng, each = np.random.default_rng(1), hadamard(CLUSTERS)[:, 1:6].astype(float)
    error = 1 / sqrt(CLUSTERS - 1)
    for _ in range(40):
        values = rng.normal(0, 4 * error, 5)
        found = estimates(values.tolist(), each)
        family = pair_family(found)
        signs, reach = compare_pairs(found, family), family.critical
        least = values.min() + reach * sqrt(2) * error
        most = values.max() - reach * sqrt(2) * error
        assert can_be(5, signs) == np.flatnonzero(values <= least).tolist()
        assert can_be(1, signs) == np.flatnonzero(values >= most).tolist()


def simulated(rng, true, shared, clusters):
    """Return estimates from clusters that are a little skewed and share some luck."""
    own = (rng.gamma(20.0, size=(clusters, len(true))) - 20) / sqrt(20)
    luck = rng.normal(size=(clusters, 1))
    drawn = sqrt(1 - shared) * own * np.linspace(0.5, 2, len(true)) + sqrt(shared) * luck
    return estimates((drawn.mean(axis=0) + true).tolist(), drawn - drawn.mean(axis=0))


SOME_EQUAL = (0.0, 0.0, 0.0, 0.0, 0.4, 0.4, 3.0, 3.0)
ALL_EQUAL = (0.0,) * 8


@pytest.mark.parametrize(
    ("true", "shared", "clusters"),
    [
        (ALL_EQUAL, 0.0, 128),
        (ALL_EQUAL, 0.8, 128),
        (ALL_EQUAL, 0.5, 40),
        (SOME_EQUAL, 0.5, 40),
    ],
)
@pytest.mark.usefixtures("few_draws")
def test_rank_sets_and_intervals_miss_at_most_5_in_100(true, shared, clusters):
    # The true ranks of equal ones are all that they share.
    true = np.array(true)
    ranks = [(1 + int((true > t).sum()), int((true >= t).sum())) for t in true]
    runs = extent(150, 250)
    rng, wrong, uncovered, extreme = np.random.default_rng(5), 0, 0, 0
    for _ in range(runs):
        found = simulated(rng, true, shared, clusters)
        sets = [rank_set(row) for row in compare_pairs(found, pair_family(found))]
        wrong += any(
            best > first or worst < last
            for (best, worst), (first, last) in zip(sets, ranks, strict=True)
        )
        family = value_family(found)
        ends = [one.estimate(family=family) for one in found]
        held = [e.low <= t <= e.high for e, t in zip(ends, true, strict=True)]
        uncovered += not all(held)
        extreme += not held[int(np.argmax([e.mean for e in ends]))]
    most = 0.05 * runs + 3 * sqrt(runs * 0.05 * 0.95)
    assert 0 < wrong <= most  # of so many some are: the test can fail
    assert 0 < uncovered <= most
    assert extreme <= uncovered


@pytest.mark.usefixtures("few_draws")
def test_a_value_picked_as_the_greatest_is_often_outside_an_interval_that_stands_alone():
    rng, runs, alone, together = np.random.default_rng(5), 200, 0, 0
    for _ in range(runs):
        found = simulated(rng, np.zeros(8), 0.0, 128)
        most = max(found, key=lambda one: one.value / one.error)
        one, other = most.estimate(), most.estimate(family=value_family(found))
        alone += not one.low <= 0 <= one.high
        together += not other.low <= 0 <= other.high
    assert together <= 0.05 * runs + 3 * sqrt(runs * 0.05 * 0.95)
    assert alone > 0.1 * runs
