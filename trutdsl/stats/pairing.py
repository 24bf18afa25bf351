"""Duplicate gain: what playing the same deals in every seating brings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, log, sqrt

import numpy as np

from trutdsl.stats.design import Design
from trutdsl.stats.estimate import ALPHA, DECIMALS, Bounds, Sums, quantile
from trutdsl.stats.numeric import chdtri, ndtri
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Pairing:
    """How the matches of a set between two strategies hang together.

    gain:        how many times the variance of a mean is smaller than over as many single matches
                 on deals of their own: Var(single) / (m Var(mean of a set)), m matches a set.
    gain_low, gain_high: its 95 % interval, see `_interval`; None with fewer than three groups of
                 sets.
    correlation: of two matches of a set, rho in gain = 1 / (1 + (m - 1) rho).
    """

    gain: float
    gain_low: float | None
    gain_high: float | None
    correlation: float


def measure_pairing(tally: Tally, design: Design, i: int, j: int) -> Pairing | None:
    """Return the gain of a pair, None where the sets do not vary or are fewer than two."""
    legs = design.matches_of(i, j)
    sums = pair_difference(tally, design, i, j)
    if sums.sets < 2 or legs < 2 or sums.variance == 0:
        return None
    matches, unit = legs * tally.sets, design.metric.unit(design.teams)
    squares = Fraction(tally.pair_legs_sq[i][j], unit**2)
    single = (squares - matches * sums.mean**2) / (matches - 1)
    gain = single / (legs * sums.variance)
    if gain == 0:
        return None
    low, high = _interval(tally, i, j, float(gain))
    return Pairing(float(gain), low, high, float((1 / gain - 1) / (legs - 1)))


def _interval(tally: Tally, i: int, j: int, gain: float) -> tuple[float | None, float | None]:
    """Return between what the gain is: Student's t of the jackknife of its logarithm.

    Its error is that of the variance of a set, told by at most 64 groups of sets. The jackknife
    also lowers the middle, as of few sets the gain is mostly too large (R. G. Miller, Annals of
    Math. Statistics 39 (1968) 567-582).
    """
    won = np.array([of[i][j] - of[j][i] for _, _, of in tally.groups], np.float64)
    sets = np.array([n for _, n, _ in tally.groups], np.float64)
    groups = len(won)
    if groups < 3:
        return None, None
    # Of the others without each group: sums of squares over their sets, less those of the mean.
    squares, total, many = won**2 / sets, won.sum() - won, sets.sum() - sets
    variances = (squares.sum() - squares - total**2 / many) / (groups - 2)
    whole = (squares.sum() - won.sum() ** 2 / sets.sum()) / (groups - 1)
    if min(whole, *variances.tolist()) <= 0:
        return None, None
    values = groups * np.log(whole) - (groups - 1) * np.log(variances)
    middle = log(gain) + float(np.log(whole) - values.mean())
    half = quantile(1 - ALPHA / 2, groups - 1) * float(values.std(ddof=1)) / sqrt(groups)
    low, high = (round(exp(middle + side * half), DECIMALS) for side in (-1, 1))
    return min(low, gain), max(high, gain)


def pair_bounds(design: Design, i: int, j: int) -> Bounds:
    """Return what the difference of two can be in one set, by how many combinations they meet in.

    Of points, which have no bounds, it is one unit of the dearest counter.
    """
    reach = design.metric.reach
    return Bounds(-reach, reach, Fraction(1, (design.matches_of(i, j) // len(design.orders)) ** 2))


def pair_difference(tally: Tally, design: Design, i: int, j: int) -> Sums:
    """Return the sums of what i has more than j in a match that both play in."""
    return Sums(
        tally.sets,
        tally.pair_score[i][j] - tally.pair_score[j][i],
        tally.pair_sq[i][j] + tally.pair_sq[j][i] - 2 * tally.pair_product[i][j],
        design.matches_of(i, j) * design.metric.unit(design.teams),
    )


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
