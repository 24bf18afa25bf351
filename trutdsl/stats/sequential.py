"""How long to play: sample size, and the generalized sequential probability ratio test (GSPRT)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.estimate import PSEUDO_SETS, Bounds, Estimate, Sums, watched_variance
from trutdsl.stats.multiplicity import ALPHA, DECIMALS, Floats, chdtri, ndtri, ndtrs, quantile

POWER = 0.8


@dataclass(frozen=True)
class SampleSize:
    """The sets needed, from a pilot.

    sets:      the estimate.
    low, high: the 95 % interval that the size of the pilot leaves.
    """

    sets: int
    low: int
    high: int


def sets_needed(
    deviation: float, difference: float, alpha: float = float(ALPHA), power: float = POWER
) -> int:
    """Return ((z_{1-alpha/2} + z_power) s / delta)^2, rounded up, two at least.

    deviation: standard deviation of a set's difference, from a pilot; difference: above 0, the
    least that a two-sided test at this level shall detect with this power.
    """
    z = ndtri(1 - alpha / 2) + ndtri(power)
    return max(2, ceil((z * deviation / difference) ** 2))


MANY = 100_000  # sets, from which on the pseudo-sets of the test hardly matter


def sets_to_find(
    deviation: float,
    difference: float,
    bounds: Bounds,
    fixed: bool = True,
    alpha: float = float(ALPHA),
    power: float = POWER,
) -> int:
    """Return the sets with which `estimate_points` finds a difference with this power.

    Few sets need more than `sets_needed`, because of Student's t and the pseudo-sets.
    bounds: of the difference; fixed: False for points, whose bounds are moved around the mean.
    """
    extra = 2 * PSEUDO_SETS * bounds.weight
    reach = float(bounds.highest - bounds.lowest) / 2
    level = 1 - Fraction(alpha) / 2

    def finds(sets: int) -> bool:
        count = sets + extra
        mean = difference - quantile(Fraction(power), sets - 1) * deviation / sqrt(sets)
        centre, middle = (sets * mean / count, 0.0) if fixed else (mean, mean)
        squares = (sets - 1) * deviation**2 + sets * (mean - centre) ** 2
        squares += extra * (reach**2 + (middle - centre) ** 2)
        return centre > quantile(level, count - 1) * sqrt(squares / (count - 1) / count)

    enough = sets_needed(deviation, difference, alpha, power)
    if enough >= MANY:
        return enough
    while not finds(enough):
        enough *= 2
    few = 1
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (few, middle) if finds(middle) else (middle, enough)
    return enough


def plan_size(
    pilot: Sums,
    difference: float,
    bounds: Bounds,
    fixed: bool = True,
    alpha: float = float(ALPHA),
    power: float = POWER,
) -> SampleSize:
    """Return the sets needed to detect a difference, from the sums of a pilot of two sets or more.

    The interval is that of a variance, (n - 1) s^2 / chi^2, for normal sets. The variance includes
    one more set that is one point off. Otherwise any pilot of equal sets would give two. The rest
    is explained in `sets_to_find`.
    """
    freedom = pilot.sets - 1
    deviation = sqrt(float(pilot.variance) + 1 / (pilot.unit**2 * pilot.sets))
    tail = float(ALPHA) / 2
    low, high = (sqrt(freedom / chdtri(freedom, p)) for p in (tail, 1 - tail))
    return SampleSize(
        *(
            sets_to_find(deviation * by, difference, bounds, fixed, alpha, power)
            for by in (1.0, low, high)
        )
    )


BOUNDARY = 64  # sets between two looks of the test
NORMALIZED_ELO = 800 / log(10) / sqrt(2)  # of one standard deviation of a pair of games
Verdict = Literal["lower", "upper", "open"]


@dataclass(frozen=True)
class SequentialTest:
    """H0: the mean score is s0, against H1: it is s1 > s0; errors alpha and beta.

    reach: the bounds of a result; see `pair_bounds`.
    """

    s0: float
    s1: float
    reach: Bounds
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def verdict(self, ratio: float | None) -> Verdict:
        """Return which hypothesis is accepted, if any."""
        lower, upper = self.bounds
        if ratio is None:
            return "open"
        return "lower" if ratio <= lower else "upper" if ratio >= upper else "open"

    def look(self, sums: Sums) -> Verdict:
        """Return the verdict after the sets of a prefix; `open` unless it ends at a boundary.

        All sets of the prefix must be finished. So a run stops at the same place with any number
        of workers.
        """
        if sums.sets % BOUNDARY:
            return "open"
        return self.verdict(self.ratio(sums))

    def ratio(self, sums: Sums) -> float | None:
        """Return the log-likelihood ratio to 9 decimals; None for fewer than two sets."""
        if sums.sets < 2:
            return None
        return round(ratio_of_sums(sums, self.s0, self.s1, self.reach), DECIMALS)


def ratio_of_sums(sums: Sums, s0: float, s1: float, bounds: Bounds) -> float:
    """Return the log-likelihood ratio of means by its normal form: N (s1-s0)(2 ybar-s0-s1)/(2 s^2).

    s^2 is the `watched_variance`.
    """
    variance = watched_variance(sums, bounds)
    return sums.sets * (s1 - s0) * (2 * float(sums.mean) - s0 - s1) / (2 * variance)


# Stagewise ordering: the estimate after a sequential test.
#
# A run that ends when one side leads exaggerates its lead. Results are ordered by when and where
# they end. An earlier stop above is more than a later one; every stop above is more than a stop
# below, and a later stop below is more than an earlier one. The estimate is the mean under which
# this result is the median. The interval contains the means under which it is in neither tail (J.
# Whitehead, The Design and Analysis of Sequential Clinical Trials, 2nd ed., 1997, chapter 5; A. A.
# Tsiatis, G. L. Rosner, C. R. Mehta, Biometrics 40 (1984) 797-803). Sums of sets between two looks
# are assumed to be normal, with the variance of the test.


MOST_LOOKS = 250  # longer runs merge some
STEP, MOST_PLACES = 0.125, 1500  # of the grid: in standard deviations of an increment
REACH = 7.0  # of a normal increment, in its standard deviations
MOST_STEPS, TINY = 60, 1e-12


def normalize(estimate: Estimate, sums: Sums) -> Estimate | None:
    """Return a mean difference in a set of two matches as normalized Elo; None if none varies."""
    if sums.sets < 2 or sums.variance == 0:
        return None
    unit = NORMALIZED_ELO / sqrt(sums.variance)

    def scale(value: float | None) -> float | None:
        return None if value is None else round(value * unit, DECIMALS)

    low, high, error = map(scale, (estimate.low, estimate.high, estimate.se))
    return Estimate(estimate.mean * unit, error, low, high, estimate.method)


@dataclass(frozen=True)
class _Course:
    """The course of a test: sums S_n of sets, which stop outside a + b n, c + b n.

    sets: at each look; slope: b; low, high: a and c; total: S_n at the last look.
    """

    sets: Floats
    slope: float
    low: float
    high: float
    total: float
    deviation: float


def estimate_stopped(test: SequentialTest, sums: Sums) -> Estimate:
    """Return the median-unbiased mean after or during a test, with its 95 % interval.

    There is no interval before the first look, at `BOUNDARY` sets.
    """
    mean = float(sums.mean)
    if sums.sets < BOUNDARY:
        return Estimate(mean)
    course = _course(test, sums)
    width = 12 * course.deviation / sqrt(sums.sets)
    tail = float(ALPHA) / 2
    low, middle, high = (
        round(_solve(course, level, mean - width, mean + width), DECIMALS)
        for level in (tail, 0.5, 1 - tail)
    )
    return Estimate(middle, sums.error, low, high, "stagewise")


def _course(test: SequentialTest, sums: Sums) -> _Course:
    variance, gap = watched_variance(sums, test.reach), test.s1 - test.s0
    looks = -(-sums.sets // BOUNDARY)  # a run that ends between two looks has looked before
    every = -(-looks // MOST_LOOKS)
    sets = [float(BOUNDARY * look) for look in range(every, looks, every)]
    lower, upper = (bound * variance / gap for bound in test.bounds)
    total = float(sums.mean) * sums.sets
    slope = (test.s0 + test.s1) / 2
    return _Course(np.array([*sets, sums.sets]), slope, lower, upper, total, sqrt(variance))


def _solve(course: _Course, level: float, low: float, high: float) -> float:
    """Return the mean under which a share `level` of runs ends at this result or above.

    False position (Illinois) finds the root of the normal quantile, which is almost linear.
    """

    def excess(mean: float) -> float:
        share = min(max(_above(course, mean), TINY), 1 - TINY)
        return ndtri(share) - ndtri(level)

    below, above = excess(low), excess(high)
    if below >= 0 or above <= 0:
        return low if below >= 0 else high
    kept = 0  # the end that the last step kept
    for _ in range(MOST_STEPS):
        middle = (low * above - high * below) / (above - below)
        found = excess(middle)
        if abs(found) < TINY:
            break
        if found < 0:
            low, below, above, kept = middle, found, above / (1 + (kept == 1)), 1
        else:
            high, above, below, kept = middle, found, below / (1 + (kept == -1)), -1
    return middle


def _above(course: _Course, mean: float) -> float:
    """Return the probability that a run with this mean ends at this result or above."""
    last = course.total - course.slope * course.sets[-1]
    if last <= course.low:  # the complement of an earlier or lower stop, with all signs turned
        mirror = _Course(
            course.sets, -course.slope, -course.high, -course.low, -course.total, course.deviation
        )
        return 1 - _above(mirror, -mean)
    drift, deviation = mean - course.slope, course.deviation
    steps = np.diff(course.sets, prepend=0.0)
    places = int(min(MOST_PLACES, (course.high - course.low) / (STEP * deviation * sqrt(steps[0]))))
    grid = np.linspace(course.low, course.high, max(places, 40))
    width = float(grid[1] - grid[0])
    over, density = 0.0, np.array([1.0])
    at = np.array([0.0])
    for number, step in enumerate(steps):
        spread, ahead = deviation * sqrt(step), drift * step
        final = number == len(steps) - 1
        edge = last if final else course.high
        over += float(density @ ndtrs((at + ahead - edge) / spread))
        if final:
            return over
        density_there = _spread(at, density, grid, ahead, spread)
        density, at = density_there * _weights(len(grid), width), grid
    return over


def _spread(at: Floats, weights: Floats, grid: Floats, ahead: float, spread: float) -> Floats:
    """Return the density on a grid after an increment."""
    if len(at) == 1:
        result: Floats = _normal((grid - at[0] - ahead) / spread) / spread * weights[0]
        return result
    width = float(grid[1] - grid[0])
    reach = int(min(len(grid) - 1, (abs(ahead) + REACH * spread) / width)) + 1
    kernel = _normal((np.arange(-reach, reach + 1) * width - ahead) / spread) / spread
    full: Floats = np.convolve(weights, kernel)[reach : reach + len(grid)]
    return full


def _weights(places: int, width: float) -> Floats:
    result = np.full(places, width)
    result[[0, -1]] = width / 2
    return result


def _normal(x: NDArray[np.floating]) -> Floats:
    result: Floats = np.exp(-(x**2) / 2) / sqrt(2 * np.pi)
    return result
