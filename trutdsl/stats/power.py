"""Sample size: how many sets it takes to see a difference."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from trutdsl.stats.estimate import ALPHA, Sums
from trutdsl.stats.special import chdtri, ndtri

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
