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
    spread = sqrt(watched_variance(sums, bounds) / sums.sets)
    return any_time(mean, sums.error, spread, sums.sets, alpha)


def any_time(
    mean: float, error: float, spread: float, sets: int, alpha: float = float(ALPHA)
) -> Estimate:
    """Return a mean with its standard error, and the same interval by what it may spread."""
    if sets < LEAST:
        return Estimate(mean, error, None, None, "none")
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / BEST_AT
    half = spread * sqrt(2 * (sets * rho + 1) / (sets * rho) * log(sqrt(sets * rho + 1) / alpha))
    low, high = round(mean - half, DECIMALS), round(mean + half, DECIMALS)
    return Estimate(mean, error, low, high, "any-time")
