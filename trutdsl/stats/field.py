"""All strategies together: Bradley-Terry strengths with clustered errors, cycles and payoffs."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import fsum, log

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.contrast import Pair
from trutdsl.stats.design import Design, Played, Tally
from trutdsl.stats.estimate import PSEUDO_SETS, WATCHED_SETS, Estimate, any_time
from trutdsl.stats.multiplicity import ALPHA, DECIMALS, Floats, quantile
from trutdsl.stats.payoffs import (
    AlphaRank,
    NashAverage,
    estimate_alpha_rank,
    estimate_cyclic_share,
    estimate_nash,
    pair_payoffs,
    payoff_replicates,
)
from trutdsl.stats.resampling import FEW_GROUPS

ELO = 400 / log(10)
STEPS = 100
CLOSE = 1e-12
ENDLESS = 9.0  # a larger logit, odds of 8,000 to 1, tends to infinity


@dataclass(frozen=True)
class Strengths:
    """The fitted model.

    elo:        of each strategy, with the mean 0.
    first_seat: the advantage of team 0, which has the first seat, added to the difference of the
                strategies; None with three teams, or if it is infinite.
    misfit:     sum over pairs of the squared standardized residual; about `freedom` if it fits.
    freedom:    the number of pairs less that of the parameters.
    """

    elo: tuple[Estimate, ...]
    first_seat: Estimate | None
    misfit: float
    freedom: int


def fit_strengths(rounds: Played) -> Strengths | None:
    """Return the strengths, None if they are infinite or the metric is not matches.

    rounds: one design or several, each with its own sets.

    logit P(i beats j) = theta_i - theta_j + eta if i has the first seat, - eta if j has it, by
    Newton's method; a draw counts half (quasi-likelihood). V = I^+ (sum_g u_g u_g') I^+ with the
    score u_g of each set (K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986) 13-22), because all
    pairs share the deals. Strengths are finite if and only if, in any division of the strategies
    in two, each part has won something from the other (L. R. Ford, American Math. Monthly 64(8)
    (1957) 28-33). The term for seats: R. R. Davidson and R. J. Beaver, Biometrics 33 (1977)
    693-702.

    With three teams or more, a match informs about two strategies only if one of them wins it. In
    the model of Luce, P(i wins) = e^theta_i / (sum of e^theta over all players), this gives the
    same logit (R. D. Luce, Individual Choice Behavior (1959)). Then u_g is the score of each group
    of sets, and seats have no term.
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
    first = sum(tally.team_score[0] for _, tally in rounds) / 2 if two else None
    fit = _newton(won, first)
    spread = [
        _spread_of_scores(tally) if two else _spread_of_groups(tally, fit.chance, teams)
        for _, tally in rounds
    ]
    inverse, size = np.linalg.pinv(fit.information), len(fit.information)
    scores = np.zeros((len(won) + 1, len(won) + 1))
    scores[: len(spread[0]), : len(spread[0])] = np.sum(spread, axis=0)
    errors, spreads = (
        (ELO * np.sqrt(np.maximum(np.diag(inverse @ of[:size, :size] @ inverse), 0))).round(
            DECIMALS
        )
        for of in (scores, scores + _spread_of_pseudo_sets(design, won + won.T > 0))
    )
    t = quantile(1 - ALPHA / 2, clusters - len(rounds))
    values = ((ELO * fit.parameters).round(6) + 0.0).tolist()
    estimates = []
    for value, error, around in zip(values, errors.tolist(), spreads.tolist(), strict=True):
        low, high = (round(value + side * t * around, DECIMALS) for side in (-1, 1))
        alone = Estimate(value, error, low, high, "pseudo-sets")
        estimates.append(any_time(value, error, around, sets) if design.sequential else alone)
    misfits = [
        _misfit(tally, fit.chance) if two else _misfit_of_groups(tally, fit.chance, teams)
        for _, tally in rounds
    ]
    pairs, count = sum(met for _, met in misfits), len(won)
    misfit = round(fsum(squares for squares, _ in misfits), DECIMALS)
    seat = estimates[count] if size > count else None
    return Strengths(tuple(estimates[:count]), seat, misfit, pairs - (count - 1))


def _spread_of_scores(tally: Tally) -> Floats:
    """Return sum_g u_g u_g' over the sets of a round, around their mean, the first seat last."""
    crossed = np.array(tally.cross, np.float64)
    first = np.array(tally.first_product, np.float64)[:, None]
    squares = np.block([[crossed, first], [first.T, np.array([[tally.team_score_sq[0]]])]])
    sums = np.array([*tally.score, tally.team_score[0]], np.float64)
    around: Floats = (squares - np.outer(sums, sums) / tally.sets) / 4
    return around * tally.sets / (tally.sets - 1)


