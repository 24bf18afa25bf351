"""Which strategies are separated: paired contrasts of the standings, corrected for their number."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from trutdsl.stats.estimate import (
    ALPHA,
    Estimate,
    Sums,
    constant_p,
    estimate_mean,
    two_sided_p,
)
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Contrast:
    """Strategy `first` against `second` by their scores on the same sets (indices, first < second).

    difference: mean score of the first minus that of the second; its 95 % interval stands alone.
    p:          two-sided; None with fewer than two sets.
    p_holm:     corrected for all contrasts of the tournament (Holm).
    separated:  whether the difference stands at 5 % for the whole tournament together.
    """

    first: int
    second: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    separated: bool


def compare_all(tally: Tally, unit: int) -> tuple[Contrast, ...]:
    """Return the contrast of every two strategies, in order of their indices.

    unit: the highest score that a strategy can reach in one set.

    The variance is S_ii + S_kk - 2 S_ik, D.2: the sets are shared, and so is much of the luck.
    """
    pairs = list(combinations(range(len(tally.score)), 2))
    sums = [
        Sums(
            tally.sets,
            tally.score[i] - tally.score[k],
            tally.cross[i][i] + tally.cross[k][k] - 2 * tally.cross[i][k],
            unit,
        )
        for i, k in pairs
    ]
    raw = [_p_value(s) for s in sums]
    corrected = correct_holm(raw)
    return tuple(
        Contrast(
            i,
            k,
            estimate_mean(s, (-1, 1)),
            p,
            holm,
            holm is not None and holm <= ALPHA,
        )
        for (i, k), s, p, holm in zip(pairs, sums, raw, corrected, strict=True)
    )


def _p_value(sums: Sums) -> float | None:
    if sums.sets < 2:
        return None
    if sums.variance == 0:
        return constant_p(sums.mean, sums.sets)
    return two_sided_p(float(sums.mean), sums.error, sums.sets - 1)


def correct_holm(values: list[float | None]) -> list[float | None]:
    """Return Holm's adjusted p-values, in the same order; None stays None.

    Valid under any dependence. Source: Holm, Scand. J. Statistics 6 (1979) 65-70.
    """
    known = sorted((p, index) for index, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    reached = 0.0
    for rank, (p, index) in enumerate(known):
        reached = max(reached, min(1.0, (len(known) - rank) * p))
        adjusted[index] = reached
    return adjusted


def rank_set(strategy: int, contrasts: tuple[Contrast, ...], strategies: int) -> tuple[int, int]:
    """Return the best and the worst rank that the separated contrasts leave open, D.7."""
    above = below = 0
    for c in contrasts:
        if c.separated and strategy in (c.first, c.second):
            leads = (c.difference.mean > 0) == (strategy == c.first)
            above, below = above + (not leads), below + leads
    return 1 + above, strategies - below
