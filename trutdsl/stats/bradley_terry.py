"""Bradley-Terry model: one strength for each strategy, on the Elo scale, with clustered errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from trutdsl.stats.always_valid import any_time
from trutdsl.stats.design import Design
from trutdsl.stats.estimate import ALPHA, DECIMALS, Estimate, quantile
from trutdsl.stats.hashed import Floats
from trutdsl.stats.tally import Tally

ELO = 400 / log(10)
STEPS = 100
CLOSE = 1e-12


@dataclass(frozen=True)
class Strengths:
    """What the model says.

    elo:       of each strategy, their mean being 0.
    misfit:    sum over pairs of the squared standardized residual; about `freedom` if it fits.
    freedom:   pairs less the strengths that were fitted.
    """

    elo: tuple[Estimate, ...]
    misfit: float
    freedom: int


Played = Sequence[tuple[Design, Tally]]


def fit_strengths(rounds: Played) -> Strengths | None:
    """Return the strengths, None where they are infinite or the model is for other results.

    rounds: what was played, in one design or in several, each on sets of its own.

    logit P(i beats j) = theta_i - theta_j, by Newton's method; a draw counts half (quasi-
    likelihood). V = I^+ (sum_g u_g u_g') I^+ with the score u_g of each set (K.-Y. Liang and S. L.
    Zeger, Biometrika 73 (1986) 13-22): the same deals are in all pairs. Strengths are finite just
    where of any division of the strategies in two each part has won something from the other (L.
    R. Ford, American Math. Monthly 64(8) (1957) 28-33).

    With three teams or more a match tells of two strategies only if one of both wins it. In the
    model of Luce, P(i wins) = e^theta_i / (sum of e^theta over those who play), that is the same
    logit (R. D. Luce, Individual Choice Behavior (1959)); u_g is then that of each group of sets.
    """
    design, sets = rounds[0][0], sum(tally.sets for _, tally in rounds)
    if not design.metric.by_match or any(tally.sets < 2 for _, tally in rounds):
        return None
    two, teams = design.teams == 2, design.teams
    clusters = sum(tally.sets if two else len(tally.groups) for _, tally in rounds)
    if clusters <= len(rounds):
        return None
    won = np.array([tally.pair_score for _, tally in rounds], np.float64).sum(axis=0) / teams
    if not is_strongly_connected(won):
        return None
    played = won + won.T
    theta = _newton(won, played)
    chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    weights = played * chance * (1 - chance)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    spread = [
        _spread_of_scores(tally) if two else _spread_of_groups(tally, chance, teams)
        for _, tally in rounds
    ]
    variance = inverse @ np.sum(spread, axis=0) @ inverse
    errors = (ELO * np.sqrt(np.maximum(np.diag(variance), 0))).round(DECIMALS)
    t = quantile(1 - ALPHA / 2, clusters - len(rounds))
    values = ((ELO * theta).round(6) + 0.0).tolist()
    elo = tuple(
        any_time(value, error, sets)
        if design.sequential
        else Estimate(
            value,
            error,
            round(value - t * error, DECIMALS),
            round(value + t * error, DECIMALS),
            "t",
        )
        for value, error in zip(values, errors.tolist(), strict=True)
    )
    misfits = [
        _misfit(tally, chance) if two else _misfit_of_groups(tally, chance, teams)
        for _, tally in rounds
    ]
    pairs = sum(met for _, met in misfits)
    misfit = round(float(sum(squares for squares, _ in misfits)), DECIMALS)
    return Strengths(elo, misfit, pairs - (len(theta) - 1))


def _spread_of_scores(tally: Tally) -> Floats:
    """Return sum_g u_g u_g' over the sets of a round, around their mean."""
    score = np.array(tally.score, np.float64) / 2
    around: Floats = np.array(tally.cross, np.float64) / 4 - np.outer(score, score) / tally.sets
    return around * tally.sets / (tally.sets - 1)


def _residuals(tally: Tally, chance: Floats, teams: int) -> Floats:
    """Return what each won from each more than expected, of shape (groups, K, K)."""
    won = np.array([sums for _, _, sums in tally.groups], np.float64) / teams
    found: Floats = won - (won + won.swapaxes(1, 2)) * chance
    return found


def _spread_of_groups(tally: Tally, chance: Floats, teams: int) -> Floats:
    """Return sum_g u_g u_g' over the groups of sets; their sum is 0."""
    u = _residuals(tally, chance, teams).sum(axis=2)
    found: Floats = u.T @ u * len(u) / (len(u) - 1)
    return found


def _misfit_of_groups(tally: Tally, chance: Floats, teams: int) -> tuple[float, int]:
    """Return the sum of squared residuals over their variance by group, and how many pairs met."""
    residuals = _residuals(tally, chance, teams)
    upper = np.triu_indices(residuals.shape[1], 1)
    whole, squares = residuals.sum(axis=0)[upper], (residuals**2).sum(axis=0)[upper]
    met = np.array(tally.pair_sq)[upper] + np.array(tally.pair_sq).T[upper] > 0
    share = np.divide(whole**2, squares, out=np.zeros_like(whole), where=squares > 0)
    return float(share.sum()), int(met.sum())


def is_strongly_connected(won: Floats) -> bool:
    """Tell whether each strategy has won, by way of others, from every other one."""
    reached = (won > 0) | np.eye(len(won), dtype=bool)
    for _ in range(len(won).bit_length()):
        reached = (reached.astype(np.int64) @ reached.astype(np.int64)) > 0
    return bool(reached.all())


def _newton(won: Floats, played: Floats) -> Floats:
    """Return theta, whose sum is 0."""
    theta = np.zeros(len(won))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        weights = played * chance * (1 - chance)
        step = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights) @ (
            (won - played * chance).sum(axis=1)
        )
        theta = theta + step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < CLOSE:
            break
    found: Floats = theta - theta.mean()
    return found


def _misfit(tally: Tally, chance: Floats) -> tuple[float, int]:
    """Return the sum of squared residuals over their variance by set, and how many pairs met."""
    total, pairs, n = 0.0, 0, tally.sets
    won = np.array(tally.pair_score, np.float64) / 2
    played = won + won.T
    for i in range(len(won)):
        for j in range(i):
            if played[i, j] == 0:
                continue
            pairs += 1
            squares = tally.pair_sq[i][j] - tally.pair_score[i][j] ** 2 / n
            variance = squares / 4 * n / (n - 1)
            residual = won[i, j] - played[i, j] * chance[i, j]
            if variance > 0:
                total += residual**2 / variance
    return total, pairs


def elo_of(score: float) -> float:
    """Return the difference in Elo at which a share of the points is expected."""
    return ELO * log(score / (1 - score))
