"""The interval that a design asks for: with bounds, of whole numbers, or valid at any time."""

from __future__ import annotations

from trutdsl.stats.always_valid import estimate_any_time
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, Sums, estimate_score
from trutdsl.stats.whole import estimate_points


def estimate_mean(sums: Sums, design: Design, bounds: Bounds) -> Estimate:
    """Return a mean over sets with its interval.

    bounds: of a share of matches, which end it; points have none.
    """
    if design.metric.by_match and design.sequential:
        return estimate_any_time(sums, bounds).within(bounds.lowest, bounds.highest)
    if design.metric.by_match:
        return estimate_score(sums, bounds)
    if design.sequential:
        one_point = Bounds(sums.mean - 1, sums.mean + 1, bounds.weight)
        return estimate_any_time(sums, one_point)
    return estimate_points(sums)
