"""Confidence sequence: an interval that may be looked at all the time."""

from __future__ import annotations

from math import log, sqrt

from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate, Sums

LEAST = 200  # sets; it rests on the central limit theorem
BEST_AT = 2_000  # sets, where it is narrowest for what it is


def estimate_any_time(sums: Sums, alpha: float = float(ALPHA), best_at: int = BEST_AT) -> Estimate:
    """Return the mean with an interval that holds at all times together, none below 200 sets.

    ybar +- s sqrt(2 (n r + 1) / (n^2 r) ln(sqrt(n r + 1) / alpha)), r = (-2 ln alpha +
    ln(-2 ln alpha + 1)) / n*. Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A.
    Ramdas, Time-uniform central limit theory, arXiv:2103.06476.
    """
    error = sums.error if sums.sets > 1 else None
    return any_time(float(sums.mean), error, sums.sets, alpha, best_at)


def is_apart(sums: Sums, count: int) -> bool:
    """Tell whether 0 lies outside the interval, at Bonferroni's level for so many of them."""
    found = estimate_any_time(sums, float(ALPHA) / count)
    return found.low is not None and found.high is not None and not found.low <= 0 <= found.high


def any_time(
    mean: float, error: float | None, n: int, alpha: float = float(ALPHA), best_at: int = BEST_AT
) -> Estimate:
    """Return a mean over n sets, whose standard error is known, with the same interval."""
    if n < LEAST or error is None:
        return Estimate(mean, error, None, None, "none")
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / best_at
    half = error * sqrt(2 * (n * rho + 1) / (n * rho) * log(sqrt(n * rho + 1) / alpha))
    low, high = round(mean - half, DECIMALS), round(mean + half, DECIMALS)
    return Estimate(mean, error, low, high, "any-time")
