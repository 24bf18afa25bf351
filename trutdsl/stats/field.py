"""The whole field: strengths, cycles, Nash average and alpha-rank."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from trutdsl.stats.bradley_terry import Strengths, fit_strengths
from trutdsl.stats.contrast import Pair
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import DECIMALS, Estimate
from trutdsl.stats.nash import NashAverage, estimate_nash
from trutdsl.stats.numeric import Floats, poisson_weights
from trutdsl.stats.resampling import FEW_GROUPS, percentile_interval, percentile_intervals
from trutdsl.stats.tally import Played, Tally

# Payoff matrix of the pairs, and bootstrap replicates of it over groups of sets.

REPLICATES = 400


def pair_payoffs(tally: Tally, design: Design) -> Floats | None:
    """Return A, antisymmetric: what i has more than j in a match of both; None unless all met."""
    legs = _legs(design)
    if (legs == 0).any():
        return None
    won = np.array(tally.pair_score, np.float64)
    return (won - won.T) / (legs * tally.sets)


def payoff_replicates(tally: Tally, design: Design) -> Floats:
    """Return Poisson bootstrap replicates of A, of shape (replicates, strategies, strategies).

    Each group of sets counts as often as its hashed weight says, which no worker can change.
    Needs two groups at least.
    """
    weights = poisson_weights(REPLICATES, len(tally.groups))
    weights = weights[weights.sum(axis=1) > 0]
    sets = weights @ np.array([n for _, n, _ in tally.groups], np.float64)
    won = np.tensordot(weights, np.array([s for _, _, s in tally.groups], np.float64), axes=1)
    found: Floats = (won - won.swapaxes(1, 2)) / (_legs(design) * sets[:, None, None])
    return found


def _legs(design: Design) -> Floats:
    """Return matches of i and j in a set times the points of one, 1 on the diagonal."""
    everyone, unit = range(design.strategies), design.metric.unit(design.teams)
    return np.array(
        [[1 if i == j else design.matches_of(i, j) * unit for j in everyone] for i in everyone],
        np.float64,
    )


# Cycles: strategies of which each certainly beats the next, and the last the first.

Edge = tuple[int, int]


def shortest_cycles(beats: Collection[Edge]) -> tuple[tuple[int, ...], ...]:
    """Return all cycles of the fewest strategies, each from its least number on, in order.

    beats: who is known to beat whom, as (winner, loser). Where everybody has met, and all that is
    true were known, any cycle had one of three in it: a chord of a longer one closes it on one
    side or on the other.
    """
    after: dict[int, list[int]] = {}
    for winner, loser in sorted(beats):
        after.setdefault(winner, []).append(loser)
    lengths = [found for start in after if (found := _length(after, start))]
    if not lengths:
        return ()
    fewest = min(lengths)
    return tuple(way for start in sorted(after) for way in _ways(after, (start,), fewest))


def _length(after: dict[int, list[int]], start: int) -> int:
    """Return how many are in the shortest cycle through one, 0 if there is none."""
    far, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in after.get(here, ()):
            if there == start:
                return far[here] + 1
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return 0


def _ways(after: dict[int, list[int]], way: tuple[int, ...], fewest: int) -> list[tuple[int, ...]]:
    """Return the cycles of so many that go on from a way and have nobody before its first one."""
    start, here = way[0], way[-1]
    if len(way) == fewest:
        return [way] if start in after.get(here, ()) else []
    return [
        found
        for there in after.get(here, ())
        if there > start and there not in way
        for found in _ways(after, (*way, there), fewest)
    ]


# Intransitivity: how much of who beats whom the scores do not tell.


def cyclic_part(payoffs: Floats) -> Floats:
    """Return A - (r 1' - 1 r') with the ratings r_i = mean_j A_ij; works on stacks of matrices.

    It is the part of A that is orthogonal to all ratings (X. Jiang, L.-H. Lim, Y. Yao, Y. Ye,
    Statistical ranking and combinatorial Hodge theory, Math. Programming 127 (2011) 203-244). Most
    of it are cycles; but as shares end at 1, a ranking of unlike strategies has some, too.
    """
    ratings = payoffs.mean(axis=-1)
    found: Floats = payoffs - (ratings[..., :, None] - ratings[..., None, :])
    return found


def cyclic_share(payoffs: Floats) -> float:
    """Return ||cyclic part||^2 / ||A||^2, 0 for a matrix of nothing."""
    whole = float((payoffs**2).sum())
    return float((cyclic_part(payoffs) ** 2).sum()) / whole if whole else 0.0


def estimate_cyclic_share(payoffs: Floats, replicates: Floats) -> Estimate:
    """Return the share without what noise adds to it, with a bootstrap interval.

    Noise is taken from both squares as the replicates show it, once from what was played and
    twice from a replicate, which has it once more.
    """
    noise = replicates - payoffs
    noise_of_part = _square(cyclic_part(noise)).mean()
    noise_of_whole = _square(noise).mean()
    part, whole = _square(cyclic_part(payoffs)), _square(payoffs)
    again, again_whole = _square(cyclic_part(replicates)), _square(replicates)
    drawn = _share(again - 2 * noise_of_part, again_whole - 2 * noise_of_whole)
    mean = round(float(_share(part - noise_of_part, whole - noise_of_whole)), DECIMALS)
    return percentile_interval(mean, drawn)


def _square(matrices: Floats) -> Floats:
    found: Floats = (matrices**2).sum(axis=(-2, -1))
    return found


def _share(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.clip(part, 0, None) / np.maximum(np.maximum(whole, part), 1e-300)
    return np.clip(found, 0, 1)


# Alpha-rank: how long a population stays with each strategy if the fitter ones take over.

POPULATION = 50
SWEEP = tuple(round(10.0 ** (step / 2), 6) for step in range(-4, 5))  # intensities of selection


@dataclass(frozen=True)
class AlphaRank:
    """The stationary distribution over the strategies.

    shares: at the greatest intensity of selection, with bootstrap intervals.
    sweep:  for each intensity, from 0.01 to 100, the share of each strategy.
    """

    shares: tuple[Estimate, ...]
    sweep: tuple[tuple[float, tuple[float, ...]], ...]


def estimate_alpha_rank(payoffs: Floats, replicates: Floats) -> AlphaRank:
    """Return alpha-rank over a sweep of intensities; replicates: of the payoffs.

    Source: S. Omidshafiei and others, Scientific Reports 9 (2019) 9937.
    """
    found = [stationary(transitions(payoffs, alpha)).round(6) for alpha in SWEEP]
    drawn = stationary(transitions(replicates, SWEEP[-1])).round(6)
    told = zip(SWEEP, (tuple(shares.tolist()) for shares in found), strict=True)
    return AlphaRank(percentile_intervals(found[-1], drawn), tuple(told))


def transitions(payoffs: Floats, alpha: float, population: int = POPULATION) -> Floats:
    """Return T, the chance of each change of the population's strategy; works on stacks.

    payoffs: A[i, j], what i has more than j when they meet. One mutant j takes over a population
    of i with the chance rho = (1 - e^(-a d)) / (1 - e^(-m a d)), d = A[j, i]; T_ij = rho / (K - 1).
    """
    count = payoffs.shape[-1]
    gap = alpha * payoffs.swapaxes(-1, -2)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        rho = np.expm1(-gap) / np.expm1(-population * gap)
    rho = np.where(np.isfinite(rho), rho, 0.0)
    rho = np.where(np.abs(gap) < 1e-12, 1 / population, rho)
    stay = np.eye(count)
    change = rho / (count - 1) * (1 - stay)
    found: Floats = change + stay * (1 - change.sum(axis=-1, keepdims=True))
    return found


def stationary(chances: Floats) -> Floats:
    """Return the stationary distribution, by elimination without subtractions; works on stacks.

    Source: W. K. Grassmann, M. I. Taksar, D. P. Heyman, Operations Research 33 (1985) 1107-1116.
    """
    left = np.maximum(chances, 1e-300)
    count = left.shape[-1]
    for n in range(count - 1, 0, -1):
        left[..., :n, n] /= left[..., n, :n].sum(axis=-1, keepdims=True)
        left[..., :n, :n] += left[..., :n, n, None] * left[..., None, n, :n]
    found = np.ones(left.shape[:-1])
    for n in range(1, count):
        found[..., n] = np.vecdot(found[..., :n], left[..., :n, n])
    share: Floats = found / found.sum(axis=-1, keepdims=True)
    return share


@dataclass(frozen=True)
class FieldSummary:
    """What is said of all strategies together; None where it cannot be said.

    strengths:    by Bradley and Terry.
    cycles:       certain ones: each strategy beats the next, the last the first.
    cyclic_share: what of the pairs' results the scores do not tell; for more than two of them, and
                  more than are in a match, from 20 groups of sets on.
    nash:         Nash average.
    alpha_rank:   stationary distribution over the strategies.
    """

    strengths: Strengths | None
    cycles: tuple[tuple[int, ...], ...]
    cyclic_share: Estimate | None
    nash: NashAverage | None
    alpha_rank: AlphaRank | None


def describe_field(rounds: Played, pairs: Sequence[Pair]) -> FieldSummary:
    """Return what is said of all strategies together; pairs: their meetings, the last one counts.

    Where who meets depends on earlier rounds, there is no matrix of all pairs. Where all sit in
    every match, a pair's difference is that of the scores. A bootstrap is not for runs that end
    when something is seen.
    """
    last = {(pair.first, pair.second): pair for pair in pairs}
    cycles = shortest_cycles([pair.beats for pair in last.values() if pair.beats is not None])
    strengths, (design, tally) = fit_strengths(rounds), rounds[0]
    payoffs = pair_payoffs(tally, design) if len(rounds) == 1 else None
    if payoffs is None:
        return FieldSummary(strengths, cycles, None, None, None)
    if len(tally.groups) < FEW_GROUPS or design.sequential:
        replicates = np.empty((0, *payoffs.shape))
    else:
        replicates = payoff_replicates(tally, design)
    cyclic = None
    if design.strategies > max(design.teams, 2) and len(replicates):
        cyclic = estimate_cyclic_share(payoffs, replicates)
    return FieldSummary(
        strengths,
        cycles,
        cyclic,
        estimate_nash(payoffs, replicates),
        estimate_alpha_rank(payoffs, replicates),
    )
