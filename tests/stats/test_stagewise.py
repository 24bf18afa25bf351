"""The estimate after a sequential test is median unbiased; the plain mean is not."""

from math import sqrt

import numpy as np
import pytest
from extent import extent
from scipy import stats

from trutdsl.stats.estimate import Bounds, Sums, watched_variance
from trutdsl.stats.sequential import BOUNDARY, SequentialTest, estimate_stopped

TEST = SequentialTest(0.0, 0.08, Bounds(-1, 1))
RUNS = extent(150, 250)


def simulate_run(mean, rng):
    """Return the sums at the end of a run with results -1, 0 and 1."""
    values = rng.choice([-1, 0, 1], p=[0.25 - mean / 2, 0.5, 0.25 + mean / 2], size=40 * BOUNDARY)
    total, squares = np.cumsum(values), np.cumsum(values**2)
    for n in range(BOUNDARY, len(values) + 1, BOUNDARY):
        sums = Sums(n, int(total[n - 1]), int(squares[n - 1]), 1)
        if TEST.look(sums) != "open":
            break
    return sums


def share_at_or_above(sums, mean):
    """Return the probability of a stop above after 64 sets, or of this sum or more later.

    It adds up the sums after 64 sets on a fine grid.
    """
    variance, steps = watched_variance(sums, TEST.reach), 200_001
    low, high = (bound * variance / 0.08 + 0.04 * BOUNDARY for bound in TEST.bounds)
    error = sqrt(variance * BOUNDARY)
    first = np.linspace(low, high, steps)
    density = stats.norm.pdf(first, mean * BOUNDARY, error)
    later = sums.sets - BOUNDARY
    more = stats.norm.sf(sums.total - first, mean * later, sqrt(variance * later))
    return stats.norm.sf(high, mean * BOUNDARY, error) + np.trapezoid(density * more, first)


@pytest.mark.parametrize(
    ("sets", "total", "says"), [(128, 40, "upper"), (128, -1, "open"), (127, 30, "open")]
)
def test_the_estimate_after_two_looks_by_integration(sets, total, says):
    """A run ends above at the second look, is still open there, or ends just before it."""
    sums = Sums(sets, total, 70, 1)
    assert TEST.look(sums) == says
    found = estimate_stopped(TEST, sums)
    shares = [share_at_or_above(sums, mean) for mean in (found.low, found.mean, found.high)]
    assert shares == pytest.approx([0.025, 0.5, 0.975], abs=1e-3)


# 0 mirrors 0.08: a test below mirrors both hypotheses.
@pytest.mark.parametrize("truth", extent([0.08, 0.16], [0.0, 0.08, 0.16]))
def test_the_estimate_is_median_unbiased_and_the_interval_covers(truth):
    rng, above, plain, covered = np.random.default_rng(2), 0, 0, 0
    for _ in range(RUNS):
        sums = simulate_run(truth, rng)
        found = estimate_stopped(TEST, sums)
        above += found.mean > truth
        plain += float(sums.mean) > truth
        covered += found.low <= truth <= found.high
    error = sqrt(0.25 / RUNS)
    assert abs(above / RUNS - 0.5) < 3 * error
    assert covered / RUNS >= 0.95 - 3 * sqrt(0.05 * 0.95 / RUNS)
    if truth == 0.16:
        assert plain / RUNS > 0.5 + 2 * error  # most runs end with a mean that is too high


def test_a_single_look_is_the_normal_interval():
    """64 sets without a decision: mean +- 1.96 s / 8, with the variance of the test."""
    sums = Sums(64, 3, 32, 1)
    found = estimate_stopped(TEST, sums)
    deviation = sqrt((32 + 3 - 3 * 3 / 67) / 66)
    assert TEST.look(sums) == "open"
    assert found.mean == pytest.approx(3 / 64, abs=1e-6)
    assert found.high - found.mean == pytest.approx(1.959964 * deviation / 8, abs=1e-5)


def test_mirrored_tests_have_mirrored_estimates():
    """The mirror is the middle of both hypotheses."""
    mirrored = SequentialTest(-0.08, 0.0, Bounds(-1, 1))
    sums, other = Sums(192, 40, 96, 1), Sums(192, -40, 96, 1)
    one, two = estimate_stopped(TEST, sums), estimate_stopped(mirrored, other)
    assert (two.low, two.mean, two.high) == pytest.approx((-one.high, -one.mean, -one.low))
    assert one.mean < 40 / 192  # it ended because the sum was high


def test_before_the_first_look_there_is_no_interval():
    assert estimate_stopped(TEST, Sums(63, 3, 32, 1)).low is None
