"""Means, differences, shares, ratios and their tests, compared with statsmodels and SciPy."""

from math import ceil

import numpy as np
import pytest
import statsmodels.api as sm
from drawn import draw_winners, list_matches
from scipy.stats import multivariate_normal
from set_results import round_robin, tally_winners
from statsmodels.stats.power import normal_sample_size_one_tail
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from trutdsl.stats.contrast import compare_all, contrast_bounds
from trutdsl.stats.estimate import (
    PSEUDO_SETS,
    Bounds,
    Sums,
    estimate_points,
    estimate_ratio,
    estimate_share,
    estimate_whole,
    ratio_sums,
)
from trutdsl.stats.multiplicity import DRAWS, family_of
from trutdsl.stats.resampling import Influences, ratio_influences
from trutdsl.stats.sequential import sets_needed
from trutdsl.stats.summary import summarize

DESIGN, SETS, TOLERANCE = round_robin(4, 2), 90, 1e-9


@pytest.fixture(scope="module")
def winners():
    return draw_winners(DESIGN, SETS, 11, apart=0.3)


@pytest.fixture(scope="module")
def means(winners):
    """Return scores of strategies by least squares, and their covariance, with sets as clusters.

    Each match gives a row for both strategies. We multiply by G/(G - 1): our variance of a mean of
    G sets has the denominator G - 1.
    """
    match_rows = list_matches(DESIGN, winners)
    who = np.concatenate([match_rows.first, match_rows.second])
    score = np.concatenate([match_rows.score, 1 - match_rows.score])
    groups = {"groups": np.tile(match_rows.set, 2), "use_correction": False}
    fitted = sm.OLS(score, np.eye(4)[who]).fit(cov_type="cluster", cov_kwds=groups)
    return fitted.params, fitted.cov_params() * SETS / (SETS - 1)


def sum_up(values, unit=1):
    return Sums(len(values), int(values.sum()), int((values**2).sum()), unit)


def test_scores_have_the_errors_of_clustered_least_squares(winners, means):
    found = {
        s.strategy: s.score for s in summarize(DESIGN, tally_winners(DESIGN, winners)).standings
    }
    assert [found[i].mean for i in range(4)] == pytest.approx(means[0], abs=TOLERANCE)
    assert [found[i].se for i in range(4)] == pytest.approx(
        np.sqrt(np.diag(means[1])), abs=TOLERANCE
    )


def test_differences_have_the_errors_and_p_values_of_clustered_least_squares(winners, means):
    match_rows = list_matches(DESIGN, winners)
    by_set = [
        np.bincount(match_rows.set, (match_rows.first == i) * match_rows.score)
        + np.bincount(match_rows.set, (match_rows.second == i) * (1 - match_rows.score))
        for i in range(4)
    ]
    for c in compare_all(tally_winners(DESIGN, winners), DESIGN):
        one, variance = np.eye(4)[c.first] - np.eye(4)[c.second], means[1]
        assert c.difference.mean == pytest.approx(one @ means[0], abs=TOLERANCE)
        assert c.difference.se == pytest.approx(np.sqrt(one @ variance @ one), abs=TOLERANCE)
        added = float(PSEUDO_SETS * contrast_bounds(DESIGN, c.first, c.second).weight)
        differences = (by_set[c.first] - by_set[c.second]) / DESIGN.matches_of(c.first)
        weighted = DescrStatsW(np.append(differences, [-1, 1]), [1.0] * SETS + [added] * 2)
        assert c.p == pytest.approx(weighted.ttest_mean(0)[1], abs=TOLERANCE)


def test_simultaneous_p_values_agree_with_the_normal_integral(means):
    """Our p-values come from `DRAWS` draws, so they agree within the error of these."""
    one = np.array([np.eye(4)[i] - np.eye(4)[k] for i in range(4) for k in range(i)])
    joint = one @ means[1] @ one.T
    joint /= np.sqrt(np.outer(np.diag(joint), np.diag(joint)))
    values, vectors = np.linalg.eigh(joint)
    columns = np.zeros((64, len(joint)))
    columns[: len(joint)] = (vectors * np.sqrt(np.maximum(values, 0))).T
    family = family_of(list(columns.T), 10**9)
    inside = multivariate_normal(None, joint, True, seed=1, abseps=1e-4)
    for edge in (1.5, 2, 2.5, 3):
        limits = np.full(len(joint), edge)
        p = 1 - inside.cdf(limits, lower_limit=-limits)
        error = 4 * np.sqrt(p * (1 - p) / DRAWS)
        assert family.p_of(edge) == pytest.approx(p, abs=error)


