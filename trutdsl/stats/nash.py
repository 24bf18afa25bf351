"""Nash averaging: strategies weighed so that copies and weak opponents change no score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trutdsl.stats.hashed import Floats

TOLERANCE = 1e-9


@dataclass(frozen=True)
class NashAverage:
    """The equilibrium of greatest entropy of the game in which players choose a strategy.

    weights: of the strategies in it; scores: A p, 0 for those in it and below 0 for others.
    """

    weights: tuple[float, ...]
    scores: tuple[float, ...]


def nash_average(payoffs: Floats) -> NashAverage:
    """Return argmax entropy(p) subject to A p <= 0, p in the simplex; A is antisymmetric.

    A strategy that beats all others is the whole of it, and the only equilibrium.
    Source: D. Balduzzi and others, Re-evaluating evaluation, NeurIPS 2018.
    """
    best = np.flatnonzero((payoffs > 0).sum(axis=1) == len(payoffs) - 1)
    weights = np.eye(len(payoffs))[best[0]] if len(best) else _equilibrium(payoffs)
    return NashAverage(tuple(weights.tolist()), tuple((payoffs @ weights).round(6).tolist()))


def _equilibrium(payoffs: Floats) -> Floats:
    """Return the equilibrium of greatest entropy, to six decimals."""
    corners = [_solve(payoffs, -np.eye(len(payoffs))[i]) for i in range(len(payoffs))]
    inside = np.mean(corners, axis=0)
    weights = inside
    if max(np.abs(corner - inside).max() for corner in corners) > TOLERANCE:
        weights = _most_even(payoffs, inside)
    weights = np.clip(weights, 0, None).round(6)
    found: Floats = weights / weights.sum()
    return found


def _solve(payoffs: Floats, costs: Floats) -> Floats:
    """Return an equilibrium of least cost."""
    from scipy.optimize import linprog  # loaded only where it is needed: that takes a while

    count = len(payoffs)
    found = linprog(
        costs, payoffs, np.zeros(count), np.ones((1, count)), [1.0], (0, 1), method="highs"
    )
    return np.array(found.x, np.float64)


def _most_even(payoffs: Floats, inside: Floats) -> Floats:
    """Return the equilibrium of greatest entropy, from one that has all strategies that any has."""
    from scipy.optimize import LinearConstraint, minimize

    held = np.flatnonzero(inside > TOLERANCE)
    part = payoffs[:, held]

    def costs(p: Floats) -> float:
        return float((p * np.log(np.maximum(p, 1e-12))).sum())

    def slope(p: Floats) -> Floats:
        found: Floats = np.log(np.maximum(p, 1e-12)) + 1
        return found

    found = minimize(
        costs,
        inside[held],
        jac=slope,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * len(held),
        constraints=[
            LinearConstraint(np.ones((1, len(held))), 1, 1),
            LinearConstraint(part, -np.inf, 0),
        ],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    weights = np.zeros(len(payoffs))
    weights[held] = found.x
    return weights
