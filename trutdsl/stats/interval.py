"""The interval that a design asks for: with bounds, of whole numbers, or valid at any time."""

from __future__ import annotations

from trutdsl.stats.always_valid import estimate_any_time
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, Sums, estimate_score
from trutdsl.stats.whole import estimate_points


def estimate_mean(sums: Sums, design: Design, bounds: Bounds) -> Estimate:
    """Return a mean over sets with its interval; bounds: of a share of matches, which end it."""
    if design.sequential and design.metric.by_match:
        return estimate_any_time(sums, bounds).within(bounds.lowest, bounds.highest)
    if design.sequential:  # points have no bounds: one more or one less
        return estimate_any_time(sums, Bounds(-1, 1, bounds.weight))
    if design.metric.by_match:
        return estimate_score(sums, bounds)
    return estimate_points(sums)
