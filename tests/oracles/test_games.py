"""Payoff matrices, compared with nashpy's equilibria, OpenSpiel's alpha-rank and least squares."""

import warnings
from itertools import combinations

import nashpy
import numpy as np
import pytest
import statsmodels.api as sm
from open_spiel.python.egt import alpharank
from scipy.optimize import LinearConstraint, minimize
from scipy.stats import entropy

from trutdsl.stats.payoffs import estimate_cyclic_share, nash_average, stationary, transitions

SIX_DECIMALS = 1e-6  # the rounding of Nash averages


def make_antisymmetric(upper):
    return np.triu(upper, 1) - np.triu(upper, 1).T


def to_nashpy_game(payoffs):
    """Return a nashpy game with all payoffs above 0: nashpy finds nothing if all are 0."""
    more = 1 + np.abs(payoffs).max()
    return nashpy.Game(more + payoffs, more - payoffs)


def equilibria(payoffs):
    """Return the vertices of the set of all equilibria, as rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nashpy warns if there are several
        found = list(to_nashpy_game(payoffs).vertex_enumeration())
    corners = np.array([one for one, _ in found])
    assert (corners @ payoffs.T).max() < 1e-9
    return np.unique(corners.round(9), axis=0)


@pytest.mark.parametrize("strategies", [3, 4, 5, 6])
def test_a_unique_equilibrium_is_the_nash_average(strategies):
    """Five games are solved together, as in a bootstrap."""
    matrices = np.random.default_rng(strategies).normal(size=(5, strategies, strategies))
    games = np.array([make_antisymmetric(one) for one in matrices])
    for payoffs, found in zip(games, nash_average(games), strict=True):
        (only,) = equilibria(payoffs)
        again, _ = to_nashpy_game(payoffs).lemke_howson(initial_dropped_label=0)
        assert only == pytest.approx(again, abs=1e-9)
        assert found == pytest.approx(only, abs=SIX_DECIMALS)


def test_the_nash_average_is_the_equilibrium_of_greatest_entropy():
    """No equilibrium of nashpy, and no mixture of them, has a greater entropy."""
    rng, several = np.random.default_rng(7), 0
    matrices = [np.zeros((4, 4))]
    for strategies in [3, 4, 5, 6] * 3:
        shape = (strategies, strategies)
        copied = rng.integers(strategies - 1, size=strategies)
        equal = np.pad(np.zeros((strategies - 1, strategies - 1)), (0, 1), constant_values=1)
        u, v = rng.normal(size=(2, 4))
        whole = make_antisymmetric(rng.integers(-2, 3, shape).astype(float))
        matrices += [
            whole,
            whole[np.ix_(copied, copied)],
            make_antisymmetric(rng.normal(size=shape) * equal),  # all except one are equal
            np.outer(u, v) - np.outer(v, u),  # a matrix of rank 2
        ]
    for payoffs in matrices:
        corners, found = equilibria(payoffs), nash_average(payoffs[None])[0]
        assert found.sum() == pytest.approx(1)
        assert (payoffs @ found).max() < 10 * SIX_DECIMALS
        even = np.full(len(corners), 1 / len(corners))
        best = minimize(
            lambda shares, corners=corners: -entropy(np.maximum(shares @ corners, 1e-300)),
            even,
            method="SLSQP",
            bounds=[(0, 1)] * len(corners),
            constraints=LinearConstraint(np.ones((1, len(corners))), 1, 1),
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        shares = [best.x / best.x.sum(), even, *rng.dirichlet(even, 20)]
        assert entropy(found) >= max(entropy(one @ corners) for one in shares) - 10 * SIX_DECIMALS
        several += len(corners) > 1
    assert several > 24


@pytest.mark.parametrize("alpha", [0.01, 0.1, 1, 10, 100])
@pytest.mark.parametrize("population", [50, 7])
def test_alpha_rank_agrees_with_openspiel(population, alpha):
    """OpenSpiel takes both scores of a match; our payoff is their difference."""
    rng = np.random.default_rng(2)
    for strategies in (2, 3, 4, 6):
        payoffs = make_antisymmetric(rng.normal(0, 0.2, (strategies, strategies)))
        payoffs[0, 1] = payoffs[1, 0] = 0  # two equal strategies
        with np.errstate(over="ignore"):
            rho, _, expected, _, _ = alpharank.compute([(1 + payoffs) / 2], population, alpha)
        chances = transitions(payoffs, alpha, population)
        apart = ~np.eye(strategies, dtype=bool)
        assert chances[apart] == pytest.approx(rho[apart] / (strategies - 1), abs=1e-9)
        assert stationary(chances) == pytest.approx(expected, abs=1e-9)


def test_the_cyclic_share_is_the_residual_of_least_squares():
    """The share is 1 - R^2, uncentered, of ratings fitted to the payoffs of all pairs."""
    rng = np.random.default_rng(3)
    for strategies in (3, 4, 7):
        payoffs = make_antisymmetric(rng.normal(size=(strategies, strategies)))
        pairs = np.array(list(combinations(range(strategies), 2)))
        rows = np.eye(strategies)[pairs[:, 0], 1:] - np.eye(strategies)[pairs[:, 1], 1:]
        fitted = sm.OLS(payoffs[pairs[:, 0], pairs[:, 1]], rows).fit()
        found = estimate_cyclic_share(payoffs, payoffs[None]).mean
        assert found == pytest.approx(fitted.ssr / fitted.uncentered_tss, abs=1e-8)
