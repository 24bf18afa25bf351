"""Means and ratios of whole numbers, such as deals a match and decisions a deal."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate, Sums, quantile

# The variance that a number can have had which was rounded to a whole one (W. F. Sheppard, Proc.
# London Math. Society 29 (1898) 353-380). With it sets that all agree give an interval, too.
GROUPING = Fraction(1, 12)


def estimate_whole(sums: Sums, least: float | None = None) -> Estimate:
    """Return the mean of y with its interval, y being a mean of `unit` whole numbers.

    Student's t with n - 1 degrees of freedom; the variance of a set is s^2 + 1 / (12 unit). The
    interval ends at `least`, where y is never below it.
    """
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean, None, None, None, "none")
    spread = sqrt((sums.variance + GROUPING / sums.unit) / sums.sets)
    return _student(mean, sums.error, spread, sums.sets, least)


@dataclass(frozen=True)
class RatioSums:
    """Sums over `clusters` that are independent, each with a part p and a whole w, both integers.

    part, whole: of p and w; part_sq, whole_sq, product: of p * p, w * w and p * w.
    """

    clusters: int
    part: int
    whole: int
    part_sq: int
    whole_sq: int
    product: int


def ratio_sums(parts: list[int], wholes: list[int]) -> RatioSums:
    """Return the sums of some clusters."""
    products = [
        sum(a * b for a, b in zip(one, other, strict=True))
        for one, other in ((parts, parts), (wholes, wholes), (parts, wholes))
    ]
    return RatioSums(len(parts), sum(parts), sum(wholes), *products)


def estimate_ratio(
    sums: RatioSums, most: float | None = None, least: float | None = 0.0
) -> Estimate:
    """Return part / whole with its 95 % interval; whole is positive.

    The error is that of the linearized ratio: residuals p - r w over the mean whole (W. G. Cochran,
    Sampling Techniques, 3rd ed., 1977, section 6.3); to the variance of a residual is added 1/12,
    as p is a whole number. The interval lies in `least` .. `most`.
    """
    n, part, whole = sums.clusters, sums.part, sums.whole
    mean = float(Fraction(part, whole))
    if n < 2:
        return Estimate(mean, None, None, None, "none")
    # The sum of (p * whole - w * part) ** 2.
    squares = whole**2 * sums.part_sq - 2 * whole * part * sums.product + part**2 * sums.whole_sq
    residual = Fraction(squares, whole**2 * (n - 1))
    error = sqrt(residual * n / whole**2)
    spread = sqrt((residual + GROUPING) * n / whole**2)
    return _student(mean, error, spread, n, least, most)


def _student(
    mean: float,
    error: float,
    spread: float,
    count: int,
    least: float | None,
    most: float | None = None,
) -> Estimate:
    half = quantile(1 - ALPHA / 2, count - 1) * spread
    low, high = round(mean - half, DECIMALS), round(mean + half, DECIMALS)
    low = low if least is None else max(least, low)
    return Estimate(mean, error, low, high if most is None else min(most, high), "t")
