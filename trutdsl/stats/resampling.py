"""Estimates over clusters of sets: bootstrap, influences, jackknife, quantiles and ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import fsum, sqrt
from operator import add, mul, sub

import numpy as np

from trutdsl.stats.beta import stdtr
from trutdsl.stats.design import Ints
from trutdsl.stats.estimate import Estimate, grouping_of_counts
from trutdsl.stats.multiplicity import ALPHA, DECIMALS, Family, Floats, family_of, quantile, round_p

FEW_GROUPS = 20  # groups of sets; with fewer, the draws are too similar


def percentile_interval(mean: float, draws: Floats) -> Estimate:
    """Return an estimate with its 95 % percentile interval, extended to contain the estimate.

    draws: the estimate from each replicate of the sets. Source: B. Efron, The Jackknife, the
    Bootstrap and Other Resampling Plans (1982), section 10.4.
    """
    tail = float(ALPHA) / 2
    low, high = (round(float(q), DECIMALS) for q in np.quantile(draws, (tail, 1 - tail)))
    error = round(float(draws.std()), DECIMALS)
    return Estimate(mean, error, min(low, mean), max(high, mean), "bootstrap")


def percentile_intervals(means: Floats, draws: Floats) -> tuple[Estimate, ...]:
    """Return several estimates, without intervals if there are no draws.

    draws: of shape (replicates, numbers).
    """
    if not len(draws):
        return tuple(map(Estimate, means.tolist()))
    each = zip(means.tolist(), draws.T, strict=True)
    return tuple(percentile_interval(mean, of) for mean, of in each)


# Influence values: the contribution of each cluster of sets to an estimate.
#
# An estimate is a value with one influence e for each cluster. The influences add up to 0. The
# variance of the value is sum(e^2) / (n (n - 1)) over n independent clusters. To subtract estimates
# over the same clusters, subtract their influences: the common effects of the deals cancel.
# Influences are J. W. Tukey's pseudo-values minus their mean. Those of ratios are linearized (W. G.
# Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3).


NOTHING = 1e-9  # smaller influences are rounding errors


@dataclass(frozen=True)
class Influences:
    """An estimate over clusters.

    value:     the estimate from all clusters together.
    each:      the influence of each cluster, in the order of clusters.
    rounding:  is added to the variance of an influence: counts are whole numbers, or influences
               show too little of the variance of a square.
    made_of:   the counts of each cluster, if they are stored.
    debiased:  the variance that was subtracted from a squared length; see `square_ends`.
    of_zero:   the variance of this squared length if the true length is 0.
    """

    value: float
    each: tuple[float, ...]
    rounding: float = 0.0
    made_of: tuple[object, ...] = ()
    debiased: float = 0.0
    of_zero: float = 0.0

    def __sub__(self, other: Influences) -> Influences:
        return self._combine(sub, other)

    def __add__(self, other: Influences) -> Influences:
        return self._combine(add, other)

    def _combine(self, of: Callable[[float, float], float], other: Influences) -> Influences:
        each = tuple(map(of, self.each, other.each))
        return Influences(of(self.value, other.value), each, self.rounding + other.rounding)

    @cached_property
    def _squares(self) -> float:
        return fsum(map(mul, self.each, self.each))

    @property
    def error(self) -> float | None:
        """The standard error, None with fewer than two clusters."""
        n = len(self.each)
        return sqrt(self._squares / (n * (n - 1))) if n > 1 else None

    @cached_property
    def spread(self) -> float | None:
        """The standard error including `rounding`, from which intervals are computed."""
        n = len(self.each)
        return sqrt((self._squares / (n - 1) + self.rounding) / n) if n > 1 else None

    @property
    def column(self) -> Floats:
        """The influences scaled by the standard error, for `family_of`; all 0 without an error."""
        n, spread = len(self.each), self.spread
        each = np.array(self.each)
        return each / (spread * sqrt(n * (n - 1))) if spread else np.zeros(n)

    def estimate(
        self, least: float | None = None, most: float | None = None, family: Family | None = None
    ) -> Estimate:
        """Return the value with its 95 % interval, truncated at `least` and `most`.

        family: gives a simultaneous interval; without it the interval uses Student's t. One
        cluster gives no interval, and neither do clusters that do not vary.
        """
        spread = self.spread
        if not spread:
            return Estimate(self.value)
        alone = quantile(1 - ALPHA / 2, len(self.each) - 1) if family is None else family.critical
        half = alone * spread
        ends = (self.value - half, self.value + half)
        if self.debiased > 0:
            ends = square_ends(self.value, spread**2, self.of_zero, self.debiased, alone)
        low, high = (round(end, DECIMALS) for end in ends)
        # An estimate can exceed the bounds of the true value; the interval then includes it.
        low = low if least is None else min(max(least, low), self.value)
        high = high if most is None else max(min(most, high), self.value)
        return Estimate(self.value, self.error, low, high, "t" if family is None else "together")

    def p_zero(self, family: Family | None = None) -> float:
        """Return the two-sided p-value for a true value of 0; 1 without a standard error.

        family: adjusts the p-value for multiple tests.
        """
        spread = self.spread
        if not spread:
            return 1.0
        statistic = self.value / spread
        if family is not None:
            return family.p_of(statistic)
        return round_p(2 * stdtr(len(self.each) - 1.0, -abs(statistic)))


def square_ends(
    value: float, variance: float, of_zero: float, debiased: float, critical: float
) -> tuple[float, float]:
    """Return the ends of the interval of a squared length, computed on the scale of its root.

    value: the squared length of a mean x, less `debiased` = tr V, where V is the covariance of x.
    variance: of the value; of_zero: what it is if the true length is 0, 2 tr(V^2).

    With v = tr(V^2) / tr V and f = (tr V)^2 / tr(V^2), |x|^2 / v is about noncentral chi-square
    with f degrees of freedom. Subtract (f - 1) / 2 and take the square root: the result is about
    normal. Its mean is the square root of (noncentrality + (f - 1) / 2). The variance of the
    value is about 4 v (value + tr V / 2); this equation gives v along x. Near 0, many directions
    make the root too small, so the upper end is at least that of the symmetric interval. Source:
    M. Sankaran, Biometrika 50 (1963) 199-204.
    """
    of_all = of_zero / (2 * debiased)  # v
    half = critical * sqrt(variance / (4 * max(0.0, value) + 2 * debiased))
    root, shift = sqrt(max(0.0, value + (debiased + of_all) / 2)), (debiased - of_all) / 2
    symmetric = value + critical * sqrt(variance)
    return max(0.0, root - half) ** 2 - shift, max((root + half) ** 2 - shift, symmetric)


def correlate(one: Influences, other: Influences) -> float | None:
    """Return the correlation of two estimates over the same clusters, None if one is constant."""
    product = fsum(a * b for a, b in zip(one.each, other.each, strict=True))
    squares = fsum(a * a for a in one.each) * fsum(b * b for b in other.each)
    return product / sqrt(squares) if squares > 0 else None


def ratio_influences(parts: Ints, wholes: Ints) -> Influences | None:
    """Return the ratio of two sums over clusters, None if the sum of wholes is 0.

    Counts are whole numbers, so `grouping_of_counts` is added to the variance of a part. Thus an
    event that never or always happens has an interval, too. parts, wholes: int64[clusters].
    """
    part, whole, n = int(parts.sum()), int(wholes.sum()), len(parts)
    if whole == 0:
        return None
    # The residual p - r w times the whole is a whole number. So it is exact at any size.
    pairs = tuple(zip(parts.tolist(), wholes.tolist(), strict=True))
    square = whole**2
    each = tuple([n * (p * whole - w * part) / square for p, w in pairs])
    rounding = grouping_of_counts(n) if n > 1 else 0.0
    return Influences(part / whole, each, rounding * (n / whole) ** 2, pairs)


def break_even(gain: Influences, loss: Influences) -> Influences | None:
    """Return loss / (gain + loss) of two estimates over the same clusters, by the delta method.

    None if one of them is below 0, or both are 0.
    """
    won, lost, whole = gain.value, loss.value, gain.value + loss.value
    if min(won, lost) < 0 or whole <= 0:
        return None
    each = (
        (won * of_loss - lost * of_gain) / whole**2
        for of_gain, of_loss in zip(gain.each, loss.each, strict=True)
    )
    rounding = (won**2 * loss.rounding + lost**2 * gain.rounding) / whole**4
    return Influences(lost / whole, tuple(each), rounding)


def jackknife(
    value: Callable[[int | None], float | None],
    clusters: int,
    of_zero: float = 0.0,
    debiased: float = 0.0,
) -> Influences | None:
    """Return an estimate by the delete-one-cluster jackknife; None if any value is missing.

    value: returns the estimate from all clusters (None), or from all but one. of_zero, debiased: of
    a square, see `Influences`. Influences show hardly any variance of a square near 0, so `of_zero`
    is the least.
    """
    whole = value(None)
    without = [value(cluster) for cluster in range(clusters)] if clusters > 1 else []
    known = [one for one in without if one is not None]
    if whole is None or len(known) < len(without):
        return None
    mean = fsum(known) / len(known) if known else whole
    each = tuple((clusters - 1) * (mean - one) for one in known) or (0.0,)
    if max(map(abs, each)) < NOTHING:
        each = (0.0,) * len(each)
    variance = fsum(e * e for e in each) / (clusters - 1) if clusters > 1 else 0.0
    rounding = max(0.0, clusters * of_zero - variance)
    made_of = (whole, *known)
    return Influences(whole, each, rounding, made_of, debiased=debiased, of_zero=of_zero)


def quantile_indices(
    counts: Ints, shares: Sequence[Fraction]
) -> list[tuple[int, int | None, int | None]]:
    """Return the place of each quantile in a histogram, and the ends of its interval.

    counts: int64[clusters, places], not all 0. The quantile is the first place with at least this
    cumulative share. At each place the cumulative share has an interval. The quantile's 95 %
    interval begins at the first place whose interval reaches its share, and ends at the first one
    whose lower end does. Its ends are None if it may lie below or above all observed values, as
    with few counts or a single cluster. Source: R. S. Woodruff, JASA 47 (1952) 635-646.
    """
    wholes, up_to = counts.sum(axis=1), counts.cumsum(axis=1)
    total, below = int(wholes.sum()), up_to.sum(axis=0)
    values = np.flatnonzero(counts.sum(axis=0)).tolist()
    known = {place: ratio_influences(up_to[:, place], wholes) for place in values}
    ends = {place: one.estimate(0.0, 1.0) for place, one in known.items() if one is not None}
    below_all = ratio_influences(np.zeros_like(wholes), wholes)
    below_most = None if below_all is None else below_all.estimate(0.0, 1.0).high
    places: list[tuple[int, int | None, int | None]] = []
    for share in shares:
        at = next(place for place in values if int(below[place]) >= share * total)
        low = next(
            (x for x in values if (most := ends[x].high) is not None and most >= share), None
        )
        high = next((x for x in values if (few := ends[x].low) is not None and few >= share), None)
        if low is None or high is None or below_most is None or below_most >= share:
            places.append((at, None, None))
        else:
            places.append((at, min(low, at), max(high, at)))
    return places


# Ranks: which of several estimates is the greatest, and which do not differ significantly.
#
# All estimates use the same clusters, so their common luck cancels. Statements about all pairs are
# simultaneous: in 95 of 100 rankings all of them hold. Their critical value comes from the greatest
# |t| of all differences. The intervals of all values are simultaneous, too, so they are also valid
# for the least and the greatest value.


Signs = tuple[tuple[int, ...], ...]


def value_family(influences: Sequence[Influences]) -> Family:
    return family_of((one.column for one in influences), max(1, len(influences[0].each) - 1))


def pair_family(influences: Sequence[Influences]) -> Family:
    columns = ((one - other).column for one, other in combinations(influences, 2))
    return family_of(columns, max(1, len(influences[0].each) - 1))


def compare_pairs(influences: Sequence[Influences], family: Family) -> Signs:
    """Return a row of signs for each estimate: 1 if it is significantly greater than another.

    -1 if it is significantly less; 0 if the interval of their difference contains 0 or is missing,
    as it is if one of both does not vary.
    """

    def sign(one: Influences, other: Influences) -> int:
        estimate = (one - other).estimate(family=family)
        if estimate.low is None or estimate.high is None or not (one.spread and other.spread):
            return 0
        return (estimate.low > 0) - (estimate.high < 0)

    return tuple(tuple(sign(one, other) for other in influences) for one in influences)


def rank_set(signs: Sequence[int]) -> tuple[int, int]:
    """Return the best and the worst possible rank of an estimate, 1 for the greatest.

    signs: its own row. All rank sets are correct whenever all pairs are. Source: M. Mogstad, J. P.
    Romano, A. M. Shaikh, D. Wilhelm, Review of Economic Studies 91 (2024) 476-518.
    """
    return 1 + signs.count(-1), len(signs) - signs.count(1)