@pytest.mark.parametrize("values", [[3, -1, 4, 1, -5, 9, 2, 6], list(range(-9, 31))])
def test_whole_estimates_have_the_standard_error_of_statsmodels(values):
    values = np.array(values)
    one, sums = DescrStatsW(values / 2), sum_up(values, 2)
    assert (float(sums.mean), sums.error) == pytest.approx((one.mean, one.std_mean), abs=TOLERANCE)
    assert estimate_whole(sums).se == pytest.approx(one.std_mean, abs=TOLERANCE)


@pytest.mark.parametrize("weight", [1, 0.25])
def test_pseudo_sets_are_weighted_observations(weight):
    values, added = np.array([0, 1, 2, 1, 0, 1, 2, 0, 1, 1]), float(PSEUDO_SETS * weight)
    one = DescrStatsW(np.append(values / 2, [0, 1]), weights=[1] * 10 + [added] * 2)
    found = estimate_points(sum_up(values, 2), Bounds(0, 1, weight))
    assert (found.low, found.high) == pytest.approx(one.tconfint_mean(), abs=TOLERANCE)


def test_shares_have_the_interval_of_clopper_and_pearson():
    for matches in (1, 2, 17, 400):
        for seen in {0, 1, matches // 3, matches}:
            found = estimate_share(seen, matches)
            expected = proportion_confint(seen, matches, method="beta")
            assert (found.low, found.high) == pytest.approx(expected, abs=TOLERANCE)


def clusters(seed):
    """Return the parts and wholes of 30 random clusters."""
    rng = np.random.default_rng(seed)
    wholes = rng.integers(5, 40, 30)
    return rng.binomial(wholes, rng.beta(2, 6, 30)), wholes


def test_a_ratio_is_a_weighted_mean_with_robust_errors():
    """The mean of part / whole, weighted by the whole, with errors HC1, which contain n/(n - 1)."""
    parts, wholes = clusters(2)
    fitted = sm.WLS(parts / wholes, np.ones(30), weights=wholes).fit(cov_type="HC1")
    found = estimate_ratio(ratio_sums(parts.tolist(), wholes.tolist()))
    assert (found.mean, found.se) == pytest.approx((fitted.params[0], fitted.bse[0]), abs=TOLERANCE)
    known = ratio_influences(parts, wholes)
    assert (known.value, known.error) == pytest.approx((found.mean, found.se), abs=TOLERANCE)


def test_the_difference_of_ratios_of_shared_clusters_has_clustered_errors():
    (parts, wholes), (again, other) = clusters(3), clusters(4)
    again = again + parts * other // wholes  # correlate both
    both = np.repeat([[1, 0], [1, 1]], 30, axis=0)
    fitted = sm.WLS(
        np.concatenate([parts / wholes, again / other]),
        both,
        weights=np.concatenate([wholes, other]),
    ).fit(cov_type="cluster", cov_kwds={"groups": np.tile(range(30), 2), "use_correction": False})
    found = ratio_influences(again, other) - ratio_influences(parts, wholes)
    assert found.value == pytest.approx(fitted.params[1], abs=TOLERANCE)
    assert found.error == pytest.approx(fitted.bse[1] * np.sqrt(30 / 29), abs=TOLERANCE)


def test_the_p_value_of_a_mean_is_that_of_a_t_test():
    values = np.random.default_rng(5).normal(0.3, 1, 25)
    known = Influences(values.mean(), tuple(values - values.mean()))
    assert known.p_zero() == pytest.approx(DescrStatsW(values).ttest_mean(0)[1], abs=TOLERANCE)


def test_sets_needed_agree_with_statsmodels():
    for deviation, difference, alpha, power in (
        (0.4, 0.05, 0.05, 0.8),
        (0.31, 0.013, 0.05 / 15, 0.9),
        (2.7, 1, 0.01, 0.95),
    ):
        expected = normal_sample_size_one_tail(difference, power, alpha / 2, deviation)
        assert sets_needed(deviation, difference, alpha, power) == ceil(expected)
