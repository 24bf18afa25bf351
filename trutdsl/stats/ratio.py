"""A ratio of two totals over matches, such as decisions per deal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from trutdsl.stats.estimate import ALPHA, Estimate, quantile


def estimate_ratio(parts: Sequence[int], wholes: Sequence[int]) -> Estimate:
    """Return sum(parts) / sum(wholes) with its 95 % interval, matches being independent.

    parts, wholes: a value of each match; the wholes' sum is positive. The error is that of the
    linearized ratio: residuals parts - r * wholes over the mean whole, Student's t with n - 1
    degrees of freedom (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3).
    """
    matches, part, whole = len(parts), sum(parts), sum(wholes)
    mean = float(Fraction(part, whole))
    if matches < 2:
        return Estimate(mean, None, None, None, "none")
    squares = sum((p * whole - w * part) ** 2 for p, w in zip(parts, wholes, strict=True))
    variance = Fraction(squares * matches, whole**4 * (matches - 1))
    if variance == 0:
        return Estimate(mean, 0.0, None, None, "none")
    error = sqrt(variance)
    half = quantile(1 - ALPHA / 2, matches - 1) * error
    return Estimate(mean, error, mean - half, mean + half, "t")
