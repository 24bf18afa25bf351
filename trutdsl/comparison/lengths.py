"""Distributions of how long matches are, in deals and in decisions, with their intervals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from trutdsl.comparison.measured import Measured
from trutdsl.stats.influence import ratio_influences
from trutdsl.stats.quantiles import quantile_places
from trutdsl.table.counts import length_from

PARTS = {"deals": "lengths", "decisions": "questions"}
SHARES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))


def length_distributions(measured: Measured) -> dict[str, Any]:
    """Return, for deals and decisions, matches by their number, and quantiles.

    Each place holds the numbers `from` to `to`: `matches` had as many, a share that its 95 %
    interval has from `low` to `high`, None for none. `quantiles`: the share of matches that are as
    long or shorter, and `value` from `low` to `high`; a value is the middle of its place.
    """
    return {name: _distribution(measured, part) for name, part in PARTS.items()}


def _distribution(measured: Measured, part: str) -> dict[str, Any]:
    counts = measured.by_cluster(part)
    used = np.flatnonzero(counts.sum(axis=0)).tolist()
    if not used:
        return {"from": [], "to": [], "matches": [], "low": [], "high": [], "quantiles": []}
    wholes, places = counts.sum(axis=1), range(used[0], used[-1] + 1)
    shares = [ratio_influences(counts[:, place], wholes) for place in places]
    told = [one and one.estimate(0.0, 1.0) for one in shares]
    quantiles = zip(SHARES, quantile_places(counts, SHARES), strict=True)
    return {
        "from": [length_from(place) for place in places],
        "to": [_last_of(place) for place in places],
        "matches": [int(counts[:, place].sum()) for place in places],
        "low": [one and one.low for one in told],
        "high": [one and one.high for one in told],
        "quantiles": [
            {
                "share": float(share),
                "value": (length_from(at) + _last_of(at)) // 2,
                "low": None if low is None else length_from(low),
                "high": None if high is None else _last_of(high),
            }
            for share, (at, low, high) in quantiles
        ],
    }


def _last_of(place: int) -> int:
    return length_from(place + 1) - 1
