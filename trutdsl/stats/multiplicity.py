"""Quantiles and draws; simultaneous intervals of many estimates; false discovery rate."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.beta import stdtr, stdtrit

CONFIDENCE = Fraction(95, 100)
ALPHA = 1 - CONFIDENCE
DECIMALS = 9
SMALLEST_P = 1e-9  # the least p-value that rounding leaves


def round_p(p: float) -> float:
    """Return a p-value in 9 decimals, at least 1e-9."""
    return max(SMALLEST_P, round(p, DECIMALS))


def quantile(level: Fraction, freedom: Fraction | int) -> float:
    """Return the quantile of Student's t, rounded, so that it is the same on every machine."""
    return round(stdtrit(float(freedom), float(level)), DECIMALS)


# More distributions and quantiles. They load scipy at the first call, which takes long.


Floats = NDArray[np.float64]


def _special(name: str) -> Callable[..., float]:
    def call(*numbers: float) -> float:
        from scipy import special

        return float(getattr(special, name)(*numbers))

    return call


ndtr, ndtri = _special("ndtr"), _special("ndtri")
chdtri = _special("chdtri")  # of degrees of freedom, and the upper tail probability


def ndtrs(x: Floats) -> Floats:
    """Return the normal distribution function of each x."""
    from scipy import special

    result: Floats = special.ndtr(x)
    return result


# Counter-based random numbers: each is a hash of its place, so it is the same in every worker.


