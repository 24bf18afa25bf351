"""Means of scores over sets with their 95 % intervals and p-values, from exact integer sums.

Floats appear only at the end, by division and square root, which are the same on every machine;
what comes from Student's t is rounded to 9 decimals, which hides how mathematical libraries differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log, sqrt
from typing import Literal

import numpy as np

from trutdsl.stats.design import Design
from trutdsl.stats.multiplicity import Family, family_of
from trutdsl.stats.numeric import (
    ALPHA,
    DECIMALS,
    Floats,
    betaincinv,
    quantile,
    round_p,
    stdtr,
)

# Pseudo-sets added at each end of what a score can be; see `estimate_score`.
PSEUDO_SETS = Fraction(
    3, 4
)  # The same of results that are looked at again and again; see `watched_variance`.
WATCHED_SETS = Fraction(3, 2)
# How an interval was made; the report says it in words.
Method = Literal[
    "pseudo-sets", "t", "together", "clopper-pearson", "bootstrap", "any-time", "stagewise", "none"
]


@dataclass(frozen=True)
class Estimate:
    """A mean over sets or over matches.

    mean:      what was played, plainly.
    se:        standard error of that mean; None with fewer than two sets.
    low, high: 95 % interval; None where none can be given. The mean need not be its middle.
    method:    `pseudo-sets`: see `estimate_score`; `t`: see `estimate_whole`; `together`: it holds
               at once with all others of its `Family`;
               `clopper-pearson`: see `estimate_share`; `bootstrap`: see `percentile_interval`;
               `any-time`: see `any_time`; `stagewise`: see `estimate_stopped`; `none`: no interval.
    """

    mean: float
    se: float | None
    low: float | None
    high: float | None
    method: Method

    def within(self, least: float | Fraction, most: float | Fraction) -> Estimate:
        """Return it with the interval cut at what the mean can be."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=max(self.low, float(least)), high=min(self.high, float(most)))


@dataclass(frozen=True)
class Sums:
    """Sums over `sets` sets of a quantity y = x / `unit`, x being an integer."""

    sets: int
    total: int
    squares: int
    unit: int

    @property
    def mean(self) -> Fraction:
        return Fraction(self.total, self.sets * self.unit)

    @property
    def variance(self) -> Fraction:
        """Return the sample variance of y, with n - 1."""
        n = self.sets
        return Fraction(n * self.squares - self.total**2, n * (n - 1) * self.unit**2)

    @property
    def error(self) -> float:
        """Return the standard error of the mean: sqrt(1 / (n (n-1)) sum (y - ybar)^2), D.2."""
        return sqrt(self.variance / self.sets)


@dataclass(frozen=True)
class Bounds:
    """What is known of a score beforehand.

    lowest, highest: what it can be in one set; of points, which have none, what is reckoned with.
    weight:          of the pseudo-sets: 1, or 1 / M^2 for a mean over M combinations, as if one of
                     them had a set that it had not.
    """

    lowest: int | Fraction
    highest: int | Fraction
    weight: Fraction = Fraction(1)


def estimate_score(sums: Sums, bounds: Bounds, critical: float | None = None) -> Estimate:
    """Return the mean of y, which has bounds, with its interval, which ends there.

    To the n sets are added A = 3/4 * weight pseudo-sets at the lowest and as many at the highest
    value that y can have, and then Student's t is used: with N = n + 2A and m and s from all of
    them, m +- t(N - 1) s / sqrt(N), cut at the bounds. There is no special case: sets that all
    agree give an interval of a width of about 3/n, a share that was hardly ever seen likewise.
    The idea is that of A. Agresti and B. A. Coull, The American Statistician 52 (1998) 119-126.
    How often it holds: `docs/statistics.md`, "Calibration". critical: see `estimate_points`.
    """
    return estimate_points(sums, bounds, critical).within(bounds.lowest, bounds.highest)


def estimate_points(sums: Sums, bounds: Bounds, critical: float | None = None) -> Estimate:
    """Return the mean of y, which has no bounds, with the interval that these pseudo-sets make.

    critical: how many standard errors it reaches to either side, where it holds at once with
    others (`Family`); else it stands alone.
    """
    mean = float(sums.mean)
    if sums.sets < 2:
        return Estimate(mean, None, None, None, "none")
    count, centre, variance = _add_pseudo_sets(sums, bounds, PSEUDO_SETS)
    alone = quantile(1 - ALPHA / 2, count - 1) if critical is None else critical
    half = alone * sqrt(variance / count)
    low, high = (round(float(centre) + side * half, DECIMALS) for side in (-1, 1))
    return Estimate(mean, sums.error, low, high, "pseudo-sets")


