"""Pairwise comparison: every two strategies by the matches that both play in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from trutdsl.stats.always_valid import is_apart
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import ALPHA, Estimate, Sums, round_p, student_p
from trutdsl.stats.holm import correct_holm
from trutdsl.stats.interval import estimate_mean
from trutdsl.stats.pairing import Pairing, measure_pairing, pair_bounds, pair_difference
from trutdsl.stats.sign_flips import FEW, sign_flip_p
from trutdsl.stats.tally import Played, Tally


@dataclass(frozen=True)
class Pair:
    """Two strategies in the matches that both play in (indices, first < second).

    round:               in which they met, from 1; they can meet again in another.
    score, second_score: mean score of each; with two teams they add up to 1.
    difference:          of the two, on the same matches.
    p:                   of no difference, two-sided; None with fewer than two sets, and where the
                         end of play depends on what was played.
    p_adjusted:          for all pairs of the tournament together (Holm).
    separated:           whether the difference stands at 5 % for all pairs together.
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
    """Return every two strategies that met, round by round, all corrected together.

    known: two that a sequential test has separated already.
    """
    met = [
        (i, j, design, tally, number)
        for number, (design, tally) in enumerate(rounds, 1)
        for i, j in combinations(range(design.strategies), 2)
        if design.matches_of(i, j)
    ]
    pairs = [_summarize(*one, len(met), known) for one in met]
    corrected = iter(correct_holm([pair.p for pair in pairs if pair.p is not None]))
    return tuple(p if p.p is None else _correct(p, p.p, next(corrected)) for p in pairs)


def _correct(pair: Pair, alone: float, together: float) -> Pair:
    """Return a pair with its p-values, and whether it is certain among all."""
    apart = together <= ALPHA
    return replace(pair, p=round_p(alone), p_adjusted=round_p(together), separated=apart)


def _summarize(
    i: int, j: int, design: Design, tally: Tally, number: int, pairs: int, known: frozenset[int]
) -> Pair:
    """Return a pair by itself, as one of so many; at any time it is also known what is certain."""
    per_set = design.matches_of(i, j)
    bounds = pair_bounds(design, i, j)
    shares = replace(bounds, lowest=0)
    matches, unit = per_set * tally.sets, per_set * design.metric.unit(design.teams)
    won, lost, drawn = tally.pair_won[i][j], tally.pair_won[j][i], tally.pair_drawn[i][j]
    score = Sums(tally.sets, tally.pair_score[i][j], tally.pair_sq[i][j], unit)
    second = Sums(tally.sets, tally.pair_score[j][i], tally.pair_sq[j][i], unit)
    difference = pair_difference(tally, design, i, j)
    return Pair(
        first=i,
        second=j,
        round=number,
        matches=matches,
        won=won,
        lost=lost,
        drawn=drawn,
        others=matches - won - lost - drawn,
        score=estimate_mean(score, design, shares),
        second_score=estimate_mean(second, design, shares),
        difference=estimate_mean(difference, design, bounds),
        p=_p_value(design, tally, i, j, difference),
        p_adjusted=None,
        separated=design.sequential and ({i, j} == known or is_apart(difference, bounds, pairs)),
        pairing=measure_pairing(tally, design, i, j),
    )


def _p_value(design: Design, tally: Tally, i: int, j: int, difference: Sums) -> float | None:
    """Return the two-sided p-value of no difference, None where there is none."""
    if tally.sets < 2 or design.sequential:
        return None
    if tally.sets >= FEW:
        return student_p(difference)
    won = np.array([sums for _, _, sums in tally.groups], np.int64)
    return sign_flip_p((won[:, i, j] - won[:, j, i])[:, None])[0]
