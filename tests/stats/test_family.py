"""Simultaneous intervals against critical values from formulas."""

from math import sqrt

import numpy as np
import pytest
from extent import extent
from scipy import stats

from trutdsl.stats.multiplicity import FEWEST, family_of


def independent(size, clusters):
    """Return orthogonal columns of length 1."""
    return list(np.eye(clusters)[:size])


@pytest.mark.parametrize(("size", "freedom"), [(3, 127), (30, 127), (30, 25), (100, 127)])
def test_the_critical_value_of_independent_estimates(size, freedom):
    """By Sidak, each misses so rarely that all cover in 95 of 100 cases."""
    family = family_of(independent(size, 150), freedom)
    expected = stats.t.ppf((1 + 0.95 ** (1 / size)) / 2, freedom)
    assert family.critical == pytest.approx(expected, rel=0.01)
    assert family.critical < stats.t.ppf(1 - 0.025 / size, freedom)
    assert family.p_of(3.0) == pytest.approx(
        1 - (1 - 2 * stats.t.sf(3.0, freedom)) ** size, abs=0.01
    )


def test_equal_estimates_count_once():
    column = np.full(100, 0.1)
    family = family_of([column, -column, column], 99)
    assert family.critical == pytest.approx(stats.t.ppf(0.975, 99), rel=0.02)
    assert family.critical >= stats.t.ppf(0.975, 99) - 1e-9


def test_one_estimate_has_the_interval_of_student():
    family = family_of([np.full(50, sqrt(1 / 50)), np.zeros(50)], 49)
    assert family.size == 1
    assert family.critical == pytest.approx(stats.t.ppf(0.975, 49), abs=1e-8)
    assert family.p_of(2.5) == pytest.approx(2 * stats.t.sf(2.5, 49), abs=1e-8)


def test_few_clusters_have_the_interval_of_bonferroni():
    family = family_of(independent(4, FEWEST - 1), FEWEST - 2)
    assert family.critical == pytest.approx(stats.t.ppf(1 - 0.025 / 4, FEWEST - 2), abs=1e-8)
    assert family.p_of(3.0) == pytest.approx(8 * stats.t.sf(3.0, FEWEST - 2), abs=1e-8)


def test_an_estimate_that_hardly_varies_does_not_widen_the_others():
    """A column of length 0.1 is hardly ever the greatest, because its error has other parts."""
    alone = family_of(independent(10, 128), 127)
    beside = family_of([*independent(10, 128), *(0.1 * x for x in np.eye(128)[10:60])], 127)
    assert beside.critical == alone.critical and beside.size == 60


def test_an_error_of_its_own_is_an_influence_on_one_more_variable():
    columns, own = np.random.default_rng(1).normal(size=(9, 40)) / 9, np.linspace(0, 0.8, 9)
    alone = family_of(list(columns), 39, own.tolist())
    beside = family_of(np.hstack([columns, np.diag(own)]), 39)
    assert alone.critical == beside.critical > family_of(list(columns), 39).critical
    assert (alone.greatest == beside.greatest).all()


def test_an_interval_excludes_0_if_p_is_at_most_5_percent():
    family = family_of(independent(20, 128), 127)
    below, above = (family.p_of(family.critical + by) for by in (-1e-6, 1e-6))
    assert above <= 0.05 < below


@pytest.mark.parametrize(
    ("clusters", "skew", "runs"), [(20, 0, 1500), (128, 1, 600)][: extent(1, None)]
)
@pytest.mark.usefixtures("few_draws")
def test_simultaneous_intervals_cover(clusters, skew, runs):
    """Thirty correlated estimates, some skewed: 95 % of the runs, less three standard errors.

    Three standard errors are 1.7 % and 2.7 %.
    """
    random, covered = np.random.default_rng(5), 0
    mix = random.normal(size=(8, 30))
    for _ in range(runs):
        x = random.normal(size=(clusters, 8)) @ mix
        x[:, ::2] += 3 * skew * (random.exponential(1, (clusters, 15)) - 1)
        around = x - x.mean(axis=0)
        errors = np.sqrt((around**2).sum(axis=0) / (clusters * (clusters - 1)))
        columns = around / (errors * sqrt(clusters * (clusters - 1)))
        family = family_of(list(columns.T), clusters - 1)
        covered += (np.abs(x.mean(axis=0)) <= family.critical * errors).all()
    assert covered / runs >= 0.95 - 3 * sqrt(0.05 * 0.95 / runs)
    assert covered / runs <= 0.985
