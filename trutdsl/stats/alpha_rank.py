"""Alpha-rank: how long a population stays with each strategy if the fitter ones take over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trutdsl.stats.hashed import Floats

POPULATION = 50
SWEEP = tuple(10.0 ** (step / 4) for step in range(-8, 9))  # intensities of selection


def alpha_rank(payoffs: Floats, alphas: Sequence[float] = SWEEP) -> tuple[float, ...]:
    """Return the stationary distribution over strategies at the greatest intensity of selection.

    payoffs: A[i, j], what i has more than j when they meet. One mutant j takes over a population
    of i with the chance rho = (1 - e^(-a d)) / (1 - e^(-m a d)), d = A[j, i]; T_ij = rho / (K - 1).
    Source: S. Omidshafiei and others, Scientific Reports 9 (2019) 9937.
    """
    found = np.full(len(payoffs), 1 / len(payoffs))
    for alpha in alphas:
        found = stationary(transitions(payoffs, alpha))
    return tuple(found.round(6).tolist())


def transitions(payoffs: Floats, alpha: float, population: int = POPULATION) -> Floats:
    """Return T, the chance of each change of the population's strategy."""
    count = len(payoffs)
    gap = alpha * payoffs.T
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        rho = np.expm1(-gap) / np.expm1(-population * gap)
    rho = np.where(np.isfinite(rho), rho, 0.0)
    rho = np.where(np.abs(gap) < 1e-12, 1 / population, rho)
    found = rho / (count - 1)
    np.fill_diagonal(found, 0)
    np.fill_diagonal(found, 1 - found.sum(axis=1))
    return found


def stationary(chances: Floats) -> Floats:
    """Return the stationary distribution, by elimination without subtractions.

    Source: W. K. Grassmann, M. I. Taksar, D. P. Heyman, Operations Research 33 (1985) 1107-1116.
    """
    left = np.maximum(chances.copy(), 1e-300)
    for n in range(len(left) - 1, 0, -1):
        left[:n, n] /= left[n, :n].sum()
        left[:n, :n] += np.outer(left[:n, n], left[n, :n])
    found = np.ones(len(left))
    for n in range(1, len(left)):
        found[n] = found[:n] @ left[:n, n]
    share: Floats = found / found.sum()
    return share
