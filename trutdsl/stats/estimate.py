"""Means of scores over sets with their 95 % intervals and p-values, from exact integer sums.

Floats appear only at the end, by division and square root, which are the same on every machine.
Values of Student's t are rounded to 9 decimals, which hides differences of mathematical libraries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log, sqrt
from typing import Literal

import numpy as np

from trutdsl.stats.beta import betaincinv, stdtr
from trutdsl.stats.design import Design
from trutdsl.stats.multiplicity import ALPHA, DECIMALS, Family, Floats, family_of, quantile, round_p

PSEUDO_SETS = Fraction(3, 4)  # that are added at each bound of a score; see `estimate_points`
WATCHED_SETS = Fraction(3, 2)  # the same for repeated looks; see `watched_variance`
# The method of an interval; the report has its words.
Method = Literal[
    "pseudo-sets", "t", "together", "clopper-pearson", "bootstrap", "any-time", "stagewise", "none"
]


@dataclass(frozen=True)
class Estimate:
    """A mean over sets or over matches.

    mean:      of the results, without pseudo-sets.
    se:        standard error of that mean; None with fewer than two sets.
    low, high: 95 % interval, or None. The mean need not be its middle.
    method:    `pseudo-sets`: see `estimate_points`; `t`: see `estimate_whole`; `together`:
               simultaneous with all others of its `Family`; `clopper-pearson`: see
               `estimate_share`; `bootstrap`: see `percentile_interval`; `any-time`: see
               `any_time`; `stagewise`: see `estimate_stopped`; `none`: no interval.
    """

    mean: float
    se: float | None = None
    low: float | None = None
    high: float | None = None
    method: Method = "none"

    def within(self, least: float | Fraction, most: float | Fraction) -> Estimate:
        """Return it with the interval cut at the bounds of the mean."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(self.low, float(least)), high=min(self.high, float(most)))


@dataclass(frozen=True)
class Sums:
    """Sums over `sets` sets of a quantity y = x / `unit`, with whole numbers x."""

    sets: int
    total: int
    squares: int
    unit: int

    @property
    def mean(self) -> Fraction:
        return Fraction(self.total, self.sets * self.unit)

    @property
    def variance(self) -> Fraction:
        """The sample variance of y, with n - 1."""
        n = self.sets
        return Fraction(n * self.squares - self.total**2, n * (n - 1) * self.unit**2)

    @property
    def error(self) -> float:
        """The standard error of the mean: sqrt(1 / (n (n-1)) sum (y - ybar)^2), D.2."""
        return sqrt(self.variance / self.sets)


@dataclass(frozen=True)
class Bounds:
    """The bounds of a score in one set.

    lowest, highest: the bounds; of points, which have none, an assumption.
    weight:          of the pseudo-sets: 1, or 1 / M^2 for a mean over M combinations, as if one
                     combination had played one more set.
    """

    lowest: int | Fraction
    highest: int | Fraction
    weight: Fraction = Fraction(1)


def estimate_points(sums: Sums, bounds: Bounds, critical: float | None = None) -> Estimate:
    """Return the mean of y with its interval, which is not cut at the bounds.

    First A = 3/4 * weight pseudo-sets are added to the n sets at each bound. Then Student's t gives
    m +- t(N - 1) s / sqrt(N), with N = n + 2A, and m and s from all sets. This needs no special
    case: equal sets give an interval of a width of about 3/n, and so does a rare event. After
    A. Agresti and B. A. Coull, The American Statistician 52 (1998) 119-126. Coverage:
    `docs/statistics.md`, "Calibration".

    critical: half the interval in standard errors, for a simultaneous one (`Family`).
    """
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean)
    count, centre, variance = _add_pseudo_sets(sums, bounds, PSEUDO_SETS)
    reach = quantile(1 - ALPHA / 2, count - 1) if critical is None else critical
    half = reach * sqrt(variance / count)
    low, high = (round(float(centre) + side * half, DECIMALS) for side in (-1, 1))
    return Estimate(mean, sums.error, low, high, "pseudo-sets")


@dataclass(frozen=True)
class Distance:
    """The distance of a mean from 0, with the pseudo-sets of `estimate_points`.

    statistic: in standard errors; freedom: its degrees of freedom.
    shrinkage: the standard error without pseudo-sets over the one with them, at most 1.
    """

    statistic: float
    freedom: Fraction
    shrinkage: float

    @property
    def p(self) -> float:
        """The unadjusted two-sided p-value of a mean of 0."""
        return round_p(2 * stdtr(float(self.freedom), -abs(self.statistic)))


