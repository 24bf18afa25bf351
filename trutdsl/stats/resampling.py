"""Estimates over clusters of sets: bootstrap, influences, jackknife, quantiles and ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import fsum, sqrt

import numpy as np

from trutdsl.stats.design import Ints
from trutdsl.stats.estimate import GROUPING, Estimate
from trutdsl.stats.multiplicity import Family, family_of
from trutdsl.stats.numeric import ALPHA, DECIMALS, Floats, quantile, round_p, stdtr

# Percentile bootstrap: an interval from what an estimate is over sets that are drawn again.

FEW_GROUPS = 20  # of sets; with fewer the draws are too much alike to say how far one may be off


def percentile_interval(mean: float, draws: Floats) -> Estimate:
    """Return an estimate with the 95 % percentile interval, which holds the estimate itself.

    draws: the same estimate from each replicate of the sets, of shape (replicates,). Source: B.
    Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982), section 10.4.
    """
    tail = float(ALPHA) / 2
    low, high = (round(float(q), DECIMALS) for q in np.quantile(draws, (tail, 1 - tail)))
    error = round(float(draws.std()), DECIMALS)
    return Estimate(mean, error, min(low, mean), max(high, mean), "bootstrap")


def percentile_intervals(means: Floats, draws: Floats) -> tuple[Estimate, ...]:
    """Return the same of several numbers; draws: of shape (replicates, numbers).

    Without draws there are no intervals.
    """
    if not len(draws):
        return tuple(Estimate(mean) for mean in means.tolist())
    each = zip(means.tolist(), draws.T, strict=True)
    return tuple(percentile_interval(mean, of) for mean, of in each)


# Influence values: what each cluster of sets adds to an estimate, so that estimates compare.
#
# An estimate is a value with one influence for each cluster, which add up to 0; its variance is
# sum(e^2) / (n (n - 1)) over n clusters. Two estimates over the same clusters differ by the
# difference of their values and, cluster by cluster, of their influences: whatever the same deals
# do to both falls away. Clusters are independent of each other (J. W. Tukey's pseudo-values, less
# their mean; for ratios those of the linearized ratio, W. G. Cochran, Sampling Techniques, 3rd
# ed., 1977, section 6.3).


NOTHING = 1e-9  # influences below it are what rounding of floats has left of none


@dataclass(frozen=True)
class Influences:
    """An estimate over clusters.

    value:     of all clusters together.
    each:      the influence of each cluster, in their order.
    rounding:  what is added to the variance of an influence, because counts are whole numbers, or
               because influences do not tell all of it.
    made_of:   what was counted in each cluster, if it is kept.
    exact:     it is known without error, as what no match can change.
    debiased:  what noise had added to the value, a square, and was subtracted; see `square_ends`.
    """

    value: float
    each: tuple[float, ...]
    rounding: float = 0.0
    made_of: tuple[object, ...] = ()
    exact: bool = False
    debiased: float = 0.0

    def __sub__(self, other: Influences) -> Influences:
        each = tuple(one - two for one, two in zip(self.each, other.each, strict=True))
        rounding, exact = self.rounding + other.rounding, self.exact and other.exact
        return Influences(self.value - other.value, each, rounding, exact=exact)

    def __add__(self, other: Influences) -> Influences:
        each = tuple(one + two for one, two in zip(self.each, other.each, strict=True))
        rounding, exact = self.rounding + other.rounding, self.exact and other.exact
        return Influences(self.value + other.value, each, rounding, exact=exact)

    @property
    def error(self) -> float | None:
        """The standard error, None with fewer than two clusters."""
        n = len(self.each)
        return sqrt(fsum(e * e for e in self.each) / (n * (n - 1))) if n > 1 else None

    @property
    def spread(self) -> float | None:
        """The standard error with what rounding adds, of which intervals are made."""
        n = len(self.each)
        if n < 2:
            return None
        return sqrt((fsum(e * e for e in self.each) / (n - 1) + self.rounding) / n)

    @property
    def column(self) -> Floats:
        """The influences in units of the standard error, for `family_of`; all 0 without one."""
        n, spread = len(self.each), self.spread
        each = np.array(self.each)
        return each / (spread * sqrt(n * (n - 1))) if spread else np.zeros(n)

    def estimate(
        self, least: float | None = None, most: float | None = None, family: Family | None = None
    ) -> Estimate:
        """Return the value with its 95 % interval, which is cut at least and most.

        family: the estimates with which it holds at once; without them it stands alone, by
        Student's t. No interval where nothing tells the error: one cluster, or none that vary.
        """
        spread = self.spread
        if spread is None or (spread == 0 and not self.exact):
            return Estimate(self.value)
        alone = quantile(1 - ALPHA / 2, len(self.each) - 1) if family is None else family.critical
        half = alone * spread
        ends = (self.value - half, self.value + half)
        if self.debiased > 0:
            missed = self.rounding / len(self.each)
            ends = square_ends(self.value, spread**2, missed, self.debiased, alone)
        low, high = (round(end, DECIMALS) for end in ends)
        # An estimate can lie beyond what the truth can be; its interval then goes up to it.
        low = low if least is None else min(max(least, low), self.value)
        high = high if most is None else max(min(most, high), self.value)
        return Estimate(self.value, self.error, low, high, "t" if family is None else "together")

    def p_zero(self, family: Family | None = None) -> float:
        """Return the two-sided p-value of the value being 0; 1 where nothing tells its error.

        family: as of `estimate`.
        """
        spread = self.spread
        if not spread or self.value == 0:
            return 1.0
        statistic = self.value / spread
        if family is not None:
            return family.p_of(statistic)
        return round_p(2 * stdtr(len(self.each) - 1.0, -abs(statistic)))


def square_ends(
    value: float, variance: float, missed: float, debiased: float, critical: float
) -> tuple[float, float]:
    """Return the ends of the interval of a squared length, made on the scale of its root.

    value: the squared length of a mean x, less `debiased` = tr V, V being the covariance of x.
    variance: of the value; missed: its part 2 tr(V^2), which influences do not tell.

    With v = tr(V^2) / tr V and f = (tr V)^2 / tr(V^2), |x|^2 / v is about noncentral chi-square
    with f degrees of freedom. Less (f - 1) / 2, its root is about normal around the root of the
    noncentrality plus (f - 1) / 2. The variance is 4 v (value + tr V / 2), which tells v along x.
    Near 0, where many directions make the root too small, the upper end is that of the symmetric
    interval. Source: M. Sankaran, Biometrika 50 (1963) 199-204.
    """
    of_all = missed / (2 * debiased)  # v
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
    """Return part / whole over clusters, int64[clusters] each; None where there is no whole.

    A count is a whole number, which adds 1/12 to the variance of a part (W. F. Sheppard, 1898):
    what happened in no cluster, or always, has an interval, too.
    """
    part, whole, n = int(parts.sum()), int(wholes.sum()), len(parts)
    if whole == 0:
        return None
    # The residual p - r w, times the whole, is a whole number: exact, however large.
    pairs = tuple(zip(parts.tolist(), wholes.tolist(), strict=True))
    each = tuple(n * (p * whole - w * part) / whole**2 for p, w in pairs)
    return Influences(part / whole, each, float(GROUPING) * (n / whole) ** 2, pairs)


def break_even(gain: Influences, loss: Influences) -> Influences | None:
    """Return loss / (gain + loss) of two estimates over the same clusters, by the delta method.

    None where one of them is below 0, or both are 0.
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
    of_squares: float = 0.0,
    debiased: float = 0.0,
) -> Influences | None:
    """Return an estimate by the delete-one-cluster jackknife; None where it cannot be had.

    value: of all clusters, and of all but the one with this number. of_squares: the variance of the
    estimate beyond that of its influences, as a square of something near 0 has it. debiased: as of
    `Influences`.
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
    made_of = (whole, *known)
    return Influences(whole, each, clusters * of_squares, made_of, debiased=debiased)


# Quantiles of whole numbers that are counted by cluster, with intervals by test inversion.


def quantile_places(
    counts: Ints, shares: Sequence[Fraction]
) -> list[tuple[int, int | None, int | None]]:
    """Return the place of each quantile in a histogram, and those where its interval ends.

    counts: int64[clusters, places], of which one at least is not 0. The quantile is the first place
    up to which there is so large a share; its 95 % interval holds the places up to which there may
    be, by the interval of the share up to each; None if there is a single cluster. Source: R. S.
    Woodruff, JASA 47 (1952) 635-646.
    """
    wholes, up_to = counts.sum(axis=1), counts.cumsum(axis=1)
    total, below = int(wholes.sum()), up_to.sum(axis=0)
    used = np.flatnonzero(counts.sum(axis=0)).tolist()
    known = {place: ratio_influences(up_to[:, place], wholes) for place in used}
    ends = {place: one.estimate(0.0, 1.0) for place, one in known.items() if one is not None}
    places: list[tuple[int, int | None, int | None]] = []
    for share in shares:
        at = next(place for place in used if int(below[place]) >= share * total)
        low = next((x for x in used if (most := ends[x].high) is not None and most >= share), None)
        high = next((x for x in used if (few := ends[x].low) is not None and few >= share), None)
        if low is None:
            places.append((at, None, None))
        else:
            places.append((at, min(low, at), max(used[-1] if high is None else high, at)))
    return places


# Ranks: which of several estimates is the greatest, and which of them cannot be told apart.
#
# All estimates are over the same clusters, so that the luck which they share falls away. What is
# said of all pairs holds together in 95 of 100 rankings, by the greatest |t| of their differences.
# The intervals of all values hold together in 95 of 100, too: so does that of a value which was
# picked because it is the least, or the most.


Signs = tuple[tuple[int, ...], ...]


def value_family(found: Sequence[Influences]) -> Family:
    return family_of((one.column for one in found), max(1, len(found[0].each) - 1))


def pair_family(found: Sequence[Influences]) -> Family:
    """Return the family of the differences of all pairs."""
    columns = ((one - other).column for one, other in combinations(found, 2))
    return family_of(columns, max(1, len(found[0].each) - 1))


def compare_pairs(found: Sequence[Influences], family: Family) -> Signs:
    """Return a row of signs for each estimate: 1 where it is certainly greater than another one.

    -1 where it is certainly less; 0 where the interval of their difference holds 0, or nothing
    tells its error.
    """
    return tuple(tuple(_sign(one - other, family) for other in found) for one in found)


def agree(one: Signs, other: Signs) -> Signs:
    """Return what two independent rankings of the same things both say of each pair."""
    return tuple(
        tuple(a if a == b else 0 for a, b in zip(row, beside, strict=True))
        for row, beside in zip(one, other, strict=True)
    )


def rank_set(signs: Sequence[int]) -> tuple[int, int]:
    """Return the best and the worst rank that an estimate can have, 1 for the greatest.

    signs: its own row. All rank sets of a ranking hold together whenever its pairs do. Source: M.
    Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Review of Economic Studies 91 (2024) 476-518.
    """
    return 1 + signs.count(-1), len(signs) - signs.count(1)


def possible_extremes(signs: Signs, sign: int) -> list[int]:
    """Return the places of all that can be the greatest (sign 1) or the least (-1).

    No two of them are told apart.
    """
    return [place for place, row in enumerate(signs) if -sign not in row]


def _sign(difference: Influences, family: Family) -> int:
    found = difference.estimate(family=family)
    if found.low is None or found.high is None:
        return 0
    return (found.low > 0) - (found.high < 0)
