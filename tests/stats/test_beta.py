"""The incomplete beta function and its inverse, against binomial sums and SciPy."""

from fractions import Fraction
from math import atan, comb, inf, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from trutdsl.stats.beta import betainc, betaincinv, stdtr, stdtrit
from trutdsl.stats.multiplicity import DECIMALS

freedoms = st.one_of(st.integers(1, 60), st.floats(1, 500), st.floats(1e3, 1e7))
tails = st.floats(-8, -0.31).map(lambda exponent: 10**exponent)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_it_is_the_tail_of_the_binomial_distribution(n):
    for wins in range(1, n + 1):
        for part in (1, 3, 8):
            x = Fraction(part, 9)
            terms = (comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(wins, n + 1))
            found = betainc(wins, n - wins + 1, part / 9, (9 - part) / 9)
            assert found == pytest.approx(float(sum(terms)), rel=1e-12)


@given(st.integers(1, 10**7), st.floats(0, 1), st.sampled_from([0.025, 0.975]))
def test_limits_of_shares_are_those_of_scipy_in_all_decimals(matches, share, p):
    wins = max(1, round(share * matches))
    expected = special.betaincinv(wins, matches - wins + 1, p)
    assert abs(betaincinv(wins, matches - wins + 1, p) - expected) < 10**-DECIMALS / 1000


@given(freedoms, st.floats(0.01, 40))
def test_students_tail_is_that_of_scipy(freedom, t):
    assert stdtr(freedom, -t) == pytest.approx(special.stdtr(freedom, -t), rel=1e-9)
    assert stdtr(freedom, t) == pytest.approx(special.stdtr(freedom, t), abs=1e-11)


@given(st.floats(-40, 40))
def test_students_tail_has_closed_forms(t):
    """Also near 0, where SciPy errs by 4e-11."""
    assert stdtr(1, t) == pytest.approx(0.5 + atan(t) / pi, abs=1e-14)
    assert stdtr(2, t) == pytest.approx(0.5 + t / (2 * sqrt(2 + t * t)), abs=1e-14)


@given(freedoms, tails)
def test_students_quantiles_are_those_of_scipy(freedom, tail):
    assert stdtrit(freedom, tail) == pytest.approx(special.stdtrit(freedom, tail), rel=1e-11)
    assert stdtrit(freedom, 1 - tail) == pytest.approx(-special.stdtrit(freedom, tail), rel=1e-6)


@given(freedoms)
def test_half_an_interval_is_that_of_scipy_in_all_decimals(freedom):
    expected = special.stdtrit(freedom, 0.975)
    assert abs(stdtrit(freedom, 0.975) - expected) < 10**-DECIMALS / 1000


def test_the_ends_have_probabilities_0_and_1():
    assert (betainc(3, 4, 0.0, 1.0), betainc(3, 4, 1.0, 0.0)) == (0, 1)
    assert (stdtr(5, -inf), stdtr(5, 0), stdtr(5, inf)) == (0, 0.5, 1)
    assert stdtrit(5, 0.5) == 0
