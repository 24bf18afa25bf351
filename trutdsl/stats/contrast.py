"""Contrasts: which strategies are separated, by their scores and by their own matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import exp, gcd, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import Design, Played, Tally
from trutdsl.stats.estimate import (
    Bounds,
    Estimate,
    Sums,
    distance_from_zero,
    estimate_mean,
    family_of_means,
    leaves_out_zero,
)
from trutdsl.stats.multiplicity import Family
from trutdsl.stats.numeric import ALPHA, DECIMALS, quantile


@dataclass(frozen=True)
class Pairing:
    """How the matches of a set between two strategies hang together.

    gain:        how many times the variance of a mean is smaller than over as many single matches
                 on deals of their own: Var(single) / (m Var(mean of a set)), m matches a set.
    gain_low, gain_high: its 95 % interval, see `_interval`; None with fewer than three groups of
                 sets.
    correlation: of two matches of a set, rho in gain = 1 / (1 + (m - 1) rho).
    """

    gain: float
    gain_low: float | None
    gain_high: float | None
    correlation: float


def measure_pairing(tally: Tally, design: Design, i: int, j: int) -> Pairing | None:
    """Return the gain of a pair, None where the sets do not vary or are fewer than two."""
    legs = design.matches_of(i, j)
    sums = pair_difference(tally, design, i, j)
    if sums.sets < 2 or legs < 2 or sums.variance == 0:
        return None
    matches, unit = legs * tally.sets, design.metric.unit(design.teams)
    squares = Fraction(tally.pair_legs_sq[i][j], unit**2)
    single = (squares - matches * sums.mean**2) / (matches - 1)
    gain = single / (legs * sums.variance)
    if gain == 0:
        return None
    low, high = _interval(tally, i, j, float(gain))
    return Pairing(float(gain), low, high, float((1 / gain - 1) / (legs - 1)))


def _interval(tally: Tally, i: int, j: int, gain: float) -> tuple[float | None, float | None]:
    """Return between what the gain is: Student's t of the jackknife of its logarithm.

    Its error is that of the variance of a set, told by at most 64 groups of sets. The jackknife
    also lowers the middle, as of few sets the gain is mostly too large (R. G. Miller, Annals of
    Math. Statistics 39 (1968) 567-582).
    """
    won = np.array([of[i][j] - of[j][i] for _, _, of in tally.groups], np.float64)
    sets = np.array([n for _, n, _ in tally.groups], np.float64)
    groups = len(won)
    if groups < 3:
        return None, None
    # Of the others without each group: sums of squares over their sets, less those of the mean.
    squares, total, many = won**2 / sets, won.sum() - won, sets.sum() - sets
    variances = (squares.sum() - squares - total**2 / many) / (groups - 2)
    whole = (squares.sum() - won.sum() ** 2 / sets.sum()) / (groups - 1)
    if min(whole, *variances.tolist()) <= 0:
        return None, None
    values = groups * np.log(whole) - (groups - 1) * np.log(variances)
    middle = log(gain) + float(np.log(whole) - values.mean())
    half = quantile(1 - ALPHA / 2, groups - 1) * float(values.std(ddof=1)) / sqrt(groups)
    low, high = (round(exp(middle + side * half), DECIMALS) for side in (-1, 1))
    return min(low, gain), max(high, gain)


def pair_bounds(design: Design, i: int, j: int) -> Bounds:
    """Return what the difference of two can be in one set, by how many combinations they meet in.

    Of points, which have no bounds, it is one unit of the dearest counter.
    """
    reach = design.metric.reach
    return Bounds(-reach, reach, Fraction(1, (design.matches_of(i, j) // len(design.orders)) ** 2))


def pair_difference(tally: Tally, design: Design, i: int, j: int) -> Sums:
    """Return the sums of what i has more than j in a match that both play in."""
    return Sums(
        tally.sets,
        tally.pair_score[i][j] - tally.pair_score[j][i],
        tally.pair_sq[i][j] + tally.pair_sq[j][i] - 2 * tally.pair_product[i][j],
        design.matches_of(i, j) * design.metric.unit(design.teams),
    )


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


# Pairwise comparison: every two strategies by the matches that both play in.


Met = tuple[int, int, Design, Tally, int]  # two strategies, and the round in which they met


@dataclass(frozen=True)
class Pair:
    """Two strategies in the matches that both play in (indices, first < second).

    round:               in which they met, from 1; they can meet again in another.
    score, second_score: mean score of each; with two teams they add up to 1.
    difference:          of the two, on the same matches; its 95 % interval and those of the scores
                         hold together with those of all other pairs (`Family`).
    p:                   of no difference, two-sided; None with fewer than two sets, and where the
                         end of play depends on what was played.
    p_adjusted:          for all pairs of the tournament together.
    separated:           whether the interval of the difference leaves out 0.
    others:              matches that a third one won.
    pairing:             what playing the same deals in every seating brings.
    """

    first: int
    second: int
    round: int
    matches: int
    won: int
    lost: int
    drawn: int
    others: int
    score: Estimate
    second_score: Estimate
    difference: Estimate
    p: float | None
    p_adjusted: float | None
    separated: bool
    pairing: Pairing | None

    @property
    def beats(self) -> tuple[int, int] | None:
        """Who certainly beats whom of the two, None if neither does."""
        if not self.separated:
            return None
        ahead = self.difference.mean > 0
        return (self.first, self.second) if ahead else (self.second, self.first)


def compare_pairs(rounds: Played, known: frozenset[int] = frozenset()) -> tuple[Pair, ...]:
    """Return every two strategies that met, round by round, all of them one family.

    known: two that a sequential test has separated already.
    """
    met = [
        (i, j, design, tally, number)
        for number, (design, tally) in enumerate(rounds, 1)
        for i, j in combinations(range(design.strategies), 2)
        if design.matches_of(i, j)
    ]
    family = _family_of_meetings(met, rounds)
    return tuple(_summarize(*one, family, known) for one in met)


def _family_of_meetings(met: Sequence[Met], rounds: Played) -> Family:
    """Return the family of all pairs; those of other rounds have nothing to do with each other."""
    told = [one for one in met if one[3].sets > 1]
    if len(told) < len(met) or not met:
        return Family(len(met), Fraction(1), np.empty(0))
    sizes = [len(tally.groups) for _, tally in rounds]
    distances, each = [], []
    for i, j, design, tally, number in met:
        sums, bounds = pair_difference(tally, design, i, j), pair_bounds(design, i, j)
        distances.append(distance_from_zero(sums, design, bounds))
        won = np.array([of[i][j] - of[j][i] for _, _, of in tally.groups], np.float64)
        sets = np.array([n for _, n, _ in tally.groups], np.float64)
        begin = sum(sizes[: number - 1])
        column = np.zeros(sum(sizes))
        column[begin : begin + len(won)] = won - sets * (won.sum() / tally.sets)
        each.append(column)
    return family_of_means(distances, each)


def _summarize(
    i: int,
    j: int,
    design: Design,
    tally: Tally,
    number: int,
    family: Family,
    known: frozenset[int],
) -> Pair:
    """Return a pair, as one of a family."""
    per_set = design.matches_of(i, j)
    bounds = pair_bounds(design, i, j)
    shares = replace(bounds, lowest=0)
    matches, unit = per_set * tally.sets, per_set * design.metric.unit(design.teams)
    won, lost, drawn = tally.pair_won[i][j], tally.pair_won[j][i], tally.pair_drawn[i][j]
    score = Sums(tally.sets, tally.pair_score[i][j], tally.pair_sq[i][j], unit)
    second = Sums(tally.sets, tally.pair_score[j][i], tally.pair_sq[j][i], unit)
    sums = pair_difference(tally, design, i, j)
    difference = estimate_mean(sums, design, bounds, family)
    p = together = None
    if tally.sets > 1 and not design.sequential:
        distance = distance_from_zero(sums, design, bounds)
        p, together = distance.p, family.p_of(distance.statistic)
    return Pair(
        first=i,
        second=j,
        round=number,
        matches=matches,
        won=won,
        lost=lost,
        drawn=drawn,
        others=matches - won - lost - drawn,
        score=estimate_mean(score, design, shares, family),
        second_score=estimate_mean(second, design, shares, family),
        difference=difference,
        p=p,
        p_adjusted=together,
        separated=leaves_out_zero(difference) or (design.sequential and {i, j} == known),
        pairing=measure_pairing(tally, design, i, j),
    )
