"""Stagewise ordering: what a sequential test leaves to estimate once it has ended.

A run that ends when one side is ahead shows it too far ahead. Results are ordered by when and where
they end: an earlier stop above is more than a later one, which is more than a stop below, the
later the more. The estimate is the mean under which this result is the median, and the interval
holds the means under which it is in neither tail (J. Whitehead, The Design and Analysis of
Sequential Clinical Trials, 2nd ed., 1997, chapter 5; A. A. Tsiatis, G. L. Rosner, C. R. Mehta,
Biometrics 40 (1984) 797-803). Sums of sets between two looks are taken for normal, with the
variance that the test has.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate, Sums, watched_variance
from trutdsl.stats.hashed import Floats
from trutdsl.stats.sequential import BOUNDARY, NORMALIZED, SequentialTest
from trutdsl.stats.special import ndtrs

MOST_LOOKS = 250  # those of longer runs are taken together
STEP, MOST_PLACES = 0.125, 1500  # of the grid: in standard deviations of an increment
REACH = 7.0  # of a normal increment, in its standard deviations
HALVINGS = 36


def normalize(estimate: Estimate, sums: Sums) -> Estimate | None:
    """Return a mean difference in a set of two matches as normalized Elo; None if none vary."""
    if sums.sets < 2 or sums.variance == 0:
        return None
    unit = NORMALIZED / sqrt(sums.variance)

    def scaled(value: float | None) -> float | None:
        return None if value is None else round(value * unit, DECIMALS)

    low, high, error = map(scaled, (estimate.low, estimate.high, estimate.se))
    return Estimate(estimate.mean * unit, error, low, high, estimate.method)


@dataclass(frozen=True)
class _Course:
    """What a test looks at: sums S_n of sets, which end where they leave a + b n, c + b n.

    sets: at each look; slope: b; low, high: a and c; total: S_n at the last look.
    """

    sets: Floats
    slope: float
    low: float
    high: float
    total: float
    deviation: float


def estimate_stopped(test: SequentialTest, sums: Sums) -> Estimate:
    """Return the median-unbiased mean after a test, or so far, with its 95 % interval.

    No interval with fewer than `BOUNDARY` sets, where the test has not looked.
    """
    mean = float(sums.mean)
    if sums.sets < BOUNDARY:
        return Estimate(mean, None, None, None, "none")
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
    looks = max(1, sums.sets // BOUNDARY)
    every = -(-looks // MOST_LOOKS)
    sets = [float(BOUNDARY * look) for look in range(every, looks, every)]
    lower, upper = (bound * variance / gap for bound in test.bounds)
    total = float(sums.mean) * sums.sets
    slope = (test.s0 + test.s1) / 2
    return _Course(np.array([*sets, sums.sets]), slope, lower, upper, total, sqrt(variance))


def _solve(course: _Course, level: float, low: float, high: float) -> float:
    """Return the mean under which so large a share of runs ends at this result or above."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _above(course, middle) < level else (low, middle)
    return (low + high) / 2


def _above(course: _Course, mean: float) -> float:
    """Return how likely a run is to end at this result or above, if the mean is so."""
    last = course.total - course.slope * course.sets[-1]
    if last <= course.low:
        return _not_below(course, mean)
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
        reached = _spread(at, density, grid, ahead, spread)
        density, at = reached * _weights(len(grid), width), grid
    return over


def _not_below(course: _Course, mean: float) -> float:
    """Return the same of a result that ended below: all but those that did so sooner or lower."""
    turned = _Course(
        course.sets, -course.slope, -course.high, -course.low, -course.total, course.deviation
    )
    return 1 - _above(turned, -mean)


def _spread(at: Floats, weights: Floats, grid: Floats, ahead: float, spread: float) -> Floats:
    """Return the density on a grid after an increment."""
    if len(at) == 1:
        found: Floats = _normal((grid - at[0] - ahead) / spread) / spread * weights[0]
        return found
    width = float(grid[1] - grid[0])
    reach = int(min(len(grid) - 1, (abs(ahead) + REACH * spread) / width)) + 1
    kernel = _normal((np.arange(-reach, reach + 1) * width - ahead) / spread) / spread
    full: Floats = np.convolve(weights, kernel)[reach : reach + len(grid)]
    return full


def _weights(places: int, width: float) -> Floats:
    """Return the weights of the trapezoid rule."""
    found = np.full(places, width)
    found[[0, -1]] = width / 2
    return found


def _normal(x: NDArray[np.floating]) -> Floats:
    found: Floats = np.exp(-(x**2) / 2) / sqrt(2 * np.pi)
    return found
