"""Means of scores over sets with their 95 % intervals and p-values, from exact integer sums.

Floats appear only at the end, by division and square root, which are the same on every machine;
what comes from Student's t is rounded to 9 decimals, which hides how mathematical libraries differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Literal

from trutdsl.stats.special import stdtr, stdtrit

CONFIDENCE = Fraction(95, 100)
ALPHA = 1 - CONFIDENCE
DECIMALS = 9
SMALLEST_P = 1e-9  # rounding cannot tell p-values below it apart; they are given as this

# Pseudo-sets added at each end of what a score can be; see `estimate_score`.
PSEUDO_SETS = Fraction(3, 4)
# The same of results that are looked at again and again; see `watched_variance`.
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
        """Return the mean of y."""
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


def round_p(p: float) -> float:
    """Return a p-value as it is given: in 9 decimals, at least 1e-9."""
    return max(SMALLEST_P, round(p, DECIMALS))


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


def quantile(level: Fraction, freedom: Fraction | int) -> float:
    """Return the quantile of Student's t, in as many decimals as are the same everywhere."""
    return round(stdtrit(float(freedom), float(level)), DECIMALS)
