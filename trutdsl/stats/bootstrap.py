"""Percentile bootstrap: an interval from what an estimate is over sets that are drawn again."""

from __future__ import annotations

import numpy as np

from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate
from trutdsl.stats.hashed import Floats

FEW_GROUPS = 20  # of sets; with fewer the draws are too much alike to say how far one may be off


def percentile_interval(mean: float, draws: Floats) -> Estimate:
    """Return an estimate with the 95 % percentile interval, which holds the estimate itself.

    draws: the same estimate from each replicate of the sets, of shape (replicates,). Source: B.
    Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982), section 10.4.
    """
    tail = float(ALPHA) / 2
    low, high = (round(float(q), DECIMALS) for q in np.quantile(draws, (tail, 1 - tail)))
    error = round(float(draws.std()), DECIMALS)
    return Estimate(mean, error, min(low, mean), max(high, mean), "bootstrap")


def percentile_intervals(means: Floats, draws: Floats) -> tuple[Estimate, ...]:
    """Return the same of several numbers; draws: of shape (replicates, numbers).

    Without draws there are no intervals.
    """
    if not len(draws):
        return tuple(Estimate(mean, None, None, None, "none") for mean in means.tolist())
    each = zip(means.tolist(), draws.T, strict=True)
    return tuple(percentile_interval(mean, of) for mean, of in each)
