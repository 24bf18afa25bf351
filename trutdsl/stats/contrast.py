"""Contrasts: which strategies differ significantly, by their scores and by their own matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, chain, combinations
from math import exp, inf, log, sqrt

import numpy as np

from trutdsl.stats.design import Design, Ints, Played, Strategy, Tally
from trutdsl.stats.estimate import (
    Bounds,
    Estimate,
    Sums,
    distance_from_zero,
    estimate_mean,
    family_of_means,
    leaves_out_zero,
)
from trutdsl.stats.multiplicity import ALPHA, DECIMALS, Family, quantile


@dataclass(frozen=True)
class PairingGain:
    """What the same deals in every seating gain.

    gain:        in precision: the variance of the same number of matches on separate deals, over
                 that of these: Var(single) / (m Var(mean of a set)), with m matches a set; null if
                 the sets do not vary, or there are fewer than two.
    gain_low, gain_high: its 95 % interval; null with fewer than three groups of sets.
    correlation: of two matches of a set, rho in gain = 1 / (1 + (m - 1) rho).
    """

    gain: float | None
    gain_low: float | None
    gain_high: float | None
    correlation: float | None


NO_GAIN = PairingGain(None, None, None, None)


def measure_gain(tally: Tally, design: Design, i: int, j: int) -> PairingGain:
    """Return the gain of a pair."""
    legs = design.matches_of(i, j)
    sums = pair_difference(tally, design, i, j)
    if sums.sets < 2 or sums.variance == 0:
        return NO_GAIN
    matches, unit = legs * tally.sets, design.metric.unit(design.teams)
    squares = Fraction(tally.pair_legs_sq[i][j], unit**2)
    # The square of a mean is too large by the variance of the mean.
    single = squares / matches - sums.mean**2 + sums.variance / sums.sets
    gain = single / (legs * sums.variance)
    low, high = _interval(tally, i, j, float(gain))
    return PairingGain(float(gain), low, high, float((1 / gain - 1) / (legs - 1)))


def _interval(tally: Tally, i: int, j: int, gain: float) -> tuple[float | None, float | None]:
    """Return the interval of a gain: Student's t on the jackknife of its logarithm.

    Its error is that of the variance of a set, estimated from at most 64 groups of sets. The
    jackknife also lowers the middle, because the gain of few sets is usually too large (R. G.
    Miller, Annals of Math. Statistics 39 (1968) 567-582).
    """
    sets, won = tally.group_sets, _pair_by_group(tally, i, j).astype(np.float64)
    groups = len(won)
    if groups < 3:
        return None, None
    # Without each group: the sum of squares over the sets, less the square of the mean.
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
    """Return the bounds of the difference in a set, weighted by the combinations that hold both.

    Points have no bounds: one unit of the most valuable counter replaces them.
    """
    reach = design.metric.reach
    return Bounds(-reach, reach, Fraction(1, (design.matches_of(i, j) // len(design.orders)) ** 2))


def pair_difference(tally: Tally, design: Design, i: int, j: int) -> Sums:
    """Return the sums of the points of i less those of j, in the matches that both play in."""
    return Sums(
        tally.sets,
        tally.pair_score[i][j] - tally.pair_score[j][i],
        tally.pair_sq[i][j] + tally.pair_sq[j][i] - 2 * tally.pair_product[i][j],
        design.matches_of(i, j) * design.metric.unit(design.teams),
    )


def _pair_by_group(tally: Tally, i: int, j: int) -> Ints:
    won = tally.group_points
    return won[:, i, j] - won[:, j, i]


@dataclass(frozen=True)
class Contrast:
    """The difference of two strategies over all their matches, on the same sets.

    first, second: the strategies, first < second.
    difference: the mean score of the first less that of the second; the 95 % intervals of all
                contrasts of the tournament are simultaneous (`Family`).
    p:          of no difference, two-sided, at least 1e-9, for this contrast alone; null with fewer
                than two sets, or if the results decide when play ends.
    p_adjusted: for all contrasts of the tournament together.
    separated:  whether the difference is significant, by the interval or a sequential test; null if
                there is no interval and no such test finds a difference.
    """

    first: Strategy
    second: Strategy
    difference: Estimate
    p: float | None
    p_adjusted: float | None
    separated: bool | None


def compare_all(
    tally: Tally, design: Design, known: frozenset[int] = frozenset()
) -> tuple[Contrast, ...]:
    """Return the contrast of every two strategies, in order of their indices.

    known: two strategies whose difference a sequential test has already found significant.
    """
    result = []
    for i, k in combinations(range(design.strategies), 2):
        sums, bounds = contrast_sums(tally, design, i, k), contrast_bounds(design, i, k)
        result.append(_Difference(sums, bounds, _by_group(tally, design, i, k), i, k))
    rounds = [(design, tally)]
    family = _family(rounds, [result])
    return tuple(one.contrast(design, family, known) for one in result)


@dataclass(frozen=True)
class _Mean:
    """A score or the difference of two; by_group: a multiple of its sum over each group of sets."""

    sums: Sums
    bounds: Bounds
    by_group: Ints


@dataclass(frozen=True)
class _Difference(_Mean):
    first: int
    second: int

    def contrast(self, design: Design, family: Family, known: frozenset[int]) -> Contrast:
        difference = estimate_mean(self.sums, design, self.bounds, family)
        p = adjusted = None
        if self.sums.sets > 1 and not design.sequential:
            distance = distance_from_zero(self.sums, design, self.bounds)
            p, adjusted = distance.p, family.p_of(distance.statistic)
        unknown = difference.low is None
        separated = leaves_out_zero(difference) or (None if unknown else False)
        if {self.first, self.second} == known:
            separated = True
        return Contrast(self.first, self.second, difference, p, adjusted, separated)


def _family(rounds: Played, means: Sequence[Sequence[_Mean]]) -> Family:
    """Return the family of the means of all rounds; those of two rounds are independent."""
    size = sum(map(len, means))
    if not size or any(one.sums.sets < 2 for row in means for one in row):
        return Family(size, Fraction(1), np.empty(0))
    *begins, groups = accumulate((len(tally.groups) for _, tally in rounds), initial=0)
    distances, columns = [], []
    for (design, tally), row, begin in zip(rounds, means, begins, strict=True):
        sets = tally.group_sets
        for one in row:
            distances.append(distance_from_zero(one.sums, design, one.bounds))
            won, column = one.by_group.astype(np.float64), np.zeros(groups)
            column[begin : begin + len(won)] = won - sets * (won.sum() / tally.sets)
            columns.append(column)
    return family_of_means(distances, columns)


def widest_contrast(tally: Tally, design: Design) -> float:
    """Return the width of the widest interval of a difference between two strategies."""
    widths = []
    for contrast in compare_all(tally, design):
        low, high = contrast.difference.low, contrast.difference.high
        if low is None or high is None:
            return inf
        widths.append(high - low)
    return max(widths)


def contrast_sums(tally: Tally, design: Design, i: int, k: int) -> Sums:
    """Return the sums of y_i - y_k, whose squares are S_ii + S_kk - 2 S_ik.

    Both share the sets, and so much of the luck: the joint covariance subtracts it. Strategies
    with different opponents are compared by the matches that both play in.
    """
    if not design.alike(i, k):
        return pair_difference(tally, design, i, k)
    squares = tally.cross[i][i] + tally.cross[k][k] - 2 * tally.cross[i][k]
    unit = design.matches_of(i) * design.metric.unit(design.teams)
    return Sums(tally.sets, tally.score[i] - tally.score[k], squares, unit)


def _by_group(tally: Tally, design: Design, i: int, k: int) -> Ints:
    if not design.alike(i, k):
        return _pair_by_group(tally, i, k)
    each = tally.group_points.sum(axis=2)  # each match once for each other strategy in it
    result: Ints = each[:, i] - each[:, k]
    return result


def contrast_bounds(design: Design, i: int, k: int) -> Bounds:
    """Return the bounds of the difference of two strategies' shares of matches in one set.

    Each strategy is in M combinations. B of these hold both; there the difference is from -1 to 1.
    O of each strategy's hold it alone; there its score is from 0 to 1. Pseudo-sets that are
    independent between the combinations would give a contrast the weight (B + O/2) / M^2; for a
    mean (`Bounds`), it is one M-th of that. With two strategies it is 1.
    """
    orders = len(design.orders)
    if not design.alike(i, k):
        return pair_bounds(design, i, k)
    both, of_one = design.matches_of(i, k) // orders, design.matches_of(i) // orders
    reach = design.metric.reach
    return Bounds(-reach, reach, Fraction(both + of_one, 2 * of_one**3))


def rank_set(strategy: int, contrasts: tuple[Contrast, ...], strategies: int) -> tuple[int, int]:
    """Return the best and the worst rank that the significant contrasts allow, D.7."""
    above = below = 0
    for c in contrasts:
        if c.separated and strategy in (c.first, c.second):
            leads = (c.difference.mean > 0) == (strategy == c.first)
            above, below = above + (not leads), below + leads
    return 1 + above, strategies - below


@dataclass(frozen=True)
class Pair(PairingGain, Contrast):
    """Two strategies in the matches that both play in.

    difference:          on the same matches; its 95 % interval is simultaneous with those of all
                         other pairs (`Family`).
    p_adjusted:          for all pairs of the tournament together.
    round:               the round in which they met, from 1; they can meet again in another.
    matches:             that they met in.
    won, lost, drawn:    by the first.
    others:              matches that a third one won.
    score, second_score: mean score of each; with two teams they add up to 1, and their intervals
                         follow from those of the differences. Otherwise the scores of all pairs are
                         a family of their own.
    """

    round: int
    matches: int
    won: int
    lost: int
    drawn: int
    others: int
    score: Estimate
    second_score: Estimate

    @property
    def beats(self) -> tuple[int, int] | None:
        """The winner and the loser, None if their difference is not significant."""
        if not self.separated:
            return None
        ahead = self.difference.mean > 0
        return (self.first, self.second) if ahead else (self.second, self.first)


def compare_pairs(rounds: Played, known: frozenset[int] = frozenset()) -> tuple[Pair, ...]:
    """Return every two strategies that met, round by round; all differences are one family.

    known: two strategies whose difference a sequential test has already found significant.
    """
    differences = [
        [
            _Difference(pair_difference(tally, design, i, j), pair_bounds(design, i, j), won, i, j)
            for i, j in combinations(range(design.strategies), 2)
            if design.matches_of(i, j)
            for won in [_pair_by_group(tally, i, j)]
        ]
        for design, tally in rounds
    ]
    scores = [
        [_scores_of(one, design, tally) for one in of]
        for (design, tally), of in zip(rounds, differences, strict=True)
    ]
    family = of_scores = _family(rounds, differences)
    first, _ = rounds[0]
    if first.teams > 2 or not (first.metric.by_match or first.metric.level):
        of_scores = _family(rounds, [list(chain.from_iterable(of)) for of in scores])
    return tuple(
        _summarize(
            one.contrast(design, family, known),
            [estimate_mean(score.sums, design, score.bounds, of_scores) for score in two],
            design,
            tally,
            number,
        )
        for number, ((design, tally), of, each) in enumerate(
            zip(rounds, differences, scores, strict=True), 1
        )
        for one, two in zip(of, each, strict=True)
    )


def _scores_of(one: _Difference, design: Design, tally: Tally) -> tuple[_Mean, _Mean]:
    """Return the scores of two strategies in the matches that both play in."""
    unit = design.matches_of(one.first, one.second) * design.metric.unit(design.teams)
    shares = replace(one.bounds, lowest=0)

    def score(i: int, j: int) -> _Mean:
        sums = Sums(tally.sets, tally.pair_score[i][j], tally.pair_sq[i][j], unit)
        return _Mean(sums, shares, tally.group_points[:, i, j])

    return score(one.first, one.second), score(one.second, one.first)


def _summarize(
    contrast: Contrast, scores: Sequence[Estimate], design: Design, tally: Tally, number: int
) -> Pair:
    i, j = contrast.first, contrast.second
    matches = design.matches_of(i, j) * tally.sets
    won, lost, draws = tally.pair_won[i][j], tally.pair_won[j][i], tally.pair_drawn[i][j]
    score, second_score = scores
    return Pair(
        **vars(contrast),
        **vars(measure_gain(tally, design, i, j)),
        round=number,
        matches=matches,
        won=won,
        lost=lost,
        drawn=draws,
        others=matches - won - lost - draws,
        score=score,
        second_score=second_score,
    )
