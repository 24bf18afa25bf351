"""Pairwise comparison: every two strategies by the matches that both play in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from trutdsl.stats.design import Design
from trutdsl.stats.estimate import Estimate, Sums
from trutdsl.stats.family import Family
from trutdsl.stats.interval import (
    distance_from_zero,
    estimate_mean,
    family_of_means,
    leaves_out_zero,
)
from trutdsl.stats.pairing import Pairing, measure_pairing, pair_bounds, pair_difference
from trutdsl.stats.tally import Played, Tally

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
    family = _family(met, rounds)
    return tuple(_summarize(*one, family, known) for one in met)


def _family(met: Sequence[Met], rounds: Played) -> Family:
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
