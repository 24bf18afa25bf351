"""The match as an absorbing Markov chain: its states are the scores between two deals.

A deal leads from a score to others, or ends the match. Let Q be the probabilities between scores,
and R those of the ends. Then the chances to win are (I - Q)^-1 R, and the expected deals
(I - Q)^-1 1 (Kemeny and Snell, Finite Markov Chains, 1960). The inverse is the sum of all powers of
Q.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, say
from trutdsl.solve.positions import Floats, Numbers
from trutdsl.solve.scores import Outcome, Score

MOST_SCORES = 200_000
MOST_DEALS = 1_000_000
NEGLIGIBLE = 1e-19  # a term of a sum, as a share of the sum
ROUNDING = 1e-12  # the tolerance of sums of probabilities
UNLIKELY = 1e-15  # what is left of a distribution when the rest no longer counts


@dataclass(frozen=True)
class MatchChain:
    """A match from every score that it can come to.

    scores: the states. wins: float64 (scores, 3), the probability that each team wins from
    there, the last that nobody does. deals: float64 (scores,), the expected number of deals left.
    lengths: float64 (n,), the probability of so many deals, from 0 up, from the first scores.
    moves: the probability of a step from each score to each other one. ends: float64 (scores, 3),
    the probability that a deal from there ends the match in each of these ways.
    """

    scores: Mapping[Score, int]
    wins: Floats
    deals: Floats
    lengths: Floats
    moves: csr_matrix
    ends: Floats

    def visits(self, first: Score) -> Floats:
        """Return the mean number of deals at each score, in a match from this score."""
        start = np.zeros(len(self.scores))
        start[self.scores[first]] = 1
        return find_visits(self.moves, start)

    def lead_changes(self, first: Score, leader: Numbers) -> float:
        """Return the mean number of changes of the lead, in a match from this score.

        leader: int64 (scores,), the team that is alone in the lead, -1 for none. The states of this
        chain are the scores, each with the team that led alone before: 0, 1 or none.
        """
        count, steps = len(self.scores), self.moves.tocoo()
        rows, columns = [], []
        for before in range(3):
            after = np.where(leader < 0, before, leader)[steps.row]
            rows.append(before * count + steps.row)
            columns.append(after * count + steps.col)
        places = np.concatenate(rows), np.concatenate(columns)
        moves = csr_matrix((np.tile(steps.data, 3), places), shape=(3 * count, 3 * count))
        start = np.zeros(3 * count)
        start[2 * count + self.scores[first]] = 1
        visits = find_visits(moves, start).reshape(3, count)
        return float(visits[0, leader == 1].sum() + visits[1, leader == 0].sum())

    def wins_within(self, first: Score, team: int, scores: NDArray[np.bool_]) -> float:
        """Return the chance that a team wins from this score, and all deals begin inside.

        scores: bool (scores,).
        """
        rows = np.flatnonzero(scores)
        start = (rows == self.scores[first]).astype(np.float64)
        visits = find_visits(self.moves[rows][:, rows], start)
        return float((visits * self.ends[rows, team]).sum())


def find_visits(moves: csr_matrix, start: Floats) -> Floats:
    """Return the mean number of visits to each state: start (I - Q)^-1."""
    return sum_of_powers(moves.T.tocsr(), start)


def sum_of_powers(moves: csr_matrix, start: Floats) -> Floats:
    """Return (I - Q)^-1 start, as the sum of Q^n start over all n.

    These sums have the same bytes on any processor; those of a matrix inverse do not. All terms are
    positive, so nothing is lost by cancellation. Raises `BadUsage` if the terms hardly fall.
    """
    total, term = start.copy(), start
    for _ in range(MOST_DEALS):
        if term.max(initial=0) <= NEGLIGIBLE * total.max(initial=0):
            return total
        term = moves @ term
        total += term
    text = "between these strategies a match can have more than {most} deals"
    raise BadUsage(say(text, most=figure(MOST_DEALS, ",")))


def solve_chain(
    first: Mapping[Score, float], outcomes: Callable[[Score], Mapping[Outcome, float]]
) -> MatchChain:
    """Return the match that starts from these scores, with their probabilities.

    outcomes: returns the outcomes of a deal from a score. Raises `BadUsage` for too many scores, or
    for a match that may never end.
    """
    scores = {score: number for number, score in enumerate(first)}
    waiting, steps = list(first), list[tuple[int, Outcome, float]]()
    while waiting:
        score = waiting.pop()
        chances = outcomes(score)
        whole = fsum(chances.values())  # 1, but for errors of rounding, which many deals add up
        for outcome, chance in chances.items():
            steps.append((scores[score], outcome, chance / whole))
            if outcome.score is not None and outcome.score not in scores:
                scores[outcome.score] = len(scores)
                waiting.append(outcome.score)
        if len(scores) > MOST_SCORES:
            text = "this match has more than {most_scores} scores"
            raise BadUsage(say(text, most_scores=figure(MOST_SCORES, ",")))
    count = len(scores)
    ends = np.zeros((count, 3))
    inner = [(at, scores[to.score], chance) for at, to, chance in steps if to.score is not None]
    for at, outcome, chance in steps:
        if outcome.score is None:
            ends[at, 2 if outcome.winner is None else outcome.winner] += chance
    table = np.array(inner, np.float64).reshape(-1, 3)
    places = table[:, :2].T.astype(np.int64)
    moves = csr_matrix((table[:, 2], places), shape=(count, count))
    if not _can_end(moves, ends).all():
        raise BadUsage(say("between these strategies a match need not end"))
    start = np.zeros(count)
    start[: len(first)] = [*first.values()]
    return MatchChain(
        scores,
        sum_of_powers(moves, ends),
        sum_of_powers(moves, np.ones(count)),
        _lengths(start, moves, ends),
        moves,
        ends,
    )


def _can_end(moves: csr_matrix, ends: Floats) -> NDArray[np.bool_]:
    """Tell from which scores some course of the match ends it.

    Whether (I - Q) has an inverse does not tell this: the sum of rounded probabilities can be
    below 1. The search goes from the end back through the steps.
    """
    count, steps = len(ends), moves.tocoo()
    last = np.flatnonzero(ends.any(axis=1))
    rows = np.concatenate([steps.col, np.full(len(last), count)])
    places = rows, np.concatenate([steps.row, last])
    back = csr_matrix((np.ones(len(rows)), places), shape=(count + 1, count + 1))
    able = np.zeros(count + 1, np.bool_)
    able[breadth_first_order(back, count, return_predecessors=False)] = True
    return able[:count]


def _lengths(start: Floats, moves: csr_matrix, ends: Floats) -> Floats:
    """Return the distribution of the number of deals, without an unlikely tail."""
    share, lengths, over = start, [0.0], ends.sum(axis=1)
    while share.sum() > UNLIKELY:
        lengths.append(float((share * over).sum()))
        share = share @ moves
    return np.array(lengths)


def most_deals(lengths: Sequence[float], share: float) -> int:
    """Return the smallest number of deals that at least this share of matches does not exceed.

    lengths: the probability of each number, from 0 up.
    """
    return int(np.searchsorted(np.cumsum(lengths), share - ROUNDING))
