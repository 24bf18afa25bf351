"""Means, differences, shares, ratios and their tests against statsmodels and SciPy's own tests."""

from math import ceil

import numpy as np
import pytest
import statsmodels.api as sm
from drawn import draw_winners, list_matches
from scipy.stats import multivariate_normal, norm, permutation_test
from simulated import round_robin, tally_winners
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import normal_sample_size_one_tail
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from trutdsl.stats.contrast import DRAWS, compare_all
from trutdsl.stats.estimate import PSEUDO_SETS, Bounds, Sums, estimate_score, student_p
from trutdsl.stats.holm import correct_holm
from trutdsl.stats.influence import Influences, ratio_influences
from trutdsl.stats.power import sets_needed
from trutdsl.stats.share import estimate_share
from trutdsl.stats.sign_flips import sign_flip_p, step_down_p
from trutdsl.stats.summary import summarize
from trutdsl.stats.whole import estimate_ratio, estimate_whole, ratio_sums

DESIGN, SETS, EXACT = round_robin(4, 2), 90, 1e-9


@pytest.fixture(scope="module")
def winners():
    return draw_winners(DESIGN, SETS, 11, apart=0.3)


@pytest.fixture(scope="module")
def means(winners):
    """Scores of strategies by least squares, a row for each of both in a match, sets as clusters.

    G/(G - 1) is ours: the variance of a mean of G sets is worked out with G - 1.
    """
    played = list_matches(DESIGN, winners)
    who = np.concatenate([played.first, played.second])
    score = np.concatenate([played.score, 1 - played.score])
    groups = {"groups": np.tile(played.set, 2), "use_correction": False}
    fitted = sm.OLS(score, np.eye(4)[who]).fit(cov_type="cluster", cov_kwds=groups)
    return fitted.params, fitted.cov_params() * SETS / (SETS - 1)


def sum_up(values, unit=1):
    return Sums(len(values), int(values.sum()), int((values**2).sum()), unit)


def test_scores_have_the_errors_of_clustered_least_squares(winners, means):
    found = {
        s.strategy: s.score for s in summarize(DESIGN, tally_winners(DESIGN, winners)).standings
    }
    assert [found[i].mean for i in range(4)] == pytest.approx(means[0], abs=EXACT)
    assert [found[i].se for i in range(4)] == pytest.approx(np.sqrt(np.diag(means[1])), abs=EXACT)


def test_differences_have_the_errors_and_p_values_of_clustered_least_squares(winners, means):
    played = list_matches(DESIGN, winners)
    by_set = [
        np.bincount(played.set, (played.first == i) * played.score)
        + np.bincount(played.set, (played.second == i) * (1 - played.score))
        for i in range(4)
    ]
    for c in compare_all(tally_winners(DESIGN, winners), DESIGN):
        one, variance = np.eye(4)[c.first] - np.eye(4)[c.second], means[1]
        assert c.difference.mean == pytest.approx(one @ means[0], abs=EXACT)
        assert c.difference.se == pytest.approx(np.sqrt(one @ variance @ one), abs=EXACT)
        of_student = DescrStatsW(by_set[c.first] - by_set[c.second]).ttest_mean(0)[1]
        assert c.p == pytest.approx(of_student, abs=EXACT)


def test_together_they_have_the_p_values_of_the_normal_integral(winners, means):
    """Ours are from so many draws, and are known only to what these leave."""
    found = compare_all(tally_winners(DESIGN, winners), DESIGN)
    one = np.array([np.eye(4)[c.first] - np.eye(4)[c.second] for c in found])
    joint = one @ means[1] @ one.T
    joint /= np.sqrt(np.outer(np.diag(joint), np.diag(joint)))
    seen, reached = -norm.ppf([c.p / 2 for c in found]), 0.0
    order = np.argsort(-seen)
    for at, index in enumerate(order):
        rest, edge = order[at:], np.full(len(order) - at, seen[index])
        inside = multivariate_normal(None, joint[np.ix_(rest, rest)], True, seed=1, abseps=1e-4)
        reached = max(reached, 1 - inside.cdf(edge, lower_limit=-edge))
        error = 4 * np.sqrt(reached * (1 - reached) / DRAWS)
        assert found[index].p_adjusted == pytest.approx(reached, abs=error)
    assert sum(0.001 < c.p_adjusted < 0.9 for c in found) > 2


@pytest.mark.parametrize("values", [[3, -1, 4, 1, -5, 9, 2, 6], list(range(-9, 31))])
def test_student(values):
    values = np.array(values)
    one, sums = DescrStatsW(values / 2), sum_up(values, 2)
    assert student_p(sums) == pytest.approx(one.ttest_mean(0)[1], abs=EXACT)
    assert (float(sums.mean), sums.error) == pytest.approx((one.mean, one.std_mean), abs=EXACT)
    assert estimate_whole(sums).se == pytest.approx(one.std_mean, abs=EXACT)


