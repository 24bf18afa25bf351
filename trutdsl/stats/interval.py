"""The interval that a design asks for: with bounds, of whole numbers, or valid at any time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log, sqrt

import numpy as np

from trutdsl.stats.design import Design
from trutdsl.stats.estimate import (
    ALPHA,
    DECIMALS,
    Bounds,
    Distance,
    Estimate,
    Sums,
    distance_of,
    estimate_points,
    estimate_score,
    quantile,
    round_p,
    watched_variance,
)
from trutdsl.stats.numeric import Floats, ndtr, ndtri, normals, stdtr, stdtrit

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


# Simultaneous inference: one critical value for all estimates that are looked at together.
#
# A family of estimates has simultaneous 95 % intervals, value +- c spread, if all of them hold in
# 95 of 100 cases. How many of them count as one, as they hang together, is told by the greatest
# |Z| of normal variables with the correlation of their influences (max-t, single step; a Gaussian
# multiplier bootstrap over clusters): c is the point that Student's t exceeds as seldom as a
# normal variable does the 95 % point of the greatest. That is Sidak's value where they have
# nothing to do with each other, and Student's where all are the same. T. Hothorn, F. Bretz, P.
# Westfall, Biometrical Journal 50 (2008) 346-363; V. Chernozhukov, D. Chetverikov, K. Kato, Annals
# of Statistics 41 (2013) 2786-2819. All draws are hashed, so that the same estimates have the same
# intervals everywhere.

DRAWS = 20_000
FEWEST = 20  # clusters; with fewer they do not tell how estimates hang together
AT_ONCE = 256  # estimates whose draws are in memory together
NEAR = 1e-12  # what is less is an influence that rounding has left


@dataclass(frozen=True)
class Family:
    """Estimates that are looked at together.

    size:     how many they are.
    freedom:  degrees of freedom of each.
    greatest: draws of the greatest |Z|, ascending; none where clusters are too few to tell how
              estimates hang together: then Bonferroni's is the critical value.
    """

    size: int
    freedom: Fraction
    greatest: Floats

    @cached_property
    def critical(self) -> float:
        """The critical value: an interval reaches so many standard errors to either side."""
        single, most = (
            quantile(1 - ALPHA / (2 * tails), self.freedom) for tails in (1, max(self.size, 1))
        )
        if not len(self.greatest):
            return most
        point = self.greatest[int(len(self.greatest) * (1 - ALPHA)) - 1]
        found = -stdtrit(float(self.freedom), ndtr(-float(point)))
        return min(max(round(found, DECIMALS), single), most)

    def p_of(self, statistic: float) -> float:
        """Return the p-value of an estimate over its standard error, for all together.

        It is at most 5 % where the interval leaves out 0.
        """
        alone = 2 * stdtr(float(self.freedom), -abs(statistic))
        most = min(1.0, max(self.size, 1) * alone)
        if not len(self.greatest):
            return round_p(most)
        below = int(np.searchsorted(self.greatest, -ndtri(alone / 2), side="left"))
        return round_p(min(max(1 - below / len(self.greatest), alone), most))


def family_of(
    columns: Iterable[Floats], freedom: Fraction | int, clusters: int | None = None
) -> Family:
    """Return the family of estimates with these influences, of one length.

    They are in units of their standard errors, so that the squares of each add up to 1, or to less
    where what else is in its error makes it no more likely to be the greatest. What they are of is
    independent of each other: clusters, and perhaps more; clusters: how many these are.
    """
    kept = [column for column in columns if float(column @ column) > NEAR]
    few = not kept or (len(kept[0]) if clusters is None else clusters) < FEWEST
    none = np.empty(0)
    if few or len(kept) == 1:
        return Family(len(kept), Fraction(freedom), none)
    each = np.array(kept)
    greatest: Floats = np.zeros(DRAWS)
    drawn = normals(DRAWS, each.shape[1])
    for at in range(0, len(each), AT_ONCE):
        drawn_of = drawn @ each[at : at + AT_ONCE].T
        greatest = np.maximum(greatest, np.abs(drawn_of).max(axis=1))
    greatest.sort()
    return Family(len(kept), Fraction(freedom), greatest.round(DECIMALS))


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
