"""Quantiles of whole numbers that are counted by cluster, with intervals by test inversion."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from trutdsl.stats.design import Ints
from trutdsl.stats.influence import ratio_influences


def quantile_places(
    counts: Ints, shares: Sequence[Fraction]
) -> list[tuple[int, int | None, int | None]]:
    """Return the place of each quantile in a histogram, and those where its interval ends.

    counts: int64[clusters, places], of which one at least is not 0. The quantile is the first place
    up to which there is so large a share; its 95 % interval holds the places up to which there may
    be, by the interval of the share up to each; None if there is a single cluster. Source: R. S.
    Woodruff, JASA 47 (1952) 635-646.
    """
    wholes, up_to = counts.sum(axis=1), counts.cumsum(axis=1)
    total, below = int(wholes.sum()), up_to.sum(axis=0)
    used = np.flatnonzero(counts.sum(axis=0)).tolist()
    known = {place: ratio_influences(up_to[:, place], wholes) for place in used}
    ends = {place: one.estimate(0.0, 1.0) for place, one in known.items() if one is not None}
    places: list[tuple[int, int | None, int | None]] = []
    for share in shares:
        at = next(place for place in used if int(below[place]) >= share * total)
        low = next((x for x in used if (most := ends[x].high) is not None and most >= share), None)
        high = next((x for x in used if (few := ends[x].low) is not None and few >= share), None)
        if low is None:
            places.append((at, None, None))
        else:
            places.append((at, min(low, at), max(used[-1] if high is None else high, at)))
    return places