@pytest.mark.parametrize("weight", [1, 0.25])
def test_pseudo_sets_are_weighted_observations(weight):
    values, added = np.array([0, 1, 2, 1, 0, 1, 2, 0, 1, 1]), float(PSEUDO_SETS * weight)
    one = DescrStatsW(np.append(values / 2, [0, 1]), weights=[1] * 10 + [added] * 2)
    found = estimate_score(sum_up(values, 2), Bounds(0, 1, weight))
    assert (found.low, found.high) == pytest.approx(one.tconfint_mean(), abs=EXACT)


def test_holm():
    drawn = np.random.default_rng(1).beta(0.3, 2, (8, 20)).round(2)  # some are equal
    for values in drawn:
        assert correct_holm(list(values)) == pytest.approx(
            multipletests(values, method="holm")[1], abs=EXACT
        )


def test_clopper_and_pearson():
    for matches in (1, 2, 17, 400):
        for seen in {0, 1, matches // 3, matches}:
            found = estimate_share(seen, matches)
            expected = proportion_confint(seen, matches, method="beta")
            assert (found.low, found.high) == pytest.approx(expected, abs=EXACT)


def clusters(seed):
    """Return parts and wholes of 30 clusters."""
    rng = np.random.default_rng(seed)
    wholes = rng.integers(5, 40, 30)
    return rng.binomial(wholes, rng.beta(2, 6, 30)), wholes


def test_a_ratio_is_a_weighted_mean_with_errors_that_allow_for_any_variance():
    """Of part / whole, weighed by the whole; n/(n - 1) is in HC1."""
    parts, wholes = clusters(2)
    fitted = sm.WLS(parts / wholes, np.ones(30), weights=wholes).fit(cov_type="HC1")
    found = estimate_ratio(ratio_sums(parts.tolist(), wholes.tolist()))
    assert (found.mean, found.se) == pytest.approx((fitted.params[0], fitted.bse[0]), abs=EXACT)
    known = ratio_influences(parts, wholes)
    assert (known.value, known.error) == pytest.approx((found.mean, found.se), abs=EXACT)


def test_ratios_of_the_same_clusters_differ_by_what_they_have_not_in_common():
    (parts, wholes), (again, other) = clusters(3), clusters(4)
    again = again + parts * other // wholes  # something in common
    both = np.repeat([[1, 0], [1, 1]], 30, axis=0)
    fitted = sm.WLS(
        np.concatenate([parts / wholes, again / other]),
        both,
        weights=np.concatenate([wholes, other]),
    ).fit(cov_type="cluster", cov_kwds={"groups": np.tile(range(30), 2), "use_correction": False})
    found = ratio_influences(again, other) - ratio_influences(parts, wholes)
    assert found.value == pytest.approx(fitted.params[1], abs=EXACT)
    assert found.error == pytest.approx(fitted.bse[1] * np.sqrt(30 / 29), abs=EXACT)


@pytest.mark.parametrize("margin", [0.1, 0.4, 1.5])
def test_two_one_sided_tests(margin):
    values = np.random.default_rng(5).normal(0.3, 1, 25)
    known = Influences(values.mean(), tuple(values - values.mean()))
    one = DescrStatsW(values)
    assert known.p_beyond(margin) == pytest.approx(one.ttost_mean(-margin, margin)[0], abs=EXACT)
    assert known.p_zero() == pytest.approx(one.ttest_mean(0)[1], abs=EXACT)


def test_sets_needed():
    for deviation, difference, alpha, power in (
        (0.4, 0.05, 0.05, 0.8),
        (0.31, 0.013, 0.05 / 15, 0.9),
        (2.7, 1, 0.01, 0.95),
    ):
        expected = normal_sample_size_one_tail(difference, power, alpha / 2, deviation)
        assert sets_needed(deviation, difference, alpha, power) == ceil(expected)


def test_flips_of_signs():
    """All flips of eleven sets; step by step by the greatest of SciPy's flips of all columns."""
    drawn = np.random.default_rng(6).integers(-5, 8, (11, 3)) - [0, 1, 2]
    spread = np.sqrt((drawn**2).sum(axis=0))
    flipped = permutation_test(
        (drawn,),
        lambda x, axis: abs(x.sum(axis=axis)),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="greater",
        vectorized=True,
    )
    assert sign_flip_p(drawn) == pytest.approx(flipped.pvalue, abs=EXACT)
    order, reached = np.argsort(-flipped.statistic / spread), 0.0
    found, null = step_down_p(drawn), flipped.null_distribution / spread
    for at, index in enumerate(order):
        greatest = null[:, order[at:]].max(axis=1)
        reached = max(
            reached, (greatest >= flipped.statistic[index] / spread[index] - EXACT).mean()
        )
        assert found[index] == pytest.approx(reached, abs=EXACT)
