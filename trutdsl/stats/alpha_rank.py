"""Alpha-rank: how long a population stays with each strategy if the fitter ones take over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trutdsl.stats.bootstrap import percentile_intervals
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.hashed import Floats

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