def _spread_of_pseudo_sets(design: Design, have_met: NDArray[np.bool]) -> Floats:
    """Return the same sum over the pseudo-sets of each pair, in which one strategy wins everything.

    A pair of strategies with M opponents has the weight 1 / M, as in a mean over combinations.
    """
    each = float(WATCHED_SETS if design.sequential else PSEUDO_SETS)
    whole = 2 * each * (len(design.orders) / 2) ** 2
    others = have_met.sum(axis=1)
    of_pair = np.where(have_met, whole / np.maximum(np.minimum(others[:, None], others), 1), 0)
    result = np.diag(np.append(of_pair.sum(axis=1), whole))
    result[:-1, :-1] -= of_pair
    return result


def _residuals(tally: Tally, chance: Floats, teams: int) -> Floats:
    """Return the wins of each against each less their expectation, of shape (groups, K, K)."""
    won = tally.group_points / teams
    result: Floats = won - (won + won.swapaxes(1, 2)) * chance
    return result


def _spread_of_groups(tally: Tally, chance: Floats, teams: int) -> Floats:
    u = _residuals(tally, chance, teams).sum(axis=2)
    result: Floats = u.T @ u * len(u) / (len(u) - 1)
    return result


def _misfit_of_groups(tally: Tally, chance: Floats, teams: int) -> tuple[float, int]:
    """Return the sum of squared residuals over their variance by group, and the number of pairs."""
    residuals = _residuals(tally, chance, teams)
    upper = np.triu_indices(residuals.shape[1], 1)
    whole, squares = residuals.sum(axis=0)[upper], (residuals**2).sum(axis=0)[upper]
    have_met = np.array(tally.pair_sq)[upper] + np.array(tally.pair_sq).T[upper] > 0
    share = np.divide(whole**2, squares, out=np.zeros_like(whole), where=squares > 0)
    return float(share.sum()), int(have_met.sum())


def is_strongly_connected(won: Floats) -> bool:
    """Tell whether each strategy has won from every other one, perhaps through others."""
    reach = (won > 0) | np.eye(len(won), dtype=bool)
    for _ in range(len(won).bit_length()):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return bool(reach.all())


@dataclass(frozen=True)
class _Fit:
    """The model with some parameters.

    parameters:  theta, with the sum 0, and then eta if it is in the model.
    chance:      expected share of i against j over both seats, K x K.
    information: the Fisher information of the parameters.
    """

    parameters: Floats
    chance: Floats
    information: Floats


def _newton(won: Floats, first: float | None) -> _Fit:
    """Return the fit, with the term for seats if `first`, the wins of team 0, makes it finite."""
    if first is not None and 0 < first < won.sum():
        result = _climb(won, first)
        if result is not None:
            return result
    result = _climb(won, None)
    assert result is not None, "strengths are finite where the graph is strongly connected"
    return result


def _climb(won: Floats, first: float | None) -> _Fit | None:
    """Return the fit by Newton's method, None if the likelihood has no maximum."""
    count = len(won)
    parameters = np.zeros(count if first is None else count + 1)
    for _ in range(STEPS):
        fit, first_expected = _expect(won + won.T, parameters)
        score = (won - (won + won.T) * fit.chance).sum(axis=1)
        if first is not None:
            score = np.append(score, first - first_expected)
        step = np.linalg.pinv(fit.information) @ score
        parameters = parameters + step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < CLOSE:
            break
    finite = first is None or abs(parameters[-1]) < ENDLESS
    return _expect(won + won.T, parameters)[0] if finite else None


def _expect(matches: Floats, parameters: Floats) -> tuple[_Fit, float]:
    """Return the model with these parameters, and the expected wins of team 0.

    matches: matches of i and j, K x K, in half of which i has the first seat.
    """
    count = len(matches)
    apart = parameters[:count, None] - parameters[:count]
    eta = parameters[count] if len(parameters) > count else 0.0
    seated, behind = 1 / (1 + np.exp(-apart - eta)), 1 / (1 + np.exp(-apart + eta))
    of_seated, of_behind = matches / 2 * seated * (1 - seated), matches / 2 * behind * (1 - behind)
    weights = of_seated + of_behind
    information = np.diag(weights.sum(axis=1)) - weights
    if len(parameters) > count:
        shared = (of_seated - of_behind).sum(axis=1)[:, None]
        information = np.block([[information, shared], [shared.T, of_seated.sum()[None, None]]])
    fit = _Fit(parameters, (seated + behind) / 2, information)
    return fit, float((matches / 2 * seated).sum())