@dataclass(frozen=True)
class Distance:
    """How far a mean is from 0, with the pseudo-sets of `estimate_score`.

    statistic: in standard errors; freedom: its degrees of freedom.
    shrinkage: the plain standard error over that one, at most 1.
    """

    statistic: float
    freedom: Fraction
    shrinkage: float

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean of 0, by itself."""
        return round_p(2 * stdtr(float(self.freedom), -abs(self.statistic)))


def distance_of(sums: Sums, bounds: Bounds) -> Distance:
    """Return how far a mean is from 0, of two sets or more."""
    count, centre, variance = _add_pseudo_sets(sums, bounds, PSEUDO_SETS)
    error = sqrt(variance / count)
    return Distance(float(centre) / error, count - 1, min(1.0, sums.error / error))


def watched_variance(sums: Sums, bounds: Bounds) -> float:
    """Return the variance of a set with 3/2 * weight pseudo-sets more at either bound.

    Of alike strategies few sets differ, and until one does the plain variance is 0: whoever looks
    again and again would be certain too soon. How often the sequential test and the interval at any
    time are wrong then: `docs/statistics.md`.
    """
    return float(_add_pseudo_sets(sums, bounds, WATCHED_SETS)[2])


def _add_pseudo_sets(
    sums: Sums, bounds: Bounds, each: Fraction
) -> tuple[Fraction, Fraction, Fraction]:
    """Return how many sets there are with so many pseudo-sets at each bound, mean and variance."""
    added = each * bounds.weight
    count = sums.sets + 2 * added
    total = Fraction(sums.total, sums.unit) + added * (bounds.lowest + bounds.highest)
    squares = Fraction(sums.squares, sums.unit**2)
    squares += added * (bounds.lowest**2 + bounds.highest**2)
    centre = total / count
    return count, centre, (squares - total * centre) / (count - 1)


# Means and ratios of whole numbers, such as deals a match and decisions a deal.

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


# Shares of independent matches, such as those won.


def estimate_share(seen: int, matches: int) -> Estimate:
    """Return seen / matches with its 95 % interval, which holds at least so often, whatever it is.

    Limits: the shares with which `seen` or more, and `seen` or fewer, are as likely as 2.5 %.
    Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
    """
    share, rest, tail = seen / matches, matches - seen, float(ALPHA / 2)
    low = round(betaincinv(seen, rest + 1, tail), DECIMALS) if seen else 0.0
    high = round(betaincinv(seen + 1, rest, 1 - tail), DECIMALS) if rest else 1.0
    error = sqrt(share * (1 - share) / (matches - 1)) if matches > 1 else None
    return Estimate(share, error, low, high, "clopper-pearson")


# Confidence sequence: an interval that may be looked at all the time.


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


def estimate_mean(
    sums: Sums, design: Design, bounds: Bounds, family: Family | None = None
) -> Estimate:
    """Return a mean over sets with its interval.

    bounds: of a share of matches, which end it. Points have none: they are as far from their mean
    as these are apart, by one unit of the dearest counter. family: the means with which it holds at
    once; where play ends when something is seen, by Bonferroni.
    """
    shown = _around(sums, design, bounds)
    if design.sequential:
        alpha = float(ALPHA) / max(1, 1 if family is None else family.size)
        found = estimate_any_time(sums, shown, alpha)
        return found.within(bounds.lowest, bounds.highest) if design.metric.by_match else found
    critical = None if family is None else family.critical
    estimate = estimate_score if design.metric.by_match else estimate_points
    return estimate(sums, shown, critical)


def distance_from_zero(sums: Sums, design: Design, bounds: Bounds) -> Distance:
    """Return how far a mean is from 0, as its interval has it; for two sets or more."""
    return distance_of(sums, _around(sums, design, bounds))


def family_of_means(distances: Sequence[Distance], each: Sequence[Floats]) -> Family:
    """Return the family of means with these distances; each: of each what groups of sets tell.

    Such influences add up to 0, and are 0 in groups of another round.
    """
    groups, many = len(each[0]), len(each)
    columns = np.zeros((many, groups + many))
    for at, (distance, found) in enumerate(zip(distances, each, strict=True)):
        length = float(np.sqrt(found @ found))
        told = distance.shrinkage if length else 0.0
        columns[at, :groups] = found * (told / length) if length else 0.0
        columns[at, groups + at] = sqrt(1 - told**2)  # of pseudo-sets, which are of it alone
    return family_of(columns, min(one.freedom for one in distances), groups)


def leaves_out_zero(found: Estimate) -> bool:
    """Tell whether 0 lies outside an interval."""
    return found.low is not None and found.high is not None and not found.low <= 0 <= found.high


def _around(sums: Sums, design: Design, bounds: Bounds) -> Bounds:
    """Return the bounds with which pseudo-sets are reckoned."""
    if design.metric.by_match:
        return bounds
    reach = Fraction(bounds.highest - bounds.lowest) / 2
    return Bounds(sums.mean - reach, sums.mean + reach, bounds.weight)
