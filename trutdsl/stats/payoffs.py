"""The payoff matrix of all pairs: its cyclic share, Nash average and alpha-rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import Design, Tally
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.multiplicity import DECIMALS, Floats, poisson_weights
from trutdsl.stats.resampling import percentile_interval, percentile_intervals

REPLICATES = 400


def pair_payoffs(tally: Tally, design: Design) -> Floats | None:
    """Return A, the mean points of i less those of j in a match; None unless all pairs met."""
    legs = _legs(design)
    if (legs == 0).any():
        return None
    won = np.array(tally.pair_score, np.float64)
    return (won - won.T) / (legs * tally.sets)


def payoff_replicates(tally: Tally, design: Design) -> Floats:
    """Return Poisson bootstrap replicates of A, of shape (replicates, strategies, strategies).

    Groups of sets, at least 20, have hashed weights, the same in every worker.
    """
    weights = poisson_weights(REPLICATES, len(tally.groups))
    sets = weights @ tally.group_sets
    won = np.tensordot(weights, tally.group_points.astype(np.float64), axes=1)
    result: Floats = (won - won.swapaxes(1, 2)) / (_legs(design) * sets[:, None, None])
    return result


def _legs(design: Design) -> Floats:
    """Return matches of i and j in a set times the points of one, 1 on the diagonal."""
    everyone, unit = range(design.strategies), design.metric.unit(design.teams)
    return np.array(
        [[1 if i == j else design.matches_of(i, j) * unit for j in everyone] for i in everyone],
        np.float64,
    )


def cyclic_part(payoffs: Floats) -> Floats:
    """Return A - (r 1' - 1 r') with the ratings r_i = mean_j A_ij; works on stacks of matrices.

    It is the part of A that is orthogonal to all ratings (X. Jiang, L.-H. Lim, Y. Yao, Y. Ye,
    Statistical ranking and combinatorial Hodge theory, Math. Programming 127 (2011) 203-244). Most
    of it is cycles. A ranking of very unequal strategies has some, too, as shares end at 1.
    """
    ratings = payoffs.mean(axis=-1)
    result: Floats = payoffs - (ratings[..., :, None] - ratings[..., None, :])
    return result


def estimate_cyclic_share(payoffs: Floats, replicates: Floats) -> Estimate:
    """Return the intransitive (cyclic) share without noise, with a bootstrap interval.

    The noise of the replicates is subtracted from both squares: once for the results, twice for a
    replicate, which has noise twice.
    """
    noise = replicates - payoffs
    noise_of_part = _square(cyclic_part(noise)).mean()
    noise_of_whole = _square(noise).mean()
    part, whole = _square(cyclic_part(payoffs)), _square(payoffs)
    again, again_whole = _square(cyclic_part(replicates)), _square(replicates)
    samples = _share(again - 2 * noise_of_part, again_whole - 2 * noise_of_whole)
    mean = round(float(_share(part - noise_of_part, whole - noise_of_whole)), DECIMALS)
    return percentile_interval(mean, samples)


def _square(matrices: Floats) -> Floats:
    result: Floats = (matrices**2).sum(axis=(-2, -1))
    return result


def _share(part: Floats, whole: Floats) -> Floats:
    result: Floats = np.clip(part, 0, None) / np.maximum(np.maximum(whole, part), 1e-300)
    return np.clip(result, 0, 1)


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
    result = [stationary(transitions(payoffs, alpha)).round(6) for alpha in SWEEP]
    samples = stationary(transitions(replicates, SWEEP[-1])).round(6)
    sweep = zip(SWEEP, (tuple(shares.tolist()) for shares in result), strict=True)
    return AlphaRank(percentile_intervals(result[-1], samples), tuple(sweep))


def transitions(payoffs: Floats, alpha: float, population: int = POPULATION) -> Floats:
    """Return T, the probability of each change of the population's strategy; works on stacks.

    One mutant j takes over a population of i with the probability
    rho = (1 - e^(-a d)) / (1 - e^(-m a d)), d = A[j, i]; T_ij = rho / (K - 1).
    """
    count = payoffs.shape[-1]
    gap = alpha * payoffs.swapaxes(-1, -2)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        rho = np.expm1(-gap) / np.expm1(-population * gap)
    rho = np.where(np.isfinite(rho), rho, 0.0)
    rho = np.where(np.abs(gap) < 1e-12, 1 / population, rho)
    stay = np.eye(count)
    change = rho / (count - 1) * (1 - stay)
    result: Floats = change + stay * (1 - change.sum(axis=-1, keepdims=True))
    return result


def stationary(chances: Floats) -> Floats:
    """Return the stationary distribution, by elimination without subtractions; works on stacks.

    Source: W. K. Grassmann, M. I. Taksar, D. P. Heyman, Operations Research 33 (1985) 1107-1116.
    """
    left = np.maximum(chances, 1e-300)
    count = left.shape[-1]
    for n in range(count - 1, 0, -1):
        left[..., :n, n] /= left[..., n, :n].sum(axis=-1, keepdims=True)
        left[..., :n, :n] += left[..., :n, n, None] * left[..., None, n, :n]
    shares = np.ones(left.shape[:-1])
    for n in range(1, count):
        shares[..., n] = np.vecdot(shares[..., :n], left[..., :n, n])
    share: Floats = shares / shares.sum(axis=-1, keepdims=True)
    return share


Bools = NDArray[np.bool]
Ints = NDArray[np.intp]
TOLERANCE = 1e-9
CLOSE, STEPS = 1e-11, 60  # of Newton's method
DIGITS = 6  # in which the solution of a linear program is the same on every machine


@dataclass(frozen=True)
class NashAverage:
    """The equilibrium of greatest entropy of the game in which players choose a strategy.

    weights: of the strategies; scores: A p, 0 for those with a weight and below 0 for others.
    """

    weights: tuple[Estimate, ...]
    scores: tuple[Estimate, ...]


def estimate_nash(payoffs: Floats, replicates: Floats) -> NashAverage:
    """Return the Nash average with bootstrap intervals from the equilibria of the replicates.

    A weight that is 0 in nearly all of them has an interval from 0 to 0.
    """
    weights, samples = nash_average(payoffs[None])[0], nash_average(replicates)
    scores = (payoffs @ weights).round(DIGITS) + 0.0
    of_drawn = np.vecdot(replicates, samples[:, None])
    return NashAverage(
        percentile_intervals(weights, samples), percentile_intervals(scores, of_drawn)
    )


def nash_average(payoffs: Floats) -> Floats:
    """Return argmax entropy(p) subject to A p <= 0, p in the simplex, for each A of a stack.

    payoffs: antisymmetric, of shape (matrices, strategies, strategies). Result: to six decimals, of
    shape (matrices, strategies). Source: D. Balduzzi and others, Re-evaluating evaluation, NeurIPS
    2018.

    A linear program finds the support of all equilibria. If `_strict` shows that there is only one,
    its support often fits other matrices, too. Copies, equal in all matrices, are one strategy.
    """
    kinds, copies = _kinds(payoffs)
    left = payoffs[:, kinds][:, :, kinds]
    shares, missing = np.zeros(left.shape[:2]), np.arange(len(left))
    for support in np.eye(left.shape[1], dtype=bool):  # one that beats all others
        missing = _fill(shares, left, support, missing)
    while missing.size:
        first, support = missing[0], _inside(left[missing[0]])
        missing = _fill(shares, left, support, missing)
        if missing.size and missing[0] == first:
            shares[first], missing = _most_even(left[first], support, copies), missing[1:]
    shared = np.zeros(payoffs.shape[:2])
    for kind, same in enumerate(copies):
        shared[:, same] = shares[:, [kind]] / len(same)
    shared = np.clip(shared, 0, None).round(DIGITS)
    weights: Floats = shared / shared.sum(axis=1, keepdims=True)
    return weights


def _kinds(payoffs: Floats) -> tuple[list[int], list[list[int]]]:
    """Return a strategy of each kind, and all of this kind: equal in all matrices."""
    same: dict[bytes, list[int]] = {}
    for i in range(payoffs.shape[1]):
        same.setdefault((payoffs[:, i] + 0.0).tobytes(), []).append(i)
    return [members[0] for members in same.values()], list(same.values())


def _fill(shares: Floats, payoffs: Floats, support: Bools, missing: Ints) -> Ints:
    """Enter the unique equilibria with this support; return the matrices without one."""
    weights, only = _strict(payoffs[missing], support)
    shares[missing[only]] = weights[only]
    return missing[~only]


def _strict(payoffs: Floats, support: Bools) -> tuple[Floats, Bools]:
    """Return mixtures p on the support with A p = 0 there, and which are unique equilibria.

    p is unique if it is strict, with p > 0 on the support and A p < 0 elsewhere, and no other
    vector on the support has A q = 0 there. Any other equilibrium q has q'A p = 0: so it is on the
    support, and A q = 0 there.
    """
    _, values, vectors = np.linalg.svd(payoffs[:, support][:, :, support])
    part, tiny = vectors[:, -1], TOLERANCE * np.maximum(np.abs(payoffs).max(axis=(1, 2)), 1e-300)
    total = part.sum(axis=1)
    safe = np.where(np.abs(total) > TOLERANCE, total, np.nan)
    weights = np.zeros(payoffs.shape[:2])
    weights[:, support] = part / safe[:, None]
    gains = np.vecdot(payoffs, weights[:, None])
    only = (values[:, -1] <= tiny) & (values[:, :-1] > tiny[:, None]).all(axis=1)
    only &= (weights[:, support] > TOLERANCE).all(axis=1)
    only &= (gains[:, ~support] < -tiny[:, None]).all(axis=1)
    return weights, only


def _inside(payoffs: Floats) -> Bools:
    """Return the support of all equilibria, from one that has all of them.

    There is one with p - A p > 0 (A. J. Goldman and A. W. Tucker, in Linear Inequalities and
    Related Systems (1956) 53-97). The linear program maximizes the least of these.
    """
    from scipy.optimize import linprog  # slow to load

    count = len(payoffs)
    scaled = payoffs / max(np.abs(payoffs).max(), 1e-300)
    nothing, one = np.zeros((count, 1)), np.ones((count, 1))
    rows = np.block([[scaled, nothing], [scaled - np.eye(count), one]])
    solution = linprog(
        np.append(np.zeros(count), -1.0),
        rows,
        np.zeros(2 * count),
        np.append(np.ones(count), 0.0)[None],
        [1.0],
        (0, 1),
        method="highs",
    )
    weights = np.array(solution.x, np.float64)[:count]
    support: Bools = weights > np.maximum(-scaled @ weights, TOLERANCE)
    return support


def _most_even(payoffs: Floats, support: Bools, copies: list[list[int]]) -> Floats:
    """Return the equilibrium of greatest entropy on a support with several equilibria.

    If A p = 0 on the support, p = m e^(A' x) with numbers m of copies, and Newton's method finds x.
    If others gain by it, a general method solves the problem.
    """
    part = payoffs[support][:, support] / max(np.abs(payoffs).max(), 1e-300)
    many = np.array([len(same) for same, at in zip(copies, support, strict=True) if at], np.float64)
    weights = np.zeros(len(payoffs))
    weights[support] = shares = _spread_out(part, many)
    least = payoffs @ weights
    if np.abs(part @ shares).max() < CLOSE and least.max() < TOLERANCE:
        return weights
    weights[support] = _spread_within(payoffs[:, support], many, shares)
    return weights


def _spread_out(part: Floats, many: Floats) -> Floats:
    """Return p = m e^(A' x) / sum with A p = 0: Newton's method minimizes the log of the sum."""
    at = np.zeros(len(part))
    for _ in range(STEPS):
        shares, value = _softmax(part.T @ at, many)
        slope = part @ shares
        if np.abs(slope).max() < CLOSE:
            break
        curve = (part * shares) @ part.T - np.outer(slope, slope)
        step = -np.linalg.pinv(curve, rcond=1e-12, hermitian=True) @ slope
        length, gain = 1.0, float(slope @ step)
        while length > TOLERANCE and (
            _softmax(part.T @ (at + length * step), many)[1] > value + 0.1 * length * gain
        ):
            length /= 2
        at = at + length * step
    return _softmax(part.T @ at, many)[0]


def _softmax(powers: Floats, many: Floats) -> tuple[Floats, float]:
    """Return m e^x over its sum, and the logarithm of the sum."""
    most = powers.max()
    weights = many * np.exp(powers - most)
    shares: Floats = weights / weights.sum()
    return shares, float(most + np.log(weights.sum()))


def _spread_within(part: Floats, many: Floats, start: Floats) -> Floats:
    """Return the p of greatest entropy with A p <= 0, by a general method."""
    from scipy.optimize import LinearConstraint, minimize

    def costs(p: Floats) -> float:
        return float((p * np.log(np.maximum(p, 1e-12) / many)).sum())

    def slope(p: Floats) -> Floats:
        result: Floats = np.log(np.maximum(p, 1e-12) / many) + 1
        return result

    solution = minimize(
        costs,
        start,
        jac=slope,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * len(many),
        constraints=[
            LinearConstraint(np.ones((1, len(many))), 1, 1),
            LinearConstraint(part, -np.inf, 0),
        ],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    weights: Floats = solution.x
    return weights