GAMMA, ONE, TWO = (
    np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def hash_bits(purpose: int, rows: int, columns: int, first: int = 0) -> NDArray[np.uint64]:
    """Return 64 bits for each place of a table, by SplitMix64's finalizer (twice).

    first: the number of the first column.
    """
    start = np.array([purpose], np.uint64) * GAMMA
    row = _mix(np.arange(rows, dtype=np.uint64) + start)
    column = (np.arange(first, first + columns, dtype=np.uint64) + np.uint64(1)) * GAMMA
    result: NDArray[np.uint64] = _mix(row[:, None] + column[None, :])
    return result


@lru_cache(maxsize=4)
def normals(rows: int, columns: int, first: int = 0) -> Floats:
    """Return standard normal numbers, read-only, by the inverse of the distribution function.

    first: see `hash_bits`.
    """
    from scipy import special

    result: Floats = special.ndtri(_units(2, rows, columns, first))
    result.flags.writeable = False
    return result


def poisson_weights(rows: int, columns: int) -> Floats:
    """Return Poisson weights of mean 1, by inversion (J. A. Hanley and B. MacGibbon, 2006)."""
    units, total, term = _units(3, rows, columns), 0.0, np.exp(-1.0)
    result = np.zeros((rows, columns))
    for count in range(1, 20):
        total += term
        result += units >= total
        term /= count
    return result


def _units(purpose: int, rows: int, columns: int, first: int = 0) -> Floats:
    """Return numbers strictly between 0 and 1: odd multiples of 2**-54."""
    return (
        (hash_bits(purpose, rows, columns, first) >> np.uint64(11)).astype(np.float64) + 0.5
    ) * 2.0**-53


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * ONE
    z = (z ^ (z >> np.uint64(27))) * TWO
    return z ^ (z >> np.uint64(31))


# Simultaneous inference: one critical value c for all estimates of a family.
#
# The 95 % intervals, value +- c spread, are simultaneous: all of them hold in 95 of 100 cases. The
# method is max-t, single step, by a Gaussian multiplier bootstrap over clusters. It draws the
# greatest |Z| of normal variables with the correlation of the influences. Let p be the probability
# that one normal variable exceeds the 95 % point of these draws. Then Student's t exceeds c with
# probability p. c is Sidak's value for independent estimates, and Student's for equal ones.
# T. Hothorn, F. Bretz, P. Westfall, Biometrical Journal 50 (2008) 346-363; V. Chernozhukov,
# D. Chetverikov, K. Kato, Annals of Statistics 41 (2013) 2786-2819. All draws are hashes, the same
# on every machine.

DRAWS = 20_000
FEWEST = 20  # clusters that show the correlation of estimates
AT_ONCE = 256  # estimates whose draws are in memory at the same time
NEAR = 1e-12  # smaller influences come from rounding


@dataclass(frozen=True)
class Family:
    """Estimates with simultaneous intervals.

    size:     the number of estimates.
    freedom:  degrees of freedom of each.
    greatest: draws of the greatest |Z|, ascending; empty if there are too few clusters for the
              correlation: the critical value is then Bonferroni's.
    """

    size: int
    freedom: Fraction
    greatest: Floats

    @cached_property
    def critical(self) -> float:
        """The critical value: half an interval, in standard errors."""
        single, most = (
            quantile(1 - ALPHA / (2 * tails), self.freedom) for tails in (1, max(self.size, 1))
        )
        if not len(self.greatest):
            return most
        point = self.greatest[int(len(self.greatest) * (1 - ALPHA)) - 1]
        result = -stdtrit(float(self.freedom), ndtr(-float(point)))
        return min(max(round(result, DECIMALS), single), most)

    def p_of(self, statistic: float) -> float:
        """Return the adjusted p-value of an estimate over its standard error.

        It is at most 5 % if the interval excludes 0.
        """
        alone = 2 * stdtr(float(self.freedom), -abs(statistic))
        most = min(1.0, max(self.size, 1) * alone)
        if not len(self.greatest):
            return round_p(most)
        below = int(np.searchsorted(self.greatest, -ndtri(alone / 2), side="left"))
        return round_p(min(max(1 - below / len(self.greatest), alone), most))


def family_of(
    columns: Iterable[Floats], freedom: Fraction | int, own: Sequence[float] = ()
) -> Family:
    """Return the family of estimates with these influences.

    columns: the influences of each estimate in units of its standard error, by cluster.
    own:     the influence of each on a variable of its own; 0 by default. The sum of all squares is
             1, or less if other errors do not matter here.
    """
    both = zip(columns, own or repeat(0.0), strict=False)
    varying = [two for two in both if float(two[0] @ two[0]) + two[1] ** 2 > NEAR]
    if len(varying) < 2 or len(varying[0][0]) < FEWEST:
        return Family(len(varying), Fraction(freedom), np.empty(0))
    each, alone = map(np.array, zip(*varying, strict=True))
    greatest: Floats = np.zeros(DRAWS)
    clusters = each.shape[1]
    sample = normals(DRAWS, clusters).T
    for at in range(0, len(each), AT_ONCE):
        of_each = each[at : at + AT_ONCE] @ sample  # a row each: rows are compared side by side
        if own:
            some = alone[at : at + AT_ONCE, None]
            of_each += some * normals(DRAWS, len(some), clusters + at).T
        greatest = np.maximum(greatest, np.maximum(of_each.max(axis=0), -of_each.min(axis=0)))
    greatest.sort()
    return Family(len(varying), Fraction(freedom), greatest.round(DECIMALS))


@dataclass(frozen=True)
class ScreenedEstimates(Family):
    """Estimates among which a sweep looks for discoveries.

    values: the unadjusted p-values, ascending.
    """

    values: tuple[float, ...] = ()

    @cached_property
    def critical(self) -> float:
        """The critical value of `interval_level`."""
        level = interval_level(self.values)
        return round(-stdtrit(float(self.freedom), level / 2), DECIMALS)

    @cached_property
    def _adjusted(self) -> list[float]:
        return correct_discoveries(self.values)

    def p_of(self, statistic: float) -> float:
        """Return the adjusted p-value of one of the estimates over its standard error."""
        alone = round_p(2 * stdtr(float(self.freedom), -abs(statistic)))
        at = bisect_left(self.values, alone)
        return self._adjusted[at] if at < len(self.values) else 1.0


def screen(values: Iterable[float], freedom: Fraction | int) -> ScreenedEstimates:
    """Return the estimates with these unadjusted p-values."""
    result = tuple(sorted(values))
    return ScreenedEstimates(len(result), Fraction(freedom), np.empty(0), result)


def correct_discoveries(values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by the method of Benjamini and Hochberg, in the same order.

    A value of at most 5 % is a discovery. Source: Y. Benjamini, Y. Hochberg, J. Royal Statistical
    Society B 57 (1995) 289-300. It is valid for independent or positively dependent tests.
    """
    adjusted, least = [1.0] * len(values), 1.0
    ranked = sorted(((p, index) for index, p in enumerate(values)), reverse=True)
    for above, (p, index) in enumerate(ranked):
        least = min(least, p * len(values) / (len(values) - above))
        adjusted[index] = least
    return adjusted


def interval_level(values: Sequence[float]) -> float:
    """Return the level of each interval: 5 % times the share of discoveries.

    Without a discovery it is that of one. Only intervals of discoveries exclude 0. On average at
    most 5 in 100 of these miss the true value. Source:
    Y. Benjamini, D. Yekutieli, J. American Statistical Association 100 (2005) 71-81.
    """
    alpha = float(ALPHA)
    discoveries = sum(p <= alpha for p in correct_discoveries(values))
    return alpha * max(1, discoveries) / max(1, len(values))
