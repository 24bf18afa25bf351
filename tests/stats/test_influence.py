"""Influence values against formulas, and the coverage of their intervals."""

from math import sqrt

import numpy as np
import pytest
from extent import extent
from scipy import stats

from trutdsl.stats.estimate import estimate_ratio, ratio_sums
from trutdsl.stats.multiplicity import family_of
from trutdsl.stats.resampling import Influences, correlate, jackknife, ratio_influences, square_ends

PARTS = np.array([3, 5, 2, 8, 4, 6])
WHOLES = np.array([10, 12, 9, 15, 10, 11])


def test_the_error_of_a_ratio_is_linearized():
    found = ratio_influences(PARTS, WHOLES)
    known = estimate_ratio(ratio_sums(PARTS.tolist(), WHOLES.tolist()))
    assert found.estimate(0.0) == pytest.approx(known) or (
        found.estimate(0.0).mean == pytest.approx(known.mean)
        and found.estimate(0.0).se == pytest.approx(known.se)
        and found.estimate(0.0).low == pytest.approx(known.low)
        and found.estimate(0.0).high == pytest.approx(known.high)
    )
    assert sum(found.each) == pytest.approx(0)


def test_the_jackknife_of_a_mean_is_its_standard_error():
    values = PARTS.astype(float)

    def mean(without):
        return float(np.delete(values, without).mean() if without is not None else values.mean())

    found = jackknife(mean, len(values))
    assert found.value == values.mean()
    assert found.error == pytest.approx(values.std(ddof=1) / sqrt(len(values)))


def test_the_influences_of_a_square_add_up_to_0():
    """Without a cluster the square of the mean changes by more than a multiple of the influence."""
    values = PARTS.astype(float)

    def square(without):
        return float((values if without is None else np.delete(values, without)).mean() ** 2)

    found = jackknife(square, len(values))
    assert found.value == square(None)
    assert sum(found.each) == pytest.approx(0)
    changes = [5 * (np.mean([square(n) for n in range(6)]) - square(one)) for one in range(6)]
    assert found.each == pytest.approx(changes)


def test_a_square_near_0_has_at_least_the_variance_of_0():
    flat = jackknife(lambda _: 0.25, 6, of_zero=0.01)
    assert flat.spread**2 == pytest.approx(0.01) and flat.error == 0


def test_a_paired_difference_uses_the_differences():
    ones = np.full(6, 1)
    one, other = ratio_influences(PARTS, ones), ratio_influences(WHOLES, ones)
    difference = other - one
    differences = (WHOLES - PARTS).astype(float)
    assert difference.value == pytest.approx(differences.mean())
    assert difference.error == pytest.approx(differences.std(ddof=1) / sqrt(6))
    assert difference.rounding == one.rounding + other.rounding > max(one.rounding, other.rounding)
    assert correlate(one, other) == pytest.approx(np.corrcoef(PARTS, WHOLES)[0, 1])


def test_p_values_are_those_of_student():
    found = Influences(2.0, (1.0, -1.0, 3.0, -3.0, 0.5, -0.5))
    t = found.value / found.error
    assert found.p_zero() == pytest.approx(2 * stats.t.sf(t, 5), abs=1e-9)
    family = family_of([found.column, np.flip(found.column)], 5)
    assert found.p_zero(family) == pytest.approx(min(1, 4 * stats.t.sf(t, 5)), abs=1e-9)
    wide = found.estimate(family=family)
    assert wide.high - 2.0 == pytest.approx(found.error * stats.t.ppf(1 - 0.05 / 4, 5), abs=1e-8)
    assert wide.method == "together" and found.estimate().method == "t"


def test_values_without_variance_are_uncertain():
    one = ratio_influences(PARTS, WHOLES)
    nothing = one - one
    assert nothing.value == 0 and nothing.spread > 0  # from rounding
    assert nothing.estimate().high > 0 == nothing.estimate().mean
    off_by_one = ratio_influences(WHOLES, WHOLES) - ratio_influences(0 * WHOLES, WHOLES)
    assert off_by_one.value == 1.0 and 0 < off_by_one.estimate().low < 1
    flat = jackknife(lambda _: 0.25, 6)
    assert flat.estimate().low is None and flat.p_zero() == 1.0 and not flat.column.any()
    nearly = jackknife(lambda without: 0.3 if without else 0.1 + 0.2, 6)
    assert nearly.estimate().low is None, "rounding errors are no variance"
    never = ratio_influences(np.zeros(6, np.int64), WHOLES)
    assert never.estimate(0.0).high > 0  # an event without an occurrence may have a small chance


