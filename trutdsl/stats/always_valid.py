"""Confidence sequence: an interval that may be looked at all the time."""

from __future__ import annotations

from math import log, sqrt

from trutdsl.stats.estimate import ALPHA, DECIMALS, Bounds, Estimate, Sums, watched_variance

LEAST = 200  # sets; it rests on the central limit theorem
BEST_AT = 2_000  # sets, where it is narrowest for what it is


def estimate_any_time(sums: Sums, bounds: Bounds, alpha: float = float(ALPHA)) -> Estimate:
    """Return the mean with an interval that holds at all times together, none below 200 sets.

    ybar +- s sqrt(2 (n r + 1) / (n^2 r) ln(sqrt(n r + 1) / alpha)), r = (-2 ln alpha +
    ln(-2 ln alpha + 1)) / n*, s^2 the `watched_variance`. Source: I. Waudby-Smith, D. Arbour, R.
    Sinha, E. H. Kennedy, A. Ramdas, Time-uniform central limit theory, arXiv:2103.06476.
    """
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean, None, None, None, "none")
    error = sqrt(watched_variance(sums, bounds) / sums.sets)
    return _any_time(mean, sums.error, error, sums.sets, alpha)


def is_apart(sums: Sums, bounds: Bounds, count: int) -> bool:
    """Tell whether 0 lies outside the interval, at Bonferroni's level for so many of them."""
    found = estimate_any_time(sums, bounds, float(ALPHA) / count)
    return found.low is not None and found.high is not None and not found.low <= 0 <= found.high


def any_time(mean: float, error: float, n: int) -> Estimate:
    """Return a mean over n sets, whose standard error is known, with the same interval."""
    return _any_time(mean, error, error, n, float(ALPHA))


def _any_time(mean: float, told: float, error: float, n: int, alpha: float) -> Estimate:
    """Return a mean with its interval by one standard error, and with another one that is told."""
    if n < LEAST:
        return Estimate(mean, told, None, None, "none")
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / BEST_AT
    half = error * sqrt(2 * (n * rho + 1) / (n * rho) * log(sqrt(n * rho + 1) / alpha))
    low, high = round(mean - half, DECIMALS), round(mean + half, DECIMALS)
    return Estimate(mean, told, low, high, "any-time")
