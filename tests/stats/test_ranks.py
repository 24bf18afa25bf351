"""Ranks against the studentized range, an enumeration and their error rates."""

from math import sqrt

import numpy as np
import pytest
from extent import extent
from scipy import stats
from scipy.linalg import hadamard

from trutdsl.stats.resampling import Influences, compare_pairs, pair_family, rank_set, value_family

CLUSTERS = 128


def candidates(rank, signs):
    return [place for place, row in enumerate(signs) if rank in rank_set(row)]


def estimates(values, each):
    """Return estimates whose influences are the columns of a matrix."""
    return [Influences(v, tuple(e)) for v, e in zip(values, each.T.tolist(), strict=True)]


@pytest.mark.parametrize("many", [2, 3, 8, 12])
def test_the_critical_value_of_independent_estimates_is_tukeys(many):
    # Columns of a Hadamard matrix: no correlation, equal errors, sums of 0.
    each = hadamard(CLUSTERS)[:, 1 : many + 1].astype(float)
    found = estimates([0.0] * many, each)
    tukey = stats.studentized_range.ppf(0.95, many, CLUSTERS - 1) / sqrt(2)
    assert pair_family(found).critical == pytest.approx(tukey, abs=0.06)
    sidak = stats.t.ppf(1 - (1 - 0.95 ** (1 / many)) / 2, CLUSTERS - 1)
    assert value_family(found).critical == pytest.approx(sidak, abs=0.03)


def test_shared_luck_needs_no_more_than_one_interval():
    # All estimates have the same error in each cluster, so one interval is enough.
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
    assert candidates(1, signs) == [2]
    assert candidates(3, signs) == [0, 1]


def test_values_that_never_vary_do_not_differ_significantly():
    found = [Influences(1.0, (0.0,) * 30), Influences(2.0, (0.0,) * 30)]
    assert compare_pairs(found, pair_family(found)) == ((0, 0), (0, 0))
    found = [Influences(1.0, (0.0,) * 30), Influences(2.0, (0.1, -0.1) * 15)]
    assert compare_pairs(found, pair_family(found)) == ((0, 0), (0, 0)), "one is not known exactly"


def test_candidates_for_extremes_follow_from_the_intervals():
    # Which values can be the least or the greatest within the intervals of the differences?
    rng, each = np.random.default_rng(1), hadamard(CLUSTERS)[:, 1:6].astype(float)
    error = 1 / sqrt(CLUSTERS - 1)
    for _ in range(40):
        values = rng.normal(0, 4 * error, 5)
        found = estimates(values.tolist(), each)
        family = pair_family(found)
        signs, reach = compare_pairs(found, family), family.critical
        least = values.min() + reach * sqrt(2) * error
        most = values.max() - reach * sqrt(2) * error
        assert candidates(5, signs) == np.flatnonzero(values <= least).tolist()
        assert candidates(1, signs) == np.flatnonzero(values >= most).tolist()


def simulate_estimates(rng, true, shared, clusters):
    """Return estimates from slightly skewed clusters that share some luck."""
    own = (rng.gamma(20.0, size=(clusters, len(true))) - 20) / sqrt(20)
    luck = rng.normal(size=(clusters, 1))
    samples = sqrt(1 - shared) * own * np.linspace(0.5, 2, len(true)) + sqrt(shared) * luck
    return estimates((samples.mean(axis=0) + true).tolist(), samples - samples.mean(axis=0))


SOME_EQUAL = (0.0, 0.0, 0.0, 0.0, 0.4, 0.4, 3.0, 3.0)
ALL_EQUAL = (0.0,) * 8


@pytest.mark.parametrize(
    ("true", "shared", "clusters"),
    [
        (ALL_EQUAL, 0.0, 128),
        (ALL_EQUAL, 0.8, 128),
        (ALL_EQUAL, 0.5, 40),
        (SOME_EQUAL, 0.5, 40),
    ][:: extent(2, 1)],
)
@pytest.mark.usefixtures("few_draws")
def test_rank_sets_and_intervals_miss_in_at_most_5_percent(true, shared, clusters):
    # Equal values share a range of true ranks.
    true = np.array(true)
    ranks = [(1 + int((true > t).sum()), int((true >= t).sum())) for t in true]
    runs = extent(150, 250)
    rng, wrong, uncovered, extreme = np.random.default_rng(5), 0, 0, 0
    for _ in range(runs):
        found = simulate_estimates(rng, true, shared, clusters)
        sets = [rank_set(row) for row in compare_pairs(found, pair_family(found))]
        wrong += any(
            best > first or worst < last
            for (best, worst), (first, last) in zip(sets, ranks, strict=True)
        )
        family = value_family(found)
        ends = [one.estimate(family=family) for one in found]
        covered = [e.low <= t <= e.high for e, t in zip(ends, true, strict=True)]
        uncovered += not all(covered)
        extreme += not covered[int(np.argmax([e.mean for e in ends]))]
    most = 0.05 * runs + 3 * sqrt(runs * 0.05 * 0.95)
    assert 0 < wrong <= most  # a few must be wrong
    assert 0 < uncovered <= most
    assert extreme <= uncovered


@pytest.mark.usefixtures("few_draws")
def test_single_intervals_often_miss_for_the_greatest_value():
    rng, runs, alone, together = np.random.default_rng(5), 200, 0, 0
    for _ in range(runs):
        found = simulate_estimates(rng, np.zeros(8), 0.0, 128)
        most = max(found, key=lambda one: one.value / one.error)
        one, other = most.estimate(), most.estimate(family=value_family(found))
        alone += not one.low <= 0 <= one.high
        together += not other.low <= 0 <= other.high
    assert together <= 0.05 * runs + 3 * sqrt(runs * 0.05 * 0.95)
    assert alone > 0.1 * runs