def _misfit(tally: Tally, chance: Floats) -> tuple[float, int]:
    """Return the sum of squared residuals over their variance by set, and the number of pairs."""
    total, pairs, n = 0.0, 0, tally.sets
    won = np.array(tally.pair_score, np.float64) / 2
    matches = won + won.T
    for i in range(len(won)):
        for j in range(i):
            if matches[i, j] == 0:
                continue
            pairs += 1
            squares = tally.pair_sq[i][j] - tally.pair_score[i][j] ** 2 / n
            variance = squares / 4 * n / (n - 1)
            residual = won[i, j] - matches[i, j] * chance[i, j]
            if variance > 0:
                total += residual**2 / variance
    return total, pairs


Edge = tuple[int, int]


def shortest_cycles(beats: Collection[Edge]) -> tuple[tuple[int, ...], ...]:
    """Return the shortest cycles, each from its least number on, in order.

    beats: significant results, as (winner, loser). If all pairs were known, any cycle would contain
    one of three strategies: a chord of a longer cycle closes it on one side or the other.
    """
    after: dict[int, list[int]] = {}
    for winner, loser in sorted(beats):
        after.setdefault(winner, []).append(loser)
    lengths = [length for start in after if (length := _length(after, start))]
    if not lengths:
        return ()
    fewest = min(lengths)
    return tuple(way for start in sorted(after) for way in _ways(after, (start,), fewest))


def _length(after: dict[int, list[int]], start: int) -> int:
    """Return the length of the shortest cycle through one strategy, 0 if there is none."""
    far, queue = {start: 0}, deque([start])
    while queue:
        node = queue.popleft()
        for next_node in after.get(node, ()):
            if next_node == start:
                return far[node] + 1
            if next_node not in far:
                far[next_node] = far[node] + 1
                queue.append(next_node)
    return 0


def _ways(after: dict[int, list[int]], way: tuple[int, ...], fewest: int) -> list[tuple[int, ...]]:
    """Return the cycles of this length that begin with a way and have no number below its first."""
    start, node = way[0], way[-1]
    if len(way) == fewest:
        return [way] if start in after.get(node, ()) else []
    return [
        result
        for next_node in after.get(node, ())
        if next_node > start and next_node not in way
        for result in _ways(after, (*way, next_node), fewest)
    ]


@dataclass(frozen=True)
class FieldSummary:
    """Statistics of all strategies together; None if they cannot be computed.

    strengths:    by Bradley and Terry.
    cycles:       significant ones: each strategy beats the next, the last beats the first.
    cyclic_share: the intransitive share of pairwise differences, which scores do not explain;
                  with more strategies than teams, at least three, and 20 groups of sets or more.
    nash:         Nash average.
    alpha_rank:   stationary distribution over the strategies.
    """

    strengths: Strengths | None
    cycles: tuple[tuple[int, ...], ...]
    cyclic_share: Estimate | None
    nash: NashAverage | None
    alpha_rank: AlphaRank | None


def describe_field(rounds: Played, pairs: Sequence[Pair]) -> FieldSummary:
    """Return the statistics of all strategies together; pairs: their last meeting counts.

    Several rounds have no matrix of all pairs. If all strategies are in every match, a pair's
    difference is that of the scores. There is no bootstrap if the results decide when play ends.
    """
    last = {(pair.first, pair.second): pair for pair in pairs}
    cycles = shortest_cycles([pair.beats for pair in last.values() if pair.beats is not None])
    strengths, (design, tally) = fit_strengths(rounds), rounds[0]
    payoffs = pair_payoffs(tally, design) if len(rounds) == 1 else None
    if payoffs is None:
        return FieldSummary(strengths, cycles, None, None, None)
    cyclic, replicates = None, np.empty((0, *payoffs.shape))
    if len(tally.groups) >= FEW_GROUPS and not design.sequential:
        replicates = payoff_replicates(tally, design)
        if design.strategies > max(design.teams, 2):
            cyclic = estimate_cyclic_share(payoffs, replicates)
    nash, alpha_rank = estimate_nash(payoffs, replicates), estimate_alpha_rank(payoffs, replicates)
    return FieldSummary(strengths, cycles, cyclic, nash, alpha_rank)
