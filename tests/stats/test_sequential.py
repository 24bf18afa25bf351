"""Sequential tests: numbers of other programs to their printed digits, and error rates."""

from math import sqrt

import numpy as np
import pytest
from exact_ratios import estimate_elo, ratio_of_means, ratio_of_t, score_of_elo, t_of_normalized_elo

from tests.calibration.sequences import errors_of_test
from trutdsl.stats.estimate import Bounds, Sums, leaves_out_zero, watched_variance
from trutdsl.stats.sequential import BOUNDARY, SequentialTest, estimate_stopped, ratio_of_sums

PAIRS = [k / 4 for k in range(5)]
GAMES = [0, 0.5, 1]
SCORE = Bounds(0, 1)


def count_points(six):
    """Return the counts of fastchess (LL, LD, WL, DD, WD, WW) by the points of a pair."""
    ll, ld, wl, dd, wd, ww = six
    return [ll, ld, wl + dd, wd, ww]


def normalized(counts, low, high, scores=PAIRS):
    times = 1 if scores is PAIRS else sqrt(0.5)  # the deviation of a single game is larger
    return ratio_of_t(counts, scores, *(times * t_of_normalized_elo(e) for e in (low, high)))


def logistic(counts, low, high, scores=PAIRS):
    return ratio_of_means(counts, scores, score_of_elo(low), score_of_elo(high))


@pytest.mark.parametrize(
    ("method", "six", "elo", "expected"),
    [
        (normalized, (365, 16618, 36029, 200, 16974, 390), (0, 2), 2.25),
        (normalized, (127, 4883, 10311, 401, 5150, 104), (-1.75, 0.25), 3.01),
        (logistic, (223, 9863, 20279, 1000, 10037, 246), (0.5, 2.5), -3.07),
        (logistic, (871, 26175, 55003, 980, 26678, 821), (0, 2), -4.98),
    ],
)
def test_ratios_of_fastchess(method, six, elo, expected):
    assert round(method(count_points(six), *elo), 2) == expected


@pytest.mark.parametrize(
    ("method", "counts", "elo", "expected"),
    [
        (normalized, (36027, 68692, 36433), (0, 2), 0.92),
        (logistic, (21184, 40708, 21404), (0.5, 2.5), -1.57),
    ],
)
def test_ratios_of_fastchess_for_single_games(method, counts, elo, expected):
    assert round(method(counts, *elo, GAMES), 2) == expected


def test_ratios_of_openbench_and_fishtest():
    assert normalized((39, 8843, 26675, 9240, 44), 0.5, 2.5) == pytest.approx(2.94167521, abs=1e-7)
    counts = (10789, 19328, 33806, 19402, 10543)
    assert logistic(counts, -3, 1) == pytest.approx(2.13106781, abs=1e-7)


def test_ratios_of_a_public_page():
    """The second ratio uses the means that give these strengths with the observed deviation."""
    counts = np.array([13, 37, 50, 25, 3])
    assert round(normalized(counts, 0, 4), 5) == -0.54912
    mean = counts @ PAIRS / counts.sum()
    deviation = sqrt(counts @ (np.array(PAIRS) - mean) ** 2 / counts.sum())
    high = 0.5 + t_of_normalized_elo(4) * deviation
    assert round(ratio_of_means(counts, PAIRS, 0.5, high), 5) == -0.53772


@pytest.mark.parametrize(
    ("six", "elo", "half", "plain", "plain_half", "superiority", "score"),
    [
        ((34, 54, 31, 32, 64, 75), 57.94, 28.28, 55.58, 27.65, 100.0, 0.579),
        ((332, 433, 457, 41, 333, 334), -9.17, 10.96, -8.64, 10.33, 5.05, 0.488),
    ],
)
def test_estimates_of_fastchess(six, elo, half, plain, plain_half, superiority, score):
    found = estimate_elo(count_points(six), PAIRS)
    assert [round(x, 2) for x in found.normalized] == [elo, half]
    assert [round(x, 2) for x in found.logistic] == [plain, plain_half]
    assert (round(found.superiority, 2), round(found.score, 3)) == (superiority, score)


def sums_of(values):
    return Sums(len(values), int(values.sum()), int((values**2).sum()), 2)