def distance_of(sums: Sums, bounds: Bounds) -> Distance:
    """Return the distance of a mean from 0, for two sets or more."""
    count, centre, variance = _add_pseudo_sets(sums, bounds, PSEUDO_SETS)
    error = sqrt(variance / count)
    return Distance(float(centre) / error, count - 1, min(1.0, sums.error / error))


def watched_variance(sums: Sums, bounds: Bounds) -> float:
    """Return the variance of a set, with 3/2 * weight pseudo-sets at each bound.

    Similar strategies differ in few sets. Until one differs, the sample variance is 0, and
    repeated looks would decide too soon. Error rates: `docs/statistics.md`.
    """
    return float(_add_pseudo_sets(sums, bounds, WATCHED_SETS)[2])


def _add_pseudo_sets(
    sums: Sums, bounds: Bounds, each: Fraction
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the number of sets with the pseudo-sets at each bound, their mean and variance."""
    weighted_sum = each * bounds.weight
    count = sums.sets + 2 * weighted_sum
    total = Fraction(sums.total, sums.unit) + weighted_sum * (bounds.lowest + bounds.highest)
    squares = Fraction(sums.squares, sums.unit**2)
    squares += weighted_sum * (bounds.lowest**2 + bounds.highest**2)
    centre = total / count
    return count, centre, (squares - total * centre) / (count - 1)


# Means and ratios of whole numbers, such as deals a match and decisions a deal.

# The variance that rounding to whole numbers hides (W. F. Sheppard, Proc. London Math. Society 29
# (1898) 353-380). Thanks to it, equal sets have an interval, too.
GROUPING = Fraction(1, 12)


def grouping_of_counts(clusters: int) -> float:
    """Return the variance added to the count of a cluster, for two clusters or more.

    It is 1/12, or more with 3 to 39 clusters. An event that never occurs then has an interval as
    that of Clopper and Pearson, whose upper limit is -ln(2.5 %) events.
    """
    none = -log(float(ALPHA / 2)) / quantile(1 - ALPHA / 2, clusters - 1)
    return max(float(GROUPING), none**2 / clusters)


def estimate_whole(sums: Sums, least: float | None = None) -> Estimate:
    """Return the mean of y, itself a mean of `unit` whole numbers, with its interval.

    Student's t with n - 1 degrees of freedom; the variance of a set is s^2 + 1 / (12 unit).
    least: the lower bound of y, if any.
    """
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean)
    spread = sqrt((sums.variance + GROUPING / sums.unit) / sums.sets)
    return _student(mean, sums.error, spread, sums.sets, least)


def estimate_length(sums: Sums) -> Estimate:
    """Return the deals of a match with their interval; a match has one at least.

    A game may have matches without any. Then a mean below 1 has no such bound.
    """
    return estimate_whole(sums, least=1.0 if sums.mean >= 1 else 0.0)


@dataclass(frozen=True)
class RatioSums:
    """Sums over independent `clusters`, each with a part p and a whole w, both whole numbers.

    part, whole: of p and w; part_sq, whole_sq, product: of p * p, w * w and p * w.
    """

    clusters: int
    part: int
    whole: int
    part_sq: int
    whole_sq: int
    product: int


def ratio_sums(parts: list[int], wholes: list[int]) -> RatioSums:
    products = [
        sum(a * b for a, b in zip(one, other, strict=True))
        for one, other in ((parts, parts), (wholes, wholes), (parts, wholes))
    ]
    return RatioSums(len(parts), sum(parts), sum(wholes), *products)


def estimate_ratio(
    sums: RatioSums, most: float | None = None, least: float | None = 0.0
) -> Estimate:
    """Return part / whole with its 95 % interval in `least` .. `most`; whole is positive.

    The error is that of the linearized ratio: residuals p - r w over the mean whole (W. G. Cochran,
    Sampling Techniques, 3rd ed., 1977, section 6.3). The variance of a residual includes
    `grouping_of_counts`, because p is a whole number.
    """
    n, part, whole = sums.clusters, sums.part, sums.whole
    mean = float(Fraction(part, whole))
    if n < 2:
        return Estimate(mean)
    # The sum of (p * whole - w * part) ** 2.
    squares = whole**2 * sums.part_sq - 2 * whole * part * sums.product + part**2 * sums.whole_sq
    residual = Fraction(squares, whole**2 * (n - 1))
    error = sqrt(residual * n / whole**2)
    spread = sqrt((float(residual) + grouping_of_counts(n)) * n / whole**2)
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


def estimate_share(seen: int, matches: int) -> Estimate:
    """Return seen / matches with its 95 % interval, which never covers less often.

    At its limits `seen` or more, and `seen` or fewer, have the probability 2.5 %. Source: C. J.
    Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
    """
    share, rest, tail = seen / matches, matches - seen, float(ALPHA / 2)
    low = round(betaincinv(seen, rest + 1, tail), DECIMALS) if seen else 0.0
    high = round(betaincinv(seen + 1, rest, 1 - tail), DECIMALS) if rest else 1.0
    error = sqrt(share * (1 - share) / (matches - 1)) if matches > 1 else None
    return Estimate(share, error, low, high, "clopper-pearson")


LEAST = 200  # sets, for the central limit theorem
BEST_AT = 2_000  # sets, for which it is optimal


def estimate_any_time(sums: Sums, bounds: Bounds, alpha: float = float(ALPHA)) -> Estimate:
    """Return the mean with an interval that is valid at all times, none below 200 sets.

    ybar +- s sqrt(2 (n r + 1) / (n^2 r) ln(sqrt(n r + 1) / alpha)), r = (-2 ln alpha +
    ln(-2 ln alpha + 1)) / n*, s^2 the `watched_variance`. Source: I. Waudby-Smith, D. Arbour, R.
    Sinha, E. H. Kennedy, A. Ramdas, Time-uniform central limit theory, arXiv:2103.06476.
    """
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean)
    spread = sqrt(watched_variance(sums, bounds) / sums.sets)
    return any_time(mean, sums.error, spread, sums.sets, alpha)


def any_time(
    mean: float, error: float, spread: float, sets: int, alpha: float = float(ALPHA)
) -> Estimate:
    """Return a mean with the same interval; spread: its standard error with pseudo-sets."""
    if sets < LEAST:
        return Estimate(mean, error)
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / BEST_AT
    half = spread * sqrt(2 * (sets * rho + 1) / (sets * rho) * log(sqrt(sets * rho + 1) / alpha))
    low, high = round(mean - half, DECIMALS), round(mean + half, DECIMALS)
    return Estimate(mean, error, low, high, "any-time")


def estimate_mean(
    sums: Sums, design: Design, bounds: Bounds, family: Family | None = None
) -> Estimate:
    """Return a mean over sets with its interval.

    bounds: of a share of matches. Points have none: the bounds are moved around their mean. family:
    for a simultaneous interval; if the results decide when play ends, Bonferroni's.
    """
    moments = _around(sums, design, bounds)
    if design.sequential:
        result = estimate_any_time(
            sums, moments, float(ALPHA) / max(1, family.size if family else 1)
        )
    else:
        result = estimate_points(sums, moments, family.critical if family else None)
    return result.within(bounds.lowest, bounds.highest) if design.metric.by_match else result


def distance_from_zero(sums: Sums, design: Design, bounds: Bounds) -> Distance:
    """Return the distance of a mean from 0 that agrees with its interval, for two sets or more."""
    return distance_of(sums, _around(sums, design, bounds))


def family_of_means(distances: Sequence[Distance], each: Sequence[Floats]) -> Family:
    """Return the family of means with these distances; each: their influences by group of sets.

    The influences of a mean add up to 0, and are 0 in groups of another round.
    """
    columns, own = [], []
    for distance, mean in zip(distances, each, strict=True):
        length = float(np.sqrt(mean @ mean))
        shared = distance.shrinkage if length else 0.0
        columns.append(mean * (shared / length) if length else np.zeros(len(mean)))
        own.append(sqrt(1 - shared**2))  # of pseudo-sets, independent of all others
    return family_of(columns, min(one.freedom for one in distances), own)


def leaves_out_zero(estimate: Estimate) -> bool:
    return (
        estimate.low is not None
        and estimate.high is not None
        and not estimate.low <= 0 <= estimate.high
    )


def _around(sums: Sums, design: Design, bounds: Bounds) -> Bounds:
    if design.metric.by_match:
        return bounds
    reach = Fraction(bounds.highest - bounds.lowest) / 2
    return Bounds(sums.mean - reach, sums.mean + reach, bounds.weight)
