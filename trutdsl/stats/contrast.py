"""Which strategies are separated: paired contrasts of the standings, corrected for their number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from trutdsl.stats.estimate import ALPHA, Bounds, Estimate, Sums, estimate_score, score_p
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Contrast:
    """Strategy `first` against `second` by their scores on the same sets (indices, first < second).

    difference: mean score of the first minus that of the second; its 95 % interval stands alone.
    p:          two-sided, at least 1e-9; None with fewer than two sets.
    p_holm:     corrected for all contrasts of the tournament (Holm).
    separated:  whether the difference stands at 5 % for the whole tournament together.
    """

    first: int
    second: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    separated: bool


def compare_all(tally: Tally, teams: int) -> tuple[Contrast, ...]:
    """Return the contrast of every two strategies, in order of their indices.

    The variance of the sets is S_ii + S_kk - 2 S_ik, D.2: the sets are shared, and so is much of
    the luck.
    """
    everyone = len(tally.score)
    unit = comb(everyone - 1, teams - 1) * teams**2  # the highest score that one set can give
    bounds = contrast_bounds(everyone, teams)
    pairs = list(combinations(range(everyone), 2))
    sums = [
        Sums(
            tally.sets,
            tally.score[i] - tally.score[k],
            tally.cross[i][i] + tally.cross[k][k] - 2 * tally.cross[i][k],
            unit,
        )
        for i, k in pairs
    ]
    raw = [score_p(s, bounds) for s in sums]
    corrected = correct_holm(raw)
    return tuple(
        Contrast(
            i,
            k,
            estimate_score(s, bounds),
            p,
            holm,
            holm is not None and holm <= ALPHA,
        )
        for (i, k), s, p, holm in zip(pairs, sums, raw, corrected, strict=True)
    )


def contrast_bounds(strategies: int, teams: int) -> Bounds:
    """Return what the difference of two strategies' scores can be in one set.

    Pseudo-sets that are independent between the combinations give a contrast the weight
    (B + O/2) / M^2: of the M combinations of either strategy, B hold both of them, where the
    difference goes from -1 to 1, and O hold one, twice over, where its score goes from 0 to 1.
    With two strategies it is 1, and the contrast says the same as the score of the pair.
    """
    both = comb(strategies - 2, teams - 2)
    all_of_one = comb(strategies - 1, teams - 1)
    return Bounds(-1, 1, Fraction(both + all_of_one, 2 * all_of_one**2))


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
