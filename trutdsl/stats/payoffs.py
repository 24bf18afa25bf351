"""Payoff matrix of the pairs, and bootstrap replicates of it over groups of sets."""

from __future__ import annotations

import numpy as np

from trutdsl.stats.design import Design
from trutdsl.stats.hashed import Floats, poisson_weights
from trutdsl.stats.tally import Tally

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