def test_an_empty_whole_has_no_ratio():
    assert ratio_influences(PARTS, np.zeros(6, np.int64)) is None
    assert jackknife(lambda _: None, 4) is None


RUNS, CLUSTERS = 2000, 30


def test_intervals_cover_and_tests_have_their_level():
    """95 % of 2,000 runs, with three standard errors of 0.5 % each."""
    random = np.random.default_rng(11)
    covered = wrong = 0
    truth = 0.4
    for _ in range(RUNS):
        deals = random.normal(0, 1, CLUSTERS)  # both share this luck
        one = 100 * (5 + deals + random.normal(0, 1, CLUSTERS))
        other = 100 * (5 + truth + deals + random.normal(0, 1, CLUSTERS))
        whole = np.full(CLUSTERS, 100)
        base, changed = (ratio_influences(x.round().astype(int), whole) for x in (one, other))
        difference = changed - base
        found = difference.estimate()
        covered += found.low <= truth <= found.high
        wrong += (base - changed + Influences(truth, (0.0,) * CLUSTERS)).p_zero() <= 0.05
    assert 0.935 <= covered / RUNS <= 0.965
    assert 0.035 <= wrong / RUNS <= 0.065


def square_influences(mean: float, variance: float, clusters: int) -> Influences:
    """Return the jackknife of the square of a mean less its variance."""
    size = 2 * mean * sqrt(variance * (clusters - 1))
    each = (size, -size) * (clusters // 2)
    of_zero = 2 * variance**2
    rounding = max(0.0, clusters * (of_zero - 4 * mean**2 * variance))
    whole = mean**2 - variance
    return Influences(whole, each, rounding, debiased=variance, of_zero=of_zero)


def test_the_interval_of_a_square_is_that_of_its_root_squared():
    """The standard error of the mean is that of the square over twice the mean."""
    found, t = square_influences(0.5, 0.01, 40).estimate(0.0, 1.0), stats.t.ppf(0.975, 39)
    half = t * sqrt(4 * 0.25 * 0.01 / (4 * 0.24 + 2 * 0.01))
    assert found.mean == 0.24
    ends = ((0.5 - half) ** 2, (0.5 + half) ** 2)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-8)
    assert half == pytest.approx(0.1 * t, rel=0.03)
    assert square_influences(0.1, 0.01, 40).estimate(0.0, 1.0).low == 0.0


def test_the_interval_of_a_difference_of_squares_is_symmetric():
    one, other = square_influences(0.5, 0.01, 40), square_influences(0.2, 0.01, 40)
    found = (one - other).estimate()
    assert found.high - found.mean == pytest.approx(found.mean - found.low, abs=1e-8)


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 45])
@pytest.mark.parametrize("length", [1e-9, 0.5, 4.0, 10.0, 100.0])
def test_the_interval_of_a_squared_length_covers(freedom, length):
    """The coverage is exact, by the noncentral chi-square of independent parts."""
    chi = stats.ncx2(freedom, length).ppf((np.arange(5_000) + 0.5) / 5_000)
    ends = [
        square_ends(x - freedom, max(4 * x, 2 * freedom), 2 * freedom, freedom, 1.96)
        for x in chi.tolist()
    ]
    low, high = np.array(ends).T
    below, above = (high < length).mean(), (length < low).mean()
    assert below < 0.045 and above < 0.038 and below + above < 0.065


@pytest.mark.parametrize(
    ("noncentrality", "least", "most"),
    [(0, 0.99, 1.0), (8, 0.955, 0.99), (30, 0.935, 0.98)][: extent(1, None)],
)
def test_a_difference_of_squares_covers_more_near_0(noncentrality, least, most):
    """Two equal squared lengths of means of three parts over 40 clusters.

    Near 0, a large square comes with a large estimated variance.
    """
    luck, runs, covered = np.random.default_rng(1), 400, 0
    shift = sqrt(noncentrality / 3 / 40)
    for _ in range(runs):
        one, other = (squared_length(luck.normal(shift, 1, (40, 3))) for _ in range(2))
        found = (one - other).estimate()
        covered += found.low <= 0 <= found.high
    assert least <= covered / runs <= most


def squared_length(values):
    """Return the squared length of the mean of clusters less its variance, as for `skill`."""

    def length(without):
        remaining = values if without is None else np.delete(values, without, 0)
        return float((remaining.mean(0) ** 2 - remaining.var(0, ddof=1) / len(remaining)).sum())

    spread = np.cov(values.T) / len(values)
    return jackknife(length, len(values), 2 * float((spread**2).sum()), float(spread.trace()))
