"""Statistics of a whole measurement, with or without one cluster, for the jackknife.

Each takes what was measured and the cluster to leave out, None for none; None is no value.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import inf, sqrt

import numpy as np

from trutdsl.comparison.measured import Measurement
from trutdsl.stats.estimate import Estimate, Sums
from trutdsl.stats.numeric import ALPHA, DECIMALS, Floats, ndtri
from trutdsl.stats.payoffs import cyclic_part, pair_payoffs, payoff_replicates
from trutdsl.stats.resampling import FEW_GROUPS, jackknife, percentile_interval
from trutdsl.stats.sequential import POWER


def spread(part: str) -> Callable[[Measurement, int | None], float | None]:
    """Return the standard deviation of the deals, or decisions, of a match; part: which."""

    def value(measured: Measurement, without: int | None) -> float | None:
        matches, total, squares = (
            int(measured.part(name, without)) for name in ("matches", part, f"{part}_sq")
        )
        if matches < 2:
            return None
        return sqrt((squares * matches - total * total) / (matches * (matches - 1)))

    return value


def cyclic(measured: Measurement, without: int | None) -> float | None:
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


def noise_of_cyclic(measured: Measurement) -> float:
    """Return the variance of the cyclic share that its influences do not tell."""
    found = measured.payoffs
    if found is None:
        return 0.0
    whole = float((_mean(*found) ** 2).sum())
    return _of_squares(cyclic_part(found[0]), found[1]) / whole**2 if whole > 0 else 0.0


def noise_of_skill(measured: Measurement) -> float:
    """Return the variance of the share of strategies that its influences do not tell."""
    found, parts = measured.payoffs, _parts(measured, None)
    if found is None or parts is None or parts[3] <= 0:
        return 0.0
    # A has each pair twice, and so four times each product of two pairs.
    return _of_squares(*found) / 4 / parts[3] ** 2


def debiased_skill(measured: Measurement) -> float:
    """Return what noise adds to squared differences, which the share of strategies is less."""
    parts = _parts(measured, None)
    return 0.0 if parts is None else parts[2] / measured.tally.sets


def _mean(payoffs: Floats, sets: Floats) -> Floats:
    found: Floats = np.tensordot(sets / sets.sum(), payoffs, axes=1)
    return found


def _of_squares(each: Floats, sets: Floats) -> float:
    """Return 2 tr(V^2), V the covariance of a mean: how its square varies where the mean is 0.

    Elsewhere the square varies by 4 mean' V mean more, which influences tell. each: float64
    (clusters, K, K), means of clusters of so many sets.
    """
    n, weights = len(each), sets / sets.sum()
    if n < 2:
        return 0.0
    around = ((each - _mean(each, sets)) * weights[:, None, None]).reshape(n, -1)
    gram = around @ around.T * (n / (n - 1))
    return 2 * float((gram**2).sum())


def skill(measured: Measurement, without: int | None) -> float | None:
    """Return the share of strategies: mean squared difference of a pair over its mean square.

    Of results +1 and -1, m2 = d^2 + var: d^2 is what who plays explains.
    """
    parts = _parts(measured, without)
    return None if parts is None else parts[0]


def luck(measured: Measurement, without: int | None) -> float | None:
    """Return the share of the deal: how alike the same seat fares whoever sits there.

    It is minus the covariance of the two matches of a set, seen from one strategy, over m2.
    """
    parts = _parts(measured, without)
    return None if parts is None else parts[1]


def sets_needed(measured: Measurement) -> dict[str, float | None] | None:
    """Return the sets that tell a typical pair apart, z^2 s^2 / d^2, s^2 and d^2 means over pairs.

    At the level 5 % with the power 80 %, see `stats/sequential.py`. Its ends are the inverse of
    those of d^2 / s^2. None for no end: no number may be enough, or there is no interval.
    """
    parts = _parts(measured, None)
    if parts is None:
        return None
    skill, variance = parts[0], parts[2]
    noise = noise_of_skill(measured) / variance**2 if variance > 0 else 0.0
    found = jackknife(lambda without: _apart(measured, without), measured.clusters, noise)
    ends = Estimate(0.0, None, None, None, "none") if found is None else found.estimate()
    return {
        "mean": _sets(skill / variance if variance > 0 else inf) if skill > 0 else None,
        "low": _sets(ends.high),
        "high": _sets(ends.low),
    }


def _sets(apart: float | None) -> float | None:
    """Return the sets that tell two apart whose d^2 / s^2 is so large; None for none."""
    z = ndtri(1 - float(ALPHA) / 2) + ndtri(POWER)
    return max(2.0, z**2 / apart) if apart is not None and apart > 0 else None


def _apart(measured: Measurement, without: int | None) -> float | None:
    """Return the mean squared difference of a pair over the mean variance of a set."""
    parts = _parts(measured, without)
    return None if parts is None or parts[2] <= 0 else parts[0] / parts[2]


def _parts(measured: Measurement, without: int | None) -> tuple[float, float, float, float] | None:
    """Return shares of strategies and of the deal, a set's variance in units of m2, and all m2."""
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
    return means / square, -covariance / square, variance / square, square


# Agreement of rankings: whether strategies that are good in one variant are good in another.

FEWEST = 3  # strategies


def agreement(base: Measurement, other: Measurement) -> Estimate | None:
    """Return Kendall's tau-b of the strategies' mean scores in two variants, 1 for the same order.

    The interval is that of a bootstrap over groups of sets, drawn alike in both, cut at what was
    found. None for fewer than three strategies, or 20 groups. Source: M. G. Kendall, Biometrika 33
    (1945) 239-251.
    """
    if base.design.strategies < FEWEST or base.design != other.design:
        return None
    one, two = (pair_payoffs(m.tally, m.design) for m in (base, other))
    few = len(base.tally.groups) < FEW_GROUPS
    if one is None or two is None or few:
        return None
    tau = kendall_tau(one.mean(axis=1), two.mean(axis=1))
    if tau is None:
        return None
    both = (payoff_replicates(m.tally, m.design).mean(axis=2) for m in (base, other))
    drawn = [kendall_tau(a, b) for a, b in zip(*both, strict=True)]
    known = np.array([one for one in drawn if one is not None])
    return percentile_interval(round(tau, DECIMALS), known)


def kendall_tau(one: Floats, other: Floats) -> float | None:
    """Return tau-b of two rankings, None where one of them ranks nobody above anybody."""
    first, second = (np.sign(scores[:, None] - scores[None, :]) for scores in (one, other))
    squares = float((first**2).sum() * (second**2).sum())
    return float((first * second).sum()) / squares**0.5 if squares else None
