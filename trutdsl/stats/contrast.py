"""Contrasts: which strategies are separated, by their scores on the same sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd, inf

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Bounds, Estimate, Sums
from trutdsl.stats.family import Family
from trutdsl.stats.interval import (
    distance_from_zero,
    estimate_mean,
    family_of_means,
    leaves_out_zero,
)
from trutdsl.stats.pairing import pair_bounds, pair_difference
from trutdsl.stats.tally import Tally


@dataclass(frozen=True)
class Contrast:
    """Strategy `first` against `second` by their scores on the same sets (indices, first < second).

    difference: mean score of the first minus that of the second; the 95 % intervals of all
                contrasts of the tournament hold together (`Family`).
    p:          two-sided, at least 1e-9, by itself; None with fewer than two sets, and where the
                end of play depends on what was played.
    p_adjusted: for all contrasts of the tournament together.
    separated:  whether the interval leaves out 0.
    """

    first: int
    second: int
    difference: Estimate
    p: float | None
    p_adjusted: float | None
    separated: bool


def compare_all(
    tally: Tally, design: Design, known: frozenset[int] = frozenset()
) -> tuple[Contrast, ...]:
    """Return the contrast of every two strategies, in order of their indices.

    known: two that a sequential test has separated already.
    """
    pairs = list(combinations(range(design.strategies), 2))
    sums = [contrast_sums(tally, design, i, k) for i, k in pairs]
    bounds = [contrast_bounds(design, i, k) for i, k in pairs]
    family = _family(tally, design, pairs, sums, bounds)
    found = []
    for (i, k), s, b in zip(pairs, sums, bounds, strict=True):
        difference = estimate_mean(s, design, b, family)
        p = together = None
        if tally.sets > 1 and not design.sequential:
            distance = distance_from_zero(s, design, b)
            p, together = distance.p, family.p_of(distance.statistic)
        apart = leaves_out_zero(difference) or (design.sequential and {i, k} == known)
        found.append(Contrast(i, k, difference, p, together, apart))
    return tuple(found)


def widest_contrast(tally: Tally, design: Design) -> float:
    """Return how wide the widest interval of a difference between two strategies is."""
    widths = []
    for contrast in compare_all(tally, design):
        low, high = contrast.difference.low, contrast.difference.high
        if low is None or high is None:
            return inf
        widths.append(high - low)
    return max(widths)


def contrast_sums(tally: Tally, design: Design, i: int, k: int) -> Sums:
    """Return the sums of y_i - y_k, whose squares are S_ii + S_kk - 2 S_ik.

    The sets are shared, and so is much of the luck: that is what the joint covariance takes off.
    Two that do not meet the same others are compared by the matches that both play in.
    """
    if not design.alike(i, k):
        return pair_difference(tally, design, i, k)
    of_i, of_k, unit = _weights(design, i, k)
    squares = of_i**2 * tally.cross[i][i] + of_k**2 * tally.cross[k][k]
    squares -= 2 * of_i * of_k * tally.cross[i][k]
    return Sums(tally.sets, of_i * tally.score[i] - of_k * tally.score[k], squares, unit)


def _weights(design: Design, i: int, k: int) -> tuple[int, int, int]:
    """Return whole numbers a, b, u with y_i - y_k = (a x_i - b x_k) / u."""
    of_i, of_k = design.matches_of(i), design.matches_of(k)
    shared = gcd(of_i, of_k)
    unit = of_i * of_k // shared * design.metric.unit(design.teams)
    return of_k // shared, of_i // shared, unit


def _family(
    tally: Tally,
    design: Design,
    pairs: Sequence[tuple[int, int]],
    sums: Sequence[Sums],
    bounds: Sequence[Bounds],
) -> Family:
    """Return the family of all contrasts; groups of sets tell how they hang together."""
    if tally.sets < 2:
        return Family(len(pairs), Fraction(1), np.empty(0))
    sets = np.array([n for _, n, _ in tally.groups], np.float64)
    of_groups = (_by_group(tally, design, i, k).astype(np.float64) for i, k in pairs)
    each = [won - sets * (won.sum() / tally.sets) for won in of_groups]
    distances = [distance_from_zero(s, design, b) for s, b in zip(sums, bounds, strict=True)]
    return family_of_means(distances, each)


def _by_group(tally: Tally, design: Design, i: int, k: int) -> NDArray[np.int64]:
    """Return the difference of two strategies in each group of sets, as `contrast_sums` has it."""
    if not design.alike(i, k):
        won = np.array([sums for _, _, sums in tally.groups], np.int64)
        found: NDArray[np.int64] = won[:, i, k] - won[:, k, i]
        return found
    x, (a, b, _) = group_scores(tally), _weights(design, i, k)
    return a * x[:, i] - b * x[:, k]


def group_scores(tally: Tally) -> NDArray[np.int64]:
    """Return x[i] summed over each group of sets, of shape (groups, strategies)."""
    pairs = np.array([sums for _, _, sums in tally.groups], np.int64)
    others = len(tally.team_score) - 1  # in each match, of which p has each
    found: NDArray[np.int64] = pairs.sum(axis=2) // others
    return found


def contrast_bounds(design: Design, i: int, k: int) -> Bounds:
    """Return what the difference of two strategies' shares of matches can be in one set.

    Of the M combinations of either strategy, B hold both of them, where the difference goes from
    -1 to 1, and O hold one, twice over, where its score goes from 0 to 1. Pseudo-sets that are
    independent between the combinations would give a contrast the weight (B + O/2) / M^2; as of a
    mean (`Bounds`), it has one M-th of that. With two strategies it is 1.
    """
    orders = len(design.orders)
    if not design.alike(i, k):
        return pair_bounds(design, i, k)
    both, of_one = design.matches_of(i, k) // orders, max(design.matches_of(i) // orders, 1)
    reach = design.metric.reach
    return Bounds(-reach, reach, Fraction(both + of_one, 2 * of_one**3))


def rank_set(strategy: int, contrasts: tuple[Contrast, ...], strategies: int) -> tuple[int, int]:
    """Return the best and the worst rank that the separated contrasts leave open, D.7."""
    above = below = 0
    for c in contrasts:
        if c.separated and strategy in (c.first, c.second):
            leads = (c.difference.mean > 0) == (strategy == c.first)
            above, below = above + (not leads), below + leads
    return 1 + above, strategies - below