def test_the_normal_form_is_near_the_exact_one():
    rng = np.random.default_rng(1)
    values = rng.choice(3, p=[0.24, 0.5, 0.26], size=5000)
    exact = ratio_of_means(np.bincount(values), GAMES, 0.5, 0.52)
    assert ratio_of_sums(sums_of(values), 0.5, 0.52, SCORE) == pytest.approx(exact, rel=0.02)


def test_the_test_decides_at_boundaries_only():
    test, perfect = SequentialTest(0.5, 0.6, SCORE), np.full(10 * BOUNDARY, 2)
    assert test.look(sums_of(perfect[: BOUNDARY - 1])) == "open"
    assert test.look(sums_of(perfect[:BOUNDARY])) == "upper"
    assert test.look(sums_of(perfect[: BOUNDARY + 1])) == "open"
    assert test.look(sums_of(0 * perfect[:BOUNDARY])) == "lower"
    assert SequentialTest(0.5, 0.6, SCORE, 0.05, 0.1).bounds == pytest.approx(
        (-2.2513, 2.8904), abs=1e-4
    )


@pytest.mark.parametrize(("mean", "right"), [(0.5, "lower"), (0.54, "upper")])
def test_errors_are_at_most_nominal(mean, right):
    """Sets of scores 0, 1/2 and 1 have variance 1/8; a run ends with one hypothesis."""
    found = errors_of_test(mean, right, 600)
    assert found.wrong <= 0.05 + 3 * sqrt(0.05 * 0.95 / found.runs)
    assert found.sets < 800  # a test of fixed size takes (1.645 + 1.645)^2 / 8 / 0.04^2 = 846


def test_the_variance_is_that_of_the_sets_and_three_more():
    """64 sets, 2 won and 1 lost, and 3 pseudo-sets: the squares sum to 6, around 1/67."""
    sums = Sums(64, 1, 3, 1)
    variance = (6 - 1 / 67) / 66
    assert watched_variance(sums, Bounds(-1, 1)) == pytest.approx(variance)
    ratio = 64 * 0.1 * (2 / 64 - 0.1) / (2 * variance)
    assert SequentialTest(0.0, 0.1, Bounds(-1, 1)).ratio(sums) == pytest.approx(ratio, abs=1e-9)


@pytest.mark.parametrize(("margin", "differing"), [(0.01, 0.01), (0.02, 0.04), (0.05, 0.05)])
@pytest.mark.parametrize("better", [True, False])
def test_errors_are_at_most_nominal_where_few_sets_differ(margin, differing, better):
    """The plain variance denies the margin after 64 sets without a difference.

    That is wrong in 55, 13 and 7 of 100 runs in which the first is better by the margin.
    """
    rng, runs, wrong = np.random.default_rng(5), 300, 0
    test, mean = SequentialTest(0.0, margin, Bounds(-1, 1)), margin * better
    odds = [(differing + mean) / 2, (differing - mean) / 2, 1 - differing]
    for _ in range(runs):
        won, lost, _ = np.cumsum(rng.multinomial(BOUNDARY, odds, size=300), axis=0).T
        for looks, (up, down) in enumerate(zip(won.tolist(), lost.tolist(), strict=True), 1):
            found = test.look(Sums(looks * BOUNDARY, up - down, up + down, 1))
            if found != "open":
                break
        wrong += found != ("upper" if better else "lower")
    assert wrong / runs <= 0.05 + 2 * sqrt(0.05 * 0.95 / runs)


@pytest.mark.thorough
def test_a_test_and_its_interval_seldom_find_a_difference_of_equal_strategies():
    """Most false results of the test are also those of the interval."""
    rng, runs, wrong = np.random.default_rng(11), 300, 0
    test = SequentialTest(0.0, 0.05, Bounds(-1, 1))
    for _ in range(runs):
        values = rng.choice([-2, 0, 2], p=[0.2, 0.6, 0.2], size=8 * BOUNDARY)
        looks = [sums_of(values[:sets]) for sets in range(BOUNDARY, len(values) + 1, BOUNDARY)]
        last = next((one for one in looks if test.look(one) != "open"), looks[-1])
        wrong += test.look(last) == "upper" or leaves_out_zero(estimate_stopped(test, last))
    assert wrong / runs <= 0.05 + 2 * sqrt(0.05 * 0.95 / runs)
