"""How long to play: sample size, and the generalized sequential probability ratio test (GSPRT)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.estimate import Bounds, Estimate, Sums, watched_variance
from trutdsl.stats.field import ELO, elo_of
from trutdsl.stats.numeric import ALPHA, DECIMALS, Floats, chdtri, ndtr, ndtri, ndtrs

# Sample size: how many sets it takes to see a difference.

POWER = 0.8


@dataclass(frozen=True)
class SampleSize:
    """How many sets are needed, with the 95 % interval that the size of the pilot leaves."""

    sets: int
    low: int
    high: int


def sets_needed(
    deviation: float, difference: float, alpha: float = float(ALPHA), power: float = POWER
) -> int:
    """Return ((z_{1-alpha/2} + z_power) s / delta)^2, rounded up, two at least.

    deviation: standard deviation of a set's difference, from a pilot; difference: above 0, the
    least that shall be seen with this power by a two-sided test at this level.
    """
    z = ndtri(1 - alpha / 2) + ndtri(power)
    return max(2, ceil((z * deviation / difference) ** 2))


def plan_size(
    pilot: Sums, difference: float, alpha: float = float(ALPHA), power: float = POWER
) -> SampleSize:
    """Return the sets needed to see a difference, from the sums of a pilot of two sets or more.

    The interval is that of a variance, (n - 1) s^2 / chi^2, as if sets were normal. To the variance
    is added what one more set would, being one point off, so that a pilot whose sets are all alike
    does not promise that two are enough.
    """
    freedom = pilot.sets - 1
    deviation = sqrt(float(pilot.variance) + 1 / (pilot.unit**2 * pilot.sets))
    tail = float(ALPHA) / 2
    low, high = (sqrt(freedom / chdtri(freedom, p)) for p in (tail, 1 - tail))
    return SampleSize(
        *(sets_needed(deviation * by, difference, alpha, power) for by in (1.0, low, high))
    )


EMPTY = 1e-3  # what a result that was never seen counts as
STEPS = 10
CLOSE = 1e-9
BOUNDARY = 64  # sets; the test is looked at after each so many only
NORMALIZED = 800 / log(10) / sqrt(2)  # normalized Elo of one standard deviation of a pair of games
Verdict = Literal["lower", "upper", "open"]


@dataclass(frozen=True)
class SequentialTest:
    """H0: the mean score is s0, against H1: it is s1 > s0; errors alpha and beta.

    reach: what a result can be; see `pair_bounds`.
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
        """Return which hypothesis is taken, if any."""
        lower, upper = self.bounds
        if ratio is None:
            return "open"
        return "lower" if ratio <= lower else "upper" if ratio >= upper else "open"

    def look(self, sums: Sums) -> Verdict:
        """Return the verdict after the sets of a prefix; `open` unless it ends at a boundary.

        Only the prefix of sets that are all finished may be given, so that the place where a run
        stops is the same with any number of workers.
        """
        if sums.sets < BOUNDARY or sums.sets % BOUNDARY:
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


def ratio_of_means(counts: Sequence[float], scores: Sequence[float], s0: float, s1: float) -> float:
    """Return the log-likelihood ratio for the means s0 and s1 of results of these scores.

    counts: how often each score was seen. p_k(s) = p_k / (1 + theta (a_k - s)), M. Van den Bergh,
    Comments on normalized Elo (2020).
    """
    seen, a, number = _frequencies(counts, scores)
    under = [_tilted(seen, a - s) for s in (s0, s1)]
    return float(number * (seen * np.log(under[1] / under[0])).sum())


def ratio_of_t(
    counts: Sequence[float], scores: Sequence[float], t0: float, t1: float, reference: float = 0.5
) -> float:
    """Return the log-likelihood ratio for the normalized means t = (mu - reference) / sigma."""
    seen, a, number = _frequencies(counts, scores)
    under = [_at_t(seen, a, t, reference) for t in (t0, t1)]
    return float(number * (seen * np.log(under[1] / under[0])).sum())


def t_of_normalized_elo(elo: float) -> float:
    """Return the normalized mean of a pair of games at this normalized Elo."""
    return elo / NORMALIZED


def score_of_elo(elo: float) -> float:
    """Return the expected score at a difference in Elo."""
    return float(1 / (1 + np.exp(-elo / ELO)))


@dataclass(frozen=True)
class EloEstimate:
    """Elo and normalized Elo of pairs of games, each with half its 95 % interval; the score; LOS.

    superiority: the chance that the first is better, in percent, by the normal distribution.
    """

    normalized: tuple[float, float]
    logistic: tuple[float, float]
    superiority: float
    score: float


def estimate_elo(counts: Sequence[float], scores: Sequence[float]) -> EloEstimate:
    """Return the strength of the first from how often pairs of games had each score, 0 to 1."""
    number, a = float(sum(counts)), np.array(scores)
    seen = np.array(counts) / number
    mean = float(seen @ a)
    spread = sqrt(float(seen @ (a - mean) ** 2))
    half = 1.959963984540054 / sqrt(number)
    low, high = (elo_of(mean + side * half * spread) for side in (-1, 1))
    return EloEstimate(
        ((mean - 0.5) / spread * NORMALIZED, half * NORMALIZED),
        (elo_of(mean), (high - low) / 2),
        100 * ndtr((mean - 0.5) / spread * sqrt(number)),
        mean,
    )


def _frequencies(counts: Sequence[float], scores: Sequence[float]) -> tuple[Floats, Floats, float]:
    filled = np.array([count or EMPTY for count in counts], np.float64)
    return filled / filled.sum(), np.array(scores, np.float64), float(filled.sum())


def _tilted(seen: Floats, gaps: Floats) -> Floats:
    """Return the likeliest frequencies with which the mean of the gaps is 0."""
    from scipy.optimize import brentq  # loaded only where it is needed: that takes a while

    low, high = -1 / gaps.max(), -1 / gaps.min()
    margin = 1e-12 * (high - low)
    theta = brentq(lambda x: (seen * gaps / (1 + x * gaps)).sum(), low + margin, high - margin)
    found: Floats = seen / (1 + theta * gaps)
    return found


def _at_t(seen: Floats, a: Floats, t: float, reference: float) -> Floats:
    """Return the likeliest frequencies with a normalized mean, by repeated linearization."""
    found = np.full(len(seen), 1 / len(seen))
    for _ in range(STEPS):
        before = found
        mean = found @ a
        spread = sqrt(float(found @ (a - mean) ** 2))
        gaps = a - reference - t * spread * (1 + ((mean - a) / spread) ** 2) / 2
        found = _tilted(seen, gaps)
        if np.abs(found - before).max() < CLOSE:
            break
    return found


# Stagewise ordering: what a sequential test leaves to estimate once it has ended.
#
# A run that ends when one side is ahead shows it too far ahead. Results are ordered by when and
# where they end: an earlier stop above is more than a later one, which is more than a stop below,
# the later the more. The estimate is the mean under which this result is the median, and the
# interval holds the means under which it is in neither tail (J. Whitehead, The Design and Analysis
# of Sequential Clinical Trials, 2nd ed., 1997, chapter 5; A. A. Tsiatis, G. L. Rosner, C. R.
# Mehta, Biometrics 40 (1984) 797-803). Sums of sets between two looks are taken for normal, with
# the variance that the test has.


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
    found = np.full(places, width)
    found[[0, -1]] = width / 2
    return found


def _normal(x: NDArray[np.floating]) -> Floats:
    found: Floats = np.exp(-(x**2) / 2) / sqrt(2 * np.pi)
    return found
