"""Means and ratios of what is never negative, such as deals a match and decisions a deal."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, sqrt

from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate, Sums, quantile


def estimate_positive(sums: Sums) -> Estimate:
    """Return the mean of y >= 0 with its interval: see `_spread`."""
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean, None, None, None, "none")
    return _spread(mean, sums.error, sums.sets)


@dataclass(frozen=True)
class RatioSums:
    """Sums over `matches` matches, each of which has a part p and a whole w, both integers.

    part, whole: of p and w; part_sq, whole_sq, product: of p * p, w * w and p * w.
    """

    matches: int
    part: int
    whole: int
    part_sq: int
    whole_sq: int
    product: int


def estimate_ratio(sums: RatioSums) -> Estimate:
    """Return part / whole with its 95 % interval, matches being independent; whole is positive.

    The error is that of the linearized ratio: residuals p - r * w over the mean whole
    (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3). For the interval see
    `_spread`.
    """
    matches, part, whole = sums.matches, sums.part, sums.whole
    mean = float(Fraction(part, whole))
    if matches < 2:
        return Estimate(mean, None, None, None, "none")
    # The sum of (p * whole - w * part) ** 2.
    squares = whole**2 * sums.part_sq - 2 * whole * part * sums.product + part**2 * sums.whole_sq
    variance = Fraction(squares * matches, whole**4 * (matches - 1))
    return _spread(mean, sqrt(variance), matches)


def _spread(mean: float, error: float, count: int) -> Estimate:
    """Return an interval by Student's t with count - 1 degrees of freedom on the logarithm.

    mean * exp(+- t error / mean): it has no negative end. On played Trut, resampled, it holds as
    often as t without the logarithm: 94 to 96 % from 5 matches on for most strategies, 90 % at
    worst (10 matches whose length varies little). There is none where nothing varies: what is not
    bounded may have any mean.
    """
    if error == 0:
        return Estimate(mean, 0.0, None, None, "none")
    factor = exp(quantile(1 - ALPHA / 2, count - 1) * error / mean)
    low, high = round(mean / factor, DECIMALS), round(mean * factor, DECIMALS)
    return Estimate(mean, error, low, high, "log-t")
