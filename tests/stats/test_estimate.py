from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trutdsl.stats.estimate import (
    Sums,
    bound_share,
    constant_p,
    estimate_mean,
    quantile,
    two_sided_p,
)

UNIT = 4


def sum_up(values, unit=UNIT):
    return Sums(len(values), sum(values), sum(v * v for v in values), unit)


scores = st.lists(st.integers(0, UNIT), min_size=2, max_size=60)


@given(scores.filter(lambda v: len(set(v)) > 1))
def test_mean_and_error_are_those_of_the_single_sets(values):
    y = [v / UNIT for v in values]
    n, mean = len(y), sum(y) / len(y)
    error = sqrt(sum((v - mean) ** 2 for v in y) / (n * (n - 1)))
    half = stats.t.ppf(0.975, n - 1) * error
    found = estimate_mean(sum_up(values), (0, 1))
    assert found.method == "t"
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert found.se == pytest.approx(error, rel=1e-9)
    assert found.low == pytest.approx(max(0, mean - half), abs=1e-8)
    assert found.high == pytest.approx(min(1, mean + half), abs=1e-8)


@given(scores)
def test_an_interval_of_a_score_lies_in_0_to_1_and_holds_the_mean(values):
    found = estimate_mean(sum_up(values), (0, 1))
    assert 0 <= found.low <= found.mean <= found.high <= 1


def test_cancellation_does_no_harm():
    # Floats would lose the variance here: the squares are 16 digits longer than their spread.
    values = [10**16, 10**16 + 2]
    assert estimate_mean(sum_up(values, 1), None).se == 1.0


def test_one_set_gives_no_interval():
    found = estimate_mean(sum_up([3]), (0, 1))
    assert (found.mean, found.se, found.low, found.high) == (0.75, None, None, None)
    assert found.method == "none"


@pytest.mark.parametrize("freedom", [1, 2, 9, 39, 10**6])
def test_quantiles_are_students(freedom):
    assert quantile(Fraction(975, 1000), freedom) == round(stats.t.ppf(0.975, freedom), 9)
    assert two_sided_p(0.3, 0.2, freedom) == pytest.approx(2 * stats.t.sf(1.5, freedom), abs=1e-9)


def test_quantile_of_a_printed_table():
    assert quantile(Fraction(975, 1000), 9) == pytest.approx(2.262, abs=5e-4)


@pytest.mark.parametrize("sets", [2, 5, 30, 1000])
def test_the_bound_of_a_share_never_seen_is_clopper_and_pearsons(sets):
    exact = stats.beta.ppf(0.975, 1, sets)  # the upper limit for 0 of n
    assert bound_share(sets) == pytest.approx(exact, rel=1e-12)
    assert (1 - bound_share(sets)) ** sets == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [(4, "1 - q", "1"), (0, "0", "q"), (2, "0.5 - q / 2", "0.5 + q / 2")],
)
def test_sets_that_all_agree_are_no_proof(value, low, high):
    found = estimate_mean(sum_up([value] * 10), (0, 1))
    q = 1 - 0.025 ** (1 / 10)
    assert found.method == "no-variation" and found.se == 0
    assert found.low == pytest.approx(eval(low, {"q": q}))
    assert found.high == pytest.approx(eval(high, {"q": q}))


def test_nothing_is_said_of_an_unbounded_mean_without_variation():
    found = estimate_mean(sum_up([7, 7, 7], 1), None)
    assert (found.mean, found.low, found.high, found.method) == (7, None, None, "none")


@pytest.mark.parametrize("value", [Fraction(1), Fraction(-1, 2), Fraction(1, 40), Fraction(0)])
@pytest.mark.parametrize("sets", [2, 5, 6, 9, 10, 149, 150])
def test_the_p_value_without_variation_agrees_with_the_interval(value, sets):
    x = int(value * 40)
    found = estimate_mean(Sums(sets, x * sets, x * x * sets, 40), (-1, 1))
    assert (constant_p(value, sets) < 0.05) == (not found.low <= 0 <= found.high)


def measure_coverage(weights, sets):
    """Return how often the interval holds the true mean, exactly, by going through all samples.

    weights: relative frequency of each score 0..4 of a set.
    """
    samples = {(0, 0): 1}  # how many samples have this total and these squares
    for _ in range(sets):
        longer = Counter()
        for (total, squares), count in samples.items():
            for score, weight in enumerate(weights):
                if weight:
                    longer[total + score, squares + score * score] += count * weight
        samples = longer
    mean = Fraction(sum(i * w for i, w in enumerate(weights)), UNIT * sum(weights))
    held = 0
    for (total, squares), count in samples.items():
        found = estimate_mean(Sums(sets, total, squares, UNIT), (0, 1))
        held += count * (found.low <= mean <= found.high)
    return held / sum(weights) ** sets


@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (1, 2, 10, 2, 1), (1, 1, 3, 3, 4)])
@pytest.mark.parametrize("sets", [20, 30])
def test_intervals_hold_the_true_mean_as_often_as_they_say(weights, sets):
    # Enumerated, so nothing is left to chance: what remains is that scores are not normal.
    assert 0.94 <= measure_coverage(weights, sets) <= 0.96


@pytest.mark.parametrize("sets", [10, 30, 100])
@pytest.mark.parametrize("usual", [2, 4])
def test_intervals_hold_where_sets_hardly_vary(sets, usual):
    """All sets give the usual score but a share of rare ones, which most samples do not even show.

    Without a rule for samples without variation the interval would hold as rarely as the rare score
    is seen: 1 - 0.999^30 = 3 %. Where one to four rare sets are seen, Student's t is too narrow
    for so skew a mean, as it is known to be; 85 % is the worst of it, as `estimate_mean` says.
    """
    weights = [0] * 5
    for rare in (1, 3, 5, 10, 20, 30, 50, 70, 100, 105, 120, 150, 200, 300):
        weights[usual], weights[0] = 1000 - rare, rare
        assert measure_coverage(weights, sets) > (0.95 if rare * sets <= 1000 else 0.84), rare
