"""The interval that a design asks for: with bounds, of whole numbers, or valid at any time."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

import numpy as np

from trutdsl.stats.always_valid import estimate_any_time
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import (
    ALPHA,
    Bounds,
    Distance,
    Estimate,
    Sums,
    distance_of,
    estimate_points,
    estimate_score,
)
from trutdsl.stats.family import Family, family_of
from trutdsl.stats.hashed import Floats


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
