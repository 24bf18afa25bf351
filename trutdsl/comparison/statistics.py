"""Statistics of a whole measurement, with or without one cluster, for the jackknife.

Each takes what was measured and the cluster to leave out, None for none; None is no value.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import sqrt

import numpy as np

from trutdsl.comparison.measured import Measured
from trutdsl.stats.cyclic import cyclic_part
from trutdsl.stats.estimate import ALPHA, Estimate, Sums
from trutdsl.stats.power import POWER
from trutdsl.stats.special import ndtri
from trutdsl.table.counts import WHOLE_MATCH


def spread(part: str) -> Callable[[Measured, int | None], float | None]:
    """Return the standard deviation of the deals, or decisions, of a match; part: which."""

    def value(measured: Measured, without: int | None) -> float | None:
        matches, total, squares = (
            int(measured.part(name, without)) for name in ("matches", part, f"{part}_sq")
        )
        if matches < 2:
            return None
        return sqrt((squares * matches - total * total) / (matches * (matches - 1)))

    return value


def drama(counter: int) -> Callable[[Measured, int | None], float | None]:
    """Return the drama of a counter: mean over won matches of the mean of sqrt(1/2 - v).

    Of the deals that the winner began behind; v is the share of matches that the side that stands
    so wins, by who deals, from all that was measured, 1/2 at most. A match whose winner was never
    behind has none. After C. Browne, Automatic generation and evaluation of recombination games,
    2008, with scores for positions.
    """

    def value(measured: Measured, without: int | None) -> float | None:
        stood = measured.part("stood", without)[counter].astype(np.float64)
        won = measured.part("stood_won", without)[counter] / 2
        chance = np.divide(won, stood, out=np.full_like(won, 0.5), where=stood > 0)
        # Below the diagonal of scores the dealer's side is ahead, and the other one behind.
        behind = np.where(np.tri(len(chance), dtype=bool), 1 - chance, chance)
        lost = np.sqrt(np.maximum(0.5 - behind, 0))
        matches = int(measured.part("behind", without)[counter].sum())
        total = float((measured.part("trailed", without)[counter] * lost).sum())
        return total / (WHOLE_MATCH * matches) if matches else None

    return value


def cyclic(measured: Measured, without: int | None) -> float | None:
    """Return the cyclic share: what of who beats whom scores do not tell, less what noise adds.

    See `cyclic_part`. Noise is told by how much the payoffs of clusters vary.
    """
    found = measured.payoffs
    if found is None:
        return None
    payoffs, sets = found
    kept = np.arange(len(sets)) != (-1 if without is None else without)
    of, weights = payoffs[kept], sets[kept] / sets[kept].sum()
    if len(of) < 2:
        return None
    mean = np.tensordot(weights, of, axes=1)
    squares = weights**2 * len(of) / (len(of) - 1)
    part, whole = (
        float((of_mean**2).sum() - (squares[:, None, None] * around**2).sum())
        for of_mean, around in ((cyclic_part(mean), cyclic_part(of - mean)), (mean, of - mean))
    )
    return part / whole if whole > 0 else None


def skill(measured: Measured, without: int | None) -> float | None:
    """Return the share of strategies: mean squared difference of a pair over its mean square.

    Of results +1 and -1, m2 = d^2 + var: d^2 is what who plays explains.
    """
    parts = _parts(measured, without)
    return None if parts is None else parts[0]


def luck(measured: Measured, without: int | None) -> float | None:
    """Return the share of the deal: how alike the same seat fares whoever sits there.

    It is minus the covariance of the two matches of a set, seen from one strategy, over m2.
    """
    parts = _parts(measured, without)
    return None if parts is None else parts[1]


def sets_needed(measured: Measured, share: Estimate) -> dict[str, float | None] | None:
    """Return the sets that tell a typical pair apart, z^2 s^2 / d^2, s^2 and d^2 means over pairs.

    At the level 5 % with the power 80 %, see `stats/power.py`. share: `skill`, from whose interval
    `low` and `high` follow; None for no end: it may be that no number is enough, or that there is
    no interval, and nothing is known of either end.
    """
    parts = _parts(measured, None)
    if parts is None:
        return None
    z = ndtri(1 - float(ALPHA) / 2) + ndtri(POWER)

    def sets(skill: float | None) -> float | None:
        return max(2.0, z**2 * parts[2] / skill) if skill is not None and skill > 0 else None

    return {"mean": sets(share.mean), "low": sets(share.high), "high": sets(share.low)}


def _parts(measured: Measured, without: int | None) -> tuple[float, float, float] | None:
    """Return shares of strategies and of the deal, and a set's variance, in units of m2."""
    design, tallies = measured.design, measured.tallies
    whole = measured.tally
    left = None if without is None else tallies[without]
    unit, sets = design.metric.unit(design.teams), whole.sets - (left.sets if left else 0)
    legs = len(design.orders)
    square = means = variance = 0.0
    for i, j in combinations(range(design.strategies), 2):
        if not design.matches_of(i, j):
            continue

        def of(name: str, a: int, b: int) -> int:
            return int(getattr(whole, name)[a][b] - (getattr(left, name)[a][b] if left else 0))

        total = of("pair_score", i, j) - of("pair_score", j, i)
        squares = of("pair_sq", i, j) + of("pair_sq", j, i) - 2 * of("pair_product", i, j)
        sums = Sums(sets, total, squares, legs * unit)
        if sets < 2:
            return None
        variance += float(sums.variance)
        # The square of a mean is too large by its own variance.
        means += float(sums.mean) ** 2 - float(sums.variance) / sets
        square += of("pair_legs_sq", i, j) / (unit**2 * legs * sets)
    if square <= 0:
        return None
    single = square - means  # the variance of one match
    # Var(mean of m legs) = single / m + (m - 1) / m covariance.
    covariance = (variance - single / legs) * legs / (legs - 1)
    return means / square, -covariance / square, variance / square
