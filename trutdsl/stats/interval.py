"""The interval that a design asks for: with bounds, of whole numbers, or valid at any time."""

from __future__ import annotations

from fractions import Fraction

from trutdsl.stats.always_valid import estimate_any_time
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, Sums, estimate_points, estimate_score


def estimate_mean(sums: Sums, design: Design, bounds: Bounds) -> Estimate:
    """Return a mean over sets with its interval.

    bounds: of a share of matches, which end it. Points have none: they are as far from their mean
    as these are apart, by one unit of the dearest counter.
    """
    if design.metric.by_match and design.sequential:
        return estimate_any_time(sums, bounds).within(bounds.lowest, bounds.highest)
    if design.metric.by_match:
        return estimate_score(sums, bounds)
    reach = Fraction(bounds.highest - bounds.lowest) / 2
    around = Bounds(sums.mean - reach, sums.mean + reach, bounds.weight)
    return (estimate_any_time if design.sequential else estimate_points)(sums, around)
