"""Contrasts: which strategies are separated, by their scores on the same sets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd, inf

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.always_valid import is_apart
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import ALPHA, Bounds, Estimate, Sums, round_p, student_p
from trutdsl.stats.hashed import Floats, normals
from trutdsl.stats.holm import correct_holm
from trutdsl.stats.interval import estimate_mean
from trutdsl.stats.pairing import pair_bounds, pair_difference
from trutdsl.stats.sign_flips import FEW, greatest_p, sign_flip_p, step_down_p
from trutdsl.stats.special import ndtris
from trutdsl.stats.tally import GROUPS, Tally

DRAWS = 20_000  # of normal variables for the greatest of all statistics


@dataclass(frozen=True)
class Contrast:
    """Strategy `first` against `second` by their scores on the same sets (indices, first < second).

    difference: mean score of the first minus that of the second; its 95 % interval stands alone.
    p:          two-sided, at least 1e-9; None with fewer than two sets, and where the end of play
                depends on what was played.
    p_adjusted: for all contrasts of the tournament together (max-t, step-down).
    separated:  whether the difference stands at 5 % for the whole tournament together.
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
    if tally.sets < 2:
        return tuple(
            Contrast(i, k, _estimate(s, design, i, k), None, None, False)
            for (i, k), s in zip(pairs, sums, strict=True)
        )
    if design.sequential:
        return tuple(
            Contrast(i, k, _estimate(s, design, i, k), None, None, apart)
            for (i, k), s in zip(pairs, sums, strict=True)
            for apart in (
                {i, k} == known or is_apart(s, contrast_bounds(design, i, k), len(pairs)),
            )
        )
    raw, adjusted = _p_values(tally, design, pairs, sums)
    return tuple(
        Contrast(i, k, _estimate(s, design, i, k), p, together, apart)
        for (i, k), s, p, together in zip(pairs, sums, raw, adjusted, strict=True)
        for apart in (together <= ALPHA,)
    )


def widest_contrast(tally: Tally, design: Design) -> float:
    """Return how wide the widest interval of a difference between two strategies is."""
    widths = []
    for i, k in combinations(range(design.strategies), 2):
        found = _estimate(contrast_sums(tally, design, i, k), design, i, k)
        if found.low is None or found.high is None:
            return inf
        widths.append(found.high - found.low)
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


def _p_values(
    tally: Tally, design: Design, pairs: list[tuple[int, int]], sums: list[Sums]
) -> tuple[list[float], list[float]]:
    """Return the p-value of each contrast by itself, and for all together."""
    if tally.sets < FEW:
        by_set = np.array([_by_group(tally, design, i, k) for i, k in pairs]).T
        raw, together = sign_flip_p(by_set), step_down_p(by_set)
    elif not all(design.alike(i, k) for i, k in pairs):
        raw = [student_p(s) for s in sums]
        together = correct_holm(raw)
    else:
        raw = [student_p(s) for s in sums]
        together = _greatest_normal_p(tally, design, pairs, raw)
    # What the greatest statistic gives is never more than Holm's; there it is known to some draws.
    bound = correct_holm(raw)
    adjusted = [max(p, min(h, t)) for p, h, t in zip(raw, bound, together, strict=True)]
    return [round_p(p) for p in raw], [round_p(p) for p in adjusted]


def _by_group(tally: Tally, design: Design, i: int, k: int) -> NDArray[np.int64]:
    """Return the difference of two strategies in each group of sets, as `contrast_sums` has it."""
    if not design.alike(i, k):
        won = np.array([sums for _, _, sums in tally.groups], np.int64)
        found: NDArray[np.int64] = won[:, i, k] - won[:, k, i]
        return found
    x, (a, b, _) = group_scores(tally), _weights(design, i, k)
    return a * x[:, i] - b * x[:, k]


def group_scores(tally: Tally) -> NDArray[np.int64]:
    """Return x[i] summed over each group of sets, of shape (groups, strategies).

    With at most `GROUPS` sets that follow each other from 0, a group is a set.
    """
    pairs = np.array([sums for _, _, sums in tally.groups], np.int64)
    others = len(tally.team_score) - 1  # in each match, of which p has each
    found: NDArray[np.int64] = pairs.sum(axis=2) // others
    return found


assert FEW <= GROUPS


def _greatest_normal_p(
    tally: Tally, design: Design, pairs: list[tuple[int, int]], raw: list[float]
) -> list[float]:
    """Return step-down p-values by the greatest of |Z|, Z normal with the contrasts' correlation.

    The covariance of the strategies' means is that of D.2: 1 / (n (n - 1)) sum (s - sbar)(s -
    sbar)'. Source: T. Hothorn, F. Bretz, P. Westfall, Biometrical Journal 50 (2008) 346-363.
    """
    n, score = tally.sets, np.array(tally.score, np.float64)
    per_set = np.array([design.matches_of(i) for i in range(design.strategies)], np.float64)
    covariance = np.array(tally.cross, np.float64) / n - np.outer(score, score) / n**2
    covariance /= np.outer(per_set, per_set)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    z = normals(DRAWS, len(score)) @ root.T
    contrasts = z[:, [i for i, _ in pairs]] - z[:, [k for _, k in pairs]]
    spread = np.array(
        [covariance[i, i] + covariance[k, k] - 2 * covariance[i, k] for i, k in pairs]
    )
    spread = np.sqrt(np.maximum(spread, 0))
    spread[spread < 1e-12] = np.inf
    null: Floats = np.abs(contrasts / spread)
    return greatest_p(null, -ndtris(np.array(raw) / 2))


def _estimate(sums: Sums, design: Design, i: int, k: int) -> Estimate:
    return estimate_mean(sums, design, contrast_bounds(design, i, k))


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
