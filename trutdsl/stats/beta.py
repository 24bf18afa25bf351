"""The incomplete beta function and its inverse: Student's t, and limits of shares.

SciPy has them, too, but takes longer to load than most simulations to run.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, fsum, lgamma, log, pi, sqrt

CLOSE = 1e-15  # a relative change that ends an iteration
NEAR = 0.1  # a relative difference below which a series is more exact than a logarithm
LARGE = 16  # arguments for which Stirling's series has all digits
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


def betainc(a: float, b: float, x: float, y: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b), with y = 1 - x."""
    if x <= 0 or y <= 0:
        return 0.0 if x <= 0 else 1.0
    if x * b > y * a:
        return 1 - betainc(b, a, y, x)
    return _power(a, b, x, y) * _fraction(a, b, x, y)


def betaincinv(a: float, b: float, p: float) -> float:
    """Return x with I_x(a, b) = p, by Newton's method, and by bisection outside its bounds."""
    low, high, after = 0.0, 1.0, a / (a + b)
    while low < after < high:
        x = after
        wrong = betainc(a, b, x, 1 - x) - p
        low, high = (low, x) if wrong > 0 else (x, high)
        slope = _power(a, b, x, 1 - x) / (x * (1 - x))
        after = x - wrong / slope if slope else low
        if abs(after - x) <= CLOSE:
            break
        if not low < after < high:
            after = (low + high) / 2
    return after


def stdtr(freedom: float, t: float) -> float:
    """Return the distribution function of Student's t."""
    whole = freedom + t * t
    tail = betainc(freedom / 2, 0.5, freedom / whole, t * t / whole) / 2
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=1024)
def stdtrit(freedom: float, p: float) -> float:
    """Return the quantile of Student's t.

    Newton's method grows up to it from 0, because the density falls.
    """
    tail = min(p, 1 - p)
    t, after = 0.0, 0.0 if p == 0.5 else 1e-8
    while after - t > CLOSE * after:
        t, whole = after, freedom + after * after
        density = _power(freedom / 2, 0.5, freedom / whole, t * t / whole) / t
        after = t + (stdtr(freedom, -t) - tail) / density
    return t if p > 0.5 else -t


def _power(a: float, b: float, x: float, y: float) -> float:
    """Return x**a * y**b / B(a, b), by C. Loader's deviances, which lose no digits."""
    n = a + b
    exponent = _rest(n) - _rest(a) - _rest(b) - _deviance(a, n * x) - _deviance(b, n * y)
    return sqrt(a / n * b / (2 * pi)) * exp(exponent)


def _rest(z: float) -> float:
    """Return what Stirling's formula lacks of log gamma(z)."""
    if z < LARGE:
        return lgamma(z) - (z - 0.5) * log(z) + z - 0.5 * log(2 * pi)
    return fsum(c / z ** (2 * k + 1) for k, c in enumerate(STIRLING))


def _deviance(observed: float, expected: float) -> float:
    """Return found * log(found / expected) + expected - found."""
    apart = observed - expected
    v = apart / (observed + expected)
    if abs(v) > NEAR:
        return observed * log(observed / expected) - apart
    return apart * v + 2 * observed * fsum(v ** (2 * k + 1) / (2 * k + 1) for k in range(1, 9))


def _fraction(a: float, b: float, x: float, y: float) -> float:
    """Return I_x(a, b) over its power, for x up to the mean, as a continued fraction.

    Source: A. R. DiDonato, A. H. Morris, ACM Transactions on Mathematical Software 18 (1992)
    360-373, section 2.
    """
    below = (a + b) * y - b if a > b else a - (a + b) * x
    first = (1 + below) * a / (a + 1)
    result, before, n = 1 / first, 0.0, 0
    tops, bottoms = (0.0, result), (result, 1.0)
    while abs(result - before) > CLOSE * result:
        n += 1
        s = a + 2 * n - 1
        w = n * (b - n) * x
        alpha = (a + n - 1) * (a + b + n - 1) * w * x / s**2
        beta = n + w / s + (a + n) / (s + 2) * (1 + below + n * (1 + y))
        top, bottom = (alpha * two[0] + beta * two[1] for two in (tops, bottoms))
        before, result = result, top / bottom
        tops, bottoms = (tops[1] / bottom, result), (bottoms[1] / bottom, 1.0)
    return result
